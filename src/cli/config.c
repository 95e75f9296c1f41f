/* drawbridge config: the configuration's vocabulary for editors, and a look at files in it. */
#include <cjson/cJSON.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/escape.h"
#include "cli/complete.h"
#include "cli/configuration.h"
#include "cli/limits.h"
#include "cli/lint_formats.h"
#include "cli/report.h"
#include "review/configuration_schema.h"
#include "review/limits.h"

/* ---- the JSON Schema ---- */

static cJSON *schema_of(const struct shape *shape, const char *path);

static bool put(cJSON *object, const char *name, cJSON *value)
{
    if (value && cJSON_AddItemToObject(object, name, value))
        return true;
    cJSON_Delete(value);
    return false;
}

static bool add_to(cJSON *array, cJSON *value)
{
    if (value && cJSON_AddItemToArray(array, value))
        return true;
    cJSON_Delete(value);
    return false;
}

static cJSON *words_array(const char *const *words)
{
    cJSON *array = cJSON_CreateArray();
    for (; array && *words; words++) {
        if (!add_to(array, cJSON_CreateString(*words))) {
            cJSON_Delete(array);
            return NULL;
        }
    }
    return array;
}

/* What YAML makes of off is false. */
static bool add_levels(cJSON *schema)
{
    cJSON *levels = words_array(level_words);
    return put(schema, "enum", levels) && add_to(levels, cJSON_CreateFalse());
}

/* The ids of rules, for lists of them; "*" and "all" are every one. */
static bool add_rules(cJSON *schema)
{
    cJSON *rules = cJSON_AddArrayToObject(cJSON_GetObjectItem(schema, "items"), "enum");
    bool good = rules && add_to(rules, cJSON_CreateString("all")) && add_to(rules, cJSON_CreateString("*"));
    for (int i = 0; i < RULE_COUNT && good; i++)
        good = add_to(rules, cJSON_CreateString(rule_info((enum rule)i)->id));
    return good;
}

/* "^(text|json|…)(=.+)?$" */
static bool add_formats(cJSON *schema)
{
    char pattern[LIMIT_OPTION_WORDS_BYTES] = "^(";
    size_t length = strlen(pattern);
    for (const char *const *name = report_format_names; *name && length < sizeof pattern; name++)
        length += (size_t)snprintf(pattern + length, sizeof pattern - length, "%s%s", *name, name[1] ? "|" : ")(=.+)?$");
    return length < sizeof pattern && cJSON_AddStringToObject(cJSON_GetObjectItem(schema, "items"), "pattern", pattern);
}

/* What the checks of a row ask for that JSON Schema can say. */
static bool add_checks(cJSON *schema, const struct shape *shape, const struct check *check)
{
    bool texts = shape->type == SHAPE_STRING, map = shape->type == SHAPE_MAP, good = true;
    for (; check && check->op != CHECK_END && good; check++) {
        if (check->op == CHECK_ENUM)
            good = put(schema, "enum", words_array(check->names));
        else if (check->op == CHECK_MAX_ITEMS)
            good = cJSON_AddNumberToObject(schema, map ? "maxProperties" : "maxItems", (double)check->high);
        else if (check->op == CHECK_MAX_BYTES)
            good = cJSON_AddNumberToObject(schema, "maxLength", (double)check->high);
        else if (check->op == CHECK_NON_EMPTY || check->op == CHECK_REQUIRED)
            good = cJSON_AddNumberToObject(schema, texts ? "minLength" : "minItems", 1);
    }
    return good;
}

static bool is_required(const struct field *field)
{
    return field->checks && field->checks->op == CHECK_REQUIRED;
}

static cJSON *member_schema(const struct field *field, const char *path)
{
    const char *words = configuration_member_words(path);
    bool formats = strcmp(path, "formats") == 0;
    bool rules = strcmp(path, "policies.rules") == 0 || strcmp(path, "select") == 0 || strcmp(path, "ignore") == 0;
    cJSON *schema = schema_of(field->shape, path);
    if (schema && (!words || cJSON_AddStringToObject(schema, "description", words)) && add_checks(schema, field->shape, field->checks) &&
        (!rules || add_rules(schema)) && (!formats || add_formats(schema)) && (field->shape->type != SHAPE_RAW || add_levels(schema)))
        return schema;
    cJSON_Delete(schema);
    return NULL;
}

static bool add_members(cJSON *schema, const struct shape *shape, const char *path)
{
    cJSON *members = cJSON_AddObjectToObject(schema, "properties"), *required = NULL;
    bool good = members && cJSON_AddFalseToObject(schema, "additionalProperties");
    for (int i = 0; i < shape->field_count && good; i++) {
        const struct field *field = &shape->fields[i];
        char name[64];
        snprintf(name, sizeof name, "%s%s%s", path, *path ? "." : "", field->name.data);
        good = put(members, field->name.data, member_schema(field, name));
        if (!good || !is_required(field))
            continue;
        required = required ? required : cJSON_AddArrayToObject(schema, "required");
        good = required && add_to(required, cJSON_CreateString(field->name.data));
    }
    return good;
}

static bool fill(cJSON *schema, const struct shape *shape, const char *path)
{
    switch (shape->type) {
    case SHAPE_OBJECT: return cJSON_AddStringToObject(schema, "type", "object") && add_members(schema, shape, path);
    case SHAPE_LIST:   return cJSON_AddStringToObject(schema, "type", "array") && put(schema, "items", schema_of(shape->of, path));
    case SHAPE_MAP:
        return cJSON_AddStringToObject(schema, "type", "object") && put(schema, "additionalProperties", schema_of(shape->of, path));
    case SHAPE_BOOL:   return cJSON_AddStringToObject(schema, "type", "boolean");
    case SHAPE_RAW:    return true;
    default:           return cJSON_AddStringToObject(schema, "type", "string");
    }
}

