#include "cel/value.h"

#include <math.h>

#include "base/utf8.h"
#include "cel/convert_text.h"
#include "cel/limits.h"
#include "cel/time_text.h"

/* ---- maps ---- */

enum { SCANNED = 12 }; /* pairs of a table that is searched from the first to the last */

bool cel_is_key(const struct cel_value *value)
{
    return value->type == CEL_STRING || value->type == CEL_INT || value->type == CEL_BOOL || value->type == CEL_UINT ||
           value->type == CEL_DOUBLE;
}

bool cel_is_hashable(const struct cel_value *value)
{
    return value->type != CEL_BYTES && !(value->type == CEL_STRUCT && value->object->class->no_key);
}

static bool same_object(const struct cel_object *a, const struct cel_object *b)
{
    return a->class == b->class && a->class->key && a->class->equal(a, b) == CEL_EQUAL;
}

/* Lists, maps and most objects are the same only if they are one. */
static bool same_key(const struct cel_value *a, const struct cel_value *b)
{
    if (a->type != b->type)
        return false;
    switch (a->type) {
    case CEL_STRING: return bytes_equal(a->text, b->text);
    case CEL_BOOL: return a->boolean == b->boolean;
    case CEL_INT: return a->integer == b->integer;
    case CEL_UINT: return a->unsigned_integer == b->unsigned_integer;
    case CEL_DOUBLE: return a->number == b->number;
    case CEL_NULL: return true;
    case CEL_TYPE: return bytes_equal(a->text, b->text);
    case CEL_DURATION: return a->integer == b->integer;
    case CEL_TIMESTAMP:
        return a->time.seconds == b->time.seconds && a->time.nanoseconds == b->time.nanoseconds && a->time.zone == b->time.zone;
    case CEL_LIST: return a->list.items == b->list.items && a->list.count == b->list.count;
    case CEL_MAP: return a->map.table == b->map.table && !a->map.input; /* cel-go wraps those of the input anew each time */
    case CEL_STRUCT: return a->object == b->object || same_object(a->object, b->object);
    default: return a->content == b->content;
    }
}

static uint32_t key_hash(const struct cel_table *table, const struct cel_value *key)
{
    uint64_t word = 0;
    switch (key->type) {
    case CEL_STRING:
    case CEL_TYPE: return (uint32_t)map_hash(key->text, table->key);
    case CEL_BOOL: word = key->boolean; break;
    case CEL_NULL: break;
    case CEL_DOUBLE: word = key->number == 0 ? 0 : key->unsigned_integer; break; /* -0.0 is 0.0 */
    case CEL_TIMESTAMP: word = (uint64_t)key->time.seconds; break;
    case CEL_MAP: word = (uintptr_t)key->map.table; break;
    case CEL_STRUCT:
        if (key->object->class->key)
            return (uint32_t)map_hash(key->object->class->key(key->object), table->key);
        word = (uintptr_t)key->object;
        break;
    default: word = key->unsigned_integer; break; /* a number, or an address */
    }
    return (uint32_t)map_hash((struct bytes){ (const char *)&word, sizeof word }, table->key);
}

struct cel_table *cel_table_new(struct arena *arena, uint32_t capacity)
{
    struct cel_table *table = arena_alloc(arena, sizeof *table);
    if (!table)
        return NULL;
    *table = (struct cel_table){ .capacity = capacity };
    table->pairs = capacity ? arena_alloc(arena, (size_t)capacity * sizeof *table->pairs) : NULL;
    return table->pairs || capacity == 0 ? table : NULL;
}

struct cel_pair *cel_table_exact(const struct cel_table *table, const struct cel_value *key)
{
    if (!table->slots) {
        for (uint32_t i = 0; i < table->count; i++)
            if (same_key(&table->pairs[i].key, key))
                return &table->pairs[i];
        return NULL;
    }
    for (uint32_t at = key_hash(table, key) & table->mask; table->slots[at]; at = (at + 1) & table->mask)
        if (same_key(&table->pairs[table->slots[at] - 1].key, key))
            return &table->pairs[table->slots[at] - 1];
    return NULL;
}

