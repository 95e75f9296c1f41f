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

/* ---- drivers ---- */

/* Whether the expression is true for one driver only: that one. */
static bool names_one_driver(const struct cel_node *node, struct bytes *driver)
{
    if (node->kind == CEL_NODE_CALL && bytes_equal_text(node->call.name, "_&&_"))
        return names_one_driver(node->call.arguments[0], driver) || names_one_driver(node->call.arguments[1], driver);
    return lookup_is_driver(node, driver);
}

/* ---- classes ---- */

/* What is known of a class, from its selectors and configuration. */
struct class_facts {
    bool one_driver;
    struct bytes driver; /* where there is one: for which all selectors are */
    struct map mentions; /* texts in selectors, and drivers of the configuration */
};

/* A text of an expression, in memory as long as the set: most are parts of the expression itself; those with escapes are copied. */
static struct bytes keep_text(struct cross *cross, struct bytes expression, struct bytes text)
{
    uintptr_t at = (uintptr_t)text.data, start = (uintptr_t)expression.data;
    if (at >= start && at < start + expression.length)
        return text;
    char *copy = cross_alloc(cross, cross_kept_arena(cross), text.length);
    if (!copy)
        return (struct bytes)BYTES("");
    memcpy(copy, text.data, text.length);
    return (struct bytes){ copy, text.length };
}

struct mentions {
    struct cross *cross;
    struct map *map; /* NULL: they are only counted */
    struct bytes expression;
    uint32_t count;
};

static bool add_mention(const struct cel_node *node, void *self)
{
    struct mentions *mentions = self;
    if (node->kind != CEL_NODE_LITERAL || node->literal.type != CEL_STRING || node->literal.text.length == 0)
        return true;
    mentions->count++;
    if (mentions->map) {
        struct bytes text = keep_text(mentions->cross, mentions->expression, node->literal.text);
        (void)map_add(mentions->map, text, text.data);
    }
    return true;
}

/* Goes through the texts of an expression: counts them, or adds them where there is a map. Returns the tree. */
static const struct cel_node *find_mentions(struct mentions *mentions, struct value selector)
{
    mentions->expression = value_text_at(mentions->cross, selector, "cel.expression");
    const struct cel_node *root = lookup_tree(mentions->cross, mentions->expression);
    if (root)
        (void)lookup_walk(root, add_mention, mentions);
    return root;
}

/* One expression is compiled at a time, so each is compiled twice: to count its texts, and to keep them. */
static void find_facts(struct cross *cross, struct value class, struct class_facts *facts)
{
    struct value selectors = value_at(cross, class, "spec.selectors"), configs = value_at(cross, class, "spec.config");
    struct mentions mentions = { .cross = cross, .count = value_count(configs) };
    if (value_count(selectors) > MAX_SELECTORS || value_count(configs) > MAX_SELECTORS)
        return; /* no class that can be */
    value_each(selectors, counted)
        (void)find_mentions(&mentions, counted);
    if (!cross_map(cross, &facts->mentions, cross_kept_arena(cross), mentions.count))
        return;
    mentions.map = &facts->mentions;
    value_each(selectors, selector) {
        const struct cel_node *root = find_mentions(&mentions, selector);
        if (root && !facts->one_driver && names_one_driver(root, &facts->driver)) {
            facts->one_driver = true;
            facts->driver = keep_text(cross, mentions.expression, facts->driver);
        }
    }
    value_each(configs, config) {
        struct value driver = value_at(cross, config, "opaque.driver");
        if (value_is_set(driver))
            (void)map_add(&facts->mentions, value_text(driver), driver.node);
    }
}

/* NULL: there is no memory. */
static const struct class_facts *facts_of(struct cross *cross, struct indexed *class)
{
    if (class->memo)
        return class->memo;
    struct class_facts *facts = cross_alloc(cross, cross_kept_arena(cross), sizeof *facts);
    if (facts)
        find_facts(cross, indexed_root(class), facts);
    if (cross_failed(cross))
        return NULL;
    class->memo = facts;
    return facts;
}

bool cross_class_driver(struct cross *cross, struct indexed *class, struct bytes *driver)
{
    const struct class_facts *facts = facts_of(cross, class);
    if (facts && facts->one_driver)
        *driver = facts->driver;
    return facts && facts->one_driver;
}

bool cross_class_mentions(struct cross *cross, struct indexed *class, struct bytes driver)
{
    const struct class_facts *facts = facts_of(cross, class);
    return facts && facts->mentions.slots && map_find(&facts->mentions, driver);
}
