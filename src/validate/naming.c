#include "validate/naming.h"

#include "base/limits.h"
#include "base/near.h"
#include "base/text.h"
#include "doc/place.h"
#include "schema/lifecycle.h"
#include "validate/fix.h"

/* Whether names are compared with the kind's. Not with those of partial kinds: their groups have kinds that are not known here. */
static bool is_complete(const struct kind *kind)
{
    return !(kind->traits & KIND_PARTIAL);
}

/* The kind that an item was probably meant to be of; NULL: none. */
static const struct kind *guess_kind(const struct item *item, struct api_version api)
{
    const struct kind *found = NULL;
    for (size_t i = 0; i < kind_count; i++) {
        const struct kind *kind = &kinds[i];
        bool same_kind = near_is_typo(kind->kind, item->kind_name);
        bool group = bytes_equal(kind->group, api.group) || near_is_typo(kind->group, api.group);
        bool no_group = api.group.length == 0 && (api.version.length ? bytes_equal(kind->kind, item->kind_name) : same_kind);
        if (is_complete(kind) && ((same_kind && group) || no_group))
            found = found && kind_same(found, kind) && bytes_equal(found->version, api.version) ? found : kind;
    }
    return found;
}

/* The kind of exactly that name, in any group. */
static const struct kind *kind_in_any_group(struct bytes name)
{
    for (size_t i = 0; i < kind_count; i++)
        if (is_complete(&kinds[i]) && bytes_equal(kinds[i].kind, name))
            return &kinds[i];
    return NULL;
}

static bool is_known_group(struct bytes group)
{
    for (size_t i = 0; i < kind_count; i++)
        if (is_complete(&kinds[i]) && bytes_equal(kinds[i].group, group))
            return true;
    return false;
}

/* A problem at a member of the item, or at the item if it does not have that member. */
static struct problem problem_at(const struct item *item, const char *member, enum rule rule)
{
    const struct doc_node *node = doc_member(item->node, member);
    enum reason reason = rule_info(rule)->reason;
    struct doc_place place = node ? doc_place(item->document, node) : doc_place_of_root(item->document, item->node);
    return (struct problem){
        .source = item->source,
        .item = item,
        .rule = rule,
        .reason = reason,
        .path = member,
        .message = reason_info(reason)->words,
        .offset = place.offset,
        .size = place.size,
    };
}

/* did you mean "<first><between><second>"? */
static const char *did_you_mean(struct arena *arena, struct bytes first, const char *between, struct bytes second)
{
    struct text meant, text;
    text_init(&meant, arena);
    text_add_bytes(&meant, first);
    text_add(&meant, between);
    text_add_bytes(&meant, second);
    const char *whole = text_end(&meant);
    text_init(&text, arena);
    near_add_words(&text, bytes_of(whole ? whole : ""));
    return text_end(&text);
}

/* "Unsupported value: "x": there is no such … " */
static const char *unsupported(struct arena *arena, struct bytes value, const char *why)
{
    struct text text;
    text_init(&text, arena);
    text_add(&text, reason_info(REASON_NOT_SUPPORTED)->words);
    text_add(&text, ": ");
    text_add_quoted(&text, value, LIMIT_QUOTE_BYTES);
    text_add(&text, ": ");
    text_add(&text, why);
    return text_end(&text);
}

/* Appends ": use group/version": the newest API version of the kind that is served. */
static void add_replacement(struct text *text, const struct item *item, struct bytes group, struct bytes kind, minor version)
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

/* The version that was asked for. Of several, the report says for which of them the problem is; in other words each would have its own. */
static void add_asked(struct text *text, const struct validate_settings *settings)
{
    if (settings->versions)
        return;
    text_add(text, ", validated as 1.");
    text_add_integer(text, settings->version);
}

/* Why the API version is not served. */
static const char *not_served(struct arena *arena, const struct item *item, const struct validate_settings *settings)
{
    struct text text;
    text_init(&text, arena);
    text_add(&text, "served by Kubernetes ");
    text_add(&text, versions_words(item->kind->served).text);
    add_asked(&text, settings);
    add_replacement(&text, item, item->kind->group, item->kind->kind, settings->version);
    const char *why = text_end(&text);
    return why ? unsupported(arena, item->api_version, why) : NULL;
}

