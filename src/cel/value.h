/* Values: of constants, and of an evaluation. What they point to is in an arena, of the expression's own, or of the input. Nothing that a
 * value points to changes, so that a value is copied as a struct; quantities are the exception, see struct cel_object. */
#ifndef DRAWBRIDGE_CEL_VALUE_H
#define DRAWBRIDGE_CEL_VALUE_H

#include "base/map.h"
#include "cel/node.h"
#include "value/time.h"

struct cel_value;
struct cel_object;

struct cel_list {
    struct cel_value *items; /* only read, but by who makes the list */
    uint32_t count;
    bool joined; /* made by +: an element that cannot be compared makes == fail, where it counts as equal elsewhere */
};

struct cel_table;

struct cel_map {
    struct cel_table *table; /* NULL: empty; only read, but by who makes the map */
    bool input;    /* it is a part of the variable: its keys are texts */
    bool defaults; /* a key that it does not have has an empty map: device.attributes["no.such.domain"] */
};

/* Why there is no value. */
struct cel_fault {
    const char *words;
    const struct cel_node *node; /* where it was found; NULL: not known */
};

/* `type` is CEL_ERROR, CEL_BOOL … CEL_DURATION, CEL_LIST, CEL_MAP, CEL_TYPE, CEL_OPTIONAL or CEL_STRUCT, which stands for CEL_OPAQUE,
 * too. */
struct cel_value {
    enum cel_type_kind type;
    union {
        bool boolean;
        int64_t integer; /* of CEL_DURATION: nanoseconds */
        uint64_t unsigned_integer;
        double number;
        struct bytes text; /* CEL_STRING, in UTF-8; CEL_BYTES; CEL_TYPE: its name */
        struct cel_fault fault; /* CEL_ERROR */
        struct instant time;
        struct cel_list list;
        struct cel_map map;
        const struct cel_value *content; /* CEL_OPTIONAL; NULL: it has none */
        struct cel_object *object;
    };
};

/* ---- objects: values of types with a name ---- */

enum cel_equality_result { CEL_DIFFERENT, CEL_EQUAL, CEL_INCOMPARABLE /* == is an error, != is true */ };

struct cel_object_class {
    const char *type; /* its name: kubernetes.Quantity */
    enum cel_equality_result (*equal)(const struct cel_object *a, const struct cel_object *b); /* both are of this class */
    uint64_t (*size)(const struct cel_object *object);                                         /* NULL: 1 */
    void (*print)(const struct cel_object *object, struct text *text);                         /* as people write it */
    bool no_key; /* looking it up as a key ends the evaluation: cel-go cannot hash it */
    struct bytes (*key)(const struct cel_object *object); /* equal ones are the same key, with these bytes; NULL: each is one of its own */
    bool keeps;  /* an optional of it can still be used when a variable holds it; of others the value is lost then, as in cel-go */
    uint64_t (*weight)(const struct cel_object *object); /* of a format: what CEL_COST_VALIDATE counts it as; else NULL */
};

/* The head of an object; the rest is known to the functions of its class. An object of the input is only read: what a function changes is
 * a copy of the evaluation's own, see cel_object_own(). */
struct cel_object {
    const struct cel_object_class *class;
    bool input;
};

/* ---- maps ---- */

struct cel_pair {
    struct cel_value key, value;
};

struct cel_table {
    struct cel_pair *pairs; /* in the order in which they were added */
    uint32_t count, capacity;
    uint32_t *slots; /* by hash: the number of a pair and 1, or 0; NULL: there are few */
    uint32_t mask;
    struct map_key key;
};

/* Room for `capacity` pairs; NULL: the arena failed. */
struct cel_table *cel_table_new(struct arena *arena, uint32_t capacity) MUST_USE;

/* Whether it may be a key: bool, int, uint, double or string. */
bool cel_is_key(const struct cel_value *value);

/* Whether cel-go can hash it: a map literal may have it as a key, even if no index may be it. */
bool cel_is_hashable(const struct cel_value *value);

/* Adds a pair whose key is not there yet, and is hashable. Grows by doubling. False: the arena failed. */
bool cel_table_add(struct cel_table *table, struct arena *arena, const struct cel_pair *pair) MUST_USE;

/* The pair with that very key: 1 and 1u are two. NULL: none. */
struct cel_pair *cel_table_exact(const struct cel_table *table, const struct cel_value *key);

/* The pair with an equal key: 1, 1u and 1.0 are equal. NULL: none. */
struct cel_pair *cel_table_find(const struct cel_table *table, const struct cel_value *key);

static inline uint32_t cel_map_count(const struct cel_map *map)
{
    return map->table ? map->table->count : 0;
}

/* ---- making values ---- */

static inline struct cel_value cel_boolean(bool value)
{
    return (struct cel_value){ .type = CEL_BOOL, .boolean = value };
}

static inline struct cel_value cel_integer(int64_t value)
{
    return (struct cel_value){ .type = CEL_INT, .integer = value };
}

static inline struct cel_value cel_unsigned(uint64_t value)
{
    return (struct cel_value){ .type = CEL_UINT, .unsigned_integer = value };
}

static inline struct cel_value cel_double(double value)
{
    return (struct cel_value){ .type = CEL_DOUBLE, .number = value };
}

static inline struct cel_value cel_string(struct bytes text)
{
    return (struct cel_value){ .type = CEL_STRING, .text = text };
}

static inline struct cel_value cel_list_of(struct cel_value *items, uint32_t count)
{
    return (struct cel_value){ .type = CEL_LIST, .list = { items, count, false } };
}

/* `content` NULL: an optional without a value. */
static inline struct cel_value cel_optional(const struct cel_value *content)
{
    return (struct cel_value){ .type = CEL_OPTIONAL, .content = content };
}

static inline struct cel_value cel_object_value(struct cel_object *object)
{
    return (struct cel_value){ .type = CEL_STRUCT, .object = object };
}

struct cel_value cel_value_of(const struct cel_literal *literal);

/* ---- asking ---- */

static inline bool cel_is_object(const struct cel_value *value, const struct cel_object_class *class)
{
    return value->type == CEL_STRUCT && value->object->class == class;
}

/* The name of the value's type, as type() gives it. */
struct bytes cel_value_type(const struct cel_value *value);

/* What costs are counted in: characters, bytes, elements, entries; 1 for everything else, errors too. */
uint64_t cel_value_size(const struct cel_value *value);

/* The characters of a text in UTF-8. */
uint64_t cel_characters(struct bytes text);

/* Appends the value for people: 40Gi, "a100", 3, [1, 2]. At most about `limit` bytes. */
void cel_value_print(struct text *text, const struct cel_value *value, size_t limit);

#endif
