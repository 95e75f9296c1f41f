#include "cel/error.h"

#include "cel/limits.h"
#include "cel/node.h"

void cel_errors_init(struct cel_errors *errors, struct arena *arena)
{
    *errors = (struct cel_errors){ .arena = arena };
}

void cel_error_put(struct cel_errors *errors, struct cel_error error)
{
    if (!errors->list && error.text)
        errors->list = arena_alloc(errors->arena, LIMIT_CEL_ERRORS * sizeof *errors->list);
    if (!errors->list || !error.text)
        errors->failure = errors->arena->failure ? errors->arena->failure : FAILURE_MEMORY;
    else if (errors->count < LIMIT_CEL_ERRORS)
        errors->list[errors->count++] = error;
}

void cel_error_add(struct cel_errors *errors, enum cel_error_kind kind, uint32_t offset, const char *text)
{
    cel_error_put(errors, (struct cel_error){ kind, offset, NULL, text });
}

void cel_error_add_node(struct cel_errors *errors, enum cel_error_kind kind, const struct cel_node *node, const char *text)
{
    cel_error_put(errors, (struct cel_error){ kind, node->offset, node, text });
}

void cel_error_add_mismatch(struct cel_errors *errors, const struct cel_node *node, const struct cel_type *expected,
                            const struct cel_type *found)
{
    struct text text;
    text_init(&text, errors->arena);
    text_add(&text, "expected type '");
    cel_type_text(&text, expected, false);
    text_add(&text, "' but found '");
    cel_type_text(&text, found, false);
    text_add(&text, "'");
    cel_error_add_node(errors, CEL_ERROR_OTHER, node, text_end(&text));
}

/* Offsets are in the order of lines and columns. What has no place is one or two less than 0. */
static uint32_t order(const struct cel_error *error)
{
    return error->offset - CEL_NO_PLACE;
}

void cel_errors_sort(struct cel_errors *errors)
{
    for (uint32_t i = 1; i < errors->count; i++) {
        struct cel_error moved = errors->list[i];
        uint32_t to = i;
        for (; to && order(&errors->list[to - 1]) > order(&moved); to--)
            errors->list[to] = errors->list[to - 1];
        errors->list[to] = moved;
    }
}

void cel_place(struct bytes expression, uint32_t offset, int *line, int *column)
{
    *line = offset == CEL_NO_PLACE ? -1 : 1;
    *column = 0;
    if (offset == CEL_NO_PLACE || offset == CEL_NOWHERE)
        return;
    *column = 1;
    for (uint32_t i = 0; i < offset && i < expression.length; i++) {
        if (expression.data[i] == '\n') {
            ++*line;
            *column = 1;
        } else if ((expression.data[i] & 0xC0) != 0x80) {
            ++*column;
        }
    }
}
