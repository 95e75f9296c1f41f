/* What CEL selectors name: drivers, and attributes and capacities by domain. What is wrong with an expression itself is said by its row.
 * Source: k8s.io/dynamic-resource-allocation v0.35.4 cel/compile.go for the members of device. */
#include "rules/cross/attribute_type.h"
#include "rules/cross/common.h"
#include "rules/cross/lookup.h"

/* ---- domains and names ---- */

static bool check_domain(const struct cel_node *node, void *self)
{
    struct cross *cross = self;
    struct lookup_use use;
    const char *why = lookup_of(node, &use) ? lookup_fault(&use) : NULL;
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

/* ---- comparisons that never hold ---- */

enum { TEXT_BYTES = 64, DRIVER_BYTES = 63 }; /* of an attribute; of a driver's name */

/* Whether a text is longer, or shorter, than what it is compared with can be. */
static bool is_impossible(const struct cel_node *text, bool driver)
{
    if (!lookup_is_text(text))
        return false;
    uint32_t length = text->literal.text.length;
    return driver ? length == 0 || length > DRIVER_BYTES : length > TEXT_BYTES;
}

/* The other side of a comparison of the node's part `i` with a text, or a list of them; NULL: it is no such comparison. */
static const struct cel_node *compared_with(const struct cel_node *node, uint32_t i)
{
    static const char *const functions[] = { "startsWith", "endsWith", "contains", NULL };
    if (lookup_is_call(node, "_==_") || lookup_is_call(node, "_!=_") || (lookup_is_call(node, "@in") && i == 0))
        return node->call.arguments[!i];
    for (const char *const *function = functions; i == 0 && *function; function++)
        if (lookup_is_call(node, *function) && node->call.receiver)
            return node->call.arguments[0];
    return NULL;
}

static const char *why_never_equal(const struct cel_node *node, uint32_t i, bool driver)
{
    const struct cel_node *other = compared_with(node, i), *element;
    if (other && other->kind == CEL_NODE_LITERAL && other->literal.type == CEL_NULL)
        return "compares with null, which no value is: ask with has() whether there is one";
    bool impossible = other && is_impossible(other, driver);
    for (uint32_t n = 0; other && other->kind == CEL_NODE_LIST && (element = cel_part(other, n)); n++)
        impossible |= is_impossible(element, driver);
    if (!impossible)
        return NULL;
    return driver ? "compares the driver with a text that is none: a driver's name has 1 to 63 bytes"
                  : "compares with a text of more than 64 bytes, which no attribute has";
}

/* "takes attribute "memory" for a quantity, which no attribute is"; and where the values are. */
static void report_type(struct cross *cross, const struct lookup_use *use, unsigned taken)
{
    struct text text = cross_text(cross);
    text_add(&text, "takes ");
    lookup_add_words(&text, use);
    text_add(&text, " for ");
    types_add_words(&text, taken);
    text_add(&text, taken ? "" : "something else");
    text_add(&text, use->capacity            ? ", but it is a quantity: compare it with quantity(\"\")"
                    : taken == TYPE_QUANTITY ? ", which no attribute is: quantities are in device.capacity"
                                             : ": an attribute is a number, a bool, a text or a version");
    cross_report(cross, (struct cross_report){ .text = &text });
}

static bool check_values(const struct cel_node *node, void *self)
{
    struct cross *cross = self;
    struct lookup_use use;
    const struct cel_node *part;
    for (uint32_t i = 0; (part = cel_part(node, i)); i++) {
        if (part->kind != CEL_NODE_SELECT && part->kind != CEL_NODE_CALL)
            continue;
        bool driver = lookup_is_driver_field(part), value = !driver && lookup_value(part, &use);
        const char *why = driver || value ? why_never_equal(node, i, driver) : NULL;
        unsigned taken = value ? types_taken(node, i) : TYPES_ALL;
        if (why)
            cross_report(cross, (struct cross_report){ .detail = why });
        else if (value && !(taken & (use.capacity ? TYPE_QUANTITY : TYPES_OF_ATTRIBUTES)))
            report_type(cross, &use, taken);
        if (cross_found(cross))
            return false;
    }
    return true;
}

void cross_selector_values(struct cross *cross)
{
    const struct cel_node *root = lookup_tree(cross, value_text(cross_value(cross)));
    if (root)
        (void)lookup_walk(root, check_values, cross);
}
