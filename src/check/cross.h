/* What the functions of rules/cross/ see and say: values as they count, the other objects of the set, findings.
 *
 *     void cross_not_disabled(struct cross *cross)
 *     {
 *         const struct indexed *other = cross_named(cross, "group", "Kind", value_text(cross_value(cross)));
 *         if (value_is_false(value_at(cross, indexed_root(other), "spec.enabled")))
 *             cross_report(cross, (struct cross_report){ .quoted = true, .other = other });
 *     }
 *
 * Nothing here needs a check for NULL: of nothing, every value and every text is empty. After a failure (memory, a limit) nothing is
 * reported, so functions just go on to their end. Only before they keep a conclusion, in indexed.memo, they ask cross_failed(). */
#ifndef DRAWBRIDGE_CHECK_CROSS_H
#define DRAWBRIDGE_CHECK_CROSS_H

#include "base/map.h"
#include "base/near.h"
#include "base/text.h"
#include "doc/doc.h"
#include "schema/shape.h"

struct cross;
struct cel_expression;
struct cel_library;
struct drivers;

/* ---- values ---- */

/* A value as it counts: with defaults and zero values in place of what is left out, and with what the operation keeps or drops. */
struct value {
    const struct shape *shape;   /* NULL: there is nothing */
    const struct doc_node *node; /* NULL: it is not set */
    uint32_t index;              /* of an element, in its list */
};

/* The value at the row's place, and its old counterpart. The object around it, and a member of that, or "../member" of the next object
 * around that. The object that is validated. */
struct value cross_value(const struct cross *cross);
struct value cross_old(const struct cross *cross);
struct value cross_around(const struct cross *cross);
struct value cross_sibling(struct cross *cross, const char *name);
struct value cross_root(const struct cross *cross);

/* The object around the row's place, as cross_around() gives it, or the one that is so many objects further out; with its index, if it
 * is an element. */
struct value cross_outer(const struct cross *cross, unsigned levels);

/* The value at a path of members: "spec.pool.name". A name that the shape does not have is a failure. */
struct value value_at(struct cross *cross, struct value value, const char *path);

/* Whether the values of this shape have a member of that name. */
bool value_has(struct value value, const char *name);

/* The value under a key of a map, by going through it. */
struct value value_entry(struct value map, const char *key);

static inline bool value_is_set(struct value value)
{
    return value.node;
}

/* A text, or the digits of a number; "" of anything else. */
static inline struct bytes value_text(struct value value)
{
    bool has_text = value.node && (value.node->type == DOC_STRING || value.node->type == DOC_NUMBER);
    return has_text ? doc_text(value.node) : (struct bytes)BYTES("");
}

static inline bool value_is(struct value value, const char *text)
{
    return value.node && value.node->type == DOC_STRING && bytes_equal_text(doc_text(value.node), text);
}

static inline bool value_is_true(struct value value)
{
    return value.node && value.node->type == DOC_TRUE;
}

static inline bool value_is_false(struct value value)
{
    return value.node && value.node->type == DOC_FALSE;
}

/* The same of the value at a path. */
static inline struct bytes value_text_at(struct cross *cross, struct value value, const char *path)
{
    return value_text(value_at(cross, value, path));
}

/* An integer; 0 of anything else. */
int64_t value_integer(struct value value);

/* The number of elements or entries. */
static inline uint32_t value_count(struct value value)
{
    return value.node && (value.node->type == DOC_ARRAY || value.node->type == DOC_OBJECT) ? value.node->count : 0;
}

/* The key of a map's entry. */
static inline struct bytes value_name(struct value entry)
{
    return entry.node ? doc_name(entry.node) : (struct bytes)BYTES("");
}

/* Loops over the elements of a list or the entries of a map. */
#define value_each(container, element) \
    for (struct value element = value_first(container); value_is_set(element); element = value_next(element))

static inline struct value value_first(struct value container)
{
    return (struct value){ container.shape ? container.shape->of : NULL, doc_first(container.node), 0 };
}

static inline struct value value_next(struct value element)
{
    return (struct value){ element.shape, element.node->next, element.index + 1 };
}

/* Whether two values of one shape mean the same; values that are not set are alike. */
bool value_equal(struct cross *cross, struct value a, struct value b);

/* Less than, equal to or greater than 0 as quantity a is less than, equal to or greater than b. 0 where one of them is not set. */
int value_compare(struct cross *cross, struct value a, struct value b);

/* The same of the sum of a and b, and c. */
int value_compare_sum(struct cross *cross, struct value a, struct value b, struct value c);

/* Of a quantity, where it is set: whether it has a fraction; whether it is an int64 when it is multiplied by 10^scale, and that (else 0);
 * below 0, 0 or above 0, as it is. */
bool value_is_fraction(struct cross *cross, struct value value);
bool value_scaled(struct cross *cross, struct value value, int32_t scale, int64_t *scaled);
int value_sign(struct cross *cross, struct value value);

/* The quantity as the int64 that the API server reads, fractions rounded up; 0 where it is not set. */
int64_t value_rounded(struct cross *cross, struct value value);

/* Of a network, as API servers read it up to 1.32: its one form, in scratch memory; empty where it is none, or after a failure. */
struct bytes value_network(struct cross *cross, struct value value);

/* Whether the API server has the feature gate on. */
bool cross_gate_is_on(const struct cross *cross, const char *gate);

/* Whether value - base is a multiple of step, in int64; true where one of them is not set, or the step is 0. */
bool value_on_grid(struct cross *cross, struct value value, struct value base, struct value step);

/* ---- keys and lookups ---- */

/* These texts as one: different texts give different keys. A key without data, under which nothing is found, where they are longer than
 * LIMIT_KEY_BYTES together. */
