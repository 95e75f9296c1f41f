#include "check/cursor.h"

#include "check/cross_call.h"
#include "check/row_counts.h"
#include "check/shape_summary.h"
#include "value/time.h"

#define ZERO(doc_type) { .type = (doc_type), .flags = DOC_IMPLIED, .text = "" }

static const struct doc_node zeros[SHAPE_TYPES] = {
    [SHAPE_STRING] = ZERO(DOC_STRING), [SHAPE_BOOL] = ZERO(DOC_FALSE),
    [SHAPE_INT32] = { .type = DOC_NUMBER, .flags = DOC_IMPLIED, .text = "0", .count = 1 },
    [SHAPE_INT64] = { .type = DOC_NUMBER, .flags = DOC_IMPLIED, .text = "0", .count = 1 },
    [SHAPE_QUANTITY] = { .type = DOC_NUMBER, .flags = DOC_IMPLIED, .text = "0", .count = 1 },
    [SHAPE_TIME] = ZERO(DOC_NULL), [SHAPE_RAW] = ZERO(DOC_NULL),
    [SHAPE_OBJECT] = { .type = DOC_OBJECT, .flags = DOC_IMPLIED },
    [SHAPE_LIST] = { .type = DOC_ARRAY, .flags = DOC_IMPLIED | DOC_NIL },
    [SHAPE_MAP] = { .type = DOC_OBJECT, .flags = DOC_IMPLIED | DOC_NIL },
};

/* The zero value for a null that is written: with the name and position of that null. */
static const struct doc_node *zero_at(struct evaluation *eval, const struct shape *shape, const struct doc_node *null)
{
    struct doc_node *zero = evaluation_alloc(eval, sizeof *zero);
    if (!zero)
        return &zeros[shape->type];
    *zero = zeros[shape->type];
    zero->flags &= (uint8_t)~DOC_IMPLIED;
    zero->next = null->next;
    zero->name = null->name;
    zero->name_length = null->name_length;
    zero->name_offset = null->name_offset;
    zero->offset = null->offset;
    zero->size = null->size;
    return zero;
}

static const struct doc_node *value_of(struct evaluation *eval, const struct field *field, const struct shape *shape,
                                       const struct doc_node *raw, bool defaults)
{
    bool null = !raw || raw->type == DOC_NULL;
    if (defaults && field && field->default_value && (null || !member_is_set(field, raw))) {
        row_count(ROW_DEFAULT(field), eval->request->version, ROW_BROKEN);
        return field->default_value;
    }
    if (!null) {
        row_count(field ? ROW_DEFAULT(field) : NULL, eval->request->version, ROW_PASSED);
        return raw;
    }
    if (shape->type == SHAPE_RAW)
        return raw && !field ? raw : NULL;
    if (field && field->pointer)
        return NULL;
    return raw ? zero_at(eval, shape, raw) : &zeros[shape->type];
}

const struct doc_node *cursor_value(struct evaluation *eval, const struct field *field, const struct shape *shape,
                                    const struct doc_node *raw)
{
    return value_of(eval, field, shape, raw, true);
}

bool field_gated(const struct evaluation *eval, const struct field *field)
{
    return field->gate && eval->request->gates_off && eval->request->version >= field->gated_since &&
           (eval->request->gates_off & gate_bit(field->gate));
}

/* Whether field i of the object has a default here: the conditions of DEFAULT_IF hold, which compare texts of earlier members. */
static bool has_default(struct evaluation *eval, const struct shape *shape, const struct doc_node *node,
                        const struct doc_node *const *members, uint16_t i)
{
    if ((node->flags & DOC_BARE) || field_gated(eval, &shape->fields[i]))
        return false;
    for (const struct predicate *predicate = shape->fields[i].default_if; predicate && predicate->op != PREDICATE_END; predicate++) {
        const struct doc_node *sibling = members[evaluation_field(eval, shape, predicate->member)];
        if (!sibling || sibling->type != DOC_STRING || !bytes_equal_text(doc_text(sibling), predicate->names[0]))
            return false;
    }
    return true;
}

