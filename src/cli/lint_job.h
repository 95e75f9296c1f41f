/* Inside drawbridge lint: its work while it runs. */
#ifndef DRAWBRIDGE_CLI_LINT_JOB_H
#define DRAWBRIDGE_CLI_LINT_JOB_H

#include "base/folders.h"
#include "cli/kept_files.h"
#include "cli/lint_reader.h"
#include "cli/lint_run.h"
#include "cli/rendered.h"
#include "cli/trace.h"
#include "validate/driver_files.h"
#include "validate/source_set.h"

struct lint_job {
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
    struct kept_files files, old_files; /* `files` are what is kept whole */
    struct lint_reader reader;
    struct reading *readings; /* whose sources are in the set, newest first */
    bool uncut;
    struct reading *references; /* of --with or the configuration, newest first */
    const struct lint_config *references_of; /* … which was read last; NULL: --with, or none yet */
    uint64_t reference_bytes;
    bool references_full; /* there are more than fit, which was said */
    struct driver_files drivers; /* of --drivers, in place of those of configurations */
    struct lint_groups groups;
    struct lint_baseline baseline;
    struct selection selection; /* of the group's configuration and the options */
    enum level fail_on;
    struct ignore excludes;
    struct folder_filter filter;
    struct rendered rendered;
    struct arena arena; /* what is said on standard error */
    bool begun;     /* a group */
    minor since;    /* the oldest version of the group */
    bool rendering; /* the texts are no files: there is nothing to fix */
    bool parted;
    size_t unlisted; /* findings of a file that are counted alone */
    int status; /* so far */
    struct lint_summary summary;
};

/* Raises the exit status. */
void lint_job_raise(struct lint_job *job, int status);

/* A file's name, safe for a terminal. */
const char *lint_job_name(struct lint_job *job, const char *path);

/* Says what is wrong with a path; `self` is the job. */
void lint_job_trouble(void *self, const char *path, const char *why);
void lint_job_fail(struct lint_job *job, const char *path, enum failure failure);

/* Visits what is in a path that was given. */
void lint_job_visit(struct lint_job *job, const struct folder_visitor *visitor, const char *path);

/* Reads a file and keeps it; NULL: it cannot be read. */
struct kept_file *lint_job_keep(struct lint_job *job, struct kept_files *files, const char *path);

/* Keeps a copy of a text that is no file; NULL: no memory. */
struct kept_file *lint_job_keep_text(struct lint_job *job, struct kept_files *files, const char *name, struct bytes text);

/* Starts a reader of the group's files. */
void lint_job_start_reader(struct lint_job *job, struct lint_reader *reader, void (*take)(void *self, struct reading *reading));

/* Whether a file could not be read: that is said, and the reading freed. */
bool lint_job_failed(struct lint_job *job, struct reading *reading);

/* ---- lint_old.c ---- */

/* Reads the older objects of a group. Returns the exit status. */
int lint_job_read_old(struct lint_job *job);

/* Says what cannot be read in a source that is only compared with, where templates are skipped or not. */
void lint_job_say_unreadable(struct lint_job *job, struct source *source, bool skip_templates);

/* Names the objects that were in the revision and are not given any more. */
void lint_job_say_gone(struct lint_job *job);

/* ---- lint_with.c ---- */

/* Gives the set of a group what it may refer to. */
void lint_job_refer(struct lint_job *job, const struct lint_config *config);
void lint_job_forget_references(struct lint_job *job);

#endif
