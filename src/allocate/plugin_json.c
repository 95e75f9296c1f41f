#include "allocate/plugin_json.h"

#include "allocate/result.h"

static void member(struct text *json, const char *name, struct bytes value)
{
    text_add(json, ",\"");
    text_add(json, name);
    text_add(json, "\":");
    allocate_json_add_text(json, value);
}

/* ---- statuses ---- */

static void add_status(struct text *json, const struct allocate_status *status)
{
    text_add(json, "{\"code\":\"");
    text_add(json, allocate_code_name(status->code));
    text_add(json, "\"");
    if (status->reason) {
        text_add(json, ",\"reasons\":[");
        allocate_json_add_text(json, bytes_of(status->reason));
        text_add(json, "]");
    }
    text_add(json, "}");
}

static void status_member(struct text *json, const char *name, const struct allocate_status *status)
{
    if (!status->code)
        return;
    text_add(json, ",\"");
    text_add(json, name);
    text_add(json, "\":");
    add_status(json, status);
}

static void add_filter(struct text *json, const struct allocate_decision *decision)
{
    for (uint32_t i = 0; i < decision->verdict_count; i++) {
        text_add(json, i ? "," : ",\"filter\":{");
        allocate_json_add_text(json, decision->verdicts[i].node->given.name);
        text_add(json, ":");
        add_status(json, &decision->verdicts[i].status);
    }
    text_add(json, decision->verdict_count ? "}" : "");
}

static void add_scores(struct text *json, const struct allocate_decision *decision)
{
    bool first = true;
    if (decision->good < 2 || !decision->node)
        return;
    text_add(json, ",\"score\":{");
    for (uint32_t i = 0; i < decision->verdict_count; i++) {
        if (decision->verdicts[i].status.code)
            continue;
        text_add(json, first ? "" : ",");
        allocate_json_add_text(json, decision->verdicts[i].node->given.name);
        text_add(json, ":");
        text_add_integer(json, decision->verdicts[i].score);
        first = false;
    }
    text_add(json, "}");
}

/* ---- claims ---- */

/* An object's members but those that change from run to run, or have nothing in them. Returns whether there was one. */
static bool add_members(struct text *json, const struct doc_node *object, const char *const *but)
{
    bool some = false;
    doc_each(object, child) {
        bool left_out = child->type == DOC_NULL || (child->type == DOC_ARRAY && !child->count);
        for (uint32_t i = 0; but[i] && !left_out; i++)
            left_out = bytes_equal_text(doc_name(child), but[i]);
        if (left_out)
            continue;
        text_add(json, some ? "," : "");
        allocate_json_add_text(json, doc_name(child));
        text_add(json, ":");
        allocate_json_add(json, child);
        some = true;
    }
    return some;
}

static void add_finalizers(struct text *json, const struct allocate_stored *claim)
{
    bool first = true;
    const struct doc_node *given = allocate_claim_meta(claim->root, "finalizers");
    if (!claim->finalizer && !doc_first(given))
        return;
    text_add(json, ",\"finalizers\":[");
    doc_each(given, finalizer) {
        text_add(json, first ? "" : ",");
        allocate_json_add(json, finalizer);
        first = false;
    }
    if (claim->finalizer)
        text_add(json, first ? "\"resource.kubernetes.io/delete-protection\"" : ",\"resource.kubernetes.io/delete-protection\"");
    text_add(json, "]");
}

static void add_results(struct text *json, const struct doc_node *results)
{
    static const char *const but[] = { "shareID", NULL };
    uint32_t share = 0;
    doc_each(results, result) {
        text_add(json, result == doc_first(results) ? "\"results\":[{" : ",{");
        bool some = add_members(json, result, but);
        const struct doc_node *id = doc_member(result, "shareID");
        if (id && id->type != DOC_NULL) {
            text_add(json, some ? ",\"shareID\":\"share-" : "\"shareID\":\"share-");
            text_add_integer(json, share++);
            text_add(json, "\"");
        }
        text_add(json, "}");
    }
    text_add(json, doc_first(results) ? "]" : "");
}

static void add_allocation(struct text *json, const struct doc_node *allocation)
{
    static const char *const but[] = { "devices", "allocationTimestamp", NULL }, *const but_results[] = { "results", NULL };
    const struct doc_node *devices = doc_member(allocation, "devices");
    const struct doc_node *results = doc_member(devices, "results");
    text_add(json, "\"allocation\":{");
    bool some = add_members(json, allocation, but);
    text_add(json, some ? ",\"devices\":{" : "\"devices\":{");
    some = doc_first(results);
    add_results(json, results);
    size_t length = json->length;
    text_add(json, some ? "," : "");
    if (!add_members(json, devices, but_results))
        json->length = length;
    text_add(json, "}}");
}

static void add_consumers(struct text *json, const struct allocate_stored *claim)
{
    for (const struct allocate_consumer *consumer = claim->consumers; consumer; consumer = consumer->next) {
        text_add(json, consumer == claim->consumers ? "\"reservedFor\":[" : ",");
        if (consumer->given) {
            allocate_json_add(json, consumer->given);
            continue;
        }
        text_add(json, "{\"resource\":\"pods\"");
        member(json, "name", consumer->name);
        member(json, "uid", consumer->uid);
        text_add(json, "}");
    }
    text_add(json, claim->consumers ? "]" : "");
}

