/* The work of drawbridge lint: reads files, validates their objects together, and prints what is found. */
#include "cli/lint.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/escape.h"
#include "base/folders.h"
#include "base/limits.h"
#include "base/text.h"
#include "cli/kept_files.h"
#include "cli/limits.h"
#include "cli/lint_fix.h"
#include "cli/lint_run.h"
#include "cli/rendered.h"
#include "cli/report.h"
#include "cli/revision.h"
#include "cli/served.h"
#include "cli/trace.h"
#include "match/in_set.h"
#include "validate/context.h"
#include "validate/driver_files.h"
#include "validate/limits.h"
#include "validate/source_set.h"

struct job {
    const struct command *command;
    const struct lint_options *options;
    char *const *paths;
    int path_count;
    struct context context;
    struct workspace workspace;
    struct validate_settings settings;
    struct reporters reporters;
    struct progress progress;
    bool rewrites_stdin; /* standard output gets its fixed text, and what would go there goes to standard error */
    struct trace_printer trace;
    struct source_set source_set;
    struct kept_files files, old_files;
    struct driver_files drivers; /* of --drivers, in place of those of configurations */
    struct lint_groups groups;
    struct lint_baseline baseline;
    const struct lint_group *group; /* that is validated now */
    struct selection selection;     /* of its configuration and the options */
    enum level fail_on;
    struct ignore excludes;
    struct folder_filter filter;
    struct rendered rendered;
    struct arena arena; /* what is said on standard error */
    bool begun;     /* a group */
    minor since;    /* the oldest version of the group */
    bool rendering; /* the texts are no files: there is nothing to fix */
    bool parted;
    int status; /* so far */
    struct lint_summary summary;
};

static void raise_status(struct job *job, int status)
{
    if (status > job->status)
        job->status = status;
}

/* A file's name, safe for a terminal. */
static const char *escaped(struct job *job, const char *path)
{
    struct text text;
    text_init(&text, &job->arena);
    text_add_escaped(&text, bytes_of(path), LIMIT_FILE_NAME_BYTES);
    const char *end = text_end(&text);
    return end ? end : "a file";
}

static void trouble(void *self, const char *path, const char *why)
{
    struct job *job = self;
    progress_erase(&job->progress);
    raise_status(job, command_error(job->command, EXIT_USAGE, "%s: %s", escaped(job, path), why));
}

static void fail(struct job *job, const char *path, enum failure failure)
{
    static const char too_much[] = "too much in one file: what is read out of it takes more than 1 GiB, or what is wrong with it more than "
                                   "64 MiB";
    trouble(job, path, failure == FAILURE_LIMIT ? too_much : failure_text(failure));
}

/* ---- files ---- */

/* Reads a file and keeps it; NULL: it cannot be read. */
static struct kept_file *keep_file(struct job *job, struct kept_files *files, const char *path)
{
    struct error error;
    struct kept_file *kept = kept_files_read(files, path, &error);
    if (!kept)
        trouble(job, path, error.text);
    return kept;
}

static void add_old(struct job *job, struct kept_file *kept)
{
    enum failure failure = kept ? source_set_add_old(&job->source_set, kept->name, buffer_bytes(&kept->text), &kept->source) : FAILURE_NONE;
    if (failure)
        fail(job, kept->name, failure);
}

static void keep_old(void *self, const char *path)
{
    struct job *job = self;
    add_old(job, keep_file(job, &job->old_files, path));
}

/* Keeps a copy of a text that is no file; NULL: no memory. */
static struct kept_file *keep_text(struct job *job, struct kept_files *files, const char *name, struct bytes text)
{
    struct error error;
    struct buffer copy = { malloc(text.length + 1), text.length };
    struct kept_file *kept = NULL;
    if (copy.data) {
        memcpy(copy.data, text.data, text.length);
        copy.data[text.length] = '\0';
        kept = kept_files_add(files, name, &copy, &error);
    }
    if (!kept)
        trouble(job, name, strerror(ENOMEM));
    return kept;
}

/* Keeps a file of a revision. */
static bool keep_old_text(void *self, const char *name, struct bytes text)
{
    struct job *job = self;
    struct kept_file *kept = keep_text(job, &job->old_files, name, text);
    add_old(job, kept);
    return kept;
}

/* Reads what the paths were in the revision. */
static void read_revision(struct job *job)
{
    const struct revision_visitor visitor = { keep_old_text, job, &job->filter };
    struct error error;
    for (int i = 0; i < job->path_count; i++)
        if (!revision_visit(job->options->old_revision, job->paths[i], &visitor, &error))
            trouble(job, job->paths[i], error.text);
}

