/* Requests that need more devices than match them, however they share those: where all devices that match some requests match one of them,
 * those devices must be enough for all of these. Constraints, counters and alternatives are not looked at. */
#include "allocate/why.h"

enum { CROWD_MAX = 64, CROWD_SAID = 4 }; /* requests, a bit each; names that are said */

struct crowd {
    const struct allocate_claim *claims[CROWD_MAX];
    const struct allocate_ask *asks[CROWD_MAX];
    uint32_t devices[CROWD_MAX];  /* that are free for the request */
    uint64_t outside[CROWD_MAX];  /* requests for which devices are free that are not free for this one */
    uint32_t count;
};

/* False: there are too many requests, or some that can do without devices of their own. */
static bool gather(const struct allocate_claims *claims, struct crowd *crowd)
{
    *crowd = (struct crowd){ .count = 0 };
    for (uint32_t i = 0; i < claims->count; i++)
        for (uint32_t j = 0; j < claims->list[i].request_count; j++) {
            const struct allocate_request *request = &claims->list[i].requests[j];
            if (!request->ask_count || request->alternatives || request->asks[0].admin || crowd->count == CROWD_MAX)
                return false;
            crowd->claims[crowd->count] = &claims->list[i];
            crowd->asks[crowd->count++] = &request->asks[0];
        }
    return crowd->count;
}

static enum failure add_device(struct allocate_attempt *attempt, const struct allocate_device *device, struct crowd *crowd)
{
    uint64_t free_for = 0;
    for (uint32_t i = 0; i < crowd->count; i++) {
        enum allocate_obstacle obstacle;
        enum failure failure = allocate_look(attempt, crowd->asks[i], device, &obstacle);
        if (failure)
            return failure;
        free_for |= (uint64_t)!obstacle << i;
        crowd->devices[i] += !obstacle;
    }
    for (uint32_t i = 0; i < crowd->count; i++)
        crowd->outside[i] |= free_for >> i & 1 ? 0 : free_for;
    return FAILURE_NONE;
}

/* *several: a device has room for more than one request. */
static enum failure add_devices(struct allocate_attempt *attempt, struct crowd *crowd, bool *several)
{
    enum failure failure = FAILURE_NONE;
    *several = false;
    for (uint32_t i = 0; i < attempt->view->count; i++)
        for (uint32_t j = 0; j < attempt->view->pools[i]->here_count; j++)
            for (uint32_t k = 0; k < attempt->view->pools[i]->here[j]->device_count && !failure && !*several; k++) {
                const struct allocate_device *device = &attempt->view->pools[i]->here[j]->devices[k];
                *several = device->multiple && attempt->world->mode.on.consume;
                failure = add_device(attempt, device, crowd);
            }
    return failure;
}

static void add_request(struct text *text, const struct allocate_attempt *attempt, const struct crowd *crowd, uint32_t number)
{
    text_add(text, "\"");
    if (attempt->claims->count > 1) {
        text_add_escaped(text, crowd->claims[number]->name, LIMIT_ALLOCATE_NAME_BYTES);
        text_add(text, ".");
    }
    text_add_escaped(text, crowd->asks[number]->name, LIMIT_ALLOCATE_NAME_BYTES);
    text_add(text, "\"");
}

static void add_words(struct text *text, const struct allocate_attempt *attempt, const struct crowd *crowd, uint32_t widest, int64_t needed)
{
    uint32_t said = 0, more = 0;
    text_add(text, "requests ");
    for (uint32_t i = 0; i < crowd->count; i++) {
        if (crowd->outside[widest] >> i & 1)
            continue;
        if (said == CROWD_SAID) {
            more++;
            continue;
        }
        text_add(text, said++ ? ", " : "");
        add_request(text, attempt, crowd, i);
    }
    if (more) {
        text_add(text, " and ");
        text_add_integer(text, more);
        text_add(text, " more");
    }
    text_add(text, " need ");
    text_add_integer(text, needed);
    text_add(text, " devices, and ");
    text_add_integer(text, crowd->devices[widest]);
    text_add(text, crowd->devices[widest] == 1 ? " that matches them is free" : " that match them are free");
}

enum failure allocate_crowd_add(struct allocate_attempt *attempt, struct text *text, bool *crowded)
{
    struct crowd crowd;
    bool several;
    *crowded = false;
    if (!gather(attempt->claims, &crowd))
        return FAILURE_NONE;
    enum failure failure = add_devices(attempt, &crowd, &several);
    for (uint32_t i = 0; i < crowd.count && !failure && !several && !*crowded; i++) {
        int64_t needed = 0;
        for (uint32_t j = 0; j < crowd.count; j++)
            if (!(crowd.outside[i] >> j & 1))
                needed += crowd.asks[j]->mode == ALLOCATE_EXACT ? crowd.asks[j]->count : crowd.devices[j];
        *crowded = needed > crowd.devices[i];
        if (*crowded)
            add_words(text, attempt, &crowd, i, needed);
    }
    return failure;
}
