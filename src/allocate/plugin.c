#include "allocate/plugin.h"

#include <stdlib.h>

#include "match/device.h"

static const char special_name[] = "<extended-resources>";

const char *allocate_code_name(enum allocate_code code)
{
    static const char *const names[] = { "Success", "Error", "Unschedulable", "UnschedulableAndUnresolvable", "Skip" };
    return names[code];
}

enum failure allocate_plugin_init(struct allocate_plugin *plugin, struct allocate_world *world, int64_t now)
{
    *plugin = (struct allocate_plugin){ .world = world, .now = now };
    allocate_store_init(&plugin->store, world);
    allocate_attempt_init(&plugin->attempt, world);
    arena_init(&plugin->arena, world->matching->workspace.context->memory, LIMIT_ALLOCATE_POD_BYTES);
    return allocate_extended_init(&plugin->extended, world);
}

void allocate_plugin_done(struct allocate_plugin *plugin)
{
    allocate_attempt_done(&plugin->attempt);
    allocate_store_done(&plugin->store);
    arena_done(&plugin->arena);
}

/* ---- before the nodes ---- */

static enum failure add_special(struct allocate_cycle *cycle)
{
    const struct allocate_pod *pod = cycle->pod;
    struct allocate_plugin *plugin = cycle->plugin;
    if (!plugin->world->mode.on.extended)
        return FAILURE_NONE;
    enum failure failure =
        allocate_needs_read(&plugin->extended, pod, plugin->defaults, &plugin->arena, &cycle->needs);
    if (failure || !cycle->needs.has_class || cycle->needs.too_many)
        return failure;
    cycle->has_needs = true;
    cycle->special = (struct allocate_stored){ .name = bytes_of(special_name), .space = pod->space };
    struct allocate_stored *found = allocate_store_find_owned(&plugin->store, pod->name, pod->uid);
    cycle->claims[cycle->count++] = found ? found : &cycle->special;
    return FAILURE_NONE;
}

static enum failure refuse(struct allocate_cycle *cycle, enum allocate_code code, struct text *text)
{
    cycle->decision->pre_filter.code = code;
    return allocate_text_end(text, &cycle->decision->pre_filter.reason);
}

/* `name` and `sub` are of the request, and its subrequest. */
static enum failure check_class(struct allocate_cycle *cycle, struct bytes class, struct bytes name, struct bytes sub)
{
    struct text text;
    if (class.length && allocate_class_named(cycle->plugin->world, class))
        return FAILURE_NONE;
    text_init(&text, &cycle->plugin->arena);
    text_add(&text, "request ");
    text_add_bytes(&text, name);
    text_add(&text, sub.data ? "/" : "");
    text_add_bytes(&text, sub);
    if (!class.length) {
        text_add(&text, ": unsupported request type");
        return refuse(cycle, ALLOCATE_ERROR, &text);
    }
    cycle->decision->missing_class = class;
    text_add(&text, ": device class ");
    text_add_bytes(&text, class);
    text_add(&text, " does not exist");
    return refuse(cycle, ALLOCATE_UNRESOLVABLE, &text);
}

static enum failure refuse_request(struct allocate_cycle *cycle, const struct allocate_stored *claim, struct bytes name, const char *why)
{
    struct text text;
    text_init(&text, &cycle->plugin->arena);
    text_add(&text, "resource claim ");
    allocate_add_key(&text, claim->space, claim->name);
    text_add(&text, ", request ");
    text_add_bytes(&text, name);
    text_add(&text, why);
    return refuse(cycle, ALLOCATE_UNRESOLVABLE, &text);
}

static enum failure check_request(struct allocate_cycle *cycle, const struct allocate_stored *claim, struct value request)
{
    struct bytes name = value_text(match_at(request, "name"));
    struct value exactly = match_at(request, "exactly"), list = match_at(request, "firstAvailable");
    enum failure failure = FAILURE_NONE;
    if (value_is_set(exactly))
        return check_class(cycle, value_text(match_at(exactly, "deviceClassName")), name, (struct bytes){ NULL, 0 });
    if (!value_count(list))
        return refuse_request(cycle, claim, name, ": unknown request type");
    if (!cycle->plugin->world->mode.on.list)
        return refuse_request(cycle, claim, name, ": has subrequests, but the DRAPrioritizedList feature is disabled");
    value_each(list, sub)
        if (!failure && !cycle->decision->pre_filter.code)
            failure = check_class(cycle, value_text(match_at(sub, "deviceClassName")), name, value_text(match_at(sub, "name")));
    return failure;
}

static enum failure check_claim(struct allocate_cycle *cycle, const struct allocate_stored *claim)
{
    enum failure failure = FAILURE_NONE;
    if (value_is_set(claim->allocation))
        return FAILURE_NONE;
    cycle->to_allocate++;
    if (allocate_is_special(cycle, claim))
        return FAILURE_NONE;
    value_each(match_at(claim->root, "spec.devices.requests"), request)
        if (!failure && !cycle->decision->pre_filter.code)
            failure = check_request(cycle, claim, request);
    return failure;
}

