/* Trees as JSON: numbers and names as they were written, so that nothing is lost that a double could not hold. */
#include "allocate/result.h"

void allocate_json_add_text(struct text *json, struct bytes text)
{
    static const char digits[] = "0123456789abcdef";
    uint32_t from = 0;
    text_add(json, "\"");
    for (uint32_t i = 0; i < text.length; i++) {
        unsigned char c = (unsigned char)text.data[i];
        const char escape[] = { '\\', 'u', '0', '0', digits[c >> 4], digits[c & 15], '\0' };
        if (c >= ' ' && c != '"' && c != '\\')
            continue;
        text_add_bytes(json, (struct bytes){ text.data + from, i - from });
        text_add(json, escape);
        from = i + 1;
    }
    if (from < text.length)
        text_add_bytes(json, (struct bytes){ text.data + from, text.length - from });
    text_add(json, "\"");
}

void allocate_json_add(struct text *json, const struct doc_node *node)
{
    static const char *const words[] = { [DOC_NULL] = "null", [DOC_FALSE] = "false", [DOC_TRUE] = "true" };
    bool object = node->type == DOC_OBJECT;
    if (node->type <= DOC_TRUE) {
        text_add(json, words[node->type]);
    } else if (node->type == DOC_NUMBER) {
        text_add_bytes(json, doc_text(node));
    } else if (node->type == DOC_STRING) {
        allocate_json_add_text(json, doc_text(node));
    } else if (object || node->type == DOC_ARRAY) {
        text_add(json, object ? "{" : "[");
        doc_each(node, child) { /* the readers bound how deep it goes */
            if (child != node->first)
                text_add(json, ",");
            if (object) {
                allocate_json_add_text(json, doc_name(child));
                text_add(json, ":");
            }
            allocate_json_add(json, child);
        }
        text_add(json, object ? "}" : "]");
    } else {
        text_add(json, "null");
    }
}
