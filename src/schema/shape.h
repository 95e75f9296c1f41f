/* The types of what a table in rules/ says: shapes of values, fields of objects, checks on them, conditions of checks. Tables are
 * constant data; check/ interprets them and knows no kind. They are written with the words of schema/rows.h. */
#ifndef DRAWBRIDGE_SCHEMA_SHAPE_H
#define DRAWBRIDGE_SCHEMA_SHAPE_H

#include "base/bytes.h"
#include "doc/doc.h"
#include "schema/rule.h"
#include "value/format.h"

struct cross;
struct cel_library;

/* ---- shapes ---- */

/* The types of shapes: ROW(ID, "name", types of JSON that are right whatever the value is). A number may be too large, a text no quantity
 * and no time, so these have to be read. */
#define SHAPE_ROWS(ROW)                                                                 \
    ROW(STRING,   "string",   DOC_BIT(NULL) | DOC_BIT(STRING))                          \
    ROW(BOOL,     "boolean",  DOC_BIT(NULL) | DOC_BIT(FALSE) | DOC_BIT(TRUE))           \
    ROW(INT32,    "int32",    DOC_BIT(NULL) | DOC_BIT_SHORT)                            \
    ROW(INT64,    "int64",    DOC_BIT(NULL) | DOC_BIT_SHORT)                            \
    ROW(QUANTITY, "quantity", DOC_BIT(NULL) | DOC_BIT_SHORT | DOC_BIT_AMOUNT)           \
    ROW(TIME,     "time",     DOC_BIT(NULL))                                            \
    ROW(RAW,      "anything", UINT16_MAX) /* any JSON, which no row is about */         \
    ROW(OBJECT,   "object",   DOC_BIT(NULL) | DOC_BIT(OBJECT))                          \
    ROW(LIST,     "list",     DOC_BIT(NULL) | DOC_BIT(ARRAY))                           \
    ROW(MAP,      "map",      DOC_BIT(NULL) | DOC_BIT(OBJECT))

enum shape_type {
#define SHAPE_ROW(id, ...) SHAPE_##id,
    SHAPE_ROWS(SHAPE_ROW)
#undef SHAPE_ROW
    SHAPE_TYPES
};

enum shape_fits {
#define SHAPE_ROW(id, name, fits) SHAPE_FITS_##id = (fits),
    SHAPE_ROWS(SHAPE_ROW)
#undef SHAPE_ROW
};

/* How a shape of that type begins. */
#define SHAPE_OF(id) .fits = SHAPE_FITS_##id, .type = SHAPE_##id

struct shape {
    uint16_t fits; /* enum shape_fits; first, because readers look for it there (see struct doc_schema) */
    enum shape_type type;
    const struct field *fields; /* of an object */
    uint16_t field_count;
    minor unindexed_until;      /* a list whose elements are reported without their index up to that version; 0: never */
    bool milli;                 /* a quantity that the API server rounds up to thousandths */
    uint16_t key_bytes;         /* of a map: longer keys are cut in the middle where they are reported; 0: never */
    const char *paired;         /* of a list of objects: this member pairs each with its old counterpart, the first of that key; of a map
                                 * "", as keys do; NULL: none has a counterpart */
    const struct shape *of;     /* elements of a list, values of a map */
    const struct check *checks; /* on every value of the shape; NULL or ended by CHECK_END */
    const char *source;         /* where the rules of an object are from; NULL: as those around it */
    const struct shape *converts_to; /* of an object in another API version: the shape that it is converted to, see object/conversion.c */
    const char *flattened_from; /* of the shape that others convert to: their FLATTENED field, as it stands in paths */
    const char *defaults_if;    /* of a shape that converts: without this member, what is made of the object gets no defaults … */
    minor defaults_if_since;    /* … from this version on */
};

/* The index of the field `name` of an object shape; field_count: it has none. */
uint16_t shape_field_index(const struct shape *shape, const char *name);

extern const struct shape shape_string, shape_bool, shape_int32, shape_int64, shape_quantity, shape_time, shape_raw;

/* ---- fields ---- */

/* Operations, as bits for WHEN; a request is one of the first three. */
enum operation {
    CREATE = 1,
    UPDATE = 2,        /* of the main resource */
    STATUS = 4,        /* update of the status subresource */
    CREATE_CLEAN = 8,  /* create, and only when nothing else was found */
};

/* What happens to a member before anything is checked, by operation. */
enum prepare {
    PREPARE_NONE,
    DROP,              /* what the request says does not count */
    KEEP_OLD,          /* the old object's value counts */
    KEEP_OLD_IF_UNSET, /* … where the new one has none */
    KEEP_OLD_IF_SET,   /* … where there is an old one; the time zero is none */
};

