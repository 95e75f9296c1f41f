/* drawbridge version: of the program, and the versions of Kubernetes that it knows. */
#include <stdio.h>

#include "cli/cli.h"
#include "drawbridge.h"

enum version_format { VERSION_TEXT, VERSION_JSON };

struct version_options {
    enum version_format format;
};

static const char *const formats[] = { [VERSION_TEXT] = "text", [VERSION_JSON] = "json", NULL };

static const struct option_row option_rows[] = {
    OPTION_CHOICE("format", "a format", formats, struct version_options, format, "text for people, or a JSON object",
                  .default_value = "text"),
    { .name = NULL },
};

static void print_json(void)
{
    printf("{\"version\":\"%s\",\"kubernetes\":{\"default\":\"%s\",\"versions\":[", DRAWBRIDGE_VERSION, DEFAULT_VERSION);
    for (unsigned version = MINOR_OLDEST; version <= MINOR_NEWEST; version++)
        printf("%s\"1.%u\"", version > MINOR_OLDEST ? "," : "", version);
    puts("]}}");
}

static int run(const struct command *command, int argc, char **argv)
{
    struct version_options values = { .format = VERSION_TEXT };
    struct options options;
    int status;
    if (!options_parse(command, argc, argv, &values, &options, &status))
        return status;
    if (values.format == VERSION_JSON)
        print_json();
    else
        puts("drawbridge " DRAWBRIDGE_VERSION "\nKubernetes " OLDEST_VERSION " to " NEWEST_VERSION ", by default " DEFAULT_VERSION);
    return end_output(command, EXIT_GOOD);
}

const struct command version_command = {
    .name = "version",
    .operands = "",
    .summary = "print the version of the program, and the versions of Kubernetes that it knows",
    .description = "Prints the version of drawbridge, the versions of Kubernetes as which it can validate, and the one that counts\n"
                   "where none is asked for. 'drawbridge --version' prints the first line alone.\n",
    .options = option_rows,
    .run = run,
};
