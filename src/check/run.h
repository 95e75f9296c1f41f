/* Inside check/: the state of one judgement, and the place in the object where it is. */
#ifndef DRAWBRIDGE_CHECK_RUN_H
#define DRAWBRIDGE_CHECK_RUN_H

#include "base/limits.h"
#include "base/text.h"
#include "check/check.h"
#include "check/cross.h"

/* A list or map about whose keys or elements a row had nothing to say: a model for the next one. In a slice, devices are much alike. */
struct quiet {
    const void *row;              /* a check on keys, or the shape of elements; NULL: none yet */
    const struct doc_node *model; /* not empty */
};

enum { QUIET_ROWS = 16 }; /* that are remembered, each at the place that its address says */

struct run {
    const struct check_request *request;
    struct worker *worker;
    struct findings *findings;
    enum failure failure; /* sticky; once set, nothing more is found */
    struct index *indexes; /* see checks.h */
    bool apart;           /* values that are compared may be of other documents than the request's */
    bool reads_old;       /* it is the old object that is being decoded */
    bool other_shape;     /* the object was read with another shape than that in which it is decoded */
    struct quiet quiet[QUIET_ROWS];
};

/* Memory, finished text and sets of the run's arena; NULL or false, and a sticky failure, when there is none. */
void *run_alloc(struct run *run, size_t bytes) MUST_USE;
const char *run_text(struct run *run, struct text *text) MUST_USE;
bool run_set(struct run *run, struct set *set, uint32_t capacity) MUST_USE;

/* The parts of the format that `text` breaks, as format_check; false, and a sticky failure, when that cannot be decided. */
bool run_format(struct run *run, enum format format, struct bytes text, unsigned *broken) MUST_USE;

/* One value on the way from the object's root, on the stack of the walk. */
struct place {
    const struct place *up;      /* the object, list or map around it; NULL at the root */
    const struct field *field;   /* of which it is the value, in up's shape; NULL for elements, map values, the root */
    const struct shape *shape;
    const struct doc_node *node; /* the value that counts; NULL: an unset pointer */
    const struct doc_node *old;  /* its counterpart in the old object */
    bool has_old;                /* there is a counterpart; old is NULL where that is an unset pointer */
    bool is_key;                 /* the text is a map's key, not a value */
    bool is_kept;                /* of a member: node is the old object's, because it is kept; so is everything below */
    uint32_t index;              /* of an element of a list */
    uint32_t options;            /* ratchets that are on */
    const struct doc_node *const *members;     /* of an object: values by field, as they count */
    const struct doc_node *const *old_members;
    const bool *aside;           /* of a list: elements about which nothing more is said; NULL: none */
};

/* What a function in rules/cross/ is handed. */
struct cross {
    struct run *run;
    struct place *place;
    const struct check *check;
    bool broken;
    struct gatherer *gatherer; /* while values of objects are gathered */
};

/* ---- objects.c ---- */

/* The first value that `what` gathers under that key; the object of that kind and name; NULL: none, or a failure. */
struct gathered *objects_find(struct objects *objects, const struct gathering *what, struct bytes key);
struct gathered *objects_named(struct objects *objects, const char *group, const char *kind, struct bytes name);

/* How many objects of that kind with a name there are, in any API version. */
uint32_t objects_count(struct objects *objects, const char *group, const char *kind);

/* The name of one of them that `name` may be a slip of; empty: none. */
struct bytes objects_near(struct objects *objects, const char *group, const char *kind, struct bytes name);

/* What lasts as long as the collection. */
struct arena *objects_arena(struct objects *objects);

/* ---- place.c: values as they count, and where they stand ---- */

/* `raw` as it counts for a member of `field`, or for an element of `shape` when field is NULL: null and absence become NULL
 * for a pointer, else the zero value of the shape; an absent member becomes its default. */
const struct doc_node *place_value(struct run *run, const struct field *field, const struct shape *shape, const struct doc_node *raw);

/* The members of an object and of its old counterpart, by field. */
struct frame {
    const struct doc_node *members[LIMIT_FIELDS], *old_members[LIMIT_FIELDS];
};

/* The members of `node`, an object of `shape`, each as it counts. */
void place_members(struct run *run, const struct shape *shape, const struct doc_node *node, const struct doc_node *members[LIMIT_FIELDS]);

