/* Source: k8s.io/dynamic-resource-allocation v0.36.3 structured/internal/experimental/constraint.go. */
#include "allocate/attempt.h"
#include "match/device.h"

/* ---- attributes ---- */

struct value allocate_attribute(const struct allocate_device *device, struct bytes name)
{
    struct value attributes = match_at(device->value, "attributes");
    struct bytes driver = device->slice->pool->driver;
    const struct doc_node *found = doc_member_named(attributes.node, name);
    bool own = name.length > driver.length && name.data[driver.length] == '/' && memcmp(name.data, driver.data, driver.length) == 0;
    if (!found && own)
        found = doc_member_named(attributes.node, (struct bytes){ name.data + driver.length + 1, name.length - driver.length - 1 });
    return (struct value){ attributes.shape ? attributes.shape->of : NULL, found, 0 };
}

static enum allocate_outcome derivation_failed(struct allocate_attempt *attempt, const struct allocate_derived *derived,
                                               const struct allocate_device *device, const char *fault)
{
    struct text text = allocate_error_begin(attempt, NULL);
    text_add(&text, device ? "evaluate derived attribute " : "compile derived attribute ");
    text_add_bytes(&text, derived->name);
    if (device) {
        text_add(&text, " on device ");
        allocate_device_add_id(&text, device);
    }
    text_add(&text, " failed: ");
    text_add(&text, fault);
    return allocate_error_end(attempt, ALLOCATE_FATAL, &text);
}

enum allocate_outcome allocate_attribute_for(struct allocate_attempt *attempt, const struct allocate_ask *ask,
                                             const struct allocate_device *device, struct bytes name, struct value *attribute)
{
    const char *fault;
    uint32_t i = ask->derivation_count;
    while (i && !bytes_equal(ask->derived[i - 1].name, name)) /* of one name, the last one counts */
        i--;
    if (!i) {
        *attribute = allocate_attribute(device, name);
        return ALLOCATE_DONE;
    }
    const struct allocate_derived *derived = &ask->derived[i - 1];
    if (!derived->derivation->expression->program)
        return derivation_failed(attempt, derived, NULL, derived->derivation->expression->fault);
    enum failure failure = allocate_derive(attempt->world, derived->derivation, device, attribute, &fault);
    if (failure)
        return allocate_fail(attempt, failure);
    return fault ? derivation_failed(attempt, derived, device, fault) : ALLOCATE_DONE;
}

/* The member of an attribute that has its value: one of the first four, which are lists, or of the others. */
static const char *const members[] = { "ints", "bools", "strings", "versions", "int", "bool", "string", "version" };
enum { LISTS = 4, MEMBERS = 8 };

struct content {
    unsigned type;      /* of members; MEMBERS: the attribute has no value */
    struct value value;
};

/* Which members it has; a bit each. To look for all of them takes longer. */
static unsigned members_of(struct value attribute)
{
    unsigned found = 0;
    doc_each(attribute.node, child)
        for (unsigned i = 0; i < MEMBERS; i++)
            if (bytes_equal_text(doc_name(child), members[i]))
                found |= 1u << i;
    return found;
}

static struct content content_of(struct value attribute)
{
    unsigned found = members_of(attribute);
    for (unsigned i = 0; i < MEMBERS; i++) {
        if (!(found & 1u << i))
            continue;
        struct value value = match_at(attribute, members[i]);
        if (i < LISTS ? value_count(value) > 0 : value_is_set(value))
            return (struct content){ i, value };
    }
    return (struct content){ .type = MEMBERS };
}

static bool same_scalar(struct value a, struct value b)
{
    if (!a.node || !b.node)
        return a.node == b.node;
    if (a.node->type == DOC_NUMBER && b.node->type == DOC_NUMBER)
        return value_integer(a) == value_integer(b);
    if (a.node->type != b.node->type)
        return false;
    return a.node->type != DOC_STRING || bytes_equal(doc_text(a.node), doc_text(b.node));
}

static bool contains(struct content list, struct value scalar)
{
    if (list.type >= LISTS)
        return same_scalar(list.value, scalar);
    value_each(list.value, element)
        if (same_scalar(element, scalar))
            return true;
    return false;
}

enum { CONSTRAINT_LOOKS = 16 }; /* comparing an attribute takes about as long */
enum { MASK_BITS = 64 }; /* elements of a list that count; API servers take fewer */

