#include "doc/place.h"

/* The bytes up to the end of a text in quotes; 0 if it does not end. */
static uint32_t quoted_size(struct bytes source, uint32_t offset)
{
    const char quote = source.data[offset];
    for (uint32_t at = offset + 1; at < source.length; at++) {
        bool doubled = quote == '\'' && source.data[at] == quote && at + 1 < source.length && source.data[at + 1] == quote;
        if (doubled || (quote == '"' && source.data[at] == '\\'))
            at++;
        else if (source.data[at] == quote)
            return at + 1 - offset;
    }
    return 0;
}

struct doc_place doc_place_of_name(const struct document *document, struct bytes name, uint32_t offset)
{
    struct bytes source = document->source;
    struct doc_place place = { offset, 0 };
    if (offset >= source.length)
        return place;
    if (source.data[offset] == '"' || source.data[offset] == '\'')
        place.size = quoted_size(source, offset);
    else if (name.length <= source.length - offset && bytes_equal((struct bytes){ source.data + offset, name.length }, name))
        place.size = name.length;
    return place;
}

static struct doc_place place_of_member(const struct document *document, const struct doc_node *member)
{
    return doc_place_of_name(document, doc_name(member), member->name_offset);
}

/* The member that is written first. Merged objects have theirs in another order, and some from elsewhere. */
static const struct doc_node *first_written(const struct doc_node *object)
{
    const struct doc_node *first = NULL;
    doc_each(object->type == DOC_OBJECT ? object : NULL, member) {
        bool written = member->name && !(member->flags & (DOC_IMPLIED | DOC_FLATTENED)) && member->name_offset >= object->offset;
        if (written && (!first || member->name_offset < first->name_offset))
            first = member;
    }
    return first;
}

struct doc_place doc_place(const struct document *document, const struct doc_node *node)
{
    bool container = node->type == DOC_ARRAY || node->type == DOC_OBJECT;
    if (node->name && (container || node->type == DOC_NULL || !node->size))
        return place_of_member(document, node);
    const struct doc_node *first = container ? first_written(node) : NULL;
    if (first)
        return place_of_member(document, first);
    return (struct doc_place){ node->offset, container && node->count ? 0 : node->size };
}

struct doc_place doc_place_of_root(const struct document *document, const struct doc_node *root)
{
    const struct doc_node *kind = doc_member(root, "kind"), *first = first_written(root);
    if (!kind && !first)
        return (struct doc_place){ root->offset, 0 };
    return place_of_member(document, kind ? kind : first);
}
