/* Values for the functions of rules/cross/. */
#include "check/cross_call.h"
#include "check/equal.h"
#include "check/name_index.h"
#include "value/ip.h"
#include "value/quantity.h"

static const struct value nothing;

struct value cross_value(const struct cross *cross)
{
    return (struct value){ cross->cursor->shape, cross->cursor->node, cross->cursor->index };
}

struct value cross_old(const struct cross *cross)
{
    return (struct value){ cross->cursor->shape, cross->cursor->old, cross->cursor->index };
}

struct value cross_outer(const struct cross *cross, unsigned levels)
{
    const struct cursor *object = cross->cursor->up;
    for (; object; object = object->up)
        if (object->members && !levels--)
            return (struct value){ object->shape, object->node, object->index };
    return nothing;
}

struct value cross_around(const struct cross *cross)
{
    return cross_outer(cross, 0);
}

struct value cross_sibling(struct cross *cross, const char *name)
{
    struct member member = cursor_member(cross->eval, cross->cursor, name, false, false);
    return member.field ? (struct value){ member.field->shape, member.node, 0 } : nothing;
}

struct value cross_root(const struct cross *cross)
{
    const struct cursor *cursor = cross->cursor;
    while (cursor->up)
        cursor = cursor->up;
    return (struct value){ cursor->shape, cursor->node, 0 };
}

/* ---- members ---- */

/* The index of a field; field_count: the shape has none of that name. */
static uint16_t find_field(const struct shape *shape, struct bytes name)
{
    uint16_t i = 0;
    while (i < shape->field_count && !bytes_equal(shape->fields[i].name, name))
        i++;
    return i;
}

bool value_has(struct value value, const char *name)
{
    return value.shape && find_field(value.shape, bytes_of(name)) < value.shape->field_count;
}

/* Members of the objects around the row's place are what the walk knows of them: some are kept from the old object. */
static const struct doc_node *member_node(struct cross *cross, struct value object, uint16_t field)
{
    for (const struct cursor *cursor = cross->cursor; cursor; cursor = cursor->up)
        if (cursor->members && cursor->node == object.node && cursor->shape == object.shape)
            return cursor->members[field];
    return cursor_element_field(cross->eval, object.shape, object.node, field);
}

struct value value_at(struct cross *cross, struct value value, const char *path)
{
    while (*path && value.shape) {
        struct bytes name = { path, (uint32_t)strcspn(path, ".") };
        uint16_t field = find_field(value.shape, name);
        if (field == value.shape->field_count) {
            cross_fail(cross, FAILURE_INTERNAL); /* a bug of the function */
            return nothing;
        }
        value = (struct value){ value.shape->fields[field].shape, value.node ? member_node(cross, value, field) : NULL, 0 };
        path += name.length + (path[name.length] == '.');
    }
    return value;
}

struct value value_entry(struct value map, const char *key)
{
    return (struct value){ map.shape ? map.shape->of : NULL, doc_member(map.node, key), 0 };
}

/* ---- comparisons ---- */

int64_t value_integer(struct value value)
{
    int64_t number = 0;
    return value.node && doc_integer(value.node, INT64_MIN, INT64_MAX, &number) ? number : 0;
}

bool value_equal(struct cross *cross, struct value a, struct value b)
{
    cross->eval->foreign = true;
    bool equal = !a.shape || equal_values(cross->eval, a.shape, a.node, b.node, false);
    cross->eval->foreign = false;
    return equal;
}

/* False: it is not set, or a failure. */
static bool read_quantity(struct cross *cross, struct value value, struct quantity *quantity)
{
    enum failure failure = value.node ? quantity_read(doc_text(value.node), cross_arena(cross), quantity) : FAILURE_NONE;
    if (failure)
        cross_fail(cross, failure);
    return value.node && !failure;
}

int value_compare(struct cross *cross, struct value a, struct value b)
{
    struct quantity first, second;
    return read_quantity(cross, a, &first) && read_quantity(cross, b, &second) ? quantity_compare(&first, &second) : 0;
}

