/* Source: k8s.io/dynamic-resource-allocation v0.36.3 structured/internal/experimental/allocator_experimental.go, the end of Allocate. */
#include "allocate/result.h"

#include "match/device.h"

struct result_writer {
    struct allocate_attempt *attempt;
    const struct allocate_claim *claim;
    const struct allocate_results *results;
    struct text *json;
    uint32_t *share;
};

/* The ask of a request that was chosen. */
static const struct allocate_ask *chosen(const struct result_writer *w, const struct allocate_request *request)
{
    return &request->asks[w->attempt->prepared[request->asks[0].number].chosen];
}

static void member(struct text *json, const char *name, struct bytes value)
{
    text_add(json, ",\"");
    text_add(json, name);
    text_add(json, "\":");
    allocate_json_add_text(json, value);
}

static void member_tree(struct text *json, const char *name, struct value value)
{
    if (!value_count(value))
        return;
    text_add(json, ",\"");
    text_add(json, name);
    text_add(json, "\":");
    allocate_json_add(json, value.node);
}

/* "request", or "request/subrequest"; without quotes. Names of both need no escapes. */
static void add_name(struct text *json, const struct allocate_ask *ask)
{
    struct text name = *json;
    if (!ask->request->alternatives) {
        allocate_json_add_text(json, ask->name);
        return;
    }
    text_init(&name, json->arena);
    text_add_bytes(&name, ask->request->name);
    text_add(&name, "/");
    text_add_bytes(&name, ask->name);
    const char *end = text_end(&name);
    allocate_json_add_text(json, (struct bytes){ end ? end : "", end ? (uint32_t)name.length : 0 });
}

/* ---- devices ---- */

static void add_share(const struct result_writer *w, const struct allocate_result *result)
{
    const struct allocate_device *device = result->device;
    struct text *json = w->json;
    text_add(json, ",\"shareID\":\"share-");
    text_add_integer(json, (*w->share)++);
    text_add(json, "\"");
    for (uint32_t i = 0; i < device->capacity_count; i++) {
        struct amount taken = allocate_taken(w->attempt->world, &device->capacities[i], result->ask);
        text_add(json, i ? "," : ",\"consumedCapacity\":{");
        allocate_json_add_text(json, names_text(&w->attempt->world->names, device->capacities[i].name));
        text_add(json, ":\"");
        amount_add_text(json, &taken);
        text_add(json, "\"");
    }
    text_add(json, device->capacity_count ? "}" : "");
}

static void add_device(const struct result_writer *w, const struct allocate_result *result)
{
    const struct allocate_mode *mode = &w->attempt->world->mode;
    const struct allocate_device *device = result->device;
    struct text *json = w->json;
    text_add(json, "{\"request\":");
    add_name(json, result->ask);
    member(json, "driver", device->slice->pool->driver);
    member(json, "pool", device->slice->pool->name);
    member(json, "device", device->name);
    if (result->ask->admin && !result->ask->request->alternatives)
        text_add(json, ",\"adminAccess\":true");
    if (mode->with_tolerations)
        member_tree(json, "tolerations", result->ask->tolerations);
    if (mode->on.bind) {
        member_tree(json, "bindingConditions", match_at(device->value, "bindingConditions"));
        member_tree(json, "bindingFailureConditions", match_at(device->value, "bindingFailureConditions"));
    }
    if (mode->refuses_skipping)
        member_tree(json, "skipNodeOperations", device->slice->skipped);
    if (result->share)
        add_share(w, result);
    text_add(json, "}");
}

static void add_devices(const struct result_writer *w)
{
    text_add(w->json, "{\"devices\":{");
    for (uint32_t i = 0; i < w->results->count; i++) {
        text_add(w->json, i ? "," : "\"results\":[");
        add_device(w, &w->results->list[i]);
    }
    text_add(w->json, w->results->count ? "]" : "");
}

/* ---- configuration ---- */

static void add_entry(const struct result_writer *w, bool *first, const char *source)
{
    text_add(w->json, !*first ? "," : w->results->count ? ",\"config\":[" : "\"config\":[");
    text_add(w->json, source);
    *first = false;
}

