/* Whether the devices that fit are enough: together, and on one node. */
#include "match/limits.h"
#include "match/node.h"
#include "match/report.h"

/* Devices on a node, or those that are on every one. */
struct on_node {
    struct on_node *next;
    struct bytes name;
    uint32_t fit;
    bool blocked; /* with mode All: a device that should be taken cannot be, or a pool cannot be used */
};

struct supply {
    struct match_report *report;
    const struct match_request *request;
    struct arena *arena;
    struct map map;
    struct on_node *nodes, everywhere;
};

static struct on_node *find_node(struct supply *supply, struct bytes name)
{
    struct on_node *node = map_find(&supply->map, name);
    if (node)
        return node;
    node = arena_alloc(supply->arena, sizeof *node);
    if (!node)
        return NULL;
    *node = (struct on_node){ .next = supply->nodes, .name = name };
    supply->nodes = node;
    (void)map_add(&supply->map, name, node);
    return node;
}

static void count_on(struct on_node *node, const struct match_verdict *verdict)
{
    const unsigned pools = 1u << MATCH_INCOMPLETE | 1u << MATCH_INVALID;
    unsigned reasons = verdict->also | 1u << verdict->reason;
    node->fit += verdict->reason == MATCH_FITS;
    node->blocked |= verdict->reason == MATCH_TAINTED || (reasons & pools) != 0;
}

/* A device of a slice with a node selector: on the nodes that are given and selected; if none is given, it may be on any. */
static enum failure count_selected(struct supply *supply, uint32_t device)
{
    struct match_world *world = supply->report->world;
    const struct match_verdict *verdict = &supply->request->verdicts[device];
    enum failure failure = FAILURE_NONE;
    if (!world->node_count)
        count_on(&supply->everywhere, verdict);
    for (uint32_t i = 0; i < world->node_count && !failure; i++) {
        bool on = false;
        failure = match_on_node(world, match_location(&world->devices[device]), world->all_nodes[i].name, &world->all_nodes[i], &on);
        struct on_node *node = on ? find_node(supply, world->all_nodes[i].name) : NULL;
        if (node)
            count_on(node, verdict);
    }
    return failure;
}

static enum failure count_devices(struct supply *supply)
{
    const struct match_world *world = supply->report->world;
    enum failure failure = FAILURE_NONE;
    for (uint32_t i = 0; i < world->device_count && !failure; i++) {
        const struct match_device *device = &world->devices[i];
        struct bytes bound = match_bound_to(device);
        enum match_reason reason = supply->request->verdicts[i].reason;
        if (reason == MATCH_OLD_SLICE || reason == MATCH_OTHER_NODE)
            continue;
        bool here = supply->report->world->node.data || value_is_true(match_at(match_location(device), "allNodes"));
        struct on_node *node = here ? &supply->everywhere : bound.data ? find_node(supply, bound) : NULL;
        if (node)
            count_on(node, &supply->request->verdicts[i]);
        else
            failure = count_selected(supply, i);
    }
    return failure ? failure : supply->arena->failure;
}

/* Errors that are met: devices of pools that cannot be used are not looked at. */
static bool meets_error(const struct match_report *report, const struct match_request *request)
{
    const unsigned pools = 1u << MATCH_INCOMPLETE | 1u << MATCH_INVALID;
    for (uint32_t i = 0; i < report->world->device_count; i++)
        if (request->verdicts[i].reason == MATCH_ERROR && !(request->verdicts[i].also & pools))
            return true;
    return false;
}

static enum match_outcome outcome_on(const struct supply *supply, const struct on_node *node)
{
    const struct match_request *request = supply->request;
    bool everywhere = node == &supply->everywhere;
    int64_t fit = (int64_t)node->fit + (everywhere ? 0 : supply->everywhere.fit);
    if (request->all && (node->blocked || supply->everywhere.blocked))
        return MATCH_KEPT_OUT;
    if ((request->all ? fit : request->wanted) > LIMIT_MATCH_DEVICES)
        return MATCH_TOO_MANY;
    return fit >= (request->all ? 1 : request->wanted) ? MATCH_ENOUGH : MATCH_TOO_FEW;
}

static void decide(const struct supply *supply, struct match_request *request)
{
    bool enough = false, kept_out = false, too_many = false;
    const struct on_node *best = NULL;
    for (const struct on_node *node = supply->nodes; node; node = node->next) {
        enum match_outcome outcome = outcome_on(supply, node);
        enough |= outcome == MATCH_ENOUGH;
        kept_out |= outcome == MATCH_KEPT_OUT;
        too_many |= outcome == MATCH_TOO_MANY;
        if (!best || node->fit > best->fit || (node->fit == best->fit && bytes_compare(node->name, best->name) < 0))
            best = node;
    }
    enum match_outcome everywhere = outcome_on(supply, &supply->everywhere);
    enough |= everywhere == MATCH_ENOUGH && !(request->all && best);
    kept_out |= everywhere == MATCH_KEPT_OUT;
    too_many |= everywhere == MATCH_TOO_MANY;
    request->best = best ? best->name : request->best;
    request->on_best = (best ? best->fit : 0) + supply->everywhere.fit;
    if (meets_error(supply->report, request))
        request->outcome = MATCH_ABORTED;
    else if (enough)
        request->outcome = MATCH_ENOUGH;
    else if (kept_out)
        request->outcome = MATCH_KEPT_OUT;
    else if (too_many)
        request->outcome = MATCH_TOO_MANY;
    else
        request->outcome = !request->all && request->counts[MATCH_FITS] >= request->wanted ? MATCH_SPREAD : MATCH_TOO_FEW;
}

enum failure match_supply(struct match_report *report, struct match_request *request)
{
    struct match_world *world = report->world;
    struct supply supply = { .report = report, .request = request, .arena = &world->scratch };
    arena_clear(supply.arena);
    enum failure failure = map_init(&supply.map, supply.arena, world->device_count + world->node_count, world->workspace.context->key);
    if (!failure)
        failure = count_devices(&supply);
    if (!failure)
        decide(&supply, request);
    return failure;
}
