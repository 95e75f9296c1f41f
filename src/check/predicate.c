/* Conditions of checks: what siblings, ancestors, the old object and the kind have to say. */
#include "check/run.h"

/* A member named from a place, as it counts in the new or the old object. */
struct member {
    const struct field *field; /* NULL: there is no such object */
    const struct doc_node *node;
};

static const struct place *object_around(const struct place *place)
{
    while (place && !place->members)
        place = place->up;
    return place;
}

static struct member find_member(const struct place *place, const char *name, bool shape_check, bool old)
{
    const struct place *object = object_around(shape_check ? place : place->up);
    for (; object && *name == '.'; name += 3) /* "../" */
        object = object_around(object->up);
    const struct doc_node *const *members = !object ? NULL : old ? object->old_members : object->members;
    if (!members)
        return (struct member){ NULL, NULL };
    uint16_t i = place_field(object->shape, name);
    return (struct member){ &object->shape->fields[i], members[i] };
}

const struct doc_node *place_sibling(const struct place *place, const char *name)
{
    return find_member(place, name, false, false).node;
}

static bool is_one_of(const struct doc_node *node, const char *const *names)
{
    if (!node || node->type != DOC_STRING)
        return false;
    for (; *names; names++)
        if (bytes_equal_text(doc_text(node), *names))
            return true;
    return false;
}

static bool any_before(const struct place *place, const char *const *names)
{
    for (; *names && strcmp(*names, place->field->name.data) != 0; names++) {
        struct member member = find_member(place, *names, false, false);
        if (place_is_set(member.field, member.node))
            return true;
    }
    return false;
}

static bool changed(struct run *run, const struct place *place, const char *name, bool shape_check)
{
    struct member now = find_member(place, name, shape_check, false), before = find_member(place, name, shape_check, true);
    return !before.field || !equal_values(run, now.field->shape, now.node, before.node, false);
}

bool place_is_filled(const struct doc_node *node)
{
    return place_is_set(NULL, node) || (node && node->type == DOC_OBJECT);
}

static bool old_has(struct run *run, const struct place *place, const char *path)
{
    struct place_found found = place_find(run, place, path, true);
    return place_is_set(found.field, found.node);
}

static bool any_set(const struct place *place, const char *const *names, bool shape_check)
{
    for (; *names; names++) {
        struct member member = find_member(place, *names, shape_check, false);
        if (place_is_set(member.field, member.node))
            return true;
    }
    return false;
}

static bool any_has(struct run *run, const struct place *place, const char *const *names)
{
    doc_each(place->node, raw)
        for (const char *const *name = names; *name; name++)
            if (place_is_filled(place_element_member(run, place->shape->of, raw, *name)))
                return true;
    return false;
}

static bool fits(struct run *run, const struct doc_node *node, enum format format)
{
    unsigned broken = 0;
    return !node || format_is_plain(format, doc_text(node)) || (run_format(run, format, doc_text(node), &broken) && !broken);
}

static bool lists(const struct doc_node *list, const char *const *names)
{
    doc_each(list, element)
        if (is_one_of(element, names))
            return true;
    return false;
}

static bool has_entry(struct run *run, const struct place *place, const struct predicate *predicate)
{
    const struct doc_node *entry = doc_member(place_find(run, place, predicate->member, false).node, predicate->names[0]);
    return entry && entry->type != DOC_NULL && (!predicate->names[1] || is_one_of(entry, predicate->names + 1));
}

static bool key_is(const struct doc_node *value, const char *const *names)
{
    for (; *names; names++)
        if (bytes_equal_text(doc_name(value), *names))
            return true;
    return false;
}

/* The key of a value in a map, or a text that is one itself. */
static struct bytes key_of(const struct place *place)
{
    return place->is_key ? doc_text(place->node) : doc_name(place->node);
}

bool text_begins(struct bytes text, const char *const *prefixes)
{
    for (; *prefixes; prefixes++) {
        struct bytes prefix = bytes_of(*prefixes);
        if (text.length >= prefix.length && memcmp(text.data, prefix.data, prefix.length) == 0)
            return true;
    }
    return false;
}

static bool is_first(const struct place *place)
{
    return place->up && place->up->shape->type == SHAPE_LIST && place->index == 0;
}

static bool holds(struct run *run, const struct place *place, const struct predicate *predicate, bool shape_check)
{
    struct member member = { place->field, place->node };
    bool old = predicate->op == PREDICATE_OLD_SET;
    if (predicate->member && predicate->op != PREDICATE_OLD_HAS && predicate->op != PREDICATE_ENTRY)
        member = find_member(place, predicate->member, shape_check, old);
    else if (old)
        member.node = place->has_old ? place->old : NULL;
    switch ((enum predicate_op)predicate->op) {
    case PREDICATE_END:         return true;
    case PREDICATE_SET:
    case PREDICATE_OLD_SET:     return place_is_set(member.field, member.node);
    case PREDICATE_EQUALS:      return is_one_of(member.node, predicate->names);
    case PREDICATE_ANY_BEFORE:  return any_before(place, predicate->names);
    case PREDICATE_TRAIT:       return (run->request->kind->traits & predicate->bits) != 0;
    case PREDICATE_OPTION:      return (place->options & predicate->bits) != 0;
    case PREDICATE_OLD_INVALID: return walk_old_invalid(run, place);
    case PREDICATE_TRUE:        return member.node && member.node->type == DOC_TRUE;
    case PREDICATE_OLD_HAS:     return old_has(run, place, predicate->member);
    case PREDICATE_ANY_SET:     return any_set(place, predicate->names, shape_check);
    case PREDICATE_ANY_ELEMENT: return any_has(run, place, predicate->names);
    case PREDICATE_FITS:        return fits(run, member.node, predicate->format);
    case PREDICATE_LISTS:       return lists(member.node, predicate->names);
    case PREDICATE_ENTRY:       return has_entry(run, place, predicate);
    case PREDICATE_KEY:         return place->node && key_is(place->node, predicate->names);
    case PREDICATE_WRITTEN:     return member.node && !(member.node->flags & DOC_IMPLIED);
    case PREDICATE_KEY_BEGINS:  return text_begins(key_of(place), predicate->names);
    case PREDICATE_FIRST:       return is_first(place);
    case PREDICATE_CHANGED:     return changed(run, place, predicate->member, shape_check);
    }
    return true;
}

bool predicates_hold(struct run *run, const struct place *place, const struct predicate *predicates, bool shape_check)
{
    for (; predicates && predicates->op != PREDICATE_END; predicates++)
        if (holds(run, place, predicates, shape_check) == predicates->negated)
            return false;
    return true;
}
