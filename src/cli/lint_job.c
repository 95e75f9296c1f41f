/* What the parts of drawbridge lint share while it runs. */
#include "cli/lint_job.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "validate/limits.h"

void lint_job_raise(struct lint_job *job, int status)
{
    if (status > job->status)
        job->status = status;
}

const char *lint_job_name(struct lint_job *job, const char *path)
{
    return file_shown(&job->arena, path);
}

void lint_job_trouble(void *self, const char *path, const char *why)
{
    struct lint_job *job = self;
    progress_erase(&job->progress);
    lint_job_raise(job, command_error(job->command, EXIT_USAGE, "%s: %s", lint_job_name(job, path), why));
}

void lint_job_fail(struct lint_job *job, const char *path, enum failure failure)
{
    static const char too_much[] = "too much in one file: what is read out of it takes more than 1 GiB, or what is wrong with it more than "
                                   "64 MiB";
    lint_job_trouble(job, path, failure == FAILURE_LIMIT ? too_much : failure_text(failure));
}

/* ---- files ---- */

void lint_job_visit(struct lint_job *job, const struct folder_visitor *visitor, const char *path)
{
    if (!folders_visit(path, visitor) && !job->options->allow_nothing)
        lint_job_trouble(job, path, "no file has a name like that");
}

struct kept_file *lint_job_keep(struct lint_job *job, struct kept_files *files, const char *path)
{
    struct error error;
    struct kept_file *kept = kept_files_read(files, path, &error);
    if (!kept)
        lint_job_trouble(job, path, error.text);
    return kept;
}

struct kept_file *lint_job_keep_text(struct lint_job *job, struct kept_files *files, const char *name, struct bytes text)
{
    struct error error;
    struct buffer copy;
    struct kept_file *kept = buffer_copy(text, &copy) ? kept_files_add(files, name, &copy, &error) : NULL;
    if (!kept)
        lint_job_trouble(job, name, strerror(ENOMEM));
    return kept;
}

void lint_job_start_reader(struct lint_job *job, struct lint_reader *reader, void (*take)(void *self, struct reading *reading))
{
    *reader = (struct lint_reader){
        .context = &job->context, .options = { job->settings.version, job->settings.as, job->settings.inside_configmaps },
        .take = take, .trouble = lint_job_trouble, .self = job,
    };
    lint_reader_start(reader, job->options->jobs);
}

bool lint_job_failed(struct lint_job *job, struct reading *reading)
{
    if (!reading->failure)
        return false;
    if (reading->why)
        lint_job_trouble(job, reading->file->name, reading->why);
    else
        lint_job_fail(job, reading->file->name, reading->failure);
    reading_free(reading);
    return true;
}
