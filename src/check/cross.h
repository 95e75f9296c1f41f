/* What a function in rules/cross/ may see and say: read-only access to the value that its row stands at. */
#ifndef DRAWBRIDGE_CHECK_CROSS_H
#define DRAWBRIDGE_CHECK_CROSS_H

#include "base/set.h"
#include "base/text.h"
#include "check/shape.h"

struct cross;

/* The value at the row's place, as it counts; NULL: an unset pointer. */
const struct doc_node *cross_value(const struct cross *cross);

/* The shape of that value. */
const struct shape *cross_shape(const struct cross *cross);

/* Member `name` of `object`, an object of `shape`, as it counts. */
const struct doc_node *cross_member(struct cross *cross, const struct shape *shape, const struct doc_node *object, const char *name);

/* The shape of member `name` of an object of `shape`. */
const struct shape *cross_member_shape(const struct shape *shape, const char *name);

/* Member `name` of the object at the row's place, as it counts, in the new or in the old object; NULL: unset. */
const struct doc_node *cross_sibling(const struct cross *cross, const char *name, bool old);

/* The shape of that object. */
const struct shape *cross_object_shape(const struct cross *cross);

/* The texts of these members of an object, so that no two different ones are alike; unset is "". */
struct bytes cross_texts(struct cross *cross, const struct shape *shape, const struct doc_node *object, const char *const *members);

/* The arena and the hash key of this judgement. */
struct arena *cross_arena(const struct cross *cross);
struct set_key cross_key(const struct cross *cross);

/* Ends the judgement with a failure: memory or a limit. */
void cross_fail(struct cross *cross, enum failure failure);

/* Adds a finding of the row's rule at segment `below` of `element`, which has that index in the list at the row's place. */
void cross_report(struct cross *cross, uint32_t index, const struct doc_node *element, const char *below, const char *detail);

#endif
