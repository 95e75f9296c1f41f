/* The words for conditions in a table, as in IF(IS_SET("other"), TRAIT(NAMESPACED)): all of them must hold. Each expands to a struct
 * predicate of schema/predicates.def.
 *
 * Members are siblings: of the object that the check's field belongs to, or of the object itself in a shape's checks; "../name" is a
 * member of the object around that one. */
#ifndef DRAWBRIDGE_SCHEMA_PREDICATES_H
#define DRAWBRIDGE_SCHEMA_PREDICATES_H

#include "schema/shape.h"

#define PREDICATE_LIST(...) { __VA_ARGS__, { .op = PREDICATE_END } }

/* ---- whether members are set ---- */

/* Counts as set, a default included; was set in the old object; is written, even as null. */
#define IS_SET(name)      { .op = PREDICATE_SET, .member = (name) }
#define NOT_SET(name)     { .op = PREDICATE_SET, .member = (name), .negated = true }
#define OLD_IS_SET(name)  { .op = PREDICATE_OLD_SET, .member = (name) }
#define OLD_NOT_SET(name) { .op = PREDICATE_OLD_SET, .member = (name), .negated = true }
#define IS_EXPLICIT(name) { .op = PREDICATE_EXPLICIT, .member = (name) }

/* The old object has that value, by its path from the root. */
#define OLD_HAS(path) { .op = PREDICATE_OLD_HAS, .member = (path) }

/* One of the members is set. Of the ordered members, one before this field is set. An element of the list has one of the members, and
 * not zero. */
#define ANY_SET(...)        { .op = PREDICATE_ANY_SET, .names = NAMES(__VA_ARGS__) }
#define ANY_BEFORE(members) { .op = PREDICATE_ANY_BEFORE, .names = (members) }
#define ANY_HAS(...)        { .op = PREDICATE_ANY_ELEMENT, .names = NAMES(__VA_ARGS__) }
#define NONE_HAS(...)       { .op = PREDICATE_ANY_ELEMENT, .names = NAMES(__VA_ARGS__), .negated = true }

/* ---- what members are ---- */

#define IS_TRUE(name)      { .op = PREDICATE_TRUE, .member = (name) }
#define NOT_TRUE(name)     { .op = PREDICATE_TRUE, .member = (name), .negated = true }
#define EQUALS(name, ...)  { .op = PREDICATE_EQUALS, .member = (name), .names = NAMES(__VA_ARGS__) }
#define DIFFERS(name, ...) { .op = PREDICATE_EQUALS, .member = (name), .names = NAMES(__VA_ARGS__), .negated = true }
#define FITS(name, id)     { .op = PREDICATE_FITS, .member = (name), .format = FORMAT_##id }
#define FITS_NOT(name, id) { .op = PREDICATE_FITS, .member = (name), .format = FORMAT_##id, .negated = true }

/* A list of texts holds that one; none of these. */
#define LISTS(name, text)     { .op = PREDICATE_LISTS, .member = (name), .names = NAMES(text) }
#define LISTS_NONE(name, ...) { .op = PREDICATE_LISTS, .member = (name), .names = NAMES(__VA_ARGS__), .negated = true }

/* The map at that path from the root has that key; HAS_ENTRY("parameters", "fstype", "ext4"): with one of these texts. */
#define HAS_ENTRY(path, ...) { .op = PREDICATE_ENTRY, .member = (path), .names = NAMES(__VA_ARGS__) }
#define NO_ENTRY(path, ...)  { .op = PREDICATE_ENTRY, .member = (path), .names = NAMES(__VA_ARGS__), .negated = true }

/* Not what it was; also when there was no object. There was one, and it was the same. The old value breaks the rules of its shape. */
#define CHANGED(name)      { .op = PREDICATE_CHANGED, .member = (name) }
#define IS_UNCHANGED(name) { .op = PREDICATE_CHANGED, .member = (name), .negated = true }
#define OLD_INVALID        { .op = PREDICATE_OLD_INVALID }

/* ---- where the value stands ---- */

/* The value of a map is that of one of these keys. The key in its map, or the key itself, begins with one of them. */
#define KEY_IS(...)          { .op = PREDICATE_KEY, .names = NAMES(__VA_ARGS__) }
#define KEY_BEGINS(prefixes) { .op = PREDICATE_KEY_BEGINS, .names = (prefixes) }

/* Of an object of an API version in which its members stand in another one: that one is not there. */
#define IS_BARE { .op = PREDICATE_BARE }

/* It is the first element of its list. */
#define IS_FIRST { .op = PREDICATE_FIRST }

/* The API server has the feature gate on. Where the version has no such gate, it is. */
#define GATE_ON(gate_name)  { .op = PREDICATE_GATE, .names = NAMES(gate_name) }
#define GATE_OFF(gate_name) { .op = PREDICATE_GATE, .names = NAMES(gate_name), .negated = true }

/* The kind has the trait. An option is on, such as a RATCHET; WITH_SAID says in words what that means. */
#define TRAIT(trait)          { .op = PREDICATE_TRAIT, .bits = (trait) }
#define NOT_TRAIT(trait)      { .op = PREDICATE_TRAIT, .bits = (trait), .negated = true }
#define WITH(bit)             { .op = PREDICATE_OPTION, .bits = (bit) }
#define WITH_SAID(bit, words) { .op = PREDICATE_OPTION, .bits = (bit), .names = NAMES(words) }
#define UNLESS(bit)           { .op = PREDICATE_OPTION, .bits = (bit), .negated = true }

#endif
