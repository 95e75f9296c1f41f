/* libFuzzer target: a file of documents. Whatever the bytes are: no crash, no endless loop, every place inside the text, every node reached
 * once, names unique, and numbers that JSON would take. */
#include <stdlib.h>

#include "base/limits.h"
#include "doc/json.h"
#include "doc/limits.h"
#include "doc/manifest.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool condition)
{
    if (!condition)
        abort();
}

static void check_number(struct arena *arena, const struct doc_node *node)
{
    struct document document;
    struct doc_error error;
    uint32_t end;
    const struct json_input input = { .source = doc_text(node), .alone = true, .profile = JSON_STRICT, .arena = arena, .key = { { 1, 2 } } };
    require(json_read(&input, &document, &end, &error) == FAILURE_NONE && document.root->type == DOC_NUMBER);
}

/* Values of the node and below; those of a List's objects are bounded one by one. */
static uint32_t check(struct arena *arena, const struct doc_node *node, size_t size, unsigned depth)
{
    uint32_t count = 0, nodes = 1;
    bool object = node->type == DOC_OBJECT, container = object || node->type == DOC_ARRAY;
    bool items = depth == 1 && !object && node->name && bytes_equal_text(doc_name(node), "items");
    require((uint64_t)node->offset + node->size <= size && depth + container <= LIMIT_DEPTH && node->field == DOC_NO_FIELD);
    if (node->type == DOC_NUMBER)
        check_number(arena, node);
    if (node->type == DOC_STRING && node->count)
        require(!memchr(node->text, '\0', node->count));
    if (!container)
        return nodes;
    doc_each(node, child) {
        require((child->name != NULL) == object && child->name_offset <= size);
        uint32_t below = check(arena, child, size, depth + 1);
        require(below <= LIMIT_NODES);
        nodes += items ? 0 : below;
        if (count++ < 16 && object)
            require(doc_member(node, "") == NULL || child->name_length || doc_member(node, "") == child);
    }
    require(count == node->count);
    return nodes;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct manifest manifest;
    struct document document;
    struct doc_error error;
    struct arena arena;
    bool more = true;
    arena_init(&arena, &memory_malloc, LIMIT_ARENA_BYTES);
    manifest_init(&manifest, (struct bytes){ (const char *)data, (uint32_t)size }, &arena, (struct map_key){ { 1, 2 } });
    for (size_t calls = 0; more; calls++) {
        require(calls <= size + 1);
        enum failure failure = manifest_next(&manifest, &document, &more, &error);
        if (failure)
            require(error.message && error.offset <= size);
        else if (more)
            require(check(&arena, document.root, size, 0) <= LIMIT_NODES);
        more = more || failure;
        arena_clear(&arena);
    }
    arena_done(&arena);
    return 0;
}
