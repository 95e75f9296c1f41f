/* The vocabulary of the tables in rules/: shapes of values, fields of objects, and the checks on them. Tables are constant
 * data; check/ interprets them and knows no kind.
 *
 *     static const struct field token_request_fields[] = {
 *         FIELD("audience",          STRING),
 *         FIELD("expirationSeconds", INT64, POINTER, CHECKS(RANGE(600, 4294967296))),
 *     };
 *     static const struct shape token_request = OBJECT(token_request_fields);
 *
 * A check is written NAME(arguments, modifiers...). It runs where it stands: in a field's CHECKS on the member's value, set or
 * not; in a shape's CHECKS on every value of that shape, inside an object with its members as siblings. */
#ifndef DRAWBRIDGE_SCHEMA_SHAPE_H
#define DRAWBRIDGE_SCHEMA_SHAPE_H

#include "base/bytes.h"
#include "schema/rule.h"
#include "doc/doc.h"
#include "value/format.h"

struct cross;

/* ---- shapes ---- */

/* The types of shapes: ROW(ID, "name", types of JSON that are right whatever the value is). A number may be too large, a text no quantity and no
 * time, so these have to be read. */
#define SHAPE_ROWS(ROW)                                                                     \
    ROW(STRING,   "string",   DOC_BIT(NULL) | DOC_BIT(STRING))                              \
    ROW(BOOL,     "boolean",  DOC_BIT(NULL) | DOC_BIT(FALSE) | DOC_BIT(TRUE))               \
    ROW(INT32,    "int32",    DOC_BIT(NULL) | DOC_BIT_SHORT)                                \
    ROW(INT64,    "int64",    DOC_BIT(NULL) | DOC_BIT_SHORT)                                \
    ROW(QUANTITY, "quantity", DOC_BIT(NULL))                                                \
    ROW(TIME,     "time",     DOC_BIT(NULL))                                                \
    ROW(RAW,      "anything", UINT16_MAX) /* any JSON, in which no row is interested */     \
    ROW(OBJECT,   "object",   DOC_BIT(NULL) | DOC_BIT(OBJECT))                              \
    ROW(LIST,     "list",     DOC_BIT(NULL) | DOC_BIT(ARRAY))                               \
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
    bool unindexed;             /* a list whose elements are reported without their index */
    uint16_t key_bytes;         /* of a map: longer keys are cut in the middle where they are reported; 0: never */
    const char *paired;         /* of a list of objects: this member pairs each with its old counterpart, the first of that key */
    const struct shape *as;     /* of an object in another API version: the shape in whose terms it is judged; see convert.c */
    const char *flattened_from;    /* of the shape in whose terms: the FLATTENED field of the others, as it stands in paths */
    const char *defaults_if;    /* of such an object: without this member the object that is made of the others gets no defaults */
    bool milli;                 /* a quantity that the API server rounds up to thousandths */
    const struct shape *of;     /* elements of a list, values of a map */
    const struct check *checks; /* on every value of the shape; NULL or ended by CHECK_END */
    const char *source;         /* where the rules of an object are from; NULL: as those around it */
};

/* The index of the field `name` of an object shape; field_count: it has none. */
uint16_t shape_field_index(const struct shape *shape, const char *name);

extern const struct shape shape_string, shape_bool, shape_int32, shape_int64, shape_quantity, shape_time, shape_raw;

#define STRING   (&shape_string)
#define BOOL     (&shape_bool)
#define INT32    (&shape_int32)
#define INT64    (&shape_int64)
#define QUANTITY (&shape_quantity)
#define TIME     (&shape_time)
#define RAW      (&shape_raw)

/* LIST(of), MAP(of): inside a row. LIST(of, UNINDEXED). */
#define LIST(...)                LIST_OF_(__VA_ARGS__, )
#define LIST_OF_(element, ...)   (&(const struct shape){ SHAPE_OF(LIST), .of = (element), __VA_ARGS__ })
#define MAP(...)                 MAP_OF_(__VA_ARGS__, )
#define MAP_OF_(value, ...)      (&(const struct shape){ SHAPE_OF(MAP), .of = (value), __VA_ARGS__ })
#define UNINDEXED                .unindexed = true
#define PAIRED_BY(member)        .paired = (member)
#define KEYS_CUT(bytes)          .key_bytes = (bytes)
/* CONVERTS_TO(&shape), DEFAULTS_IF("member"): inside OBJECT, of an API version with other members than the one in which rules are written. */
#define CONVERTS_TO(shape)                .as = (shape)
#define FLATTENED_FROM(name)        .flattened_from = (name)
#define DEFAULTS_IF(member)      .defaults_if = (member)

