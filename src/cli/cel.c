/* drawbridge cel: expressions of device selectors. */
#include <stdio.h>
#include <string.h>

#include "cli/cel.h"

static const struct {
    const char *name; /* after "cel" */
    const struct command *command;
} commands[] = {
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

static int run(const struct command *command, int argc, char **argv)
{
    const char *name = argc > 1 ? argv[1] : "";
    (void)command;
    for (int i = 0; i < COMMANDS; i++)
        if (strcmp(name, commands[i].name) == 0)
            return commands[i].command->run(commands[i].command, argc - 1, argv + 1);
    if (strcmp(name, "--help") != 0 && strcmp(name, "-h") != 0)
        return cel_check_command.run(&cel_check_command, argc, argv);
    print_commands(stdout);
    return EXIT_GOOD;
}

const struct command cel_command = { .name = "cel", .summary = "compile and try CEL expressions of device selectors", .run = run };
