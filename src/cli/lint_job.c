/* What the parts of drawbridge lint share while it runs. */
#include "cli/lint_job.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/limits.h"
#include "base/text.h"
#include "validate/limits.h"

void lint_job_raise(struct lint_job *job, int status)
{
    if (status > job->status)
        job->status = status;
}

/* A file's name, safe for a terminal. */
const char *lint_job_name(struct lint_job *job, const char *path)
{
    struct text text;
    text_init(&text, &job->arena);
    text_add_escaped(&text, bytes_of(path), LIMIT_FILE_NAME_BYTES);
    const char *end = text_end(&text);
    return end ? end : "a file";
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

/* Reads a file and keeps it; NULL: it cannot be read. */
struct kept_file *lint_job_keep(struct lint_job *job, struct kept_files *files, const char *path)
{
    struct error error;
    struct kept_file *kept = kept_files_read(files, path, &error);
    if (!kept)
        lint_job_trouble(job, path, error.text);
    return kept;
}

/* Keeps a copy of a text that is no file; NULL: no memory. */
struct kept_file *lint_job_keep_text(struct lint_job *job, struct kept_files *files, const char *name, struct bytes text)
{
    struct error error;
    struct buffer copy;
    struct kept_file *kept = buffer_copy(text, &copy) ? kept_files_add(files, name, &copy, &error) : NULL;
    if (!kept)
        lint_job_trouble(job, name, strerror(ENOMEM));
    return kept;
}
