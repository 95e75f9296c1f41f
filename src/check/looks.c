#include "check/looks.h"

#include <string.h>

#include "schema/shape.h"

/* From the least to the most. */
enum reach {
    REACH_VALUE, /* the value, what is below it, members of the objects around it, the request */
    REACH_OLD,   /* the old object's, too */
    REACH_ALL,   /* anything */
};

/* What an operation looks at besides the members that the row names. No default: whoever adds one decides. */
static enum reach check_reach(const struct check *check)
{
    switch ((enum check_op)check->op) {
    case CHECK_REQUIRED: case CHECK_EXPLICIT: /* and whether the object around it is written */
    case CHECK_FORBIDDEN: case CHECK_NEEDS: case CHECK_NON_EMPTY: case CHECK_REFUSE: case CHECK_UNCHANGEABLE:
    case CHECK_FORMAT: case CHECK_ENUM: case CHECK_LISTED: case CHECK_RANGE: case CHECK_INTEGER: case CHECK_MAX_BYTES:
    case CHECK_MAX_ITEMS: case CHECK_EXACT_ITEMS: case CHECK_SUM_ITEMS: case CHECK_TOTAL_BYTES: case CHECK_KEYS: case CHECK_KEYS_IN:
    case CHECK_UNIQUE: case CHECK_UNIQUE_NUMBERS: case CHECK_UNIQUE_QUANTITIES: case CHECK_SORTED: case CHECK_CONTAINS:
    case CHECK_DISJOINT: case CHECK_EXCLUSIVE: case CHECK_AT_MOST_ONE: case CHECK_COMPARE: case CHECK_ON_GRID: case CHECK_EXPRESSION:
    case CHECK_MATCHES: case CHECK_REFERENCE: /* and a path from the root, which is the same for all */
    case CHECK_JSON_OBJECT: case CHECK_JSON_PAIR: case CHECK_SKIP: case CHECK_RATCHET:
        return REACH_VALUE;
    case CHECK_ONE_OF:
        return check->is_union ? REACH_OLD : REACH_VALUE;
    case CHECK_IMMUTABLE: case CHECK_IMMUTABLE_BY_KEY:
    case CHECK_NO_ADDITIONS:
        return REACH_OLD;
    case CHECK_CALL:
        return check->looks == LOOKS_ANYWHERE ? REACH_ALL : REACH_VALUE;
    case CHECK_NAMES_OBJECT: case CHECK_END: case CHECK_OPS:
        break;
    }
    return REACH_ALL;
}

static enum reach predicate_reach(const struct predicate *predicate)
{
    switch ((enum predicate_op)predicate->op) {
    case PREDICATE_SET: case PREDICATE_ANY_SET: case PREDICATE_ANY_BEFORE: case PREDICATE_ANY_ELEMENT: case PREDICATE_EXPLICIT:
    case PREDICATE_TRUE: case PREDICATE_EQUALS: case PREDICATE_FITS: case PREDICATE_LISTS: case PREDICATE_BARE:
    case PREDICATE_OLD_HAS: case PREDICATE_ENTRY: /* paths from the root, which are the same for all */
    case PREDICATE_GATE: case PREDICATE_OPTION: case PREDICATE_TRAIT:
        return REACH_VALUE;
    case PREDICATE_OLD_SET:
    case PREDICATE_CHANGED:
    case PREDICATE_OLD_INVALID:
        return REACH_OLD;
    case PREDICATE_KEY:
    case PREDICATE_KEY_BEGINS:
    case PREDICATE_FIRST:
    case PREDICATE_END:
    case PREDICATES:
        break;
    }
    return REACH_ALL;
}

/* ---- the members that rows name ---- */

/* The kinds of names in ops.def and predicates.def: those of members of an object around the row's place, and others. */
enum named { NO_NAME, VALUES, OF_ELEMENT, ROOT_PATH, OTHER, ITS_MEMBER, SIBLING_NAME, MEMBER, OLD_MEMBER };