static void add_members(struct text *json, struct value config, const char *but)
{
    doc_each(config.node, child) {
        if (bytes_equal_text(doc_name(child), but))
            continue;
        text_add(json, ",");
        allocate_json_add_text(json, doc_name(child));
        text_add(json, ":");
        allocate_json_add(json, child);
    }
    text_add(json, "}");
}

/* Whether a request before this one has the same class. */
static bool was_class(const struct result_writer *w, uint32_t request)
{
    const struct allocate_class *class = chosen(w, &w->claim->requests[request])->class;
    for (uint32_t i = 0; i < request; i++)
        if (chosen(w, &w->claim->requests[i])->class == class)
            return true;
    return false;
}

/* The names of the requests from `from` on that have its class; none where that is all requests, for releases that leave them out then. */
static void add_class_requests(const struct result_writer *w, uint32_t from)
{
    const struct allocate_class *class = chosen(w, &w->claim->requests[from])->class;
    bool all = !w->attempt->world->mode.config_repeats;
    for (uint32_t i = 0; i < w->claim->request_count && all; i++)
        all = chosen(w, &w->claim->requests[i])->class == class;
    text_add(w->json, "{\"source\":\"FromClass\"");
    if (all)
        return;
    text_add(w->json, ",\"requests\":[");
    for (uint32_t i = from; i < w->claim->request_count; i++) {
        const struct allocate_ask *ask = chosen(w, &w->claim->requests[i]);
        if (ask->class != class)
            continue;
        text_add(w->json, i == from ? "" : ",");
        add_name(w->json, ask);
    }
    text_add(w->json, "]");
}

static void add_class_config(const struct result_writer *w, bool *first)
{
    for (uint32_t i = 0; i < w->claim->request_count; i++) {
        if (was_class(w, i))
            continue;
        value_each(match_at(chosen(w, &w->claim->requests[i])->class->root, "spec.config"), config) {
            add_entry(w, first, "");
            add_class_requests(w, i);
            add_members(w->json, config, "");
        }
    }
}

static bool is_named(struct value names, const struct allocate_ask *ask)
{
    struct bytes request = ask->request->name;
    value_each(names, element) {
        struct bytes name = value_text(element);
        uint32_t length = request.length + 1 + ask->name.length;
        if (bytes_equal(name, request))
            return true;
        if (ask->request->alternatives && name.length == length && memcmp(name.data, request.data, request.length) == 0 &&
            name.data[request.length] == '/' && memcmp(name.data + request.length + 1, ask->name.data, ask->name.length) == 0)
            return true;
    }
    return false;
}

static void add_claim_config(const struct result_writer *w, bool *first)
{
    bool repeats = w->attempt->world->mode.config_repeats;
    value_each(match_at(w->claim->spec, "devices.config"), config) {
        struct value names = match_at(config, "requests");
        uint32_t named = 0;
        for (uint32_t i = 0; i < w->claim->request_count && value_count(names); i++)
            named += is_named(names, chosen(w, &w->claim->requests[i]));
        bool all = !value_count(names) || (!repeats && named == w->claim->request_count);
        for (uint32_t times = !value_count(names) ? 1 : repeats ? named : named > 0; times; times--) {
            add_entry(w, first, "{\"source\":\"FromClaim\"");
            add_members(w->json, config, all ? "requests" : "");
        }
    }
}

static void add_config(const struct result_writer *w)
{
    bool first = true;
    add_class_config(w, &first);
    add_claim_config(w, &first);
    text_add(w->json, first ? "}" : "]}");
}

/* ---- node selector ---- */

enum { REQUIREMENTS_MAX = 256 }; /* of a claim: 32 devices with a term each */

struct requirements {
    struct value list[REQUIREMENTS_MAX];
    uint32_t count;
};

static bool contains(struct value values, struct value text)
{
    value_each(values, element)
        if (bytes_equal(value_text(element), value_text(text)))
            return true;
    return false;
}

