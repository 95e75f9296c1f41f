#include "allocate/line.h"

#include "allocate/plugin_json.h"
#include "allocate/result.h"
#include "base/limits.h"
#include "doc/json.h"
#include "match/limits.h"
#include "object/object.h"
#include "schema/kind.h"

static const struct bytes resource_group = BYTES("resource.k8s.io"), core_group = BYTES("");

struct line {
    struct document document;
    struct match_world matching;
    struct arena arena;  /* of the document and of claims */
    minor version;
    int64_t now;
    const char *error;   /* why it is no world; NULL: it is one */
    struct allocate_objects objects;
    const struct value *claims, *allocated;
    uint32_t claim_count, allocated_count;
};

/* ---- reading ---- */

/* Reads the objects of a list of the line. */
static enum failure read_list(struct line *line, const char *name, const struct kind *kind, const struct value **list, uint32_t *count)
{
    const struct doc_node *nodes = doc_member(line->document.root, name);
    uint32_t room = nodes && nodes->type == DOC_ARRAY ? nodes->count : 0;
    struct value *made = arena_alloc(&line->matching.workspace.arena, room * sizeof *made + 1);
    if (nodes && nodes->type != DOC_ARRAY && nodes->type != DOC_NULL)
        line->error = "nodes, claims, classes, slices, taintRules and allocatedClaims are lists";
    if (!made || !kind)
        return made ? FAILURE_INTERNAL : line->matching.workspace.arena.failure;
    *list = made;
    *count = 0;
    for (const struct doc_node *node = room ? nodes->first : NULL; node; node = node->next) {
        struct check_result result;
        object_bind(line->version, kind->shape, node);
        enum failure failure = match_canonical(&line->matching.workspace, &line->document, kind->shape, node, line->version, &result,
                                               &made[*count]);
        if (failure)
            return failure;
        if (!value_is_set(made[*count]))
            line->error = result.findings.first ? result.findings.first->message : "an object has values of wrong types";
        *count += value_is_set(made[*count]);
    }
    return FAILURE_NONE;
}

static enum failure read_lists(struct line *line)
{
    const struct bytes v1 = BYTES("v1");
    const struct kind *claim = kind_find(resource_group, v1, (struct bytes)BYTES("ResourceClaim"));
    struct allocate_objects *objects = &line->objects;
    enum failure failure = read_list(line, "nodes", kind_find(core_group, v1, (struct bytes)BYTES("Node")), &objects->nodes,
                                     &objects->node_count);
    if (!failure)
        failure = read_list(line, "slices", kind_find(resource_group, v1, (struct bytes)BYTES("ResourceSlice")), &objects->slices,
                            &objects->slice_count);
    if (!failure)
        failure = read_list(line, "classes", kind_find(resource_group, v1, (struct bytes)BYTES("DeviceClass")), &objects->classes,
                            &objects->class_count);
    if (!failure)
        failure = read_list(line, "taintRules", kind_newest(resource_group, (struct bytes)BYTES("DeviceTaintRule"), line->version),
                            &objects->rules, &objects->rule_count);
    if (!failure)
        failure = read_list(line, "claims", claim, &line->claims, &line->claim_count);
    return failure ? failure : read_list(line, "allocatedClaims", claim, &line->allocated, &line->allocated_count);
}

/* ---- gates and variant ---- */

/* Names for several gates at once. */
static const struct feature_set {
    const char *name;
    const char *gates;
} feature_sets[] = {
    { "all", "DRAAdminAccess DRAConsumableCapacity DRADeviceBindingConditions DRAResourceClaimDeviceStatus DRADeviceTaints "
             "DRAPartitionableDevices DRAPrioritizedList" },
    { "default-1.35", "DRAAdminAccess DRAPrioritizedList DRAResourceClaimDeviceStatus" },
    { "default-1.36", "DRAAdminAccess DRAConsumableCapacity DRADeviceBindingConditions DRAResourceClaimDeviceStatus DRADeviceTaints "
                      "DRAPartitionableDevices DRAPrioritizedList DRAExtendedResource" },
};

static const struct feature {
    const char *gate;
    size_t at; /* in struct allocate_features */
    minor since;
} features[] = {
    { "DRAAdminAccess", offsetof(struct allocate_features, admin), 35 },
    { "DRAPrioritizedList", offsetof(struct allocate_features, list), 35 },
    { "DRAPartitionableDevices", offsetof(struct allocate_features, part), 35 },
    { "DRADeviceTaints", offsetof(struct allocate_features, taints), 35 },
    { "DRAConsumableCapacity", offsetof(struct allocate_features, consume), 35 },
    { "DRAListTypeAttributes", offsetof(struct allocate_features, lists), 36 },
    { "DRAFractionalCapacityRange", offsetof(struct allocate_features, fraction), 37 },
    { "DRADerivedAttributes", offsetof(struct allocate_features, derive), 37 },
    { "DRAOptionalNodeOperations", offsetof(struct allocate_features, operations), 37 },
    { "DRADeviceCompatibilityGroups", offsetof(struct allocate_features, groups), 37 },
    { "DRAExtendedResource", offsetof(struct allocate_features, extended), 35 },
};