/* The nesting is that of the tables. */
static cJSON *schema_of(const struct shape *shape, const char *path)
{
    cJSON *schema = cJSON_CreateObject();
    if (schema && fill(schema, shape, path) && add_checks(schema, shape, shape->checks))
        return schema;
    cJSON_Delete(schema);
    return NULL;
}

static const struct option_row no_options[] = { { .name = NULL } };

static int run_schema(const struct command *command, int argc, char **argv)
{
    struct options options;
    int status, none;
    if (!options_parse(command, argc, argv, &none, &options, &status))
        return status;
    cJSON *schema = schema_of(configuration_kind.shape, "");
    bool good = schema && cJSON_AddStringToObject(schema, "$schema", "http://json-schema.org/draft-07/schema#") &&
                cJSON_AddStringToObject(schema, "title", "drawbridge.yaml");
    char *json = good ? cJSON_Print(schema) : NULL;
    cJSON_Delete(schema);
    if (!json)
        return command_error(command, EXIT_USAGE, "%s", failure_text(FAILURE_MEMORY));
    puts(json);
    free(json);
    return end_output(command, EXIT_GOOD);
}

/* ---- files ---- */

enum reader { READER_LINT, READER_SERVE };

struct check_values {
    enum reader reader;
};

static const char *const readers[] = { [READER_LINT] = "lint", [READER_SERVE] = "serve", NULL };

static const struct option_row check_options[] = {
    OPTION_CHOICE("for", "a reader of configurations", readers, struct check_values, reader,
                  "whether lint reads it, which takes a range of versions, or serve and review, which do not", .default_value = "lint"),
    { .name = NULL },
};

static int check_file(const struct command *command, enum reader reader, const char *file)
{
    struct configuration configuration;
    struct configuration_mistakes mistakes;
    struct buffer text;
    int status = configuration_text(command, EXIT_USAGE, file, LIMIT_CONFIGURATION_BYTES, &text);
    if (status != EXIT_GOOD)
        return status;
    enum failure failure = reader == READER_LINT
                               ? configuration_read_for_lint(&memory_malloc, buffer_bytes(&text), &configuration, &mistakes)
                               : configuration_read(&memory_malloc, buffer_bytes(&text), &configuration, &mistakes);
    buffer_free(&text);
    if (failure)
        return configuration_error(command, failure == FAILURE_SYNTAX ? EXIT_FOUND : EXIT_USAGE, file, failure, &mistakes);
    configuration_warnings(command, file, &mistakes);
    struct option_list formats;
    struct error error;
    bool good = lint_formats(&configuration, file, &configuration.arena, &formats, &error);
    if (good)
        printf("%s: good\n", escape_text(file).text);
    configuration_done(&configuration);
    return good ? EXIT_GOOD : command_error(command, error.code == FAILURE_MEMORY ? EXIT_USAGE : EXIT_FOUND, "%s", error.text);
}

static int run_check(const struct command *command, int argc, char **argv)
{
    struct check_values values = { .reader = READER_LINT };
    struct options options;
    int status;
    if (!options_parse(command, argc, argv, &values, &options, &status))
        return status;
    if (options.operands == options.argc)
        return usage_error(command, "no file given; - is standard input");
    for (int i = options.operands; i < options.argc; i++) {
        int one = check_file(command, values.reader, options.argv[i]);
        status = one > status ? one : status;
    }
    return end_output(command, status);
}

/* ---- the commands ---- */

static const struct command check_command = {
    .name = "config check",
    .operands = "FILE...",
    .summary = "say what is wrong with configurations",
    .description = "Reads configurations of drawbridge, and says each mistake with its place. FILE may be - for standard input.\n",
    .options = check_options,
    .run = run_check,
};

static const struct command schema_command = {
    .name = "config schema",
    .operands = "",
    .summary = "print the JSON Schema of configurations",
    .description = "Prints the JSON Schema (draft-07) of drawbridge.yaml, for editors: members, words, ids of rules.\n",
    .options = no_options,
    .run = run_schema,
};

static const struct group_command commands[] = { { "check", &check_command }, { "schema", &schema_command } };
enum { COMMANDS = sizeof commands / sizeof *commands };

static int complete(const struct command *command, int argc, char **argv)
{
    const struct command *named = complete_group(commands, COMMANDS, argc, argv);
    return named ? complete_command(named, argc - 3, argv + 3) : complete_end(command, false);
}

static int run(const struct command *command, int argc, char **argv)
{
    const char *name = argc > 1 ? argv[1] : "--help";
    struct nearest nearest = { .wanted = bytes_of(name) };
    if (strcmp(name, COMPLETE_WORD) == 0)
        return complete(command, argc, argv);
    for (int i = 0; i < COMMANDS; i++)
        if (strcmp(name, commands[i].name) == 0)
            return commands[i].command->run(commands[i].command, argc - 1, argv + 1);
    for (int i = 0; i < COMMANDS; i++)
        near_consider(&nearest, bytes_of(commands[i].name));
    if (strcmp(name, "--help") != 0 && strcmp(name, "-h") != 0)
        return usage_unknown(command, name, "a command of config", "", &nearest);
    puts("Usage: drawbridge config COMMAND ...\n\nCommands:");
    for (int i = 0; i < COMMANDS; i++)
        printf("  %-6s  %s\n", commands[i].name, commands[i].command->summary);
    puts("\n'drawbridge help config' prints the manual page, 'drawbridge help drawbridge.yaml' that of the file.");
    return argc > 1 ? EXIT_GOOD : EXIT_USAGE;
}

const struct command config_command = { .name = "config", .summary = "check configurations, and print their schema", .run = run };
