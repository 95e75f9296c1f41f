#include "cli/cel_print.h"

#include <stdio.h>

#include "base/escape.h"
#include "base/limits.h"
#include "cel/limits.h"
#include "cel/token.h"
#include "cli/limits.h"
#include "schema/cel.h"

const char *const cel_formats[] = { [CEL_FORMAT_TEXT] = "text", [CEL_FORMAT_JSON] = "json", NULL };

void cel_shown_init(struct cel_shown *shown)
{
    *shown = (struct cel_shown){ .name = "<expression>" };
    arena_init(&shown->arena, &memory_malloc, LIMIT_ARENA_BYTES);
    arena_init(&shown->evaluation, &memory_malloc, LIMIT_CEL_EVALUATION_ARENA);
}

void cel_shown_done(struct cel_shown *shown)
{
    arena_done(&shown->arena);
    arena_done(&shown->evaluation);
}

enum failure cel_shown_compile(struct cel_shown *shown, struct bytes text, struct cel_environment environment, bool any_type,
                               const struct cel_devices *devices)
{
    const struct cel_library *library = &cel_device_library;
    arena_clear(&shown->arena);
    shown->text = text;
    shown->program = NULL;
    shown->failed = 0;
    enum failure failure = any_type ? cel_compile_any(text, library, environment, &shown->arena, &shown->compiled)
                                    : cel_compile(text, library, environment, &shown->arena, &shown->compiled);
    if (!failure && shown->compiled.class == CEL_TOO_COMPLEX)
        arena_clear(&shown->arena); /* it may be full, and nothing in it is printed */
    bool runs = shown->compiled.class == CEL_GOOD || shown->compiled.class == CEL_TOO_COSTLY;
    if (failure || !runs || !devices)
        return failure;
    return cel_program_new(&shown->compiled, library, environment.version, &shown->arena, &shown->program);
}

/* ---- places ---- */

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
static void print_excerpt(struct cel_shown *shown, uint32_t offset)
{
    int line, column;
    uint32_t at = offset < shown->text.length ? offset : shown->text.length;
    struct cel_token token = cel_token_next(shown->text, at);
    struct text text;
    text_init(&text, &shown->arena);
    cel_place(shown->text, offset, &line, &column);
    text_add_escaped(&text, line_at(shown->text, at), LIMIT_CEL_BYTES);
    const char *escaped = text_end(&text);
    printf("%5d | %s\n      | %*s^", line, escaped ? escaped : "", column > 0 ? column - 1 : 0, "");
    for (uint32_t i = 1; token.offset == at && i < token.length && token.type != CEL_TOKEN_ERROR; i++)
        putchar('~');
    putchar('\n');
}

static const char *escape(struct cel_shown *shown, const char *words)
{
    struct text text;
    text_init(&text, &shown->arena);
    text_add_escaped(&text, bytes_of(words), LIMIT_CEL_BYTES);
    const char *end = text_end(&text);
    return end ? end : "";
}

/* `about` follows the words, as it is. */
static void print_error(struct cel_shown *shown, uint32_t offset, const char *words, const char *about)
{
    int line, column;
    cel_place(shown->text, offset, &line, &column);
    printf("%s:", shown->name);
    if (offset != CEL_NO_PLACE)
        printf("%d:%d:", line, column);
    printf(" error: %s%s\n", escape(shown, words), about);
    if (offset != CEL_NO_PLACE)
        print_excerpt(shown, offset);
}

void cel_print_refusal(struct cel_shown *shown)
{
    const struct cel_expression *compiled = &shown->compiled;
    for (uint32_t i = 0; i < compiled->errors.count; i++)
        print_error(shown, compiled->errors.list[i].offset, compiled->errors.list[i].text, "");
    struct text text;
    text_init(&text, &shown->arena);
    cel_class_text(&text, compiled);
    const char *words = text_end(&text);
    if (words && *words)
        printf("%s: error: %s\n", shown->name, words);
}

const char *cel_shown_type(struct cel_shown *shown)
{
    struct text text;
    text_init(&text, &shown->arena);
    cel_type_text(&text, shown->compiled.tree.root->type, true);
    const char *type = text_end(&text);
    return type ? type : "";
}

void cel_print_hint(struct cel_shown *shown)
{
    const char *hint = cel_shown_hint(shown);
    if (hint)
        printf("      = hint: %s\n", hint);
}

const char *cel_shown_hint(struct cel_shown *shown)
{
    const struct cel_library *library = &cel_device_library;
    return shown->compiled.class ? library->hint(library, &shown->compiled, shown->text, &shown->arena) : NULL;
}

/* ---- evaluations ---- */

enum failure cel_shown_evaluate(struct cel_shown *shown, const struct cel_named_device *device, bool any_type,
                                struct cel_result *result)
{
    enum failure failure = FAILURE_NONE;
    arena_clear(&shown->evaluation);
    if (device->fault)
        *result = (struct cel_result){ .value = { .type = CEL_ERROR, .fault = { device->fault, NULL } } };
    else
        failure = cel_evaluate(shown->program, &device->value, &shown->evaluation, result);
    if (failure)
        return failure;
    if (!any_type)
        cel_result_make_bool(result);
    shown->failed += result->value.type == CEL_ERROR;
    return FAILURE_NONE;
}