#define cross_key(cross, ...) \
    cross_join((cross), (const struct bytes[]){ __VA_ARGS__ }, sizeof((const struct bytes[]){ __VA_ARGS__ }) / sizeof(struct bytes))
struct bytes cross_join(struct cross *cross, const struct bytes *texts, size_t count);

/* The texts of these members, which end in NULL, as one; of any length. */
struct bytes value_key(struct cross *cross, struct value object, const char *const *members);

/* Finds entries of a map by their keys, or elements of a list by the text of a member, without going through all of them each time. */
struct lookup {
    const struct shape *of;
    struct map map;
};

/* Of a map, member is NULL. It lasts until the function returns. */
void lookup_init(struct cross *cross, struct lookup *lookup, struct value container, const char *member);
struct value lookup_find(const struct lookup *lookup, struct bytes key);

/* ---- the other objects of the set: in rows with NEEDS_SET; cross_find() in any row ---- */

struct object;

/* A value in an object of the set, found by a key. */
struct indexed {
    struct indexed *next;        /* with the same key, in the order of the objects; NULL: no more */
    const struct object *object;
    struct value value;
    uint32_t count;              /* of the first with a key: how many there are */
    const void *memo;            /* of the first with a key: what a function keeps there, of cross_kept_arena(); NULL before */
};

/* What is found by key: values in the objects of one kind. A constant; its address tells it from others. */
struct index_definition {
    const char *group, *kind;
    void (*add)(struct cross *cross, struct value root); /* calls cross_index_add() for each value */
    bool first_only;                                     /* the first value of each key is enough */
};

/* Adds a value under a key, whose text is of a document, or of cross_key() or value_key(). Without data it adds nothing. */
void cross_index_add(struct cross *cross, struct bytes key, struct value value);

/* The first value under that key. NULL: none. */
struct indexed *cross_find(struct cross *cross, const struct index_definition *definition, struct bytes key);

/* The object of that kind and name; NULL: none. And how many objects of the kind there are. */
struct indexed *cross_named(struct cross *cross, const char *group, const char *kind, struct bytes name);
uint32_t cross_count(struct cross *cross, const char *group, const char *kind);

/* The same in the namespace of the object that is validated, if it is of a kind in one. NULL: none, or it may be one of several. */
struct indexed *cross_beside(struct cross *cross, const char *group, const char *kind, struct bytes name);

/* The value itself; the object in which it is, in the terms of the API version in which rules are written; the object's name. Of NULL:
 * nothing. */
struct value indexed_value(const struct indexed *indexed);
struct value indexed_root(const struct indexed *indexed);
struct bytes indexed_name(const struct indexed *indexed);

/* A lookup in a map or list of that object, which is made the first time, and kept in the memo. */
const struct lookup *indexed_lookup(struct cross *cross, struct indexed *indexed, const char *path, const char *member);

/* Whether it was found in the object that is being validated; or in any text of that object: of its kind, namespace and name. */
bool cross_is_own(const struct cross *cross, const struct indexed *indexed);
bool cross_is_same(const struct cross *cross, const struct indexed *indexed);

/* ---- memory and failures ---- */

/* Memory until the function returns, until the object is validated, and as long as the set. */
struct arena *cross_scratch(struct cross *cross);
struct arena *cross_arena(struct cross *cross);
struct arena *cross_kept_arena(struct cross *cross);

/* From one of these arenas: bytes, all zero; an empty map for so many members. NULL and false: a failure. */
void *cross_alloc(struct cross *cross, struct arena *arena, size_t bytes) MUST_USE;
bool cross_map(struct cross *cross, struct map *map, struct arena *arena, uint32_t count) MUST_USE;

/* The expression, compiled for the version that is validated; valid until another one is compiled. NULL: a failure. */
const struct cel_expression *cross_expression(struct cross *cross, const struct cel_library *library, struct bytes text);

/* The drivers of the user's own files; NULL: none. */
const struct drivers *cross_drivers(const struct cross *cross);

/* Whether the regular expression matches somewhere in the text. True if that cannot be decided in bounded time: it is only asked for
 * advice. */
bool cross_matches_pattern(struct cross *cross, const char *pattern, struct bytes text);

/* Whether there was a failure. Adds one, of an arena that is used directly. */
bool cross_failed(const struct cross *cross);
void cross_fail(struct cross *cross, enum failure failure);

/* ---- findings ---- */

/* The case of the row that is meant: its ARGUMENT. */
const char *cross_argument(const struct cross *cross);

/* Where and why. All members may be left out: then it is the value at the row's place, for the reason that the row's DETAIL says. */
struct cross_report {
    struct value at;             /* an element of the list or an entry of the map at the row's place */
    const char *below;           /* a member of that … */
    const char *inner;           /* a member of the one below */
    struct bytes key;            /* an entry of the map below, or of the one at the row's place, which is not there */
    bool at_key;                 /* of `at`, an entry: its key */
    const char *inside;          /* of `at`, in a value that may be anything: its path there */
    const char *beside;          /* … or of the object around the row's place */
    bool quoted;                 /* the message begins with the value there */
    const char *detail;          /* why: a constant … */
    struct text *text;           /* … or built by the function, from cross_text() */
    const struct indexed *other; /* what it is in conflict with */
};

/* Adds a finding of the row's rule. */
void cross_report(struct cross *cross, struct cross_report about);

/* An empty text, to be built in scratch memory; and its end (NULL: a failure), where it is no finding's. */
struct text cross_text(struct cross *cross);
const char *cross_end_text(struct cross *cross, struct text *text);

/* Whether the function has reported something; and whether there is a finding already about the value at the row's place. */
bool cross_found(const struct cross *cross);
bool cross_is_reported(const struct cross *cross);

#endif