static void say_item_gone(struct job *job, struct source *source, const struct item *item)
{
    struct position position;
    struct text text;
    text_init(&text, &job->arena);
    text_add_escaped(&text, item->kind_name, LIMIT_QUOTE_BYTES);
    text_add(&text, " ");
    text_add_quoted(&text, item->name, LIMIT_NAME_BYTES);
    const char *words = text_end(&text);
    if (words && !lines_find(&source->lines, item->node->offset, &position))
        fprintf(stderr, "%s:%u:%u: note: %s is not there any more\n", escaped(job, source->name), position.line, position.column, words);
}

/* Names the objects that were in the revision and are not given any more. */
static void say_gone(struct job *job)
{
    for (struct source *source = job->source_set.old.first; source; source = source->next)
        for (const struct item *item = source->first; item; item = item->next)
            if (item->type == ITEM_OBJECT && item->name.length && !item->is_paired)
                say_item_gone(job, source, item);
}

/* What does not parse in older files is no problem of the new ones, but something that cannot be read. */
static void report_old(struct job *job, struct source *source)
{
    for (const struct item *item = source->first; item; item = item->next) {
        struct position position;
        bool skipped = item->type != ITEM_UNREADABLE || (job->settings.skip_templates && item->is_template);
        if (skipped || lines_find(&source->lines, item->error.offset, &position))
            continue;
        raise_status(job, command_error(job->command, EXIT_USAGE, "%s:%u:%u: %s", escaped(job, source->name), position.line,
                                        position.column, item->error.message));
    }
}

/* ---- validation ---- */

static void count_report(struct job *job, const struct report *report)
{
    const struct counts *counts = &report->counts;
    const bool found[LEVELS] = {
        [LEVEL_ERROR] = counts->errors,
        [LEVEL_WARNING] = counts->errors || counts->warnings,
        [LEVEL_INFO] = counts_findings(counts),
    };
    counts_add(&job->summary.run.counts, counts);
    raise_status(job, found[job->fail_on] ? EXIT_FOUND : EXIT_GOOD);
}

static void validate_source(struct job *job, struct source *source)
{
    struct report report;
    const struct lint_selecting about = {
        &job->groups.configs, &job->selection, job->options->no_suppressions, &job->workspace.arena, &job->source_set.reports,
        &job->baseline,
    };
    workspace_clear(&job->workspace);
    lint_say_skipped_items(job->options, source);
    job->trace.source = source;
    for (const struct item *item = source->first; item; item = item->next)
        served_note(&job->summary.served, item->kind, job->since);
    enum failure failure = source_set_validate(&job->source_set, &job->workspace, source, &report);
    if (!failure)
        failure = lint_select(&about, source, &report, &job->summary.suppressed);
    if (!failure) {
        count_report(job, &report);
        progress_say(&job->progress, "validating", job->summary.run.file_count);
        if (report.count)
            progress_erase(&job->progress);
        failure = job->options->trace ? FAILURE_NONE : reporters_report(&job->reporters, &job->workspace, source, &report);
    }
    if (failure)
        fail(job, source->name, failure);
    else if (counts_findings(&report.counts) > report.count)
        fprintf(stderr, "%s: and %zu more\n", escaped(job, source->name), counts_findings(&report.counts) - report.count);
}

static enum failure fix_files(struct job *job)
{
    struct lint_fix fix = { .command = job->command, .diff = job->options->diff };
    enum failure failure = lint_fix(&fix, &job->source_set, &job->workspace, &job->files);
    job->summary.fixed += fix.fixes;
    job->summary.fixed_files += fix.files;
    raise_status(job, fix.status);
    raise_status(job, fix.diff && fix.fixes ? EXIT_FOUND : EXIT_GOOD);
    return failure;
}

/* Validates the files that are kept, together, and forgets them. */
static void validate_files(struct job *job)
{
    const bool fixes = (job->options->fix || job->options->diff) && !job->rendering;
    enum failure failure = fixes ? fix_files(job) : FAILURE_NONE;
    if (!failure && !job->options->diff)
        failure = source_set_prepare(&job->source_set);
    if (failure)
        raise_status(job, command_error(job->command, EXIT_USAGE, "%s",
                                        failure == FAILURE_LIMIT ? "too many objects for one run" : failure_text(failure)));
    for (struct source *source = job->source_set.sources.first; source && !failure && !job->options->diff && !ferror(stdout);
         source = source->next)
        validate_source(job, source);
    if (job->source_set.apart)
        fputs("drawbridge lint: too many objects to compare: some were validated by themselves\n", stderr);
    source_set_clear(&job->source_set);
    kept_files_clear(&job->files);
}