static inline bool names_members(enum named named)
{
    return named >= ITS_MEMBER;
}

/* A walk down the shape. */
struct look {
    const struct shape *top;
    struct looks *looks;
    uint16_t field;   /* the member at or below which the walk is … */
    uint64_t member;  /* … as a bit; 0: at the shape's own checks */
    unsigned objects; /* that are around the rows, below the top */
    uint64_t named;   /* of the own checks: members by name */
    bool own_value;   /* the conditions of the row are about the member itself */
};

/* A name may go up: "../name". Those that stay below the member are part of its value; those that go beyond the top lead to the same
 * value from every object in a list. */
static void look_at_name(struct look *look, const char *name)
{
    unsigned up = 0;
    for (; strncmp(name, "../", 3) == 0; name += 3)
        up++;
    uint16_t i = up == look->objects ? shape_field_index(look->top, name) : look->top->field_count;
    uint64_t bit = i < look->top->field_count ? (uint64_t)1 << i : 0;
    if (!look->member)
        look->named |= bit;
    else if (look->objects || bit != look->member)
        look->looks->watched[look->field] |= bit;
    else
        look->own_value = true; /* the member names itself */
}

static void look_at_names(struct look *look, enum named named, const char *const *names)
{
    for (; names_members(named) && names && *names; names++)
        look_at_name(look, *names);
}

static enum reach look_at_predicates(struct look *look, const struct predicate *predicate)
{
    static const struct {
        uint8_t member, names;
    } rows[PREDICATES] = {
#define PREDICATE(id, function, member, names, ...) [PREDICATE_##id] = { member, names },
#include "schema/predicates.def"
#undef PREDICATE
    };
    enum reach most = REACH_VALUE;
    for (; predicate && predicate->op != PREDICATE_END; predicate++) {
        enum reach reach = predicate_reach(predicate);
        most = reach > most ? reach : most;
        if (predicate->member && names_members((enum named)rows[predicate->op].member))
            look_at_name(look, predicate->member);
        else if (names_members((enum named)rows[predicate->op].member) || rows[predicate->op].names == OF_ELEMENT)
            look->own_value = true;
        look_at_names(look, (enum named)rows[predicate->op].names, predicate->names);
    }
    return most;
}

/* Whether the row, without a finding, keeps others from being run, or turns on an option for those below it. */
static bool rules_what_follows(const struct check *check)
{
    return check->op == CHECK_RATCHET || check->op == CHECK_SKIP || (check->op == CHECK_CALL && check->stop);
}

static enum reach look_at_checks(struct look *look, const struct check *checks);

static enum reach look_at_check(struct look *look, const struct check *check)
{
    static const struct {
        uint8_t name, names;
    } rows[CHECK_OPS] = {
#define OP(id, function, shapes, value, bounds, name, names, ...) [CHECK_##id] = { name, names },
#include "schema/ops.def"
#undef OP
    };
    enum reach reach = check_reach(check), predicates = look_at_predicates(look, check->only_if), each = look_at_checks(look, check->each);
    if (names_members((enum named)rows[check->op].name)) {
        if (check->name)
            look_at_name(look, check->name);
        if (check->plus)
            look_at_name(look, check->plus);
    }
    look_at_names(look, (enum named)rows[check->op].names, check->names);
    reach = predicates > reach ? predicates : reach;
    return each > reach ? each : reach;
}

/* Those about other objects of a set do not count: with a set, nothing is concluded. */
static enum reach look_at_checks(struct look *look, const struct check *checks)
{
    enum reach most = REACH_VALUE;
    for (; checks && checks->op != CHECK_END; checks++) {
        if (checks->needs_set)
            continue;
        look->own_value = false;
        enum reach reach = look_at_check(look, checks);
        most = reach > most ? reach : most;
        if (look->objects == 0 && rules_what_follows(checks)) {
            look->looks->gated |= reach > REACH_VALUE ? look->member : 0;
            look->looks->gated_by_value |= look->own_value || checks->op == CHECK_CALL ? look->member : 0;
        }
    }
    return most;
}

