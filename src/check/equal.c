/* Semantic equality, as the API server compares an old object with a new one (equality.Semantic.DeepEqual). */
#include "check/equal.h"

#include "base/fast_paths.h"
#include "base/map.h"
#include "check/cursor.h"
#include "value/quantity.h"
#include "value/time.h"

static bool equal_quantities(struct evaluation *eval, const struct shape *shape, const struct doc_node *a, const struct doc_node *b)
{
    struct quantity x, y;
    struct arena *arena = &eval->workspace->arena;
    enum failure failure = quantity_read(doc_text(a), arena, &x);
    if (!failure)
        failure = quantity_read(doc_text(b), arena, &y);
    if (!failure && shape->milli)
        failure = quantity_round_up(&x, -3, arena);
    if (!failure && shape->milli)
        failure = quantity_round_up(&y, -3, arena);
    if (failure) {
        eval->failure = failure;
        return false;
    }
    return quantity_compare(&x, &y) == 0;
}

/* A value that is not set is the zero time. (An unset pointer is NULL, which never gets here.) */
static struct instant instant_of(const struct doc_node *node)
{
    struct instant instant = instant_zero;
    return node->type == DOC_STRING && instant_read(doc_text(node), &instant) ? instant : instant_zero;
}

static bool equal_times(const struct doc_node *a, const struct doc_node *b)
{
    struct instant x = instant_of(a), y = instant_of(b);
    return x.seconds == y.seconds && x.nanoseconds == y.nanoseconds;
}

static bool equal_integers(const struct doc_node *a, const struct doc_node *b)
{
    int64_t x = 0, y = 0;
    return doc_integer(a, INT64_MIN, INT64_MAX, &x) && doc_integer(b, INT64_MIN, INT64_MAX, &y) && x == y;
}

static bool equal_lists(struct evaluation *eval, const struct shape *shape, const struct doc_node *a, const struct doc_node *b, bool strict)
{
    const struct doc_node *x = a->first, *y = b->first;
    if (a->count != b->count)
        return false;
    for (; x && y; x = x->next, y = y->next)
        if (!equal_values(eval, shape->of, cursor_value(eval, NULL, shape->of, x), cursor_value(eval, NULL, shape->of, y), strict))
            return false;
    return true;
}

static const struct doc_node *find_name(const struct doc_node *map, struct bytes name)
{
    for (const struct doc_node *entry = map->first; entry; entry = entry->next)
        if (bytes_equal(doc_name(entry), name))
            return entry;
    return NULL;
}

/* Whether the entries of two maps have equal values. */
static bool equal_entries(struct evaluation *eval, const struct shape *of, const struct doc_node *a, const struct doc_node *b, bool strict)
{
    return a && b && equal_values(eval, of, cursor_value(eval, NULL, of, a), cursor_value(eval, NULL, of, b), strict);
}

static bool equal_maps(struct evaluation *eval, const struct shape *shape, const struct doc_node *a, const struct doc_node *b, bool strict)
{
    enum { FEW = 8 };
    struct map map = { 0 };
    if (a->count != b->count)
        return false;
    if (a->count > FEW && !evaluation_map(eval, &map, b->count))
        return false;
    if (a->count > FEW)
        doc_each(b, entry)
            (void)map_add(&map, doc_name(entry), entry);
    doc_each(a, entry) {
        const struct doc_node *other = a->count > FEW ? map_find(&map, doc_name(entry)) : find_name(b, doc_name(entry));
        if (!equal_entries(eval, shape->of, entry, other, strict))
            return false;
    }
    return true;
}

static bool is_excepted(const char *name, const char *const *except)
{
    for (; except && *except; except++)
        if (strcmp(name, *except) == 0)
            return true;
    return false;
}

/* A time that is absent and that the API server fills in differs from every stored time. A list or map that is not there equals an empty
 * one, whatever that means to checks. */
static bool equal_members(struct evaluation *eval, const struct field *field, const struct doc_node *a, const struct doc_node *b,
                          bool strict)
{
    bool holds_values = field->shape->type == SHAPE_LIST || field->shape->type == SHAPE_MAP;
    if (!strict && holds_values && !a != !b)
        return !(a ? a : b)->count;
    return !(field->is_now && !a != !b) && equal_values(eval, field->shape, a, b, strict);
}

bool equal_objects(struct evaluation *eval, const struct shape *shape, const struct doc_node *a, const struct doc_node *b,
                   const char *const *except, bool strict)
{
    const struct doc_node *x[LIMIT_FIELDS], *y[LIMIT_FIELDS];
    cursor_members(eval, shape, a, x);
    cursor_members(eval, shape, b, y);
    for (uint16_t i = 0; i < shape->field_count; i++)
        if (!is_excepted(shape->fields[i].name.data, except) && !equal_members(eval, &shape->fields[i], x[i], y[i], strict))
            return false;
    return true;
}

/* A fast path: values of one document with the same JSON are equal. */
static bool same_source(const struct evaluation *eval, const struct doc_node *a, const struct doc_node *b)
{
    const struct check_request *request = eval->request;
    const struct document *document = request->document;
    if (!FAST_PATHS || eval->foreign || request->kind != request->old_kind || document != request->old_document)
        return false;
    if (document->has_duplicates || document->is_yaml || !a->size || a->size != b->size)
        return false;
    return bytes_equal(doc_source(document, a), doc_source(document, b));
}

/* Values of any type: the API server compares their text, but not the order of members. */
static bool equal_raw(struct evaluation *eval, const struct doc_node *a, const struct doc_node *b)
{
    static const struct shape any_map = { SHAPE_OF(MAP), .of = &shape_raw }, any_list = { SHAPE_OF(LIST), .of = &shape_raw };
    if (a->type != b->type)
        return false;
    switch ((enum doc_type)a->type) {
    case DOC_NULL:
    case DOC_FALSE:
    case DOC_TRUE:    return true;
    case DOC_NUMBER:
    case DOC_STRING:  return bytes_equal(doc_text(a), doc_text(b));
    case DOC_ARRAY:   return equal_lists(eval, &any_list, a, b, false);
    case DOC_OBJECT:  return equal_maps(eval, &any_map, a, b, false);
    case DOC_SKIPPED:
        return !eval->foreign && bytes_equal(doc_source(eval->request->document, a), doc_source(eval->request->old_document, b));
    }
    return false;
}

bool equal_values(struct evaluation *eval, const struct shape *shape, const struct doc_node *a, const struct doc_node *b, bool strict)
{
    if (a == b)
        return true;
    if (!a || !b || eval->failure)
        return false;
    if (same_source(eval, a, b))
        return true;
    if (strict && (a->flags & DOC_NIL) != (b->flags & DOC_NIL))
        return false;
    switch (shape->type) {
    case SHAPE_STRING:   return bytes_equal(doc_text(a), doc_text(b));
    case SHAPE_BOOL:     return a->type == b->type;
    case SHAPE_INT32:
    case SHAPE_INT64:    return equal_integers(a, b);
    case SHAPE_QUANTITY: return equal_quantities(eval, shape, a, b);
    case SHAPE_TIME:     return equal_times(a, b);
    case SHAPE_RAW:      return equal_raw(eval, a, b);
    case SHAPE_OBJECT:   return equal_objects(eval, shape, a, b, NULL, strict);
    case SHAPE_LIST:     return equal_lists(eval, shape, a, b, strict);
    case SHAPE_MAP:      return equal_maps(eval, shape, a, b, strict);
    case SHAPE_TYPES:    break;
    }
    return false;
}
