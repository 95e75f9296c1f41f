/* drawbridge cel check: expressions of device selectors, compiled as the API server compiles them. */
#include <cjson/cJSON.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/escape.h"
#include "base/files.h"
#include "base/utf8.h"
#include "cel/compile.h"
#include "cel/limits.h"
#include "cel/token.h"
#include "cli/cli.h"
#include "schema/cel.h"

enum cel_format { CEL_FORMAT_TEXT, CEL_FORMAT_JSON };

struct cel_options {
    enum cel_format format;
    const char *devices;
    minor version;
};

static const char *const formats[] = { [CEL_FORMAT_TEXT] = "text", [CEL_FORMAT_JSON] = "json", NULL };

static const struct option_row option_rows[] = {
    OPTION_CHOICE("format", "a format", formats, struct cel_options, format,
                  "errors with the place, or type and costs; or a JSON object for each expression", .default_value = "text"),
    OPTION_TEXT("devices", "FILE", struct cel_options, devices,
                "devices to evaluate expressions on; accepted, and not used yet: the answers have no evaluations"),
    OPTION_VERSION(struct cel_options, version, "compile as that version does, 1.31 to 1.36 (default: 1.35)"),
    { .name = NULL },
};

/* The names of enum cel_class. What is too long or too complex is an error of no expression that the API server would take. */
static const char *const classes[] = {
    [CEL_GOOD] = "good", [CEL_TOO_LONG] = "too-long", [CEL_SYNTAX] = "syntax", [CEL_CHECK] = "check",
    [CEL_RESULT_TYPE] = "result-type", [CEL_TOO_COSTLY] = "too-costly", [CEL_TOO_COMPLEX] = "too-complex",
};

/* An expression that was compiled, and what is printed of it. */
struct job {
    const struct command *command;
    const struct cel_options *options;
    struct arena arena;
    const char *name; /* of the file, or "<expression>" */
    struct bytes text;
    struct cel_expression compiled;
    bool found; /* one of the expressions was refused */
};

/* ---- text ---- */

static struct bytes line_at(struct bytes text, uint32_t offset)
{
    uint32_t start = offset, end = offset;
    while (start > 0 && text.data[start - 1] != '\n')
        start--;
    while (end < text.length && text.data[end] != '\n' && text.data[end] != '\r')
        end++;
    return (struct bytes){ text.data + start, end - start };
}

/* A line and a caret under a token. */
static void print_excerpt(struct job *job, uint32_t offset)
{
    int line, column;
    uint32_t at = offset < job->text.length ? offset : job->text.length;
    struct cel_token token = cel_token_next(job->text, at);
    struct bytes shown = line_at(job->text, at);
    struct text text;
    text_init(&text, &job->arena);
    cel_place(job->text, offset, &line, &column);
    text_add_escaped(&text, shown, LIMIT_CEL_BYTES);
    const char *escaped = text_end(&text);
    printf("%5d | %s\n      | %*s^", line, escaped ? escaped : "", column > 0 ? column - 1 : 0, "");
    for (uint32_t i = 1; token.offset == at && i < token.length && token.type != CEL_TOKEN_ERROR; i++)
        putchar('~');
    putchar('\n');
}

static void print_error(struct job *job, const struct cel_error *error)
{
    int line, column;
    struct text text;
    text_init(&text, &job->arena);
    text_add_escaped(&text, bytes_of(error->text), LIMIT_CEL_BYTES);
    const char *words = text_end(&text);
    cel_place(job->text, error->offset, &line, &column);
    printf("%s:", job->name);
    if (error->offset != CEL_NO_PLACE)
        printf("%d:%d:", line, column);
    printf(" error: %s\n", words ? words : "");
    if (error->offset != CEL_NO_PLACE)
        print_excerpt(job, error->offset);
}

/* ---- shares of the cost ---- */

enum { SHARES_MAX = 40 };

/* What stands at the node's place: an operator, .field, or name() of what is called. */
static struct bytes label(const struct job *job, const struct cel_node *node)
{
    struct bytes text = job->text;
    uint32_t end = node->offset < text.length ? node->offset : text.length, start = end;
    if (node->kind == CEL_NODE_SELECT)
        return node->select.field;
    if (end < text.length && text.data[end] != '(') {
        struct cel_token token = cel_token_next(text, end);
        return (struct bytes){ text.data + end, token.offset == end ? token.length : 1u };
    }
    while (start > 0 && (text.data[start - 1] == ' ' || text.data[start - 1] == '\n'))
        start--;
    end = start;
    while (start > 0 && (text.data[start - 1] == '_' || (text.data[start - 1] | 32) >= 'a') && (text.data[start - 1] | 32) <= 'z')
        start--;
    return (struct bytes){ text.data + start, end - start };
}

