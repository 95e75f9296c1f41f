/* Reserve, PreBind and Unreserve. */
#include "allocate/plugin.h"
#include "allocate/result.h"
#include "match/device.h"

static const char finalizer[] = "resource.kubernetes.io/delete-protection";

enum { FIRST_NUMBER = 1000 }; /* of claims that are made */

struct binding {
    struct allocate_cycle *cycle;
    struct allocate_store *store;
    const struct allocate_pod *pod;
    struct allocate_extras extras;
    bool bound[LIMIT_ALLOCATE_CLAIMS];
    const char *fault; /* why it fails */
};

/* ---- the claim for extended resources ---- */

static void add_metadata(const struct binding *binding, struct text *json, uint64_t number)
{
    struct text prefix;
    text_init(&prefix, json->arena);
    text_add_bytes(&prefix, binding->pod->name);
    text_add(&prefix, "-extended-resources-");
    const char *begin = text_end(&prefix);
    struct text name;
    text_init(&name, json->arena);
    text_add(&name, begin ? begin : "");
    text_add(&name, "gen");
    text_add_integer(&name, (int64_t)number);
    const char *end = text_end(&name);
    text_add(json, "{\"metadata\":{\"name\":");
    allocate_json_add_text(json, bytes_of(end ? end : ""));
    text_add(json, ",\"generateName\":");
    allocate_json_add_text(json, bytes_of(begin ? begin : ""));
    text_add(json, ",\"namespace\":");
    allocate_json_add_text(json, binding->pod->space);
    text_add(json, ",\"uid\":\"uid-");
    text_add_integer(json, (int64_t)number);
    text_add(json, "\",\"annotations\":{\"resource.kubernetes.io/extended-resource-claim\":\"true\"},"
                   "\"ownerReferences\":[{\"apiVersion\":\"v1\",\"kind\":\"Pod\",\"name\":");
    allocate_json_add_text(json, binding->pod->name);
    text_add(json, ",\"uid\":");
    allocate_json_add_text(json, binding->pod->uid);
    text_add(json, ",\"controller\":true}]}");
}

/* Creates it. API servers draw its name at random; here it has a number. */
static enum failure make_special(struct binding *binding, uint32_t index)
{
    struct allocate_store *store = binding->store;
    struct value root;
    struct text json;
    text_init(&json, &store->arena);
    add_metadata(binding, &json, FIRST_NUMBER + ++store->writes);
    text_add(&json, ",\"spec\":{\"devices\":");
    allocate_extras_add_devices(&json, &binding->extras);
    text_add(&json, "}}");
    enum failure failure = allocate_claim_parse(store->world, &store->arena, &json, &root);
    if (!failure)
        failure = allocate_store_add(store, root);
    struct allocate_stored *made =
        failure ? NULL : allocate_store_find(store, binding->pod->space, doc_member_text(doc_member(root.node, "metadata"), "name"));
    if (made)
        binding->cycle->claims[index] = made;
    return failure || made ? failure : FAILURE_INTERNAL;
}

/* Tells the pod of it. */
static enum failure tell_pod(struct binding *binding, const struct allocate_stored *claim)
{
    struct allocate_decision *decision = binding->cycle->decision;
    struct text text;
    if (binding->extras.mappings) {
        decision->extras = &binding->extras;
        decision->extras_claim = claim->name;
        return FAILURE_NONE;
    }
    text_init(&text, &binding->cycle->plugin->arena);
    text_add(&text, "nil or empty request mappings, no update of pod ");
    text_add_bytes(&text, binding->pod->space);
    text_add(&text, "/");
    text_add_bytes(&text, binding->pod->name);
    text_add(&text, " ExtendedResourceClaimStatus");
    return allocate_text_end(&text, &binding->fault);
}

/* ---- one claim ---- */

static bool had_finalizer(const struct allocate_stored *claim)
{
    doc_each(allocate_claim_meta(claim->root, "finalizers"), given)
        if (given->type == DOC_STRING && bytes_equal_text(doc_text(given), finalizer))
            return true;
    return false;
}

/* An API server refuses it. */
static enum failure refuse_consumer(struct binding *binding, const struct allocate_stored *claim, bool allocated)
{
    struct text text;
    text_init(&text, &binding->cycle->plugin->arena);
    text_add(&text, allocated ? "add allocation and reservation to claim " : "add reservation to claim ");
    allocate_add_key(&text, claim->space, claim->name);
    text_add(&text, ": ResourceClaim.resource.k8s.io \"");
    text_add_bytes(&text, claim->name);
    text_add(&text, "\" is invalid: status.reservedFor: Too many: 257: must have at most 256 items");
    return allocate_text_end(&text, &binding->fault);
}

/* Allocation and reservation. again: the pod has the claim twice, and the later allocation replaces the one before. */
static enum failure update(struct binding *binding, struct allocate_stored *claim, const struct bytes *json, bool again)
{
    enum failure failure = FAILURE_NONE;
    if (claim->consumer_count >= LIMIT_ALLOCATE_CONSUMERS && !again)
        return refuse_consumer(binding, claim, json != NULL);
    if (json && !had_finalizer(claim) && (!claim->finalizer || again)) {
        claim->finalizer = true;
        binding->store->writes++;
    }
    if (json)
        failure = allocate_store_allocate(binding->store, claim, *json);
    if (!failure && !again)
        failure = allocate_store_reserve(binding->store, claim, binding->pod->name, binding->pod->uid);
    binding->store->writes++;
    return failure;
}

static bool was_bound(const struct binding *binding, uint32_t index)
{
    for (uint32_t i = 0; i < index; i++)
        if (binding->bound[i] && binding->cycle->claims[i] == binding->cycle->claims[index])
            return true;
    return false;
}

