#include "validate/source.h"

#include "doc/inner.h"
#include "doc/json.h"
#include "doc/origin.h"
#include "doc/own.h"
#include "doc/yaml.h"
#include "object/object.h"
#include "schema/lifecycle.h"
#include "validate/limits.h"
#include "validate/template.h"

/* What a text usually becomes, with its items: three times as much, or a bit more. */
enum { TREE_FACTOR = 4 };

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

/* Whether it is a list with that heading, of no kind with rules of its own. */
static bool is_list(const struct doc_node *node, struct heading heading, struct heading *of_items)
{
    const struct doc_node *items = doc_member(node, "items");
    if (!ends_with_list(heading.kind) || !items || items->type != DOC_ARRAY || kind_find_api_version(heading.api_version, heading.kind))
        return false;
    *of_items = (struct heading){ heading.api_version, { heading.kind.data, heading.kind.length - 4 } };
    return true;
}

bool source_is_list(const struct doc_node *node, struct heading *of_items)
{
    return is_list(node, heading_of(node, (struct heading){ { NULL, 0 }, { NULL, 0 } }), of_items);
}

/* Adds an object, or the items of a list. Recursion is at most LIMIT_DEPTH deep, as documents are. */
static void add_objects(struct source *source, const struct document *document, const struct doc_node *node, struct heading inherited)
{
    struct heading heading = heading_of(node, inherited), of_items;
    if (!is_list(node, heading, &of_items)) {
        add_object(source, document, node, heading);
        return;
    }
    doc_each(doc_member(node, "items"), element)
        add_objects(source, document, element, of_items);
}

static struct document *keep_document(struct source *source, const struct document *read)
{
    struct document *document = arena_alloc(&source->arena, sizeof *document);
    if (document)
        *document = *read;
    return document;
}

static enum failure add_document(struct source *source, const struct document *read)
{
    const struct document *document = keep_document(source, read);
    if (document && document->root->type != DOC_NULL)
        add_objects(source, document, document->root, (struct heading){ { NULL, 0 }, { NULL, 0 } });
    return source->arena.failure;
}

struct source_options source_options_of(const struct source *source)
{
    return (struct source_options){ .version = source->version, .as = source->as, .inside_configmaps = source->inside };
}

static void begin(struct source *source, const struct context *context, const char *name, struct bytes text,
                  const struct source_options *options)
{
    *source = (struct source){
        .name = name, .text = text, .version = options->version, .as = options->as, .inside = options->inside_configmaps,
    };
    arena_init(&source->arena, context->memory, LIMIT_SOURCE_BYTES);
    arena_expect(&source->arena, TREE_FACTOR * (size_t)text.length);
    lines_init(&source->lines, context->memory, text);
}

/* What reads a source. */
struct source_reading {
    struct source *source;
    const struct context *context;
    struct own_texts *texts;        /* NULL: trees point into the text */
    const struct inner_text *inner; /* what is read is this text in the source; NULL: the source's own */
};

/* ---- objects in ConfigMaps ---- */

static bool holds(struct bytes text, struct bytes word)
{
    return text.length && memmem(text.data, text.length, word.data, word.length);
}

/* Whether the text has the name of a group with rules in it. */
static bool names_group(struct bytes text)
{
    for (size_t i = 0; i < kind_count; i++)
        if (kinds[i].group.length && !(kinds[i].traits & (KIND_PARTIAL | KIND_CONTEXT)) && holds(text, kinds[i].group))
            return true;
    return false;
}

/* Keeps, of the items after that one, those that this program is for: most of what stands in ConfigMaps is not. */
static void keep_inner(struct source *source, struct item *before)
{
    struct item *next = before->next;
    before->next = NULL;
    source->last = before;
    for (struct item *item = next; item; item = next) {
        next = item->next;
        item->next = NULL;
        item->is_inner = true;
        if (!item->kind && !names_group(item->api_version))
            continue;
        source->last->next = item;
        source->last = item;
    }
}

