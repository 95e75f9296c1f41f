/* Fixes: the edits that mend a mistake, made only where one thing alone can be meant. They never change what an alias repeats. */
#ifndef DRAWBRIDGE_VALIDATE_FIX_H
#define DRAWBRIDGE_VALIDATE_FIX_H

#include "check/report.h"

/* What is meant in place of what a finding is about. */
struct guess {
    struct evaluation *eval;
    const struct hint *about;
    struct text text;              /* for people */
    const struct problem_fix *fix; /* NULL: more than one thing can be meant, or it cannot be written */
};

/* These set the fix where that is possible. The words of a guess live in the workspace's arena, and so does the fix. */

/* Another text in place of a string, in its quotes. */
void fix_string(struct guess *guess, const struct doc_node *string, struct bytes meant);

/* A boolean or number in place of a string. */
void fix_unquote(struct guess *guess, const struct doc_node *string, struct bytes meant);

/* Quotes around a boolean or number. */
void fix_quote(struct guess *guess, const struct doc_node *value);

/* Another name of a member. */
void fix_name(struct guess *guess, const struct doc_node *member, struct bytes name);

/* A member at another place: in the object around its own one (`to` NULL), in an object beside it, or in a new one beside it, of that name.
 * The members of a member in place of it. In fix_move.c. */
void fix_move(struct guess *guess, const struct cursor *object, const struct doc_node *member, const struct doc_node *to);
void fix_wrap(struct guess *guess, const struct cursor *object, const struct doc_node *member, struct bytes name);
void fix_unwrap(struct guess *guess, const struct cursor *object, const struct doc_node *member);

/* Whether the guess is about a value of the new object, as it is written. */
bool fix_is_possible(const struct guess *guess);

/* Puts a text in place of a string of an object: as fix_string, for findings that need no walk. NULL: not possible. */
const struct problem_fix *fix_of_string(struct arena *arena, const struct document *document, const struct doc_node *string,
                                        struct bytes meant);

/* Whether so much is in the arena that no fix is made that repeats an object's text: fixes never make a validation fail. */
bool fix_has_no_room(const struct arena *arena);

/* A copy in another arena; NULL for NULL, or when the arena fails. */
const struct problem_fix *fix_copy(struct arena *arena, const struct problem_fix *fix);

/* Whether both make the same of a text. Both may be NULL. */
bool fix_equal(const struct problem_fix *a, const struct problem_fix *b);

#endif