static bool is_prepared(const struct field *field)
{
    return field->prepare || field->on[CREATE] != PREPARE_NONE || field->on[UPDATE] != PREPARE_NONE || field->on[STATUS] != PREPARE_NONE;
}

/* The rows of a field and of everything below it. Recursion is as deep as shapes nest. */
static enum reach look_at_field(struct look *look, const struct field *field);

static enum reach look_at_shape(struct look *look, const struct shape *shape)
{
    look->objects += shape->type == SHAPE_OBJECT;
    enum reach most = shape->converts_to ? REACH_ALL : look_at_checks(look, shape->checks), reach;
    for (uint16_t i = 0; i < shape->field_count; i++) {
        reach = look_at_field(look, &shape->fields[i]);
        most = reach > most ? reach : most;
    }
    reach = shape->of ? look_at_shape(look, shape->of) : REACH_VALUE;
    look->objects -= shape->type == SHAPE_OBJECT;
    return reach > most ? reach : most;
}

static enum reach look_at_field(struct look *look, const struct field *field)
{
    enum reach reach = look_at_checks(look, field->checks), below = look_at_shape(look, field->shape);
    reach = is_prepared(field) ? REACH_ALL : reach;
    return below > reach ? below : reach;
}

/* ---- the shape's own checks ---- */

static bool counts_only(const struct check *check)
{
    return (check->op == CHECK_ONE_OF && !check->nonzero) || check->op == CHECK_SUM_ITEMS;
}

/* The names of ONE_OF and SUM_ITEMS are members of which only counts matter; all other names, and those of conditions, are of values. */
static void look_at_own_check(struct look *look, const struct check *check)
{
    struct look counts = { .top = look->top, .looks = look->looks };
    struct check rest = *check;
    if (counts_only(check)) {
        look_at_names(&counts, ITS_MEMBER, check->names);
        rest.names = NULL;
    }
    enum reach reach = look_at_check(look, &rest);
    look->looks->own_counts |= counts.named;
    look->looks->own_always |= reach == REACH_ALL;
    look->looks->own_old |= reach == REACH_OLD;
}

/* The rows of member i. */
static void look_at_member(const struct shape *shape, uint16_t i, struct looks *looks)
{
    const struct field *field = &shape->fields[i];
    struct look look = { .top = shape, .looks = looks, .field = i, .member = (uint64_t)1 << i };
    looks->watched[i] = 0;
    enum reach reach = look_at_field(&look, field);
    looks->known &= !is_prepared(field) && !field->default_if;
    looks->watchers |= looks->watched[i] ? look.member : 0;
    looks->always |= reach == REACH_ALL ? look.member : 0;
    looks->old |= reach == REACH_OLD ? look.member : 0;
}

void looks_make(const struct shape *shape, struct looks *looks, uint64_t *watched)
{
    *looks = (struct looks){ .known = !shape->converts_to, .watched = watched };
    struct look own = { .top = shape, .looks = looks };
    for (const struct check *check = shape->checks; check && check->op != CHECK_END; check++) {
        looks->known &= !rules_what_follows(check) && !check->stop;
        if (!check->needs_set)
            look_at_own_check(&own, check);
    }
    looks->own_values = own.named;
    for (uint16_t i = 0; i < shape->field_count; i++)
        look_at_member(shape, i, looks);
}

bool looks_at_keys(const struct check *check)
{
    bool keys = check->op == CHECK_KEYS || check->op == CHECK_MAX_ITEMS || (check->op == CHECK_CALL && check->looks == LOOKS_AT_KEYS);
    for (const struct check *each = check->op == CHECK_KEYS ? check->each : NULL; each && each->op != CHECK_END; each++)
        keys &= !each->only_if;
    return keys && !check->only_if;
}