static enum failure pre_filter(struct allocate_cycle *cycle)
{
    struct allocate_status *status = &cycle->decision->pre_filter;
    cycle->user_count = cycle->count;
    enum failure failure = add_special(cycle);
    if (cycle->needs.too_many)
        *status = (struct allocate_status){ ALLOCATE_ERROR, "the pod has more containers or resources than can be simulated" };
    else if (!cycle->count)
        status->code = ALLOCATE_SKIP;
    for (uint32_t i = 0; i < cycle->count && !failure && !status->code; i++)
        failure = check_claim(cycle, cycle->claims[i]);
    return failure;
}

/* ---- when no node is left ---- */

/* A claim that is not available can be given up, if nobody else has it. */
static bool gives_up(struct allocate_cycle *cycle)
{
    for (uint32_t i = 0; i < cycle->user_count; i++) {
        struct allocate_stored *claim = cycle->claims[i];
        bool own = claim->consumer_count == 1 && bytes_equal(claim->consumers->uid, cycle->pod->uid);
        if (!cycle->unavailable[i] || (claim->consumer_count && !own))
            continue;
        allocate_store_deallocate(&cycle->plugin->store, claim);
        cycle->plugin->store.writes++;
        return true;
    }
    return false;
}

static const char *post_filter(struct allocate_cycle *cycle)
{
    struct allocate_store *store = &cycle->plugin->store;
    if (cycle->decision->pre_filter.code)
        return "no new claims to deallocate";
    if (gives_up(cycle))
        return "deallocation of ResourceClaim completed";
    if (!allocate_has_special(cycle) || allocate_is_unmade(cycle, cycle->claims[cycle->user_count]))
        return "still not schedulable";
    allocate_store_delete(store, cycle->claims[cycle->user_count]);
    store->writes++;
    return "deletion of ResourceClaim completed";
}

static int compare_texts(const void *a, const void *b)
{
    const char *const *one = a, *const *other = b;
    return strcmp(*one, *other);
}

/* "3 cannot allocate all claims" for each reason, sorted as texts. */
static enum failure count_reasons(struct allocate_cycle *cycle, struct text *message)
{
    struct arena *arena = &cycle->plugin->arena;
    uint32_t count = cycle->decision->verdict_count, different = 0;
    const char **reasons = arena_alloc(arena, count * sizeof(const char *) + 1);
    for (uint32_t i = 0; i < count && reasons; i++)
        reasons[i] = cycle->decision->verdicts[i].status.reason;
    if (!reasons)
        return arena->failure;
    qsort(reasons, count, sizeof(const char *), compare_texts);
    for (uint32_t from = 0, to = 0; from < count; from = to) {
        struct text text;
        text_init(&text, arena);
        while (to < count && strcmp(reasons[from], reasons[to]) == 0)
            to++;
        text_add_integer(&text, to - from);
        text_add(&text, " ");
        text_add(&text, reasons[from]);
        enum failure failure = allocate_text_end(&text, &reasons[different++]);
        if (failure)
            return failure;
    }
    qsort(reasons, different, sizeof(const char *), compare_texts);
    for (uint32_t i = 0; i < different; i++) {
        text_add(message, i ? ", " : " ");
        text_add(message, reasons[i]);
    }
    text_add(message, different ? "." : "");
    return FAILURE_NONE;
}

static enum failure unschedulable(struct allocate_cycle *cycle)
{
    struct allocate_decision *decision = cycle->decision;
    enum failure failure = FAILURE_NONE;
    struct text text;
    decision->post_filter = (struct allocate_status){ ALLOCATE_UNSCHEDULABLE, post_filter(cycle) };
    text_init(&text, &cycle->plugin->arena);
    text_add(&text, "0/");
    text_add_integer(&text, cycle->plugin->world->node_count);
    text_add(&text, " nodes are available:");
    if (decision->pre_filter.reason) {
        text_add(&text, " ");
        text_add(&text, decision->pre_filter.reason);
        text_add(&text, ".");
    } else {
        failure = count_reasons(cycle, &text);
        decision->wrote = true;
    }
    text_add(&text, " ");
    text_add(&text, decision->post_filter.reason);
    return failure ? failure : allocate_text_end(&text, &decision->message);
}

/* ---- the nodes ---- */

static enum failure filter_node(struct allocate_cycle *cycle, struct allocate_node *node, bool *stops)
{
    const struct allocate_visitor *visitor = &cycle->plugin->visitor;
    struct allocate_decision *decision = cycle->decision;
    struct allocate_verdict *verdict = &decision->verdicts[decision->verdict_count];
    *verdict = (struct allocate_verdict){ .node = node };
    bool known = visitor->knows && visitor->knows(visitor->self, cycle, node, verdict);
    enum failure failure = known ? FAILURE_NONE : allocate_filter(cycle, node, verdict);
    decision->verdict_count += !decision->panic;
    decision->good += !verdict->status.code && !decision->panic;
    decision->message = verdict->status.code == ALLOCATE_ERROR ? verdict->status.reason : NULL;
    if (!failure && visitor->look)
        failure = visitor->look(visitor->self, cycle, node, verdict, stops);
    *stops |= decision->message || decision->panic;
    return failure;
}