static void print_share(const struct job *job, const struct cel_node *node, unsigned depth)
{
    uint64_t cost = job->compiled.estimate.nodes[node->number], all = job->compiled.estimate.cost;
    int line, column;
    cel_place(job->text, node->offset, &line, &column);
    struct bytes name = label(job, node);
    bool called = node->kind != CEL_NODE_SELECT && node->offset < job->text.length && job->text.data[node->offset] == '(';
    printf("%8llu  %3.0f%%  %d:%-4d %*s%s%.*s%s\n", (unsigned long long)cost, all ? 100.0 * (double)cost / (double)all : 0.0, line, column,
           (int)depth * 2, "", node->kind == CEL_NODE_SELECT ? "." : "", (int)name.length, name.data, called ? "()" : "");
}

/* Nodes with a cost, from the outside; those of macros' expansions stand at one place, and only the outermost is shown. */
static void print_shares(const struct job *job, const struct cel_node *node, const struct cel_node *around, unsigned depth, unsigned *count)
{
    const struct cel_node *part;
    bool shown = job->compiled.estimate.nodes[node->number] > 0 && (!around || node->offset != around->offset);
    if (shown && (*count)++ < SHARES_MAX)
        print_share(job, node, depth);
    for (uint32_t i = 0; *count <= SHARES_MAX && (part = cel_part(node, i)); i++)
        print_shares(job, part, node, depth + shown, count);
}

static void print_costs(const struct job *job)
{
    unsigned count = 0;
    print_shares(job, job->compiled.tree.root, NULL, 0, &count);
    if (count > SHARES_MAX)
        puts("     ...");
}

static const char *type_text(struct job *job)
{
    struct text text;
    text_init(&text, &job->arena);
    cel_type_text(&text, job->compiled.tree.root->type, true);
    const char *type = text_end(&text);
    return type ? type : "";
}

static void print_text(struct job *job)
{
    const struct cel_expression *compiled = &job->compiled;
    for (uint32_t i = 0; i < compiled->errors.count; i++)
        print_error(job, &compiled->errors.list[i]);
    if (compiled->class == CEL_TOO_LONG)
        printf("%s: error: longer than %u bytes\n", job->name, LIMIT_CEL_BYTES);
    if (compiled->class == CEL_TOO_COMPLEX)
        printf("%s: error: too complex to be compiled in time and memory that are bounded\n", job->name);
    if (compiled->class == CEL_TOO_COSTLY)
        printf("%s: error: too complex, exceeds cost limit: at most %llu, and %u is the limit\n", job->name,
               (unsigned long long)compiled->estimate.cost, LIMIT_CEL_COST);
    if (compiled->class == CEL_GOOD)
        printf("%s: %s, costs at most %llu of %u\n", job->name, type_text(job), (unsigned long long)compiled->estimate.cost,
               LIMIT_CEL_COST);
    if (compiled->class == CEL_GOOD || compiled->class == CEL_TOO_COSTLY)
        print_costs(job);
    const char *hint = compiled->class ? cel_device_library.hint(&cel_device_library, compiled, job->text, &job->arena) : NULL;
    if (hint)
        printf("      = hint: %s\n", hint);
}

/* ---- JSON ---- */

static int compare_texts(const void *a, const void *b)
{
    const char *const *one = a, *const *other = b;
    return strcmp(*one, *other);
}

/* "line:column", sorted as text; errors without a place are left out. */
static bool add_places(struct job *job, cJSON *object)
{
    const struct cel_errors *errors = &job->compiled.errors;
    const char *places[LIMIT_CEL_ERRORS];
    int count = 0;
    for (uint32_t i = 0; i < errors->count; i++) {
        int line, column;
        char *place = arena_text(&job->arena, 24);
        if (!place)
            return false;
        cel_place(job->text, errors->list[i].offset, &line, &column);
        snprintf(place, 24, "%d:%d", line, column);
        if (errors->list[i].offset != CEL_NO_PLACE)
            places[count++] = place;
    }
    if (!count)
        return true;
    qsort(places, (size_t)count, sizeof *places, compare_texts);
    cJSON *array = cJSON_CreateStringArray(places, count);
    return array && cJSON_AddItemToObject(object, "errors", array);
}

/* "line:column: text" of each error, in cel-go's words. */
static bool add_messages(struct job *job, cJSON *object)
{
    const struct cel_errors *errors = &job->compiled.errors;
    cJSON *array = errors->count ? cJSON_AddArrayToObject(object, "messages") : NULL;
    for (uint32_t i = 0; i < errors->count; i++) {
        const struct cel_error *error = &errors->list[i];
        bool whole = error->offset == CEL_NO_PLACE && job->compiled.class != CEL_SYNTAX && errors->count == 1;
        int line, column;
        struct text text;
        text_init(&text, &job->arena);
        cel_place(job->text, error->offset, &line, &column);
        if (!whole) {
            text_add_integer(&text, line);
            text_add(&text, ":");
            text_add_integer(&text, column);
            text_add(&text, ": ");
        }
        text_add(&text, error->text);
        const char *message = text_end(&text);
        cJSON *item = message && array ? cJSON_CreateString(message) : NULL;
        if (!item || !cJSON_AddItemToArray(array, item)) {
            cJSON_Delete(item);
            return false;
        }
    }
    return true;
}

