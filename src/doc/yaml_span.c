#include "doc/yaml_span.h"

static bool is_blank(char character)
{
    return character == ' ' || character == '\t' || character == '\n' || character == '\r';
}

/* The size of the white space or line end at `at`, or 0. In YAML U+0085, U+2028 and U+2029 end a line, too. */
static unsigned blank_size(const char *at, const char *end)
{
    if (at < end && is_blank(*at))
        return 1;
    if (end - at >= 2 && memcmp(at, "\xC2\x85", 2) == 0)
        return 2;
    return end - at >= 3 && (memcmp(at, "\xE2\x80\xA8", 3) == 0 || memcmp(at, "\xE2\x80\xA9", 3) == 0) ? 3 : 0;
}

/* Skips white space and comments. */
static const char *skip_space(const char *at, const char *end)
{
    unsigned blank;
    while ((blank = blank_size(at, end)) || (at < end && *at == '#')) {
        bool comment = blank == 0;
        at += comment ? 1 : blank;
        while (comment && at < end && (*at == ' ' || *at == '\t' || !blank_size(at, end)))
            at++;
    }
    return at;
}

static bool is_property(const char *at, const char *end)
{
    return at < end && (*at == '&' || *at == '!');
}

/* Skips an anchor or a tag. Sets *odd for a tag with a character in it at which libyaml would end it. */
static const char *skip_property(const char *at, const char *end, bool *odd)
{
    bool tag = *at == '!', verbatim = tag && end - at > 1 && at[1] == '<';
    for (at++; at < end && !blank_size(at, end); at++) {
        if (!tag && memchr(",[]{}?:", *at, 7))
            break;
        if (tag && !verbatim && memchr(",[]", *at, 3))
            *odd = true;
        verbatim = verbatim && *at != '>';
    }
    return at;
}

/* Skips the anchors and tags at `at`, and the white space after them if a value begins before `end`. */
static const char *skip_properties(const char *at, const char *end, const char *chunk_end, unsigned properties, bool *odd)
{
    const char *next = at;
    for (; properties && is_property(next, end); properties--) {
        at = skip_property(next, chunk_end, odd);
        at = at < end ? at : end;
        next = skip_space(at, end);
    }
    return next < end ? next : at;
}

bool yaml_span_find(struct chunk *chunk, const yaml_event_t *event, unsigned properties, uint32_t written, struct yaml_span *span)
{
    const char *source = chunk->source.data;
    bool scalar = event->type == YAML_SCALAR_EVENT, odd = false;
    span->offset = chunk_offset(chunk, event->start_mark.index);
    span->end = chunk_offset(chunk, event->end_mark.index);
    bool empty = span->end == span->offset;
    if (scalar && empty && span->offset > written && !memchr(":-", source[span->offset - 1], 2))
        span->offset = span->end = written;
    if (chunk->encoding == CHUNK_UTF8 && properties && !(scalar && empty)) {
        const char *end = source + (scalar ? span->end : chunk->end);
        const char *value = skip_properties(source + span->offset, end, source + chunk->end, properties, &odd);
        span->offset = odd ? span->offset : (uint32_t)(value - source);
    }
    yaml_scalar_style_t style = scalar ? event->data.scalar.style : YAML_ANY_SCALAR_STYLE;
    if (style == YAML_LITERAL_SCALAR_STYLE || style == YAML_FOLDED_SCALAR_STYLE) /* without the blank lines below it */
        while (span->end > span->offset + 1 && is_blank(source[span->end - 1]))
            span->end--;
    if (span->end < span->offset)
        span->end = span->offset;
    return !odd;
}
