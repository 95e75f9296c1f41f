#include "cel/unify.h"

#include "cel/limits.h"

struct cel_change {
    uint32_t variable;
    const struct cel_type *before;
};

static const struct cel_type dyn = { .kind = CEL_DYN }, broken = { .kind = CEL_ERROR };

void cel_bindings_init(struct cel_bindings *bindings, struct arena *arena)
{
    *bindings = (struct cel_bindings){ .arena = arena };
}

/* One more step over types; false: the limit is reached, and nothing more is found out. */
static bool step(struct cel_bindings *bindings, unsigned depth)
{
    if (++bindings->steps > LIMIT_CEL_TYPE_STEPS || depth > LIMIT_CEL_TYPE_DEPTH)
        bindings->failure = bindings->failure ? bindings->failure : FAILURE_LIMIT;
    return !bindings->failure;
}

static void *allocate(struct cel_bindings *bindings, size_t bytes)
{
    void *memory = arena_alloc(bindings->arena, bytes);
    if (!memory && !bindings->failure)
        bindings->failure = bindings->arena->failure;
    return memory;
}

/* Room for one more of `count` entries of `bytes` each; NULL: no memory. */
static void *grown(struct cel_bindings *bindings, void *list, uint32_t count, uint32_t *capacity, size_t bytes)
{
    if (count < *capacity)
        return list;
    uint32_t more = *capacity ? 2 * *capacity : 16;
    void *larger = allocate(bindings, more * bytes);
    if (!larger)
        return NULL;
    if (count)
        memcpy(larger, list, count * bytes);
    *capacity = more;
    return larger;
}

const struct cel_type *cel_type_unknown(struct cel_bindings *bindings)
{
    const struct cel_type **bound = grown(bindings, bindings->bound, bindings->count, &bindings->capacity, sizeof *bound);
    struct cel_type *type = bound ? allocate(bindings, sizeof *type) : NULL;
    if (!type)
        return &broken;
    bindings->bound = bound;
    *type = (struct cel_type){ .kind = CEL_VARIABLE, .variable = bindings->count, .open = true };
    bound[bindings->count++] = NULL;
    return type;
}

const struct cel_type *cel_type_of(struct cel_bindings *bindings, enum cel_type_kind kind, const struct cel_type *first,
                                   const struct cel_type *second)
{
    struct cel_type *type = allocate(bindings, sizeof *type);
    if (!type)
        return &broken;
    *type = (struct cel_type){ .kind = kind, .open = first->open || (second && second->open), .parameters = { first, second } };
    return type;
}

/* The type with other parameters; itself where they are the same. */
static const struct cel_type *with_parameters(struct cel_bindings *bindings, const struct cel_type *type, const struct cel_type *first,
                                              const struct cel_type *second)
{
    if (first == type->parameters[0] && second == type->parameters[1])
        return type;
    return cel_type_of(bindings, type->kind, first, second);
}

const struct cel_type *cel_type_of_row(struct cel_bindings *bindings, const struct cel_type *row,
                                       const struct cel_type *letters[CEL_LETTERS])
{
    if (!row->open)
        return row;
    if (row->kind == CEL_VARIABLE) {
        if (!letters[row->variable])
            letters[row->variable] = cel_type_unknown(bindings);
        return letters[row->variable];
    }
    const struct cel_type *first = cel_type_of_row(bindings, row->parameters[0], letters);
    return with_parameters(bindings, row, first, row->parameters[1] ? cel_type_of_row(bindings, row->parameters[1], letters) : NULL);
}

static const struct cel_type *known(struct cel_bindings *bindings, const struct cel_type *type, bool settled, unsigned depth)
{
    if (!type->open)
        return type;
    if (!step(bindings, depth))
        return &broken;
    if (type->kind == CEL_DYN)
        return settled ? &dyn : type;
    if (type->kind == CEL_VARIABLE) {
        const struct cel_type *bound = bindings->bound[type->variable];
        return bound ? known(bindings, bound, settled, depth + 1) : settled ? &dyn : type;
    }
    const struct cel_type *first = known(bindings, type->parameters[0], settled, depth + 1);
    return with_parameters(bindings, type, first, type->parameters[1] ? known(bindings, type->parameters[1], settled, depth + 1) : NULL);
}

const struct cel_type *cel_type_known(struct cel_bindings *bindings, const struct cel_type *type, bool settled)
{
    return known(bindings, type, settled, 0);
}

static bool same(struct cel_bindings *bindings, const struct cel_type *a, const struct cel_type *b, unsigned depth)
{
    if (a == b)
        return true;
    if (a->kind != b->kind || !step(bindings, depth))
        return false;
    if (a->kind == CEL_VARIABLE)
        return a->variable == b->variable;
    if (a->name || b->name)
        return a->name && b->name && strcmp(a->name, b->name) == 0;
    for (unsigned i = 0; i < 2; i++) {
        const struct cel_type *one = a->parameters[i], *other = b->parameters[i];
        if (!one != !other || (one && !same(bindings, one, other, depth + 1)))
            return false;
    }
    return true;
}

bool cel_type_same(struct cel_bindings *bindings, const struct cel_type *a, const struct cel_type *b)
{
    return same(bindings, a, b, 0);
}

static bool general(const struct cel_type *type)
{
    return type->kind == CEL_DYN || type->kind == CEL_ANY || type->kind == CEL_VARIABLE;
}

