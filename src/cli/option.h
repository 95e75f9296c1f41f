/* The options of a command: a table, from which parsing, the words of errors and --help come. A value is stored in the command's own
 * struct, at the row's offset. */
#ifndef DRAWBRIDGE_CLI_OPTION_H
#define DRAWBRIDGE_CLI_OPTION_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"
#include "base/near.h"
#include "cli/limits.h"
#include "schema/gate.h"

enum option_type {
    OPTION_TYPE_FLAG,    /* bool: whether it was given */
    OPTION_TYPE_TEXT,    /* const char *, into argv */
    OPTION_TYPE_NUMBER,  /* unsigned */
    OPTION_TYPE_CHOICE,  /* an enum: the index of the word */
    OPTION_TYPE_VERSION, /* minor */
    OPTION_TYPE_VERSIONS, /* struct versions, with both bounds: one version, or a range of them */
    OPTION_TYPE_LIST,    /* struct option_list: may be given several times */
    OPTION_TYPE_PARSED,  /* whatever the row's own function stores */
};

/* The values of an option that is given several times, in their order. They point into argv. */
struct option_list {
    const char *values[LIMIT_OPTION_VALUES];
    unsigned count;
};

struct option_row {
    const char *name;         /* without the dashes */
    char letter;              /* of the short option; 0: it has none, and never h */
    const char *alias;        /* what other programs call it: taken, too, with its first letter, and not shown; NULL: nothing else */
    const char *argument;     /* its name in the help; NULL: a flag, a version, or a choice, which shows its words */
    enum option_type type;
    size_t at;                /* where the value is in the command's struct */
    const char *help;         /* the help adds bounds, default, and that it may be repeated */
    const char *what;         /* what a wrong value is not: "a format" */
    const char *const *words; /* of a choice; ended by NULL */
    unsigned min, max;        /* of a number; of a list, max is how often it may be given; 0: LIMIT_OPTION_VALUES */
    bool (*fits)(const char *text); /* of a text, or of each in a list: whether it is what `what` says; NULL: any */
    bool (*parse)(const char *text, void *value, struct error *error); /* the error has what is wrong, not the option's name */
    const char *default_value; /* as it would be typed; NULL: the value stays as the command has set it */
    const char *needs, *excludes; /* another option that must be given with it, or must not */
    bool required;
};

/* The offset of a member, if it is of that type; anything else does not compile. Enums are unsigned. */
#define OPTION_AT(type, member, wanted) \
    (offsetof(type, member) + 0 * sizeof(_Generic(((type *)0)->member, wanted: 0)))

/* Rows. The last arguments are the help, and perhaps further members:
 * OPTION_FLAG("finish", struct values, finish, "end it", .excludes = "days"). */
#define OPTION_FLAG(option, values, member, ...) \
    { .name = option, .type = OPTION_TYPE_FLAG, .at = OPTION_AT(values, member, bool), .help = __VA_ARGS__ }
#define OPTION_TEXT(option, shown, values, member, ...)        \
    { .name = option, .argument = shown, .type = OPTION_TYPE_TEXT, \
      .at = OPTION_AT(values, member, const char *), .help = __VA_ARGS__ }
#define OPTION_LIST(option, shown, values, member, ...)        \
    { .name = option, .argument = shown, .type = OPTION_TYPE_LIST, \
      .at = OPTION_AT(values, member, struct option_list), .help = __VA_ARGS__ }
#define OPTION_NUMBER(option, shown, noun, lowest, highest, values, member, ...)                                   \
    { .name = option, .argument = shown, .type = OPTION_TYPE_NUMBER, .what = noun, .min = lowest, .max = highest, \
      .at = OPTION_AT(values, member, unsigned), .help = __VA_ARGS__ }
#define OPTION_CHOICE(option, noun, list, values, member, ...)                     \
    { .name = option, .type = OPTION_TYPE_CHOICE, .what = noun, .words = list, \
      .at = OPTION_AT(values, member, unsigned), .help = __VA_ARGS__ }
#define OPTION_VERSION(values, member, ...)                                        \
    { .name = "kubernetes-version", .argument = "V", .type = OPTION_TYPE_VERSION, \
      .at = OPTION_AT(values, member, minor), .help = __VA_ARGS__ }
#define OPTION_ONE_VERSION(option, values, member, ...)                            \
    { .name = option, .argument = "V", .type = OPTION_TYPE_VERSION, .at = OPTION_AT(values, member, minor), .help = __VA_ARGS__ }
#define OPTION_GATES(values, member, ...)                                          \
    { .name = "feature-gates", .argument = "GATE=true|false,...", .type = OPTION_TYPE_PARSED, \
      .at = OPTION_AT(values, member, struct gate_settings), .parse = option_gates, .help = __VA_ARGS__ }
#define OPTION_VERSIONS(values, member, ...)                                       \
    { .name = "kubernetes-version", .argument = "V[..V]", .type = OPTION_TYPE_VERSIONS, \
      .at = OPTION_AT(values, member, struct versions), .help = __VA_ARGS__ }
#define OPTION_PARSED(option, shown, values, member, function, ...)                                   \
    { .name = option, .argument = shown, .type = OPTION_TYPE_PARSED, .at = offsetof(values, member), \
      .parse = function, .help = __VA_ARGS__ }

/* A default that is a number elsewhere, in digits. */
#define OPTION_DIGITS(number) OPTION_DIGITS_(number)
#define OPTION_DIGITS_(number) #number

/* Nouns of numbers: a duration, a size. */
#define OPTION_COUNT "a number"
#define OPTION_SECONDS "a number of seconds"
#define OPTION_HOURS "a number of hours"
#define OPTION_DAYS "a number of days"
#define OPTION_BYTES "a number of bytes"

/* The parse function of OPTION_GATES. */
bool option_gates(const char *text, void *value, struct error *error);

/* Stores a value in the command's struct. False with *error set, '"x" is not a format; one of text, json', when it is wrong. */
bool option_store(const struct option_row *row, const char *text, void *values, struct error *error) MUST_USE;

/* Sets *error to '"x" is not WHAT; did you mean "y"?', with what is nearest, if anything is near, and `prefix` before it. Returns false. */
bool option_unknown(struct error *error, const char *typed, const char *what, const char *prefix, const struct nearest *nearest);

/* Prints the rows as --help shows them, in two columns. */
void options_print(const struct option_row *rows);

/* What was given, beside the values. */
struct options {
    const struct option_row *rows;
    int argc;
    char **argv;  /* all arguments, operands last */
    int operands; /* index of the first operand */
    const char *texts[LIMIT_OPTIONS]; /* by row: what was typed last, "" for a flag; NULL: it was not given */
};

/* What was typed as an option's value; NULL: it was not given. */
const char *options_text(const struct options *options, const char *name);

#endif
