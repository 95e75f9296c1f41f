/* Checks of a single value: whether it is set, what it is, how large it is. Each reports what is wrong, and returns true if anything is. */
#include "check/ops.h"
#include "check/report.h"
#include "value/quantity.h"

/* ---- presence ---- */

bool check_required(struct evaluation *eval, struct cursor *cursor, const struct check *check)
{
    if (member_is_set(cursor->field, cursor->node))
        return false;
    report(eval, cursor, check, REASON_OF_RULE, cursor->node, detail_text(NULL));
    return true;
}

/* Not reported when the object around the value is left out, too. */
bool check_explicit(struct evaluation *eval, struct cursor *cursor, const struct check *check)
{
    bool parent_written = cursor->up && cursor->up->node && !(cursor->up->node->flags & DOC_IMPLIED);
    if (!parent_written || (cursor->node && !(cursor->node->flags & DOC_IMPLIED)))
        return false;
    report(eval, cursor, check, REASON_OF_RULE, NULL, detail_text("should be written, not left out"));
    return true;
}

bool check_non_empty(struct evaluation *eval, struct cursor *cursor, const struct check *check)
{
    if (!cursor->node || cursor->node->count)
        return false;
    report(eval, cursor, check, REASON_OF_RULE, cursor->node, detail_text("must not be empty"));
    return true;
}

/* Whether a value is written, even an empty or a zero one. */
static bool is_present(const struct doc_node *node)
{
    return node && node->type != DOC_NULL && !(node->flags & (DOC_IMPLIED | DOC_NIL));
}

bool check_forbidden(struct evaluation *eval, struct cursor *cursor, const struct check *check)
{
    if (check->empty_counts ? !is_present(cursor->node) : !member_is_set(cursor->field, cursor->node))
        return false;
    report(eval, cursor, check, REASON_OF_RULE, cursor->node, detail_text("must not be set here"));
    return true;
}

/* ---- single values ---- */

static void report_parts(struct evaluation *eval, const struct cursor *cursor, const struct check *check, unsigned broken)
{
    const struct format_part *parts = format_infos[check->format].parts;
    for (int i = 0; broken >> i; i++) {
        if (!(broken >> i & 1))
            continue;
        bool length = parts[i].kind == PART_TOO_LONG || parts[i].kind == PART_LONGEST;
        struct detail detail = length ? detail_number("must be no more than ", parts[i].max, " bytes") : detail_text(parts[i].detail);
        report(eval, cursor, check, parts[i].kind == PART_TOO_LONG ? REASON_TOO_LONG : REASON_INVALID, cursor->node, detail);
    }
}

bool check_format(struct evaluation *eval, struct cursor *cursor, const struct check *check)
{
    unsigned broken;
    if (!cursor->node || format_is_plain(check->format, doc_text(cursor->node)))
        return false;
    if (!evaluation_format(eval, check->format, doc_text(cursor->node), &broken) || !broken)
        return false;
    report_parts(eval, cursor, check, broken);
    return true;
}

static bool is_named(const struct doc_node *node, const char *const *names)
{
    for (; *names; names++)
        if (bytes_equal_text(doc_text(node), *names))
            return true;
    return false;
}

bool check_enum(struct evaluation *eval, struct cursor *cursor, const struct check *check)
{
    if (!cursor->node || is_named(cursor->node, check->names))
        return false;
    const char *const *supported = **check->names ? check->names : check->names + 1; /* "" may be allowed, but is not recommended */
    report(eval, cursor, check, REASON_OF_RULE, cursor->node, detail_names("supported values: ", supported));
    return true;
}

bool check_listed(struct evaluation *eval, struct cursor *cursor, const struct check *check)
{
    if (!cursor->node || !is_named(cursor->node, check->names))
        return false;
    report(eval, cursor, check, REASON_OF_RULE, cursor->node, detail_text("is deprecated"));
    return true;
}

static enum failure integer_quantity(int64_t value, struct arena *arena, struct quantity *quantity)
{
    struct text text;
    text_init(&text, arena);
    text_add_integer(&text, value);
    const char *end = text_end(&text);
    return end ? quantity_read(bytes_of(end), arena, quantity) : arena->failure;
}

static bool quantity_in_range(struct evaluation *eval, const struct doc_node *node, const struct check *check)
{
    struct quantity value, min, max;
    struct arena *arena = &eval->workspace->arena;
    enum failure failure = quantity_read(doc_text(node), arena, &value);
    if (!failure)
        failure = integer_quantity(check->low, arena, &min);
    if (!failure)
        failure = integer_quantity(check->high, arena, &max);
    if (failure) {
        eval->failure = failure;
        return true;
    }
    int to_low = quantity_compare(&value, &min);
    return (check->strict ? to_low > 0 : to_low >= 0) && (check->high == INT64_MAX || quantity_compare(&value, &max) <= 0);
}

bool check_range(struct evaluation *eval, struct cursor *cursor, const struct check *check)
{
    int64_t value;
    if (!cursor->node)
        return false;
    if (cursor->shape->type == SHAPE_QUANTITY ? quantity_in_range(eval, cursor->node, check)
                                             : doc_integer(cursor->node, check->low + check->strict, check->high, &value))
        return false;
    struct detail detail = {
        .before = "must be between ",
        .between = " and ",
        .after = ", both included",
        .numbers = { check->low, check->high },
        .number_count = 2,
    };
    if (check->high == INT64_MAX)
        detail = detail_number(check->strict ? "must be more than " : "must be at least ", check->low, NULL);
    report(eval, cursor, check, REASON_OF_RULE, cursor->node, detail);
    return true;
}

/* ---- sizes ---- */

bool check_max_bytes(struct evaluation *eval, struct cursor *cursor, const struct check *check)
{
    if (!cursor->node || cursor->node->count <= check->high)
        return false;
    report(eval, cursor, check, REASON_OF_RULE, cursor->node, detail_number("may not be more than ", check->high, " bytes"));
    return true;
}

bool check_max_items(struct evaluation *eval, struct cursor *cursor, const struct check *check)
{
    if (!cursor->node || cursor->node->count <= check->high)
        return false;
    struct detail detail = {
        .between = ": must have at most ",
        .after = " items",
        .numbers = { cursor->node->count, check->high },
        .number_count = 2,
    };
    report(eval, cursor, check, REASON_OF_RULE, NULL, detail);
    return true;
}

bool check_total_bytes(struct evaluation *eval, struct cursor *cursor, const struct check *check)
{
    int64_t total = 0;
    doc_each(cursor->node, entry)
        total += entry->name_length + (entry->type == DOC_STRING ? entry->count : 0);
    if (total <= check->high)
        return false;
    report(eval, cursor, check, REASON_OF_RULE, NULL,
           detail_number("may not be more than ", check->high, " bytes in keys and values together"));
    return true;
}