/* STRING_WITH(check...), QUANTITY_IN_MILLI: inside a row. */
#define STRING_WITH(...)         (&(const struct shape){ SHAPE_OF(STRING), CHECKS(__VA_ARGS__) })
#define QUANTITY_WITH(...)       (&(const struct shape){ SHAPE_OF(QUANTITY), CHECKS(__VA_ARGS__) })
#define QUANTITY_IN_MILLI        (&(const struct shape){ SHAPE_OF(QUANTITY), .milli = true })

/* An object shape: OBJECT(table of fields) or OBJECT(table, CHECKS(...)) for rules between its members. */
#define OBJECT(...)              OBJECT_(__VA_ARGS__, )
#define OBJECT_(table, ...)      { SHAPE_OF(OBJECT), .fields = (table), .field_count = sizeof(table) / sizeof *(table), __VA_ARGS__ }

/* SOURCE("document or file, with version"): of an object shape, or of a single check that is from elsewhere. */
#define SOURCE(text)             .source = (text)

/* The first and last minor version with a field or a check. */
#define SINCE(minor)             .versions.since = (minor)
#define UNTIL(minor)             .versions.until = (minor)

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
    const struct check *checks;      /* on the member; NULL or ended by CHECK_END */
    const struct doc_node *default_value; /* the default, or NULL */
    const struct predicate *default_if; /* when there is one: conditions on texts of siblings; NULL: always */
    const struct doc_node *(*prepare)(struct cross *cross, const struct doc_node *member); /* on status updates: what counts instead */
    const char *gate;                /* the feature gate that brought the field; NULL: none */
    const char *unset_means;         /* what an unset value means, where there is no default; NULL: nothing in particular */
    const char *segment;             /* reported path segment where it is not the name */
    struct versions versions;        /* in which the field exists */
    bool pointer;                    /* unset differs from zero; otherwise an absent member is its zero value */
    bool flattened;                     /* holds the members of the object that CONVERTS_TO() judges */
    bool empty_is_unset;             /* for CONVERTS_TO(): Go has no pointer in this API version, so "", 0, false, [] and {} are dropped */
    bool is_now;                     /* when absent, the API server fills in the time: never equal to anything */
    uint8_t on[STATUS + 1];          /* enum prepare, by operation */
};

#define FIELD(...)               FIELD_(__VA_ARGS__, )
#define FIELD_(json_name, value_shape, ...) { .name = BYTES(json_name), .shape = (value_shape), __VA_ARGS__ }

/* Modifiers of a field: POINTER, SEGMENT("reported name"), DEFAULT(…) for an unset pointer or a zero value, ON_CREATE(prepare),
 * ON_UPDATE, ON_STATUS, SINCE(minor), UNTIL(minor). */
#define POINTER                  .pointer = true
#define SEGMENT(name)            .segment = (name)
#define ON_CREATE(prepare)       .on[CREATE] = (prepare)
#define ON_UPDATE(prepare)       .on[UPDATE] = (prepare)
#define ON_STATUS(prepare)       .on[STATUS] = (prepare)
#define DEFAULT(node)            .default_value = &(const struct doc_node)node
#define DEFAULT_IF(...)          .default_if = (const struct predicate[]){ __VA_ARGS__, { .op = PREDICATE_END } }
#define UNSET_MEANS(words)       .unset_means = (words)
#define PREPARED(function)       .prepare = (function)
#define GATE(name)               .gate = (name)
#define FLATTENED                   .flattened = true
#define EMPTY_IS_UNSET           .empty_is_unset = true
#define DEFAULT_NOW              .is_now = true

