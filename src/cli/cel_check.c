/* drawbridge cel check: expressions of device selectors, compiled as the API server compiles them. */
#include <cjson/cJSON.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/escape.h"
#include "base/files.h"
#include "base/utf8.h"
#include "cel/limits.h"
#include "cli/cel_print.h"

struct check_options {
    enum cel_format format;
    struct option_list devices;
    minor version;
    struct gate_settings gates;
};

static const struct option_row option_rows[] = {
    OPTION_CHOICE("format", "a format", cel_formats, struct check_options, format,
                  "errors with the place, or type and costs; or a JSON object for each expression", .default_value = "text"),
    OPTION_LIST("devices", "PATH", struct check_options, devices, "also evaluate expressions on the devices there; see cel eval --help"),
    OPTION_VERSION(struct check_options, version, "compile as that version does", .default_value = DEFAULT_VERSION),
    OPTION_GATES(struct check_options, gates, "feature gates of the API server; those that are not named are as that version has them"),
    { .name = NULL },
};

struct job {
    const struct command *command;
    const struct check_options *options;
    struct cel_shown shown;
    struct cel_devices devices; /* zeroed if none are given */
    bool found; /* one of the expressions was refused, or failed on a device */
};

static enum failure print_text(struct job *job)
{
    struct cel_shown *shown = &job->shown;
    const struct cel_expression *compiled = &shown->compiled;
    cel_print_refusal(shown);
    if (compiled->class == CEL_GOOD)
        printf("%s: %s, costs at most %llu of %u\n", shown->name, cel_shown_type(shown), (unsigned long long)compiled->estimate.cost,
               LIMIT_CEL_COST);
    if (compiled->class == CEL_GOOD || compiled->class == CEL_TOO_COSTLY)
        cel_print_costs(shown);
    cel_print_hint(shown);
    return shown->program ? cel_print_results(shown, &job->devices, false) : FAILURE_NONE;
}

static bool print_json(struct job *job, const cJSON *id)
{
    cJSON *object = cJSON_CreateObject(), *copy = id ? cJSON_Duplicate(id, true) : NULL;
    bool done = object && (!id || (copy && cJSON_AddItemToObject(object, "id", copy)));
    if (!done)
        cJSON_Delete(copy);
    char *json = done && cel_fill_object(&job->shown, &job->devices, false, object) ? cJSON_PrintUnformatted(object) : NULL;
    cJSON_Delete(object);
    if (json)
        puts(json);
    free(json);
    return json != NULL;
}

/* ---- input ---- */

static int check_expression(struct job *job, struct bytes text, const cJSON *id, bool json)
{
    struct cel_shown *shown = &job->shown;
    if (!utf8_is_valid(text))
        return command_error(job->command, EXIT_USAGE, "%s: is not UTF-8", shown->name);
    struct cel_environment environment = cel_environment_of(job->options->version, gates_off(&job->options->gates, job->options->version));
    enum failure failure = cel_shown_compile(shown, text, environment, false, job->devices.count ? &job->devices : NULL);
    if (!failure && !json)
        failure = print_text(job);
    if (!failure && json && !print_json(job, id))
        failure = FAILURE_MEMORY;
    job->found |= shown->compiled.class != CEL_GOOD || shown->failed;
    return failure ? command_error(job->command, EXIT_USAGE, "%s", failure_text(failure)) : EXIT_GOOD;
}

static bool is_space(char c)
{
    return c == ' ' || c == '\t' || c == '\r';
}

/* Whether JSON has the escape of a NUL. */
static bool escapes_nul(struct bytes json)
{
    for (uint32_t at = 0; at + 1 < json.length; at++) {
        if (json.data[at] != '\\')
            continue;
        if (json.length - at >= 6 && memcmp(json.data + at + 1, "u0000", 5) == 0)
            return true;
        at++; /* what is escaped is no backslash of its own */
    }
    return false;
}

