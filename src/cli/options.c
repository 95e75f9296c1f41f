/* Parses a command's arguments by its table of options. */
#include <assert.h>
#include <getopt.h>
#include <string.h>

#include "base/escape.h"
#include "cli/cli.h"
#include "cli/complete.h"

enum { OPTION_ROW = 256 }; /* above all letters: what getopt_long tells of a row is its index more */

static bool has_letter(const struct option_row *row, int letter)
{
    return (row->letter && row->letter == letter) || (row->alias && row->alias[0] == letter);
}

/* The row of an option by what getopt_long tells of it. */
static int row_of(const struct command *command, int kind, int *row)
{
    *row = kind - OPTION_ROW;
    if (kind >= OPTION_ROW)
        return OPTION_ROW;
    for (*row = 0; command->options[*row].name; ++*row)
        if (has_letter(&command->options[*row], kind))
            return OPTION_ROW;
    return kind;
}

/* Adds a letter, and that a value follows it. */
static void add_letter(char *letters, char letter, bool flag)
{
    size_t length = strlen(letters);
    letters[length] = letter;
    letters[length + 1] = flag ? '\0' : ':';
    letters[length + 2] = '\0';
}

/* As getopt_long: OPTION_ROW with *row set, 'h', ':' when the value is missing, '?' for anything else that is wrong, -1 at the end. */
static int next_option(const struct command *command, int argc, char **argv, int *row)
{
    struct option table[2 * LIMIT_OPTIONS + 2] = { { 0 } };
    char letters[4 * LIMIT_OPTIONS + 3] = ":h";
    int count = 0;
    for (int i = 0; command->options[i].name; i++) {
        const struct option_row *at = &command->options[i];
        const bool flag = at->type == OPTION_TYPE_FLAG;
        assert(i < LIMIT_OPTIONS);
        table[count++] = (struct option){ at->name, flag ? no_argument : required_argument, NULL, OPTION_ROW + i };
        if (at->alias)
            table[count++] = (struct option){ at->alias, flag ? no_argument : required_argument, NULL, OPTION_ROW + i };
        if (at->letter)
            add_letter(letters, at->letter, flag);
        if (at->alias)
            add_letter(letters, at->alias[0], flag);
    }
    table[count] = (struct option){ "help", no_argument, NULL, 'h' };
    opterr = 0; /* getopt would print what was typed as it is */
    return row_of(command, getopt_long(argc, argv, letters, table, NULL), row);
}

/* Also for an argument of a command that takes only options. */
static int unknown_option(const struct command *command, const char *typed)
{
    const char *name = typed + strspn(typed, "-");
    struct nearest nearest = { .wanted = { name, (uint32_t)strcspn(name, "=") } };
    for (const struct option_row *row = command->options; row->name; row++)
        near_consider(&nearest, bytes_of(row->name));
    return usage_unknown(command, typed, "an option", "--", &nearest);
}

/* optopt is the letter of a short option; otherwise `argument` is a long one, unknown (or ambiguous) when optopt is 0. */
static int option_error(const struct command *command, int kind, const char *argument)
{
    char letter[] = { '-', (char)optopt, '\0' };
    if (kind == ':')
        return usage_error(command, "%s: needs a value", escape_text(argument).text);
    if (optopt > 0 && optopt < OPTION_ROW && optopt != 'h')
        return unknown_option(command, letter);
    if (optopt)
        return usage_error(command, "%.*s: takes no value", (int)strcspn(argument, "="), argument);
    return unknown_option(command, argument);
}

/* ---- values ---- */

static int store(const struct command *command, const struct option_row *row, const char *text, void *values)
{
    struct error error;
    return option_store(row, text, values, &error) ? EXIT_GOOD : usage_error(command, "--%s: %s", row->name, error.text);
}

static int store_defaults(const struct command *command, void *values)
{
    int status = EXIT_GOOD;
    for (const struct option_row *row = command->options; row->name && !status; row++)
        if (row->default_value && row->type != OPTION_TYPE_LIST)
            status = store(command, row, row->default_value, values);
    return status;
}

/* The default of a list is for one that was not given at all. */
static int store_list_defaults(const struct command *command, const struct options *options, void *values)
{
    int status = EXIT_GOOD;
    for (const struct option_row *row = command->options; row->name && !status; row++)
        if (row->default_value && row->type == OPTION_TYPE_LIST && !options->texts[row - command->options])
            status = store(command, row, row->default_value, values);
    return status;
}

const char *options_text(const struct options *options, const char *name)
{
    int i = 0;
    while (options->rows[i].name && strcmp(options->rows[i].name, name) != 0)
        i++;
    assert(options->rows[i].name);
    return options->texts[i];
}

/* What options say of each other. */
static int check_rows(const struct command *command, const struct options *options)
{
    for (int i = 0; command->options[i].name; i++) {
        const struct option_row *row = &command->options[i];
        if (row->required && !options->texts[i])
            return usage_error(command, "--%s: must be given", row->name);
        if (options->texts[i] && row->needs && !options_text(options, row->needs))
            return usage_error(command, "--%s: needs --%s", row->name, row->needs);
        if (options->texts[i] && row->excludes && options_text(options, row->excludes))
            return usage_error(command, "--%s: cannot be given with --%s", row->name, row->excludes);
    }
    return EXIT_GOOD;
}

static int parse(const struct command *command, void *values, struct options *options, int *kind)
{
    int row = 0, status = store_defaults(command, values);
    optind = 1;
    while (!status && (*kind = next_option(command, options->argc, options->argv, &row)) == OPTION_ROW) {
        options->texts[row] = optarg ? optarg : "";
        status = store(command, &command->options[row], options->texts[row], values);
    }
    if (status || *kind != -1)
        return status;
    options->operands = optind;
    if (!*command->operands && optind < options->argc)
        return unknown_option(command, options->argv[optind]);
    status = store_list_defaults(command, options, values);
    return status ? status : check_rows(command, options);
}

bool options_parse(const struct command *command, int argc, char **argv, void *values, struct options *options, int *status)
{
    int kind = -1;
    if (argc > 1 && strcmp(argv[1], COMPLETE_WORD) == 0) {
        *status = complete_command(command, argc - 2, argv + 2);
        return false;
    }
    *options = (struct options){ .rows = command->options, .argc = argc, .argv = argv };
    *status = parse(command, values, options, &kind);
    if (*status == EXIT_GOOD && kind == -1)
        return true;
    if (kind == 'h')
        command_help(command);
    else if (*status == EXIT_GOOD)
        *status = option_error(command, kind, argv[optind - 1]);
    return false;
}