static bool add_estimate(struct job *job, cJSON *object)
{
    char cost[24];
    if (job->compiled.class != CEL_GOOD && job->compiled.class != CEL_TOO_COSTLY)
        return true;
    snprintf(cost, sizeof cost, "%llu", (unsigned long long)job->compiled.estimate.cost);
    return cJSON_AddStringToObject(object, "type", type_text(job)) && cJSON_AddStringToObject(object, "maxCost", cost);
}

static bool fill(struct job *job, cJSON *object, const cJSON *id)
{
    const struct cel_expression *compiled = &job->compiled;
    const char *hint = compiled->class ? cel_device_library.hint(&cel_device_library, compiled, job->text, &job->arena) : NULL;
    cJSON *copy = id ? cJSON_Duplicate(id, true) : NULL;
    if (id && (!copy || !cJSON_AddItemToObject(object, "id", copy))) {
        cJSON_Delete(copy);
        return false;
    }
    return cJSON_AddBoolToObject(object, "ok", compiled->class == CEL_GOOD) &&
           (compiled->class == CEL_GOOD || cJSON_AddStringToObject(object, "class", classes[compiled->class])) && add_places(job, object) &&
           add_messages(job, object) && add_estimate(job, object) && (!hint || cJSON_AddStringToObject(object, "hint", hint));
}

static bool print_json(struct job *job, const cJSON *id)
{
    cJSON *object = cJSON_CreateObject();
    char *json = object && fill(job, object, id) ? cJSON_PrintUnformatted(object) : NULL;
    cJSON_Delete(object);
    if (json)
        puts(json);
    free(json);
    return json != NULL;
}

/* ---- input ---- */

static int no_memory(const struct job *job)
{
    return command_error(job->command, EXIT_USAGE, "%s", failure_text(FAILURE_MEMORY));
}

static int check_expression(struct job *job, struct bytes text, const cJSON *id, bool json)
{
    arena_clear(&job->arena);
    job->text = text;
    if (!utf8_is_valid(text))
        return command_error(job->command, EXIT_USAGE, "%s: is not UTF-8", job->name);
    if (cel_compile(text, &cel_device_library, job->options->version, &job->arena, &job->compiled))
        return no_memory(job);
    if (job->compiled.class == CEL_TOO_COMPLEX)
        arena_clear(&job->arena); /* it may be full, and nothing in it is printed */
    job->found |= job->compiled.class != CEL_GOOD;
    if (!json)
        print_text(job);
    else if (!print_json(job, id))
        return no_memory(job);
    return EXIT_GOOD;
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
    const char *end = memchr(text->data, '\n', text->length);
    struct bytes line = { text->data, end ? (uint32_t)(end - text->data) : text->length };
    uint32_t taken = line.length + (end != NULL);
    while (line.length && is_space(line.data[line.length - 1]))
        line.length--;
    *text = (struct bytes){ text->data + taken, text->length - taken };
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
            return command_error(job->command, EXIT_USAGE, "%s:%u: not a JSON object with an expression", job->name, number);
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
    job->name = name.text;
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
    job->name = "<expression>";
    return check_expression(job, bytes_of(operand), NULL, job->options->format == CEL_FORMAT_JSON);
}

static int run(const struct command *command, int argc, char **argv)
{
    struct cel_options values = { .format = CEL_FORMAT_TEXT, .version = MINOR_DEFAULT };
    struct options options;
    int status;
    if (argc > 1 && strcmp(argv[1], "check") == 0) { /* the only thing that there is to do */
        argv[1] = argv[0];
        argc--;
        argv++;
    }
    if (!options_parse(command, argc, argv, &values, &options, &status))
        return status;
    if (options.operands == options.argc)
        return usage_error(command, "give an expression, a file, or - for standard input");
    struct job job = { .command = command, .options = &values };
    arena_init(&job.arena, &memory_malloc, LIMIT_ARENA_BYTES);
    status = EXIT_GOOD;
    for (int i = options.operands; i < options.argc && !status; i++)
        status = check_operand(&job, options.argv[i]);
    arena_done(&job.arena);
    return end_output(command, status ? status : job.found ? EXIT_FOUND : EXIT_GOOD);
}

const struct command cel_command = {
    .name = "cel",
    .operands = "[check] EXPRESSION|FILE|-...",
    .summary = "compile CEL expressions of device selectors",
    .description =
        "Compiles expressions as the API server does: shows errors with their place, or the type of the\n"
        "result and what it costs at most, with the share of each part. An operand is an expression, or the path of a file\n"
        "with one; - is standard input. Files with lines {\"id\": ..., \"expression\": \"...\"} are answered with a JSON object\n"
        "for each line.\n",
    .options = option_rows,
    .run = run,
};
