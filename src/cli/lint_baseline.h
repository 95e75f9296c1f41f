/* drawbridge lint --baseline and --write-baseline. */
#ifndef DRAWBRIDGE_CLI_LINT_BASELINE_H
#define DRAWBRIDGE_CLI_LINT_BASELINE_H

#include "cli/cli.h"
#include "lint/baseline.h"

struct lint_baseline {
    const char *known_path, *fresh_path; /* NULL: not asked for */
    char *known_folder, *fresh_folder;   /* absolute, with a slash: files are named from there on */
    struct baseline known, fresh;
    size_t hidden; /* findings that the baseline has */
};

/* Reads the baseline that is known. Returns the exit status, after what is wrong was said; end it in any case. */
int lint_baseline_begin(struct lint_baseline *baseline, const struct command *command, struct workspace *workspace) MUST_USE;

/* Hides what is known in a report, which is in the arena; a new baseline takes what is left, which is then not reported. `file` is
 * absolute. */
enum failure lint_baseline_take(struct lint_baseline *baseline, const char *file, const struct suppression_lock *lock,
                                struct arena *arena, struct report *report) MUST_USE;

/* Hides what is known in a report on a file that will be reported later. */
enum failure lint_baseline_look(struct lint_baseline *baseline, const char *file, const struct suppression_lock *lock,
                                struct arena *arena, struct report *report) MUST_USE;

/* Writes the new baseline, whole or not at all. Returns the exit status. */
int lint_baseline_write(struct lint_baseline *baseline, const struct command *command) MUST_USE;

void lint_baseline_end(struct lint_baseline *baseline);

#endif