/* Whether a file has nothing to validate and nothing to report: such files need not be kept. */
static bool is_of_no_interest(struct job *job, struct source *source)
{
    struct report report;
    const char *name = job->options->stdin_name;
    if (strcmp(source->name, name ? name : "-") == 0) /* its text goes to standard output with --fix */
        return false;
    for (const struct item *item = source->first; item; item = item->next)
        if (item->kind || (item->type == ITEM_UNREADABLE && !item->is_template))
            return false;
    workspace_clear(&job->workspace);
    if (source_set_validate(&job->source_set, &job->workspace, source, &report) || report.count)
        return false;
    lint_say_skipped_items(job->options, source);
    count_report(job, &report);
    return true;
}

/* What is kept is enough to be validated together. */
static void begin_set(struct job *job)
{
    if (!job->parted)
        fprintf(stderr, "drawbridge lint: files and their objects take more than %u MiB: objects are not compared with all others\n",
                LIMIT_TOGETHER_BYTES >> 20);
    job->parted = true;
    validate_files(job);
}

static void lint_file(struct job *job, const char *path)
{
    if (job->source_set.bytes >= LIMIT_TOGETHER_BYTES)
        begin_set(job);
    struct kept_file *before = job->files.last, *kept = keep_file(job, &job->files, path);
    progress_say(&job->progress, "reading", ++job->summary.run.file_count);
    if (!kept)
        return;
    const char *name = job->options->stdin_name && strcmp(path, "-") == 0 ? job->options->stdin_name : kept->name;
    enum failure failure = source_set_add(&job->source_set, name, buffer_bytes(&kept->text), &kept->source);
    if (failure) {
        fail(job, path, failure);
        kept_files_forget_last(&job->files, before);
    } else if (is_of_no_interest(job, kept->source)) {
        source_set_forget_last(&job->source_set);
        kept_files_forget_last(&job->files, before);
    }
}

/* A chart or kustomization to render, when all files have been validated: each is a set of its own. */
static enum folder_use find_rendered(void *self, const char *path)
{
    struct job *job = self;
    struct error error;
    enum folder_use use = rendered_find(&job->rendered, path, &error);
    if (use == FOLDER_WHOLE && error.code)
        trouble(job, path, error.text);
    return use;
}

static bool take_rendered(void *self, const char *name, struct bytes text)
{
    struct job *job = self;
    struct kept_file *kept = keep_text(job, &job->files, name, text);
    enum failure failure = kept ? source_set_add(&job->source_set, kept->name, buffer_bytes(&kept->text), &kept->source) : FAILURE_NONE;
    job->summary.run.file_count++;
    if (failure)
        fail(job, name, failure);
    return kept;
}

static void list_file(void *self, const char *path)
{
    struct job *job = self;
    lint_groups_add(&job->groups, path);
}

static void visit(struct job *job, const char *path, void (*file)(void *self, const char *path))
{
    const struct folder_visitor visitor = {
        .file = file, .trouble = trouble, .folder = file == list_file ? find_rendered : NULL, .self = job, .filter = &job->filter,
    };
    if (!folders_visit(path, &visitor) && !job->options->allow_nothing)
        trouble(job, path, "no file has a name like that");
}

static int nothing_to_validate(struct job *job)
{
    const struct counts *counts = &job->summary.run.counts;
    char templates[64] = "";
    if (counts->templates)
        snprintf(templates, sizeof templates, ", %zu template%s", counts->templates, counts->templates == 1 ? "" : "s");
    return command_error(job->command, EXIT_USAGE,
                         "nothing to validate: no object of a kind with rules, %zu of other kinds, %zu documents that are no objects%s",
                         counts->other_kinds, counts->no_objects, templates);
}

/* Rows that are traced, or a diff, are printed in place of reports. */
static bool has_reports(const struct lint_options *options)
{
    return !options->trace && !options->diff && !options->show_config;
}

/* Ends the reports, and says on standard error what was done. */
static int end_lint(struct job *job)
{
    progress_erase(&job->progress);
    const struct counts *counts = &job->summary.run.counts;
    const struct reporter *printed = reporters_printed(&job->reporters);
    struct error error;
    bool nothing = !job->options->diff && !job->options->allow_nothing && !counts->validated && !counts->errors &&
                   job->status == EXIT_GOOD;
    job->summary.run.status = nothing ? EXIT_USAGE : (enum exit_status)job->status;
    if (has_reports(job->options) && !reporters_end(&job->reporters, &error))
        return command_failed(job->command, reporters_status(&error), &error);
    if (end_output(job->command, EXIT_GOOD) != EXIT_GOOD)
        return EXIT_INTERNAL;
    if (nothing)
        return nothing_to_validate(job);
    if (!trace_printer_check(&job->trace, &error))
        raise_status(job, command_error(job->command, EXIT_USAGE, "--trace: %s", error.text));
    if ((printed && !printed->format->summary) || job->options->quiet)
        return job->status;
    lint_summarize(&job->summary);
    return job->status;
}

