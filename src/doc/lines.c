#include "doc/lines.h"

#include "base/utf8.h"

void lines_init(struct lines *lines, const struct memory *memory, struct bytes source)
{
    *lines = (struct lines){ .memory = memory, .source = source };
}

void lines_done(struct lines *lines)
{
    if (lines->starts)
        lines->memory->release(lines->starts, lines->memory->data);
    lines->starts = NULL;
}

/* The byte behind the next LF, or the source's length. */
static uint32_t next_start(const struct lines *lines, uint32_t from)
{
    const char *end = from < lines->source.length ? memchr(lines->source.data + from, '\n', lines->source.length - from) : NULL;
    return end ? (uint32_t)(end - lines->source.data) + 1 : lines->source.length;
}

static enum failure index_lines(struct lines *lines)
{
    uint32_t count = 1;
    for (uint32_t at = 0; at < lines->source.length; at++)
        count += lines->source.data[at] == '\n';
    lines->starts = lines->memory->allocate(count * sizeof *lines->starts, lines->memory->data);
    if (!lines->starts)
        return FAILURE_MEMORY;
    lines->count = count;
    lines->starts[0] = 0;
    for (uint32_t i = 1; i < count; i++)
        lines->starts[i] = next_start(lines, lines->starts[i - 1]);
    return FAILURE_NONE;
}

/* Index of the line that holds the byte. */
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

/* A byte order mark at the start counts nothing, as in editors. */
static uint32_t count_characters(struct bytes source, uint32_t from, uint32_t to)
{
    uint32_t characters = 0;
    if (from == 0 && to >= 3 && memcmp(source.data, "\xEF\xBB\xBF", 3) == 0)
        from = 3;
    for (uint32_t code; from < to; characters++) {
        unsigned length = utf8_decode((const unsigned char *)source.data + from, source.length - from, &code);
        from += length ? length : 1;
    }
    return characters;
}

enum failure lines_find(struct lines *lines, uint32_t offset, struct position *position)
{
    if (!lines->starts && index_lines(lines))
        return FAILURE_MEMORY;
    if (offset > lines->source.length)
        offset = lines->source.length;
    uint32_t line = line_of(lines, offset), start = lines->starts[line];
    uint32_t end = line + 1 < lines->count ? lines->starts[line + 1] : lines->source.length;
    bool on = lines->last_column && line == lines->last_line && offset >= lines->last_offset;
    lines->last_column = on ? lines->last_column + count_characters(lines->source, lines->last_offset, offset)
                            : 1 + count_characters(lines->source, start, offset);
    lines->last_line = line;
    lines->last_offset = offset;
    if (end > start && lines->source.data[end - 1] == '\n')
        end--;
    if (end > start && lines->source.data[end - 1] == '\r')
        end--;
    *position = (struct position){ line + 1, lines->last_column, { lines->source.data + start, end - start }, offset - start };
    return FAILURE_NONE;
}
