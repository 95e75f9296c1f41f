#include "lint/naming.h"

#include "base/limits.h"
#include "base/text.h"

/* Whether names may be held against the kind: of the others only some fields are known, and their groups have more kinds. */
static bool is_ours(const struct kind *kind)
{
    return !(kind->traits & KIND_PARTIAL);
}

/* The kind that an item means, as far as one can tell. */
static const struct kind *meant(const struct item *item, struct api_version api)
{
    const struct kind *found = NULL;
    for (size_t i = 0; i < kind_count; i++) {
        const struct kind *kind = &kinds[i];
        bool same_kind = hint_is_near(kind->kind, item->kind_name);
        bool group = bytes_equal(kind->group, api.group) || hint_is_near(kind->group, api.group);
        bool no_group = api.group.length == 0 && (api.version.length ? bytes_equal(kind->kind, item->kind_name) : same_kind);
        if (is_ours(kind) && ((same_kind && group) || no_group))
            found = found && kind_same(found, kind) && bytes_equal(found->version, api.version) ? found : kind;
    }
    return found;
}

static bool has_rules(struct bytes group)
{
    for (size_t i = 0; i < kind_count; i++)
        if (is_ours(&kinds[i]) && bytes_equal(kinds[i].group, group))
            return true;
    return false;
}

static struct problem about(const struct item *item, const char *member, enum rule rule)
{
    const struct doc_node *node = doc_member(item->node, member);
    const struct doc_node *where = node ? node : item->node;
    return (struct problem){
        .source = item->source, .item = item, .rule = rule, .reason = rule_info(rule)->reason, .path = member, .message = reason_info(rule_info(rule)->reason)->words,
        .offset = where->offset, .size = node ? node->size : 0,
    };
}

static const char *ask(struct arena *arena, struct bytes first, const char *between, struct bytes second)
{
    struct text text;
    text_init(&text, arena);
    text_add(&text, "did you mean \"");
    text_add_bytes(&text, first);
    text_add(&text, between);
    text_add_bytes(&text, second);
    text_add(&text, "\"?");
    return text_end(&text);
}

/* "Unsupported value: "x": there is no such … " */
static const char *unsupported(struct arena *arena, struct bytes value, const char *why)
{
    struct text text;
    text_init(&text, arena);
    text_add(&text, reason_info(REASON_NOT_SUPPORTED)->words);
    text_add(&text, ": ");
    text_add_quoted(&text, value, LIMIT_ECHO_BYTES);
    text_add(&text, ": ");
    text_add(&text, why);
    return text_end(&text);
}

/* Appends ": use group/version", the newest API version of the kind that is served. */
static void add_instead(struct text *text, const struct item *item, struct bytes group, struct bytes kind, minor version)
{
    const struct kind *newest = kind_newest(group, kind, version);
    struct api_version own = api_version_split(item->api_version);
    if (!newest || (bytes_equal(newest->version, own.version) && bytes_equal(newest->group, own.group)))
        return;
    text_add(text, ": use ");
    if (newest->successor) {
        text_add(text, newest->successor);
        return;
    }
    text_add_bytes(text, newest->group);
    text_add(text, "/");
    text_add_bytes(text, newest->version);
}

static const char *not_served(struct arena *arena, const struct item *item, minor version)
{
    struct text text;
    struct versions served = item->kind->served;
    text_init(&text, arena);
    text_add(&text, version < served.since ? "served since Kubernetes 1." : "served until Kubernetes 1.");
    text_add_integer(&text, version < served.since ? served.since : served.until);
    text_add(&text, ", judged as 1.");
    text_add_integer(&text, version);
    add_instead(&text, item, item->kind->group, item->kind->kind, version);
    const char *why = text_end(&text);
    return why ? unsupported(arena, item->api_version, why) : NULL;
}

/* An API version that a cluster can only have from a CustomResourceDefinition. */
static void outlived(const struct item *item, struct arena *arena, struct problem *problem)
{
    struct text text;
    text_init(&text, arena);
    text_add_quoted(&text, item->api_version, LIMIT_ECHO_BYTES);
    text_add(&text, " is served by no Kubernetes any more, at most by a CustomResourceDefinition: ");
    text_add(&text, item->kind->successor);
    text_add(&text, " replaces it");
    *problem = about(item, "apiVersion", RULE_SERVED);
    problem->severity = SEVERITY_WARNING;
    problem->message = text_end(&text);
}

/* An API version that is served, and will not be for ever. */
static bool deprecated(const struct item *item, minor version, struct arena *arena, const struct api_end *end, struct problem *problem)
{
    if (!end || !end->deprecated || version < end->deprecated)
        return false;
    struct text text;
    text_init(&text, arena);
    text_add_quoted(&text, item->api_version, LIMIT_ECHO_BYTES);
    text_add(&text, " is deprecated since Kubernetes 1.");
    text_add_integer(&text, end->deprecated);
    add_instead(&text, item, end->group, end->kind, version);
    *problem = about(item, "apiVersion", RULE_DEPRECATED);
    problem->severity = SEVERITY_WARNING;
    problem->message = text_end(&text);
    problem->hint = end->change;
    return true;
}

