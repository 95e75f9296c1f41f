#include "doc/yaml_place.h"

static bool is_blank(char character)
{
    return character == ' ' || character == '\t' || character == '\n' || character == '\r';
}

/* Behind white space and comments. */
static const char *skip_space(const char *at, const char *end)
{
    while (at < end && (is_blank(*at) || *at == '#')) {
        if (*at != '#') {
            at++;
            continue;
        }
        const char *line = memchr(at, '\n', (size_t)(end - at));
        at = line ? line : end;
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
    for (at++; at < end && !is_blank(*at); at++) {
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