/* Constants for DEFAULT. */
#define NUMBER(literal)          { .type = DOC_NUMBER, .flags = DOC_IMPLIED, .text = (literal), .count = sizeof(literal) - 1 }
#define TEXT(literal)            { .type = DOC_STRING, .flags = DOC_IMPLIED, .text = (literal), .count = sizeof(literal) - 1 }
#define FALSE_VALUE              { .type = DOC_FALSE, .flags = DOC_IMPLIED }
#define TRUE_VALUE               { .type = DOC_TRUE, .flags = DOC_IMPLIED }
#define LIST_OF_ONE(literal)     { .type = DOC_ARRAY, .flags = DOC_IMPLIED, .count = 1, .first = (const struct doc_node[]){ TEXT(literal) } }

/* shape_field_index(), looking from field `hint` on first: rows name members in the order of the fields. */
static inline unsigned shape_field_index_from(const struct shape *shape, unsigned hint, const char *name)
{
    while (hint < shape->field_count && shape->fields[hint].name.data != name) /* most often the very same literal */
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
    uint8_t op;       /* enum check_op */
    uint8_t when;     /* bits of enum operation; 0 for always */
    uint8_t reason;   /* enum reason */
    uint8_t severity; /* enum severity */
    uint8_t up;       /* report so many path segments higher … */
    bool stop;        /* when broken: neither the checks behind it in its row nor anything below */
    bool rest_skipped;       /* when an element is broken: nothing else about it */
    bool strict;      /* an unset list or map differs from an empty one */
    bool needs_set;       /* about other objects that are judged together: only where there are any */
    bool nonzero;      /* members count as set when they are not zero, pointers, too */
    bool empty_counts; /* of FORBIDDEN: empty lists and the time zero count as set */
    uint16_t rule;    /* enum rule */
    uint16_t format;  /* enum format */
    struct versions versions;
    const char *below;                /* … and this segment lower */
    const struct predicate *only_if;  /* all must hold; NULL or ended by PREDICATE_END */
    const char *detail;               /* why, for people; NULL where the check can say it itself */
    const char *source;               /* where it is from; NULL: as its object */
    const char *const *names;         /* values or members, ended by NULL */
    const char *name, *plus;          /* a member; a second one */
    const struct reference *reference;
    const struct check *each;         /* checks on keys */
    int64_t low, high;
    uint8_t none_reason;              /* ONE_OF: when none is set, and */
    uint8_t many_reason;              /* when several are; REASON_OF_RULE (0) for no finding */
    uint32_t option;                  /* of CHECK_RATCHET */
    void (*call)(struct cross *cross);
};

#define CHECKS(...)              .checks = (const struct check[]){ __VA_ARGS__, { .op = CHECK_END } }
#define NAMES(...)               ((const char *const[]){ __VA_ARGS__, NULL })
#define CHECK_(check_op, check_rule, ...) { .op = CHECK_##check_op, .rule = RULE_##check_rule, __VA_ARGS__ }