static bool same_set(struct value a, struct value b)
{
    value_each(a, element)
        if (!contains(b, element))
            return false;
    value_each(b, element)
        if (!contains(a, element))
            return false;
    return true;
}

static bool same_requirement(struct value a, struct value b)
{
    return bytes_equal(value_text(match_at(a, "key")), value_text(match_at(b, "key"))) &&
           bytes_equal(value_text(match_at(a, "operator")), value_text(match_at(b, "operator"))) &&
           same_set(match_at(a, "values"), match_at(b, "values"));
}

static void collect(struct requirements *requirements, struct value from)
{
    value_each(from, requirement) {
        uint32_t i = 0;
        while (i < requirements->count && !same_requirement(requirements->list[i], requirement))
            i++;
        if (i == requirements->count && i < REQUIREMENTS_MAX)
            requirements->list[requirements->count++] = requirement;
    }
}

static void add_requirements(struct text *json, const char *name, const struct requirements *requirements, bool *first)
{
    if (!requirements->count)
        return;
    text_add(json, *first ? "\"" : ",\"");
    text_add(json, name);
    text_add(json, "\":[");
    for (uint32_t i = 0; i < requirements->count; i++) {
        text_add(json, i ? "," : "");
        allocate_json_add(json, requirements->list[i].node);
    }
    text_add(json, "]");
    *first = false;
}

static void add_one_node(const struct result_writer *w, struct bytes name)
{
    text_add(w->json, ",\"nodeSelector\":{\"nodeSelectorTerms\":[{\"matchFields\":[{\"key\":\"metadata.name\",\"operator\":\"In\","
                      "\"values\":[");
    allocate_json_add_text(w->json, name);
    text_add(w->json, "]}]}]}");
}

static enum allocate_outcome refuse_terms(const struct result_writer *w, uint32_t count)
{
    struct text text;
    text_init(&text, &w->attempt->arena);
    text_add(&text, "create NodeSelector for claim ");
    text_add_bytes(&text, w->claim->name);
    text_add(&text, ": unsupported ResourceSlice.NodeSelector with ");
    text_add_integer(&text, count);
    text_add(&text, " terms");
    return allocate_error_end(w->attempt, ALLOCATE_FATAL, &text);
}

static enum allocate_outcome add_node_selector(const struct result_writer *w)
{
    struct requirements labels = { .count = 0 }, fields = { .count = 0 };
    bool rich = w->attempt->world->mode.rich, first = true;
    for (uint32_t i = 0; i < w->results->count; i++) {
        const struct allocate_device *device = w->results->list[i].device;
        const struct allocate_place *place = device->slice->by_device ? &device->place : &device->slice->place;
        struct value terms = match_at(match_at(place->at, "nodeSelector"), "nodeSelectorTerms");
        if (place->node.length || (rich && device->binds_to_node)) {
            add_one_node(w, rich ? w->attempt->node->given.name : place->node);
            return ALLOCATE_DONE;
        }
        if (value_count(terms) > 1)
            return refuse_terms(w, value_count(terms));
        collect(&labels, match_at(value_first(terms), "matchExpressions"));
        collect(&fields, match_at(value_first(terms), "matchFields"));
    }
    if (!labels.count && !fields.count)
        return ALLOCATE_DONE;
    text_add(w->json, ",\"nodeSelector\":{\"nodeSelectorTerms\":[{");
    add_requirements(w->json, "matchExpressions", &labels, &first);
    add_requirements(w->json, "matchFields", &fields, &first);
    text_add(w->json, "}]}");
    return ALLOCATE_DONE;
}

enum allocate_outcome allocate_result_add(struct allocate_attempt *attempt, const struct allocate_claim *claim, uint32_t *share,
                                          struct text *json)
{
    const struct result_writer w = { attempt, claim, &attempt->results[claim->index], json, share };
    add_devices(&w);
    add_config(&w);
    enum allocate_outcome outcome = add_node_selector(&w);
    text_add(json, "}");
    return outcome;
}
