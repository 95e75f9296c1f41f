#include <float.h>
#include <math.h>

#include "base/utf8.h"
#include "cel/convert_text.h"
#include "cel/limits.h"
#include "cel/time_text.h"
#include "cel/unicode.h"
#include "rules/cel/format.h"
#include "rules/cel/order.h"

struct writer {
    struct cel_evaluation *evaluation;
    struct cel_value error; /* CEL_ERROR: it failed */
};

static void fail(struct writer *w, const char *words, struct bytes type)
{
    struct text text;
    text_init(&text, w->evaluation->arena);
    text_add(&text, words);
    text_add_bytes(&text, type);
    struct cel_value made = cel_text_value(w->evaluation, &text);
    if (w->error.type != CEL_ERROR)
        w->error = made.type == CEL_STRING ? cel_fail(w->evaluation, made.text.data) : made;
}

/* ---- texts in quotes, as Go writes them ---- */

static void add_escape(struct text *text, uint32_t code)
{
    static const char special[] = "\a\b\f\n\r\t\v\\\"", letters[] = "abfnrtv\\\"";
    const char *found = code && code < 0x80 ? strchr(special, (int)code) : NULL;
    char buffer[16];
    if (found)
        snprintf(buffer, sizeof buffer, "\\%c", letters[found - special]);
    else if (code < 0x80)
        snprintf(buffer, sizeof buffer, "\\x%02x", (unsigned)code);
    else
        snprintf(buffer, sizeof buffer, code < 0x10000 ? "\\u%04x" : "\\U%08x", (unsigned)code);
    text_add(text, buffer);
}

static void add_go_quoted(struct text *text, struct bytes bytes)
{
    uint32_t from = 0, at = 0, code = 0;
    text_add(text, "\"");
    while (at < bytes.length) {
        unsigned length = utf8_decode((const unsigned char *)bytes.data + at, bytes.length - at, &code);
        length = length ? length : 1;
        if (code == '"' || code == '\\' || !unicode_is_printed(code)) {
            text_add_bytes(text, (struct bytes){ bytes.data + from, at - from });
            add_escape(text, code);
            from = at + length;
        }
        at += length;
    }
    text_add_bytes(text, (struct bytes){ bytes.data + from, at - from });
    text_add(text, "\"");
}

/* ---- values ---- */

static void write(struct writer *w, struct text *text, const struct cel_value *value, bool inside, unsigned depth);

/* Inside lists and maps, a double has six decimals. */
static void write_double(struct text *text, double value, bool inside)
{
    char buffer[DBL_MAX_10_EXP + 16];
    bool quoted = inside && !isfinite(value);
    if (quoted)
        text_add(text, "\"");
    if (inside && isfinite(value)) {
        snprintf(buffer, sizeof buffer, "%f", value);
        text_add(text, buffer);
    } else {
        cel_write_double(text, value, false);
    }
    if (quoted)
        text_add(text, "\"");
}

static void write_text(struct writer *w, struct text *text, const struct cel_value *value, bool inside)
{
    if (value->type == CEL_BYTES && !utf8_is_valid(value->text)) {
        fail(w, "error during formatting: could not convert argument to string: invalid UTF-8 in bytes", (struct bytes){ NULL, 0 });
        return;
    }
    if (!inside) {
        text_add_bytes(text, value->text);
        return;
    }
    if (value->type == CEL_BYTES)
        text_add(text, "b");
    add_go_quoted(text, value->text);
}

static void write_list(struct writer *w, struct text *text, const struct cel_list *list, unsigned depth)
{
    text_add(text, "[");
    for (uint32_t i = 0; i < list->count && w->error.type != CEL_ERROR; i++) {
        if (i)
            text_add(text, ", ");
        write(w, text, &list->items[i], true, depth - 1);
    }
    text_add(text, "]");
}

struct entries {
    struct cel_evaluation *evaluation;
    struct bytes *keys; /* as they are written */
};

