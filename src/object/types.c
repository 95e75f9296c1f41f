/* Refuses what the API server's decoder refuses: values that do not have the type of their field. Null is allowed everywhere. */
#include "base/fast_paths.h"
#include "check/cursor.h"
#include "check/report.h"
#include "check/row_counts.h"
#include "object/object.h"
#include "value/quantity.h"
#include "value/time.h"

static const char *const expected[SHAPE_TYPES] = {
    [SHAPE_STRING] = "must be a string",
    [SHAPE_BOOL] = "must be true or false",
    [SHAPE_INT32] = "must be an integer of at most 32 bits, without fraction or exponent",
    [SHAPE_INT64] = "must be an integer of at most 64 bits, without fraction or exponent",
    [SHAPE_QUANTITY] = "must be a quantity such as 10Gi, 1500m or 1e3",
    [SHAPE_TIME] = "must be a time such as 2006-01-02T15:04:05Z",
    [SHAPE_RAW] = "may be anything",
    [SHAPE_OBJECT] = "must be an object",
    [SHAPE_LIST] = "must be a list",
    [SHAPE_MAP] = "must be an object",
};

/* Whether Go's encoder escapes a character in the text when it turns YAML into JSON: a control character, U+2028 or U+2029. */
static bool needs_escape(struct bytes text)
{
    for (uint32_t i = 0; i < text.length; i++) {
        const char *at = text.data + i;
        if ((unsigned char)*at < ' ')
            return true;
        if (text.length - i >= 3 && (memcmp(at, "\xE2\x80\xA8", 3) == 0 || memcmp(at, "\xE2\x80\xA9", 3) == 0))
            return true;
    }
    return false;
}

/* The API server reads a quantity from its JSON source without decoding escapes, so one with an escape is invalid. It gets YAML as JSON. */
static bool has_escape(const struct evaluation *eval, const struct doc_node *node)
{
    if (eval->request->document->is_yaml)
        return needs_escape(doc_text(node));
    return node->type == DOC_STRING && (node->flags & DOC_ESCAPED);
}

/* Why the value itself does not have the type of its shape; NULL when it has. Members and elements are not checked. */
static const char *type_error(const struct evaluation *eval, const struct shape *shape, const struct doc_node *node)
{
    int64_t integer;
    struct instant instant;
    bool good = false;
    switch (shape->type) {
    case SHAPE_STRING:
    case SHAPE_BOOL:
    case SHAPE_RAW:    good = shape->fits >> node->type & 1; break;
    case SHAPE_INT32:  good = node->type == DOC_NUMBER && doc_integer(node, INT32_MIN, INT32_MAX, &integer); break;
    case SHAPE_INT64:  good = node->type == DOC_NUMBER && doc_integer(node, INT64_MIN, INT64_MAX, &integer); break;
    case SHAPE_TIME:   good = node->type == DOC_STRING && instant_read(doc_text(node), &instant); break;
    case SHAPE_OBJECT:
    case SHAPE_MAP:    good = node->type == DOC_OBJECT; break;
    case SHAPE_LIST:   good = node->type == DOC_ARRAY; break;
    case SHAPE_QUANTITY:
        if (node->type != DOC_NUMBER && node->type != DOC_STRING)
            break;
        if (has_escape(eval, node))
            return "must be a quantity without line breaks, control characters or escapes";
        return quantity_fault(doc_text(node));
    case SHAPE_TYPES: break;
    }
    return good ? NULL : expected[shape->type];
}

/* A fast path: true when the JSON type alone proves that the value fits its shape. False proves nothing. */
static inline bool surely_fits(const struct shape *shape, const struct doc_node *node)
{
    const unsigned containers = DOC_BIT(OBJECT) | DOC_BIT(ARRAY); /* never: what they contain may have a wrong type */
    int64_t integer;
    if (FAST_PATHS && ((shape->fits & ~containers) >> node->type & 1))
        return true;
    return FAST_PATHS && shape->type == SHAPE_INT64 && node->type == DOC_NUMBER && doc_integer(node, INT64_MIN, INT64_MAX, &integer);
}

static bool members_surely_fit(const struct shape *shape, const struct doc_node *object)
{
    for (const struct doc_node *member = object->first; member; member = member->next)
        if (member->field < shape->field_count && !surely_fits(shape->fields[member->field].shape, member))
            return false;
    return true;
}

