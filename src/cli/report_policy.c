/* Findings as a cluster keeps them, for `kubectl apply`: a report for each namespace, and one for what is in none. The same in two APIs,
 * wgpolicyk8s.io and openreports.io, which differ in names alone. */
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "cli/report_part.h"
#include "schema/shape.h"

struct api {
    const char *version, *cluster_kind, *kind;
};

struct result {
    struct result *next;
    const char *json;
};

struct results {
    struct result *first, *last;
    uint32_t count; /* at most LIMIT_POLICY_RESULTS */
};

/* What is in a namespace, or in none. */
struct scope {
    struct scope *next;
    struct bytes space;
    size_t passed, failed, warned; /* objects without findings, errors, other findings */
    struct results errors, others;
};

struct state {
    const struct api *api;
    int64_t seconds;                   /* when it began, since 1970 */
    struct scope cluster, *first, *last; /* in the order in which they were met */
    struct map scopes;                 /* by namespace */
    uint32_t scope_count, kept;
    struct arena scratch;              /* for one source */
};

/* ---- scopes ---- */

/* Makes the map twice as large when it is full, so that all of them together are about one copy of it. */
static enum failure make_room(struct reporter *reporter, struct map_key key)
{
    struct state *state = reporter->state;
    if (state->scope_count < state->scopes.capacity)
        return FAILURE_NONE;
    enum failure failure = map_init(&state->scopes, &reporter->arena, state->scope_count ? 2 * state->scope_count : 64, key);
    for (struct scope *scope = state->first; scope && !failure; scope = scope->next)
        (void)map_add(&state->scopes, scope->space, scope);
    return failure;
}

static bool copy_space(struct arena *arena, struct bytes space, struct bytes *copy)
{
    char *data = arena_text(arena, space.length);
    *copy = (struct bytes){ data, space.length };
    return data && memcpy(data, space.data, space.length);
}

/* That of a namespace; NULL: the arena failed. A name that cannot be one belongs to the cluster. */
static struct scope *scope_of(struct reporter *reporter, struct workspace *workspace, struct bytes space)
{
    struct state *state = reporter->state;
    if (!space.length || space.length > LIMIT_POLICY_NAMESPACE_BYTES)
        return &state->cluster;
    struct scope *scope = state->scope_count ? map_find(&state->scopes, space) : NULL;
    if (scope)
        return scope;
    scope = arena_alloc(&reporter->arena, sizeof *scope);
    if (!scope || make_room(reporter, workspace->context->key))
        return NULL;
    *scope = (struct scope){ .next = NULL };
    if (!copy_space(&reporter->arena, space, &scope->space))
        return NULL;
    (void)map_add(&state->scopes, scope->space, scope);
    *(state->last ? &state->last->next : &state->first) = scope;
    state->last = scope;
    state->scope_count++;
    return scope;
}

/* The namespace in which kubectl puts an object. */
static struct bytes space_of(const struct item *item)
{
    static const struct bytes default_space = BYTES("default"), none = { "", 0 };
    if (!item->kind)
        return item->space;
    return !(item->kind->traits & KIND_NAMESPACED) ? none : item->space.length ? item->space : default_space;
}

/* ---- results ---- */

/* Text that is safe in YAML, too: what is no plain character is escaped. */
static bool add_words(struct workspace *workspace, cJSON *object, const char *name, struct bytes bytes, size_t limit)
{
    struct text text;
    text_init(&text, &workspace->arena);
    text_add_escaped(&text, bytes, limit);
    return json_add_text(object, name, text_end(&text));
}

static bool add_message(struct workspace *workspace, cJSON *object, const struct problem *problem)
{
    struct text text;
    text_init(&text, &workspace->arena);
    text_add_message(&text, problem);
    const char *words = text_end(&text);
    return words && add_words(workspace, object, "message", bytes_of(words), LIMIT_POLICY_MESSAGE_BYTES);
}

static bool add_resource(struct workspace *workspace, cJSON *object, const struct item *item)
{
    if (!item->kind_name.length)
        return true;
    cJSON *list = cJSON_AddArrayToObject(object, "resources"), *resource = list ? cJSON_CreateObject() : NULL;
    if (!resource || !cJSON_AddItemToArray(list, resource))
        return false;
    const struct bytes space = space_of(item), uid = doc_member_text(doc_member(item->node, "metadata"), "uid");
    return add_words(workspace, resource, "apiVersion", item->api_version, LIMIT_POLICY_WORDS_BYTES) &&
           add_words(workspace, resource, "kind", item->kind_name, LIMIT_POLICY_WORDS_BYTES) &&
           (!space.length || add_words(workspace, resource, "namespace", space, LIMIT_POLICY_NAMESPACE_BYTES)) &&
           add_words(workspace, resource, "name", item->name, LIMIT_POLICY_NAMESPACE_BYTES) &&
           (!uid.length || add_words(workspace, resource, "uid", uid, LIMIT_POLICY_WORDS_BYTES));
}