bool field_exists(const struct evaluation *eval, const struct field *field)
{
    return versions_include(field->versions, eval->request->version);
}

static bool is_zero_time(const struct doc_node *node)
{
    struct instant instant;
    return node->type == DOC_STRING && instant_read(doc_text(node), &instant) && instant_is_zero(&instant);
}

bool member_is_set(const struct field *field, const struct doc_node *node)
{
    if (!node)
        return false;
    if (field && field->shape->type == SHAPE_RAW)
        return node->type != DOC_NULL;
    if (field && field->pointer)
        return true;
    if (field && field->shape->type == SHAPE_TIME)
        return node->type == DOC_STRING && !is_zero_time(node);
    int64_t number;
    switch ((enum doc_type)node->type) {
    case DOC_NULL:
    case DOC_FALSE: return false;
    case DOC_TRUE:
    case DOC_SKIPPED: return true;
    case DOC_NUMBER: return !doc_integer(node, INT64_MIN, INT64_MAX, &number) || number != 0;
    case DOC_STRING:
    case DOC_ARRAY:
    case DOC_OBJECT: return node->count != 0;
    }
    return true;
}

void cursor_members(struct evaluation *eval, const struct shape *shape, const struct doc_node *node,
                    const struct doc_node *members[LIMIT_FIELDS])
{
    struct shape_summary scratch;
    const struct shape_summary *summary = shape_summary_of(&eval->workspace->context->shape_summaries, shape, &scratch);
    uint64_t unset = summary->valued_if_unset, null = 0;
    memset(members, 0, shape->field_count * sizeof *members);
    for (const struct doc_node *member = node->first; member; member = member->next) {
        if (member->field >= shape->field_count)
            continue;
        uint64_t bit = (uint64_t)1 << member->field;
        members[member->field] = member;
        unset &= ~bit;
        null = member->type == DOC_NULL ? null | bit : null & ~bit;
    }
    for (uint64_t left = unset | null | summary->defaulted; left; left &= left - 1) {
        uint16_t i = (uint16_t)__builtin_ctzll(left);
        const struct field *field = &shape->fields[i];
        members[i] = value_of(eval, field, field->shape, members[i], field->default_value && has_default(eval, shape, node, members, i));
    }
}

static const struct doc_node *prepared(const struct field *field, enum prepare prepare, const struct doc_node *member,
                                       const struct doc_node *old)
{
    switch (prepare) {
    case PREPARE_NONE:      return member;
    case DROP:              return field->pointer ? NULL : &zeros[field->shape->type];
    case KEEP_OLD:          return old;
    case KEEP_OLD_IF_UNSET: return member_is_set(field, member) ? member : old;
    case KEEP_OLD_IF_SET:   return member_is_set(field, old) && !is_zero_time(old) ? old : member;
    }
    return member;
}

/* Drops member i of the object at the cursor, or replaces it by the old one, as its field says. */
static void prepare_member(struct evaluation *eval, struct cursor *cursor, struct members *members, uint16_t i)
{
    const struct field *field = &cursor->shape->fields[i];
    enum prepare prepare = field->on[eval->request->operation];
    bool has_old = cursor->old_members;
    if (field->prepare && eval->request->operation == STATUS && has_old && members->members[i]) {
        struct cross cross = { .eval = eval, .cursor = cursor };
        members->members[i] = field->prepare(&cross, members->members[i]);
    }
    if (prepare == DROP || (prepare != PREPARE_NONE && has_old))
        members->members[i] = prepared(field, prepare, members->members[i], has_old ? members->old_members[i] : NULL);
}

