#include "doc/yaml_reader.h"

#include "base/utf8.h"

/* Replaces text that lives until the next event: by the same bytes of the source, if they are there, or by a copy. */
static bool keep_text(struct yaml_reader *r, struct yaml_span span, struct bytes *text)
{
    const char *source = r->input->source.data + span.offset;
    uint32_t size = span.end - span.offset, quote = size && (*source == '"' || *source == '\'');
    r->total.text += text->length;
    if (text->length + 2 * quote == size && memcmp(source + quote, text->data, text->length) == 0) {
        text->data = source + quote;
        return true;
    }
    char *copy = arena_text(r->input->arena, text->length);
    if (!copy)
        return yaml_fail_memory(r, span.offset);
    memcpy(copy, text->data, text->length);
    text->data = copy;
    return true;
}

static bool decode_binary(struct yaml_reader *r, struct yaml_span span, struct bytes *text)
{
    char *out = arena_text(r->input->arena, text->length);
    size_t length;
    if (!out)
        return yaml_fail_memory(r, span.offset);
    if (!scalar_decode_binary(*text, out, &length))
        return yaml_fail_syntax(r, span.offset, "the value of !!binary is not base64 with padding");
    *text = (struct bytes){ out, (uint32_t)length };
    return utf8_is_valid(*text) || yaml_fail_stricter(r, span.offset, "invalid UTF-8 in !!binary: Kubernetes would replace the bytes");
}

/* "\/" is the one escape that libyaml knows and Kubernetes does not. */
static bool has_slash_escape(const struct yaml_reader *r, struct yaml_span span)
{
    uint32_t unit = chunk_unit(&r->chunk);
    for (uint32_t at = span.offset; at < span.end; at += unit) {
        if (chunk_ascii(&r->chunk, at) != '\\')
            continue;
        at += unit;
        if (at < span.end && chunk_ascii(&r->chunk, at) == '/')
            return true;
    }
    return false;
}

/* Refuses what libyaml reads and the Go library does not. */
static bool check_scalar(struct yaml_reader *r, const yaml_event_t *event, struct yaml_span span)
{
    struct bytes text = { (const char *)event->data.scalar.value, (uint32_t)event->data.scalar.length };
    yaml_scalar_style_t style = event->data.scalar.style;
    if (style == YAML_DOUBLE_QUOTED_SCALAR_STYLE && has_slash_escape(r, span))
        return yaml_fail_syntax(r, span.offset, "\\/ in double quotes: YAML as Kubernetes reads it has no such escape; write / alone");
    if (style == YAML_PLAIN_SCALAR_STYLE && r->depth && yaml_top(r)->flow && text.length && memchr(text.data, '?', text.length))
        return yaml_fail_syntax(r, span.offset, "a question mark in a value within brackets: put the value in quotes");
    if (text.length && memchr(text.data, '\0', text.length))
        return yaml_fail_stricter(r, span.offset, "U+0000 in a string, which no Kubernetes object can contain");
    return true;
}

bool yaml_read_scalar(struct yaml_reader *r, const yaml_event_t *event, struct yaml_span span, struct scalar *scalar)
{
    const char *tag_text = (const char *)event->data.scalar.tag;
    struct bytes text = { (const char *)event->data.scalar.value, (uint32_t)event->data.scalar.length };
    enum scalar_tag tag = tag_text ? scalar_tag_of(tag_text) : event->data.scalar.plain_implicit ? SCALAR_PLAIN : SCALAR_TAG_OTHER;
    if (!check_scalar(r, event, span))
        return false;
    if (tag == SCALAR_TAG_BINARY && !decode_binary(r, span, &text))
        return false;
    if (!scalar_resolve(text, tag, scalar))
        return yaml_fail_syntax(r, span.offset, "the value is not of the type that its tag says");
    if (tag == SCALAR_TAG_BINARY && memchr(text.data, '\0', text.length))
        return yaml_fail_stricter(r, span.offset, "U+0000 in a string, which no Kubernetes object can contain");
    return scalar->type != SCALAR_STRING || tag == SCALAR_TAG_BINARY || keep_text(r, span, &scalar->text);
}

static bool set_number(struct yaml_reader *r, struct doc_node *node, struct yaml_span span, const struct scalar *scalar)
{
    char buffer[SCALAR_NUMBER_BYTES];
    if (scalar->type == SCALAR_FLOAT && scalar->number - scalar->number != 0)
        return yaml_fail_syntax(r, span.offset, "JSON has no infinity and no NaN: put the value in quotes to make it a string");
    struct bytes text = { buffer, (uint32_t)scalar_write_number(scalar, buffer) };
    node->type = DOC_NUMBER;
    if (!keep_text(r, span, &text))
        return false;
    node->text = text.data;
    node->count = text.length;
    return true;
}

bool yaml_add_scalar(struct yaml_reader *r, struct yaml_span span, const struct scalar *scalar)
{
    struct doc_node *node = yaml_add_node(r, span);
    if (!node)
        return false;
    switch (scalar->type) {
    case SCALAR_NULL: node->type = DOC_NULL; break;
    case SCALAR_BOOLEAN: node->type = scalar->truth ? DOC_TRUE : DOC_FALSE; break;
    case SCALAR_INTEGER:
    case SCALAR_FLOAT: return set_number(r, node, span, scalar);
    case SCALAR_STRING: {
        const char *source = r->input->source.data;
        bool in_source = scalar->text.data >= source && scalar->text.data <= source + r->input->source.length;
        node->type = DOC_STRING;
        node->text = scalar->text.data;
        node->count = scalar->text.length;
        node->flags = in_source ? 0 : DOC_ESCAPED;
        break;
    }
    }
    return true;
}

bool yaml_take_key(struct yaml_reader *r, struct yaml_span span, const struct scalar *scalar)
{
    struct yaml_level *level = yaml_top(r);
    char buffer[SCALAR_NUMBER_BYTES];
    struct bytes name;
    if (!scalar_name(scalar, buffer, &name))
        return yaml_fail_syntax(r, span.offset, scalar->type == SCALAR_NULL ? "a key is missing, or is null: put it in quotes"
                                                                            : "a number too large for a key: put it in quotes");
    if (name.data == buffer && !keep_text(r, span, &name))
        return false;
    level->name = name;
    level->name_offset = span.offset;
    level->has_key = true;
    return true;
}
