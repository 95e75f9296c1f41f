/* Inside drawbridge lint: what is in force for the files of a configuration. */
#ifndef DRAWBRIDGE_CLI_LINT_RUN_H
#define DRAWBRIDGE_CLI_LINT_RUN_H

#include "cli/lint.h"
#include "cli/lint_baseline.h"
#include "cli/lint_groups.h"

struct lint_force {
    struct versions versions;
    struct gate_settings gates;
    enum unknown_fields unknown_fields;
    enum templates templates;
    enum level fail_on;
    const bool *select, *ignore; /* as in struct selection */
};

/* Options come before the configuration. */
struct lint_force lint_force_of(const struct lint_options *options, const struct lint_config *config);

/* Reads what --exclude gave: lines of a .gitignore in the current folder. Returns the exit status, after what is wrong was said. */
int lint_excludes(const struct command *command, const struct option_list *list, struct ignore *excludes, struct arena *arena) MUST_USE;

/* Whether standard output gets the fixed text of standard input. */
bool lint_rewrites_stdin(const struct lint_options *options, char *const *paths, int count);

/* What decides which findings are reported. */
struct lint_selecting {
    struct lint_configs *configs;
    const struct selection *selection; /* of the source's configuration and the options */
    bool no_suppressions;
    struct arena *words, *reports;     /* for paths; that of the report */
    struct lint_baseline *baseline;
    bool only_looks;                   /* nothing counts as reported: the same source is asked about again */
};

/* Removes from a report or hides in it what is not reported, sets severities, and adds to *suppressed what comments and annotations
 * suppress. */
enum failure lint_select(const struct lint_selecting *about, const struct source *source, struct report *report, size_t *suppressed)
    MUST_USE;

/* Prints it for each configuration, with the folders for which it counts. */
void lint_show(const struct lint_options *options, const struct lint_groups *groups);

#endif
