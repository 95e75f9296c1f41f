/* libFuzzer target: an expression. Whatever the bytes are, if they are UTF-8: it is compiled in bounded memory, and each error has a place in
 * the text and words; so has the hint. A good one has a type and a cost at each node. */
#include <stdlib.h>

#include "base/limits.h"
#include "base/utf8.h"
#include "cel/compile.h"
#include "cel/limits.h"
#include "schema/cel.h"

#define MEMORY_MAX (128u << 20) /* of one expression; what the largest regular expression that Go takes needs, and more */

#define VERSION 35 /* of Kubernetes 1 */

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool condition)
{
    if (!condition)
        abort();
}

static void check_errors(struct bytes text, const struct cel_errors *errors)
{
    require(errors->count <= LIMIT_CEL_ERRORS);
    for (uint32_t i = 0; i < errors->count; i++) {
        const struct cel_error *error = &errors->list[i];
        int line, column;
        require(error->text && *error->text);
        require(error->offset <= text.length || error->offset == CEL_NOWHERE || error->offset == CEL_NO_PLACE);
        cel_place(text, error->offset, &line, &column);
        require((line == -1 && column == 0) || (line >= 1 && column >= 0));
    }
}

/* Nothing is unknown in the end. */
static void check_type(const struct cel_type *type)
{
    require(type->kind != CEL_ERROR && type->kind != CEL_VARIABLE);
    for (unsigned i = 0; i < 2 && type->parameters[i]; i++)
        check_type(type->parameters[i]);
}

static void check_nodes(const struct cel_expression *compiled, const struct cel_node *node)
{
    const struct cel_node *part;
    require(node->kind != CEL_NODE_ABSENT && node->type && node->number < compiled->tree.count);
    check_type(node->type);
    for (uint32_t i = 0; (part = cel_part(node, i)); i++)
        check_nodes(compiled, part);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct arena arena;
    struct cel_expression compiled;
    struct bytes text = { (const char *)data, (uint32_t)size };
    if (!utf8_is_valid(text) || (size && memchr(data, '\0', size)))
        return -1;
    arena_init(&arena, &memory_malloc, MEMORY_MAX);
    require(cel_compile(text, &cel_device_library, cel_environment(VERSION), &arena, &compiled) == FAILURE_NONE);
    require((compiled.errors.count > 0) == (compiled.class == CEL_SYNTAX || compiled.class == CEL_CHECK || compiled.class == CEL_RESULT_TYPE));
    check_errors(text, &compiled.errors);
    if (compiled.class == CEL_GOOD || compiled.class == CEL_TOO_COSTLY)
        check_nodes(&compiled, compiled.tree.root);
    const char *hint = cel_device_library.hint(&cel_device_library, &compiled, text, &arena);
    for (; hint && *hint; hint++)
        require((unsigned char)*hint >= ' ' && *hint != 127);
    arena_done(&arena);
    return 0;
}
