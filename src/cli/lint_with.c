/* The objects of drawbridge lint to which others may refer, of --with or of a configuration. */
#include <stdio.h>
#include <stdlib.h>

#include "base/text.h"
#include "cli/limits.h"
#include "cli/lint_job.h"

static void drop(struct reading *reading)
{
    source_done(&reading->source);
    reading_free(reading);
}

void lint_job_forget_references(struct lint_job *job)
{
    while (job->references) {
        struct reading *reading = job->references;
        job->references = reading->next;
        drop(reading);
    }
    job->reference_bytes = 0;
    job->references_full = false;
    job->summary.references = 0;
}

static size_t count_objects(const struct source *source)
{
    size_t count = 0;
    for (const struct item *item = source->first; item; item = item->next)
        count += item->kind != NULL;
    return count;
}

static void take_reference(void *self, struct reading *reading)
{
    struct lint_job *job = self;
    if (lint_job_failed(job, reading))
        return;
    lint_job_say_unreadable(job, &reading->source, true);
    size_t count = count_objects(&reading->source), bytes = reading_bytes(reading);
    bool fits = !job->references_full && job->reference_bytes + bytes <= LIMIT_LINT_SET_BYTES;
    if (count && !fits && !job->references_full)
        lint_job_trouble(job, reading->file->name, "objects for reference take more than 192 MiB: the rest is left out");
    job->references_full |= count && !fits;
    if (!count || !fits) {
        drop(reading);
        return;
    }
    job->reference_bytes += bytes;
    job->summary.references += count;
    reading->next = job->references;
    job->references = reading;
}

static void read_file(void *self, const char *path)
{
    struct lint_job *job = self;
    lint_reader_add(&job->reader, path);
}

static void read_path(struct lint_job *job, const char *path)
{
    const struct folder_visitor visitor = { .file = read_file, .trouble = lint_job_trouble, .self = job, .filter = &job->filter };
    lint_job_visit(job, &visitor, path);
}

/* From the folder of the configuration on. */
static void read_configured(struct lint_job *job, const struct lint_config *config)
{
    for (uint32_t i = 0; i < config->configuration.with.count; i++) {
        const char *path = lint_config_path(config, config->configuration.with.list[i].text, &job->arena);
        if (path)
            read_path(job, path);
        else
            lint_job_fail(job, config->file, FAILURE_MEMORY);
    }
}

static void read_references(struct lint_job *job, const struct lint_config *config)
{
    const struct option_list *given = &job->options->with;
    lint_job_start_reader(job, &job->reader, take_reference);
    for (unsigned i = 0; i < given->count; i++)
        read_path(job, given->values[i]);
    if (!given->count)
        read_configured(job, config);
    lint_reader_finish(&job->reader);
    lint_reader_stop(&job->reader);
}

void lint_job_refer(struct lint_job *job, const struct lint_config *config)
{
    const bool options = job->options->with.count, known = options ? job->references_of != NULL : job->references_of == config;
    if (!known) {
        lint_job_forget_references(job);
        if (options || config->configuration.with.count)
            read_references(job, config);
        job->references_of = config;
    }
    for (struct reading *reading = job->references; reading; reading = reading->next)
        source_set_refer(&job->source_set, &reading->source, reading_bytes(reading));
}
