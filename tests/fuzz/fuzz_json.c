/* libFuzzer target: the JSON reader in both profiles, with and without a schema. Whatever the bytes are: no crash, an offset inside
 * the text, and what the strict profile accepts, the review profile reads alike. */
#include <stdlib.h>

#include "base/limits.h"
#include "doc/limits.h"
#include "object/object.h"
#include "validate/validate.h"
#include "doc/json.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool condition)
{
    if (!condition)
        abort();
}

/* Adds up everything that the tree points to. */
static uint64_t sum(const struct doc_node *node, unsigned depth)
{
    uint64_t total = node->offset + node->size + node->name_length;
    require(depth <= LIMIT_DEPTH);
    if (node->type == DOC_ARRAY || node->type == DOC_OBJECT)
        doc_each(node, child)
            total += sum(child, depth + 1);
    else if (node->type == DOC_STRING || node->type == DOC_NUMBER)
        for (uint32_t i = 0; i < node->count; i++)
            total += (uint8_t)node->text[i];
    for (uint32_t i = 0; i < node->name_length; i++)
        total += (uint8_t)node->name[i];
    return total;
}

static enum failure read(struct arena *arena, const uint8_t *data, size_t size, enum json_profile profile, const struct kind *kind, uint64_t *total)
{
    struct object_schema schema;
    struct document document;
    struct doc_error error;
    uint32_t end;
    object_schema_init(&schema, MINOR_DEFAULT);
    struct json_input input = { .source = { (const char *)data, (uint32_t)size }, .alone = true, .profile = profile, .schema = kind ? &schema.schema : NULL,
                                .state = kind ? kind->shape : NULL, .arena = arena, .key = { { 1, 2 } } };
    enum failure failure = json_read(&input, &document, &end, &error);
    if (failure)
        require(error.offset <= size && error.message);
    else
        *total = sum(document.root, 0) + end;
    return failure;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct arena arena;
    uint64_t strict = 0, lax = 0, with_schema = 0;
    if (size > LIMIT_BODY_BYTES)
        return 0;
    arena_init(&arena, &memory_malloc, LIMIT_ARENA_BYTES);
    enum failure first = read(&arena, data, size, JSON_STRICT, NULL, &strict);
    enum failure second = read(&arena, data, size, JSON_REVIEW, NULL, &lax);
    (void)read(&arena, data, size, JSON_REVIEW, size ? &kinds[data[0] % kind_count] : &kinds[0], &with_schema);
    if (first == FAILURE_NONE)
        require(second == FAILURE_NONE && strict == lax);
    arena_done(&arena);
    return 0;
}