/* An API version that a cluster can only have by a CustomResourceDefinition. */
static void only_by_crd(const struct item *item, struct arena *arena, struct problem *problem)
{
    struct text text;
    text_init(&text, arena);
    text_add_quoted(&text, item->api_version, LIMIT_QUOTE_BYTES);
    text_add(&text, " is no longer part of Kubernetes, only a CustomResourceDefinition can serve it: use ");
    text_add(&text, item->kind->successor);
    *problem = problem_at(item, "apiVersion", RULE_SERVED);
    problem->severity = SEVERITY_WARNING;
    problem->message = text_end(&text);
}

/* An API version that is served, but deprecated. Returns whether it is. */
static bool deprecated(const struct item *item, minor version, struct arena *arena, const struct api_end *end, struct problem *problem)
{
    if (!end || !end->deprecated || version < end->deprecated)
        return false;
    struct text text;
    text_init(&text, arena);
    text_add_quoted(&text, item->api_version, LIMIT_QUOTE_BYTES);
    text_add(&text, " is deprecated since Kubernetes 1.");
    text_add_integer(&text, end->deprecated);
    add_replacement(&text, item, end->group, end->kind, version);
    *problem = problem_at(item, "apiVersion", RULE_DEPRECATED);
    problem->severity = SEVERITY_WARNING;
    problem->message = text_end(&text);
    problem->hint = end->change;
    return true;
}

/* An API version that API servers had once, and that has no rules of its own. */
static void ended(const struct item *item, const struct validate_settings *settings, struct arena *arena, const struct api_end *end,
                  struct problem *problem)
{
    const minor version = settings->version;
    struct text text;
    text_init(&text, arena);
    if (version <= end->last && end->change != api_end_same)
        text_add(&text, "no rules are known for it; ");
    text_add(&text, "served by Kubernetes ");
    text_add(&text, versions_words((struct versions){ .until = end->last }).text);
    add_asked(&text, settings);
    add_replacement(&text, item, end->group, end->kind, version);
    const char *why = text_end(&text);
    *problem = problem_at(item, "apiVersion", RULE_SERVED);
    problem->message = why ? unsupported(arena, item->api_version, why) : NULL;
    problem->severity = version <= end->last ? SEVERITY_WARNING : SEVERITY_ERROR;
    problem->hint = end->change;
}

bool naming_is_later(const struct item *item, const struct validate_settings *settings)
{
    const struct kind *kind = item->kind;
    return kind->served.since > settings->version && !kind_newest(kind->group, kind->kind, settings->version) &&
           !api_end_find(kind->group, (struct bytes){ NULL, 0 }, kind->kind);
}

/* A kind that only later versions have. */
static void later(const struct item *item, const struct validate_settings *settings, struct arena *arena, struct problem *problem)
{
    struct text text;
    text_init(&text, arena);
    text_add_quoted(&text, item->kind_name, LIMIT_QUOTE_BYTES);
    text_add(&text, " is a kind of Kubernetes ");
    text_add(&text, versions_words(item->kind->served).text);
    add_asked(&text, settings);
    text_add(&text, ": skipped");
    *problem = problem_at(item, "kind", RULE_SERVED);
    problem->severity = SEVERITY_WARNING;
    problem->message = text_end(&text);
}

static bool object_problem(const struct item *item, const struct validate_settings *settings, struct arena *arena, struct problem *problem)
{
    const minor version = settings->version;
    struct api_version api = api_version_split(item->api_version);
    const struct api_end *end = api_end_find(api.group, api.version, item->kind_name);
    if (end && !bytes_equal(api.version, item->kind->version)) { /* it has the shape of a newer version, and is validated as that */
        ended(item, settings, arena, end, problem);
        return true;
    }
    if (item->kind->successor) {
        only_by_crd(item, arena, problem);
        return true;
    }
    if (versions_include(item->kind->served, version))
        return deprecated(item, version, arena, end, problem);
    if (naming_is_later(item, settings)) {
        later(item, settings, arena, problem);
        return true;
    }
    *problem = problem_at(item, "apiVersion", RULE_SERVED);
    problem->message = not_served(arena, item, settings);
    problem->hint = end ? end->change : NULL;
    return true;
}

