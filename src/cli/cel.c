/* drawbridge cel: expressions of device selectors. */
#include <stdio.h>
#include <string.h>

#include "cli/cel.h"
#include "cli/complete.h"

static const struct group_command commands[] = {
    { "check", &cel_check_command },
    { "eval",  &cel_eval_command },
    { "repl",  &cel_repl_command },
};

enum { COMMANDS = sizeof commands / sizeof *commands };

static void print_commands(FILE *out)
{
    fputs("Usage: drawbridge cel COMMAND [options] ...\n\nCompiles and evaluates CEL expressions of device selectors.\n\nCommands:\n", out);
    for (int i = 0; i < COMMANDS; i++)
        fprintf(out, "  %-5s  %s\n", commands[i].name, commands[i].command->summary);
    fputs("\nWithout a command, an expression is checked.\n"
          "'drawbridge cel COMMAND --help' shows the options of a command, 'drawbridge help cel' prints the manual page.\n", out);
}

/* Offers the commands, or what fits the rest of the words to the command that is named; without one, that is check. */
static int complete(int argc, char **argv)
{
    const struct command *named = complete_group(commands, COMMANDS, argc, argv);
    return named ? complete_command(named, argc - 3, argv + 3) : complete_command(&cel_check_command, argc - 2, argv + 2);
}

/* A command, mistyped, before what it would take; an expression stands alone, or before options. */
static int mistyped(const char *name)
{
    static const struct command cel = { .name = "cel" };
    struct nearest nearest = { .wanted = bytes_of(name) };
    for (int i = 0; i < COMMANDS; i++)
        near_consider(&nearest, bytes_of(commands[i].name));
    return nearest.found.data ? usage_unknown(&cel, name, "a command", "", &nearest) : EXIT_GOOD;
}

static int run(const struct command *command, int argc, char **argv)
{
    const char *name = argc > 1 ? argv[1] : "";
    (void)command;
    for (int i = 0; i < COMMANDS; i++)
        if (strcmp(name, commands[i].name) == 0)
            return commands[i].command->run(commands[i].command, argc - 1, argv + 1);
    if (strcmp(name, COMPLETE_WORD) == 0)
        return complete(argc, argv);
    int status = argc > 2 ? mistyped(name) : EXIT_GOOD;
    if (status)
        return status;
    if (strcmp(name, "--help") != 0 && strcmp(name, "-h") != 0)
        return cel_check_command.run(&cel_check_command, argc, argv);
    print_commands(stdout);
    return EXIT_GOOD;
}

const struct command cel_command = { .name = "cel", .summary = "compile and try CEL expressions of device selectors", .run = run };
