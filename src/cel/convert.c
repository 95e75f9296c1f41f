#include "cel/convert.h"

#include <math.h>

#include "base/utf8.h"
#include "cel/convert_text.h"
#include "cel/time_text.h"

struct conversion {
    struct arena *arena;
    const struct cel_value *from;
    struct cel_value *to;
    const char *error; /* of its own; NULL: the usual one */
};

static bool to_bool(struct conversion *c)
{
    static const char *const words[2][6] = { { "0", "f", "F", "FALSE", "false", "False" }, { "1", "t", "T", "TRUE", "true", "True" } };
    for (unsigned i = 0; c->from->type == CEL_STRING && i < 12; i++)
        if (bytes_equal_text(c->from->text, words[i / 6][i % 6])) {
            c->to->boolean = i / 6;
            return true;
        }
    return false;
}

static bool to_int(struct conversion *c)
{
    const struct cel_value *from = c->from;
    switch (from->type) {
    case CEL_UINT:
        c->error = "integer overflow";
        c->to->integer = (int64_t)from->unsigned_integer;
        return from->unsigned_integer <= INT64_MAX;
    case CEL_DOUBLE:
        c->error = "integer overflow";
        if (!(from->number > -0x1p63 && from->number < 0x1p63))
            return false;
        c->to->integer = (int64_t)from->number;
        return true;
    case CEL_DURATION:
        c->to->integer = from->integer;
        return true;
    case CEL_TIMESTAMP:
        c->to->integer = from->time.seconds;
        return true;
    case CEL_STRING:
        return cel_read_integer(from->text, &c->to->integer);
    default:
        return false;
    }
}

static bool to_uint(struct conversion *c)
{
    const struct cel_value *from = c->from;
    switch (from->type) {
    case CEL_INT:
        c->error = "unsigned integer overflow";
        c->to->unsigned_integer = (uint64_t)from->integer;
        return from->integer >= 0;
    case CEL_DOUBLE:
        c->error = "unsigned integer overflow";
        if (!(from->number >= 0 && from->number < 0x1p64))
            return false;
        c->to->unsigned_integer = (uint64_t)from->number;
        return true;
    case CEL_STRING:
        return cel_read_unsigned(from->text, &c->to->unsigned_integer);
    default:
        return false;
    }
}

static bool to_double(struct conversion *c)
{
    const struct cel_value *from = c->from;
    switch (from->type) {
    case CEL_INT:
        c->to->number = (double)from->integer;
        return true;
    case CEL_UINT:
        c->to->number = (double)from->unsigned_integer;
        return true;
    case CEL_STRING:
        return cel_read_double(from->text, &c->to->number);
    default:
        return false;
    }
}

static bool to_bytes(struct conversion *c)
{
    c->to->text = c->from->text;
    return c->from->type == CEL_STRING;
}

static bool to_duration(struct conversion *c)
{
    return c->from->type == CEL_STRING && cel_read_duration(c->from->text, &c->to->integer);
}

static bool to_timestamp(struct conversion *c)
{
    if (c->from->type == CEL_INT)
        c->to->time = (struct instant){ c->from->integer, 0, 0 };
    else if (c->from->type != CEL_STRING || !instant_read(c->from->text, &c->to->time))
        return false;
    c->error = "timestamp overflow";
    return c->to->time.seconds >= CEL_TIME_MIN && c->to->time.seconds <= CEL_TIME_MAX;
}

/* ---- to text ---- */

static bool add_as_text(struct conversion *c, struct text *text)
{
    const struct cel_value *from = c->from;
    switch (from->type) {
    case CEL_BOOL:      text_add(text, from->boolean ? "true" : "false"); return true;
    case CEL_INT:       text_add_integer(text, from->integer); return true;
    case CEL_UINT:      cel_write_unsigned(text, from->unsigned_integer); return true;
    case CEL_DOUBLE:    cel_write_double(text, from->number, false); return true;
    case CEL_TIMESTAMP: cel_write_time(text, &from->time); return true;
    case CEL_DURATION:  cel_write_duration(text, from->integer); return true;
    case CEL_BYTES:
        c->error = "invalid UTF-8 in bytes, cannot convert to string";
        text_add_bytes(text, from->text);
        return utf8_is_valid(from->text);
    default:
        return false;
    }
}

static bool to_string(struct conversion *c)
{
    struct text text;
    text_init(&text, c->arena);
    if (!add_as_text(c, &text))
        return false;
    const char *data = text_end(&text);
    c->to->text = (struct bytes){ data, data ? (uint32_t)text.length : 0 };
    return true;
}

/* ---- all ---- */

static bool convert(struct conversion *c, enum cel_type_kind to)
{
    if (c->from->type == to || to == CEL_DYN) {
        *c->to = *c->from;
        return true;
    }
    switch (to) {
    case CEL_BOOL:      return to_bool(c);
    case CEL_INT:       return to_int(c);
    case CEL_UINT:      return to_uint(c);
    case CEL_DOUBLE:    return to_double(c);
    case CEL_STRING:    return to_string(c);
    case CEL_BYTES:     return to_bytes(c);
    case CEL_TIMESTAMP: return to_timestamp(c);
    case CEL_DURATION:  return to_duration(c);
    case CEL_TYPE:      return true;
    default:            return false;
    }
}

static const char *usual_error(struct arena *arena, enum cel_type_kind from, enum cel_type_kind to)
{
    const struct cel_type types[] = { { .kind = from }, { .kind = to } };
    struct text text;
    text_init(&text, arena);
    text_add(&text, "type conversion error from '");
    cel_type_text(&text, &types[0], true);
    text_add(&text, "' to '");
    cel_type_text(&text, &types[1], true);
    text_add(&text, "'");
    return text_end(&text);
}

enum failure cel_convert(const struct cel_value *value, enum cel_type_kind to, struct arena *arena, struct cel_value *result,
                         const char **error)
{
    struct conversion conversion = { .arena = arena, .from = value, .to = result };
    *error = NULL;
    *result = (struct cel_value){ .type = to };
    if (!convert(&conversion, to))
        *error = conversion.error ? conversion.error : usual_error(arena, value->type, to);
    return arena->failure;
}
