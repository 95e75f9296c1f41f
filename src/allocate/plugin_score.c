#include "allocate/plugin.h"
#include "match/device.h"

/* The first of several subrequests is worth this many (resourceapi.FirstAvailableDeviceRequestMaxSize), each other one less. */
enum { FIRST_IS_WORTH = 8 };

/* The devices of a claim: as an attempt gives them, or as they are written. */
struct given {
    const struct allocate_results *made; /* NULL: they are written */
    struct value written;
};

static bool is_reference(struct bytes text, struct bytes request, struct bytes sub)
{
    return text.length == request.length + 1 + sub.length && memcmp(text.data, request.data, request.length) == 0 &&
           text.data[request.length] == '/' && memcmp(text.data + request.length + 1, sub.data, sub.length) == 0;
}

/* Whether some device is for the subrequest. */
static bool is_chosen(const struct given *given, struct bytes request, struct bytes sub)
{
    for (uint32_t i = 0; given->made && i < given->made->count; i++) {
        const struct allocate_ask *ask = given->made->list[i].ask;
        if (ask->request->alternatives && bytes_equal(ask->request->name, request) && bytes_equal(ask->name, sub))
            return true;
    }
    value_each(given->written, result)
        if (is_reference(value_text(match_at(result, "request")), request, sub))
            return true;
    return false;
}

static int64_t score_claim(const struct allocate_stored *claim, const struct given *given)
{
    int64_t score = 0;
    value_each(match_at(claim->root, "spec.devices.requests"), request) {
        struct bytes name = value_text(match_at(request, "name"));
        if (value_is_set(match_at(request, "exactly")))
            continue;
        value_each(match_at(request, "firstAvailable"), sub)
            if (is_chosen(given, name, value_text(match_at(sub, "name"))))
                score += FIRST_IS_WORTH - (int64_t)sub.index;
    }
    return score;
}

static enum failure fault_number(struct allocate_cycle *cycle, const char **fault)
{
    struct text text;
    text_init(&text, &cycle->plugin->arena);
    text_add(&text, "number of allocations ");
    text_add_integer(&text, cycle->asked.count);
    text_add(&text, " is smaller than number of claims");
    return allocate_text_end(&text, fault);
}

enum failure allocate_score(struct allocate_cycle *cycle, int64_t *score, const char **fault)
{
    const struct allocate_mode *mode = &cycle->plugin->world->mode;
    uint32_t made = 0;
    *score = 0;
    if (!cycle->to_allocate || (mode->score_is_gated && !mode->on.list))
        return FAILURE_NONE;
    for (uint32_t i = 0; i < cycle->count; i++) {
        const struct allocate_stored *claim = cycle->claims[i];
        struct given given = { NULL, match_at(claim->allocation, "devices.results") };
        if (mode->score_mixes && made >= cycle->asked.count)
            return fault_number(cycle, fault);
        if (mode->score_mixes || !value_is_set(claim->allocation))
            given = (struct given){ &cycle->plugin->attempt.results[made++], { .shape = NULL } };
        *score += score_claim(claim, &given);
    }
    return FAILURE_NONE;
}
