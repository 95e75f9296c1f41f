#include "base/utf8.h"
#include "rules/cel/calls.h"
#include "rules/cel/texts.h"

/* ---- characters ---- */

uint32_t text_offset(struct bytes text, uint64_t characters)
{
    uint32_t at = 0;
    for (; at < text.length; at++)
        if (((unsigned char)text.data[at] & 0xc0) != 0x80 && characters-- == 0)
            return at;
    return at;
}

struct cel_value fail_out_of_range(struct cel_evaluation *evaluation, int64_t index)
{
    struct text text;
    text_init(&text, evaluation->arena);
    text_add(&text, "index out of range: ");
    text_add_integer(&text, index);
    return cel_fail_text(evaluation, &text);
}

static struct bytes part(struct bytes text, uint32_t from, uint32_t to)
{
    return (struct bytes){ from < to ? text.data + from : NULL, from < to ? to - from : 0 };
}

struct cel_value call_char_at(const struct cel_invocation *call)
{
    struct bytes text = call->arguments[0].text;
    int64_t index = call->arguments[1].integer;
    if (!cel_steps_bytes(call->evaluation, UINT64_C(3) * text.length)) /* it costs 1, whatever the size is */
        return cel_stopped(call->evaluation);
    if (index < 0 || (uint64_t)index > cel_characters(text))
        return fail_out_of_range(call->evaluation, index);
    uint32_t from = text_offset(text, (uint64_t)index);
    struct bytes rest = part(text, from, text.length);
    return cel_string(part(text, from, from + text_offset(rest, 1)));
}

struct cel_value call_substring(const struct cel_invocation *call)
{
    struct bytes text = call->arguments[0].text;
    int64_t size = (int64_t)cel_characters(text), start = call->arguments[1].integer;
    int64_t end = call->count > 2 ? call->arguments[2].integer : size;
    if (call->count > 2 && start > end) {
        struct text words;
        text_init(&words, call->evaluation->arena);
        text_add(&words, "invalid substring range. start: ");
        text_add_integer(&words, start);
        text_add(&words, ", end: ");
        text_add_integer(&words, end);
        return cel_fail_text(call->evaluation, &words);
    }
    if (start < 0 || start > size)
        return fail_out_of_range(call->evaluation, start);
    if (end > size)
        return fail_out_of_range(call->evaluation, end);
    uint32_t from = text_offset(text, (uint64_t)start);
    struct bytes rest = part(text, from, text.length);
    return cel_string(part(text, from, from + text_offset(rest, (uint64_t)(end - start))));
}

/* ---- asking ---- */

const char *text_find(struct bytes text, struct bytes wanted)
{
    return wanted.length == 0 ? text.data : text.length == 0 ? NULL : memmem(text.data, text.length, wanted.data, wanted.length);
}

struct cel_value call_contains(const struct cel_invocation *call)
{
    struct bytes wanted = call->arguments[1].text;
    return cel_boolean(wanted.length == 0 || text_find(call->arguments[0].text, wanted));
}

struct cel_value call_starts_with(const struct cel_invocation *call)
{
    struct bytes text = call->arguments[0].text, wanted = call->arguments[1].text;
    return cel_boolean(wanted.length <= text.length && bytes_equal((struct bytes){ text.data, wanted.length }, wanted));
}

struct cel_value call_ends_with(const struct cel_invocation *call)
{
    struct bytes text = call->arguments[0].text, wanted = call->arguments[1].text;
    return cel_boolean(wanted.length <= text.length && bytes_equal(part(text, text.length - wanted.length, text.length), wanted));
}

/* ---- changing ---- */

static struct cel_value change_case(const struct cel_invocation *call, char first, char last)
{
    struct bytes text = call->arguments[0].text;
    char *made = cel_evaluation_alloc(call->evaluation, text.length, 1);
    if (!made)
        return cel_stopped(call->evaluation);
    for (uint32_t i = 0; i < text.length; i++)
        made[i] = (char)(text.data[i] >= first && text.data[i] <= last ? text.data[i] ^ 0x20 : text.data[i]);
    return cel_string((struct bytes){ made, text.length });
}

struct cel_value call_lower_ascii(const struct cel_invocation *call)
{
    return change_case(call, 'A', 'Z');
}

struct cel_value call_upper_ascii(const struct cel_invocation *call)
{
    return change_case(call, 'a', 'z');
}

/* Unicode's White_Space. */
static bool is_space(uint32_t code)
{
    return code == ' ' || (code >= '\t' && code <= '\r') || code == 0x85 || code == 0xa0 || code == 0x1680 ||
           (code >= 0x2000 && code <= 0x200a) || code == 0x2028 || code == 0x2029 || code == 0x202f || code == 0x205f || code == 0x3000;
}

