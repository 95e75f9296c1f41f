#include "doc/yaml_place.h"

static bool is_blank(char character)
{
    return character == ' ' || character == '\t' || character == '\n' || character == '\r';
}

/* Bytes of the white space or line end at `at`; for YAML, U+0085, U+2028 and U+2029 end a line too. */
static unsigned blank_size(const char *at, const char *end)
{
    if (at < end && is_blank(*at))
        return 1;
    if (end - at >= 2 && memcmp(at, "\xC2\x85", 2) == 0)
        return 2;
    return end - at >= 3 && (memcmp(at, "\xE2\x80\xA8", 3) == 0 || memcmp(at, "\xE2\x80\xA9", 3) == 0) ? 3 : 0;
}

/* Behind white space and comments. */
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

/* Behind an anchor or a tag. *odd: a tag with a sign in it where libyaml would end it. */
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

/* Behind the anchors and tags at `at`, and the space before the value if there is one before `end`. */
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

bool yaml_place_find(struct chunk *chunk, const yaml_event_t *event, unsigned properties, uint32_t written, struct yaml_place *place)
{
    const char *source = chunk->source.data;
    bool scalar = event->type == YAML_SCALAR_EVENT, odd = false;
    place->offset = chunk_offset(chunk, event->start_mark.index);
    place->end = chunk_offset(chunk, event->end_mark.index);
    bool nothing = place->end == place->offset;
    if (scalar && nothing && place->offset > written && !memchr(":-", source[place->offset - 1], 2))
        place->offset = place->end = written;
    if (chunk->encoding == CHUNK_UTF8 && properties && !(scalar && nothing)) {
        const char *end = source + (scalar ? place->end : chunk->end);
        const char *value = skip_properties(source + place->offset, end, source + chunk->end, properties, &odd);
        place->offset = odd ? place->offset : (uint32_t)(value - source);
    }
    yaml_scalar_style_t style = scalar ? event->data.scalar.style : YAML_ANY_SCALAR_STYLE;
    if (style == YAML_LITERAL_SCALAR_STYLE || style == YAML_FOLDED_SCALAR_STYLE) /* the blank lines below it are not seen as its own */
        while (place->end > place->offset + 1 && is_blank(source[place->end - 1]))
            place->end--;
    if (place->end < place->offset)
        place->end = place->offset;
    return !odd;
}