static struct cel_pair *find_integer(const struct cel_table *table, enum cel_type_kind besides, bool negative, uint64_t number)
{
    struct cel_value key = { .type = besides == CEL_INT ? CEL_UINT : CEL_INT, .unsigned_integer = number };
    struct cel_pair *pair = negative && key.type == CEL_UINT ? NULL : cel_table_exact(table, &key);
    if (pair || besides != CEL_DOUBLE || negative)
        return pair;
    key.type = CEL_UINT;
    return cel_table_exact(table, &key);
}

struct cel_pair *cel_table_find(const struct cel_table *table, const struct cel_value *key)
{
    struct cel_pair *pair = cel_table_exact(table, key);
    if (pair)
        return pair;
    switch (key->type) {
    case CEL_INT: return find_integer(table, CEL_INT, key->integer < 0, key->unsigned_integer);
    case CEL_UINT: return key->unsigned_integer > INT64_MAX ? NULL : find_integer(table, CEL_UINT, false, key->unsigned_integer);
    case CEL_DOUBLE:
        if (key->number >= -0x1p63 && key->number < 0x1p63 && key->number == (double)(int64_t)key->number)
            return find_integer(table, CEL_DOUBLE, key->number < 0, (uint64_t)(int64_t)key->number);
        if (key->number >= 0x1p63 && key->number < 0x1p64) {
            struct cel_value large = { .type = CEL_UINT, .unsigned_integer = (uint64_t)key->number };
            return cel_table_exact(table, &large);
        }
        return NULL;
    default: return NULL;
    }
}

static void enter(struct cel_table *table, uint32_t number)
{
    uint32_t at = key_hash(table, &table->pairs[number].key) & table->mask;
    while (table->slots[at])
        at = (at + 1) & table->mask;
    table->slots[at] = number + 1;
}

/* Slots for twice the capacity or more. */
static bool make_slots(struct cel_table *table, struct arena *arena)
{
    uint32_t size = 32;
    while (size < table->capacity * 2)
        size *= 2;
    table->slots = arena_alloc(arena, size * sizeof *table->slots);
    if (!table->slots)
        return false;
    memset(table->slots, 0, size * sizeof *table->slots);
    table->mask = size - 1;
    if (!map_key_random(&table->key))
        table->key = (struct map_key){ { (uintptr_t)table, (uintptr_t)arena } };
    for (uint32_t i = 0; i < table->count; i++)
        enter(table, i);
    return true;
}

static bool grow(struct cel_table *table, struct arena *arena)
{
    uint32_t capacity = table->capacity < 4 ? 8 : table->capacity * 2;
    struct cel_pair *pairs = arena_alloc(arena, (size_t)capacity * sizeof *pairs);
    if (!pairs)
        return false;
    if (table->count)
        memcpy(pairs, table->pairs, table->count * sizeof *pairs);
    table->pairs = pairs;
    table->capacity = capacity;
    table->slots = NULL;
    return true;
}

bool cel_table_add(struct cel_table *table, struct arena *arena, const struct cel_pair *pair)
{
    if (table->count == table->capacity && !grow(table, arena))
        return false;
    table->pairs[table->count++] = *pair;
    if (table->slots)
        enter(table, table->count - 1);
    return table->slots || table->count <= SCANNED || make_slots(table, arena);
}

/* ---- asking ---- */

struct cel_value cel_value_of(const struct cel_literal *literal)
{
    struct cel_value value = { .type = literal->type };
    switch (literal->type) {
    case CEL_BOOL: value.boolean = literal->boolean; break;
    case CEL_INT: value.integer = literal->integer; break;
    case CEL_UINT: value.unsigned_integer = literal->unsigned_integer; break;
    case CEL_DOUBLE: value.number = literal->number; break;
    case CEL_STRING:
    case CEL_BYTES: value.text = literal->text; break;
    default: break;
    }
    return value;
}

struct bytes cel_value_type(const struct cel_value *value)
{
    static const char *const names[] = {
        [CEL_BOOL] = "bool",
        [CEL_INT] = "int",
        [CEL_UINT] = "uint",
        [CEL_DOUBLE] = "double",
        [CEL_STRING] = "string",
        [CEL_BYTES] = "bytes",
        [CEL_NULL] = "null_type",
        [CEL_TIMESTAMP] = "google.protobuf.Timestamp",
        [CEL_DURATION] = "google.protobuf.Duration",
        [CEL_LIST] = "list",
        [CEL_MAP] = "map",
        [CEL_TYPE] = "type",
        [CEL_OPTIONAL] = "optional_type",
        [CEL_ERROR] = "error",
        [CEL_STRUCT] = "",
    };
    return bytes_of(value->type == CEL_STRUCT ? value->object->class->type : names[value->type]);
}

