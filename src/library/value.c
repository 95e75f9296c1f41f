#include "library/value.h"

#include <math.h>
#include <stdio.h>

#include "base/limits.h"
#include "cel/convert_text.h"
#include "library/limits.h"

struct writer {
    struct arena *arena;
    struct text text;
    bool too_much;
};

static void add(struct writer *writer, struct bytes bytes)
{
    writer->too_much |= writer->text.length > LIMIT_LIBRARY_VALUE_BYTES || bytes.length > LIMIT_LIBRARY_VALUE_BYTES;
    if (!writer->too_much)
        text_add_bytes(&writer->text, bytes);
}

static void add_word(struct writer *writer, const char *word)
{
    add(writer, bytes_of(word));
}

/* Text in UTF-8 as a string. */
static void add_string(struct writer *writer, struct bytes bytes)
{
    uint32_t start = 0;
    add_word(writer, "\"");
    for (uint32_t i = 0; i < bytes.length; i++) {
        unsigned char byte = (unsigned char)bytes.data[i];
        char escape[8];
        if (byte >= ' ' && byte != '"' && byte != '\\')
            continue;
        snprintf(escape, sizeof escape, byte < ' ' ? "\\u%04x" : "\\%c", byte);
        add(writer, (struct bytes){ bytes.data + start, i - start });
        add_word(writer, escape);
        start = i + 1;
    }
    add(writer, (struct bytes){ bytes.length ? bytes.data + start : "", bytes.length - start });
    add_word(writer, "\"");
}

/* What people would read, as a string. */
static void add_printed(struct writer *writer, const struct cel_value *value)
{
    struct text text;
    text_init(&text, writer->arena);
    cel_value_print(&text, value, LIMIT_LIBRARY_VALUE_BYTES);
    const char *words = text_end(&text);
    writer->text.failed |= !words;
    if (words)
        add_string(writer, bytes_of(words));
}

static void add_base64(struct writer *writer, struct bytes bytes)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    add_word(writer, "\"");
    for (uint32_t i = 0; i < bytes.length && !writer->too_much; i += 3) {
        uint32_t left = bytes.length - i, group = 0;
        for (uint32_t j = 0; j < 3; j++)
            group = group << 8 | (j < left ? (unsigned char)bytes.data[i + j] : 0);
        const char four[] = { digits[group >> 18], digits[group >> 12 & 63], left > 1 ? digits[group >> 6 & 63] : '=',
                              left > 2 ? digits[group & 63] : '=' };
        add(writer, (struct bytes){ four, sizeof four });
    }
    add_word(writer, "\"");
}

static void add_number(struct writer *writer, const struct cel_value *value)
{
    if (value->type == CEL_INT)
        text_add_integer(&writer->text, value->integer);
    else if (value->type == CEL_UINT)
        cel_write_unsigned(&writer->text, value->unsigned_integer);
    else if (isfinite(value->number))
        cel_value_print(&writer->text, value, LIMIT_QUOTE_BYTES);
    else
        add_word(writer, isnan(value->number) ? "\"NaN\"" : value->number > 0 ? "\"Infinity\"" : "\"-Infinity\"");
}

static void add_value(struct writer *writer, const struct cel_value *value, unsigned depth);

static void add_list(struct writer *writer, const struct cel_list *list, unsigned depth)
{
    add_word(writer, "[");
    for (uint32_t i = 0; i < list->count && !writer->too_much; i++) {
        add_word(writer, i ? "," : "");
        add_value(writer, &list->items[i], depth);
    }
    add_word(writer, "]");
}

static void add_key(struct writer *writer, const struct cel_value *key)
{
    bool quoted = key->type == CEL_STRING || (key->type == CEL_DOUBLE && !isfinite(key->number));
    add_word(writer, quoted ? "" : "\"");
    add_value(writer, key, 0);
    add_word(writer, quoted ? "" : "\"");
}

static void add_map(struct writer *writer, const struct cel_map *map, unsigned depth)
{
    add_word(writer, "{");
    for (uint32_t i = 0; i < cel_map_count(map) && !writer->too_much; i++) {
        const struct cel_pair *pair = &map->table->pairs[i];
        add_word(writer, i ? "," : "");
        add_key(writer, &pair->key);
        add_word(writer, ":");
        add_value(writer, &pair->value, depth);
    }
    add_word(writer, "}");
}

static void add_value(struct writer *writer, const struct cel_value *value, unsigned depth)
{
    bool nests = value->type == CEL_LIST || value->type == CEL_MAP || value->type == CEL_OPTIONAL;
    writer->too_much |= nests && depth == LIMIT_LIBRARY_VALUE_DEPTH;
    if (writer->too_much || writer->text.failed)
        return;
    switch (value->type) {
    case CEL_BOOL:
        add_word(writer, value->boolean ? "true" : "false");
        break;
    case CEL_NULL:
        add_word(writer, "null");
        break;
    case CEL_INT:
    case CEL_UINT:
    case CEL_DOUBLE:
        add_number(writer, value);
        break;
    case CEL_STRING:
    case CEL_TYPE:
        add_string(writer, value->text);
        break;
    case CEL_BYTES:
        add_base64(writer, value->text);
        break;
    case CEL_LIST:
        add_list(writer, &value->list, depth + 1);
        break;
    case CEL_MAP:
        add_map(writer, &value->map, depth + 1);
        break;
    case CEL_OPTIONAL:
        if (value->content)
            add_value(writer, value->content, depth + 1);
        else
            add_word(writer, "null");
        break;
    default:
        add_printed(writer, value);
    }
}

enum failure library_value_json(struct arena *arena, const struct cel_value *value, const char **json)
{
    struct writer writer = { .arena = arena };
    text_init(&writer.text, arena);
    add_value(&writer, value, 0);
    const char *text = text_end(&writer.text);
    if (writer.too_much)
        return FAILURE_LIMIT;
    if (!text)
        return arena->failure ? arena->failure : FAILURE_MEMORY;
    *json = text;
    return FAILURE_NONE;
}
