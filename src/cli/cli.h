/* The command line: a table of commands, each with a table of options, from which parsing and --help come. */
#ifndef DRAWBRIDGE_CLI_CLI_H
#define DRAWBRIDGE_CLI_CLI_H

#include <stdbool.h>
#include <stddef.h>

#include "schema/rule.h"

enum exit_status {
    EXIT_GOOD = 0,
    EXIT_FOUND = 1,    /* something was denied */
    EXIT_USAGE = 2,    /* wrong options, or input that cannot be read */
    EXIT_SETUP = 3,    /* a certificate or port that cannot be used */
    EXIT_INTERNAL = 4, /* memory or the system failed */
    EXIT_STATUSES
};

enum { OPTIONS_MAX = 24 };

struct option_row {
    const char *name;     /* without the dashes */
    const char *argument; /* its name in the help, NULL: a flag */
    const char *help;
    bool repeats; /* may be given several times; see options_next */
};

struct command {
    const char *name;
    const char *operands;            /* as the usage line shows them; "" for none */
    const char *summary;             /* one line */
    const char *description;         /* for --help; lines end in \n */
    const char *exits[EXIT_STATUSES]; /* what each exit status means; NULL: the command never ends with it. Its manual page says the same */
    const struct option_row *options; /* ended by a NULL name */
    int (*run)(const struct command *command, int argc, char **argv);
};

/* What was given. Values point into argv. */
struct options {
    const char *values[OPTIONS_MAX]; /* by row; NULL: not given, "" for a flag; the last one of several */
    int argc;
    char **argv;  /* all arguments, operands last */
    int operands; /* index of the first operand */
};

/* Parses argv (argv[0] is the command's name). Returns true when the command shall run; otherwise *status is the exit status,
 * after help or an error message was printed. */
bool options_parse(const struct command *command, int argc, char **argv, struct options *options, int *status);

/* Value number `which` (from 0) of a repeated option, or NULL. */
const char *options_next(const struct command *command, const struct options *options, int row, int which);

/* "drawbridge COMMAND: message" on stderr, with a hint at --help; returns EXIT_USAGE. What comes from outside goes through escape_text
 * (base/escape.h) before. */
int usage_error(const struct command *command, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* The same without the hint; returns `status`. */
int command_error(const struct command *command, int status, const char *format, ...) __attribute__((format(printf, 3, 4)));

/* Index of `value` among `words` (ended by NULL), 0 when it was not given; -1, after an error message, when it is none of them. */
int choose(const struct command *command, const char *option, const char *value, const char *const *words);

/* Flushes standard output; returns `status`, or EXIT_INTERNAL after an error message when something could not be written. */
int end_output(const struct command *command, int status);

/* Prints a manual page; `topic` is a command, or another page by its name. Returns the exit status, after an error message when there is no
 * such page. */
int help_print(const char *topic);

extern const struct command explain_command, lint_command, review_command, rules_command;

#endif