/* REQUIRED(): set, that is not null, and for a value that is no pointer not "" or empty either. FORBIDDEN(): not set. */
#define REQUIRED(...)            CHECK_(REQUIRED, REQUIRED, __VA_ARGS__)
/* NON_EMPTY(): not "" or empty, if set. REQUIRED_IF_SET(): the same with reason Required. */
#define NON_EMPTY(...)           CHECK_(NON_EMPTY, NON_EMPTY, __VA_ARGS__)
#define REQUIRED_IF_SET(...)     CHECK_(NON_EMPTY, REQUIRED, __VA_ARGS__)
#define FORBIDDEN(...)           CHECK_(FORBIDDEN, FORBIDDEN, __VA_ARGS__)
#define ONLY_FIRST_OF(...)       CHECK_(FORBIDDEN, AT_MOST_ONE_OF, __VA_ARGS__)
/* NEEDS(SIBLING("other")): reports that something else is required, because this value is set. */
#define NEEDS(...)               CHECK_(NEEDS, REQUIRED, .reason = REASON_REQUIRED, __VA_ARGS__)
/* EXPLICIT(): not left out, although an API server takes that for the zero value. */
#define EXPLICIT(...)             CHECK_(EXPLICIT, RECOMMENDED, __VA_ARGS__)
/* RECOMMENDED(SHOULD, IF(…), DETAIL(…)): better set. */
#define RECOMMENDED(...)             CHECK_(REQUIRED, RECOMMENDED, __VA_ARGS__)
/* FORMAT(name): one finding for each broken part of the format; an unset pointer passes. */
#define FORMAT(...)              FORMAT_(__VA_ARGS__, )
#define FORMAT_(name, ...)       CHECK_(FORMAT, FORMAT_##name, .format = FORMAT_##name, __VA_ARGS__)
/* ENUM(NAMES("a", "b")): one of the texts, byte for byte. DEPRECATED(NAMES(…)): none of the texts, a warning. */
#define ENUM(...)                ENUM_(__VA_ARGS__, )
#define ENUM_(values, ...)      CHECK_(ENUM, ENUM, .names = (values), __VA_ARGS__)
#define DEPRECATED(...)          DEPRECATED_(__VA_ARGS__, )
#define DEPRECATED_(values, ...) CHECK_(LISTED, DEPRECATED, .names = (values), .severity = SEVERITY_WARNING, __VA_ARGS__)
/* RANGE(low, high): an integer or quantity within bounds, both included. AT_LEAST(low). */
#define RANGE(...)               RANGE_(__VA_ARGS__, )
#define RANGE_(min, max, ...) CHECK_(RANGE, RANGE, .low = (min), .high = (max), __VA_ARGS__)
#define AT_LEAST(...)            AT_LEAST_(__VA_ARGS__, )
#define AT_LEAST_(min, ...)    CHECK_(RANGE, RANGE, .low = (min), .high = INT64_MAX, __VA_ARGS__)
/* MAX_BYTES(n): of a text. TOTAL_BYTES(n): keys and values of a map of texts. MAX_ITEMS(n): of a list or map. */
#define MAX_BYTES(...)           MAX_BYTES_(__VA_ARGS__, )
#define MAX_BYTES_(max, ...)    CHECK_(MAX_BYTES, MAX_BYTES, .high = (max), __VA_ARGS__)
#define TOTAL_BYTES(...)         TOTAL_BYTES_(__VA_ARGS__, )
#define TOTAL_BYTES_(max, ...)  CHECK_(TOTAL_BYTES, TOTAL_BYTES, .high = (max), __VA_ARGS__)
#define MAX_ITEMS(...)           MAX_ITEMS_(__VA_ARGS__, )
#define MAX_ITEMS_(max, ...)    CHECK_(MAX_ITEMS, MAX_ITEMS, .high = (max), .stop = true, __VA_ARGS__)
/* MAX_ITEMS_CONTINUE(n): the same, and what stands behind it is looked at all the same. EXACT_ITEMS(n): neither more nor less.
 * SUM_ITEMS(NAMES("a", "b"), n): in a shape's checks; so many entries in these members together. */
#define MAX_ITEMS_CONTINUE(...)     MAX_ITEMS_CONTINUE_(__VA_ARGS__, )
#define MAX_ITEMS_CONTINUE_(max, ...) CHECK_(MAX_ITEMS, MAX_ITEMS, .high = (max), __VA_ARGS__)
#define EXACT_ITEMS(...)         EXACT_ITEMS_(__VA_ARGS__, )
#define EXACT_ITEMS_(number, ...) CHECK_(EXACT_ITEMS, EXACT_ITEMS, .low = (number), .high = (number), __VA_ARGS__)
#define SUM_ITEMS(...)           SUM_ITEMS_(__VA_ARGS__, )
#define SUM_ITEMS_(members, max, ...) CHECK_(SUM_ITEMS, SUM_ITEMS, .names = (members), .high = (max), __VA_ARGS__)
/* JSON_OBJECT(n): a value that may be anything is an object in JSON of at most n bytes. */
#define JSON_OBJECT(...)         JSON_OBJECT_(__VA_ARGS__, )
#define JSON_OBJECT_(max, ...)  CHECK_(JSON_OBJECT, JSON_OBJECT, .high = (max), __VA_ARGS__)
/* JSON_PAIR(NAMES("a", "b")): an object in a value that may be anything has both members or neither; where it was read at all. */
#define JSON_PAIR(...)           JSON_PAIR_(__VA_ARGS__, )
#define JSON_PAIR_(members, ...) CHECK_(JSON_PAIR, ALL_OR_NONE, .names = (members), __VA_ARGS__)
/* KEYS(check...): the checks on every key of a map, as on a text at [key]. */
#define KEYS(...)                { .op = CHECK_KEYS, .each = (const struct check[]){ __VA_ARGS__, { .op = CHECK_END } } }
/* UNIQUE("member") or UNIQUE(ITSELF): a text that no earlier element has; every later one is reported. */
#define ITSELF                   NULL
#define UNIQUE(...)              UNIQUE_(__VA_ARGS__, )
#define UNIQUE_(member, ...)     CHECK_(UNIQUE, UNIQUE, .name = (member), __VA_ARGS__)
/* UNIQUE_BY(NAMES("a", "b")): no two elements have the same texts in all these members, unset being "". */
#define UNIQUE_BY(...)           UNIQUE_BY_(__VA_ARGS__, )
#define UNIQUE_BY_(members, ...) CHECK_(UNIQUE, UNIQUE, .names = (members), __VA_ARGS__)
/* Lists of quantities. UNIQUE_NUMBERS(): no two are the same int64, as the API server makes them one. SORTED(): each at least as
 * large as the one before it. CONTAINS("member", n): one of them is that member, and there are at most n. */
