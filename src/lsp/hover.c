/* Hover: what is asked of the field under the cursor, as `drawbridge explain` has it. */
#include <string.h>

#include "base/text.h"
#include "lsp/fields.h"
#include "lsp/place.h"
#include "lsp/server.h"

/* A field of an object in the text. */
struct target {
    const struct item *item;
    const struct doc_node *node; /* its value */
    const char *path;            /* without indexes and keys */
};

static bool in_span(uint32_t offset, uint32_t from, uint32_t size)
{
    return offset >= from && offset - from < size;
}

static bool is_at(const struct doc_node *node, bool named, uint32_t offset)
{
    return (named && in_span(offset, node->name_offset, node->name_length + 1)) || in_span(offset, node->offset, node->size);
}

static const struct item *item_at(const struct source *source, uint32_t offset)
{
    for (const struct item *item = source->first; item; item = item->next)
        if (item->kind && item->node && in_span(offset, item->node->offset, item->node->size))
            return item;
    return NULL;
}

/* Goes down to the innermost field that is known. */
static bool find_target(struct lsp *lsp, const struct source *source, uint32_t offset, struct target *target)
{
    struct text path;
    const struct item *item = item_at(source, offset);
    if (!item)
        return false;
    *target = (struct target){ .item = item };
    text_init(&path, &lsp->arena);
    const struct shape *shape = item->kind->shape;
    for (const struct doc_node *node = item->node, *child = NULL; node && shape; node = child) {
        bool named = node->type == DOC_OBJECT;
        for (child = doc_first(node); child && !is_at(child, named, offset);)
            child = child->next;
        if (!child || !named)
            continue; /* an element is below the same field */
        const struct field *field;
        shape = fields_member(shape, doc_name(child), item->source->version, &field);
        if (shape && field) {
            text_add(&path, path.length ? "." : "");
            text_add_bytes(&path, doc_name(child));
        }
        if (shape)
            target->node = child;
    }
    target->path = text_end(&path);
    return target->path && target->node;
}

static cJSON *hover_on(struct lsp *lsp, struct source *source, const struct target *target)
{
    struct text text;
    text_init(&text, &lsp->arena);
    struct field_rows rows = { .path = target->path, .version = source->version, .text = &text };
    if (fields_describe(target->item->kind, &lsp->arena, &rows))
        return NULL;
    const char *words = text_end(&text);
    if (!rows.shape)
        return cJSON_CreateNull();
    cJSON *hover = cJSON_CreateObject(), *contents = cJSON_AddObjectToObject(hover, "contents");
    const struct doc_node *node = target->node;
    if (words && contents && cJSON_AddStringToObject(contents, "kind", "markdown") && cJSON_AddStringToObject(contents, "value", words) &&
        lsp_add_range(hover, "range", &source->lines, node->name_offset, node->name_offset + node->name_length, lsp->utf8))
        return hover;
    cJSON_Delete(hover);
    return NULL;
}

cJSON *lsp_hover(struct lsp *lsp, const cJSON *parameters)
{
    struct lsp_file *file = lsp_file_find(lsp, lsp_text(lsp_member(parameters, "textDocument"), "uri"));
    struct target target;
    if (!file || !file->source)
        return cJSON_CreateNull();
    uint32_t offset = lsp_offset(file->source->text, lsp_member(parameters, "position"), lsp->utf8);
    return find_target(lsp, file->source, offset, &target) ? hover_on(lsp, file->source, &target) : cJSON_CreateNull();
}
