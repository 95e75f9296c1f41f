/* drawbridge completion: the scripts that make a shell ask this program what fits; see complete.h. */
#include <stdio.h>
#include <string.h>

#include "cli/complete.h"
#include "cli/embed.h"

EMBED_FILE(completion_bash, "drawbridge.bash")
EMBED_FILE(completion_zsh, "drawbridge.zsh")
EMBED_FILE(completion_fish, "drawbridge.fish")

static const struct {
    const char *shell, *text, *end;
} scripts[] = {
    { "bash", help_completion_bash_text, help_completion_bash_end },
    { "zsh",  help_completion_zsh_text,  help_completion_zsh_end },
    { "fish", help_completion_fish_text, help_completion_fish_end },
};

enum { SCRIPTS = sizeof scripts / sizeof *scripts };

static const struct option_row option_rows[] = { { .name = NULL } };

static int run(const struct command *command, int argc, char **argv)
{
    struct options options;
    char values;
    int status;
    if (!options_parse(command, argc, argv, &values, &options, &status))
        return status;
    if (options.operands + 1 != options.argc)
        return usage_error(command, "takes one SHELL: bash, zsh or fish");
    const char *shell = options.argv[options.operands];
    struct nearest nearest = { .wanted = bytes_of(shell) };
    for (int i = 0; i < SCRIPTS; i++) {
        near_consider(&nearest, bytes_of(scripts[i].shell));
        if (strcmp(shell, scripts[i].shell) != 0)
            continue;
        fwrite(scripts[i].text, 1, (size_t)(scripts[i].end - scripts[i].text), stdout);
        return end_output(command, EXIT_GOOD);
    }
    return usage_unknown(command, shell, "a shell that is known: bash, zsh or fish", "", &nearest);
}

static void complete(const char *typed)
{
    for (int i = 0; i < SCRIPTS; i++)
        complete_word(typed, scripts[i].shell, NULL);
}

const struct command completion_command = {
    .name = "completion",
    .operands = "SHELL",
    .summary = "print a script for completion in bash, zsh or fish",
    .description = "Prints a script that completes commands, options, their values, and what 'explain' can explain.\n"
                   "In bash: source <(drawbridge completion bash). 'make install' puts the scripts where shells find them.\n",
    .options = option_rows,
    .run = run,
    .complete = complete,
};