#define UNIQUE_NUMBERS(...)      CHECK_(UNIQUE_NUMBERS, UNIQUE, __VA_ARGS__)
#define SORTED(...)              CHECK_(SORTED, SORTED, __VA_ARGS__)
#define CONTAINS(...)               CONTAINS_(__VA_ARGS__, )
#define CONTAINS_(member, max, ...) CHECK_(CONTAINS, DEFAULT_LISTED, .name = (member), .high = (max), __VA_ARGS__)
/* DISJOINT("member"): no text of the list is in that other list. */
#define DISJOINT(...)            DISJOINT_(__VA_ARGS__, )
#define DISJOINT_(member, ...)   CHECK_(DISJOINT, DISJOINT, .name = (member), __VA_ARGS__)
/* MATCHES("path of a list", NAMES("a", "b")): on an object: some object in that list has the same texts in these members. */
#define MATCHES(...)             MATCHES_(__VA_ARGS__, )
#define MATCHES_(path, members, ...) CHECK_(MATCHES, REFERENCE, .name = (path), .names = (members), __VA_ARGS__)
/* REFERENCE(&reference): the text names something in the same object. */
#define REFERENCE(...)           REFERENCE_(__VA_ARGS__, )
#define REFERENCE_(to, ...)      CHECK_(REFERENCE, REFERENCE, .reference = (to), __VA_ARGS__)
/* A quantity against siblings, exactly: AT_MOST("member"), NOT_LESS("member"), AT_MOST_WITH("addend", "member"): their sum; nothing
 * where one of them is unset. ON_GRID("value", "base", NAMES("other")): value - base is a multiple of it, in int64 as the API server
 * computes after it compared the base with the others, of which the value may be one. DETAIL says it in words. */
#define AT_MOST(...)             AT_MOST_(__VA_ARGS__, )
#define AT_MOST_(member, ...)    CHECK_(COMPARE, COMPARISON, .name = (member), .high = 1, __VA_ARGS__)
#define AT_MOST_WITH(...)        AT_MOST_WITH_(__VA_ARGS__, )
#define AT_MOST_WITH_(addend, member, ...) CHECK_(COMPARE, COMPARISON, .name = (member), .plus = (addend), .high = 1, __VA_ARGS__)
#define NOT_LESS(...)            NOT_LESS_(__VA_ARGS__, )
#define NOT_LESS_(member, ...)   CHECK_(COMPARE, COMPARISON, .name = (member), .high = -1, __VA_ARGS__)
#define ON_GRID(...)             ON_GRID_(__VA_ARGS__, )
#define ON_GRID_(value, base, other, ...) CHECK_(ON_GRID, MULTIPLE_OF, .name = (value), .plus = (base), .names = (other), __VA_ARGS__)
/* EXCLUSIVE(NAMES("a", "b")): a list of texts does not hold both. */
#define EXCLUSIVE(...)               EXCLUSIVE_(__VA_ARGS__, )
#define EXCLUSIVE_(values, ...)     CHECK_(EXCLUSIVE, MUTUALLY_EXCLUSIVE, .names = (values), __VA_ARGS__)
/* AT_MOST_ONE("member"): at most one element of a list has that member set to true; every later one is reported. */
#define AT_MOST_ONE(...)         AT_MOST_ONE_(__VA_ARGS__, )
#define AT_MOST_ONE_(member, ...) CHECK_(AT_MOST_ONE, AT_MOST_ONE, .name = (member), __VA_ARGS__)
/* ONE_OF(NAMES("a", "b"), NONE(reason), MANY(reason)): in a shape's checks; how many of the members are set. */
#define ONE_OF(...)              ONE_OF_(__VA_ARGS__, )
#define ONE_OF_(members, ...)   CHECK_(ONE_OF, EXACTLY_ONE_OF, .names = (members), __VA_ARGS__)
#define NONE(id)                 .none_reason = REASON_##id
#define MANY(id)                 .many_reason = REASON_##id
/* IMMUTABLE(): equal to the old value by meaning: defaults nonzero in, unset and empty lists alike, quantities by value.
 * IMMUTABLE(STRICT): an unset map or list differs from an empty one.
 * IMMUTABLE_BY_KEY("name", NAMES("left out")): elements of a list with the same key, but for some members; reported there. */