uint64_t cel_characters(struct bytes text)
{
    uint64_t count = 0;
    for (uint32_t i = 0; i < text.length; i++)
        count += ((unsigned char)text.data[i] & 0xc0) != 0x80;
    return count;
}

uint64_t cel_value_size(const struct cel_value *value)
{
    while (value->type == CEL_OPTIONAL && value->content)
        value = value->content;
    switch (value->type) {
    case CEL_STRING: return cel_characters(value->text);
    case CEL_BYTES: return value->text.length;
    case CEL_LIST: return value->list.count;
    case CEL_MAP: return cel_map_count(&value->map);
    case CEL_STRUCT: return value->object->class->size ? value->object->class->size(value->object) : 1;
    default: return 1;
    }
}

/* ---- for people ---- */

struct printer {
    struct text *text;
    size_t end; /* no value is begun beyond */
};

static void print(struct printer *printer, const struct cel_value *value, unsigned depth);

static void print_parts(struct printer *printer, const struct cel_value *value, unsigned depth)
{
    bool list = value->type == CEL_LIST;
    uint32_t count = list ? value->list.count : cel_map_count(&value->map);
    text_add(printer->text, list ? "[" : "{");
    for (uint32_t i = 0; i < count; i++) {
        if (i)
            text_add(printer->text, ", ");
        if (printer->text->length > printer->end) {
            text_add(printer->text, "...");
            break;
        }
        if (!list) {
            print(printer, &value->map.table->pairs[i].key, depth);
            text_add(printer->text, ": ");
        }
        print(printer, list ? &value->list.items[i] : &value->map.table->pairs[i].value, depth);
    }
    text_add(printer->text, list ? "]" : "}");
}

static void print_optional(struct printer *printer, const struct cel_value *value, unsigned depth)
{
    text_add(printer->text, value->content ? "optional(" : "no value");
    if (!value->content)
        return;
    print(printer, value->content, depth);
    text_add(printer->text, ")");
}

/* As an expression writes it: a double with a point or an exponent. */
static void print_number(struct printer *printer, const struct cel_value *value)
{
    size_t start = printer->text->length;
    if (value->type == CEL_INT) {
        text_add_integer(printer->text, value->integer);
    } else if (value->type == CEL_UINT) {
        cel_write_unsigned(printer->text, value->unsigned_integer);
        text_add(printer->text, "u");
    } else {
        cel_write_double(printer->text, value->number, false);
        size_t length = printer->text->length - start;
        const char *text = printer->text->data ? printer->text->data + start : NULL;
        if (text && isfinite(value->number) && !memchr(text, '.', length) && !memchr(text, 'e', length))
            text_add(printer->text, ".0");
    }
}

static void print(struct printer *printer, const struct cel_value *value, unsigned depth)
{
    struct text *text = printer->text;
    size_t left = printer->end > text->length ? printer->end - text->length : 8;
    if (depth == 0) {
        text_add(text, "...");
        return;
    }
    switch (value->type) {
    case CEL_BOOL: text_add(text, value->boolean ? "true" : "false"); break;
    case CEL_NULL: text_add(text, "null"); break;
    case CEL_INT:
    case CEL_UINT:
    case CEL_DOUBLE: print_number(printer, value); break;
    case CEL_BYTES: text_add(text, "b"); /* fall through */
    case CEL_STRING: text_add_quoted(text, value->text, left); break;
    case CEL_TYPE: text_add_escaped(text, value->text, left); break;
    case CEL_TIMESTAMP: cel_write_time(text, &value->time); break;
    case CEL_DURATION: cel_write_duration(text, value->integer); break;
    case CEL_LIST:
    case CEL_MAP: print_parts(printer, value, depth - 1); break;
    case CEL_OPTIONAL: print_optional(printer, value, depth - 1); break;
    case CEL_STRUCT: value->object->class->print(value->object, text); break;
    default: text_add_escaped(text, bytes_of(value->fault.words), left); break;
    }
}

void cel_value_print(struct text *text, const struct cel_value *value, size_t limit)
{
    struct printer printer = { text, text->length + limit };
    print(&printer, value, LIMIT_CEL_VALUE_PRINTED);
}
