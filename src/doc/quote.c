#include "doc/quote.h"

/* The number of bytes that may still follow; 0 when the limit is reached. */
static size_t left(const struct text *text, size_t end)
{
    return text->length < end ? end - text->length : 0;
}

static void quote_value(struct text *text, const struct doc_node *node, size_t end);

/* An inlined object exists only in the tree, for the checks; its members are quoted as they are written, in the object around it. Returns
 * false when the limit is reached. */
static bool quote_children(struct text *text, const struct doc_node *node, size_t end, bool *first)
{
    bool object = node->type == DOC_OBJECT;
    doc_each(node, child) {
        if (child->flags & DOC_INLINED) {
            if (!quote_children(text, child, end, first)) /* one level of recursion: inlined objects do not nest */
                return false;
            continue;
        }
        text_add(text, *first ? "" : ",");
        *first = false;
        if (!left(text, end)) {
            text_add(text, "...");
            return false;
        }
        if (object) {
            text_add_quoted(text, doc_name(child), left(text, end));
            text_add(text, ":");
        }
        quote_value(text, child, end);
    }
    return true;
}

/* Takes time in proportion to the limit, however large the container is. */
static void quote_container(struct text *text, const struct doc_node *node, size_t end)
{
    bool object = node->type == DOC_OBJECT, first = true;
    text_add(text, object ? "{" : "[");
    (void)quote_children(text, node, end, &first);
    text_add(text, object ? "}" : "]");
}

/* Recursion is at most LIMIT_DEPTH deep, as documents are. */
static void quote_value(struct text *text, const struct doc_node *node, size_t end)
{
    switch ((enum doc_type)node->type) {
    case DOC_NULL:    text_add(text, "null"); return;
    case DOC_FALSE:   text_add(text, "false"); return;
    case DOC_TRUE:    text_add(text, "true"); return;
    case DOC_NUMBER:  text_add_escaped(text, doc_text(node), left(text, end)); return;
    case DOC_STRING:  text_add_quoted(text, doc_text(node), left(text, end)); return;
    case DOC_SKIPPED: text_add(text, "..."); return;
    case DOC_ARRAY:
    case DOC_OBJECT:  quote_container(text, node, end); return;
    }
}

void doc_quote(struct text *text, const struct doc_node *node, size_t limit)
{
    quote_value(text, node, text->length + limit);
}
