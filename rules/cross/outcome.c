#include "rules/cross/outcome.h"

#include "rules/cross/common.h"

static enum outcome outcome_if(bool is_true)
{
    return is_true ? OUTCOME_TRUE : OUTCOME_FALSE;
}

static enum outcome negated(enum outcome outcome)
{
    return outcome == OUTCOME_TRUE ? OUTCOME_FALSE : outcome == OUTCOME_FALSE ? OUTCOME_TRUE : outcome;
}

/* ---- lookups ---- */

enum { MAX_NAMES = 32 }; /* of a device; one with more is refused */

/* Whether the name, as the device writes it, is of that domain and name; without a name: of that domain. */
static bool is_name(struct bytes written, struct bytes driver, const struct lookup_use *use)
{
    const char *slash = written.length ? memchr(written.data, '/', written.length) : NULL;
    uint32_t from = slash ? (uint32_t)(slash - written.data) + 1 : 0;
    struct bytes domain = slash ? (struct bytes){ written.data, from - 1 } : driver;
    return bytes_equal(domain, use->domain) &&
           (!use->name.data || bytes_equal(use->name, (struct bytes){ written.data + from, written.length - from }));
}

enum outcome outcome_of_presence(const struct outcome_device *device, const struct lookup_use *use)
{
    struct value names = value_at(device->cross, device->device, use->capacity ? "capacity" : "attributes");
    if (value_count(names) > MAX_NAMES)
        return OUTCOME_OPEN;
    value_each(names, entry)
        if (is_name(value_name(entry), device->driver, use))
            return OUTCOME_TRUE;
    return OUTCOME_FALSE;
}

static enum outcome outcome_of_lookup(struct outcome_device *device, const struct cel_node *node, const struct lookup_use *use)
{
    if (!use->name.data) /* has() is true for every domain */
        return !use->presence ? OUTCOME_OPEN : node->kind == CEL_NODE_SELECT ? OUTCOME_TRUE : outcome_of_presence(device, use);
    enum outcome there = outcome_of_presence(device, use);
    if (use->presence)
        return there;
    if (node->type->kind == CEL_OPTIONAL || there != OUTCOME_FALSE)
        return OUTCOME_OPEN;
    if (!device->failed)
        device->lookup = *use;
    device->failed = true;
    return OUTCOME_FAILS;
}

/* The lookup that a function of optionals is called on: whether it has a value; OUTCOME_OPEN of anything else. */
static enum outcome has_value(const struct outcome_device *device, const struct cel_node *receiver)
{
    struct lookup_use use;
    return lookup_of(receiver, &use) && use.name.data && !use.presence ? outcome_of_presence(device, &use) : OUTCOME_OPEN;
}

/* ---- calls ---- */

/* Of both sides, whatever the first gives: the failure that is noted is the first one. `negate`: of their opposites. */
static enum outcome outcome_of_and(struct outcome_device *device, struct cel_node *const *sides, bool negate)
{
    enum outcome a = outcome_of(device, sides[0]), b = outcome_of(device, sides[1]);
    if (negate) {
        a = negated(a);
        b = negated(b);
    }
    if (a == OUTCOME_FALSE || b == OUTCOME_FALSE)
        return OUTCOME_FALSE;
    return a == OUTCOME_TRUE || a == b ? b : b == OUTCOME_TRUE ? a : OUTCOME_OPEN;
}

static enum outcome outcome_of_choice(struct outcome_device *device, struct cel_node *const *arguments)
{
    enum outcome asked = outcome_of(device, arguments[0]), chosen[2];
    if (asked == OUTCOME_FAILS)
        return OUTCOME_FAILS;
    for (unsigned i = 0; i < 2; i++)
        chosen[i] = asked == outcome_if(i) ? OUTCOME_OPEN : outcome_of(device, arguments[1 + i]);
    if (asked != OUTCOME_OPEN)
        return chosen[asked == OUTCOME_FALSE];
    return chosen[0] == chosen[1] ? chosen[0] : OUTCOME_OPEN;
}

/* Whether the text is the device's driver. */
static enum outcome is_driver(const struct outcome_device *device, const struct cel_node *text)
{
    return outcome_if(device->driver.data && bytes_equal(device->driver, text->literal.text));
}