/* Whether the value and everything below it is proved to fit without a closer check. */
static bool is_proved(const struct shape *shape, const struct doc_node *node)
{
    if (FAST_PATHS && node->flags & DOC_WELL_TYPED)
        return true;
    return shape->type == SHAPE_OBJECT && node->type == DOC_OBJECT ? members_surely_fit(shape, node) : surely_fits(shape, node);
}

/* The field of a member of an object; NULL: it is not decoded. Of other containers, all have the shape `of`. */
static const struct field *decoded_field(const struct evaluation *eval, const struct shape *shape, const struct doc_node *member)
{
    const struct field *field = member->field < shape->field_count ? &shape->fields[member->field] : NULL;
    bool later = field && field->status_since > eval->request->version && eval->request->operation != STATUS;
    return later ? NULL : field;
}

static void check_value(struct evaluation *eval, const struct cursor *cursor, const char *prefix)
{
    const struct shape *shape = cursor->shape;
    const struct doc_node *node = cursor->node;
    if (node->type == DOC_NULL || eval->failure)
        return;
    const char *detail = type_error(eval, shape, node);
    if (detail) {
        row_count(cursor->field, eval->request->version, ROW_BROKEN);
        report_rule(eval, cursor, &(struct rule_report){ .rule = RULE_TYPE, .value = node, .prefix = prefix, .text = detail });
        return;
    }
    if (shape->type != SHAPE_OBJECT && shape->type != SHAPE_LIST && shape->type != SHAPE_MAP)
        return;
    struct cursor child = { .up = cursor };
    for (const struct doc_node *inner = node->first; inner; inner = inner->next, child.index++) {
        child.field = shape->type == SHAPE_OBJECT ? decoded_field(eval, shape, inner) : NULL;
        if (shape->type == SHAPE_OBJECT && !child.field)
            continue;
        child.shape = child.field ? child.field->shape : shape->of;
        if (is_proved(child.shape, inner))
            continue;
        child.node = inner;
        check_value(eval, &child, prefix);
    }
}

void object_check_types(struct evaluation *eval, const struct shape *shape, const struct doc_node *node, const char *prefix)
{
    struct cursor root = { .shape = shape, .node = node };
    if (node->type == DOC_NULL)
        report_rule(eval, &root,
                    &(struct rule_report){ .rule = RULE_TYPE, .value = node, .prefix = prefix, .text = expected[SHAPE_OBJECT] });
    else
        check_value(eval, &root, prefix);
}

/* ---- the rest of an object ---- */

static void mark_wrong(struct doc_node *node)
{
    node->flags |= DOC_WRONG;
    node->flags &= (uint8_t)~DOC_WELL_TYPED;
}

static const struct doc_node *wrong_at(struct evaluation *eval, const struct doc_node *node)
{
    struct doc_node *wrong = evaluation_alloc(eval, sizeof *wrong);
    if (!wrong)
        return node;
    *wrong = *node;
    wrong->type = DOC_NULL;
    wrong->first = NULL;
    wrong->count = 0;
    mark_wrong(wrong);
    return wrong;
}

/* An object or list in which at least one child is another than before. A value that holds the members of the object around it, as in API
 * versions that CONVERTS_TO() has, takes that along. */
static const struct doc_node *without_wrong_below(struct evaluation *eval, const struct shape *shape, const struct doc_node *node)
{
    struct doc_builder builder = doc_build(&eval->workspace->arena, node);
    bool changed = false;
    doc_each(node, inner) {
        const struct field *field = shape->type == SHAPE_OBJECT ? decoded_field(eval, shape, inner) : NULL;
        bool decoded = field || shape->type != SHAPE_OBJECT;
        const struct doc_node *kept = decoded ? object_without_wrong(eval, field ? field->shape : shape->of, inner) : inner;
        changed |= kept != inner;
        if (field && field->flattened && kept != inner && kept->type == DOC_NULL)
            return wrong_at(eval, node);
        if (builder.container && !doc_append(&builder, &eval->workspace->arena, kept))
            builder.container = NULL;
    }
    if (!builder.container)
        eval->failure = eval->workspace->arena.failure;
    if (!changed || !builder.container)
        return node;
    mark_wrong(builder.container);
    return builder.container;
}

/* Recursion is as deep as shapes nest. */
const struct doc_node *object_without_wrong(struct evaluation *eval, const struct shape *shape, const struct doc_node *node)
{
    if (node->type == DOC_NULL || eval->failure || is_proved(shape, node))
        return node;
    if (type_error(eval, shape, node))
        return wrong_at(eval, node);
    return object_has_members(shape, node) ? without_wrong_below(eval, shape, node) : node;
}
