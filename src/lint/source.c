#include "lint/source.h"

#include "base/limits.h"
#include "doc/manifest.h"

static struct item *add_item(struct source *source, const struct document *document, enum item_type type)
{
    struct item *item = arena_alloc(&source->arena, sizeof *item);
    if (!item)
        return NULL;
    *item = (struct item){ .type = type, .source = source, .document = document };
    if (source->last)
        source->last->next = item;
    else
        source->first = item;
    source->last = item;
    return item;
}

/* The text of a member, or nothing. */
static struct bytes member_text(const struct doc_node *object, const char *name)
{
    const struct doc_node *member = doc_member(object, name);
    return member && member->type == DOC_STRING ? doc_text(member) : (struct bytes){ NULL, 0 };
}

static bool ends_with_list(struct bytes kind)
{
    static const struct bytes list = BYTES("List");
    return kind.length >= list.length && memcmp(kind.data + kind.length - list.length, list.data, list.length) == 0;
}

/* What the items of a list are where they do not say it themselves: a CSIDriverList holds CSIDrivers. */
struct heading {
    struct bytes api_version, kind;
};

static struct heading heading_of(const struct doc_node *node, struct heading inherited)
{
    struct heading own = { member_text(node, "apiVersion"), member_text(node, "kind") };
    return own.api_version.length || own.kind.length ? own : inherited;
}

/* An API version that has ended, but has the shape of the one to use instead: that one. */
static const struct kind *same_shape(const struct source *source, struct heading heading)
{
    struct api_version api = api_version_split(heading.api_version);
    const struct api_end *end = api_end_find(api.group, api.version, heading.kind);
    return end && end->change == api_end_same ? kind_newest(api.group, heading.kind, source->version) : NULL;
}

static void add_object(struct source *source, const struct document *document, const struct doc_node *node, struct heading heading)
{
    bool as = source->as && kind_is(source->as, heading.api_version, heading.kind);
    const struct kind *kind = as ? source->as : kind_find_api_version(heading.api_version, heading.kind);
    if (!kind)
        kind = same_shape(source, heading);
    bool is_object = heading.api_version.length && heading.kind.length, has_rules = kind && !(kind->traits & KIND_CONTEXT);
    struct item *item = add_item(source, document, has_rules ? ITEM_OBJECT : is_object ? ITEM_OTHER_KIND : ITEM_NO_OBJECT);
    if (!item)
        return;
    const struct doc_node *metadata = doc_member(node, "metadata");
    item->node = node;
    item->kind = kind;
    item->api_version = heading.api_version;
    item->kind_name = heading.kind;
    item->name = member_text(metadata, "name");
    item->space = member_text(metadata, "namespace");
    if (kind)
        shape_bind(source->version, kind->shape, node);
}

/* As deep as documents nest: LIMIT_DEPTH. */
static void add_objects(struct source *source, const struct document *document, const struct doc_node *node, struct heading inherited)
{
    struct heading heading = heading_of(node, inherited);
    const struct doc_node *items = doc_member(node, "items");
    bool list = ends_with_list(heading.kind) && items && items->type == DOC_ARRAY && !kind_find_api_version(heading.api_version, heading.kind);
    if (!list) {
        add_object(source, document, node, heading);
        return;
    }
    struct heading of_items = { heading.api_version, { heading.kind.data, heading.kind.length - 4 } };
    doc_each(items, element)
        add_objects(source, document, element, of_items);
}

static enum failure add_document(struct source *source, const struct document *read)
{
    struct document *document = arena_alloc(&source->arena, sizeof *document);
    if (!document)
        return source->arena.failure;
    *document = *read;
    if (document->root->type != DOC_NULL)
        add_objects(source, document, document->root, (struct heading){ { NULL, 0 }, { NULL, 0 } });
    return source->arena.failure;
}

static enum failure add_error(struct source *source, const struct doc_error *error)
{
    struct item *item = add_item(source, NULL, ITEM_UNREADABLE);
    if (item)
        item->error = *error;
    return source->arena.failure;
}

enum failure source_read(struct source *source, const struct context *context, const char *name, struct bytes text, minor version, const struct kind *as)
{
    struct manifest manifest;
    struct doc_error error;
    bool more = true;
    *source = (struct source){ .name = name, .text = text, .version = version, .as = as };
    arena_init(&source->arena, context->memory, LIMIT_ARENA_BYTES);
    lines_init(&source->lines, context->memory, text);
    manifest_init(&manifest, text, &source->arena, context->key);
    for (;;) {
        struct document document;
        enum failure failure = manifest_next(&manifest, &document, &more, &error);
        if (source->arena.failure)
            return source->arena.failure;
        if (failure == FAILURE_MEMORY)
            return failure;
        if (!failure && !more)
            return FAILURE_NONE;
        failure = failure ? add_error(source, &error) : add_document(source, &document);
        if (failure)
            return failure;
    }
}

bool source_is_template(const struct source *source, uint32_t offset)
{
    const char *data = source->text.data;
    uint32_t from = offset, to = offset;
    for (unsigned lines = 0; from && offset - from < LIMIT_TEMPLATE_BYTES && (lines += data[from - 1] == '\n') < 2; from--)
        ;
    for (unsigned lines = 0; to < source->text.length && to - offset < LIMIT_TEMPLATE_BYTES && (lines += data[to] == '\n') < 2; to++)
        ;
    return hint_is_template((struct bytes){ data + from, to - from });
}

void source_done(struct source *source)
{
    arena_done(&source->arena);
    lines_done(&source->lines);
}
