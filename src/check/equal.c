/* Equality by meaning, as the API server compares an old object with a new one. */
#include "check/run.h"
#include "value/quantity.h"
#include "value/time.h"

static bool equal_quantities(struct run *run, const struct shape *shape, const struct doc_node *a, const struct doc_node *b)
{
    struct quantity x, y;
    struct arena *arena = &run->worker->arena;
    enum failure failure = quantity_read(doc_text(a), arena, &x);
    if (!failure)
        failure = quantity_read(doc_text(b), arena, &y);
    if (!failure && shape->milli)
        failure = quantity_round_up(&x, -3, arena);
    if (!failure && shape->milli)
        failure = quantity_round_up(&y, -3, arena);
    if (failure) {
        run->failure = failure;
        return false;
    }
    return quantity_compare(&x, &y) == 0;
}

static bool equal_times(const struct doc_node *a, const struct doc_node *b)
{
    struct instant x = { 0, -1 }, y = { 0, -1 }; /* no time at all equals only itself */
    bool has_x = a->type == DOC_STRING && instant_read(doc_text(a), &x), has_y = b->type == DOC_STRING && instant_read(doc_text(b), &y);
    return has_x == has_y && x.seconds == y.seconds && x.nanoseconds == y.nanoseconds;
}

static bool equal_integers(const struct doc_node *a, const struct doc_node *b)
{
    int64_t x = 0, y = 0;
    return doc_integer(a, INT64_MIN, INT64_MAX, &x) && doc_integer(b, INT64_MIN, INT64_MAX, &y) && x == y;
}

static bool equal_lists(struct run *run, const struct shape *shape, const struct doc_node *a, const struct doc_node *b, bool strict)
{
    const struct doc_node *x = a->first, *y = b->first;
    if (a->count != b->count)
        return false;
    for (; x && y; x = x->next, y = y->next)
        if (!equal_values(run, shape->of, place_value(run, NULL, shape->of, x), place_value(run, NULL, shape->of, y), strict))
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

static bool equal_maps(struct run *run, const struct shape *shape, const struct doc_node *a, const struct doc_node *b, bool strict)
{
    enum { FEW = 8 };
    struct set set = { 0 };
    if (a->count != b->count)
        return false;
    if (a->count > FEW && !run_set(run, &set, b->count))
        return false;
    if (a->count > FEW)
        doc_each(b, entry)
            (void)set_add(&set, doc_name(entry), entry);
    doc_each(a, entry) {
        const struct doc_node *other = a->count > FEW ? set_find(&set, doc_name(entry)) : find_name(b, doc_name(entry));
        if (!other || !equal_values(run, shape->of, place_value(run, NULL, shape->of, entry), place_value(run, NULL, shape->of, other), strict))
            return false;
    }
    return true;
}

static bool is_left_out(const char *name, const char *const *except)
{
    for (; except && *except; except++)
        if (strcmp(name, *except) == 0)
            return true;
    return false;
}

/* A time that the API server fills in is none that was stored. */
static bool equal_members(struct run *run, const struct field *field, const struct doc_node *a, const struct doc_node *b, bool strict)
{
    return !(field->is_now && !a != !b) && equal_values(run, field->shape, a, b, strict);
}

bool equal_objects(struct run *run, const struct shape *shape, const struct doc_node *a, const struct doc_node *b, const char *const *except, bool strict)
{
    const struct doc_node *x[LIMIT_FIELDS], *y[LIMIT_FIELDS];
    place_members(run, shape, a, x);
    place_members(run, shape, b, y);
    for (uint16_t i = 0; i < shape->field_count; i++)
        if (!is_left_out(shape->fields[i].name.data, except) && !equal_members(run, &shape->fields[i], x[i], y[i], strict))
            return false;
    return true;
}

/* The same JSON means the same. */
static bool same_source(const struct run *run, const struct doc_node *a, const struct doc_node *b)
{
    const struct check_request *request = run->request;
    return !run->apart && a->size && a->size == b->size && request->kind == request->old_kind && request->document == request->old_document &&
           !request->document->has_duplicates && !request->document->is_yaml && bytes_equal(doc_source(request->document, a), doc_source(request->document, b));
}

/* Values that may be anything: as an API server compares them, by their text, but for the order of members. */
static bool equal_raw(struct run *run, const struct doc_node *a, const struct doc_node *b)
{
    static const struct shape any_map = { .type = SHAPE_MAP, .of = &shape_raw }, any_list = { .type = SHAPE_LIST, .of = &shape_raw };
    if (a->type != b->type)
        return false;
    switch ((enum doc_type)a->type) {
    case DOC_NULL:
    case DOC_FALSE:
    case DOC_TRUE:    return true;
    case DOC_NUMBER:
    case DOC_STRING:  return bytes_equal(doc_text(a), doc_text(b));
    case DOC_ARRAY:   return equal_lists(run, &any_list, a, b, false);
    case DOC_OBJECT:  return equal_maps(run, &any_map, a, b, false);
    case DOC_SKIPPED: return !run->apart && bytes_equal(doc_source(run->request->document, a), doc_source(run->request->old_document, b));
    }
    return false;
}

bool equal_values(struct run *run, const struct shape *shape, const struct doc_node *a, const struct doc_node *b, bool strict)
{
    if (a == b)
        return true;
    if (!a || !b || run->failure)
        return false;
    if (same_source(run, a, b))
        return true;
    if (strict && (a->flags & DOC_NIL) != (b->flags & DOC_NIL))
        return false;
    switch (shape->type) {
    case SHAPE_STRING:   return bytes_equal(doc_text(a), doc_text(b));
    case SHAPE_BOOL:     return a->type == b->type;
    case SHAPE_INT32:
    case SHAPE_INT64:    return equal_integers(a, b);
    case SHAPE_QUANTITY: return equal_quantities(run, shape, a, b);
    case SHAPE_TIME:     return equal_times(a, b);
    case SHAPE_RAW:      return equal_raw(run, a, b);
    case SHAPE_OBJECT:   return equal_objects(run, shape, a, b, NULL, strict);
    case SHAPE_LIST:     return equal_lists(run, shape, a, b, strict);
    case SHAPE_MAP:      return equal_maps(run, shape, a, b, strict);
    case SHAPE_TYPES:    break;
    }
    return false;
}