#define IMMUTABLE(...)           CHECK_(IMMUTABLE, IMMUTABLE, .when = UPDATE | STATUS, __VA_ARGS__)
#define IMMUTABLE_BY_KEY(...)    IMMUTABLE_BY_KEY_(__VA_ARGS__, )
#define IMMUTABLE_BY_KEY_(key, except, ...) \
    CHECK_(IMMUTABLE_BY_KEY, IMMUTABLE, .when = UPDATE | STATUS, .name = (key), .names = (except), __VA_ARGS__)
/* NO_ADDITIONS(): every text of the list was in the old one; new ones are reported. */
#define NO_ADDITIONS(...)              CHECK_(NO_ADDITIONS, NO_NEW_ITEMS, .when = UPDATE | STATUS, __VA_ARGS__)
/* NO_ADDITIONS_BY(NAMES("a", "b")): the same for objects, by the texts of these members. */
#define NO_ADDITIONS_BY(...)           NO_ADDITIONS_BY_(__VA_ARGS__, )
#define NO_ADDITIONS_BY_(members, ...) CHECK_(NO_ADDITIONS, NO_NEW_ITEMS, .when = UPDATE | STATUS, .names = (members), __VA_ARGS__)
/* ALL_OR_NONE(IF(…)): a list that must be nonzero or empty like another. */
#define ALL_OR_NONE(...)         CHECK_(REFUSE, ALL_OR_NONE, __VA_ARGS__)
/* REFUSED_IF(IF(…), DETAIL(…)): broken whenever its condition holds. */
#define REFUSED_IF(...)              CHECK_(REFUSE, DISALLOWED_VALUE, __VA_ARGS__)
/* BROKEN_IF(RULE, IF(…), DETAIL(…)): the rule is broken whenever the condition holds. ADVICE_IF(IF(…), DETAIL(…)): what is documented asks for something else. NO_EFFECT(IF(…), DETAIL(…)): nothing looks at the value.
 * NONE_OF(RULE, NAMES("a", "b"), DETAIL(…)): none of the texts. */
#define BROKEN_IF(...)            BROKEN_IF_(__VA_ARGS__, )
#define BROKEN_IF_(check_rule, ...) CHECK_(REFUSE, check_rule, __VA_ARGS__)
#define ADVICE_IF(...)              CHECK_(REFUSE, RECOMMENDED, __VA_ARGS__)
#define NO_EFFECT(...)           CHECK_(REFUSE, NO_EFFECT, INFO, __VA_ARGS__)
#define NONE_OF(...)            NONE_OF_(__VA_ARGS__, )
#define NONE_OF_(check_rule, values, ...) CHECK_(LISTED, check_rule, .names = (values), __VA_ARGS__)
/* UNCHANGEABLE_IF(IF(…)): an update that changes the value, as its condition says. */
#define UNCHANGEABLE_IF(...)     CHECK_(UNCHANGEABLE, IMMUTABLE, .when = UPDATE | STATUS, .detail = "field is immutable", __VA_ARGS__)
/* SKIP(IF(…)): neither the checks behind it nor anything below, without a finding. */
#define SKIP(...)                { .op = CHECK_SKIP, .stop = true, __VA_ARGS__ }
/* RATCHET(option, IF(…)): turns the option on for everything below, where UNLESS(option) asks for it. */
#define RATCHET(...)             RATCHET_(__VA_ARGS__, )
#define RATCHET_(bit, ...)       { .op = CHECK_RATCHET, .option = (bit), __VA_ARGS__ }
/* CALL(RULE, function): the last resort, a function in rules/cross/. */
#define CALL(...)                CALL_(__VA_ARGS__, )
#define CALL_(check_rule, function, ...) CHECK_(CALL, check_rule, .call = (function), __VA_ARGS__)
/* INTEGER(): a quantity without a fraction. */
#define INTEGER(...)               CHECK_(INTEGER, INTEGER, __VA_ARGS__)
/* KEYS_IN("member", NAMES("prefix")): of a map: its keys with one of these prefixes are keys of that other map, too. */
#define KEYS_IN(...)             KEYS_IN_(__VA_ARGS__, )
#define KEYS_IN_(member, prefixes, ...) CHECK_(KEYS_IN, MATCHING_KEYS, .name = (member), .names = (prefixes), __VA_ARGS__)

