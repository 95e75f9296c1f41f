/* drawbridge lsp: a language server for editors. */
#include <stdio.h>
#include <unistd.h>

#include "cli/cli.h"
#include "drawbridge.h"
#include "lsp/server.h"

static const struct option_row option_rows[] = {
    OPTION_VERSION(struct lsp_settings, version, "validate as an API server of that version does", .default_value = DEFAULT_VERSION),
    OPTION_GATES(struct lsp_settings, gates, "feature gates of the API server; those that are not named are as that version has them"),
    { .name = NULL },
};

static int run(const struct command *command, int argc, char **argv)
{
    struct lsp_settings settings = { .program_version = DRAWBRIDGE_VERSION, .version = MINOR_DEFAULT };
    struct options options;
    struct error error;
    enum failure failure;
    int status;
    if (!options_parse(command, argc, argv, &settings, &options, &status))
        return status;
    if (options.operands != options.argc)
        return usage_error(command, "takes no operands: the editor says what it has open");
    if (!gate_settings_check(&settings.gates, settings.version, &error))
        return usage_error(command, "--feature-gates: %s", error.text);
    bool good = lsp_serve(STDIN_FILENO, stdout, &settings, &failure);
    if (failure)
        return command_error(command, EXIT_USAGE, "%s", failure_text(failure));
    return end_output(command, good ? EXIT_GOOD : EXIT_FOUND);
}

const struct command lsp_command = {
    .name = "lsp",
    .operands = "",
    .summary = "serve editors: diagnostics, hover, completion",
    .description =
        "Speaks the Language Server Protocol 3.17 with an editor: diagnostics of YAML and JSON files as they are typed,\n"
        "what is asked of the field under the cursor, completion, and repairs. 'drawbridge help lsp' has settings for\n"
        "editors.\n",
    .options = option_rows,
    .run = run,
};
