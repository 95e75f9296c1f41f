#include "doc/cut.h"

#include <string.h>

/* After the string that begins at `at`; the length of the text if it does not end. */
static size_t after_string(const struct cut_text *text, size_t at)
{
    for (at++; at < text->length;) {
        const char *quote = memchr(text->data + at, '"', text->length - at);
        size_t end = quote ? (size_t)(quote - text->data) : text->length, slashes = 0;
        while (end - slashes > at && text->data[end - slashes - 1] == '\\')
            slashes++;
        if (slashes % 2 == 0)
            return quote ? end + 1 : end;
        at = end + 1;
    }
    return text->length;
}

static size_t after_space(const struct cut_text *text, size_t at)
{
    while (at < text->length && (text->data[at] == ' ' || text->data[at] == '\n' || text->data[at] == '\r' || text->data[at] == '\t'))
        at++;
    return at;
}

/* The offset of the bracket if the string from `at` to `end` is the name of a member "items" that is an array; 0: it is not. */
static size_t items_array(const struct cut_text *text, size_t at, size_t end)
{
    static const char name[] = "\"items\"";
    if (end - at != sizeof name - 1 || memcmp(text->data + at, name, end - at) != 0)
        return 0;
    end = after_space(text, end);
    if (end == text->length || text->data[end] != ':')
        return 0;
    end = after_space(text, end + 1);
    return end < text->length && text->data[end] == '[' ? end : 0;
}

/* Where a scan is. */
struct scan {
    size_t at, depth;
};

/* Takes what is at scan->at: a string, a bracket, or any other byte. */
static void step(struct cut_text *text, struct scan *scan)
{
    char byte = text->data[scan->at];
    if (byte == '"') {
        scan->at = after_string(text, scan->at);
        cut_passed(text, scan->at);
        return;
    }
    scan->depth += byte == '{' || byte == '[';
    scan->depth -= byte == '}' || byte == ']';
    scan->at++;
}

bool cut_json_value(struct cut_text *text, size_t from, struct cut_list *list)
{
    struct scan scan = { from, 0 };
    unsigned arrays = 0;
    *list = (struct cut_list){ .from = from };
    do {
        size_t at = scan.at, depth = scan.depth;
        step(text, &scan);
        if (depth == 1 && text->data[at] == '"' && text->data[from] == '{') {
            size_t array = items_array(text, at, scan.at);
            arrays += array != 0;
            list->start = array ? array + 1 : list->start;
            list->end = array ? 0 : list->end;
        } else if (scan.depth == 1 && depth == 2 && list->start && !list->end) {
            list->end = at;
        }
    } while (scan.depth && scan.at < text->length);
    list->after = scan.at;
    if (arrays != 1 || !list->end || list->start - from > CUT_AROUND_BYTES || list->after - list->end > CUT_AROUND_BYTES)
        list->start = 0;
    return !scan.depth;
}

size_t cut_json_items(struct cut_text *text, const struct cut_list *list, size_t from, size_t bytes)
{
    struct scan scan = { from, 0 };
    while (scan.at < list->end) {
        if (text->data[scan.at] == ',' && !scan.depth && scan.at - from >= bytes)
            return scan.at + 1;
        step(text, &scan);
    }
    return list->end;
}