static const char *no_such_version(struct arena *arena, const struct item *item, const struct kind *kind, minor version)
{
    struct text text;
    text_init(&text, arena);
    text_add(&text, "the kind is not served in this API version");
    add_replacement(&text, item, kind->group, kind->kind, version);
    const char *why = text_end(&text);
    return why ? unsupported(arena, item->api_version, why) : NULL;
}

/* A document that is a list: of objects, which kubectl does not accept, or of the operations of a patch. */
static bool list_problem(const struct item *item, struct problem *problem)
{
    const struct doc_node *first = item->node->first;
    bool patch = doc_member(first, "op") && doc_member(first, "path");
    *problem = problem_at(item, "", RULE_TYPE);
    problem->message = patch ? "this looks like a patch for kustomize: lint the output of kustomize build"
                             : "Invalid value: a list: must be an object";
    problem->hint = patch ? NULL : "put the objects below items, in an object of apiVersion v1 and kind List";
    problem->severity = patch ? SEVERITY_WARNING : SEVERITY_ERROR;
    return patch || (doc_member(first, "kind") && doc_member(first, "apiVersion"));
}

/* Whether the item is a List, or a list of a kind with rules (CSIDriverList), by its name. */
static bool is_list(const struct item *item)
{
    static const struct bytes list = BYTES("List");
    struct bytes name = item->kind_name;
    if (name.length < list.length || memcmp(name.data + name.length - list.length, list.data, list.length) != 0)
        return false;
    name.length -= list.length;
    const struct kind *kind = name.length ? kind_find_api_version(item->api_version, name) : NULL;
    return name.length == 0 || (kind && is_complete(kind));
}

static void no_such_kind(const struct item *item, struct arena *arena, struct problem *problem)
{
    *problem = problem_at(item, "kind", RULE_SERVED);
    problem->message = unsupported(arena, item->kind_name, "the API group has no such kind");
}

/* A kind of another API group. */
static void in_other_group(const struct item *item, const struct kind *kind, minor version, struct arena *arena, struct problem *problem)
{
    const struct kind *newest = kind_newest(kind->group, kind->kind, version);
    struct text text;
    text_init(&text, arena);
    text_add(&text, "the apiVersion of this kind is \"");
    text_add_bytes(&text, kind->group);
    text_add(&text, "/");
    text_add_bytes(&text, newest ? newest->version : kind->version);
    text_add(&text, "\"");
    no_such_kind(item, arena, problem);
    problem->hint = text_end(&text);
}

/* A kind that newer API servers may have. */
static void unknown_kind(const struct item *item, struct bytes group, struct arena *arena, struct problem *problem)
{
    struct text text;
    text_init(&text, arena);
    text_add_quoted(&text, item->kind_name, LIMIT_QUOTE_BYTES);
    text_add(&text, " is not a kind of ");
    text_add_bytes(&text, group);
    text_add(&text, " that this version of drawbridge knows: skipped");
    *problem = problem_at(item, "kind", RULE_SERVED);
    problem->severity = SEVERITY_WARNING;
    problem->message = text_end(&text);
}

/* The kind's name, if nothing but upper and lower case differs, and the API version has it. */
static const struct problem_fix *fix_kind(const struct item *item, const struct kind *kind, struct arena *arena)
{
    const struct nearest nearest = { .wanted = item->kind_name };
    struct nearest found = nearest;
    struct api_version api = api_version_split(item->api_version);
    near_consider(&found, kind->kind);
    bool sure = found.found.data && !found.distance && kind_find(api.group, api.version, kind->kind);
    return sure ? fix_of_string(arena, item->document, doc_member(item->node, "kind"), kind->kind) : NULL;
}