/* Which elements of `first` are in the other, too; a bit each. */
static uint64_t common_of(struct content first, struct content other)
{
    uint64_t common = 0;
    if (first.type == MEMBERS || other.type == MEMBERS || first.type % LISTS != other.type % LISTS)
        return 0;
    if (first.type >= LISTS)
        return contains(other, first.value);
    value_each(first.value, element)
        if (element.index < MASK_BITS && contains(other, element))
            common |= 1ull << element.index;
    return common;
}

/* Where lists are not known: whether it is something that can be compared, and whether they are of one type and equal. */
static bool is_scalar(struct content content)
{
    return content.type >= LISTS && content.type < MEMBERS;
}

static bool same(struct content a, struct content b)
{
    return is_scalar(a) && a.type == b.type && same_scalar(a.value, b.value);
}

/* ---- constraints ---- */

static bool match(const struct allocate_mode *mode, struct allocate_memory *memory, struct value attribute)
{
    struct content first = content_of(memory->value), other = content_of(attribute);
    if (!mode->on.lists)
        return same(first, other);
    uint64_t common = common_of(first, other) & memory->common[mode->stays_narrow ? 0 : memory->count - 1];
    if (common)
        memory->common[mode->stays_narrow ? 0 : memory->count] = common;
    return common;
}

static bool is_distinct(const struct allocate_mode *mode, const struct allocate_claim *claim, const struct allocate_memory *memory,
                        struct value attribute)
{
    struct content other = content_of(attribute);
    if (mode->on.lists && other.type == MEMBERS)
        return false;
    for (uint32_t i = 0; i < (mode->forgets ? claim->request_count : memory->count); i++) {
        struct content seen = content_of(memory->seen[i]);
        if (value_is_set(memory->seen[i]) && (mode->on.lists ? common_of(seen, other) != 0 : !is_scalar(other) || same(seen, other)))
            return false;
    }
    return true;
}

/* Whether the constraint says something about the ask, and is not lifted. */
static bool concerns(const struct allocate_attempt *attempt, const struct allocate_claim *claim, const struct allocate_constraint *rule,
                     const struct allocate_ask *ask)
{
    bool lifted = attempt->lift.constraints || attempt->lift.constraint == rule;
    return !lifted && rule->concerns[ask->number - claim->first_number];
}

/* Whether it is let in after those that are remembered. */
static bool lets_in(const struct allocate_mode *mode, const struct allocate_claim *claim, const struct allocate_constraint *rule,
                    struct allocate_memory *memory, struct value attribute)
{
    if (memory->count)
        return rule->match ? match(mode, memory, attribute) : is_distinct(mode, claim, memory, attribute);
    if (mode->on.lists && content_of(attribute).type == MEMBERS && (rule->match || !mode->forgets))
        return false;
    memory->value = attribute;
    memory->common[0] = UINT64_MAX;
    return true;
}

enum allocate_outcome allocate_constraint_add(struct allocate_attempt *attempt, const struct allocate_claim *claim, uint32_t constraint,
                                              const struct allocate_ask *ask, const struct allocate_device *device)
{
    const struct allocate_mode *mode = &attempt->world->mode;
    const struct allocate_constraint *rule = &claim->constraints[constraint];
    struct allocate_memory *memory = &attempt->memories[claim->index][constraint];
    struct value attribute;
    if (!concerns(attempt, claim, rule, ask))
        return ALLOCATE_DONE;
    attempt->looks += CONSTRAINT_LOOKS * (rule->match ? 1ull : 1ull + memory->count);
    enum allocate_outcome outcome = allocate_attribute_for(attempt, ask, device, rule->attribute, &attribute);
    if (outcome)
        return outcome;
    if (!value_is_set(attribute) || !lets_in(mode, claim, rule, memory, attribute))
        return ALLOCATE_CANNOT;
    memory->seen[mode->forgets ? ask->request->index : memory->count] = attribute;
    memory->count++;
    return ALLOCATE_DONE;
}

void allocate_constraint_remove(struct allocate_attempt *attempt, const struct allocate_claim *claim, uint32_t constraint,
                                const struct allocate_ask *ask)
{
    struct allocate_memory *memory = &attempt->memories[claim->index][constraint];
    if (!concerns(attempt, claim, &claim->constraints[constraint], ask))
        return;
    if (attempt->world->mode.forgets)
        memory->seen[ask->request->index] = (struct value){ .shape = NULL };
    memory->count--;
}
