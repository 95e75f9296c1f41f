/* drawbridge lsp: a language server for editors. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/lint_run.h"
#include "drawbridge.h"
#include "lsp/server.h"

/* The values of the options, and the configurations that stand above the files. */
struct scopes {
    struct lint_options options;
    const struct command *command;
    struct lint_configs configs;
    bool ready;   /* there is memory for the configurations */
    char *broken; /* the folder of the file whose configuration could not be used last: that is said once */
};

static const struct option_row option_rows[] = {
    OPTION_VERSION(struct scopes, options.versions.until, "validate as an API server of that version does",
                   .default_value = DEFAULT_VERSION),
    OPTION_GATES(struct scopes, options.gates, "feature gates of the API server; those that are not named are as that version has them"),
    { .name = NULL },
};

static void begin_configs(struct scopes *scopes)
{
    scopes->ready = !lint_configs_init(&scopes->configs, scopes->command, scopes->options.config, scopes->options.no_config);
}

static void end_configs(struct scopes *scopes)
{
    lint_configs_done(&scopes->configs);
    free(scopes->broken);
    scopes->broken = NULL;
}

static void forget(void *self)
{
    end_configs(self);
    begin_configs(self);
}

/* The configuration for the file. NULL: it cannot be used. */
static struct lint_config *find_config(struct scopes *scopes, const char *path)
{
    struct lint_config *config;
    const char *slash = strrchr(path, '/');
    const size_t length = slash ? (size_t)(slash - path) : 0;
    if (scopes->broken && strncmp(scopes->broken, path, length) == 0 && !scopes->broken[length])
        return NULL;
    if (scopes->ready && lint_configs_find(&scopes->configs, path, &config))
        return config;
    free(scopes->broken);
    scopes->broken = strndup(path, length);
    return NULL;
}

/* Of a range of versions, the newest one counts: all others would be validated with each key that is typed. */
static void find_scope(void *self, const char *path, struct lsp_scope *scope)
{
    static const struct lint_config none;
    struct scopes *scopes = self;
    struct error error;
    const struct lint_config *config = find_config(scopes, path ? path : "-");
    const struct lint_force force = lint_force_of(&scopes->options, config ? config : &none);
    *scope = (struct lsp_scope){
        .owner = config,
        .set = config && path ? lint_groups_set(config, path) : 0,
        .excluded = config && path && ignore_covers_around(&config->exclude, bytes_of(path), false),
        .version = force.versions.until,
        .gates = force.gates,
        .unknown_fields = force.unknown_fields,
        .skip_templates = force.templates == TEMPLATES_SKIPPED,
        .drivers = config && config->configuration.driver_files.count ? &config->configuration.driver_files.drivers : NULL,
    };
    if (config)
        scope->selection = config->selection;
    scope->selection.select = force.select;
    scope->selection.ignore = force.ignore;
    if (!gate_settings_check(&scope->gates, scope->version, &error))
        scope->gates = (struct gate_settings){ .on = 0 };
}

/* cJSON does not tell a message without memory from one that is no JSON. */
static void *allocate(size_t size)
{
    return memory_or_end(malloc(size), EXIT_USAGE);
}

static int run(const struct command *command, int argc, char **argv)
{
    cJSON_Hooks hooks = { allocate, free };
    struct scopes scopes = { .command = command };
    struct lint_options *asked = &scopes.options;
    struct options options;
    struct error error;
    enum failure failure;
    int status;
    if (!options_parse(command, argc, argv, &scopes, &options, &status))
        return status;
    if (options.operands != options.argc)
        return usage_error(command, "takes no operands: the editor says what it has open");
    asked->versions.since = asked->versions.until;
    asked->unknown_fields = UNKNOWN_REFUSED;
    asked->given.versions = options_text(&options, "kubernetes-version");
    asked->given.gates = options_text(&options, "feature-gates");
    if (asked->given.versions && !gate_settings_check(&asked->gates, asked->versions.until, &error))
        return usage_error(command, "--feature-gates: %s", error.text);
    const struct lsp_settings settings = { DRAWBRIDGE_VERSION, asked->versions.until, find_scope, forget, &scopes };
    cJSON_InitHooks(&hooks);
    begin_configs(&scopes);
    bool good = lsp_serve(STDIN_FILENO, stdout, &settings, &failure);
    end_configs(&scopes);
    if (failure)
        return command_error(command, EXIT_USAGE, "%s", failure == FAILURE_INPUT ? "standard input cannot be read" : failure_text(failure));
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