static bool key_is_less(void *context, uint32_t a, uint32_t b)
{
    struct entries *entries = context;
    return cel_steps(entries->evaluation, 1) && bytes_compare(entries->keys[a], entries->keys[b]) < 0;
}

static struct bytes write_key(struct writer *w, const struct cel_value *key)
{
    struct text text;
    text_init(&text, w->evaluation->arena);
    if (key->type == CEL_STRING || key->type == CEL_BOOL || key->type == CEL_INT || key->type == CEL_UINT)
        write(w, &text, key, true, 1);
    else
        fail(w, "error during formatting: no formatting function for map key of type ", cel_value_type(key));
    return (struct bytes){ text.data, (uint32_t)text.length };
}

/* Sorted by keys as they are written. */
static void write_map(struct writer *w, struct text *text, const struct cel_map *map, unsigned depth)
{
    uint32_t count = cel_map_count(map);
    struct entries entries = { w->evaluation, cel_evaluation_alloc(w->evaluation, count, sizeof *entries.keys) };
    uint32_t *order = entries.keys ? cel_evaluation_alloc(w->evaluation, count, sizeof *order) : NULL;
    if (!order) {
        w->error = cel_stopped(w->evaluation);
        return;
    }
    for (uint32_t i = 0; i < count; i++) {
        order[i] = i;
        entries.keys[i] = write_key(w, &map->table->pairs[i].key);
    }
    order_sort(order, count, key_is_less, &entries);
    text_add(text, "{");
    for (uint32_t i = 0; i < count && w->error.type != CEL_ERROR; i++) {
        if (i)
            text_add(text, ", ");
        text_add_bytes(text, entries.keys[order[i]]);
        text_add(text, ":");
        write(w, text, &map->table->pairs[order[i]].value, true, depth - 1);
    }
    text_add(text, "}");
}

static void write_time(struct text *text, const struct cel_value *value, bool inside)
{
    bool time = value->type == CEL_TIMESTAMP;
    if (inside)
        text_add(text, time ? "timestamp(\"" : "duration(\"");
    if (time)
        cel_write_time(text, &value->time);
    else
        cel_write_duration(text, value->integer);
    if (inside)
        text_add(text, "\")");
}

/* `inside`: in a list or map. */
static void write(struct writer *w, struct text *text, const struct cel_value *value, bool inside, unsigned depth)
{
    if (depth == 0 || !cel_steps(w->evaluation, 1)) {
        w->error = cel_stop(w->evaluation, "the evaluation takes too long");
        return;
    }
    switch (value->type) {
    case CEL_BOOL:   text_add(text, value->boolean ? "true" : "false"); break;
    case CEL_INT:    text_add_integer(text, value->integer); break;
    case CEL_UINT:   cel_write_unsigned(text, value->unsigned_integer); break;
    case CEL_DOUBLE: write_double(text, value->number, inside); break;
    case CEL_STRING: case CEL_BYTES: write_text(w, text, value, inside); break;
    case CEL_TIMESTAMP: case CEL_DURATION: write_time(text, value, inside); break;
    case CEL_TYPE:   text_add_bytes(text, value->text); break;
    case CEL_NULL:   text_add(text, "null"); break;
    case CEL_LIST:   write_list(w, text, &value->list, depth); break;
    case CEL_MAP:    write_map(w, text, &value->map, depth); break;
    default:         fail(w, "error during formatting: no formatting function for ", cel_value_type(value)); break;
    }
}

bool format_value(struct cel_evaluation *evaluation, struct text *text, const struct cel_value *value, struct cel_value *error)
{
    struct writer writer = { evaluation, { .type = CEL_NULL } };
    write(&writer, text, value, false, LIMIT_CEL_VALUE_DEPTH);
    if (writer.error.type == CEL_ERROR)
        *error = writer.error;
    return writer.error.type != CEL_ERROR;
}
