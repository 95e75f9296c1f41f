#include "doc/json_value.h"

#include <math.h>
#include <stdlib.h>

#include "doc/limits.h"

/* Whether a number is too large for a double. Short tokens, and those below 300 digits without an exponent, never are. */
static bool overflows(struct bytes token)
{
    char copy[LIMIT_NUMBER_BYTES + 1];
    if (token.length < 4 || (token.length < 300 && !memchr(token.data, 'e', token.length) && !memchr(token.data, 'E', token.length)))
        return false;
    if (token.length > LIMIT_NUMBER_BYTES)
        return true;
    memcpy(copy, token.data, token.length);
    copy[token.length] = '\0';
    return isinf(strtod(copy, NULL));
}

static bool is_number_byte(char c)
{
    return (c >= '0' && c <= '9') || c == '-' || c == '+' || c == '.' || c == 'e' || c == 'E';
}

/* Whether a number in the text overflows. The text is valid JSON: the reader has checked it. */
static bool text_overflows(struct bytes json)
{
    for (uint32_t i = 0; i < json.length; i++) {
        if (json.data[i] == '"') {
            for (i++; i < json.length && json.data[i] != '"'; i++)
                i += json.data[i] == '\\';
        } else if (json.data[i] == '-' || (json.data[i] >= '0' && json.data[i] <= '9')) {
            uint32_t end = i;
            while (end < json.length && is_number_byte(json.data[end]))
                end++;
            if (overflows((struct bytes){ json.data + i, end - i }))
                return true;
            i = end - 1;
        }
    }
    return false;
}

/* The length of a string in JSON, with the escapes that Go's encoder writes. */
static uint64_t text_bytes(struct bytes text)
{
    uint64_t bytes = 2;
    for (uint32_t i = 0; i < text.length; i++) {
        unsigned char c = (unsigned char)text.data[i];
        bool short_escape = c == '"' || c == '\\' || c == '\n' || c == '\r' || c == '\t' || c == '\b' || c == '\f';
        bytes += short_escape ? 2 : c < 0x20 || c == '<' || c == '>' || c == '&' ? 6 : 1;
    }
    return bytes;
}

/* Recursion is at most LIMIT_DEPTH deep, as documents are. */
static void add_node(const struct doc_node *node, struct json_value *value)
{
    switch ((enum doc_type)node->type) {
    case DOC_NULL:
    case DOC_TRUE:    value->bytes += 4; return;
    case DOC_FALSE:   value->bytes += 5; return;
    case DOC_NUMBER:  value->bytes += node->count; value->overflows |= overflows(doc_text(node)); return;
    case DOC_STRING:  value->bytes += text_bytes(doc_text(node)); return;
    case DOC_SKIPPED: return;
    case DOC_ARRAY:
    case DOC_OBJECT:  break;
    }
    value->bytes += 1 + (node->count ? node->count : 1);
    doc_each(node, child) {
        if (node->type == DOC_OBJECT)
            value->bytes += text_bytes(doc_name(child)) + 1;
        add_node(child, value);
    }
}

void json_value_measure(const struct document *document, const struct doc_node *node, struct json_value *value)
{
    struct bytes source = doc_source(document, node);
    *value = (struct json_value){ .is_object = node->type == DOC_OBJECT };
    if (node->type == DOC_SKIPPED) {
        value->is_object = source.length && *source.data == '{';
        value->overflows = text_overflows(source);
    } else {
        add_node(node, value);
    }
    if (!document->is_yaml)
        value->bytes = source.length;
}
