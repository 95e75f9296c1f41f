#include "rules/cross/lookup.h"

#include "schema/cel.h"

const struct cel_node *lookup_tree(struct cross *cross, struct bytes expression)
{
    const struct cel_expression *compiled = cross_expression(cross, &cel_device_library, expression);
    return compiled && (compiled->class == CEL_GOOD || compiled->class == CEL_TOO_COSTLY) ? compiled->tree.root : NULL;
}

/* ---- patterns ---- */

/* The field of the device that the node is; without data: it is none. */
static struct bytes device_field(const struct cel_node *node)
{
    bool is = node->kind == CEL_NODE_SELECT && node->select.operand->kind == CEL_NODE_IDENTIFIER &&
              bytes_equal_text(node->select.operand->name, cel_device_library.variable);
    return is ? node->select.field : (struct bytes){ NULL, 0 };
}

/* A step from a value to what it has under a name: .name, ["name"], .?name, [?"name"] or has(). */
struct step {
    const struct cel_node *from;
    struct bytes name;
    bool guarded, presence;
};

static bool is_step(const struct cel_node *node, struct step *step)
{
    if (node->kind == CEL_NODE_SELECT) {
        *step = (struct step){ node->select.operand, node->select.field, node->select.presence, node->select.presence };
        return true;
    }
    if (node->kind != CEL_NODE_CALL || node->call.receiver || node->call.count != 2)
        return false;
    bool optional = lookup_is_call(node, "_?._") || lookup_is_call(node, "_[?_]"), in = lookup_is_call(node, "@in");
    if ((!optional && !in && !lookup_is_call(node, "_[_]")) || !lookup_is_text(node->call.arguments[!in]))
        return false;
    *step = (struct step){ node->call.arguments[in], node->call.arguments[!in]->literal.text, optional || in, in };
    return true;
}

/* Whether the node is device.attributes or device.capacity, under a domain. */
static bool is_domain(const struct cel_node *node, struct lookup_use *use)
{
    struct step step;
    if (!is_step(node, &step))
        return false;
    struct bytes field = device_field(step.from);
    bool capacity = field.data && bytes_equal_text(field, "capacity"), attributes = field.data && bytes_equal_text(field, "attributes");
    *use = (struct lookup_use){ .capacity = capacity, .domain = step.name, .guarded = step.guarded,
                                  .presence = step.presence };
    return capacity || attributes;
}

bool lookup_of(const struct cel_node *node, struct lookup_use *use)
{
    struct step step;
    if (is_domain(node, use))
        return true;
    if (!is_step(node, &step) || !is_domain(step.from, use))
        return false;
    use->name = step.name;
    use->guarded |= step.guarded;
    use->presence = step.presence;
    return true;
}

bool lookup_value(const struct cel_node *node, struct lookup_use *use)
{
    if (node->type && node->type->kind == CEL_OPTIONAL)
        return false;
    while (node->kind == CEL_NODE_CALL) {
        if (node->call.receiver && (lookup_is_call(node, "orValue") || lookup_is_call(node, "value")))
            node = node->call.receiver;
        else if (node->call.count == 1 && lookup_is_call(node, "dyn"))
            node = node->call.arguments[0];
        else
            break;
    }
    return lookup_of(node, use) && use->name.data && !use->presence;
}

/* ---- names ---- */

static bool contains(struct bytes text, char c)
{
    return text.length && memchr(text.data, c, text.length);
}

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

const char *lookup_fault(const struct lookup_use *use)
{
    if (contains(use->domain, '/'))
        return "looks up a name with a slash where the domain belongs, which is there for no device: write [\"domain\"].name";
    if (is_member_of_value(use))
        return "looks up what is probably no domain: an attribute is device.attributes[\"domain\"].name, which is the value itself";
    if (use->domain.length > DOMAIN_BYTES)
        return "looks up a domain of more than 63 bytes, which no device has";
    return use->name.length > NAME_BYTES ? "looks up a name of more than 32 bytes, which no attribute or capacity has" : NULL;
}

void lookup_add_words(struct text *text, const struct lookup_use *use)
{
    text_add(text, use->capacity ? "capacity " : "attribute ");
    text_add_quoted(text, use->name, 2 * NAME_BYTES);
}

bool lookup_is_driver_field(const struct cel_node *node)
{
    struct bytes field = device_field(node);
    return field.data && bytes_equal_text(field, "driver");
}

bool lookup_one_driver(const struct cel_node *node, struct bytes *driver)
{
    if (lookup_is_call(node, "_&&_"))
        return lookup_one_driver(node->call.arguments[0], driver) || lookup_one_driver(node->call.arguments[1], driver);
    if (!lookup_is_call(node, "_==_"))
        return false;
    for (unsigned i = 0; i < 2; i++) {
        if (lookup_is_driver_field(node->call.arguments[i]) && lookup_is_text(node->call.arguments[!i])) {
            *driver = node->call.arguments[!i]->literal.text;
            return true;
        }
    }
    return false;
}

bool lookup_walk(const struct cel_node *node, bool (*visit)(const struct cel_node *node, void *self), void *self)
{
    const struct cel_node *part;
    if (!visit(node, self))
        return false;
    for (uint32_t i = 0; (part = cel_part(node, i)); i++)
        if (!lookup_walk(part, visit, self))
            return false;
    return true;
}
