/* libFuzzer target: what waits for devices in a text of manifests is tried on its nodes; or the text is a world as a line of JSON. The
 * first byte chooses that, the scheduler's version and its gates. Whatever they are: no crash, what does not fit has words, and each
 * report and answer is JSON. */
#include <stdlib.h>

#include "allocate/limits.h"
#include "allocate/line.h"
#include "allocate/run.h"
#include "base/limits.h"
#include "validate/context.h"

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size);

enum { NOW = 1700000000 };

static void require(bool condition)
{
    if (!condition)
        abort();
}

/* Nodes of a world may have one name, which then is there twice. */
static void check_json(const struct context *context, struct text *text)
{
    struct document document;
    struct doc_error error;
    struct arena arena;
    uint32_t end;
    const char *read = text_end(text);
    if (!read)
        return;
    arena_init(&arena, &memory_malloc, LIMIT_ALLOCATE_WORLD_BYTES);
    const struct json_input input = {
        .source = { read, (uint32_t)text->length },
        .alone = true,
        .profile = JSON_REVIEW,
        .arena = &arena,
        .key = context->key,
    };
    require(json_read(&input, &document, &end, &error) != FAILURE_SYNTAX);
    arena_done(&arena);
}

/* ---- manifests ---- */

static enum failure visit(void *self, const struct allocate_report *report, bool fits)
{
    struct text json;
    require(report->count <= report->node_count && report->fitting <= report->count && (!fits || report->fitting || !report->count));
    for (uint32_t i = 0; i < report->count; i++) {
        const struct allocate_reply *reply = &report->replies[i];
        require(reply->fits ? reply->allocations && *reply->devices : reply->why.text && *reply->why.text);
    }
    text_init(&json, report->arena);
    allocate_report_add_json(&json, report);
    check_json(self, &json);
    return FAILURE_NONE;
}

static void try_manifests(struct context *context, struct bytes text, const struct gate_settings *settings, minor version)
{
    const struct allocate_order order = { .version = version, .gates = settings, .now = NOW };
    struct allocate_run run;
    struct source source;
    enum failure failure = source_read(&source, context, "", text, &(struct source_options){ .version = version });
    if (!failure) {
        failure = allocate_run_init(&run, context, &source, &order);
        if (!failure && !run.lack)
            failure = allocate_run_all(&run, visit, context);
        require(failure != FAILURE_INTERNAL);
        allocate_run_done(&run);
    }
    source_done(&source);
}

/* ---- worlds ---- */

static void try_world(struct context *context, struct bytes line, const struct gate_settings *settings, minor version)
{
    struct arena arena;
    struct text answer;
    arena_init(&arena, &memory_malloc, LIMIT_ALLOCATE_WORLD_BYTES);
    text_init(&answer, &arena);
    enum failure failure = allocate_line_answer(context, version, settings, NOW, line, &answer);
    require(failure != FAILURE_INTERNAL && failure != FAILURE_SYNTAX);
    if (!failure)
        check_json(context, &answer);
    arena_done(&arena);
}

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size)
{
    static const struct gate_settings all_settings[] = {
        { .on = 0 },
        { .all_alpha_on = ~(gate_set)0 },
        { .all_alpha_off = ~(gate_set)0, .all_beta_off = ~(gate_set)0 },
    };
    struct context context;
    if (size == 0)
        return 0;
    const struct bytes text = { (const char *)data + 1, (uint32_t)(size - 1) };
    const struct gate_settings *settings = &all_settings[data[0] / 6 % 3];
    const minor version = (minor)(ALLOCATE_OLDEST + data[0] / 2 % 3);
    require(!context_init(&context, &memory_malloc));
    if (data[0] % 2)
        try_world(&context, text, settings, version);
    else
        try_manifests(&context, text, settings, version);
    context_done(&context);
    return 0;
}