/* NAMES_OBJECT("group", "Kind"): where objects of that kind are judged together with this one, the text is the name of one of them. Reported
 * as info, because the object may be somewhere else; as a warning where one of them has nearly that name. TYPOS_ONLY: not reported
 * otherwise, as such objects need not exist. */
#define NAMES_OBJECT(...)        NAMES_OBJECT_(__VA_ARGS__, )
#define NAMES_OBJECT_(in_group, of_kind, ...) \
    CHECK_(NAMES_OBJECT, MISSING_OBJECT, .plus = (in_group), .name = (of_kind), .needs_set = true, .severity = SEVERITY_INFO, __VA_ARGS__)

/* Whether none of a row's checks can be broken by a value that is not set. */
bool checks_need_value(const struct check *checks);

/* ---- modifiers of checks ---- */

#define WHEN(operations)         .when = (operations)
#define REASON(id)               .reason = REASON_##id
#define DETAIL(text)             .detail = (text)
#define STOP                     .stop = true
#define REST_SKIPPED                    .rest_skipped = true
#define STRICT                   .strict = true
#define ARGUMENT(text)           .name = (text) /* of CALL: what the function is told */
#define TYPOS_ONLY               .strict = true
#define NONZERO                   .nonzero = true
#define EMPTY_COUNTS             .empty_counts = true /* of FORBIDDEN: so do an empty list and the time zero, where they are written */
#define NEEDS_SET                    .needs_set = true /* of CALL: the function asks about other objects */
/* What no API server refuses: documented, but broken without a word; or without effect. */
#define SHOULD                   .severity = SEVERITY_WARNING
#define INFO                     .severity = SEVERITY_INFO
/* Where a finding is reported: UP(1) at the list or object around the value; AT(segment) below that; SIBLING(segment). */
#define UP(segments)             .up = (segments)
#define AT(segment)              .below = (segment)
#define SIBLING(segment)         .up = 1, .below = (segment)
#define IF(...)                  .only_if = (const struct predicate[]){ __VA_ARGS__, { .op = PREDICATE_END } }

/* What texts may name: names of the elements of a list, perhaps with a slash and the name of one of the objects below it. The list
 * is at the first of the paths that the kind has. */
struct reference {
    const char *const *paths;     /* ended by NULL */
    const char *name;             /* member with the name */
    const char *below, *below_name; /* a list in each element, and the name there */
};

/* ---- predicates: IF(all of these) ---- */

/* The traits that the program knows; tables define theirs from bit 1 up. */
enum {
    KIND_NAMESPACED = 1,
    KIND_PARTIAL = 1 << 30, /* only some fields are known; what others are is not asked */
    KIND_CONTEXT = 1 << 29, /* without rules of its own: it is never judged, only others may refer to it */
};

/* An option of the whole judgement; tables define theirs from bit 0 up. */
enum { OLD_FROM_SERVER = 1 << 30 }; /* the old object is what an API server stored, with everything it fills in */

enum predicate_op {
    PREDICATE_END,
#define PREDICATE(id, ...) PREDICATE_##id,
#include "schema/predicates.def"
#undef PREDICATE
    PREDICATES
};

