/* libFuzzer target: claims matched with the devices of one text of manifests. The first byte chooses version and node. Whatever they are: no
 * crash, each device has one reason, and each that does not fit has words. */
#include <stdlib.h>

#include "base/limits.h"
#include "match/report.h"
#include "validate/context.h"

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size);

static void require(bool condition)
{
    if (!condition)
        abort();
}

static void check_request(struct match_report *report, const struct match_request *request)
{
    struct match_groups groups;
    struct arena arena;
    uint32_t sum = 0;
    if (match_groups_of(report, request, &groups))
        return;
    for (uint32_t i = 0; i < groups.count; i++)
        sum += groups.list[i].count;
    require(sum == report->world->device_count);
    arena_init(&arena, &memory_malloc, LIMIT_ARENA_BYTES);
    for (uint32_t i = 0; i < report->world->device_count; i++) {
        struct text text;
        arena_clear(&arena);
        text_init(&text, &arena);
        if (match_explain(report, request, i, &text))
            break;
        const char *words = text_end(&text);
        require(words && !*words == (request->verdicts[i].reason == MATCH_FITS));
    }
    arena_done(&arena);
}

static void match_item(struct match_world *world, const struct item *item)
{
    struct match_report report;
    enum failure failure = match_report_init(&report, world, item);
    require(failure != FAILURE_INTERNAL);
    for (uint32_t i = 0; i < report.count && !failure && !report.fault; i++)
        if (report.requests[i].verdicts)
            check_request(&report, &report.requests[i]);
    match_report_done(&report);
}

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size)
{
    static const struct bytes nodes[] = { { NULL, 0 }, BYTES("node-a"), BYTES("node-1"), { NULL, 0 } };
    struct context context;
    struct source source;
    struct match_world world;
    if (size == 0)
        return 0;
    const struct bytes text = { (const char *)data + 1, (uint32_t)(size - 1) };
    const minor version = (minor)(34 + data[0] / 4 % 3);
    require(!context_init(&context, &memory_malloc));
    enum failure failure = source_read(&source, &context, "", text, &(struct source_options){ .version = version });
    if (!failure) {
        failure = match_world_init(&world, &context, &source, version, nodes[data[0] % 4]);
        for (const struct item *item = source.first; item && !failure; item = item->next)
            if (match_is_subject(item))
                match_item(&world, item);
        match_world_done(&world);
    }
    source_done(&source);
    context_done(&context);
    return 0;
}
