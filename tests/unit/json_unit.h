/* Reading JSON in a test: one call with what it gives, and what must hold for everything that the reader gives. */
#ifndef DRAWBRIDGE_TESTS_JSON_UNIT_H
#define DRAWBRIDGE_TESTS_JSON_UNIT_H

#include "unit.h"

#include "doc/json.h"

struct reading {
    enum failure failure;
    struct document document;
    uint32_t end;
    struct doc_error error;
};

enum { NO_OFFSET = 0x7FFFFFFF };

static inline struct json_input json_input_of(struct arena *arena, enum json_profile profile, struct bytes source)
{
    return (struct json_input){ .source = source, .alone = true, .profile = profile, .arena = arena, .key = { { 1, 2 } } };
}

/* What every node promises: its place in its container, its text in the source or else marked as escaped. Values that are written alike may
 * share text and children (doc/json_model.h): then those of the first of them are promised. */
static inline void check_node(const struct document *document, const struct doc_node *node, uint32_t low, uint32_t high)
{
    uint32_t children = 0, from = node->offset + 1;
    struct bytes source = doc_source(document, node);
    bool container = node->type == DOC_ARRAY || node->type == DOC_OBJECT;
    uint32_t quotes = node->type == DOC_STRING ? 2 : 0;
    const char *inside = source.data + quotes / 2;
    EXPECT(node->offset >= low && node->size > 0 && (uint64_t)node->offset + node->size <= high, "node at %u, %u bytes", node->offset, node->size);
    EXPECT((source.data[0] == '"') == (node->type == DOC_STRING) || node->type == DOC_SKIPPED, "node at %u", node->offset);
    if (node->type == DOC_NUMBER || (node->type == DOC_STRING && !(node->flags & DOC_ESCAPED)))
        EXPECT(node->text <= inside && node->count == node->size - quotes && memcmp(node->text, inside, node->count) == 0, "node at %u", node->offset);
    if (!container)
        return;
    bool shared = node->first && node->first->offset < node->offset;
    if (shared)
        from = 0;
    high = shared ? node->offset : node->offset + node->size - 1;
    doc_each(node, child) {
        bool member = node->type == DOC_OBJECT;
        EXPECT((child->name != NULL) == member, "node at %u", child->offset);
        if (member)
            EXPECT(child->name_offset >= from && child->name_offset < child->offset && document->source.data[child->name_offset] == '"', "node at %u",
                   child->offset);
        check_node(document, child, from, high);
        from = child->offset + child->size;
        children++;
    }
    EXPECT(children == node->count, "node at %u: %u children", node->offset, children);
}

/* Reads and checks what must always hold. On success NO_OFFSET stands in error.offset, else in end. */
static inline struct reading read_json(const struct json_input *input)
{
    struct reading got = { .end = NO_OFFSET, .error = { .offset = NO_OFFSET } };
    uint32_t length = input->source.length;
    got.failure = json_read(input, &got.document, &got.end, &got.error);
    if (got.failure) {
        EXPECT(got.end == NO_OFFSET && got.error.message && got.error.offset <= length, "%s", shown(input->source));
        EXPECT(!got.error.truncated || (got.failure == FAILURE_SYNTAX && got.error.offset == length), "%s", shown(input->source));
        return got;
    }
    EXPECT(got.error.offset == NO_OFFSET && got.end <= length && got.document.root, "%s", shown(input->source));
    if (got.document.root)
        check_node(&got.document, got.document.root, input->start, got.end);
    return got;
}

/* Reads a copy that ends where its memory ends. The tree is gone with it. */
static inline struct reading read_copy(struct json_input input)
{
    input.source = exact_copy(input.source);
    struct reading got = read_json(&input);
    free_copy(input.source);
    return got;
}

#endif
