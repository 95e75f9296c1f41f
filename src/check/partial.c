#include "check/partial.h"

/* What a row reads, at most. */
enum reads {
    READS_ANYTHING, /* members beside it, the root, other objects */
    READS_VALUE,    /* the value and all below it */
    READS_COUNT,    /* how many elements the value has, or its keys, or nothing */
};

static const uint8_t ops[CHECK_OPS] = {
    [CHECK_REQUIRED] = READS_COUNT,     [CHECK_EXPLICIT] = READS_COUNT,          [CHECK_FORBIDDEN] = READS_COUNT,
    [CHECK_NON_EMPTY] = READS_COUNT,    [CHECK_MAX_ITEMS] = READS_COUNT,         [CHECK_EXACT_ITEMS] = READS_COUNT,
    [CHECK_KEYS] = READS_COUNT,         [CHECK_FORMAT] = READS_VALUE,            [CHECK_ENUM] = READS_VALUE,
    [CHECK_LISTED] = READS_VALUE,       [CHECK_RANGE] = READS_VALUE,             [CHECK_INTEGER] = READS_VALUE,
    [CHECK_MAX_BYTES] = READS_VALUE,    [CHECK_TOTAL_BYTES] = READS_VALUE,       [CHECK_UNIQUE] = READS_VALUE,
    [CHECK_UNIQUE_NUMBERS] = READS_VALUE, [CHECK_UNIQUE_QUANTITIES] = READS_VALUE, [CHECK_SORTED] = READS_VALUE,
    [CHECK_EXCLUSIVE] = READS_VALUE,    [CHECK_AT_MOST_ONE] = READS_VALUE,       [CHECK_EXPRESSION] = READS_VALUE,
    [CHECK_JSON_OBJECT] = READS_VALUE,  [CHECK_JSON_PAIR] = READS_VALUE,         [CHECK_ONE_OF] = READS_VALUE,
    [CHECK_SUM_ITEMS] = READS_VALUE,    [CHECK_NEEDS] = READS_COUNT,             [CHECK_REFUSE] = READS_VALUE,
    [CHECK_SKIP] = READS_COUNT,         [CHECK_RATCHET] = READS_COUNT,
};

static const uint8_t predicates[PREDICATES] = {
    [PREDICATE_SET] = READS_VALUE,    [PREDICATE_EXPLICIT] = READS_VALUE, [PREDICATE_ANY_SET] = READS_VALUE,
    [PREDICATE_ANY_BEFORE] = READS_VALUE, [PREDICATE_ANY_ELEMENT] = READS_VALUE, [PREDICATE_TRUE] = READS_VALUE,
    [PREDICATE_EQUALS] = READS_VALUE, [PREDICATE_FITS] = READS_VALUE,     [PREDICATE_LISTS] = READS_VALUE,
    [PREDICATE_KEY] = READS_COUNT,    [PREDICATE_KEY_BEGINS] = READS_COUNT, [PREDICATE_FIRST] = READS_COUNT,
    [PREDICATE_GATE] = READS_COUNT,   [PREDICATE_OPTION] = READS_COUNT,   [PREDICATE_TRAIT] = READS_COUNT,
};

/* Whether a value of a wrong type is a member of that object, or somewhere below one. */
static bool is_wrong(const struct cursor *object)
{
    return object && object->node && (object->node->flags & DOC_WRONG);
}

/* Whether the object of which a row names a member contains a value of a wrong type. */
static bool is_wrong_beside(const struct cursor *cursor, const char *name, bool shape_check)
{
    return is_wrong(cursor_object(cursor, &name, shape_check));
}

static bool predicate_is_safe(const struct cursor *cursor, const struct predicate *predicate, bool shape_check)
{
    uint8_t reads = predicates[predicate->op];
    bool has_members = predicate->op == PREDICATE_ANY_SET || predicate->op == PREDICATE_ANY_BEFORE;
    if (reads != READS_VALUE)
        return reads == READS_COUNT;
    if (predicate->member)
        return !is_wrong_beside(cursor, predicate->member, shape_check);
    for (const char *const *name = has_members ? predicate->names : NULL; name && *name; name++)
        if (is_wrong_beside(cursor, *name, shape_check))
            return false;
    return !is_wrong(cursor);
}

bool partial_allows(const struct cursor *cursor, const struct check *check, bool shape_check)
{
    if (ops[check->op] == READS_ANYTHING || (ops[check->op] == READS_VALUE && is_wrong(cursor)))
        return false;
    for (const struct predicate *predicate = check->only_if; predicate && predicate->op != PREDICATE_END; predicate++)
        if (!predicate_is_safe(cursor, predicate, shape_check))
            return false;
    return true;
}

uint64_t partial_wrong_fields(const struct cursor *object)
{
    uint64_t wrong = 0;
    doc_each(object->node, member)
        if (member->field < object->shape->field_count && partial_is_wrong(member))
            wrong |= (uint64_t)1 << member->field;
    for (uint16_t i = 0; wrong && i < object->shape->field_count; i++)
        if (object->shape->fields[i].default_if)
            wrong |= (uint64_t)1 << i;
    return wrong;
}