static enum failure filter_all(struct allocate_cycle *cycle)
{
    const struct allocate_visitor *visitor = &cycle->plugin->visitor;
    struct allocate_world *world = cycle->plugin->world;
    bool stops = false;
    cycle->decision->verdicts = arena_alloc(&cycle->plugin->arena, world->node_count * sizeof *cycle->decision->verdicts + 1);
    enum failure failure = cycle->decision->verdicts ? FAILURE_NONE : cycle->plugin->arena.failure;
    for (uint32_t i = 0; i < world->node_count && !failure && !stops; i++)
        if (!visitor->skips || !visitor->skips(visitor->self, &world->nodes[i]))
            failure = filter_node(cycle, &world->nodes[i], &stops);
    return failure;
}

/* Scales the scores so that the best one is 100. */
static void normalize(struct allocate_decision *decision)
{
    int64_t most = 0;
    for (uint32_t i = 0; i < decision->verdict_count; i++)
        if (!decision->verdicts[i].status.code && decision->verdicts[i].score > most)
            most = decision->verdicts[i].score;
    for (uint32_t i = 0; i < decision->verdict_count && most; i++)
        decision->verdicts[i].score = decision->verdicts[i].score * 100 / most;
}

static bool is_better(const struct allocate_verdict *a, const struct allocate_verdict *b)
{
    if (a->score != b->score)
        return a->score > b->score;
    return bytes_compare(a->node->given.name, b->node->given.name) < 0;
}

static void choose(struct allocate_decision *decision)
{
    const struct allocate_verdict *best = NULL;
    for (uint32_t i = 0; i < decision->verdict_count && decision->good > 1 && !decision->score_fault; i++)
        if (!decision->verdicts[i].status.code)
            decision->score_fault = decision->verdicts[i].score_fault;
    decision->message = decision->score_fault;
    if (decision->score_fault)
        return;
    normalize(decision);
    for (uint32_t i = 0; i < decision->verdict_count; i++) {
        const struct allocate_verdict *verdict = &decision->verdicts[i];
        if (!verdict->status.code && (!best || is_better(verdict, best)))
            best = verdict;
    }
    decision->node = best ? best->node : NULL;
}

static enum failure on_nodes(struct allocate_cycle *cycle)
{
    struct allocate_decision *decision = cycle->decision;
    struct allocate_world *world = cycle->plugin->world;
    enum failure failure = allocate_store_begin(&cycle->plugin->store);
    if (!failure)
        failure = filter_all(cycle);
    if (failure || decision->message || decision->panic)
        return failure;
    if (!decision->good)
        return unschedulable(cycle);
    choose(decision);
    if (!decision->node)
        return FAILURE_NONE;
    decision->wrote = true;
    return allocate_bind(cycle, &world->nodes[decision->node - world->nodes]);
}

static enum failure run(struct allocate_cycle *cycle)
{
    struct allocate_decision *decision = cycle->decision;
    struct allocate_pod_claims claims;
    enum failure failure =
        allocate_pod_claims(&cycle->plugin->store, cycle->pod, cycle->plugin->templates, &cycle->plugin->arena, &claims);
    if (failure)
        return failure;
    if (claims.fault) {
        decision->pre_enqueue = (struct allocate_status){ ALLOCATE_UNRESOLVABLE, claims.fault };
        decision->message = claims.fault;
        return FAILURE_NONE;
    }
    cycle->count = claims.count;
    memcpy(cycle->claims, claims.list, claims.count * sizeof(struct allocate_stored *));
    failure = pre_filter(cycle);
    if (failure || decision->pre_filter.code == ALLOCATE_SKIP)
        return failure;
    if (decision->pre_filter.code == ALLOCATE_UNRESOLVABLE)
        return unschedulable(cycle);
    decision->message = decision->pre_filter.reason;
    return decision->pre_filter.code ? FAILURE_NONE : on_nodes(cycle);
}

enum failure allocate_plugin_run(struct allocate_plugin *plugin, const struct allocate_pod *pod, struct allocate_decision *decision)
{
    *decision = (struct allocate_decision){ .wrote = false };
    arena_clear(&plugin->arena);
    struct allocate_cycle *cycle = arena_alloc(&plugin->arena, sizeof *cycle);
    if (!cycle)
        return plugin->arena.failure;
    *cycle = (struct allocate_cycle){ .plugin = plugin, .pod = pod, .decision = decision };
    arena_init(&cycle->reading, plugin->arena.memory, LIMIT_ALLOCATE_POD_BYTES);
    enum failure failure = run(cycle);
    arena_done(&cycle->reading);
    return failure;
}