/* Whether the gate is in the list, by its name or in a set. */
static bool is_on(const struct doc_node *list, const char *gate)
{
    doc_each(list, element) {
        struct bytes name = element->type == DOC_STRING ? doc_text(element) : (struct bytes)BYTES("");
        if (bytes_equal_text(name, gate))
            return true;
        for (size_t i = 0; i < sizeof feature_sets / sizeof *feature_sets; i++)
            if (bytes_equal_text(name, feature_sets[i].name) && strstr(feature_sets[i].gates, gate))
                return true;
    }
    return false;
}

static struct allocate_features features_of(const struct line *line, const struct gate_settings *settings)
{
    const struct doc_node *list = doc_member(line->document.root, "features");
    struct allocate_features on = { .rules = true };
    if (!list || list->type != DOC_ARRAY)
        return allocate_features_of(settings, line->version);
    for (size_t i = 0; i < sizeof features / sizeof *features; i++)
        *(bool *)((char *)&on + features[i].at) = line->version >= features[i].since && is_on(list, features[i].gate);
    on.bind = is_on(list, "DRADeviceBindingConditions") && is_on(list, "DRAResourceClaimDeviceStatus");
    return on;
}

static struct allocate_mode mode_of(const struct line *line, const struct gate_settings *settings)
{
    struct allocate_features on = features_of(line, settings);
    struct bytes variant = doc_member_text(line->document.root, "variant");
    for (unsigned i = 0; i <= ALLOCATE_EXPERIMENTAL; i++)
        if (bytes_equal_text(variant, allocate_variant_name(i)))
            return allocate_mode_of_variant(line->version, on, i);
    return allocate_mode_of(line->version, on);
}

/* ---- what is allocated ---- */

/* "driver/pool/device", and after it perhaps "/share". */
static struct allocate_identity *identity_of(struct allocate_world *world, struct bytes text)
{
    const char *first = text.length ? memchr(text.data, '/', text.length) : NULL;
    const char *last = first ? text.data + text.length - 1 : NULL;
    while (last && last > first && *last != '/')
        last--;
    if (!first || last == first)
        return NULL;
    const struct bytes driver = { text.data, (uint32_t)(first - text.data) };
    const struct bytes pool = { first + 1, (uint32_t)(last - first - 1) };
    const struct bytes device = { last + 1, (uint32_t)(text.data + text.length - last - 1) };
    return allocate_identity_of(world, driver, pool, device);
}

static struct bytes without_share(struct bytes text)
{
    while (text.length && text.data[text.length - 1] != '/')
        text.length--;
    text.length -= text.length != 0;
    return text;
}

/* The state as upstream's tests give it, without claims. */
static enum failure hold_state(struct allocate_world *world, const struct doc_node *state)
{
    struct allocate_identity *identity;
    enum failure failure = FAILURE_NONE;
    doc_each(doc_member(state, "devices"), device)
        if (device->type == DOC_STRING && (identity = identity_of(world, doc_text(device))))
            identity->taken = true;
    doc_each(doc_member(state, "shared"), device)
        if (device->type == DOC_STRING && (identity = identity_of(world, without_share(doc_text(device)))))
            identity->shared = true;
    doc_each(doc_member(state, "capacity"), parts)
        if (!failure && (identity = identity_of(world, doc_name(parts))))
            failure = allocate_identity_use(world, identity, (struct value){ NULL, parts, 0 });
    return failure ? failure : world->scratch.failure;
}

static enum failure hold(const struct line *line, struct allocate_world *world)
{
    enum failure failure = FAILURE_NONE;
    for (uint32_t i = 0; i < line->allocated_count && !failure; i++)
        failure = allocate_world_hold(world, NULL, match_at(line->allocated[i], "status.allocation"));
    return failure ? failure : hold_state(world, doc_member(line->document.root, "allocated"));
}

/* ---- the answer ---- */

static enum allocate_outcome add_results(struct allocate_attempt *attempt, const struct allocate_claims *claims, struct text *answer)
{
    enum allocate_outcome outcome = ALLOCATE_DONE;
    struct text results;
    uint32_t share = 0;
    text_init(&results, &attempt->arena);
    for (uint32_t i = 0; i < claims->count && !outcome; i++) {
        text_add(&results, i ? "," : "");
        outcome = allocate_result_add(attempt, &claims->list[i], &share, &results);
    }
    const char *end = text_end(&results);
    if (outcome || !end)
        return outcome ? outcome : allocate_fail(attempt, attempt->arena.failure);
    text_add(answer, ",\"ok\":true,\"results\":[");
    text_add_bytes(answer, (struct bytes){ end, (uint32_t)results.length });
    text_add(answer, "]");
    return ALLOCATE_DONE;
}