/* An API version without rules of its own that API servers have had. */
static void ended(const struct item *item, minor version, struct arena *arena, const struct api_end *end, struct problem *problem)
{
    struct text text;
    text_init(&text, arena);
    text_add(&text, version <= end->last && end->change != api_end_same ? "no rules are known for it; served until Kubernetes 1." : "served until Kubernetes 1.");
    text_add_integer(&text, end->last);
    text_add(&text, ", judged as 1.");
    text_add_integer(&text, version);
    add_instead(&text, item, end->group, end->kind, version);
    const char *why = text_end(&text);
    *problem = about(item, "apiVersion", RULE_SERVED);
    problem->message = why ? unsupported(arena, item->api_version, why) : NULL;
    problem->severity = version <= end->last ? SEVERITY_WARNING : SEVERITY_ERROR;
    problem->hint = end->change;
}

static bool object_problem(const struct item *item, minor version, struct arena *arena, struct problem *problem)
{
    struct api_version api = api_version_split(item->api_version);
    const struct api_end *end = api_end_find(api.group, api.version, item->kind_name);
    if (end && !bytes_equal(api.version, item->kind->version)) { /* judged as another one, of the same shape */
        ended(item, version, arena, end, problem);
        return true;
    }
    if (item->kind->successor) {
        outlived(item, arena, problem);
        return true;
    }
    if (versions_include(item->kind->served, version))
        return deprecated(item, version, arena, end, problem);
    *problem = about(item, "apiVersion", RULE_SERVED);
    problem->message = not_served(arena, item, version);
    problem->hint = end ? end->change : NULL;
    return true;
}

static const char *no_such_version(struct arena *arena, const struct item *item, const struct kind *kind, minor version)
{
    struct text text;
    text_init(&text, arena);
    text_add(&text, "the kind is not served in this API version");
    add_instead(&text, item, kind->group, kind->kind, version);
    const char *why = text_end(&text);
    return why ? unsupported(arena, item->api_version, why) : NULL;
}

/* A document that is a list: of objects, which kubectl does not take, or of a patch's operations. */
static bool list_problem(const struct item *item, struct problem *problem)
{
    const struct doc_node *first = item->node->first;
    bool patch = doc_member(first, "op") && doc_member(first, "path");
    *problem = about(item, "", RULE_TYPE);
    problem->message = patch ? "this looks like a patch for kustomize: lint what kustomize builds" : "Invalid value: a list: must be an object";
    problem->hint = patch ? NULL : "objects in one list belong below items, in an object of apiVersion v1 and kind List";
    problem->severity = patch ? SEVERITY_WARNING : SEVERITY_ERROR;
    return patch || (doc_member(first, "kind") && doc_member(first, "apiVersion"));
}

/* A List, or one of objects of a kind with rules, by its name. */
static bool is_list(const struct item *item)
{
    static const struct bytes list = BYTES("List");
    struct bytes name = item->kind_name;
    if (name.length < list.length || memcmp(name.data + name.length - list.length, list.data, list.length) != 0)
        return false;
    name.length -= list.length;
    const struct kind *kind = name.length ? kind_find_api_version(item->api_version, name) : NULL;
    return name.length == 0 || (kind && is_ours(kind));
}

static void no_such_kind(const struct item *item, struct arena *arena, struct problem *problem)
{
    *problem = about(item, "kind", RULE_SERVED);
    problem->message = unsupported(arena, item->kind_name, "the API group has no such kind");
}

/* A name that comes near to that of a kind, or an API version that it does not have. */
static void misnamed(const struct item *item, const struct kind *kind, minor version, struct arena *arena, struct problem *problem)
{
    if (!item->api_version.length) {
        const struct kind *newest = kind_newest(kind->group, kind->kind, version);
        *problem = about(item, "apiVersion", RULE_REQUIRED);
        problem->hint = ask(arena, kind->group, "/", newest ? newest->version : kind->version);
    } else if (!bytes_equal(kind->kind, item->kind_name)) {
        no_such_kind(item, arena, problem);
        problem->hint = ask(arena, kind->kind, "", (struct bytes){ "", 0 });
    } else {
        *problem = about(item, "apiVersion", RULE_SERVED);
        problem->message = no_such_version(arena, item, kind, version);
    }
}

/* An object of a kind without rules, as it is written. */
static bool other_problem(const struct item *item, minor version, struct arena *arena, struct problem *problem)
{
    struct api_version api = api_version_split(item->api_version);
    bool in_group = api.group.length && has_rules(api.group);
    if (!item->kind_name.length) {
        *problem = about(item, "kind", RULE_REQUIRED);
        return in_group;
    }
    const struct api_end *end = api_end_find(api.group, api.version, item->kind_name);
    if (!end && !kind_newest(api.group, item->kind_name, version)) /* of a kind that has ended in every version */
        end = api_end_find(api.group, (struct bytes){ NULL, 0 }, item->kind_name);
    if (end) {
        ended(item, version, arena, end, problem);
        return true;
    }
    const struct kind *kind = meant(item, api);
    if (kind)
        misnamed(item, kind, version, arena, problem);
    else
        no_such_kind(item, arena, problem);
    return kind || in_group; /* a group whose kinds are all known has no other */
}

bool naming_problem(const struct item *item, minor version, struct arena *arena, struct problem *problem)
{
    if (item->type == ITEM_OBJECT)
        return object_problem(item, version, arena, problem);
    if (item->kind)
        return false;
    if (item->node->type == DOC_ARRAY)
        return list_problem(item, problem);
    if (!is_list(item))
        return other_problem(item, version, arena, problem);
    *problem = about(item, "items", RULE_REQUIRED); /* they would be here in its place */
    return true;
}