const char *cel_shown_value(struct cel_shown *shown, const struct cel_value *value)
{
    struct text text;
    text_init(&text, &shown->evaluation);
    cel_value_print(&text, value, LIMIT_CEL_SHOWN_BYTES);
    const char *words = text_end(&text);
    return words ? words : "...";
}

/* An error that evaluations on some devices gave. */
struct shown_fault {
    const char *words;
    const struct cel_node *node;
    const char *device; /* the first */
    uint32_t count;
};

struct tally {
    uint32_t yes, no, values, errors;
    struct shown_fault faults[LIMIT_CEL_SHOWN_FAULTS];
    uint32_t fault_count;
};

static void count_fault(struct cel_shown *shown, struct tally *tally, const struct cel_fault *fault, const char *device)
{
    uint32_t i = 0;
    while (i < tally->fault_count && (tally->faults[i].node != fault->node || strcmp(tally->faults[i].words, fault->words) != 0))
        i++;
    if (i == LIMIT_CEL_SHOWN_FAULTS)
        return;
    if (i == tally->fault_count) {
        struct text text;
        text_init(&text, &shown->arena);
        text_add(&text, fault->words);
        const char *words = text_end(&text);
        tally->faults[tally->fault_count++] = (struct shown_fault){ words ? words : "", fault->node, device, 0 };
    }
    tally->faults[i].count++;
}

static void count_result(struct cel_shown *shown, struct tally *tally, const struct cel_value *value, const char *device)
{
    if (value->type == CEL_ERROR) {
        tally->errors++;
        count_fault(shown, tally, &value->fault, device);
    } else if (value->type == CEL_BOOL) {
        tally->yes += value->boolean;
        tally->no += !value->boolean;
    } else {
        tally->values++;
    }
}

/* A fault of the device has no place in the expression. */
static void print_fault(struct cel_shown *shown, const char *words, const struct cel_node *node, const char *about)
{
    if (node)
        print_error(shown, node->offset, words, about);
    else
        printf("error: %s%s\n", escape(shown, words), about);
}

void cel_print_fault(struct cel_shown *shown, const struct cel_fault *fault)
{
    print_fault(shown, fault->words, fault->node, "");
}

/* A key that devices do not have, and nearly is one that they have. */
static void print_key_hint(const struct cel_devices *devices, const char *words)
{
    static const char before[] = "no such key: ";
    if (strncmp(words, before, strlen(before)) != 0)
        return;
    struct nearest nearest = { .wanted = bytes_of(words + strlen(before)) };
    cel_devices_near(devices, &nearest);
    if (nearest.found.data && nearest.distance)
        printf("      = hint: did you mean %.*s?\n", (int)nearest.found.length, nearest.found.data);
}

static void print_faults(struct cel_shown *shown, const struct cel_devices *devices, const struct tally *tally)
{
    uint32_t left = tally->errors;
    for (uint32_t i = 0; i < tally->fault_count; i++) {
        const struct shown_fault *fault = &tally->faults[i];
        char others[sizeof(struct escaped) + 4];
        if (fault->count > 1)
            snprintf(others, sizeof others, " (%u devices)", fault->count);
        else
            snprintf(others, sizeof others, " (%s)", escape_text(fault->device).text);
        print_fault(shown, fault->words, fault->node, others);
        print_key_hint(devices, fault->words);
        left -= fault->count;
    }
    if (left)
        printf("and %u more errors\n", left);
}

static void print_summary(const struct tally *tally, uint32_t count)
{
    const struct { uint32_t count; const char *one, *many; } parts[] = {
        { tally->yes, "true", "true" }, { tally->no, "false", "false" },
        { tally->values, "value", "values" }, { tally->errors, "error", "errors" },
    };
    const char *before = ": ";
    printf("%u device%s", count, count == 1 ? "" : "s");
    for (unsigned i = 0; i < sizeof parts / sizeof *parts; i++) {
        if (!parts[i].count)
            continue;
        printf("%s%u %s", before, parts[i].count, parts[i].count == 1 ? parts[i].one : parts[i].many);
        before = ", ";
    }
    putchar('\n');
}

/* The width of the column of names. */
static int name_width(const struct cel_devices *devices)
{
    enum { LEAST = 6, MOST = 80 };
    size_t width = LEAST;
    for (const struct cel_named_device *device = devices->first; device; device = device->next)
        width = strlen(device->name) > width ? strlen(device->name) : width;
    return width < MOST ? (int)width : MOST;
}

enum failure cel_print_results(struct cel_shown *shown, const struct cel_devices *devices, bool any_type)
{
    struct tally tally = { .errors = 0 };
    int width = name_width(devices);
    printf("%-*s  %8s  RESULT\n", width, "DEVICE", "COST");
    for (const struct cel_named_device *device = devices->first; device; device = device->next) {
        struct cel_result result;
        enum failure failure = cel_shown_evaluate(shown, device, any_type, &result);
        if (failure)
            return failure;
        count_result(shown, &tally, &result.value, device->name);
        bool failed = result.value.type == CEL_ERROR;
        printf("%-*s  %8llu  %s%s\n", width, escape_text(device->name).text, (unsigned long long)result.cost, failed ? "error: " : "",
               cel_shown_value(shown, &result.value));
    }
    print_faults(shown, devices, &tally);
    print_summary(&tally, devices->count);
    return FAILURE_NONE;
}
