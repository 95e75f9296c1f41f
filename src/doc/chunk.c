#include "doc/chunk.h"

static const unsigned char *bytes_at(const struct chunk *chunk, uint32_t offset)
{
    return (const unsigned char *)chunk->source.data + offset;
}

static bool begins_with(const struct chunk *chunk, const char *bytes, uint32_t length)
{
    return chunk->end - chunk->start >= length && memcmp(bytes_at(chunk, chunk->start), bytes, length) == 0;
}

void chunk_init(struct chunk *chunk, struct bytes source, uint32_t start, uint32_t end)
{
    *chunk = (struct chunk){ .source = source, .start = start, .end = end, .fed = start, .offset = start };
    if (begins_with(chunk, "\xEF\xBB\xBF", 3)) {
        chunk->offset += 3;
    } else if (begins_with(chunk, "\xFF\xFE", 2)) {
        chunk->encoding = CHUNK_UTF16_LOW_FIRST;
        chunk->offset += 2;
    } else if (begins_with(chunk, "\xFE\xFF", 2)) {
        chunk->encoding = CHUNK_UTF16_HIGH_FIRST;
        chunk->offset += 2;
    }
}

static bool is_crlf(const struct chunk *chunk, uint32_t offset)
{
    const unsigned char *at = bytes_at(chunk, offset);
    return chunk->end - offset >= 2 && at[0] == '\r' && at[1] == '\n';
}

int chunk_feed(void *data, unsigned char *buffer, size_t size, size_t *written)
{
    struct chunk *chunk = data;
    size_t count = 0;
    while (count < size && chunk->fed < chunk->end) {
        const unsigned char *from = bytes_at(chunk, chunk->fed);
        size_t max = chunk->end - chunk->fed < size - count ? chunk->end - chunk->fed : size - count;
        const unsigned char *cr = memchr(from, '\r', max);
        size_t plain = cr ? (size_t)(cr - from) : max;
        memcpy(buffer + count, from, plain);
        count += plain;
        chunk->fed += (uint32_t)plain;
        if (!cr)
            continue;
        if (!is_crlf(chunk, chunk->fed))
            buffer[count++] = '\r';
        chunk->fed++;
    }
    if (chunk->fed == chunk->end && !chunk->finished && count < size) {
        if (chunk->end == chunk->start || *bytes_at(chunk, chunk->end - 1) != '\n')
            buffer[count++] = '\n';
        chunk->finished = true;
    }
    *written = count;
    return 1;
}

/* Bytes of the character at `offset`; CR LF counts as one. The parser has read it, so it is well-formed. */
static uint32_t character_size(const struct chunk *chunk, uint32_t offset)
{
    const unsigned char *at = bytes_at(chunk, offset);
    uint32_t left = chunk->end - offset, size = 1;
    if (chunk->encoding == CHUNK_UTF8) {
        size = *at < 0x80 ? 1 : *at < 0xE0 ? 2 : *at < 0xF0 ? 3 : 4;
        if (is_crlf(chunk, offset))
            size = 2;
    } else if (left >= 2) {
        unsigned char high = chunk->encoding == CHUNK_UTF16_HIGH_FIRST ? at[0] : at[1];
        size = (high & 0xFC) == 0xD8 ? 4 : 2;
    }
    return size < left ? size : left;
}

/* The offset of the character before `offset`. */
static uint32_t step_back(const struct chunk *chunk, uint32_t offset)
{
    if (chunk->encoding != CHUNK_UTF8) {
        offset = offset - chunk->start < 2 ? chunk->start : offset - 2;
        unsigned char high = *bytes_at(chunk, chunk->encoding == CHUNK_UTF16_HIGH_FIRST ? offset : offset + 1);
        return (high & 0xFC) == 0xDC && offset - chunk->start >= 2 ? offset - 2 : offset;
    }
    offset--;
    while (offset > chunk->start && (*bytes_at(chunk, offset) & 0xC0) == 0x80)
        offset--;
    return offset > chunk->start && is_crlf(chunk, offset - 1) ? offset - 1 : offset;
}

uint32_t chunk_offset(struct chunk *chunk, size_t index)
{
    while (chunk->index < index && chunk->offset < chunk->end) {
        chunk->offset += character_size(chunk, chunk->offset);
        chunk->index++;
    }
    while (chunk->index > index && chunk->offset > chunk->start) {
        chunk->offset = step_back(chunk, chunk->offset);
        chunk->index--;
    }
    return chunk->offset;
}

uint32_t chunk_byte_offset(const struct chunk *chunk, size_t byte)
{
    uint32_t offset = chunk->start;
    for (; byte && offset < chunk->end; byte--)
        offset += is_crlf(chunk, offset) ? 2 : 1;
    return offset;
}

uint32_t chunk_unit(const struct chunk *chunk)
{
    return chunk->encoding == CHUNK_UTF8 ? 1 : 2;
}

char chunk_ascii(const struct chunk *chunk, uint32_t offset)
{
    if (chunk->end - offset < chunk_unit(chunk))
        return '\0';
    const unsigned char *at = bytes_at(chunk, offset);
    unsigned char low = at[chunk->encoding == CHUNK_UTF16_HIGH_FIRST];
    unsigned char high = chunk->encoding == CHUNK_UTF8 ? 0 : at[chunk->encoding == CHUNK_UTF16_LOW_FIRST];
    return (char)(high == 0 && low < 0x80 ? low : 0);
}

uint32_t chunk_content(const struct chunk *chunk)
{
    bool comment = false;
    for (uint32_t offset = chunk->offset; chunk->end - offset >= chunk_unit(chunk); offset += chunk_unit(chunk)) {
        char character = chunk_ascii(chunk, offset);
        comment = character == '#' || (comment && character != '\n' && character != '\r');
        if (!comment && (character == '\0' || !memchr(" \t\r\n", character, 4)))
            return offset;
    }
    return chunk->end;
}

uint32_t chunk_stray_bom(const struct chunk *chunk)
{
    if (chunk->encoding == CHUNK_UTF8) {
        uint32_t from = begins_with(chunk, "\xEF\xBB\xBF", 3) ? chunk->start + 3 : chunk->start;
        const char *found = memmem(chunk->source.data + from, chunk->end - from, "\xEF\xBB\xBF", 3);
        return found ? (uint32_t)(found - chunk->source.data) : chunk->end;
    }
    for (uint32_t offset = chunk->start + 2; chunk->end - offset >= 2; offset += 2)
        if (memcmp(bytes_at(chunk, offset), bytes_at(chunk, chunk->start), 2) == 0)
            return offset;
    return chunk->end;
}