/* No API version, a name that is nearly that of `kind`, or an API version that `kind` does not have. */
static void misnamed(const struct item *item, const struct kind *kind, const struct validate_settings *settings, struct arena *arena,
                     struct problem *problem)
{
    const minor version = settings->version;
    if (!item->api_version.length) {
        const struct kind *newest = kind_newest(kind->group, kind->kind, version);
        *problem = problem_at(item, "apiVersion", RULE_REQUIRED);
        problem->hint = did_you_mean(arena, kind->group, "/", newest ? newest->version : kind->version);
    } else if (!bytes_equal(kind->kind, item->kind_name)) {
        no_such_kind(item, arena, problem);
        problem->hint = did_you_mean(arena, kind->kind, "", (struct bytes){ "", 0 });
        problem->fix = settings->fixes ? fix_kind(item, kind, arena) : NULL;
    } else {
        *problem = problem_at(item, "apiVersion", RULE_SERVED);
        problem->message = no_such_version(arena, item, kind, version);
    }
}

/* The member that is meant to be the apiVersion, of what else looks like an object; NULL: there is none. */
static const struct doc_node *misspelt_api_version(const struct item *item)
{
    static const struct bytes name = BYTES("apiVersion");
    if (item->api_version.length || !item->kind_name.length || !doc_member(item->node, "metadata") || doc_member(item->node, name.data))
        return NULL;
    doc_each(item->node, member)
        if (near_is_typo(doc_name(member), name))
            return member;
    return NULL;
}

/* Kubernetes' names of members are case-sensitive, so such an object has no API version. */
static void misspelt(const struct item *item, const struct doc_node *member, struct arena *arena, struct problem *problem)
{
    struct doc_place place = doc_place_of_name(item->document, doc_name(member), member->name_offset);
    *problem = problem_at(item, "apiVersion", RULE_REQUIRED);
    problem->offset = place.offset;
    problem->size = place.size;
    problem->hint = did_you_mean(arena, bytes_of("apiVersion"), "", bytes_of(""));
}

/* The problem of an object whose apiVersion and kind name no kind with rules. Returns false when it is of no concern here. */
static bool other_problem(const struct item *item, const struct validate_settings *settings, struct arena *arena, struct problem *problem)
{
    const minor version = settings->version;
    struct api_version api = api_version_split(item->api_version);
    bool in_group = api.group.length && is_known_group(api.group);
    const struct doc_node *meant = misspelt_api_version(item);
    if (meant) {
        misspelt(item, meant, arena, problem);
        return true;
    }
    if (!item->kind_name.length) {
        *problem = problem_at(item, "kind", RULE_REQUIRED);
        return in_group;
    }
    const struct api_end *end = api_end_find(api.group, api.version, item->kind_name);
    if (!end && !kind_newest(api.group, item->kind_name, version)) /* no version of the kind is served any more */
        end = api_end_find(api.group, (struct bytes){ NULL, 0 }, item->kind_name);
    if (end) {
        ended(item, settings, arena, end, problem);
        return true;
    }
    const struct kind *kind = guess_kind(item, api), *other_group = in_group ? kind_in_any_group(item->kind_name) : NULL;
    if (kind)
        misnamed(item, kind, settings, arena, problem);
    else if (other_group)
        in_other_group(item, other_group, version, arena, problem);
    else
        unknown_kind(item, api.group, arena, problem);
    return kind || in_group;
}

bool naming_problem(const struct item *item, const struct validate_settings *settings, struct arena *arena, struct problem *problem)
{
    if (item->type == ITEM_OBJECT)
        return object_problem(item, settings, arena, problem);
    if (item->kind)
        return false;
    if (item->node->type == DOC_ARRAY)
        return list_problem(item, problem);
    if (!is_list(item))
        return other_problem(item, settings, arena, problem);
    *problem = problem_at(item, "items", RULE_REQUIRED); /* with items, those would be here, not the list */
    return true;
}