static bool add_properties(struct workspace *workspace, cJSON *object, const struct problem *problem)
{
    cJSON *properties = cJSON_AddObjectToObject(object, "properties");
    return properties && add_words(workspace, properties, "path", bytes_of(problem->path), LIMIT_POLICY_WORDS_BYTES) &&
           (!problem->hint || add_words(workspace, properties, "hint", bytes_of(problem->hint), LIMIT_POLICY_WORDS_BYTES)) &&
           add_words(workspace, properties, "file", bytes_of(problem->source->name), LIMIT_POLICY_WORDS_BYTES);
}

static bool fill(const struct state *state, struct workspace *workspace, cJSON *object, const struct problem *problem)
{
    static const char *const severities[] = { [SEVERITY_ERROR] = "high", [SEVERITY_WARNING] = "medium", [SEVERITY_INFO] = "info" };
    bool failed = problem->severity == SEVERITY_ERROR;
    cJSON *time = cJSON_AddObjectToObject(object, "timestamp");
    return cJSON_AddNumberToObject(time, "seconds", (double)state->seconds) && cJSON_AddNumberToObject(time, "nanos", 0) &&
           json_add_text(object, "source", "drawbridge") && json_add_text(object, "policy", "drawbridge") &&
           json_add_text(object, "rule", rule_info(problem->rule)->id) && json_add_text(object, "result", failed ? "fail" : "warn") &&
           json_add_text(object, "severity", severities[problem->severity]) && cJSON_AddBoolToObject(object, "scored", failed) &&
           add_message(workspace, object, problem) && add_resource(workspace, object, problem->item) &&
           add_properties(workspace, object, problem);
}

/* The text of a result, in the reporter's arena; NULL: no memory. */
static const char *result_text(struct reporter *reporter, struct workspace *workspace, const struct problem *problem)
{
    struct text text;
    cJSON *object = cJSON_CreateObject();
    workspace_clear(workspace);
    char *json = object && fill(reporter->state, workspace, object, problem) ? cJSON_PrintUnformatted(object) : NULL;
    cJSON_Delete(object);
    if (!json)
        return NULL;
    text_init(&text, &reporter->arena);
    text_add(&text, json);
    free(json);
    return text_end(&text);
}

static enum failure add_result(struct reporter *reporter, struct workspace *workspace, const struct problem *problem)
{
    struct state *state = reporter->state;
    bool failed = problem->severity == SEVERITY_ERROR;
    struct scope *scope = scope_of(reporter, workspace, space_of(problem->item));
    if (!scope)
        return reporter->arena.failure;
    struct results *results = failed ? &scope->errors : &scope->others;
    scope->failed += failed;
    scope->warned += !failed;
    if (results->count == LIMIT_POLICY_RESULTS || state->kept == LIMIT_POLICY_ALL_RESULTS)
        return FAILURE_NONE;
    struct result *result = arena_alloc(&reporter->arena, sizeof *result);
    const char *json = result ? result_text(reporter, workspace, problem) : NULL;
    if (!json)
        return reporter->arena.failure ? reporter->arena.failure : FAILURE_MEMORY;
    *result = (struct result){ .json = json };
    *(results->last ? &results->last->next : &results->first) = result;
    results->last = result;
    results->count++;
    state->kept++;
    return FAILURE_NONE;
}

/* ---- sources ---- */

/* Counts objects about which nothing is found, and takes note of namespaces: their reports say so, in place of what they said before. */
static enum failure pass_items(struct reporter *reporter, struct workspace *workspace, const struct source *source,
                               const struct by_item *by_item)
{
    for (const struct item *item = source->first; item; item = item->next) {
        uint32_t count;
        bool is_space = bytes_equal_text(item->kind_name, "Namespace") && bytes_equal_text(item->api_version, "v1");
        if (item->type != ITEM_OBJECT && !is_space)
            continue;
        struct scope *scope = scope_of(reporter, workspace, is_space ? item->name : space_of(item));
        if (!scope)
            return reporter->arena.failure;
        (void)by_item_find(by_item, item, &count);
        scope->passed += !count && !is_space;
    }
    return FAILURE_NONE;
}