/* A line {"id": …, "expression": "…"}; NULL: it is none. An expression with a NUL, which cJSON would cut there, is none. */
static cJSON *read_line(struct bytes line)
{
    const char *end = line.data;
    bool readable = line.length && utf8_is_valid(line) && !escapes_nul(line);
    cJSON *object = readable ? cJSON_ParseWithLengthOpts(line.data, line.length, &end, false) : NULL;
    while (object && end < line.data + line.length && is_space(*end))
        end++;
    if (end == line.data + line.length && cJSON_IsString(cJSON_GetObjectItemCaseSensitive(object, "expression")))
        return object;
    cJSON_Delete(object);
    return NULL;
}

static struct bytes take_line(struct bytes *text)
{
    struct bytes line = bytes_take_line(text);
    while (line.length && is_space(line.data[line.length - 1]))
        line.length--;
    return line;
}

static int check_lines(struct job *job, struct bytes text)
{
    unsigned number = 0;
    while (text.length) {
        struct bytes line = take_line(&text);
        number++;
        if (!line.length)
            continue;
        cJSON *object = read_line(line);
        if (!object)
            return command_error(job->command, EXIT_USAGE, "%s:%u: not a JSON object with an expression", job->shown.name, number);
        const char *expression = cJSON_GetObjectItemCaseSensitive(object, "expression")->valuestring;
        int status = check_expression(job, bytes_of(expression), cJSON_GetObjectItemCaseSensitive(object, "id"), true);
        cJSON_Delete(object);
        if (status)
            return status;
    }
    return EXIT_GOOD;
}

/* A file has one expression, or JSON lines with one each. */
static int check_file(struct job *job, const char *path)
{
    struct buffer buffer = { NULL, 0 };
    struct error error;
    struct escaped name = escape_text(strcmp(path, "-") ? path : "<stdin>");
    job->shown.name = name.text;
    if (!files_read(path, LIMIT_FILE_BYTES, FILE_ANY, &buffer, &error))
        return command_error(job->command, EXIT_USAGE, "%s: %s", name.text, error.text);
    struct bytes text = buffer_bytes(&buffer), rest = text;
    cJSON *first = text.length ? read_line(take_line(&rest)) : NULL;
    int status;
    if (first) {
        status = check_lines(job, text);
    } else {
        while (text.length && (text.data[text.length - 1] == '\n' || text.data[text.length - 1] == '\r'))
            text.length--; /* an editor's last line end is no part of the expression */
        status = check_expression(job, text, NULL, job->options->format == CEL_FORMAT_JSON);
    }
    cJSON_Delete(first);
    buffer_free(&buffer);
    return status;
}

static int check_operand(struct job *job, const char *operand)
{
    if (strcmp(operand, "-") == 0 || access(operand, F_OK) == 0)
        return check_file(job, operand);
    job->shown.name = "<expression>";
    return check_expression(job, bytes_of(operand), NULL, job->options->format == CEL_FORMAT_JSON);
}

static int run(const struct command *command, int argc, char **argv)
{
    struct check_options values = { .format = CEL_FORMAT_TEXT, .version = MINOR_DEFAULT };
    struct options options;
    int status;
    if (!options_parse(command, argc, argv, &values, &options, &status))
        return status;
    if (options.operands == options.argc)
        return usage_error(command, "give an expression, a file, or - for standard input");
    struct job job = { .command = command, .options = &values };
    cel_shown_init(&job.shown);
    if (values.devices.count)
        status = cel_devices_read(&job.devices, command, &values.devices, NULL, values.version);
    for (int i = options.operands; i < options.argc && !status; i++)
        status = check_operand(&job, options.argv[i]);
    cel_devices_done(&job.devices);
    cel_shown_done(&job.shown);
    return end_output(command, status ? status : job.found ? EXIT_FOUND : EXIT_GOOD);
}

const struct command cel_check_command = {
    .name = "cel check",
    .operands = "EXPRESSION|FILE|-...",
    .summary = "compile expressions as the API server does",
    .description =
        "Compiles expressions as the API server does: shows errors with their place, or the type of the\n"
        "result and what it costs at most, with the share of each part. An operand is an expression, or the path of a file\n"
        "with one; - is standard input. Files with lines {\"id\": ..., \"expression\": \"...\"} are answered with a JSON object\n"
        "for each line.\n",
    .options = option_rows,
    .run = run,
};