/* Reads the older objects of a group. */
static int read_old(struct job *job)
{
    if (job->options->old)
        visit(job, job->options->old, keep_old);
    if (job->options->old_revision)
        read_revision(job);
    for (struct source *source = job->source_set.old.first; source; source = source->next)
        report_old(job, source);
    enum failure failure = source_set_pair(&job->source_set);
    if (failure)
        return command_error(job->command, EXIT_USAGE, "older objects: %s", failure_text(failure));
    if (job->source_set.twice)
        fprintf(stderr, "drawbridge lint: %u of the older objects are there twice; the first one counts\n", job->source_set.twice);
    return EXIT_GOOD;
}

static void take_force(struct job *job, const struct lint_config *config, const struct lint_force *force)
{
    job->settings.version = force->versions.until;
    job->settings.versions = version_range(force->versions);
    job->settings.gates = force->gates;
    job->settings.unknown_fields = force->unknown_fields;
    job->settings.skip_templates = force->templates == TEMPLATES_SKIPPED;
    const struct driver_files *drivers = job->options->drivers ? &job->drivers : &config->configuration.driver_files;
    job->settings.drivers = drivers->count ? &drivers->drivers : NULL;
    job->fail_on = force->fail_on;
    job->selection = config->selection;
    job->selection.select = force->select;
    job->selection.ignore = force->ignore;
    struct versions *all = &job->summary.run.versions; /* of the options, until there is a group */
    all->since = !job->begun || force->versions.since < all->since ? force->versions.since : all->since;
    all->until = !job->begun || force->versions.until > all->until ? force->versions.until : all->until;
    job->begun = true;
    job->since = force->versions.since;
}

/* Begins to validate as that configuration says, against older objects if there are any. Returns the status; end_group ends it. */
static int begin_group(struct job *job, const struct lint_config *config)
{
    struct error error;
    const struct lint_force force = lint_force_of(job->options, config);
    take_force(job, config, &force);
    source_set_init(&job->source_set, &job->context, &job->settings);
    if (!gate_settings_check_all(&force.gates, force.versions, &error))
        return command_error(job->command, EXIT_USAGE, "%s: %s",
                             job->options->given.gates ? "--feature-gates" : escaped(job, config->file), error.text);
    return read_old(job);
}

/* With several groups, an object that is gone in one may be in another: then nothing is said. */
static void end_group(struct job *job)
{
    const struct reporter *printed = reporters_printed(&job->reporters);
    bool alone = job->groups.first && !job->groups.first->next && !job->rendered.count;
    if (job->options->old_revision && alone && (!printed || printed->format->summary) && !job->options->quiet)
        say_gone(job);
    source_set_done(&job->source_set);
    kept_files_clear(&job->old_files);
}

static int lint_group(struct job *job, const struct lint_group *group)
{
    int status = begin_group(job, group->config);
    for (const struct lint_path *path = group->first; path && status == EXIT_GOOD && !ferror(stdout); path = path->next)
        lint_file(job, path->name);
    if (status == EXIT_GOOD)
        validate_files(job);
    end_group(job);
    return status;
}

/* What is rendered has the configuration of its folder. */
static int lint_rendered(struct job *job, unsigned index)
{
    struct lint_config *config;
    struct error error;
    struct text folder;
    const char *path = job->rendered.list[index].path;
    text_init(&folder, &job->arena);
    text_add(&folder, path);
    text_add(&folder, "/.");
    const char *end = text_end(&folder);
    if (!end || !lint_configs_find(&job->groups.configs, end, &config))
        return EXIT_USAGE;
    int status = begin_group(job, config);
    job->rendering = true;
    if (status == EXIT_GOOD && rendered_read(&job->rendered, index, take_rendered, job, &error))
        validate_files(job);
    else if (status == EXIT_GOOD)
        trouble(job, path, error.text);
    end_group(job);
    return status;
}

/* Everything, group by group. */
static int lint_groups(struct job *job)
{
    int status = EXIT_GOOD;
    for (const struct lint_group *group = job->groups.first; group && status == EXIT_GOOD && !ferror(stdout); group = group->next)
        status = lint_group(job, group);
    for (unsigned i = 0; i < job->rendered.count && status == EXIT_GOOD && !ferror(stdout); i++)
        status = lint_rendered(job, i);
    return status;
}