static enum failure bind_claim(struct binding *binding, uint32_t index, const struct bytes *json)
{
    struct allocate_cycle *cycle = binding->cycle;
    struct allocate_stored *claim = cycle->claims[index];
    bool special = allocate_is_special(cycle, claim), again = was_bound(binding, index);
    enum failure failure = FAILURE_NONE;
    if (!again && allocate_is_reserved(claim, binding->pod->uid))
        return FAILURE_NONE;
    if (special && !json && !value_is_set(match_at(claim->root, "spec.devices.requests")))
        return FAILURE_NONE;
    if (allocate_is_unmade(cycle, claim))
        failure = make_special(binding, index);
    claim = cycle->claims[index];
    binding->bound[index] = true;
    if (!failure)
        failure = update(binding, claim, json, again);
    return failure || !special || binding->fault ? failure : tell_pod(binding, claim);
}

/* ---- the whole ---- */

/* What fails after all is taken back, but for allocations. */
static void unreserve(struct binding *binding)
{
    struct allocate_cycle *cycle = binding->cycle;
    for (uint32_t i = 0; i < cycle->user_count; i++)
        if (value_is_set(cycle->claims[i]->allocation))
            allocate_store_unreserve(cycle->claims[i], binding->pod->uid);
    if (!allocate_has_special(cycle) || allocate_is_unmade(cycle, cycle->claims[cycle->user_count]))
        return;
    allocate_store_delete(binding->store, cycle->claims[cycle->user_count]);
    binding->store->writes++;
}

static void say_late(struct binding *binding, const struct allocate_stored *claim, bool late, struct text *text)
{
    bool old = binding->cycle->plugin->world->mode.old_words;
    text_add(text, late && old ? "claim " : "device binding timeout");
    text_add(text, old || !late ? "" : ": claim=");
    text_add_bytes(text, late ? claim->name : (struct bytes)BYTES(""));
    text_add(text, late && old ? " binding timeout" : "");
    text_add(text, late || old ? "" : ": context deadline exceeded");
}

/* A scheduler waits until all devices are ready; nothing changes here, so it waits in vain if they are not. */
static enum failure await(struct binding *binding)
{
    struct allocate_cycle *cycle = binding->cycle;
    bool some = false, ends = false;
    enum failure failure = FAILURE_NONE;
    for (uint32_t i = 0; i < cycle->count; i++)
        some |= allocate_has_conditions(cycle->claims[i]);
    for (uint32_t i = 0; i < cycle->count && some && !failure && !ends; i++) {
        struct allocate_readiness readiness;
        failure = allocate_is_ready(cycle, cycle->claims[i], &readiness);
        binding->fault = readiness.fault;
        ends = !readiness.ready || readiness.fault;
        if (failure || !ends || readiness.fault)
            continue;
        struct text text;
        text_init(&text, &cycle->plugin->arena);
        say_late(binding, cycle->claims[i], readiness.late, &text);
        cycle->decision->pre_bind.code = ALLOCATE_ERROR;
        failure = allocate_text_end(&text, &cycle->decision->pre_bind.reason);
        if (readiness.late)
            binding->fault = cycle->decision->pre_bind.reason;
    }
    return failure;
}

static enum failure take_result(struct binding *binding, uint32_t number, struct bytes *json)
{
    struct allocate_attempt *attempt = &binding->cycle->plugin->attempt;
    uint32_t share = 0;
    struct text text;
    text_init(&text, &attempt->arena);
    enum allocate_outcome outcome = allocate_result_add(attempt, &binding->cycle->asked.list[number], &share, &text);
    const char *end = text_end(&text);
    *json = (struct bytes){ end, (uint32_t)text.length };
    if (!outcome && end)
        return FAILURE_NONE;
    return attempt->arena.failure ? attempt->arena.failure : FAILURE_INTERNAL;
}

static enum failure bind_all(struct binding *binding)
{
    struct allocate_cycle *cycle = binding->cycle;
    struct bytes jsons[LIMIT_ALLOCATE_CLAIMS] = { { NULL, 0 } };
    bool made[LIMIT_ALLOCATE_CLAIMS] = { false };
    enum failure failure = FAILURE_NONE;
    uint32_t number = 0;
    for (uint32_t i = 0; i < cycle->count && !failure && !cycle->skipped; i++) {
        made[i] = !value_is_set(cycle->claims[i]->allocation);
        if (made[i])
            failure = take_result(binding, number++, &jsons[i]);
    }
    for (uint32_t i = 0; i < cycle->count && !failure && !binding->fault; i++)
        failure = bind_claim(binding, i, made[i] ? &jsons[i] : NULL);
    return failure;
}

enum failure allocate_bind(struct allocate_cycle *cycle, struct allocate_node *node)
{
    struct allocate_verdict verdict = { .node = node };
    struct binding *binding = arena_alloc(&cycle->plugin->arena, sizeof *binding);
    if (!binding)
        return cycle->plugin->arena.failure;
    *binding = (struct binding){ .cycle = cycle, .store = &cycle->plugin->store, .pod = cycle->pod };
    enum failure failure = allocate_filter(cycle, node, &verdict);
    if (!failure && cycle->has_needs)
        failure = allocate_extras_make(&cycle->needs, &cycle->plugin->arena, &binding->extras);
    if (!failure)
        failure = bind_all(binding);
    if (!failure && !binding->fault && cycle->plugin->world->mode.on.bind)
        failure = await(binding);
    if (!failure && binding->fault) {
        cycle->decision->pre_bind = (struct allocate_status){ ALLOCATE_ERROR, binding->fault };
        unreserve(binding);
    }
    return failure;
}