/* What cannot be read in a value is of no interest, unless it names a group with rules. */
static enum failure add_inner_error(struct source *source, const struct inner_text *inner, struct doc_error *error, struct bytes text)
{
    if (!names_group(text))
        return FAILURE_NONE;
    error->offset = inner_place(inner, error->offset);
    error->first = inner_place(inner, error->first);
    return add_error(source, error, text);
}

static enum failure add_inner_document(struct source *source, const struct inner_text *inner, const struct document *read)
{
    const struct document *document = inner_document(inner, read, &source->arena);
    struct item *before = source->last;
    enum failure failure = document ? add_document(source, document) : source->arena.failure;
    if (!failure)
        keep_inner(source, before);
    return failure;
}

/* Gives a document that was read texts of its own, if it is a piece's. */
static enum failure own(const struct source_reading *reading, const struct document *read)
{
    return reading->texts ? own_tree(reading->texts, read, &reading->source->arena, reading->context->key) : FAILURE_NONE;
}

static enum failure read_documents(const struct source_reading *reading, enum manifest_mode mode)
{
    struct source *source = reading->source;
    struct manifest manifest;
    struct doc_error error;
    bool more = true;
    manifest_init(&manifest, reading->inner ? doc_text(reading->inner->string) : source->text, &source->arena, reading->context->key);
    manifest.mode = mode;
    manifest.json_values = mode == MANIFEST_JSON ? MANIFEST_ONLY_JSON : 0;
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
        if (failure && reading->inner)
            failure = add_inner_error(source, reading->inner, &error, read_since(&manifest, start));
        else if (failure)
            failure = add_error(source, &error, read_since(&manifest, start));
        else if (reading->inner)
            failure = add_inner_document(source, reading->inner, &document);
        else if (!(failure = own(reading, &document)))
            failure = add_document(source, &document);
        if (failure)
            return failure;
    }
}

static enum failure read_value(const struct source_reading *reading, const struct document *outer, const struct doc_node *value)
{
    const struct memory *memory = reading->context->memory;
    uint32_t *starts = memory->allocate((value->count + (size_t)1) * sizeof *starts, memory->data);
    if (!starts)
        return FAILURE_MEMORY;
    const struct inner_text inner = { outer, value, starts };
    const struct source_reading inside = { .source = reading->source, .context = reading->context, .inner = &inner };
    doc_origins(outer, value, starts);
    enum failure failure = read_documents(&inside, MANIFEST_START);
    memory->release(starts, memory->data);
    return failure;
}

/* Moves what was added after `end` to its place in the text, after that item. */
static void move_after(struct source *source, struct item *item, struct item *end)
{
    if (item == end || source->last == end)
        return;
    source->last->next = item->next;
    item->next = end->next;
    end->next = NULL;
    source->last = end;
}

static enum failure read_config_map(const struct source_reading *reading, const struct item *item)
{
    enum failure failure = FAILURE_NONE;
    if (item->type == ITEM_UNREADABLE || !bytes_equal_text(item->api_version, "v1") || !bytes_equal_text(item->kind_name, "ConfigMap"))
        return FAILURE_NONE;
    doc_each(doc_member(item->node, "data"), value)
        if (!failure && value->type == DOC_STRING && holds(doc_text(value), bytes_of("apiVersion")))
            failure = read_value(reading, item->document, value);
    return failure;
}

/* Reads what stands in ConfigMaps, if that is asked for. ConfigMaps in there are not looked into. */
static enum failure read_inside(const struct source_reading *reading)
{
    struct source *source = reading->source;
    enum failure failure = FAILURE_NONE;
    for (struct item *item = source->inside ? source->first : NULL, *next; item && !failure; item = next) {
        struct item *end = source->last;
        next = item->next;
        failure = read_config_map(reading, item);
        move_after(source, item, end);
    }
    return failure;
}

