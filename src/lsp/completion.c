/* Completion: fields of the object at the cursor, the values that a field takes, and names of objects of the workspace. */
#include <string.h>

#include "base/text.h"
#include "lsp/fields.h"
#include "lsp/surroundings.h"
#include "lsp/place.h"
#include "lsp/server.h"

enum { ITEM_FIELD = 5, ITEM_VALUE = 12, ITEM_ENUM_MEMBER = 20, ITEM_REFERENCE = 18 };

struct completion {
    struct lsp *lsp;
    minor version;
    struct surroundings around;
    const struct kind *kind;     /* NULL: not known yet */
    const struct shape *shape;   /* of the object at the cursor; NULL: not known */
    struct lines lines;
    cJSON *items;
    unsigned count;
    bool failed;
};

/* ---- candidates ---- */

/* What replaces what was typed: quoted where JSON wants it. */
static const char *edit_text(struct completion *completion, struct bytes word, const char *after, bool is_text)
{
    const struct surroundings *around = &completion->around;
    const char *quote = around->is_json && is_text && !around->quoted ? "\"" : "";
    struct text text;
    text_init(&text, &completion->lsp->arena);
    text_add(&text, quote);
    text_add_bytes(&text, word);
    text_add(&text, quote);
    text_add(&text, after);
    return text_end(&text);
}

static const char *label_of(struct completion *completion, struct bytes word)
{
    struct text text;
    text_init(&text, &completion->lsp->arena);
    text_add_bytes(&text, word);
    return text_end(&text);
}

static void add(struct completion *completion, struct bytes word, const char *written, int type, const char *detail)
{
    const struct surroundings *around = &completion->around;
    if (completion->failed || completion->count >= LIMIT_LSP_CANDIDATES)
        return;
    completion->count++;
    const char *label = label_of(completion, word);
    cJSON *item = cJSON_CreateObject(), *edit = cJSON_AddObjectToObject(item, "textEdit");
    if (label && written && edit && cJSON_AddStringToObject(item, "label", label) && cJSON_AddNumberToObject(item, "kind", type) &&
        (!detail || cJSON_AddStringToObject(item, "detail", detail)) &&
        lsp_add_range(edit, "range", &completion->lines, around->from, around->to, completion->lsp->utf8) &&
        cJSON_AddStringToObject(edit, "newText", written) && cJSON_AddItemToArray(completion->items, item))
        return;
    cJSON_Delete(item);
    completion->failed = true;
}

static void add_value(struct completion *completion, struct bytes word, bool is_text, int type, const char *detail)
{
    add(completion, word, edit_text(completion, word, "", is_text), type, detail);
}

/* ---- keys ---- */

static bool is_there(const struct surroundings *around, struct bytes name)
{
    for (unsigned i = 0; i < around->sibling_count; i++)
        if (bytes_equal(around->siblings[i], name))
            return true;
    return false;
}

static void add_key(struct completion *completion, struct bytes name, const struct shape *shape)
{
    const struct surroundings *around = &completion->around;
    bool has_members = shape && (shape->type == SHAPE_OBJECT || shape->type == SHAPE_LIST || shape->type == SHAPE_MAP);
    const char *after = around->is_json ? (around->quoted ? "" : ": ") : has_members ? ":" : ": ";
    const char *detail = shape ? explain_type(shape, &completion->lsp->arena) : NULL;
    if (!is_there(around, name))
        add(completion, name, edit_text(completion, name, after, true), ITEM_FIELD, detail);
}

static void add_keys(struct completion *completion)
{
    const struct shape *shape = fields_element(completion->shape);
    if (!completion->kind && !completion->around.depth) {
        add_key(completion, bytes_of("apiVersion"), NULL);
        add_key(completion, bytes_of("kind"), NULL);
    }
    for (uint16_t i = 0; shape && shape->type == SHAPE_OBJECT && i < shape->field_count; i++)
        if (versions_include(shape->fields[i].versions, completion->version))
            add_key(completion, shape->fields[i].name, shape->fields[i].shape);
}

/* ---- values ---- */

/* Fields whose values are names of objects. */
static const struct {
    const char *field, *kind;
} names[] = {
    { "deviceClassName", "DeviceClass" },
    { "storageClassName", "StorageClass" },
    { "volumeAttributesClassName", "VolumeAttributesClass" },
    { "volumeSnapshotClassName", "VolumeSnapshotClass" },
    { "resourceClaimName", "ResourceClaim" },
    { "resourceClaimTemplateName", "ResourceClaimTemplate" },
    { "persistentVolumeName", "PersistentVolume" },
    { "provisioner", "CSIDriver" },
    { "driverName", "CSIDriver" },
    { "attacher", "CSIDriver" },
    { "driver", "CSIDriver" },
    { "nodeName", "Node" },
};

static bool was_added(const struct completion *completion, struct bytes word)
{
    for (const cJSON *item = completion->items->child; item; item = item->next)
        if (bytes_equal_text(word, lsp_text(item, "label")))
            return true;
    return false;
}

