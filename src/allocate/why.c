#include "allocate/why.h"

#include "allocate/device.h"
#include "base/near.h"
#include "match/limits.h"

const char *allocate_no_name(enum allocate_no kind)
{
    static const char *const names[] = {
        [NO_MATCH] = "no-match",     [NO_NODE] = "other-nodes",       [NO_HERE] = "allocated-elsewhere", [NO_FREE] = "in-use",
        [NO_POOL] = "pool-unusable",
        [NO_ROOM] = "no-room",       [NO_TOGETHER] = "not-together",  [NO_ERROR] = "error",
    };
    return names[kind];
}

const char *allocate_no_advice(enum allocate_no kind)
{
    static const char *const words[] = {
        [NO_MATCH] = "nothing anywhere matches: change the request or its class",
        [NO_NODE] = "enough devices match, but no node has enough of them",
        [NO_HERE] = "a claim is allocated already, for other nodes",
        [NO_FREE] = "all that match are in use",
        [NO_POOL] = "what matches is in a pool that cannot be used: look at its driver, or at the feature gates of the scheduler",
        [NO_ROOM] = "what matches cannot be taken now",
        [NO_TOGETHER] = "each request fits by itself, but they do not fit together",
        [NO_ERROR] = "the scheduler refuses the claim itself",
    };
    return words[kind];
}

const char *allocate_obstacle_name(enum allocate_obstacle obstacle)
{
    static const char *const names[] = {
        [OBSTACLE_NONE] = "free",           [OBSTACLE_CLASS] = "other-class",    [OBSTACLE_SELECTOR] = "selector",
        [OBSTACLE_ERROR] = "selector-fails", [OBSTACLE_NODE] = "other-node",     [OBSTACLE_GATE] = "feature-gate",
        [OBSTACLE_OLD] = "old-generation",  [OBSTACLE_INCOMPLETE] = "pool-incomplete", [OBSTACLE_INVALID] = "pool-invalid",
        [OBSTACLE_HELD] = "in-use",         [OBSTACLE_CAPACITY] = "capacity",    [OBSTACLE_SHARED] = "capacity-in-use",
        [OBSTACLE_TAINT] = "taint",         [OBSTACLE_COUNTERS] = "counters",
    };
    return names[obstacle];
}

unsigned allocate_no_rank(enum allocate_no kind)
{
    static const uint8_t ranks[NO_KINDS] = {
        [NO_MATCH] = 0, [NO_NODE] = 1, [NO_HERE] = 1, [NO_FREE] = 2, [NO_POOL] = 2, [NO_ROOM] = 2, [NO_TOGETHER] = 3, [NO_ERROR] = 4,
    };
    return ranks[kind];
}

/* ---- which "no" ---- */

static enum allocate_no kind_of(const struct allocate_funnel *funnel)
{
    static const struct {
        enum allocate_no kind;
        enum allocate_obstacle obstacles[5]; /* ended by OBSTACLE_NONE */
    } kinds_of_no[] = { /* the first that would be enough */
        { NO_FREE, { OBSTACLE_HELD, OBSTACLE_SHARED } },
        { NO_ROOM, { OBSTACLE_TAINT, OBSTACLE_COUNTERS } },
        { NO_POOL, { OBSTACLE_GATE, OBSTACLE_OLD, OBSTACLE_INCOMPLETE, OBSTACLE_INVALID } },
    };
    int64_t free = funnel->counts[OBSTACLE_NONE], sum = free;
    for (size_t i = 0; i < sizeof kinds_of_no / sizeof *kinds_of_no; i++) {
        int64_t more = 0;
        for (const enum allocate_obstacle *obstacle = kinds_of_no[i].obstacles; *obstacle; obstacle++)
            more += funnel->counts[*obstacle];
        sum += more;
        if (more && free + more >= funnel->needs)
            return kinds_of_no[i].kind;
    }
    if (sum >= funnel->needs)
        return NO_FREE; /* several of them together */
    if (sum + funnel->elsewhere >= funnel->needs && funnel->elsewhere)
        return NO_NODE;
    return NO_MATCH;
}

