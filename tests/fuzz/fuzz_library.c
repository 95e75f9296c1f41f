/* libFuzzer target: the library from text to findings. The first byte chooses the options; a 0xFF byte, which no UTF-8 holds, parts the
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
        require(!other || (other->offset <= length && other->size <= length - other->offset && other->line && other->column && *other->kind));
        errors += finding->severity == DRAWBRIDGE_ERROR;
    }
    require(errors <= drawbridge_report_errors(report));
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
    drawbridge_context_free(context);
    return 0;
}
