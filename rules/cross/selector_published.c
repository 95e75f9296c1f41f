/* Selectors against the devices that the given slices publish. */
#include "rules/cross/attribute_type.h"
#include "rules/cross/common.h"
#include "rules/cross/lookup.h"
#include "rules/cross/published.h"

/* ---- domains ---- */

enum { MAX_UNKNOWN = 16, DOMAIN_BYTES = 64 }; /* domains of an expression that are compared with those that are published */

struct unknown_domains {
    struct cross *cross;
    unsigned count;
};

static bool check_near(const struct cel_node *node, void *self)
{
    struct unknown_domains *unknown = self;
    struct cross *cross = unknown->cross;
    struct lookup_use use;
    struct bytes near;
    bool is_driver = lookup_is_call(node, "_==_") && lookup_one_driver(node, &use.domain);
    if ((!is_driver && !lookup_of(node, &use)) || published_domain(cross, use.domain))
        return true;
    const struct indexed *other = published_near(cross, use.domain, &near);
    if (!other)
        return ++unknown->count < MAX_UNKNOWN;
    struct text text = cross_text(cross);
    text_add(&text, is_driver ? "asks for driver " : "looks up domain ");
    text_add_quoted(&text, use.domain, DOMAIN_BYTES);
    text_add(&text, ", which is in none of the slices that are given: ");
    near_add_words(&text, near);
    cross_report(cross, (struct cross_report){ .text = &text, .other = other });
    return false;
}

/* Slips only: the slices of other drivers need not be given. */
void cross_selector_near(struct cross *cross)
{
    const struct cel_node *root = lookup_tree(cross, value_text(cross_value(cross)));
    if (root)
        (void)lookup_walk(root, check_near, &(struct unknown_domains){ .cross = cross });
}

/* ---- names ---- */

/* Whether the expression asks itself what is there: with has() and the like, or by anything else that it does with all of a domain. */
static bool find_guard(const struct cel_node *node, void *self)
{
    bool *guarded = self, is_lookup;
    struct lookup_use use, of_part;
    const struct cel_node *part;
    is_lookup = lookup_of(node, &use);
    *guarded |= is_lookup && use.guarded;
    for (uint32_t i = 0; !is_lookup && (part = cel_part(node, i)); i++)
        *guarded |= lookup_of(part, &of_part) && !of_part.name.data;
    return !*guarded;
}

/* "…, which no device of driver "gpu.acme.dev" has in the slices that are given"; and what to write where it is of the other kind. */
static void report_unpublished(struct cross *cross, const struct lookup_use *use, const struct indexed *driver, bool other)
{
    struct text text = cross_text(cross);
    text_add(&text, "names ");
    lookup_add_words(&text, use);
    text_add(&text, ", which no device of driver ");
    text_add_quoted(&text, use->domain, 64);
    text_add(&text, " has in the slices that are given");
    if (other)
        text_add(&text, use->capacity ? "; it is an attribute" : "; it is a capacity");
    cross_report(cross, (struct cross_report){ .text = &text, .other = driver });
}

static bool check_published(const struct cel_node *node, void *self)
{
    struct cross *cross = self;
    struct lookup_use use;
    if (!lookup_of(node, &use) || !use.name.data)
        return true;
    const struct indexed *driver = published_driver(cross, use.domain);
    if (!driver || published_name(cross, use.domain, use.name, use.capacity))
        return true;
    report_unpublished(cross, &use, driver, published_name(cross, use.domain, use.name, !use.capacity) != NULL);
    return false;
}

void cross_selector_published(struct cross *cross)
{
    const struct cel_node *root = lookup_tree(cross, value_text(cross_value(cross)));
    bool guarded = false;
    if (root && lookup_walk(root, find_guard, &guarded))
        (void)lookup_walk(root, check_published, cross);
}

/* ---- types ---- */

enum { VALUE_BYTES = 64 };

/* ", but it is published as a version, "1.2.3"". */
static void add_published(struct text *text, unsigned type, struct value attribute)
{
    const char *member = attribute_member(attribute);
    struct value value = value_entry(attribute, member ? member : "");
    text_add(text, ", but it is published as ");
    types_add_words(text, type);
    if (type == TYPE_LIST)
        return;
    text_add(text, ", ");
    if (type == TYPE_NUMBER)
        text_add_bytes(text, value_text(value));
    else if (type == TYPE_BOOL)
        text_add(text, value_is_true(value) ? "true" : "false");
    else
        text_add_quoted(text, value_text(value), VALUE_BYTES);
}

/* How the two are compared. NULL: not at all. */
static const char *how_to_compare(unsigned published, unsigned taken)
{
    if (published == TYPE_VERSION && taken == TYPE_TEXT)
        return ": write the text as a version, semver(\"1.2.3\")";
    if (published == TYPE_TEXT && taken == TYPE_VERSION)
        return ": write the text without semver()";
    if (published == TYPE_TEXT && (taken == TYPE_NUMBER || taken == TYPE_BOOL))
        return ": write the value in quotes";
    if ((published == TYPE_NUMBER || published == TYPE_BOOL) && taken == TYPE_TEXT)
        return ": write the value without quotes";
    return NULL;
}

static bool is_comparison(const struct cel_node *node)
{
    static const char *const operators[] = { "_==_", "_!=_", "_<_", "_<=_", "_>_", "_>=_", "@in", NULL };
    for (const char *const *operator = operators; node && *operator; operator++)
        if (lookup_is_call(node, *operator))
            return true;
    return false;
}

/* Part `i` of the node, or without one the whole expression. */
static void check_type(struct cross *cross, const struct cel_node *node, uint32_t i, const struct cel_node *part)
{
    struct lookup_use use;
    const struct indexed *first = NULL;
    if (!lookup_value(part, &use) || use.capacity)
        return;
    unsigned taken = types_taken(node, i), types = taken == TYPES_ALL ? 0 : published_types(cross, use.domain, use.name, &first);
    if (!types || types & taken)
        return;
    unsigned type = type_of_attribute(indexed_value(first));
    const char *how = is_comparison(node) ? how_to_compare(type, taken) : NULL;
    struct text text = cross_text(cross);
    text_add(&text, "takes ");
    lookup_add_words(&text, &use);
    text_add(&text, " for ");
    types_add_words(&text, taken);
    add_published(&text, type, indexed_value(first));
    text_add(&text, how ? how : "");
    cross_report(cross, (struct cross_report){ .text = &text, .other = first });
}

static bool check_types(const struct cel_node *node, void *self)
{
    struct cross *cross = self;
    const struct cel_node *part;
    for (uint32_t i = 0; !cross_found(cross) && (part = cel_part(node, i)); i++)
        check_type(cross, node, i, part);
    return !cross_found(cross);
}

void cross_selector_types(struct cross *cross)
{
    const struct cel_node *root = lookup_tree(cross, value_text(cross_value(cross)));
    if (!root)
        return;
    check_type(cross, NULL, 0, root);
    if (!cross_found(cross))
        (void)lookup_walk(root, check_types, cross);
}