static enum outcome is_one_of(const struct outcome_device *device, const struct cel_node *list)
{
    const struct cel_node *element;
    enum outcome outcome = list->kind == CEL_NODE_LIST ? OUTCOME_FALSE : OUTCOME_OPEN;
    for (uint32_t i = 0; outcome == OUTCOME_FALSE && (element = cel_part(list, i)); i++)
        outcome = lookup_is_text(element) ? is_driver(device, element) : OUTCOME_OPEN;
    return outcome;
}

static enum outcome outcome_of_equality(struct outcome_device *device, struct cel_node *const *sides)
{
    for (unsigned i = 0; i < 2; i++) {
        const struct cel_node *other = sides[!i];
        if (lookup_is_driver_field(sides[i]) && lookup_is_text(other))
            return is_driver(device, other);
        if (other->kind == CEL_NODE_LITERAL && other->literal.type == CEL_BOOL) {
            enum outcome outcome = outcome_of(device, sides[i]);
            return other->literal.boolean ? outcome : negated(outcome);
        }
    }
    return outcome_of(device, sides[0]) == OUTCOME_FAILS || outcome_of(device, sides[1]) == OUTCOME_FAILS ? OUTCOME_FAILS : OUTCOME_OPEN;
}

/* Fails if a part does that is evaluated in any case. */
static enum outcome outcome_of_parts(struct outcome_device *device, const struct cel_node *node)
{
    bool first_only = node->kind == CEL_NODE_LOOP || lookup_is_call(node, "or") || lookup_is_call(node, "orValue");
    const struct cel_node *part;
    for (uint32_t i = 0; (part = cel_part(node, i)) && (i == 0 || !first_only); i++)
        if (outcome_of(device, part) == OUTCOME_FAILS)
            return OUTCOME_FAILS;
    return OUTCOME_OPEN;
}

static enum outcome outcome_of_call(struct outcome_device *device, const struct cel_node *node)
{
    struct cel_node *const *arguments = node->call.arguments;
    if (lookup_is_call(node, "_&&_"))
        return outcome_of_and(device, arguments, false);
    if (lookup_is_call(node, "_||_"))
        return negated(outcome_of_and(device, arguments, true));
    if (lookup_is_call(node, "!_"))
        return negated(outcome_of(device, arguments[0]));
    if (lookup_is_call(node, "_?_:_"))
        return outcome_of_choice(device, arguments);
    if (lookup_is_call(node, "_==_"))
        return outcome_of_equality(device, arguments);
    if (lookup_is_call(node, "_!=_"))
        return negated(outcome_of_equality(device, arguments));
    if (lookup_is_call(node, "@in") && lookup_is_driver_field(arguments[0]))
        return is_one_of(device, arguments[1]);
    bool asks = lookup_is_call(node, "hasValue"), has_other = lookup_is_call(node, "orValue");
    enum outcome there = asks || has_other ? has_value(device, node->call.receiver) : OUTCOME_OPEN;
    if (asks && there != OUTCOME_OPEN)
        return there;
    return there == OUTCOME_FALSE ? outcome_of(device, arguments[0]) : outcome_of_parts(device, node);
}

enum outcome outcome_of(struct outcome_device *device, const struct cel_node *node)
{
    struct lookup_use use;
    if (lookup_of(node, &use))
        return outcome_of_lookup(device, node, &use);
    if (node->kind == CEL_NODE_LITERAL)
        return node->literal.type == CEL_BOOL ? outcome_if(node->literal.boolean) : OUTCOME_OPEN;
    return node->kind == CEL_NODE_CALL ? outcome_of_call(device, node) : outcome_of_parts(device, node);
}

enum outcome outcome_of_selectors(struct outcome_device *device, struct value selectors, struct value *at)
{
    if (value_count(selectors) > MAX_SELECTORS)
        return OUTCOME_OPEN;
    value_each(selectors, selector) {
        const struct cel_node *root = lookup_tree(device->cross, value_text_at(device->cross, selector, "cel.expression"));
        enum outcome outcome = root ? outcome_of(device, root) : OUTCOME_OPEN;
        *at = selector;
        if (outcome != OUTCOME_TRUE)
            return outcome;
    }
    return OUTCOME_TRUE;
}
