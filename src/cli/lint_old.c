/* The older objects of drawbridge lint: of --old, or of a revision of git. */
#include <stdio.h>

#include "base/limits.h"
#include "base/text.h"
#include "cli/lint_job.h"
#include "cli/revision.h"

static void add_old(struct lint_job *job, struct kept_file *kept)
{
    enum failure failure = kept ? source_set_add_old(&job->source_set, kept->name, buffer_bytes(&kept->text), &kept->source) : FAILURE_NONE;
    if (failure)
        lint_job_fail(job, kept->name, failure);
}

static void keep_old(void *self, const char *path)
{
    struct lint_job *job = self;
    add_old(job, lint_job_keep(job, &job->old_files, path));
}

static void keep_old_files(struct lint_job *job, const char *path)
{
    const struct folder_visitor visitor = { .file = keep_old, .trouble = lint_job_trouble, .self = job, .filter = &job->filter };
    lint_job_visit(job, &visitor, path);
}

/* Keeps a file of a revision. */
static bool keep_old_text(void *self, const char *name, struct bytes text)
{
    struct lint_job *job = self;
    struct kept_file *kept = lint_job_keep_text(job, &job->old_files, name, text);
    add_old(job, kept);
    return kept;
}

/* Reads what the paths were in the revision. */
static void read_revision(struct lint_job *job)
{
    const struct revision_visitor visitor = { keep_old_text, job, &job->filter };
    struct error error;
    for (int i = 0; i < job->path_count; i++)
        if (!revision_visit(job->options->old_revision, job->paths[i], &visitor, &error))
            lint_job_trouble(job, job->paths[i], error.text);
}

static void say_item_gone(struct lint_job *job, struct source *source, const struct item *item)
{
    struct position position;
    struct text text;
    text_init(&text, &job->arena);
    text_add_escaped(&text, item->kind_name, LIMIT_QUOTE_BYTES);
    text_add(&text, " ");
    text_add_quoted(&text, item->name, LIMIT_NAME_BYTES);
    const char *words = text_end(&text);
    if (words && !lines_find(&source->lines, item->node->offset, &position))
        fprintf(stderr, "%s:%u:%u: note: %s is not there any more\n", lint_job_name(job, source->name), position.line,
                position.column, words);
}

void lint_job_say_gone(struct lint_job *job)
{
    for (struct source *source = job->source_set.old.first; source; source = source->next)
        for (const struct item *item = source->first; item; item = item->next)
            if (item->type == ITEM_OBJECT && item->name.length && !item->is_paired)
                say_item_gone(job, source, item);
}

/* What does not parse in older files is no problem of the new ones, but something that cannot be read. */
void lint_job_say_unreadable(struct lint_job *job, struct source *source, bool skip_templates)
{
    for (const struct item *item = source->first; item; item = item->next) {
        struct position position;
        bool skipped = item->type != ITEM_UNREADABLE || (skip_templates && item->is_template);
        if (skipped || lines_find(&source->lines, item->error.offset, &position))
            continue;
        lint_job_raise(job, command_error(job->command, EXIT_USAGE, "%s:%u:%u: %s", lint_job_name(job, source->name), position.line,
                                          position.column, item->error.message));
    }
}

int lint_job_read_old(struct lint_job *job)
{
    if (job->options->old)
        keep_old_files(job, job->options->old);
    if (job->options->old_revision)
        read_revision(job);
    for (struct source *source = job->source_set.old.first; source; source = source->next)
        lint_job_say_unreadable(job, source, job->settings.skip_templates);
    enum failure failure = source_set_pair(&job->source_set);
    if (failure)
        return command_error(job->command, EXIT_USAGE, "older objects: %s", failure_text(failure));
    if (job->source_set.twice)
        fprintf(stderr, "drawbridge lint: %u of the older objects are there twice; the first one counts\n", job->source_set.twice);
    return EXIT_GOOD;
}
