/* What CEL selectors name: drivers, and attributes and capacities by domain. What is wrong with an expression itself is said by its row.
 * Source: k8s.io/dynamic-resource-allocation v0.35.4 cel/compile.go for the members of device. */
#include "rules/cross/common.h"
#include "rules/cross/lookup.h"

static bool contains(struct bytes text, char c)
{
    return text.length && memchr(text.data, c, text.length);
}

/* ---- domains and names ---- */

/* What examples that were never run write after the name of an attribute, as if it were an object: device.attributes["type"].string. */
static bool is_member_of_value(const struct lookup_use *use)
{
    static const char *const members[] = {
        "string", "stringValue", "int", "intValue", "bool", "boolValue", "version", "versionValue", NULL
    };
    for (const char *const *member = members; *member && !contains(use->domain, '.'); member++)
        if (use->name.data && bytes_equal_text(use->name, *member))
            return true;
    return false;
}

enum { DOMAIN_BYTES = 63, NAME_BYTES = 32 }; /* of an attribute or capacity */

static bool check_domain(const struct cel_node *node, void *self)
{
    struct cross *cross = self;
    struct lookup_use use;
    const char *why = NULL;
    if (!lookup_of(node, &use))
        return true;
    if (contains(use.domain, '/'))
        why = "looks up a name with a slash where the domain belongs, which is there for no device: write [\"domain\"].name";
    else if (is_member_of_value(&use))
        why = "looks up what is probably no domain: an attribute is device.attributes[\"domain\"].name, which is the value itself";
    else if (use.domain.length > DOMAIN_BYTES)
        why = "looks up a domain of more than 63 bytes, which no device has";
    else if (use.name.length > NAME_BYTES)
        why = "looks up a name of more than 32 bytes, which no attribute or capacity has";
    if (why)
        cross_report(cross, (struct cross_report){ .detail = why });
    return !why;
}

void cross_selector_domains(struct cross *cross)
{
    const struct cel_node *root = lookup_tree(cross, value_text(cross_value(cross)));
    if (root)
        (void)lookup_walk(root, check_domain, cross);
}

/* ---- what never changes ---- */

static bool find_device(const struct cel_node *node, void *self)
{
    bool *found = self;
    *found |= node->kind == CEL_NODE_IDENTIFIER && bytes_equal_text(node->name, "device");
    return !*found;
}

void cross_selector_constant(struct cross *cross)
{
    const struct cel_node *root = lookup_tree(cross, value_text(cross_value(cross)));
    bool found = false;
    if (root && lookup_walk(root, find_device, &found))
        cross_report(cross, (struct cross_report){ 0 });
}

/* ---- attributes that are published ---- */

static const struct bytes attribute_sort = BYTES("attribute"), capacity_sort = BYTES("capacity"), driver_sort = BYTES("driver");

/* A name in a slice of the driver, with the domain that it has. */
static struct bytes name_key(struct cross *cross, struct bytes driver, struct bytes name, struct bytes sort)
{
    const char *slash = name.length ? memchr(name.data, '/', name.length) : NULL;
    struct bytes domain = slash ? (struct bytes){ name.data, (uint32_t)(slash - name.data) } : driver;
    uint32_t from = slash ? domain.length + 1 : 0;
    return cross_key(cross, sort, domain, { name.data + from, name.length - from });
}

static void index_published(struct cross *cross, struct value root)
{
    struct value driver = value_at(cross, root, "spec.driver"), devices = value_at(cross, root, "spec.devices");
    struct bytes name = value_text(driver);
    if (!value_is_set(devices) || cross_is_template(cross, root))
        return;
    cross_index_add(cross, cross_key(cross, driver_sort, name), driver);
    value_each(devices, device) {
        value_each(value_at(cross, device, "attributes"), attribute)
            cross_index_add(cross, name_key(cross, name, value_name(attribute), attribute_sort), attribute);
        value_each(value_at(cross, device, "capacity"), capacity)
            cross_index_add(cross, name_key(cross, name, value_name(capacity), capacity_sort), capacity);
    }
}

static const struct index_definition published = { "resource.k8s.io", "ResourceSlice", index_published, true };

const struct indexed *cross_published_attribute(struct cross *cross, struct bytes driver, struct bytes name)
{
    return cross_find(cross, &published, name_key(cross, driver, name, attribute_sort));
}

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
    text_add(&text, use->capacity ? "capacity " : "attribute ");
    text_add_quoted(&text, use->name, 64);
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
    struct indexed *driver = cross_find(cross, &published, cross_key(cross, driver_sort, use.domain));
    struct bytes sort = use.capacity ? capacity_sort : attribute_sort, other = use.capacity ? attribute_sort : capacity_sort;
    if (!driver || cross_find(cross, &published, cross_key(cross, sort, use.domain, use.name)))
        return true;
    report_unpublished(cross, &use, driver, cross_find(cross, &published, cross_key(cross, other, use.domain, use.name)) != NULL);
    return false;
}

void cross_selector_published(struct cross *cross)
{
    const struct cel_node *root = lookup_tree(cross, value_text(cross_value(cross)));
    bool guarded = false;
    if (root && lookup_walk(root, find_guard, &guarded))
        (void)lookup_walk(root, check_published, cross);
}
