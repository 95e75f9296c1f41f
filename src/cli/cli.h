/* The command line: commands, their ends, and what they say when something is wrong. */
#ifndef DRAWBRIDGE_CLI_CLI_H
#define DRAWBRIDGE_CLI_CLI_H

#include <stdio.h>

#include "cli/option.h"

enum exit_status {
#define STATUS(id, words) EXIT_##id,
#include "cli/exit.def"
#undef STATUS
    EXIT_STATUSES
};

struct command {
    const char *name;
    const char *operands;            /* as the usage line shows them; "" for none */
    const char *summary;             /* one line */
    const char *description;         /* for --help; lines end in \n */
    const struct option_row *options; /* ended by a NULL name */
    int (*run)(const struct command *command, int argc, char **argv);
    void (*complete)(const char *typed); /* offers operands with complete_word(), for cli/complete.h; NULL: files, if there are operands */
};

/* Parses argv (argv[0] is the command's name), and stores defaults and values in the command's struct. Returns true when the command shall
 * run; otherwise *status is the exit status, after help or an error message was printed. */
bool options_parse(const struct command *command, int argc, char **argv, void *values, struct options *options, int *status) MUST_USE;

/* "drawbridge COMMAND: message" on stderr, with a hint at --help; returns EXIT_USAGE. What comes from outside goes through escape_text
 * (base/escape.h) before. */
int usage_error(const struct command *command, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* The same in the words of option_unknown. */
int usage_unknown(const struct command *command, const char *typed, const char *what, const char *prefix, const struct nearest *nearest);

/* The same without the hint; returns `status`. */
int command_error(const struct command *command, int status, const char *format, ...) __attribute__((format(printf, 3, 4)));

/* The same with the words of a failure. */
int command_failed(const struct command *command, int status, const struct error *error);

/* Flushes standard output; returns `status`, or EXIT_INTERNAL after an error message when something could not be written. */
int end_output(const struct command *command, int status) MUST_USE;

/* Returns the memory. NULL: it is said that there was none, and the process ends with that status at once. For libraries that do not always
 * tell when they lacked memory. */
void *memory_or_end(void *memory, int status) __attribute__((returns_nonnull));

/* "3 objects", "1 object". */
void print_count(FILE *out, size_t count, const char *noun);

/* What --help prints. */
void command_help(const struct command *command);

/* Prints a manual page; `topic` is a command, or another page by its name. Returns the exit status, after an error message when there is no
 * such page. */
int help_print(const char *topic) MUST_USE;

extern const struct command allocate_command, cel_command, completion_command, config_command, explain_command, lint_command,
    lsp_command, match_command, review_command, rules_command, scan_command, upgrade_command, version_command;

#endif
