/* What the API server's decoder refuses: values of another JSON type than their field. Null passes everywhere. */
#include "check/run.h"
#include "value/quantity.h"
#include "value/time.h"

static const char *const wanted[SHAPE_TYPES] = {
    [SHAPE_STRING] = "must be a string",
    [SHAPE_BOOL] = "must be true or false",
    [SHAPE_INT32] = "must be a whole number of at most 32 bits, without fraction or exponent",
    [SHAPE_INT64] = "must be a whole number of at most 64 bits, without fraction or exponent",
    [SHAPE_QUANTITY] = "must be a quantity such as 10Gi, 1500m or 1e3",
    [SHAPE_TIME] = "must be a time such as 2006-01-02T15:04:05Z",
    [SHAPE_RAW] = "may be anything",
    [SHAPE_OBJECT] = "must be an object",
    [SHAPE_LIST] = "must be a list",
    [SHAPE_MAP] = "must be an object",
};

/* The API server reads a quantity from the source, in which an escape is neither digit nor white space. What was YAML reaches it as JSON, with
 * escapes for control characters, U+2028 and U+2029. */
static bool has_escape(const struct run *run, const struct doc_node *node)
{
    struct bytes text = doc_text(node);
    bool found = node->type == DOC_STRING && (node->flags & DOC_ESCAPED) && !run->request->document->is_yaml;
    if (run->request->document->is_yaml)
        for (uint32_t i = 0; i < text.length && !found; i++)
            found = (unsigned char)text.data[i] < ' ' || (text.length - i >= 3 && (memcmp(text.data + i, "\xE2\x80\xA8", 3) == 0 || memcmp(text.data + i, "\xE2\x80\xA9", 3) == 0));
    return found;
}

/* Types of JSON that fit a shape whatever the value is, as bits. */
#define BIT(type) (1u << DOC_##type)
static const uint16_t fitting[SHAPE_TYPES] = {
    [SHAPE_STRING] = BIT(NULL) | BIT(STRING), [SHAPE_BOOL] = BIT(NULL) | BIT(FALSE) | BIT(TRUE), [SHAPE_INT32] = BIT(NULL), [SHAPE_INT64] = BIT(NULL),
    [SHAPE_QUANTITY] = BIT(NULL), [SHAPE_TIME] = BIT(NULL), [SHAPE_RAW] = UINT16_MAX, [SHAPE_OBJECT] = BIT(NULL), [SHAPE_LIST] = BIT(NULL), [SHAPE_MAP] = BIT(NULL),
};
#undef BIT

/* Why the value cannot be read as its shape; NULL when it can, as far as the value itself goes. */
static const char *fault(const struct run *run, const struct shape *shape, const struct doc_node *node)
{
    int64_t integer;
    struct instant instant;
    bool good = false;
    switch (shape->type) {
    case SHAPE_STRING:
    case SHAPE_BOOL:
    case SHAPE_RAW:    good = fitting[shape->type] >> node->type & 1; break;
    case SHAPE_INT32:  good = node->type == DOC_NUMBER && doc_integer(node, INT32_MIN, INT32_MAX, &integer); break;
    case SHAPE_INT64:  good = node->type == DOC_NUMBER && doc_integer(node, INT64_MIN, INT64_MAX, &integer); break;
    case SHAPE_TIME:   good = node->type == DOC_STRING && instant_read(doc_text(node), &instant); break;
    case SHAPE_OBJECT:
    case SHAPE_MAP:    good = node->type == DOC_OBJECT; break;
    case SHAPE_LIST:   good = node->type == DOC_ARRAY; break;
    case SHAPE_QUANTITY:
        if (node->type != DOC_NUMBER && node->type != DOC_STRING)
            break;
        if (has_escape(run, node))
            return "must be a quantity without line breaks, control characters or escapes";
        return quantity_fault(doc_text(node));
    case SHAPE_TYPES: break;
    }
    return good ? NULL : wanted[shape->type];
}

/* Whether the value's type fits, and, of an object, those of its members; seen at a glance, so false proves nothing. */
static inline bool fits_plainly(const struct shape *shape, const struct doc_node *node)
{
    int64_t integer;
    if (fitting[shape->type] >> node->type & 1)
        return true;
    return shape->type == SHAPE_INT64 && node->type == DOC_NUMBER && doc_integer(node, INT64_MIN, INT64_MAX, &integer);
}

static bool members_fit_plainly(const struct shape *shape, const struct doc_node *object)
{
    for (const struct doc_node *member = object->first; member; member = member->next)
        if (member->field < shape->field_count && !fits_plainly(shape->fields[member->field].shape, member))
            return false;
    return true;
}

static void decode(struct run *run, const struct place *place, const char *prefix)
{
    const struct shape *shape = place->shape;
    const struct doc_node *node = place->node;
    if (node->type == DOC_NULL || run->failure)
        return;
    const char *detail = fault(run, shape, node);
    if (detail) {
        report_rule(run, place, &(struct rule_report){ .rule = RULE_TYPE, .value = node, .prefix = prefix, .text = detail });
        return;
    }
    if (shape->type != SHAPE_OBJECT && shape->type != SHAPE_LIST && shape->type != SHAPE_MAP)
        return;
    struct place child = { .up = place };
    for (const struct doc_node *inner = node->first; inner; inner = inner->next, child.index++) {
        if (shape->type == SHAPE_OBJECT && inner->field >= shape->field_count)
            continue; /* unknown fields are not decoded */
        if (inner->flags & DOC_FITTING && !run->other_shape)
            continue;
        child.field = shape->type == SHAPE_OBJECT ? &shape->fields[inner->field] : NULL;
        child.shape = child.field ? child.field->shape : shape->of;
        if (child.shape->type == SHAPE_OBJECT && inner->type == DOC_OBJECT ? members_fit_plainly(child.shape, inner) : fits_plainly(child.shape, inner))
            continue;
        child.node = inner;
        decode(run, &child, prefix);
    }
}

void decode_object(struct run *run, const struct shape *shape, const struct doc_node *node, const char *prefix)
{
    struct place root = { .shape = shape, .node = node };
    if (node->type == DOC_NULL)
        report_rule(run, &root, &(struct rule_report){ .rule = RULE_TYPE, .value = node, .prefix = prefix, .text = wanted[SHAPE_OBJECT] });
    else
        decode(run, &root, prefix);
}