static bool more_general(struct cel_bindings *bindings, const struct cel_type *a, const struct cel_type *b, unsigned depth)
{
    if (general(a))
        return true;
    if (general(b) || a->kind != b->kind || !step(bindings, depth))
        return false;
    if (a->kind == CEL_TYPE)
        return true;
    if (a->kind != CEL_LIST && a->kind != CEL_MAP && a->kind != CEL_OPTIONAL)
        return same(bindings, a, b, depth);
    return more_general(bindings, a->parameters[0], b->parameters[0], depth + 1) &&
           (a->kind != CEL_MAP || more_general(bindings, a->parameters[1], b->parameters[1], depth + 1));
}

bool cel_more_general(struct cel_bindings *bindings, const struct cel_type *a, const struct cel_type *b)
{
    return more_general(bindings, a, b, 0);
}

/* Whether the variable is in the type, or in what is known of the variables in it. */
static bool contains(struct cel_bindings *bindings, const struct cel_type *type, uint32_t variable, unsigned depth)
{
    if (!type->open || type->kind == CEL_DYN || !step(bindings, depth))
        return false;
    if (type->kind == CEL_VARIABLE)
        return type->variable == variable ||
               (bindings->bound[type->variable] && contains(bindings, bindings->bound[type->variable], variable, depth + 1));
    return contains(bindings, type->parameters[0], variable, depth + 1) ||
           (type->parameters[1] && contains(bindings, type->parameters[1], variable, depth + 1));
}

void cel_bind(struct cel_bindings *bindings, const struct cel_type *variable, const struct cel_type *type)
{
    struct cel_change *changes = grown(bindings, bindings->changes, bindings->change_count, &bindings->change_capacity, sizeof *changes);
    if (!changes)
        return;
    bindings->changes = changes;
    changes[bindings->change_count++] = (struct cel_change){ variable->variable, bindings->bound[variable->variable] };
    bindings->bound[variable->variable] = type;
}

static bool assign(struct cel_bindings *bindings, const struct cel_type *from, const struct cel_type *to, unsigned depth);

enum answer { NO, YES, NOT_BOUND };

/* Whether a variable can be of a type. What it is known to be becomes the more general of both. */
static enum answer assign_variable(struct cel_bindings *bindings, const struct cel_type *variable, const struct cel_type *type,
                                   unsigned depth)
{
    const struct cel_type *bound = bindings->bound[variable->variable];
    if (same(bindings, variable, type, depth) || (bound && same(bindings, bound, type, depth)))
        return YES;
    if (bound) {
        if (!assign(bindings, type, bound, depth + 1))
            return NO;
        const struct cel_type *wider = more_general(bindings, type, bound, depth) ? type : bound;
        if (!contains(bindings, wider, variable->variable, depth))
            cel_bind(bindings, variable, wider);
        return YES;
    }
    if (contains(bindings, type, variable->variable, depth))
        return NOT_BOUND;
    cel_bind(bindings, variable, type);
    return YES;
}

/* Types whose values may be null. */
static bool nullable(const struct cel_type *type)
{
    switch (type->kind) {
    case CEL_NULL: case CEL_OPTIONAL: case CEL_OPAQUE: case CEL_STRUCT: case CEL_DURATION: case CEL_TIMESTAMP: case CEL_WRAPPER:
        return true;
    default:
        return false;
    }
}

static bool takes_all(const struct cel_type *type)
{
    return type->kind == CEL_DYN || type->kind == CEL_ANY || type->kind == CEL_ERROR;
}

static const struct cel_type *unwrapped(const struct cel_type *type)
{
    return type->kind == CEL_WRAPPER ? type->parameters[0] : type;
}

static bool assign_known(struct cel_bindings *bindings, const struct cel_type *from, const struct cel_type *to, unsigned depth)
{
    if (takes_all(from) || takes_all(to))
        return true;
    if (from->kind == CEL_NULL || to->kind == CEL_NULL)
        return nullable(from->kind == CEL_NULL ? to : from);
    if (from->kind == CEL_WRAPPER || to->kind == CEL_WRAPPER)
        return same(bindings, unwrapped(from), unwrapped(to), depth);
    if (from->kind != to->kind)
        return false;
    if (from->kind == CEL_TYPE)
        return true;
    if (from->name)
        return same(bindings, from, to, depth);
    for (unsigned i = 0; i < cel_type_parameters(from->kind); i++) {
        const struct cel_type *one = from->parameters[i], *other = to->parameters[i];
        if (!one || !other ? one != other : !assign(bindings, one, other, depth + 1))
            return false;
    }
    return true;
}

static bool assign(struct cel_bindings *bindings, const struct cel_type *from, const struct cel_type *to, unsigned depth)
{
    if (!step(bindings, depth))
        return false;
    if (to->kind == CEL_VARIABLE) {
        enum answer answer = assign_variable(bindings, to, from, depth);
        if (answer != NOT_BOUND)
            return answer == YES;
    }
    if (from->kind == CEL_VARIABLE)
        return assign_variable(bindings, from, to, depth) == YES;
    return assign_known(bindings, from, to, depth);
}

bool cel_assignable(struct cel_bindings *bindings, const struct cel_type *const *from, const struct cel_type *const *to, unsigned count)
{
    uint32_t before = bindings->change_count;
    for (unsigned i = 0; i < count; i++) {
        if (assign(bindings, from[i], to[i], 0))
            continue;
        while (bindings->change_count > before) {
            const struct cel_change *change = &bindings->changes[--bindings->change_count];
            bindings->bound[change->variable] = change->before;
        }
        return false;
    }
    return true;
}