static void add_names(struct completion *completion, const char *kind)
{
    for (const struct lsp_file *file = completion->lsp->files; file; file = file->next)
        for (const struct item *item = file->source ? file->source->first : NULL; item; item = item->next)
            if (item->name.length && bytes_equal_text(item->kind_name, kind) && completion->count < LIMIT_LSP_CANDIDATES &&
                !was_added(completion, item->name))
                add_value(completion, item->name, true, ITEM_REFERENCE, kind);
}

/* The plain path of the field whose value is typed. Map keys are no part of it. */
static const char *path_of_value(struct completion *completion)
{
    const struct surroundings *around = &completion->around;
    const struct shape *shape = completion->kind->shape;
    struct text path;
    text_init(&path, &completion->lsp->arena);
    for (unsigned i = around->depth + 1; i-- > 0;) {
        const struct field *field;
        struct bytes key = i ? around->path[i - 1] : around->key;
        shape = fields_member(shape, key, completion->version, &field);
        if (!field)
            continue;
        text_add(&path, path.length ? "." : "");
        text_add_bytes(&path, key);
    }
    return text_end(&path);
}

static void add_heading_values(struct completion *completion)
{
    const struct surroundings *around = &completion->around;
    bool wants_kind = bytes_equal_text(around->key, "kind");
    for (size_t i = 0; i < kind_count; i++) {
        const struct kind *kind = &kinds[i];
        struct text text;
        text_init(&text, &completion->lsp->arena);
        text_add_bytes(&text, kind->group);
        text_add(&text, kind->group.length ? "/" : "");
        text_add_bytes(&text, kind->version);
        const char *api = text_end(&text);
        if (!api || kind->role || (kind->traits & KIND_CONTEXT) ||
            !versions_include(kind->served, completion->version))
            continue;
        struct bytes word = wants_kind ? kind->kind : bytes_of(api);
        bool fits = wants_kind ? !around->api_version.length || bytes_equal_text(around->api_version, api)
                               : !around->kind.length || bytes_equal(around->kind, kind->kind);
        if (fits && !was_added(completion, word))
            add_value(completion, word, true, ITEM_ENUM_MEMBER, NULL);
    }
}

static void add_values(struct completion *completion)
{
    const struct surroundings *around = &completion->around;
    if (!around->depth && (bytes_equal_text(around->key, "kind") || bytes_equal_text(around->key, "apiVersion"))) {
        add_heading_values(completion);
        return;
    }
    const char *path = completion->kind ? path_of_value(completion) : NULL;
    struct field_rows rows = { .path = path, .version = completion->version };
    if (!path || !*path)
        return;
    completion->failed |= fields_describe(completion->kind, &completion->lsp->arena, &rows) != FAILURE_NONE;
    for (const char *const *value = rows.values; value && *value; value++)
        add_value(completion, bytes_of(*value), true, ITEM_ENUM_MEMBER, NULL);
    if (rows.shape && fields_element(rows.shape)->type == SHAPE_BOOL) {
        add_value(completion, bytes_of("true"), false, ITEM_VALUE, NULL);
        add_value(completion, bytes_of("false"), false, ITEM_VALUE, NULL);
    }
    for (size_t i = 0; rows.shape && i < sizeof names / sizeof *names; i++)
        if (bytes_equal_text(around->key, names[i].field))
            add_names(completion, names[i].kind);
}

/* ---- the request ---- */

/* The shape of the object at the cursor, whose keys are around.path. */
static void find_shape(struct completion *completion)
{
    const struct surroundings *around = &completion->around;
    completion->kind = kind_find_api_version(around->api_version, around->kind);
    completion->shape = completion->kind ? completion->kind->shape : NULL;
    for (unsigned i = around->depth; i-- > 0 && completion->shape;) {
        const struct field *field;
        completion->shape = fields_member(completion->shape, around->path[i], completion->version, &field);
    }
}

cJSON *lsp_completion(struct lsp *lsp, const cJSON *parameters)
{
    struct lsp_file *file = lsp_file_find(lsp, lsp_text(lsp_member(parameters, "textDocument"), "uri"));
    struct completion completion = { .lsp = lsp, .items = cJSON_CreateArray() };
    if (!file || !completion.items)
        return completion.items;
    const struct bytes text = buffer_bytes(&file->text);
    completion.version = file->source ? file->source->version : lsp->settings->version;
    if (!text.length || !surroundings_find(text, lsp_offset(text, lsp_member(parameters, "position"), lsp->utf8), &completion.around))
        return completion.items;
    lines_init(&completion.lines, lsp->context.memory, text);
    find_shape(&completion);
    if (completion.around.key.length)
        add_values(&completion);
    else
        add_keys(&completion);
    lines_done(&completion.lines);
    if (!completion.failed)
        return completion.items;
    cJSON_Delete(completion.items);
    return NULL;
}