/* Whether `a` is nearer to a yes. */
static bool is_nearer(const struct allocate_funnel *a, const struct allocate_funnel *b)
{
    unsigned rank = allocate_no_rank(kind_of(a)), other = allocate_no_rank(kind_of(b));
    return rank != other ? rank > other : a->counts[OBSTACLE_NONE] > b->counts[OBSTACLE_NONE];
}

/* *lacks: the request has not enough devices, whichever of its subrequests is taken; then *nearest is the one that is nearest to it. */
static enum failure look_at_request(struct allocate_attempt *attempt, const struct allocate_claim *claim,
                                    const struct allocate_request *request, struct allocate_funnel *nearest, bool *lacks)
{
    *lacks = request->ask_count > 0;
    for (uint32_t i = 0; i < request->ask_count && *lacks; i++) {
        struct allocate_funnel funnel;
        enum failure failure = allocate_funnel_fill(attempt, claim, &request->asks[i], &funnel);
        if (failure)
            return failure;
        *lacks = funnel.counts[OBSTACLE_NONE] < funnel.needs;
        if (!i || is_nearer(&funnel, nearest))
            *nearest = funnel;
    }
    return FAILURE_NONE;
}

/* The first request that has not enough devices. */
static enum failure find_lacking(struct allocate_attempt *attempt, struct allocate_why *why)
{
    for (uint32_t i = 0; i < attempt->claims->count; i++)
        for (uint32_t j = 0; j < attempt->claims->list[i].request_count; j++) {
            const struct allocate_claim *claim = &attempt->claims->list[i];
            struct allocate_funnel nearest;
            bool lacks;
            enum failure failure = look_at_request(attempt, claim, &claim->requests[j], &nearest, &lacks);
            if (failure)
                return failure;
            if (!lacks)
                continue;
            *why = (struct allocate_why){ kind_of(&nearest), claim, nearest.ask, nearest, NULL };
            return FAILURE_NONE;
        }
    *why = (struct allocate_why){ .kind = NO_TOGETHER };
    return FAILURE_NONE;
}

/* What each subrequest of the request lacks. */
static enum failure say_lacking(struct allocate_attempt *attempt, const struct allocate_why *why, struct text *text)
{
    const struct allocate_request *request = why->ask->request;
    enum failure failure = FAILURE_NONE;
    for (uint32_t i = 0; i < request->ask_count && !failure; i++) {
        struct allocate_funnel funnel = why->funnel;
        if (&request->asks[i] != why->ask)
            failure = allocate_funnel_fill(attempt, why->claim, &request->asks[i], &funnel);
        text_add(text, i ? "; or " : "");
        if (!failure)
            failure = allocate_funnel_add(attempt, &funnel, text);
    }
    return failure;
}

void allocate_near_class_add(const struct allocate_world *world, struct bytes class_name, struct text *text)
{
    struct nearest nearest = { .wanted = class_name };
    for (uint32_t i = 0; i < world->class_count && i < LIMIT_MATCH_NEAR; i++)
        near_consider(&nearest, world->classes[i].name);
    if (!nearest.found.data)
        return;
    text_add(text, "; ");
    near_add_words(text, nearest.found);
}

/* A name that may be meant, of the first class that is not given. */
static void add_near_class(const struct allocate_attempt *attempt, struct text *text)
{
    for (uint32_t i = 0; i < attempt->claims->count; i++)
        for (uint32_t j = 0; j < attempt->claims->list[i].request_count; j++) {
            const struct allocate_request *request = &attempt->claims->list[i].requests[j];
            const struct allocate_ask *ask = &request->asks[0];
            if (!request->ask_count || ask->class || !ask->class_name.length)
                continue;
            allocate_near_class_add(attempt->world, ask->class_name, text);
            return;
        }
}

