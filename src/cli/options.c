#include "cli/cli.h"

#include <assert.h>
#include <errno.h>
#include <getopt.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/escape.h"

__attribute__((format(printf, 2, 0)))
static void print_error(const struct command *command, const char *format, va_list arguments)
{
    fprintf(stderr, "drawbridge %s: ", command->name);
    vfprintf(stderr, format, arguments);
    fputc('\n', stderr);
}

int usage_error(const struct command *command, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    print_error(command, format, arguments);
    va_end(arguments);
    fprintf(stderr, "Try 'drawbridge %s --help'.\n", command->name);
    return EXIT_USAGE;
}

int command_error(const struct command *command, int status, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    print_error(command, format, arguments);
    va_end(arguments);
    return status;
}

static void print_help(const struct command *command)
{
    int width = (int)strlen("help");
    for (const struct option_row *row = command->options; row->name; row++) {
        int length = (int)strlen(row->name) + (row->argument ? 1 + (int)strlen(row->argument) : 0);
        width = length > width ? length : width;
    }
    printf("Usage: drawbridge %s [options]%s%s\n\n", command->name, *command->operands ? " " : "", command->operands);
    printf("%s\nOptions:\n", command->description);
    for (const struct option_row *row = command->options; row->name; row++) {
        int length = (int)strlen(row->name) + (row->argument ? 1 + (int)strlen(row->argument) : 0);
        printf("  --%s%s%s%*s  %s\n", row->name, row->argument ? " " : "", row->argument ? row->argument : "", width - length, "", row->help);
    }
    printf("  --%-*s  show this help\n\nExit status:\n", width, "help");
    for (int i = 0; i < EXIT_STATUSES; i++)
        if (command->exits[i])
            printf("  %d  %s\n", i, command->exits[i]);
    printf("\n'drawbridge help %.*s' prints the manual page.\n", (int)strcspn(command->name, " "), command->name);
}

enum { OPTION_ROW = 256 }; /* what next_option returns for an option of the table; above all letters */

/* As getopt_long: OPTION_ROW with *row set, 'h', ':' when the value is missing, '?' for anything else that is wrong, -1 at the end. */
static int next_option(const struct command *command, int argc, char **argv, int *row)
{
    struct option table[OPTIONS_MAX + 2] = { { 0 } };
    int count = 0;
    for (const struct option_row *at = command->options; at->name; at++)
        table[count++] = (struct option){ at->name, at->argument ? required_argument : no_argument, NULL, OPTION_ROW };
    assert(count <= OPTIONS_MAX);
    table[count] = (struct option){ "help", no_argument, NULL, 'h' };
    opterr = 0; /* getopt would print what was typed as it is */
    return getopt_long(argc, argv, ":h", table, row);
}

/* optopt is the letter of a short option; otherwise `argument` is a long one, unknown (or ambiguous) when optopt is 0. */
static int option_error(const struct command *command, int kind, const char *argument)
{
    char letter[] = { '-', (char)optopt, '\0' };
    if (optopt > 0 && optopt < OPTION_ROW && optopt != 'h')
        return usage_error(command, "unrecognized option '%s'", escape_text(letter).text);
    if (kind == ':')
        return usage_error(command, "option '%s' requires an argument", escape_text(argument).text);
    return usage_error(command, optopt ? "option '%s' does not allow an argument" : "unrecognized option '%s'", escape_text(argument).text);
}

bool options_parse(const struct command *command, int argc, char **argv, struct options *options, int *status)
{
    int row = 0, kind;
    *options = (struct options){ .argc = argc, .argv = argv };
    optind = 1;
    while ((kind = next_option(command, argc, argv, &row)) == OPTION_ROW)
        options->values[row] = optarg ? optarg : "";
    options->operands = optind;
    if (kind == -1)
        return true;
    if (kind == 'h')
        print_help(command);
    *status = kind == 'h' ? EXIT_GOOD : option_error(command, kind, argv[optind - 1]);
    return false;
}

/* Walks the arguments again; options_parse has seen that all are good, and has put the operands last. */
const char *options_next(const struct command *command, const struct options *options, int row, int which)
{
    int at = 0;
    optind = 0;
    while (next_option(command, options->argc, options->argv, &at) == OPTION_ROW)
        if (at == row && which-- == 0)
            return optarg;
    return NULL;
}

int choose(const struct command *command, const char *option, const char *value, const char *const *words)
{
    for (int i = 0; words[i]; i++)
        if (!value || strcmp(value, words[i]) == 0)
            return i;
    usage_error(command, "--%s cannot be '%s'", option, escape_text(value).text);
    return -1;
}

int end_output(const struct command *command, int status)
{
    if (fflush(stdout) == 0 && !ferror(stdout))
        return status;
    return command_error(command, EXIT_INTERNAL, "cannot write to standard output: %s", strerror(errno));
}