void cursor_open(struct evaluation *eval, struct cursor *cursor, struct members *members)
{
    const struct shape *shape = cursor->shape;
    bool has_old = cursor->has_old && cursor->old;
    cursor_members(eval, shape, cursor->node, members->members);
    if (has_old)
        cursor_members(eval, shape, cursor->old, members->old_members);
    cursor->members = members->members;
    cursor->old_members = has_old ? members->old_members : NULL;
    struct shape_summary scratch;
    const struct shape_summary *summary = shape_summary_of(&eval->workspace->context->shape_summaries, shape, &scratch);
    for (uint64_t left = summary->prepared; left; left &= left - 1)
        prepare_member(eval, cursor, members, (uint16_t)__builtin_ctzll(left));
}

const struct doc_node *cursor_element_field(struct evaluation *eval, const struct shape *element, const struct doc_node *node,
                                            uint16_t field)
{
    const struct doc_node *found = NULL;
    for (const struct doc_node *member = cursor_value(eval, NULL, element, node)->first; member; member = member->next)
        if (member->field == field)
            found = member;
    return cursor_value(eval, &element->fields[field], element->fields[field].shape, found);
}

const struct doc_node *cursor_element_member(struct evaluation *eval, const struct shape *element, const struct doc_node *node,
                                             const char *name)
{
    if (!name)
        return cursor_value(eval, NULL, element, node);
    return cursor_element_field(eval, element, node, evaluation_field(eval, element, name));
}

struct found_value cursor_find(struct evaluation *eval, const struct cursor *cursor, const char *path, bool old)
{
    while (cursor->up)
        cursor = cursor->up;
    struct found_value found = { NULL, cursor->shape, old ? cursor->old : cursor->node };
    const struct doc_node *const *members = old ? NULL : cursor->members;
    while (*path) {
        struct bytes name = { path, (uint32_t)strcspn(path, ".") };
        uint16_t i = 0;
        while (i < found.shape->field_count && !bytes_equal(found.shape->fields[i].name, name))
            i++;
        if (i == found.shape->field_count)
            return (struct found_value){ NULL, NULL, NULL };
        found.field = &found.shape->fields[i];
        if (members)
            found.node = members[i];
        else if (found.node)
            found.node = cursor_element_field(eval, found.shape, found.node, i);
        found.shape = found.field->shape;
        members = NULL; /* below the root: as written, without what the operation drops or keeps */
        path += name.length + (path[name.length] == '.');
    }
    return found;
}

struct cursor cursor_key(const struct cursor *map, const struct doc_node *entry, struct doc_node *text)
{
    *text = (struct doc_node){
        .type = DOC_STRING,
        .text = entry->name,
        .count = entry->name_length,
        .offset = entry->name_offset,
        .size = entry->offset - entry->name_offset,
    };
    return (struct cursor){ .up = map, .shape = &shape_string, .node = text, .is_key = true, .options = map->options };
}

bool member_is_nonzero(const struct doc_node *node)
{
    return member_is_set(NULL, node) || (node && node->type == DOC_OBJECT);
}

/* ---- members by name ---- */

static const struct cursor *enclosing_object(const struct cursor *cursor)
{
    while (cursor && !cursor->members)
        cursor = cursor->up;
    return cursor;
}

const struct cursor *cursor_object(const struct cursor *cursor, const char **name, bool shape_check)
{
    const struct cursor *object = enclosing_object(shape_check ? cursor : cursor->up);
    for (; object && **name == '.'; *name += 3) /* "../" */
        object = enclosing_object(object->up);
    return object;
}

struct member cursor_member(struct evaluation *eval, const struct cursor *cursor, const char *name, bool shape_check, bool old)
{
    const struct cursor *object = cursor_object(cursor, &name, shape_check);
    const struct doc_node *const *members = !object ? NULL : old ? object->old_members : object->members;
    if (!members)
        return (struct member){ NULL, NULL };
    uint16_t i = evaluation_field(eval, object->shape, name);
    return (struct member){ &object->shape->fields[i], members[i] };
}

const struct doc_node *cursor_sibling(struct evaluation *eval, const struct cursor *cursor, const char *name)
{
    return cursor_member(eval, cursor, name, false, false).node;
}
