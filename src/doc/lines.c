#include "doc/lines.h"

#include "base/utf8.h"

/* The offset of a character, and its column from 0. */
struct lines_mark {
    uint32_t offset, column;
};

enum { MARK_BYTES = 4096 };

void lines_init(struct lines *lines, const struct memory *memory, struct bytes source)
{
    *lines = (struct lines){ .memory = memory, .source = source };
}

void lines_done(struct lines *lines)
{
    if (lines->starts)
        lines->memory->release(lines->starts, lines->memory->data);
    if (lines->marks)
        lines->memory->release(lines->marks, lines->memory->data);
    lines->starts = NULL;
    lines->marks = NULL;
}

/* The offset after the next LF; the source's length if there is none. */
static uint32_t next_start(const struct lines *lines, uint32_t from)
{
    const char *end = from < lines->source.length ? memchr(lines->source.data + from, '\n', lines->source.length - from) : NULL;
    return end ? (uint32_t)(end - lines->source.data) + 1 : lines->source.length;
}

static uint32_t character_bytes(struct bytes source, uint32_t at)
{
    uint32_t code;
    unsigned length = utf8_decode((const unsigned char *)source.data + at, source.length - at, &code);
    return length ? length : 1;
}

/* The offset of a line's first character: a byte order mark at the start of the source does not count, as in editors. */
static uint32_t first_character(struct bytes source, uint32_t start)
{
    return start == 0 && source.length >= 3 && memcmp(source.data, "\xEF\xBB\xBF", 3) == 0 ? 3 : start;
}

/* Moves *at from one character to the first one at or after `to`. Returns the number of characters between them. */
static uint32_t count_characters(struct bytes source, uint32_t *at, uint32_t to)
{
    uint32_t characters = 0;
    for (; *at < to; characters++)
        *at += character_bytes(source, *at);
    return characters;
}

/* Sets the marks of one line: each is the first character at or after a multiple of MARK_BYTES. */
static void mark_line(struct lines *lines, uint32_t start, uint32_t end)
{
    uint32_t at = first_character(lines->source, start), column = 0;
    for (uint32_t k = start / MARK_BYTES + 1; start < end && k <= (end - 1) / MARK_BYTES; k++) {
        column += count_characters(lines->source, &at, k * MARK_BYTES);
        lines->marks[k] = (struct lines_mark){ at, column };
    }
}

static enum failure index_lines(struct lines *lines)
{
    uint32_t count = 1;
    for (uint32_t at = 0; at < lines->source.length; at++)
        count += lines->source.data[at] == '\n';
    lines->starts = lines->memory->allocate(count * sizeof *lines->starts, lines->memory->data);
    lines->marks = lines->memory->allocate((lines->source.length / MARK_BYTES + 1) * sizeof *lines->marks, lines->memory->data);
    if (!lines->starts || !lines->marks) {
        lines_done(lines);
        return FAILURE_MEMORY;
    }
    lines->count = count;
    lines->starts[0] = 0;
    for (uint32_t i = 1; i < count; i++)
        lines->starts[i] = next_start(lines, lines->starts[i - 1]);
    for (uint32_t i = 0; i < count; i++)
        mark_line(lines, lines->starts[i], i + 1 < count ? lines->starts[i + 1] : lines->source.length);
    return FAILURE_NONE;
}

/* The index of the line that contains the byte. */
static uint32_t line_of(const struct lines *lines, uint32_t offset)
{
    uint32_t low = 0, high = lines->count;
    while (high - low > 1) {
        uint32_t middle = low + (high - low) / 2;
        if (lines->starts[middle] <= offset)
            low = middle;
        else
            high = middle;
    }
    return low;
}

/* Characters between the start of the line and the offset. */
static uint32_t column_of(const struct lines *lines, uint32_t start, uint32_t offset)
{
    uint32_t at = first_character(lines->source, start), column = 0;
    for (uint32_t k = offset / MARK_BYTES; k > start / MARK_BYTES; k--) { /* at most twice: the first mark may be after the offset */
        if (lines->marks[k].offset > offset)
            continue;
        at = lines->marks[k].offset;
        column = lines->marks[k].column;
        break;
    }
    return column + count_characters(lines->source, &at, offset);
}

enum failure lines_find(struct lines *lines, uint32_t offset, struct position *position)
{
    if (!lines->starts && index_lines(lines))
        return FAILURE_MEMORY;
    if (offset > lines->source.length)
        offset = lines->source.length;
    uint32_t line = line_of(lines, offset), start = lines->starts[line];
    uint32_t end = line + 1 < lines->count ? lines->starts[line + 1] : lines->source.length;
    if (end > start && lines->source.data[end - 1] == '\n')
        end--;
    if (end > start && lines->source.data[end - 1] == '\r')
        end--;
    *position = (struct position){
        .offset = lines->before.bytes + offset,
        .line = lines->before.lines + line + 1,
        .column = 1 + column_of(lines, start, offset) + (line ? 0 : lines->before.characters),
        .text = { lines->source.data + start, end - start },
        .at = offset - start,
    };
    return FAILURE_NONE;
}

void lines_pass(struct lines_before *before, struct bytes text)
{
    const char *last = text.length ? memrchr(text.data, '\n', text.length) : NULL;
    uint32_t at = 0;
    before->bytes += text.length;
    if (last) {
        for (uint32_t i = 0; i < text.length; i++)
            before->lines += text.data[i] == '\n';
        before->characters = 0;
        text = (struct bytes){ last + 1, text.length - (uint32_t)(last + 1 - text.data) };
    }
    before->characters += count_characters(text, &at, text.length);
}