/* API servers write requests always. */
static void add_spec(struct text *json, const struct doc_node *devices)
{
    static const char *const but[] = { "requests", NULL };
    const struct doc_node *requests = doc_member(devices, "requests");
    text_add(json, "{\"devices\":{\"requests\":");
    if (requests)
        allocate_json_add(json, requests);
    else
        text_add(json, "null");
    size_t length = json->length;
    text_add(json, ",");
    if (!add_members(json, devices, but))
        json->length = length;
    text_add(json, "}}");
}

static void add_claim(struct text *json, const struct allocate_stored *claim)
{
    static const char *const but[] = { "name", "finalizers", "managedFields", "resourceVersion", NULL };
    const struct doc_node *meta = doc_member(claim->root.node, "metadata"), *spec = doc_member(claim->root.node, "spec");
    bool allocated = value_is_set(claim->allocation), devices = value_count(claim->devices);
    text_add(json, "{\"metadata\":{\"name\":");
    allocate_json_add_text(json, claim->name);
    size_t length = json->length;
    text_add(json, ",");
    if (!add_members(json, meta, but))
        json->length = length;
    add_finalizers(json, claim);
    text_add(json, "},\"spec\":");
    add_spec(json, doc_member(spec, "devices"));
    text_add(json, ",\"status\":{");
    if (allocated)
        add_allocation(json, claim->allocation.node);
    text_add(json, allocated && claim->consumers ? "," : "");
    add_consumers(json, claim);
    if (devices) {
        text_add(json, allocated || claim->consumers ? ",\"devices\":" : "\"devices\":");
        allocate_json_add(json, claim->devices.node);
    }
    text_add(json, "}}");
}

static enum failure add_claims(struct allocate_plugin *plugin, const struct allocate_pod *pod, struct text *json)
{
    struct allocate_stored **list;
    uint32_t count;
    enum failure failure = allocate_store_list(&plugin->store, &plugin->arena, pod->space, &list, &count);
    for (uint32_t i = 0; i < count && !failure; i++) {
        text_add(json, i ? "," : ",\"claims\":[");
        add_claim(json, list[i]);
    }
    text_add(json, count ? "]" : "");
    return failure;
}

static void add_extras(struct text *json, const struct allocate_decision *decision)
{
    text_add(json, ",\"extendedResourceClaimStatus\":{\"requestMappings\":[");
    for (const struct allocate_mapping *mapping = decision->extras->mappings; mapping; mapping = mapping->next) {
        text_add(json, mapping == decision->extras->mappings ? "{\"containerName\":" : ",{\"containerName\":");
        allocate_json_add_text(json, mapping->container);
        member(json, "resourceName", mapping->resource);
        member(json, "requestName", mapping->request->name);
        text_add(json, "}");
    }
    text_add(json, "]");
    member(json, "resourceClaimName", decision->extras_claim);
    text_add(json, "}");
}

/* ---- the whole ---- */

enum failure allocate_decision_add(struct allocate_plugin *plugin, const struct allocate_pod *pod, const struct allocate_decision *decision,
                                   struct text *json)
{
    const struct allocate_status score_error = { decision->score_fault ? ALLOCATE_ERROR : ALLOCATE_SUCCESS, decision->score_fault };
    enum failure failure = FAILURE_NONE;
    struct text key;
    text_init(&key, &plugin->arena);
    text_add_bytes(&key, pod->space);
    text_add(&key, "/");
    text_add_bytes(&key, pod->name);
    const char *name = text_end(&key);
    if (!name)
        return plugin->arena.failure;
    text_add(json, "{\"pod\":");
    allocate_json_add_text(json, bytes_of(name));
    status_member(json, "preEnqueue", &decision->pre_enqueue);
    status_member(json, "preFilter", &decision->pre_filter);
    add_filter(json, decision);
    add_scores(json, decision);
    status_member(json, "scoreError", &score_error);
    status_member(json, "postFilter", &decision->post_filter);
    if (decision->message)
        member(json, "message", bytes_of(decision->message));
    if (decision->node)
        member(json, "node", decision->node->given.name);
    status_member(json, "preBind", &decision->pre_bind);
    if (decision->panic)
        member(json, "panic", bytes_of(decision->panic));
    if (decision->wrote)
        failure = add_claims(plugin, pod, json);
    if (decision->extras)
        add_extras(json, decision);
    text_add(json, "}");
    return failure;
}

static enum failure add_pods(struct allocate_plugin *plugin, const struct doc_node *pods, struct text *json)
{
    enum failure failure = FAILURE_NONE;
    doc_each(pods, node) {
        const struct allocate_pod pod = allocate_pod_of(node);
        struct allocate_decision decision;
        if (failure)
            break;
        failure = allocate_plugin_run(plugin, &pod, &decision);
        text_add(json, node == doc_first(pods) ? "" : ",");
        if (!failure)
            failure = allocate_decision_add(plugin, &pod, &decision, json);
    }
    return failure;
}

enum failure allocate_pods_add(struct allocate_world *world, int64_t now, const struct value *claims, uint32_t claim_count,
                               const struct doc_node *pods, struct text *json)
{
    struct allocate_plugin plugin;
    enum failure failure = allocate_plugin_init(&plugin, world, now);
    for (uint32_t i = 0; i < claim_count && !failure; i++)
        failure = allocate_store_add(&plugin.store, claims[i]);
    text_add(json, "[");
    if (!failure)
        failure = add_pods(&plugin, pods, json);
    text_add(json, "]");
    allocate_plugin_done(&plugin);
    return failure;
}
