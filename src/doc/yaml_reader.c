#include "doc/yaml_reader.h"

bool yaml_fail(struct yaml_reader *r, enum failure failure, uint32_t offset, const char *message)
{
    r->failure = failure;
    *r->error = (struct doc_error){ .message = message, .offset = offset, .in_yaml = true };
    return false;
}

bool yaml_fail_syntax(struct yaml_reader *r, uint32_t offset, const char *message)
{
    return yaml_fail(r, FAILURE_SYNTAX, offset, message);
}

bool yaml_fail_memory(struct yaml_reader *r, uint32_t offset)
{
    return yaml_fail(r, r->input->arena->failure, offset, failure_text(r->input->arena->failure));
}

bool yaml_fail_stricter(struct yaml_reader *r, uint32_t offset, const char *message)
{
    yaml_fail_syntax(r, offset, message);
    r->error->stricter = true;
    return false;
}

struct yaml_level *yaml_top(struct yaml_reader *r)
{
    return r->depth ? &r->levels[r->depth - 1] : NULL;
}

/* Whether the innermost level contains the objects of a List: it is member "items" of the root, or the root of a part of that. */
static bool is_in_items(const struct yaml_reader *r)
{
    const struct doc_node *root = r->levels[0].node, *list = r->levels[1].node;
    if (r->input->items)
        return r->depth == 1 && root->type == DOC_ARRAY;
    return r->depth == 2 && root->type == DOC_OBJECT && list->type == DOC_ARRAY && bytes_equal_text(doc_name(list), "items");
}

void yaml_begin_value(struct yaml_reader *r)
{
    if (is_in_items(r))
        r->nodes = 0;
}

bool yaml_open_level(struct yaml_reader *r, const struct yaml_level *opened, uint32_t offset)
{
    if (r->depth == LIMIT_TEXT_DEPTH || opened->depth > LIMIT_DEPTH)
        return yaml_fail(r, FAILURE_LIMIT, offset, "nesting over 64 levels");
    r->levels[r->depth++] = *opened;
    return true;
}

void yaml_end_value(struct yaml_reader *r, uint32_t end, unsigned height)
{
    struct yaml_level *level = yaml_top(r);
    if (!level)
        return;
    level->has_key = level->merging = false;
    if (height > level->height)
        level->height = (uint8_t)height;
    if (end > level->end)
        level->end = end;
}