/* Fills `frame` with the members of the object at `place`, dropped or kept from the old object as their fields say, and
 * lets the place point to it. */
void place_open(struct run *run, struct place *place, struct frame *frame);

/* Whether the run's version knows the field. */
bool place_knows(const struct run *run, const struct field *field);

/* Whether a member counts as set: a pointer that is not NULL, a text, number, list, map or object that is not zero. */
bool place_is_set(const struct field *field, const struct doc_node *node);

/* A value by its path of member names from the root object. */
struct place_found {
    const struct field *field; /* NULL: the kind has no such path */
    const struct shape *shape;
    const struct doc_node *node;
};

/* The value at a path in the new object, where what is kept from the old one counts, or in the old object. */
struct place_found place_find(struct run *run, const struct place *place, const char *path, bool old);

/* Whether a member is not zero, whether its field is a pointer or not; an object is never zero. */
bool place_is_filled(const struct doc_node *node);

/* A sibling of the value at `place`, as IF() names it. */
const struct doc_node *place_sibling(const struct place *place, const char *name);

/* Index of the field `name` of the shape, which must have it. */
uint16_t place_field(const struct shape *shape, const char *name);

/* The same, looking from field `hint` on first: rows name members in the order of the fields. */
static inline unsigned place_field_from(const struct shape *shape, unsigned hint, const char *name)
{
    while (hint < shape->field_count && shape->fields[hint].name.data != name) /* most often the very same literal */
        hint++;
    return hint < shape->field_count ? hint : place_field(shape, name);
}

/* A member of an element of a list, as it counts: `name` NULL is the element itself. */
const struct doc_node *place_element_member(struct run *run, const struct shape *element, const struct doc_node *node, const char *name);

/* The place of an entry's key in the map at `map`; `text` is its node. */
struct place place_key(const struct place *map, const struct doc_node *entry, struct doc_node *text);

/* The path of `place` after going `up` segments up and adding `below` (NULL: nothing), in the arena; "" at the root. */
const char *place_path(struct run *run, const struct place *place, unsigned up, const char *below);

/* The same without indexes and keys, every field by its name in JSON. */
const char *place_field_path(struct run *run, const struct place *place, unsigned up, const char *below);

/* The path as a decoder names it, in JSON's own words: spec.attributes.KEY.field; for unknown fields. */
const char *place_decoded_path(struct run *run, const struct place *place);

/* ---- equal.c ---- */

/* Whether both values mean the same; NULL is an unset pointer. strict: unset and empty lists and maps differ. */
bool equal_values(struct run *run, const struct shape *shape, const struct doc_node *a, const struct doc_node *b, bool strict);

/* Whether objects mean the same, leaving out the members named in `except` (ended by NULL; may be NULL). */
bool equal_objects(struct run *run, const struct shape *shape, const struct doc_node *a, const struct doc_node *b, const char *const *except, bool strict);

/* ---- decode.c, merge.c ---- */

/* Finds values of a wrong type in `node` and below; `prefix` begins their messages. */
void decode_object(struct run *run, const struct shape *shape, const struct doc_node *node, const char *prefix);

/* The object as the API server's decoder would have it where members are repeated: a copy, or `node` itself. */
const struct doc_node *merge_object(struct run *run, const struct shape *shape, const struct doc_node *node);

/* ---- convert.c ---- */

/* The value in terms of the shapes that its own name with AS(); a copy, or `node` itself. */
const struct doc_node *convert_value(struct run *run, const struct shape *shape, const struct doc_node *node);

/* ---- unknown.c ---- */

/* Finds the members of `node` and below that are no fields. */
void unknown_fields(struct run *run, const struct shape *shape, const struct doc_node *node);

/* ---- walk.c ---- */

/* The shape in whose terms objects of this shape are judged, and an object in these terms. */
const struct shape *walk_judged_shape(const struct shape *shape);
const struct doc_node *walk_judged_object(struct run *run, const struct shape *shape, const struct doc_node *object);

/* Judges the value at `place` and everything below. */
void walk_value(struct run *run, struct place *place);

/* Runs a row of checks, not NULL. shape_check: they stand in a shape, so siblings are the place's own members. Returns whether
 * one of them stopped the row and the way down. */