/* Nothing is written when something could not be read. */
static int end_baseline(struct job *job)
{
    job->summary.known = job->baseline.hidden;
    job->summary.gone = baseline_gone(&job->baseline.known);
    return job->baseline.fresh_path && job->status < EXIT_USAGE ? lint_baseline_write(&job->baseline, job->command) : EXIT_GOOD;
}

static int lint(struct job *job)
{
    for (int i = 0; i < job->path_count; i++)
        visit(job, job->paths[i], list_file);
    if (job->groups.failed)
        return EXIT_USAGE;
    if (job->options->show_config) {
        lint_show(job->options, &job->groups);
        return end_output(job->command, job->status);
    }
    job->summary.excluded = job->groups.excluded;
    int status = lint_baseline_begin(&job->baseline, job->command, &job->workspace);
    if (status == EXIT_GOOD)
        status = lint_groups(job);
    if (status == EXIT_GOOD)
        status = end_baseline(job);
    if (status != EXIT_GOOD)
        return status;
    return end_lint(job);
}

static int lint_all(struct job *job)
{
    const struct lint_options *options = job->options;
    enum failure failure = lint_configs_init(&job->groups.configs, job->command, options->config, options->no_config);
    int status = failure ? command_error(job->command, EXIT_USAGE, "%s", failure_text(failure)) : lint(job);
    lint_baseline_end(&job->baseline);
    lint_groups_done(&job->groups);
    lint_configs_done(&job->groups.configs);
    return status;
}

static int read_drivers(struct job *job)
{
    struct error error;
    return driver_files_add(&job->drivers, job->options->drivers, &error) ? EXIT_GOOD
                                                                          : command_error(job->command, EXIT_USAGE, "%s", error.text);
}

static int run_job(struct job *job)
{
    enum failure failure = context_init(&job->context, &memory_malloc);
    if (!failure) {
        failure = workspace_init(&job->workspace, &job->context);
        if (!failure) {
            arena_init(&job->arena, &memory_malloc, LIMIT_ARENA_BYTES);
            trace_printer_init(&job->trace, stdout, job->options->trace, &memory_malloc);
            job->settings.trace = job->options->trace ? &job->trace.trace : NULL;
            job->status = job->options->drivers ? read_drivers(job) : EXIT_GOOD;
            if (job->status == EXIT_GOOD)
                job->status = lint_excludes(job->command, &job->options->excludes, &job->excludes, &job->arena);
            if (job->status == EXIT_GOOD)
                job->status = lint_all(job);
            driver_files_done(&job->drivers);
            ignore_done(&job->excludes);
            rendered_done(&job->rendered);
            arena_done(&job->arena);
            trace_printer_done(&job->trace);
            workspace_done(&job->workspace);
        }
        context_done(&job->context);
    }
    return failure ? command_error(job->command, EXIT_USAGE, "%s", failure_text(failure)) : job->status;
}

/* The reports around the work. */
static int run(struct job *job)
{
    struct error error;
    FILE *out = job->rewrites_stdin ? stderr : stdout;
    int status;
    progress_begin(&job->progress);
    if (!reporters_init(&job->reporters, &job->options->formats, &job->summary.run, &error))
        status = usage_error(job->command, "--format: %s", error.text);
    else if (job->options->statistics && !reporters_count_rules(&job->reporters, &error))
        status = usage_error(job->command, "--statistics: %s", error.text);
    else if (has_reports(job->options) && !reporters_begin(&job->reporters, out, job->options->colour, &error))
        status = command_failed(job->command, reporters_status(&error), &error);
    else
        status = run_job(job);
    reporters_done(&job->reporters);
    return status;
}

int lint_run(const struct command *command, const struct lint_options *options, char *const *paths, int count)
{
    struct job job = {
        .command = command,
        .options = options,
        .paths = paths,
        .path_count = count,
        .settings = {
            .as_status = options->as_status,
            .fixes = true,
            .as = options->role,
            .matcher = &match_in_set,
        },
        .rewrites_stdin = lint_rewrites_stdin(options, paths, count),
        .filter = { options->excludes.count ? &job.excludes : NULL, options->no_gitignore },
        .baseline = { .known_path = options->baseline, .fresh_path = options->write_baseline },
        .rendered = { .settings = { options->helm, options->kustomize, &options->values, options->versions.until } },
        .summary = { .options = options, .run = { .command = command->name, .versions = options->versions } },
    };
    return run(&job);
}
