/* drawbridge cel eval: what an expression is on given devices. */
#include <stdio.h>
#include <stdlib.h>

#include "base/limits.h"
#include "base/utf8.h"
#include "cel/limits.h"
#include "cli/cel.h"
#include "cli/cel_print.h"

struct eval_options {
    enum cel_format format;
    struct option_list devices;
    const char *device;
    minor version;
    struct gate_settings gates;
};

static const struct option_row option_rows[] = {
    OPTION_LIST("devices", "PATH", struct eval_options, devices,
                "ResourceSlices, or a list of {\"name\", \"driver\", \"device\"} in JSON; a file, a directory or -", .required = true),
    OPTION_TEXT("device", "NAME", struct eval_options, device, "only on devices of that name: DEVICE, POOL/DEVICE or DRIVER/POOL/DEVICE"),
    OPTION_CHOICE("format", "a format", cel_formats, struct eval_options, format, "a table for people, or a JSON object",
                  .default_value = "text"),
    OPTION_VERSION(struct eval_options, version, "evaluate as that version does", .default_value = DEFAULT_VERSION),
    OPTION_GATES(struct eval_options, gates, "feature gates of the API server; those that are not named are as that version has them"),
    { .name = NULL },
};

static enum failure print_object(struct cel_shown *shown, const struct cel_devices *devices)
{
    cJSON *object = cJSON_CreateObject();
    char *json = object && cel_fill_object(shown, devices, true, object) ? cJSON_PrintUnformatted(object) : NULL;
    cJSON_Delete(object);
    if (json)
        puts(json);
    free(json);
    return json ? FAILURE_NONE : FAILURE_MEMORY;
}

static enum failure print_table(struct cel_shown *shown, const struct cel_devices *devices)
{
    cel_print_refusal(shown);
    cel_print_hint(shown);
    return shown->program ? cel_print_results(shown, devices, true) : FAILURE_NONE;
}

static int evaluate(const struct command *command, const struct eval_options *values, const struct cel_devices *devices, struct bytes text)
{
    struct cel_shown shown;
    int status;
    cel_shown_init(&shown);
    struct cel_environment environment = cel_environment_of(values->version, gates_off(&values->gates, values->version));
    enum failure failure = cel_shown_compile(&shown, text, environment, true, devices);
    if (!failure)
        failure = values->format == CEL_FORMAT_JSON ? print_object(&shown, devices) : print_table(&shown, devices);
    if (failure)
        status = command_error(command, EXIT_USAGE, "%s", failure_text(failure));
    else
        status = shown.compiled.class != CEL_GOOD || shown.failed ? EXIT_FOUND : EXIT_GOOD;
    cel_shown_done(&shown);
    return status;
}

/* Evaluates the operand, or what standard input has. */
static int evaluate_operand(const struct command *command, const struct eval_options *values, const struct cel_devices *devices,
                            const char *operand)
{
    struct buffer buffer = { NULL, 0 };
    struct error error;
    bool input = strcmp(operand, "-") == 0;
    if (input && !files_read(operand, LIMIT_FILE_BYTES, FILE_ANY, &buffer, &error))
        return command_error(command, EXIT_USAGE, "%s", error.text);
    struct bytes text = input ? buffer_bytes(&buffer) : bytes_of(operand);
    while (input && text.length && (text.data[text.length - 1] == '\n' || text.data[text.length - 1] == '\r'))
        text.length--;
    int status = utf8_is_valid(text) ? evaluate(command, values, devices, text)
                                     : command_error(command, EXIT_USAGE, "the expression is not UTF-8");
    buffer_free(&buffer);
    return status;
}

static bool reads_input(const struct option_list *paths)
{
    for (unsigned i = 0; i < paths->count; i++)
        if (strcmp(paths->values[i], "-") == 0)
            return true;
    return false;
}

static int run(const struct command *command, int argc, char **argv)
{
    struct eval_options values = { .format = CEL_FORMAT_TEXT, .version = MINOR_DEFAULT };
    struct options options;
    struct cel_devices devices;
    int status;
    if (!options_parse(command, argc, argv, &values, &options, &status))
        return status;
    if (options.operands + 1 != options.argc)
        return usage_error(command, "give one expression, or - for standard input");
    const char *operand = options.argv[options.operands];
    if (strcmp(operand, "-") == 0 && reads_input(&values.devices))
        return usage_error(command, "standard input has the devices: give the expression as an argument");
    status = cel_devices_read(&devices, command, &values.devices, values.device, values.version);
    if (!status)
        status = evaluate_operand(command, &values, &devices, operand);
    cel_devices_done(&devices);
    return end_output(command, status);
}

const struct command cel_eval_command = {
    .name = "cel eval",
    .operands = "EXPRESSION|-",
    .summary = "evaluate an expression on devices",
    .description =
        "Evaluates an expression on each device, as the scheduler does: shows results, costs, and where it fails. The result\n"
        "may be of any type, as that of device.attributes[\"gpu.acme.dev\"], though a selector's has to be true or false.\n",
    .options = option_rows,
    .run = run,
};