enum failure source_read(struct source *source, const struct context *context, const char *name, struct bytes text,
                         const struct source_options *options)
{
    const struct source_reading reading = { .source = source, .context = context };
    begin(source, context, name, text, options);
    enum failure failure = read_documents(&reading, MANIFEST_START);
    return failure ? failure : read_inside(&reading);
}

/* ---- items of a list, without the list ---- */

static enum failure add_items(const struct source_reading *reading, const struct piece *piece, const struct document *read)
{
    struct source *source = reading->source;
    enum failure failure = own(reading, read);
    const struct document *document = failure ? NULL : keep_document(source, read);
    if (document && document->is_yaml)
        doc_each(document->root, item)
            add_objects(source, document, item, piece->heading);
    else if (document)
        add_objects(source, document, document->root, piece->heading);
    return failure ? failure : source->arena.failure;
}

static enum failure read_yaml_items(const struct source_reading *reading, const struct piece *piece)
{
    struct source *source = reading->source;
    const struct yaml_input input = {
        .source = piece->text, .end = piece->text.length, .items = true, .arena = &source->arena, .key = reading->context->key,
    };
    struct document document;
    struct doc_error error;
    enum failure failure = yaml_read(&input, &document, &error);
    if (source->arena.failure || failure == FAILURE_MEMORY)
        return source->arena.failure ? source->arena.failure : failure;
    return failure ? add_error(source, &error, piece->text) : add_items(reading, piece, &document);
}

static uint32_t after_space(struct bytes text, uint32_t at)
{
    while (at < text.length && memchr(" \t\r\n", text.data[at], 4))
        at++;
    return at;
}

/* Up to the first item that cannot be read: where the next one begins is not known then. */
static enum failure read_json_items(const struct source_reading *reading, const struct piece *piece)
{
    struct source *source = reading->source;
    const struct bytes text = piece->text;
    struct json_input input = { .source = text, .profile = JSON_STRICT, .arena = &source->arena, .key = reading->context->key };
    bool comma = false;
    for (uint32_t at = after_space(text, 0); at < text.length || (comma && piece->ends);) {
        struct document document;
        struct doc_error error;
        input.start = at;
        enum failure failure = json_read(&input, &document, &at, &error);
        if (source->arena.failure || failure == FAILURE_MEMORY)
            return source->arena.failure ? source->arena.failure : failure;
        failure = failure ? add_error(source, &error, text) : add_items(reading, piece, &document);
        if (failure || source->last->type == ITEM_UNREADABLE)
            return failure;
        at = after_space(text, at);
        comma = at < text.length && text.data[at] == ',';
        if (at < text.length && !comma)
            return add_error(source, &(struct doc_error){ .message = "a comma or ] is missing", .offset = at }, text);
        at = after_space(text, at + comma);
    }
    return FAILURE_NONE;
}

/* Items inherit texts that live as long as they do. */
static enum failure keep_heading(struct source *source, struct heading *heading)
{
    struct bytes *texts[] = { &heading->api_version, &heading->kind };
    for (size_t i = 0; i < sizeof texts / sizeof *texts && texts[i]->length; i++) {
        char *copy = arena_text(&source->arena, texts[i]->length);
        if (!copy)
            return source->arena.failure;
        texts[i]->data = memcpy(copy, texts[i]->data, texts[i]->length);
    }
    return FAILURE_NONE;
}

enum failure source_read_piece(struct source *source, const struct context *context, const char *name, const struct piece *piece,
                               const struct source_options *options)
{
    struct own_texts texts = { 0 };
    const struct source_reading reading = { .source = source, .context = context, .texts = &texts };
    begin(source, context, name, piece->text, options);
    source->is_piece = true;
    source->lines.before = piece->before;
    struct piece kept = *piece;
    enum failure failure = piece->items ? keep_heading(source, &kept.heading) : read_documents(&reading, piece->mode);
    if (!failure && piece->items)
        failure = piece->mode == MANIFEST_JSON ? read_json_items(&reading, &kept) : read_yaml_items(&reading, &kept);
    return failure ? failure : read_inside(&reading);
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