/* On which device of the node a selector fails, and why. */
static enum failure add_failing_device(struct allocate_attempt *attempt, struct text *text)
{
    for (uint32_t i = 0; i < attempt->claims->count; i++)
        for (uint32_t j = 0; j < attempt->claims->list[i].request_count; j++)
            for (uint32_t k = 0; k < attempt->claims->list[i].requests[j].ask_count; k++) {
                const struct allocate_ask *ask = &attempt->claims->list[i].requests[j].asks[k];
                struct allocate_funnel funnel;
                enum failure failure =
                    ask->class ? allocate_funnel_fill(attempt, &attempt->claims->list[i], ask, &funnel) : FAILURE_NONE;
                if (failure || !ask->class || !funnel.counts[OBSTACLE_ERROR])
                    continue;
                text_add(text, ", on device ");
                text_add_escaped(text, funnel.first[OBSTACLE_ERROR]->name, LIMIT_ALLOCATE_NAME_BYTES);
                return allocate_error_cause_add(attempt, &funnel, text);
            }
    return FAILURE_NONE;
}

static enum failure say_error(struct allocate_attempt *attempt, enum allocate_outcome outcome, struct text *text)
{
    text_add(text, outcome == ALLOCATE_PANIC ? "the scheduler panics: " : "");
    text_add_escaped(text, bytes_of(attempt->error ? attempt->error : ""), 4 * LIMIT_ALLOCATE_NAME_BYTES);
    if (outcome == ALLOCATE_FATAL && attempt->unusable)
        allocate_pool_state_add(attempt->unusable, text);
    add_near_class(attempt, text);
    bool selector = attempt->error && strstr(attempt->error, ": CEL runtime error: ");
    enum failure failure = selector ? allocate_attempt_begin(attempt, attempt->claims, attempt->node) : FAILURE_NONE;
    return failure || !selector ? failure : add_failing_device(attempt, text);
}

/* What keeps the claims from the node, of whatever the search tries. */
static enum failure say_obstacles(struct allocate_attempt *attempt, struct text *text, struct allocate_why *why)
{
    enum failure failure = allocate_attempt_begin(attempt, attempt->claims, attempt->node);
    if (!failure)
        failure = find_lacking(attempt, why);
    if (failure || why->kind == NO_TOGETHER)
        return failure;
    return say_lacking(attempt, why, text);
}

/* A search that does not end may have a plain reason. */
static enum failure say_given_up(struct allocate_attempt *attempt, struct text *text, struct allocate_why *why)
{
    bool found = false;
    uint64_t steps = attempt->steps;
    text_add(text, "the search was given up after ");
    text_add_integer(text, (int64_t)steps);
    text_add(text, " steps; the scheduler gives up after 10 seconds, too: ");
    enum failure failure = say_obstacles(attempt, text, why);
    if (!failure && why->kind == NO_TOGETHER)
        failure = allocate_shortage_add(attempt, text, &found);
    if (!failure && why->kind == NO_TOGETHER && !found)
        *why = (struct allocate_why){ .kind = NO_ERROR };
    if (!found && why->kind == NO_ERROR)
        text_add(text, "there are too many ways to share out the devices");
    attempt->steps = steps;
    return failure;
}

enum failure allocate_why(struct allocate_attempt *attempt, enum allocate_outcome outcome, struct arena *arena, struct allocate_why *why)
{
    enum failure failure = FAILURE_NONE;
    struct text text;
    text_init(&text, arena);
    if (outcome == ALLOCATE_CANNOT || outcome == ALLOCATE_REFUSED) {
        failure = say_obstacles(attempt, &text, why);
        if (!failure && why->kind == NO_TOGETHER)
            failure = allocate_together_add(attempt, &text);
    } else if (outcome == ALLOCATE_GAVE_UP) {
        failure = say_given_up(attempt, &text, why);
    } else {
        *why = (struct allocate_why){ .kind = outcome == ALLOCATE_FATAL && attempt->unusable ? NO_POOL : NO_ERROR };
        failure = say_error(attempt, outcome, &text);
    }
    why->text = failure ? NULL : text_end(&text);
    return failure || why->text ? failure : arena->failure;
}