int value_compare_sum(struct cross *cross, struct value a, struct value b, struct value c)
{
    struct quantity first, second, third;
    int order = 0;
    if (!read_quantity(cross, a, &first) || !read_quantity(cross, b, &second) || !read_quantity(cross, c, &third))
        return 0;
    enum failure failure = quantity_compare_sum(&first, &second, &third, cross_arena(cross), &order);
    if (failure)
        cross_fail(cross, failure);
    return failure ? 0 : order;
}

bool value_is_fraction(struct cross *cross, struct value value)
{
    struct quantity quantity;
    return read_quantity(cross, value, &quantity) && quantity_is_fraction(&quantity);
}

bool value_scaled(struct cross *cross, struct value value, int32_t scale, int64_t *scaled)
{
    struct quantity quantity;
    *scaled = 0;
    return !read_quantity(cross, value, &quantity) || quantity_scaled(&quantity, scale, scaled);
}

int value_sign(struct cross *cross, struct value value)
{
    struct quantity quantity;
    if (!read_quantity(cross, value, &quantity) || !quantity.count)
        return 0;
    return quantity.negative ? -1 : 1;
}

struct bytes value_network(struct cross *cross, struct value value)
{
    struct ip_address address;
    unsigned bits;
    char words[IP_TEXT_BYTES];
    if (!ip_read_sloppy_network(value_text(value), &address, &bits))
        return (struct bytes)BYTES("");
    ip_write(&address, words);
    struct text form = cross_text(cross);
    text_add(&form, words);
    text_add(&form, "/");
    text_add_integer(&form, bits);
    const char *end = cross_end_text(cross, &form);
    return end ? bytes_of(end) : (struct bytes)BYTES("");
}

int64_t value_rounded(struct cross *cross, struct value value)
{
    int64_t rounded = 0;
    struct bytes text = doc_text(value.node);
    enum failure failure = value.node ? quantity_int64(text, quantity_is_big(text), cross_arena(cross), &rounded) : FAILURE_NONE;
    if (failure)
        cross_fail(cross, failure);
    return rounded;
}

bool value_on_grid(struct cross *cross, struct value value, struct value base, struct value step)
{
    if (!value.node || !base.node || !step.node)
        return true;
    int64_t width = value_rounded(cross, step);
    uint64_t distance = (uint64_t)value_rounded(cross, value) - (uint64_t)value_rounded(cross, base);
    return width == 0 || width == -1 || (int64_t)distance % width == 0;
}

/* ---- keys and lookups ---- */

struct bytes value_key(struct cross *cross, struct value object, const char *const *members)
{
    return name_index_key(cross->eval, object.shape, object.node, members);
}

static void init_lookup(struct cross *cross, struct lookup *lookup, struct arena *arena, struct value container, const char *member)
{
    *lookup = (struct lookup){ .of = container.shape ? container.shape->of : NULL };
    if (!cross_map(cross, &lookup->map, arena, value_count(container)))
        return;
    value_each(container, element)
        (void)map_add(&lookup->map, member ? value_text_at(cross, element, member) : value_name(element), element.node);
}

void lookup_init(struct cross *cross, struct lookup *lookup, struct value container, const char *member)
{
    init_lookup(cross, lookup, cross_scratch(cross), container, member);
}

const struct lookup *indexed_lookup(struct cross *cross, struct indexed *indexed, const char *path, const char *member)
{
    static const struct lookup empty;
    if (indexed->memo)
        return indexed->memo;
    struct lookup *made = cross_alloc(cross, cross_kept_arena(cross), sizeof *made);
    if (made)
        init_lookup(cross, made, cross_kept_arena(cross), value_at(cross, indexed_root(indexed), path), member);
    if (cross_failed(cross))
        return &empty;
    return indexed->memo = made;
}

struct value lookup_find(const struct lookup *lookup, struct bytes key)
{
    return (struct value){ lookup->of, lookup->map.slots ? map_find(&lookup->map, key) : NULL, 0 };
}
