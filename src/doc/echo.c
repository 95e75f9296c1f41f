#include "doc/echo.h"

/* Bytes that may still follow; 0 when the limit is reached. */
static size_t left(const struct text *text, size_t end)
{
    return text->length < end ? end - text->length : 0;
}

static void echo_value(struct text *text, const struct doc_node *node, size_t end);

/* Stops at the limit, so a large container costs no more than a small one. */
static void echo_container(struct text *text, const struct doc_node *node, size_t end)
{
    bool object = node->type == DOC_OBJECT;
    text_add(text, object ? "{" : "[");
    doc_each(node, child) {
        if (child != node->first)
            text_add(text, ",");
        if (!left(text, end)) {
            text_add(text, "...");
            break;
        }
        if (object) {
            text_add_quoted(text, doc_name(child), left(text, end));
            text_add(text, ":");
        }
        echo_value(text, child, end);
    }
    text_add(text, object ? "}" : "]");
}

/* As deep as documents nest: LIMIT_DEPTH. */
static void echo_value(struct text *text, const struct doc_node *node, size_t end)
{
    switch ((enum doc_type)node->type) {
    case DOC_NULL:    text_add(text, "null"); return;
    case DOC_FALSE:   text_add(text, "false"); return;
    case DOC_TRUE:    text_add(text, "true"); return;
    case DOC_NUMBER:  text_add_echo(text, doc_text(node), left(text, end)); return;
    case DOC_STRING:  text_add_quoted(text, doc_text(node), left(text, end)); return;
    case DOC_SKIPPED: text_add(text, "..."); return;
    case DOC_ARRAY:
    case DOC_OBJECT:  echo_container(text, node, end); return;
    }
}

void doc_echo(struct text *text, const struct doc_node *node, size_t limit)
{
    echo_value(text, node, text->length + limit);
}
