/* Classes of characters by name, and which characters are the same but for case: as Go's regular expressions have them. */
#ifndef DRAWBRIDGE_CEL_UNICODE_H
#define DRAWBRIDGE_CEL_UNICODE_H

#include "base/bytes.h"
#include "cel/ranges.h"

/* Which Go reads a regular expression. Kubernetes 1.34 and before are built with Go 1.24 or before. */
enum cel_regexp_dialect {
    CEL_REGEXP_GO_1_24, /* names of classes are exact; categories have no long names */
    CEL_REGEXP_GO_1_25, /* case, spaces, hyphens and underscores of names do not count */
};

#define UNICODE_NO_CLASS UINT32_MAX

/* The class that is called `name` in \p{name}, as a number below UNICODE_CLASSES, or UNICODE_NO_CLASS. */
uint32_t unicode_class(struct bytes name, enum cel_regexp_dialect dialect);
extern const uint32_t unicode_classes; /* how many there are */

/* Adds the characters of a class. */
void unicode_add_class(struct ranges_builder *builder, uint32_t number, enum cel_regexp_dialect dialect);

/* Whether (?i) adds to a class what is the same but for case. It does, but for one. */
bool unicode_class_folds(uint32_t number, enum cel_regexp_dialect dialect);

/* Adds the characters of `set`, and those that are the same but for case. `set` must not be what is in the builder. */
void unicode_add_folded(struct ranges_builder *builder, struct ranges set);

/* Whether Go writes the character as it is where it quotes a text (strconv.IsPrint): letters, marks, numbers, punctuation, symbols and the
 * space. */
bool unicode_is_printed(uint32_t code);

enum { UNICODE_FOLDED = 4 }; /* characters that are the same but for case, at most */

/* Sets `all` to the characters that are `code` but for case, itself too, in ascending order, and returns how many there are. */
unsigned unicode_folded(uint32_t code, uint32_t all[UNICODE_FOLDED]);

#endif
