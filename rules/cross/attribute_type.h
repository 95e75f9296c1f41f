/* Types of attributes and capacities: those that a slice publishes, and those that a place in an expression takes. */
#ifndef DRAWBRIDGE_RULES_CROSS_ATTRIBUTE_TYPE_H
#define DRAWBRIDGE_RULES_CROSS_ATTRIBUTE_TYPE_H

#include "cel/compile.h"
#include "check/cross.h"

/* Sets of types are bits. */
enum {
    TYPE_NUMBER = 1,
    TYPE_BOOL = 2,
    TYPE_TEXT = 4,
    TYPE_VERSION = 8,
    TYPE_LIST = 16,
    TYPE_QUANTITY = 32,
    TYPES_OF_ATTRIBUTES = TYPE_NUMBER | TYPE_BOOL | TYPE_TEXT | TYPE_VERSION | TYPE_LIST,
    TYPES_ALL = TYPES_OF_ATTRIBUTES | TYPE_QUANTITY,
};

/* The types that part `i` of the node, as cel_part() counts, can be of: with any other, evaluation fails, or equality is false. Where that
 * is not certain, all. NULL: what the whole expression can be of. */
unsigned types_taken(const struct cel_node *node, uint32_t i);

/* Adds the types in words: "a number or a text"; nothing for others. */
void types_add_words(struct text *text, unsigned types);

/* The member that says type and value of a published attribute: "int", "strings" …; NULL: none. */
const char *attribute_member(struct value attribute);

/* The type of a published attribute; 0: it has none. */
unsigned type_of_attribute(struct value attribute);

#endif
