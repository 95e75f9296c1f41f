/* What a function in rules/cross/ may see and say: read-only access to the value that its row stands at. */
#ifndef DRAWBRIDGE_CHECK_CROSS_H
#define DRAWBRIDGE_CHECK_CROSS_H

#include "base/map.h"
#include "base/text.h"
#include "schema/shape.h"

struct cross;

/* The value at the row's place, as it counts; NULL: an unset pointer. */
const struct doc_node *cross_value(const struct cross *cross);

/* The row's ARGUMENT. */
const char *cross_argument(const struct cross *cross);

/* Whether the function has reported something. */
bool cross_found(const struct cross *cross);

/* The shape of that value. */
const struct shape *cross_shape(const struct cross *cross);

/* Member `name` of `object`, an object of `shape`, as it counts. */
const struct doc_node *cross_member(struct cross *cross, const struct shape *shape, const struct doc_node *object, const char *name);

/* The shape of member `name` of an object of `shape`. */
const struct shape *cross_member_shape(const struct shape *shape, const char *name);

/* Member `name` of the object at the row's place, as it counts, in the new or in the old object; NULL: unset. */
const struct doc_node *cross_sibling(const struct cross *cross, const char *name, bool old);

/* A member beside the row's place, as it counts: of the object around it. */
const struct doc_node *cross_beside(const struct cross *cross, const char *name);

/* Less than, equal to or greater than 0 as quantity a is less than, equal to or greater than b. 0 where one of them is unset. */
int cross_compare_quantities(struct cross *cross, const struct doc_node *a, const struct doc_node *b);

/* Whether value - base is a multiple of step, in int64; true where one of them is unset, or the step is 0. */
bool cross_on_grid(struct cross *cross, const struct doc_node *value, const struct doc_node *base, const struct doc_node *step);

/* The texts of these members of an object, so that no two different ones are alike; unset is "". */
struct bytes cross_texts(struct cross *cross, const struct shape *shape, const struct doc_node *object, const char *const *members);

/* These texts as one, so that no two different rows of texts are alike: a key. Without data where they are longer than LIMIT_KEY_BYTES: such a
 * key is under no value. */
struct bytes cross_join(struct cross *cross, const struct bytes *texts, unsigned count);

/* Whether two values of a shape mean the same; NULL is an unset pointer. */
bool cross_equal(struct cross *cross, const struct shape *shape, const struct doc_node *a, const struct doc_node *b);

/* Whether there is no memory left: the function should end. */
bool cross_failed(const struct cross *cross);

/* Memory until the function returns, for sets and words; and its end of words: NULL ends the judgement. */
struct arena *cross_scratch(struct cross *cross);
const char *cross_words(struct cross *cross, struct text *text);

/* The arena of this judgement. */
struct arena *cross_arena(const struct cross *cross);

/* Makes an empty set for `count` entries, in one of these arenas; false, and the judgement ends: no memory. */
bool cross_map(struct cross *cross, struct map *map, struct arena *arena, uint32_t count);

/* Makes a set of the entries of a map (NULL: none) by their names, in scratch memory; false as above. */
bool cross_names(struct cross *cross, const struct doc_node *map, struct map *names);

/* Ends the judgement with a failure: memory or a limit. */
void cross_fail(struct cross *cross, enum failure failure);

/* ---- the other objects that are judged together: in the functions of rows with NEEDS_SET ---- */

struct object;

/* A value in one of the objects, found by key. */
struct indexed {
    const struct indexed *next;  /* with the same key, in the order of the objects; NULL: no more */
    const struct object *object;
    const struct doc_node *root;  /* the object, in the terms of the API version in which the rules are written */
    const struct doc_node *node;  /* the value in it */
    uint32_t count;               /* of the first with a key: how many there are */
    void *memo;                   /* of the first with a key: what the function that asks keeps there; NULL before */
};

/* What is looked for: values of the objects of one kind. A constant; its address tells it from others. */
struct index_definition {
    const char *group, *kind;
    void (*add)(struct cross *cross, const struct doc_node *root); /* calls cross_index_add for each value; the row's place is the root */
    bool first_only; /* the first value of each key is enough */
};

/* Inside of index_definition.gather: adds a value under a key, whose text is of a document or of cross_join(). A key without data adds nothing. */
void cross_index_add(struct cross *cross, struct bytes key, const struct doc_node *node);

/* The first value under that key; NULL: none, or no memory. */
struct indexed *cross_find(struct cross *cross, const struct index_definition *what, struct bytes key);

/* The object of that kind and name; NULL: it is not there, or no memory. */
struct indexed *cross_named(struct cross *cross, const char *group, const char *kind, struct bytes name);

/* How many objects of that kind there are. */
uint32_t cross_count(struct cross *cross, const char *group, const char *kind);

/* Memory that lasts as long as the collection, for notes; NULL: none is left. */
void *cross_keep(struct cross *cross, size_t bytes);
struct arena *cross_kept_arena(struct cross *cross);

/* metadata.name of the object that holds the value; empty: none is written. */
struct bytes cross_name(const struct indexed *value);

/* Whether the value is in the object that is being judged, or in another text of the same object: of that kind, namespace and name. */
bool cross_is_own(const struct cross *cross, const struct indexed *value);
bool cross_is_same(const struct cross *cross, const struct indexed *value);

/* The object that is being judged, and its shape. */
const struct doc_node *cross_root(const struct cross *cross);
const struct shape *cross_root_shape(const struct cross *cross);

/* The value at a path of member names from `root`, an object of a kind's shape; NULL where something on the way is unset. */
const struct doc_node *cross_at(struct cross *cross, const struct shape *shape, const struct doc_node *root, const char *path);

/* The text at such a path; "" where none is. */
struct bytes cross_text_at(struct cross *cross, const struct shape *shape, const struct doc_node *root, const char *path);

/* ---- findings ---- */

struct cross_report {
    const struct doc_node *element; /* of the list or map at the row's place; NULL: the value itself */
    uint32_t index;                 /* of the element in the list */
    const char *below;              /* a member of that … */
    const char *beside;             /* … or of the object around the row's place */
    const struct doc_node *value;   /* repeated in the message; NULL: none */
    const char *detail;             /* why; in the arena or for ever */
    const struct indexed *other;   /* what it clashes with; NULL: nothing in particular */
};

/* Adds a finding of the row's rule. */
void cross_report(struct cross *cross, const struct cross_report *about);

#endif