struct field {
    struct bytes name; /* as in JSON */
    const struct shape *shape;
    const struct check *checks;           /* on the member; NULL or ended by CHECK_END */
    const struct doc_node *default_value; /* of an unset pointer or a zero value; NULL: none */
    const struct predicate *default_if;   /* conditions of the default, on texts of siblings; NULL: always */
    const struct doc_node *(*prepare)(struct cross *cross, const struct doc_node *member); /* on status updates: what counts instead */
    const char *gate;                     /* the feature gate that brought the field; NULL: none */
    const char *unset_means;              /* what an unset value means, where there is no default; NULL: nothing in particular */
    const char *segment;                  /* reported path segment where it is not the name */
    struct versions versions;             /* in which the field exists */
    bool pointer;                         /* unset differs from zero; otherwise an absent member is its zero value */
    bool flattened;                       /* holds members that stand beside it in the shape that the object converts to */
    bool empty_is_unset;                  /* of a shape that converts: Go has no pointer there, so "", 0, false, [] and {} are dropped */
    bool is_now;                          /* when absent, the API server fills in the time: never equal to anything */
    uint8_t on[STATUS + 1];               /* enum prepare, by operation */
    minor gated_since;                    /* before, an API server does not drop it even if its gate is off; 0: all do */
    minor status_since;                   /* of `status`: the first version that has it; 0: all */
};

/* shape_field_index(), looking from field `hint` on first: rows name members in the order of the fields. */
static inline unsigned shape_field_index_from(const struct shape *shape, unsigned hint, const char *name)
{
    while (hint < shape->field_count && shape->fields[hint].name.data != name) /* usually the very same literal */
        hint++;
    return hint < shape->field_count ? hint : shape_field_index(shape, name);
}

/* ---- checks ---- */

enum check_op {
    CHECK_END,
#define OP(id, ...) CHECK_##id,
#include "schema/ops.def"
#undef OP
    CHECK_OPS
};

struct check {
    uint8_t op;        /* enum check_op */
    uint8_t when;      /* bits of enum operation; 0 for always */
    uint8_t reason;    /* enum reason */
    uint8_t severity;  /* enum severity */
    uint8_t up;        /* report so many path segments higher … */
    bool stop;         /* when broken: neither the checks after it in its row nor anything below */
    uint8_t stop_since; /* the first minor version in which it stops; 0: each */
    bool rest_skipped; /* when an element is broken: no other check on it */
    bool strict;       /* an unset list or map differs from an empty one; of NAMES_OBJECT: only typos are reported */
    bool needs_set;    /* about other objects that are validated together: only where there are any */
    bool nonzero;      /* members count as set when they are not zero, pointers, too */
    bool empty_counts; /* of FORBIDDEN: empty lists and the time zero count as set */
    bool is_union;     /* of ONE_OF: empty lists are not set */
    uint16_t rule;     /* enum rule */
    uint16_t format;   /* enum format */
    struct versions versions;
    const char *below;               /* … and this segment lower */
    const struct predicate *only_if; /* all must hold; NULL or ended by PREDICATE_END */
    const char *detail;              /* why, for people; NULL where the check can say it itself */
    const char *source;              /* where it is from; NULL: as its object */
    const char *const *names;        /* values or members, ended by NULL */
    const char *name, *plus;         /* a member; a second one */
    const struct reference *reference;
    const struct check *each;        /* checks on keys */
    int64_t low, high;
    uint8_t looks;                   /* enum call_looks */
    uint8_t none_reason;             /* ONE_OF: when none is set, and */
    uint8_t many_reason;             /* when several are; REASON_OF_RULE (0) for no finding */
    uint32_t option;                 /* of CHECK_RATCHET */
    void (*call)(struct cross *cross);
    const struct cel_library *library; /* of CHECK_EXPRESSION */
};

/* What the function of CHECK_CALL looks at, for check/looks.h. */
enum call_looks {
    LOOKS_ANYWHERE,
    LOOKS_AT_VALUE, /* the value at its place, members that .names has, and what is further out than the list or map around the object */
    LOOKS_AT_KEYS,  /* the same, but of the value only which keys it has */
};

/* Whether none of a row's checks can be broken by a value that is not set. */
bool checks_need_value(const struct check *checks);

/* What texts may name: names of the elements of a list, perhaps with a slash and the name of one of the objects below it. The list
 * is at the first of the paths that the kind has. */
struct reference {
    const char *const *paths;       /* ended by NULL */
    const char *name;               /* member with the name */
    const char *below, *below_name; /* a list in each element, and the name there */
};

/* ---- conditions ---- */

/* The traits that the program knows; tables define theirs from bit 1 up. */
enum {
    KIND_NAMESPACED = 1,
    KIND_PARTIAL = 1 << 30, /* only some fields are known; what others are is not asked */
    KIND_CONTEXT = 1 << 29, /* without rules of its own: it is never validated, only others may refer to it */
    KIND_UNREVIEWED = 1 << 28, /* its rules are for manifests: to a review and a policy it is a kind without rules */
};

/* An option of the whole validation; tables define theirs from bit 0 up. */
enum { OLD_FROM_SERVER = 1 << 30 }; /* the old object is what an API server stored, with everything it fills in */

enum predicate_op {
    PREDICATE_END,
#define PREDICATE(id, ...) PREDICATE_##id,
#include "schema/predicates.def"
#undef PREDICATE
    PREDICATES
};

struct predicate {
    uint8_t op; /* enum predicate_op */
    bool negated;
    uint16_t format;
    uint32_t bits;            /* traits or option */
    const char *member;       /* NULL: the value itself */
    const char *const *names; /* values or members, ended by NULL */
};

#endif
