#include "doc/own.h"

struct owning {
    struct own_texts *texts;
    struct bytes source;
    struct arena *arena;
    struct map_key key;
};

/* Returns a copy of the text, or the text itself if it is not in the source. NULL: the arena failed. */
static const char *copy(struct owning *owning, const char *data, uint32_t length)
{
    const size_t count = sizeof owning->texts->last / sizeof *owning->texts->last;
    const struct bytes text = { data, length }, source = owning->source;
    if (!length || data < source.data || data >= source.data + source.length)
        return data;
    struct bytes *last = &owning->texts->last[map_hash(text, owning->key) % count];
    if (!bytes_equal(*last, text)) {
        char *copied = arena_text(owning->arena, length);
        if (!copied)
            return NULL;
        *last = (struct bytes){ memcpy(copied, data, length), length };
    }
    return last->data;
}

/* Recursion is at most LIMIT_DEPTH deep, as the tree is. */
static bool own(struct owning *owning, struct doc_node *node)
{
    if (node->name)
        node->name = copy(owning, node->name, node->name_length);
    if (node->type == DOC_STRING || node->type == DOC_NUMBER)
        node->text = copy(owning, node->text, node->count);
    doc_each(node, child)
        if (!own(owning, (struct doc_node *)(uintptr_t)child))
            return false;
    return !owning->arena->failure;
}

enum failure own_tree(struct own_texts *texts, const struct document *document, struct arena *arena, struct map_key key)
{
    struct owning owning = { texts, document->source, arena, key };
    return own(&owning, (struct doc_node *)(uintptr_t)document->root) ? FAILURE_NONE : arena->failure;
}
