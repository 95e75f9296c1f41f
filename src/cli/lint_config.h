/* The configurations of drawbridge lint: .drawbridge.yaml is searched from the folder of each file upwards. */
#ifndef DRAWBRIDGE_CLI_LINT_CONFIG_H
#define DRAWBRIDGE_CLI_LINT_CONFIG_H

#include "base/map.h"
#include "cli/cli.h"
#include "lint/selection.h"
#include "review/configuration.h"

/* A configuration, and what is made of it. */
struct lint_config {
    struct lint_config *next;
    char *file;   /* as it is shown; NULL: this is what counts without a configuration */
    char *folder; /* absolute, "" for the root */
    struct configuration configuration;
    struct selection selection;
    struct ignore exclude;
};

/* The folders that were looked at, with what is in force there. */
struct lint_folder;

struct lint_configs {
    const struct command *command;
    const char *only;          /* --config: for all files; NULL: search */
    bool none;                 /* do not search */
    struct lint_config *first, *newest; /* in the order in which they were met */
    struct lint_config *without;        /* what counts where there is no configuration; NULL: not met yet */
    struct lint_folder *folders;
    struct arena arena;        /* for folders and their index */
    struct map index;
    struct map_key key;
    char *current, *last, *last_name; /* the current folder, absolute; the folder of the file before, absolute and as it was written */
};

/* Also after a failure, call lint_configs_done in the end. */
enum failure lint_configs_init(struct lint_configs *configs, const struct command *command, const char *only, bool none) MUST_USE;
void lint_configs_done(struct lint_configs *configs);

/* Sets *config to what is in force for a file ("-": for the current folder). False, after error messages: it cannot be used. */
bool lint_configs_find(struct lint_configs *configs, const char *path, struct lint_config **config) MUST_USE;

/* A path that is written in a configuration, as it is to be opened: from the folder of its file on. In the arena; NULL: out of memory. */
const char *lint_config_path(const struct lint_config *config, const char *path, struct arena *arena) MUST_USE;

/* The absolute path of a file, its links not followed; in the arena. NULL: out of memory. */
const char *lint_configs_absolute(struct lint_configs *configs, const char *path, struct arena *arena) MUST_USE;

#endif
