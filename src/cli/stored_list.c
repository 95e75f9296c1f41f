#include "cli/stored_list.h"

#include <string.h>

#include "doc/cut.h"

static bool is_space(char byte)
{
    return byte == ' ' || byte == '\n' || byte == '\r' || byte == '\t';
}

/* How many spaces stand before the item on its line; 0: something else does. */
static size_t indentation(const char *data, size_t from)
{
    size_t count = 0;
    while (count < from && data[from - count - 1] == ' ')
        count++;
    return count < from && data[from - count - 1] == '\n' ? count : 0;
}

/* Takes up to `indent` spaces off each line but the first; no string of JSON has lines. Returns the new length. */
static size_t outdent(char *text, size_t length, size_t indent)
{
    size_t to = 0;
    for (size_t at = 0; at < length;) {
        const char *newline = memchr(text + at, '\n', length - at);
        size_t next = newline ? (size_t)(newline - text) + 1 : length;
        memmove(text + to, text + at, next - at);
        to += next - at;
        at = next;
        for (size_t spaces = 0; spaces < indent && at < length && text[at] == ' '; spaces++)
            at++;
    }
    return to;
}

bool stored_list_each(struct buffer *list, bool (*take)(void *self, struct bytes text), void *self, bool *more)
{
    struct cut_text text = { .data = list->data, .length = list->length };
    struct cut_list items;
    size_t start = 0;
    while (start < list->length && is_space(list->data[start]))
        start++;
    if (start == list->length || list->data[start] != '{' || !cut_json_value(&text, start, &items) || !items.start)
        return false;
    for (size_t at = items.start, next; at < items.end && *more; at = next) {
        next = cut_json_items(&text, &items, at, 0);
        size_t end = next - (next < items.end || list->data[next - 1] == ',');
        while (at < end && is_space(list->data[at]))
            at++;
        while (at < end && is_space(list->data[end - 1]))
            end--;
        if (at == end)
            continue;
        size_t length = outdent(list->data + at, end - at, indentation(list->data, at));
        *more = take(self, (struct bytes){ list->data + at, (uint32_t)length });
    }
    return true;
}
