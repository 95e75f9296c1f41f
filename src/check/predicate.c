/* The predicates of schema/predicates.def: they test siblings, ancestors, the old object and the kind. */
#include "check/predicate.h"

#include "check/equal.h"
#include "check/walk.h"

typedef bool predicate_function(struct evaluation *eval, const struct cursor *cursor, const struct predicate *predicate, bool shape_check);

/* The member that the predicate names, or the value itself. */
static struct member subject(struct evaluation *eval, const struct cursor *cursor, const struct predicate *predicate, bool shape_check)
{
    if (!predicate->member)
        return (struct member){ cursor->field, cursor->node };
    return cursor_member(eval, cursor, predicate->member, shape_check, false);
}

bool text_is_one_of(const struct doc_node *node, const char *const *texts)
{
    if (!node || node->type != DOC_STRING)
        return false;
    for (; *texts; texts++)
        if (bytes_equal_text(doc_text(node), *texts))
            return true;
    return false;
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

/* ---- whether members are set ---- */

static bool predicate_set(struct evaluation *eval, const struct cursor *cursor, const struct predicate *predicate, bool shape_check)
{
    bool old = predicate->op == PREDICATE_OLD_SET;
    if (old && !predicate->member)
        return cursor->has_old && member_is_set(cursor->field, cursor->old);
    struct member member = old ? cursor_member(eval, cursor, predicate->member, shape_check, true)
                               : subject(eval, cursor, predicate, shape_check);
    return member_is_set(member.field, member.node);
}

static bool predicate_old_has(struct evaluation *eval, const struct cursor *cursor, const struct predicate *predicate, bool shape_check)
{
    (void)shape_check;
    struct found_value found = cursor_find(eval, cursor, predicate->member, true);
    return member_is_set(found.field, found.node);
}

static bool predicate_any_set(struct evaluation *eval, const struct cursor *cursor, const struct predicate *predicate, bool shape_check)
{
    for (const char *const *name = predicate->names; *name; name++) {
        struct member member = cursor_member(eval, cursor, *name, shape_check, false);
        if (member_is_set(member.field, member.node))
            return true;
    }
    return false;
}

static bool predicate_any_before(struct evaluation *eval, const struct cursor *cursor, const struct predicate *predicate, bool shape_check)
{
    (void)shape_check;
    for (const char *const *name = predicate->names; *name && strcmp(*name, cursor->field->name.data) != 0; name++) {
        struct member member = cursor_member(eval, cursor, *name, false, false);
        if (member_is_set(member.field, member.node))
            return true;
    }
    return false;
}

static bool predicate_any_element(struct evaluation *eval, const struct cursor *cursor, const struct predicate *predicate, bool shape_check)
{
    (void)shape_check;
    for (const char *const *name = predicate->names; *name; name++) {
        const uint16_t field = evaluation_field(eval, cursor->shape->of, *name);
        doc_each(cursor->node, raw)
            if (member_is_nonzero(cursor_element_field(eval, cursor->shape->of, raw, field)))
                return true;
    }
    return false;
}

static bool predicate_explicit(struct evaluation *eval, const struct cursor *cursor, const struct predicate *predicate, bool shape_check)
{
    const struct doc_node *node = subject(eval, cursor, predicate, shape_check).node;
    return node && !(node->flags & DOC_IMPLIED);
}

/* ---- what values are ---- */

static bool predicate_true(struct evaluation *eval, const struct cursor *cursor, const struct predicate *predicate, bool shape_check)
{
    const struct doc_node *node = subject(eval, cursor, predicate, shape_check).node;
    return node && node->type == DOC_TRUE;
}

static bool predicate_equals(struct evaluation *eval, const struct cursor *cursor, const struct predicate *predicate, bool shape_check)
{
    return text_is_one_of(subject(eval, cursor, predicate, shape_check).node, predicate->names);
}

static bool predicate_fits(struct evaluation *eval, const struct cursor *cursor, const struct predicate *predicate, bool shape_check)
{
    const struct doc_node *node = subject(eval, cursor, predicate, shape_check).node;
    unsigned broken = 0;
    return !node || format_is_plain(predicate->format, doc_text(node)) ||
           (evaluation_format(eval, predicate->format, doc_text(node), &broken) && !broken);
}

static bool predicate_lists(struct evaluation *eval, const struct cursor *cursor, const struct predicate *predicate, bool shape_check)
{
    doc_each(subject(eval, cursor, predicate, shape_check).node, element)
        if (text_is_one_of(element, predicate->names))
            return true;
    return false;
}

static bool predicate_entry(struct evaluation *eval, const struct cursor *cursor, const struct predicate *predicate, bool shape_check)
{
    (void)shape_check;
    const struct doc_node *entry = doc_member(cursor_find(eval, cursor, predicate->member, false).node, predicate->names[0]);
    return entry && entry->type != DOC_NULL && (!predicate->names[1] || text_is_one_of(entry, predicate->names + 1));
}

/* ---- where the value is ---- */

static bool predicate_key(struct evaluation *eval, const struct cursor *cursor, const struct predicate *predicate, bool shape_check)
{
    (void)eval;
    (void)shape_check;
    for (const char *const *name = predicate->names; cursor->node && *name; name++)
        if (bytes_equal_text(doc_name(cursor->node), *name))
            return true;
    return false;
}

/* The value is an entry of a map, or the key of one. */
static bool predicate_key_begins(struct evaluation *eval, const struct cursor *cursor, const struct predicate *predicate, bool shape_check)
{
    (void)eval;
    (void)shape_check;
    return text_begins(cursor->is_key ? doc_text(cursor->node) : doc_name(cursor->node), predicate->names);
}

static bool predicate_bare(struct evaluation *eval, const struct cursor *cursor, const struct predicate *predicate, bool shape_check)
{
    (void)eval;
    (void)predicate;
    (void)shape_check;
    return cursor->node && (cursor->node->flags & DOC_BARE);
}

static bool predicate_first(struct evaluation *eval, const struct cursor *cursor, const struct predicate *predicate, bool shape_check)
{
    (void)eval;
    (void)predicate;
    (void)shape_check;
    return cursor->up && cursor->up->shape->type == SHAPE_LIST && cursor->index == 0;
}

/* ---- the old object, the kind, options ---- */

static bool predicate_changed(struct evaluation *eval, const struct cursor *cursor, const struct predicate *predicate, bool shape_check)
{
    struct member new = cursor_member(eval, cursor, predicate->member, shape_check, false);
    struct member old = cursor_member(eval, cursor, predicate->member, shape_check, true);
    return !old.field || !equal_values(eval, new.field->shape, new.node, old.node, false);
}

static bool predicate_old_invalid(struct evaluation *eval, const struct cursor *cursor, const struct predicate *predicate, bool shape_check)
{
    (void)predicate;
    (void)shape_check;
    return walk_old_invalid(eval, cursor);
}

static bool predicate_gate(struct evaluation *eval, const struct cursor *cursor, const struct predicate *predicate, bool shape_check)
{
    (void)cursor;
    (void)shape_check;
    return !(eval->request->gates_off & gate_bit(predicate->names[0]));
}

static bool predicate_option(struct evaluation *eval, const struct cursor *cursor, const struct predicate *predicate, bool shape_check)
{
    (void)eval;
    (void)shape_check;
    return (cursor->options & predicate->bits) != 0;
}

static bool predicate_trait(struct evaluation *eval, const struct cursor *cursor, const struct predicate *predicate, bool shape_check)
{
    (void)cursor;
    (void)shape_check;
    return (eval->request->kind->traits & predicate->bits) != 0;
}

/* ---- dispatch ---- */

static predicate_function *const functions[PREDICATES] = {
#define PREDICATE(id, function, ...) [PREDICATE_##id] = function,
#include "schema/predicates.def"
#undef PREDICATE
};

const struct predicate *predicates_unmet(struct evaluation *eval, const struct cursor *cursor, const struct predicate *predicates,
                                         bool shape_check)
{
    for (; predicates && predicates->op != PREDICATE_END; predicates++)
        if (functions[predicates->op](eval, cursor, predicates, shape_check) == predicates->negated)
            return predicates;
    return NULL;
}