/* The character at `at`; sets its length, which is never 0. */
static uint32_t character(struct bytes text, uint32_t at, unsigned *length)
{
    uint32_t code = 0;
    *length = utf8_decode((const unsigned char *)text.data + at, text.length - at, &code);
    if (*length == 0)
        *length = 1;
    return code;
}

struct cel_value call_trim(const struct cel_invocation *call)
{
    struct bytes text = call->arguments[0].text;
    uint32_t from = 0, to = text.length;
    unsigned length;
    while (from < to && is_space(character(text, from, &length)))
        from += length;
    while (to > from) {
        uint32_t last = to - 1;
        while (last > from && ((unsigned char)text.data[last] & 0xc0) == 0x80)
            last--;
        if (!is_space(character(text, last, &length)))
            break;
        to = last;
    }
    return cel_string(part(text, from, to));
}

/* "ab".replace("", "-") is "-a-b-": an empty text is before each character, and at the end. */
struct cel_value call_replace(const struct cel_invocation *call)
{
    struct bytes text = call->arguments[0].text, old = call->arguments[1].text, new = call->arguments[2].text;
    int64_t left = call->count > 3 ? call->arguments[3].integer : -1;
    struct text made;
    text_init(&made, call->evaluation->arena);
    for (bool first = true; left != 0 && !made.failed; first = false, left -= left > 0) {
        uint32_t before;
        if (old.length == 0) {
            if (!first && text.length == 0)
                break;
            before = first ? 0 : text_offset(text, 1);
        } else {
            const char *found = text_find(text, old);
            if (!found)
                break;
            before = (uint32_t)(found - text.data);
        }
        text_add_bytes(&made, part(text, 0, before));
        text_add_bytes(&made, new);
        text = part(text, before + old.length, text.length);
    }
    text_add_bytes(&made, text);
    return cel_text_value(call->evaluation, &made);
}

/* ---- lists of texts ---- */

/* The bytes before the next separator; without separators, the next character. */
static uint32_t before_separator(struct bytes text, struct bytes separator)
{
    if (separator.length == 0)
        return text_offset(text, 1);
    const char *found = text_find(text, separator);
    return found ? (uint32_t)(found - text.data) : text.length;
}

/* How many parts there are; `count` of them at most. */
static uint64_t count_parts(struct bytes text, struct bytes separator, uint64_t count)
{
    if (separator.length == 0) {
        uint64_t characters = cel_characters(text);
        return characters < count ? characters : count;
    }
    uint64_t parts = 1;
    for (uint32_t before; parts < count && (before = before_separator(text, separator)) < text.length; parts++)
        text = part(text, before + separator.length, text.length);
    return parts;
}

struct cel_value call_split(const struct cel_invocation *call)
{
    struct bytes text = call->arguments[0].text, separator = call->arguments[1].text;
    int64_t count = call->count > 2 ? call->arguments[2].integer : -1;
    if (count == 0)
        return cel_list_of(NULL, 0);
    uint32_t parts = (uint32_t)count_parts(text, separator, count < 0 ? UINT64_MAX : (uint64_t)count);
    struct cel_value *items = cel_evaluation_alloc(call->evaluation, parts, sizeof *items);
    if (!items)
        return cel_stopped(call->evaluation);
    for (uint32_t i = 0; i + 1 < parts; i++) {
        uint32_t before = before_separator(text, separator);
        items[i] = cel_string(part(text, 0, before));
        text = part(text, before + separator.length, text.length);
    }
    if (parts)
        items[parts - 1] = cel_string(text);
    return cel_list_of(items, parts);
}

struct cel_value call_join(const struct cel_invocation *call)
{
    const struct cel_list *list = &call->arguments[0].list;
    struct text text;
    text_init(&text, call->evaluation->arena);
    for (uint32_t i = 0; i < list->count; i++) {
        if (list->items[i].type != CEL_STRING)
            return cel_fail(call->evaluation, "join: invalid input");
        if (i && call->count > 1)
            text_add_bytes(&text, call->arguments[1].text);
        text_add_bytes(&text, list->items[i].text);
    }
    return cel_text_value(call->evaluation, &text);
}

struct cel_value call_strings_quote(const struct cel_invocation *call)
{
    static const char special[] = "\a\b\f\n\r\t\v\\\"", letters[] = "abfnrtv\\\"";
    struct bytes text = call->arguments[0].text;
    struct text made;
    text_init(&made, call->evaluation->arena);
    text_add(&made, "\"");
    uint32_t from = 0;
    for (uint32_t at = 0; at < text.length; at++) {
        const char *found = text.data[at] ? strchr(special, text.data[at]) : NULL;
        if (!found)
            continue;
        text_add_bytes(&made, part(text, from, at));
        text_add_bytes(&made, (struct bytes){ (char[]){ '\\', letters[found - special] }, 2 });
        from = at + 1;
    }
    text_add_bytes(&made, part(text, from, text.length));
    text_add(&made, "\"");
    return cel_text_value(call->evaluation, &made);
}
