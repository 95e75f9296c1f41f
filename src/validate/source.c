#include "validate/source.h"

#include "doc/manifest.h"
#include "object/object.h"
#include "schema/lifecycle.h"
#include "validate/limits.h"
#include "validate/template.h"

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

static bool ends_with_list(struct bytes kind)
{
    static const struct bytes list = BYTES("List");
    return kind.length >= list.length && memcmp(kind.data + kind.length - list.length, list.data, list.length) == 0;
}

/* The apiVersion and kind of an object; items of a list may inherit them: those of a CSIDriverList are CSIDrivers. */
struct heading {
    struct bytes api_version, kind;
};

static struct heading heading_of(const struct doc_node *node, struct heading inherited)
{
    struct heading own = { doc_member_text(node, "apiVersion"), doc_member_text(node, "kind") };
    return own.api_version.length || own.kind.length ? own : inherited;
}

/* For an API version that has ended, but has the same shape as its replacement: the kind in the replacement. */
static const struct kind *same_shape(const struct source *source, struct heading heading)
{
    struct api_version api = api_version_split(heading.api_version);
    const struct api_end *end = api_end_find(api.group, api.version, heading.kind);
    return end && end->change == api_end_same ? kind_newest(api.group, heading.kind, source->version) : NULL;
}

/* `text` is what cannot be read. */
static enum failure add_error(struct source *source, const struct doc_error *error, struct bytes text)
{
    struct item *item = add_item(source, NULL, ITEM_UNREADABLE);
    if (!item)
        return source->arena.failure;
    item->error = *error;
    item->is_template = template_in_text(text);
    return FAILURE_NONE;
}

/* The text that a reader of manifests has passed since `start`; of JSON, in which it stops at an error, all that is left. */
static struct bytes read_since(const struct manifest *manifest, uint32_t start)
{
    uint32_t end = manifest->mode == MANIFEST_END ? manifest->source.length : manifest->at;
    return (struct bytes){ manifest->source.data + start, end - start };
}

/* Sets type and kind of an item, which depend on the version, and binds its members. */
static void bind_item(const struct source *source, struct item *item)
{
    const struct heading heading = { item->api_version, item->kind_name };
    bool as = source->as && kind_is(source->as, heading.api_version, heading.kind);
    const struct kind *kind = as ? source->as : kind_find_api_version(heading.api_version, heading.kind);
    if (!kind)
        kind = same_shape(source, heading);
    bool has_rules = kind && !(kind->traits & KIND_CONTEXT);
    enum item_type type = heading.api_version.length && heading.kind.length ? ITEM_OTHER_KIND : ITEM_NO_OBJECT;
    item->type = has_rules ? ITEM_OBJECT : type;
    item->kind = kind;
    if (kind)
        object_bind(source->version, kind->shape, item->node);
}

static void add_object(struct source *source, const struct document *document, const struct doc_node *node, struct heading heading)
{
    if (node->size > LIMIT_OBJECT_BYTES) {
        static const char message[] = "too long: an object of more than 8 MiB";
        (void)add_error(source, &(struct doc_error){ .message = message, .offset = node->offset, .in_yaml = document->is_yaml },
                        (struct bytes){ NULL, 0 });
        return;
    }
    struct item *item = add_item(source, document, ITEM_NO_OBJECT);
    if (!item)
        return;
    const struct doc_node *metadata = doc_member(node, "metadata");
    item->node = node;
    item->api_version = heading.api_version;
    item->kind_name = heading.kind;
    item->name = doc_member_text(metadata, "name");
    item->space = doc_member_text(metadata, "namespace");
    item->is_template = template_in_string(item->api_version) || template_in_string(item->kind_name) ||
                        (node->type == DOC_STRING && template_in_string(doc_text(node)));
    bind_item(source, item);
}

/* Adds an object, or the items of a list. Recursion is at most LIMIT_DEPTH deep, as documents are. */
static void add_objects(struct source *source, const struct document *document, const struct doc_node *node, struct heading inherited)
{
    struct heading heading = heading_of(node, inherited);
    const struct doc_node *items = doc_member(node, "items");
    bool list = ends_with_list(heading.kind) && items && items->type == DOC_ARRAY;
    if (!list || kind_find_api_version(heading.api_version, heading.kind)) {
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

enum failure source_read(struct source *source, const struct context *context, const char *name, struct bytes text, minor version,
                         const struct kind *as)
{
    struct manifest manifest;
    struct doc_error error;
    bool more = true;
    *source = (struct source){ .name = name, .text = text, .version = version, .as = as };
    arena_init(&source->arena, context->memory, LIMIT_SOURCE_BYTES);
    lines_init(&source->lines, context->memory, text);
    manifest_init(&manifest, text, &source->arena, context->key);
    for (;;) {
        struct document document;
        const uint32_t start = manifest.at;
        enum failure failure = manifest_next(&manifest, &document, &more, &error);
        if (source->arena.failure)
            return source->arena.failure;
        if (failure == FAILURE_MEMORY)
            return failure;
        if (!failure && !more)
            return FAILURE_NONE;
        failure = failure ? add_error(source, &error, read_since(&manifest, start)) : add_document(source, &document);
        if (failure)
            return failure;
    }
}

void source_bind(struct source *source, minor version)
{
    source->version = version;
    for (struct item *item = source->first; item; item = item->next)
        if (item->type != ITEM_UNREADABLE)
            bind_item(source, item);
}

void source_done(struct source *source)
{
    arena_done(&source->arena);
    lines_done(&source->lines);
}
