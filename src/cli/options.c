#include "cli/cli.h"

#include <assert.h>
#include <errno.h>
#include <getopt.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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
    printf("Usage: drawbridge %s [options]%s%s\n\n%s\nOptions:\n", command->name, *command->operands ? " " : "", command->operands, command->description);
    for (const struct option_row *row = command->options; row->name; row++) {
        int length = (int)strlen(row->name) + (row->argument ? 1 + (int)strlen(row->argument) : 0);
        printf("  --%s%s%s%*s  %s\n", row->name, row->argument ? " " : "", row->argument ? row->argument : "", width - length, "", row->help);
    }
    printf("  --%-*s  show this help\n", width, "help");
}

/* getopt reports by itself: "drawbridge review: unrecognized option '--x'". */
static int next_option(const struct command *command, int argc, char **argv, int *row)
{
    struct option table[OPTIONS_MAX + 2] = { { 0 } };
    int count = 0;
    for (; command->options[count].name; count++)
        table[count] = (struct option){ command->options[count].name, command->options[count].argument ? required_argument : no_argument, NULL, 'o' };
    assert(count <= OPTIONS_MAX);
    table[count] = (struct option){ "help", no_argument, NULL, 'h' };
    return getopt_long(argc, argv, "h", table, row);
}

/* The loop of options_parse, with argv[0] as getopt shows it. */
static bool read_options(const struct command *command, struct options *options, int *status)
{
    int row = 0, kind;
    optind = 1;
    while ((kind = next_option(command, options->argc, options->argv, &row)) != -1) {
        if (kind == 'h') {
            print_help(command);
            *status = EXIT_GOOD;
            return false;
        }
        if (kind != 'o') {
            fprintf(stderr, "Try 'drawbridge %s --help'.\n", command->name);
            *status = EXIT_USAGE;
            return false;
        }
        options->values[row] = optarg ? optarg : "";
    }
    options->operands = optind;
    return true;
}

bool options_parse(const struct command *command, int argc, char **argv, struct options *options, int *status)
{
    char name[64], *program = argv[0];
    *options = (struct options){ .argc = argc, .argv = argv };
    snprintf(name, sizeof name, "drawbridge %s", command->name);
    argv[0] = name;
    bool good = read_options(command, options, status);
    argv[0] = program;
    return good;
}

/* Walks the arguments again; options_parse has seen that all are good, and has put the operands last. */
const char *options_next(const struct command *command, const struct options *options, int row, int which)
{
    int at = 0;
    optind = 0;
    while (next_option(command, options->argc, options->argv, &at) == 'o')
        if (at == row && which-- == 0)
            return optarg;
    return NULL;
}

int choose(const struct command *command, const char *option, const char *value, const char *const *words)
{
    for (int i = 0; words[i]; i++)
        if (!value || strcmp(value, words[i]) == 0)
            return i;
    usage_error(command, "--%s cannot be '%s'", option, value);
    return -1;
}

int end_output(const struct command *command, int status)
{
    if (fflush(stdout) == 0 && !ferror(stdout))
        return status;
    return command_error(command, EXIT_INTERNAL, "cannot write to standard output: %s", strerror(errno));
}