static enum failure answer_node(struct allocate_attempt *attempt, const struct allocate_claims *claims, struct allocate_node *node,
                                struct text *answer)
{
    enum allocate_outcome outcome = allocate_attempt_run(attempt, claims, node);
    text_add(answer, "{\"node\":");
    allocate_json_add_text(answer, node->given.name);
    if (!outcome && claims->count)
        outcome = add_results(attempt, claims, answer);
    if (outcome || !claims->count)
        text_add(answer, ",\"ok\":false");
    if (outcome == ALLOCATE_FAILED)
        return attempt->failure;
    if (outcome == ALLOCATE_GAVE_UP)
        attempt->error = "filter operation aborted: context deadline exceeded";
    if (attempt->error && outcome) {
        text_add(answer, ",\"error\":");
        allocate_json_add_text(answer, bytes_of(attempt->error));
    }
    text_add(answer, outcome == ALLOCATE_REFUSED ? ",\"onNode\":true" : "");
    text_add(answer, outcome == ALLOCATE_PANIC ? ",\"panic\":true" : "");
    text_add(answer, ",\"calls\":");
    text_add_integer(answer, (int64_t)attempt->steps);
    text_add(answer, "}");
    return FAILURE_NONE;
}

static enum failure answer_nodes(struct line *line, struct allocate_world *world, struct text *answer)
{
    struct allocate_attempt attempt;
    struct allocate_claims claims;
    allocate_attempt_init(&attempt, world);
    enum failure failure = allocate_claims_read(world, &line->arena, line->claims, line->claim_count, false, &claims);
    for (uint32_t i = 0; i < world->node_count && !failure; i++) {
        text_add(answer, i ? "," : "");
        failure = answer_node(&attempt, &claims, &world->nodes[i], answer);
    }
    allocate_attempt_done(&attempt);
    return failure;
}

static enum failure answer_claims(struct line *line, struct allocate_world *world, struct text *answer)
{
    enum failure failure = hold(line, world);
    text_add(answer, ",\"variant\":\"");
    text_add(answer, allocate_variant_name(world->mode.variant));
    text_add(answer, "\",\"nodes\":[");
    if (!failure)
        failure = answer_nodes(line, world, answer);
    text_add(answer, "]");
    return failure;
}

static enum failure answer_pods(struct line *line, struct allocate_world *world, const struct doc_node *pods, struct text *answer)
{
    text_add(answer, ",\"pods\":");
    return allocate_pods_add(world, line->now, line->claims, line->claim_count, pods, answer);
}

static enum failure answer_world(struct line *line, const struct gate_settings *settings, struct text *answer)
{
    struct allocate_world world;
    struct allocate_mode mode = mode_of(line, settings);
    enum failure failure = allocate_world_init(&world, &line->matching, &mode, &line->objects);
    const struct doc_node *pods = doc_member(line->document.root, "pods");
    if (!failure)
        failure = pods ? answer_pods(line, &world, pods, answer) : answer_claims(line, &world, answer);
    text_add(answer, "}");
    allocate_world_done(&world);
    return failure;
}

/* ---- the whole ---- */

static enum failure read_line(struct line *line, const struct context *context, struct bytes text)
{
    const struct json_input input = {
        .source = text, .alone = true, .profile = JSON_STRICT, .lists = true, .arena = &line->arena, .key = context->key,
    };
    struct doc_error error;
    uint32_t end;
    line->error = "";
    enum failure failure = json_read(&input, &line->document, &end, &error);
    if (failure == FAILURE_SYNTAX)
        line->error = error.message;
    else if (!failure && line->document.root->type != DOC_OBJECT)
        line->error = "not an object";
    else if (!failure)
        line->error = NULL;
    if (failure || line->error)
        return failure == FAILURE_SYNTAX ? FAILURE_NONE : failure;
    return read_lists(line);
}

static enum failure answer_line(struct line *line, const struct context *context, const struct gate_settings *settings, struct bytes text,
                                struct text *answer)
{
    enum failure failure = read_line(line, context, text);
    if (failure)
        return failure;
    text_add(answer, "{\"id\":");
    allocate_json_add_text(answer, line->document.root ? doc_member_text(line->document.root, "id") : (struct bytes)BYTES(""));
    if (!line->error)
        return answer_world(line, settings, answer);
    text_add(answer, ",\"error\":");
    allocate_json_add_text(answer, bytes_of(line->error));
    text_add(answer, "}");
    return FAILURE_NONE;
}

enum failure allocate_line_answer(const struct context *context, minor version, const struct gate_settings *settings, int64_t now,
                                  struct bytes line, struct text *answer)
{
    static const struct match_bounds bounds = {
        .objects = LIMIT_ALLOCATE_WORLD_BYTES, .values = LIMIT_MATCH_VALUES, .work = LIMIT_ALLOCATE_EVALUATION,
    };
    struct line reading = { .version = version, .now = now };
    arena_init(&reading.arena, context->memory, LIMIT_ALLOCATE_WORLD_BYTES);
    enum failure failure =
        match_world_init_within(&reading.matching, context, NULL, version, (struct bytes){ NULL, 0 }, &bounds);
    if (!failure)
        failure = answer_line(&reading, context, settings, line, answer);
    match_world_done(&reading.matching);
    arena_done(&reading.arena);
    return failure;
}
