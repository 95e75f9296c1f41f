#include "doc/cut.h"

#include <string.h>

/* After the line at `at`. */
static size_t next_line(const struct cut_text *text, size_t at)
{
    const char *end = memchr(text->data + at, '\n', text->length - at);
    return end ? (size_t)(end - text->data) + 1 : text->length;
}

size_t cut_yaml_document(struct cut_text *text, size_t from)
{
    static const char separator[] = "\n---";
    const size_t size = sizeof separator - 1;
    size_t at = next_line(text, from) - 1; /* its line feed, if it has one */
    while (text->length - at > size) {
        size_t length = text->length - at < CUT_STEP_BYTES ? text->length - at : CUT_STEP_BYTES;
        const char *found = memmem(text->data + at, length, separator, size);
        if (found)
            return (size_t)(found - text->data) + 1;
        at += length - size + 1;
        cut_passed(text, at);
    }
    return text->length;
}

/* ---- lists ---- */

/* A line, without its end and the white space before that. */
struct line {
    const char *data;
    size_t length, indent, next;
};

static struct line line_at(const struct cut_text *text, size_t at)
{
    struct line line = { .data = text->data + at, .next = next_line(text, at) };
    line.length = line.next - at;
    while (line.length && (line.data[line.length - 1] == '\n' || line.data[line.length - 1] == '\r' || line.data[line.length - 1] == ' '))
        line.length--;
    while (line.indent < line.length && line.data[line.indent] == ' ')
        line.indent++;
    return line;
}

static bool begins(const struct line *line, const char *word)
{
    size_t length = strlen(word);
    return line->length - line->indent >= length && memcmp(line->data + line->indent, word, length) == 0;
}

static bool is_empty(const struct line *line)
{
    return line->indent == line->length || line->data[line->indent] == '#';
}

/* A line that may stand around the items: a member of a List, or something below its metadata. */
static bool is_around(const struct line *line)
{
    return is_empty(line) || (line->indent ? !begins(line, "- ") : begins(line, "apiVersion: ") || begins(line, "kind: ") ||
                              begins(line, "metadata:"));
}

/* A line with which an item begins. A program writes the API version first. A line like it in a block of text is indented further. */
static bool is_item(const struct line *line, unsigned indent)
{
    return line->indent == indent && begins(line, "- apiVersion: ");
}

/* Goes to the first item. False: there is something else before it. */
static bool find_items(const struct cut_text *text, struct cut_list *list)
{
    size_t at = list->from;
    struct line line = line_at(text, at);
    if (line.length == 3 && memcmp(line.data, "---", 3) == 0)
        at = line.next;
    for (line = line_at(text, at); at < list->after && at - list->from < CUT_AROUND_BYTES; at = line.next, line = line_at(text, at)) {
        if (line.length == 6 && memcmp(line.data, "items:", 6) == 0)
            break;
        if (!is_around(&line))
            return false;
    }
    list->start = line.next;
    if (at >= list->after || list->start >= list->after || line.indent || !begins(&line, "items:"))
        return false;
    line = line_at(text, list->start);
    list->indent = (unsigned)line.indent;
    return is_item(&line, list->indent) && line.indent < 64;
}

/* Goes to the end of the items: the first line that is not in one. */
static bool find_end(struct cut_text *text, struct cut_list *list)
{
    size_t at = list->start;
    struct line line;
    for (; at < list->after; at = line.next) {
        line = line_at(text, at);
        cut_passed(text, at);
        if (!is_empty(&line) && (line.indent < list->indent || (line.indent == list->indent && !begins(&line, "- "))))
            break;
    }
    list->end = at;
    if (list->after - at > CUT_AROUND_BYTES)
        return false;
    for (; at < list->after; at = line.next) {
        line = line_at(text, at);
        if (!is_around(&line))
            return false;
    }
    return true;
}

/* Whether a byte that stands for an anchor (&) or an alias (*) begins a value somewhere. */
static bool has_reference(struct cut_text *text, size_t from, size_t to, char sign)
{
    for (const char *at = text->data + from, *end = text->data + to; (at = memchr(at, sign, (size_t)(end - at))); at++) {
        if (at > text->data && strchr(" [{,", at[-1]) && at + 1 < end && !strchr(" \t\r\n*&\"'/.", at[1]))
            return true;
        if (at + 1 == end)
            break;
    }
    return false;
}

bool cut_yaml_list(struct cut_text *text, size_t from, size_t after, struct cut_list *list)
{
    *list = (struct cut_list){ .from = from, .after = after };
    return find_items(text, list) && find_end(text, list) &&
           !(has_reference(text, list->start, list->end, '*') && has_reference(text, list->start, list->end, '&'));
}

size_t cut_yaml_items(struct cut_text *text, const struct cut_list *list, size_t from, size_t bytes)
{
    size_t at = from;
    struct line line;
    for (; at < list->end; at = line.next) {
        line = line_at(text, at);
        if (at - from >= bytes && is_item(&line, list->indent))
            return at;
    }
    return list->end;
}
