/* The files of a run, in groups that are validated together: those with one configuration, but for each of its sets one of its own. */
#ifndef DRAWBRIDGE_CLI_LINT_GROUPS_H
#define DRAWBRIDGE_CLI_LINT_GROUPS_H

#include "cli/lint_config.h"

struct lint_path {
    struct lint_path *next;
    char name[];
};

struct lint_group {
    struct lint_group *next;
    struct lint_config *config;
    uint32_t set; /* its number in the configuration, from 1; 0: of no set */
    struct lint_path *first, *last;
};

struct lint_groups {
    struct lint_configs configs;
    struct lint_group *first, *last; /* in the order of their first files */
    bool verbose;                    /* names these on standard error: */
    size_t excluded;                 /* files that a configuration leaves out */
    bool failed;                     /* a configuration cannot be used, or there was no memory: it was said */
};

/* Adds a file to its group. Once it has failed, it does nothing. */
void lint_groups_add(struct lint_groups *groups, const char *path);

/* The number of the innermost set of the configuration with that file, its path absolute; 0: none has it. */
uint32_t lint_groups_set(const struct lint_config *config, const char *file);

/* Frees all, but not the configurations. */
void lint_groups_done(struct lint_groups *groups);

#endif