/* Members are siblings: of the object that the check's field belongs to, or of the object itself in a shape's checks; "../name"
 * is a member of the object around that one. */
struct predicate {
    uint8_t op; /* enum predicate_op */
    bool negated;
    uint16_t format;
    uint32_t bits;            /* traits or option */
    const char *member;       /* NULL: the value itself */
    const char *const *names; /* values or members, ended by NULL */
};

#define IS_SET(name)             { .op = PREDICATE_SET, .member = (name) }
#define NOT_SET(name)            { .op = PREDICATE_SET, .member = (name), .negated = true }
#define OLD_IS_SET(name)         { .op = PREDICATE_OLD_SET, .member = (name) }
#define OLD_NOT_SET(name)        { .op = PREDICATE_OLD_SET, .member = (name), .negated = true }
#define EQUALS(name, ...)        { .op = PREDICATE_EQUALS, .member = (name), .names = NAMES(__VA_ARGS__) }
#define DIFFERS(name, ...)       { .op = PREDICATE_EQUALS, .member = (name), .names = NAMES(__VA_ARGS__), .negated = true }
#define ANY_BEFORE(members)      { .op = PREDICATE_ANY_BEFORE, .names = (members) } /* of the ordered members, one before this field is set */
#define TRAIT(trait)             { .op = PREDICATE_TRAIT, .bits = (trait) }         /* of the kind */
#define NOT_TRAIT(trait)         { .op = PREDICATE_TRAIT, .bits = (trait), .negated = true }
#define WITH(bit)                { .op = PREDICATE_OPTION, .bits = (bit) }          /* a ratchet or option is on */
#define WITH_SAID(bit, words)    { .op = PREDICATE_OPTION, .bits = (bit), .names = NAMES(words) } /* the same, and how to say it */
#define UNLESS(bit)              { .op = PREDICATE_OPTION, .bits = (bit), .negated = true }
#define OLD_INVALID              { .op = PREDICATE_OLD_INVALID } /* the old value breaks the rules of its shape */
#define CHANGED(name)            { .op = PREDICATE_CHANGED, .member = (name) }      /* not what it was; also when there was no object */
#define IS_UNCHANGED(name)       { .op = PREDICATE_CHANGED, .member = (name), .negated = true } /* there was one, and it was the same */
#define IS_TRUE(name)            { .op = PREDICATE_TRUE, .member = (name) }
#define NOT_TRUE(name)           { .op = PREDICATE_TRUE, .member = (name), .negated = true }
#define OLD_HAS(path)            { .op = PREDICATE_OLD_HAS, .member = (path) }      /* the old object has that value, by its path from the root */
#define ANY_SET(...)             { .op = PREDICATE_ANY_SET, .names = NAMES(__VA_ARGS__) } /* one of the members is set */
#define ANY_HAS(...)             { .op = PREDICATE_ANY_ELEMENT, .names = NAMES(__VA_ARGS__) } /* an element of the list has one of the members nonzero */
#define FITS(name, id)           { .op = PREDICATE_FITS, .member = (name), .format = FORMAT_##id }
#define FITS_NOT(name, id)       { .op = PREDICATE_FITS, .member = (name), .format = FORMAT_##id, .negated = true }
#define LISTS(name, text)        { .op = PREDICATE_LISTS, .member = (name), .names = NAMES(text) } /* a list of texts holds that one */
#define HAS_ENTRY(path, ...)     { .op = PREDICATE_ENTRY, .member = (path), .names = NAMES(__VA_ARGS__) } /* the map at that path from the root has that key, perhaps with that text */
#define NO_ENTRY(path, ...)      { .op = PREDICATE_ENTRY, .member = (path), .names = NAMES(__VA_ARGS__), .negated = true }
#define KEY_IS(...)              { .op = PREDICATE_KEY, .names = NAMES(__VA_ARGS__) } /* the value of a map is that of one of these keys */
#define IS_EXPLICIT(name)         { .op = PREDICATE_EXPLICIT, .member = (name) } /* not left out */
#define KEY_BEGINS(prefixes)     { .op = PREDICATE_KEY_BEGINS, .names = (prefixes) } /* the key in its map, or the key itself, begins with one of them */
#define IS_FIRST                 { .op = PREDICATE_FIRST } /* the first element of its list */

#endif