bool walk_checks(struct run *run, struct place *place, const struct check *checks, bool shape_check);

/* Whether the old value at `place` breaks a rule of its shape, as if it were created now. */
bool walk_old_invalid(struct run *run, const struct place *place);

/* ---- quiet.c ---- */

/* Whether it is certain at a glance that no row of the shape, and none below, has anything to say about the value; that none of
 * these checks has. False proves nothing. */
bool quiet_value(struct run *run, const struct shape *shape, const struct doc_node *node);
bool quiet_rows(const struct run *run, const struct shape *shape, const struct check *checks, const struct doc_node *node);

/* Whether two values of one shape are the same, so that what holds of one holds of the other; false for what has objects or lists
 * further down, the same or not. */
bool quiet_twins(const struct doc_node *a, const struct doc_node *b);

static inline struct quiet *quiet_place(struct run *run, const void *row)
{
    return &run->quiet[(uintptr_t)row / 32 % QUIET_ROWS]; /* compilers align large constants to 32 bytes */
}

/* The list or map becomes the model for a row. */
static inline void quiet_remember(struct run *run, const void *row, const struct doc_node *model)
{
    if (model && model->count)
        *quiet_place(run, row) = (struct quiet){ row, model };
}

/* The first element of the model for a row, NULL: there is none; and the one behind it. */
static inline const struct doc_node *quiet_model(struct run *run, const void *row)
{
    const struct quiet *quiet = quiet_place(run, row);
    return quiet->row == row ? quiet->model->first : NULL;
}

static inline const struct doc_node *quiet_next(const struct doc_node *element)
{
    return element ? element->next : NULL;
}

/* ---- predicate.c ---- */

/* Whether all predicates hold; NULL holds. */
bool predicates_hold(struct run *run, const struct place *place, const struct predicate *predicates, bool shape_check);

/* Whether the text begins with one of the prefixes, which NULL ends. */
bool text_begins(struct bytes text, const char *const *prefixes);

/* ---- checks.c ---- */

/* Runs one check that applies; returns whether it is broken. Findings are its own business. */
bool check_run(struct run *run, struct place *place, const struct check *check);

/* Whether none of a row's checks has anything to say about a value that is not set. */
bool check_all_need_value(const struct check *checks);

/* ---- report.c ---- */

/* Why a value is refused, put into words only when the finding is kept: before, numbers with `between` between them or names in
 * quotes, after. Points to what outlives the finding. */
struct detail {
    const char *before, *between, *after;
    int64_t numbers[2];
    int number_count;
    const char *const *names;
};

static inline struct detail detail_text(const char *text)
{
    return (struct detail){ .before = text };
}

static inline struct detail detail_number(const char *before, int64_t number, const char *after)
{
    return (struct detail){ .before = before, .after = after, .numbers = { number }, .number_count = 1 };
}

static inline struct detail detail_names(const char *before, const char *const *names)
{
    return (struct detail){ .before = before, .names = names };
}

/* Adds a finding of `check` at `place`, moved as the check says. value: repeated in the message where its reason does so; NULL for
 * none. A detail of the check itself takes the place of the one given. */
void report(struct run *run, const struct place *place, const struct check *check, enum reason reason, const struct doc_node *value, struct detail detail);

/* A finding of a rule outside any row. */
struct rule_report {
    enum rule rule;
    enum severity severity;
    const struct doc_node *value; /* see report() */
    const char *prefix;           /* begins the message; NULL: nothing */
    const char *text;             /* why */
};

/* Reports what a row among objects asks for: `other` is what the value clashes with; NULL: nothing in particular. */
void report_clash(struct run *run, const struct place *place, const struct check *check, const struct doc_node *value, const char *detail, const struct gathered *other);

/* Reports what no row asks for, but the walk itself. */
void report_rule(struct run *run, const struct place *place, const struct rule_report *about);

/* ---- hint.c ---- */

/* What a hint can be about. */
struct hint {
    enum rule rule;
    const struct check *check;    /* NULL: a rule outside any row */
    const struct place *place;    /* of the value; for an unknown field, of the object around it */
    const struct doc_node *value; /* NULL: none */
};

/* What to write instead, in the arena; NULL: nothing is known, or hints are not asked for. */
const char *hint_text(struct run *run, const struct hint *about);

#endif
