/* A baseline: findings that are known. Those with the same file, rule, object, path and message are alike, whatever their lines, and
 * counted. */
#ifndef DRAWBRIDGE_LINT_BASELINE_H
#define DRAWBRIDGE_LINT_BASELINE_H

#include "base/error.h"
#include "check/context.h"
#include "lint/limits.h"
#include "lint/suppression.h"

/* Findings that are alike. */
struct baseline_entry {
    struct bytes file, rule, object, path, message;
    uint32_t count; /* in the baseline */
    uint32_t seen;  /* in this run, up to count */
    bool read;      /* the file is one of this run */
};

struct baseline {
    struct arena arena; /* owns all */
    struct baseline_entry *list; /* sorted, each once, after baseline_read */
    uint32_t count, capacity;
};

void baseline_init(struct baseline *baseline);
void baseline_done(struct baseline *baseline);

/* Reads what baseline_text has written. False with *error set to what is wrong, with its place: "LINE:COLUMN: why". */
bool baseline_read(struct baseline *baseline, struct workspace *workspace, struct bytes text, struct error *error) MUST_USE;

/* Hides in a report what the baseline has, as often as it has it, but for what is locked. Returns how many that are. `file` is the
 * source's path as the baseline has it, `arena` that of the report. FAILURE_MEMORY, FAILURE_LIMIT. */
enum failure baseline_apply(struct baseline *baseline, struct bytes file, const struct suppression_lock *lock, struct arena *arena,
                            struct report *report, size_t *known) MUST_USE;

/* Forgets what baseline_apply has found of that file, as if it had not been read yet. */
void baseline_forget(struct baseline *baseline, struct bytes file);

/* Adds the problems of a report, for a new baseline. More than LIMIT_BASELINE_ENTRIES, or than the report keeps: FAILURE_LIMIT. */
enum failure baseline_add(struct baseline *baseline, struct bytes file, const struct report *report) MUST_USE;

/* What the baseline has and the run has not, among the files that were read. */
size_t baseline_gone(const struct baseline *baseline);

/* The new baseline as JSON, one finding a line, sorted; in its arena. NULL: out of memory. */
const char *baseline_text(struct baseline *baseline) MUST_USE;

#endif
