/* drawbridge lint --fix: makes the fixes of problems in the files, round by round. */
#ifndef DRAWBRIDGE_CLI_LINT_FIX_H
#define DRAWBRIDGE_CLI_LINT_FIX_H

#include "cli/cli.h"
#include "cli/kept_files.h"
#include "validate/source_set.h"

struct lint_fix {
    const struct command *command;
    /* Takes from a report what must stay as it is. */
    enum failure (*hide)(void *self, const struct source *source, struct report *report);
    void *self;
    bool diff;            /* shows what would be written, and writes nothing */
    size_t fixes, files;  /* made so far */
    int status;           /* EXIT_GOOD, or why something was not fixed or written, which was said */
};

/* Fixes the files of a set, which is not prepared: first all texts, as long as there are fixes and rounds; then it writes the files. A file
 * named - is written to standard output, fixed or not. In the end the set has the new texts. A failure has changed no file. */
enum failure lint_fix(struct lint_fix *fix, struct source_set *set, struct workspace *workspace, struct kept_files *files) MUST_USE;

#endif