static enum failure print(struct reporter *reporter, struct workspace *workspace, const struct source *source, const struct report *report)
{
    struct state *state = reporter->state;
    struct by_item by_item;
    arena_clear(&state->scratch);
    enum failure failure = by_item_make(&state->scratch, report, &by_item);
    if (!failure)
        failure = pass_items(reporter, workspace, source, &by_item);
    for (uint32_t i = 0; i < report->count && !failure; i++)
        failure = add_result(reporter, workspace, &report->problems[i]);
    return failure;
}

/* ---- reports ---- */

/* Those with errors first, then the others. */
static void print_results(FILE *out, const struct scope *scope, size_t most)
{
    const struct results *const all[] = { &scope->errors, &scope->others };
    fprintf(out, "results:%s\n", most ? "" : " []");
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        for (const struct result *result = all[i]->first; result && most; result = result->next, most--)
            fprintf(out, "- %s\n", result->json);
}

static bool fill_metadata(cJSON *metadata, const char *space, size_t left_out)
{
    char number[24];
    cJSON *labels = json_add_text(metadata, "name", "drawbridge") && (!*space || json_add_text(metadata, "namespace", space))
                        ? cJSON_AddObjectToObject(metadata, "labels") : NULL;
    if (!json_add_text(labels, "app.kubernetes.io/managed-by", "drawbridge") || !left_out)
        return labels;
    snprintf(number, sizeof number, "%zu", left_out);
    return json_add_text(cJSON_AddObjectToObject(metadata, "annotations"), "drawbridge.dev/results-left-out", number);
}

static enum failure print_scope(struct reporter *reporter, const char *kind, const struct scope *scope)
{
    FILE *out = reporter->out;
    const struct state *state = reporter->state;
    struct text space;
    cJSON *metadata = cJSON_CreateObject();
    text_init(&space, &reporter->arena);
    text_add_escaped(&space, scope->space, LIMIT_POLICY_NAMESPACE_BYTES);
    const char *name = text_end(&space);
    const size_t kept = (size_t)scope->errors.count + scope->others.count, most = kept < LIMIT_POLICY_RESULTS ? kept : LIMIT_POLICY_RESULTS;
    fprintf(out, "---\napiVersion: %s\nkind: %s\n", state->api->version, kind);
    bool good = metadata && name && fill_metadata(metadata, name, scope->failed + scope->warned - most);
    enum failure failure = json_print(out, "metadata: ", good, metadata);
    fprintf(out, "summary: {pass: %zu, fail: %zu, warn: %zu, error: 0, skip: 0}\n", scope->passed, scope->failed, scope->warned);
    print_results(out, scope, most);
    return failure;
}

static enum failure begin(struct reporter *reporter, const struct api *api)
{
    struct state *state = arena_alloc(&reporter->arena, sizeof *state);
    if (!state)
        return reporter->arena.failure;
    *state = (struct state){ .api = api, .seconds = clock_wall_seconds() };
    arena_init(&state->scratch, &memory_malloc, LIMIT_ARENA_BYTES);
    reporter->state = state;
    return FAILURE_NONE;
}

static enum failure end(struct reporter *reporter)
{
    const struct state *state = reporter->state;
    enum failure failure = print_scope(reporter, state->api->cluster_kind, &state->cluster);
    for (const struct scope *scope = state->first; scope && !failure; scope = scope->next)
        failure = print_scope(reporter, state->api->kind, scope);
    return failure;
}

static void done(struct reporter *reporter)
{
    struct state *state = reporter->state;
    if (state)
        arena_done(&state->scratch);
}

static enum failure begin_policy(struct reporter *reporter)
{
    static const struct api api = { "wgpolicyk8s.io/v1alpha2", "ClusterPolicyReport", "PolicyReport" };
    return begin(reporter, &api);
}

static enum failure begin_open(struct reporter *reporter)
{
    static const struct api api = { "openreports.io/v1alpha1", "ClusterReport", "Report" };
    return begin(reporter, &api);
}

const struct report_format report_policy_report = {
    .name = "policy-report", .begin = begin_policy, .report = print, .end = end, .done = done,
};
const struct report_format report_open_report = {
    .name = "open-report", .begin = begin_open, .report = print, .end = end, .done = done,
};
