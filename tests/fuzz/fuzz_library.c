/* libFuzzer target: the library from text to findings; and the devices of the text evaluated, its claims matched and allocated. The first byte chooses the options; a 0xFF byte, which no UTF-8 holds, parts the
 * text from the older one. Whatever they are: no crash, and every finding has a place inside its text, words and a rule. */
#include <stdlib.h>
#include <string.h>

#include "drawbridge.h"

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size);

static void require(int condition)
{
    if (!condition)
        abort();
}

static void check(const struct drawbridge_report *report, size_t length, size_t old_length)
{
    size_t errors = 0;
    for (size_t i = 0; i < drawbridge_report_count(report); i++) {
        const struct drawbridge_finding *finding = drawbridge_report_finding(report, i);
        size_t end = finding->in_old ? old_length : length;
        require(finding->offset <= end && finding->size <= end - finding->offset && finding->line && finding->column);
        require(*finding->rule && *finding->reason && *finding->message && finding->path && finding->kind);
        require(!finding->hint || *finding->hint);
        const struct drawbridge_other *other = finding->other;
        size_t other_end = old_length > length ? old_length : length;
        require(!other || (other->offset <= other_end && other->size <= other_end - other->offset && other->line && other->column));
        require(!other || *other->kind || !*finding->kind);
        errors += finding->severity == DRAWBRIDGE_ERROR;
    }
    require(errors <= drawbridge_report_errors(report));
}

static void check_error(const struct drawbridge_error *error, size_t length)
{
    require(error->offset <= length && *error->message && error->source && error->path);
}

/* An expression that needs what some devices lack, on all of them. */
static void evaluate(const struct drawbridge_context *context, struct drawbridge_set *set, size_t length)
{
    static const char words[] = "device.attributes['gpu.acme.dev'].model == 'a100' || device.attributes.exists(d, d.contains(device.driver))";
    const struct drawbridge_text text = { words, sizeof words - 1 };
    struct drawbridge_devices *devices;
    struct drawbridge_cel *cel;
    require(drawbridge_cel_new(context, NULL, &text, &cel) == DRAWBRIDGE_OK && drawbridge_cel_info(cel)->can_evaluate);
    require(drawbridge_set_devices(set, &devices) == DRAWBRIDGE_OK);
    for (size_t i = 0; i < drawbridge_devices_error_count(devices); i++)
        check_error(drawbridge_devices_error(devices, i), length);
    for (size_t i = 0; i < drawbridge_devices_count(devices); i++) {
        struct drawbridge_evaluation *evaluation;
        require(drawbridge_cel_evaluate(cel, devices, i, &evaluation) == DRAWBRIDGE_OK);
        require(!evaluation->value == (evaluation->error != NULL) && (!evaluation->match || evaluation->value));
        drawbridge_evaluation_free(evaluation);
    }
    drawbridge_devices_free(devices);
    drawbridge_cel_free(cel);
}

static void match(struct drawbridge_set *set, size_t length)
{
    struct drawbridge_match *match;
    enum drawbridge_result result = drawbridge_set_match(set, NULL, &match);
    require(result == DRAWBRIDGE_OK || result == DRAWBRIDGE_LIMIT);
    if (result != DRAWBRIDGE_OK)
        return;
    for (size_t i = 0; i < drawbridge_match_error_count(match); i++)
        check_error(drawbridge_match_error(match, i), length);
    for (size_t i = 0; i < drawbridge_match_count(match); i++) {
        const struct drawbridge_claim *claim = drawbridge_match_claim(match, i);
        require(claim->offset <= length && claim->line && claim->column && *claim->kind && (!claim->refusal || !claim->request_count));
        for (size_t j = 0; j < claim->request_count; j++)
            require(*claim->requests[j]->words && claim->requests[j]->matching <= claim->requests[j]->candidate_count);
    }
    drawbridge_match_free(match);
}

/* Only versions whose allocator is known. */
static void allocate(struct drawbridge_set *set, size_t length)
{
    struct drawbridge_allocation *allocation;
    enum drawbridge_result result = drawbridge_set_allocate(set, NULL, &allocation);
    require(result == DRAWBRIDGE_OK || result == DRAWBRIDGE_LIMIT || result == DRAWBRIDGE_BAD_VERSION);
    if (result != DRAWBRIDGE_OK)
        return;
    for (size_t i = 0; i < drawbridge_allocation_error_count(allocation); i++)
        check_error(drawbridge_allocation_error(allocation, i), length);
    require(!drawbridge_allocation_problem(allocation) == (drawbridge_allocation_count(allocation) > 0));
    for (size_t i = 0; i < drawbridge_allocation_count(allocation); i++) {
        const struct drawbridge_subject *subject = drawbridge_allocation_subject(allocation, i);
        require(*subject->kind && *subject->json == '{');
        for (size_t j = 0; j < subject->node_count; j++)
            require(subject->nodes[j]->fits ? !subject->nodes[j]->why : *subject->nodes[j]->words && !subject->nodes[j]->claim_count);
    }
    drawbridge_allocation_free(allocation);
}

static void use_devices(const struct drawbridge_context *context, const struct drawbridge_options *options,
                        const struct drawbridge_text *text)
{
    struct drawbridge_set *set;
    require(drawbridge_set_new(context, options, &set) == DRAWBRIDGE_OK);
    enum drawbridge_result result = drawbridge_set_add(set, "fuzz", text);
    require(result == DRAWBRIDGE_OK || result == DRAWBRIDGE_LIMIT);
    evaluate(context, set, text->length);
    match(set, text->length);
    allocate(set, text->length);
    drawbridge_set_free(set);
}

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size)
{
    static const char *const versions[] = { NULL, "1.31", "1.34", "1.36" };
    struct drawbridge_context *context;
    struct drawbridge_report *report;
    if (size == 0)
        return 0;
    const struct drawbridge_options options = {
        .size = sizeof options, .kubernetes_version = versions[data[0] & 3],
        .unknown_fields = (enum drawbridge_unknown_fields)((data[0] >> 2) % 3), .as_status = data[0] >> 7,
        .validate_as = data[0] & 64 ? "recycler-pod-template" : NULL,
    };
    const char *start = (const char *)data + 1, *parted = memchr(start, 0xFF, size - 1);
    const struct drawbridge_text text = { start, parted ? (size_t)(parted - start) : size - 1 };
    const struct drawbridge_text old = { parted ? parted + 1 : NULL, parted ? size - 2 - text.length : 0 };
    require(drawbridge_context_new(NULL, &context) == DRAWBRIDGE_OK);
    enum drawbridge_result result = drawbridge_validate(context, &options, &text, parted ? &old : NULL, &report);
    require(result == DRAWBRIDGE_OK || result == DRAWBRIDGE_LIMIT);
    if (result == DRAWBRIDGE_OK) {
        check(report, text.length, old.length);
        drawbridge_report_free(report);
    }
    use_devices(context, &options, &text);
    drawbridge_context_free(context);
    return 0;
}
