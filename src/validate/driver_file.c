#include "validate/driver_file.h"

#include <stdio.h>

#include "base/text.h"
#include "doc/lines.h"
#include "doc/manifest.h"
#include "object/object.h"
#include "schema/rows.h"
#include "validate/hint.h"
#include "validate/validate.h"

/* ---- the schema of a driver ---- */

const char *const driver_file_types[] = {
    [PARAMETER_STRING] = "string", [PARAMETER_BOOLEAN] = "boolean", [PARAMETER_INTEGER] = "integer",
    [PARAMETER_QUANTITY] = "quantity", [PARAMETER_OBJECT] = "object", [PARAMETER_ANY] = "any", [PARAMETER_TYPES] = NULL,
};

static const char of_devices[] = "DeviceConfiguration";

#define SHORT        NON_EMPTY(STOP), MAX_BYTES(LIMIT_PARAMETER_TEXT_BYTES)
#define WORD         STRING_WITH(MAX_BYTES(LIMIT_PARAMETER_TEXT_BYTES))
#define WORDS(limit) LIST(WORD), CHECKS(MAX_ITEMS(limit))

static const struct field row_fields[] = {
    FIELD("name",       STRING, CHECKS(REQUIRED(STOP), SHORT)),
    FIELD("type",       STRING, POINTER, CHECKS(ENUM(driver_file_types))),
    FIELD("list",       BOOL),
    FIELD("required",   BOOL),
    FIELD("unless",     WORDS(LIMIT_PARAMETER_NEEDS)),
    FIELD("enum",       WORDS(LIMIT_PARAMETER_VALUES)),
    FIELD("pattern",    STRING, POINTER, CHECKS(NON_EMPTY(), MAX_BYTES(LIMIT_PARAMETER_PATTERN_BYTES - 1))),
    FIELD("minimum",    INT64, POINTER),
    FIELD("maximum",    INT64, POINTER),
    FIELD("needs",      MAP(LIST(WORD, CHECKS(MAX_ITEMS(LIMIT_PARAMETER_VALUES)))), CHECKS(MAX_ITEMS(LIMIT_PARAMETER_NEEDS))),
    FIELD("deprecated", STRING, POINTER, CHECKS(SHORT)),
    FIELD("since",      STRING, POINTER, CHECKS(SHORT)),
};
static const struct shape row_shape = OBJECT(row_fields);

static const struct field table_fields[] = {
    FIELD("of",         STRING,
          CHECKS(REQUIRED(STOP), ENUM(NAMES("StorageClass", "VolumeAttributesClass", "VolumeSnapshotClass", of_devices)))),
    FIELD("apiVersion", STRING, POINTER, CHECKS(SHORT)),
    FIELD("kind",       STRING, POINTER, CHECKS(SHORT)),
    FIELD("ignoreCase", BOOL),
    FIELD("rows",       LIST(&row_shape), CHECKS(REQUIRED(STOP), MAX_ITEMS(LIMIT_PARAMETERS), UNIQUE("name"))),
};
static const struct shape table_shape = OBJECT(table_fields);

static const struct field driver_fields[] = {
    FIELD("apiVersion", STRING, CHECKS(REQUIRED(STOP), ENUM(NAMES("drawbridge.dev/v1alpha1")))),
    FIELD("kind",       STRING, CHECKS(REQUIRED(STOP), ENUM(NAMES("Driver")))),
    FIELD("name",       STRING, CHECKS(REQUIRED(STOP), SHORT)),
    FIELD("source",     STRING, CHECKS(REQUIRED(STOP), SHORT)),
    FIELD("parameters", LIST(&table_shape), CHECKS(REQUIRED(STOP), MAX_ITEMS(LIMIT_PARAMETER_TABLES))),
};
static const struct shape driver_shape = OBJECT(driver_fields, SOURCE("drawbridge-drivers(5)"));

static const struct kind driver_kind = {
    .group = BYTES("drawbridge.dev"),
    .version = BYTES("v1alpha1"),
    .kind = BYTES("Driver"),
    .resource = BYTES("drivers"),
    .shape = &driver_shape,
};

/* ---- reading ---- */

struct reading {
    struct driver_file *file;
    const struct driver **list; /* of the file, with room for LIMIT_DRIVERS */
    struct workspace *workspace;
    struct lines lines;
    struct driver_mistake *mistake;
    enum failure failure; /* sticky; FAILURE_SYNTAX: *mistake is set */
};

static void say(struct reading *reading, uint32_t offset, const char *path, const char *why)
{
    struct position position;
    struct text text;
    if (reading->failure)
        return;
    text_init(&text, &reading->workspace->arena);
    text_add_escaped(&text, bytes_of(path), LIMIT_DRIVER_MISTAKE_BYTES / 2);
    text_add(&text, *path ? ": " : "");
    text_add(&text, why);
    const char *whole = text_end(&text);
    reading->failure = whole ? lines_find(&reading->lines, offset, &position) : reading->workspace->arena.failure;
    if (reading->failure)
        return;
    reading->mistake->line = position.line;
    reading->mistake->column = position.column;
    snprintf(reading->mistake->text, sizeof reading->mistake->text, "%s", whole);
    reading->failure = FAILURE_SYNTAX;
}

/* Memory that lasts as long as the file: all zero. */
static void *keep(struct reading *reading, size_t count, size_t size)
{
    void *memory = reading->failure ? NULL : arena_alloc(&reading->file->arena, count * size);
    if (memory)
        memset(memory, 0, count * size);
    else if (!reading->failure)
        reading->failure = reading->file->arena.failure;
    return memory;
}

static const char *keep_text(struct reading *reading, const struct doc_node *node)
{
    if (!node || node->type != DOC_STRING)
        return NULL;
    char *copy = keep(reading, (size_t)node->count + 1, 1);
    if (copy)
        memcpy(copy, node->text, node->count);
    return copy;
}

static struct bytes keep_bytes(struct reading *reading, const struct doc_node *node)
{
    const char *text = keep_text(reading, node);
    return text ? bytes_of(text) : (struct bytes)BYTES("");
}

/* A list of texts, ended by NULL; NULL where there is none. */
static const char *const *keep_texts(struct reading *reading, const struct doc_node *list)
{
    uint32_t count = 0;
    const char **texts = list && list->type == DOC_ARRAY && list->count ? keep(reading, (size_t)list->count + 1, sizeof *texts) : NULL;
    if (texts)
        doc_each(list, element)
            texts[count++] = keep_text(reading, element);
    return reading->failure ? NULL : texts;
}

static bool is_true(const struct doc_node *object, const char *name)
{
    const struct doc_node *node = doc_member(object, name);
    return node && node->type == DOC_TRUE;
}

static int64_t integer_or(const struct doc_node *object, const char *name, int64_t otherwise)
{
    const struct doc_node *node = doc_member(object, name);
    int64_t value;
    return node && node->type == DOC_NUMBER && doc_integer(node, INT64_MIN, INT64_MAX, &value) ? value : otherwise;
}

/* ---- rows ---- */

static const struct parameter_need *keep_needs(struct reading *reading, const struct doc_node *needs)
{
    struct parameter_need *list = needs && needs->count ? keep(reading, (size_t)needs->count + 1, sizeof *list) : NULL;
    uint32_t count = 0;
    if (!list)
        return NULL;
    doc_each(needs, need) {
        const struct doc_node name = { .type = DOC_STRING, .text = need->name, .count = need->name_length };
        list[count++] = (struct parameter_need){ keep_text(reading, &name), keep_texts(reading, need) };
    }
    return list;
}

/* An expression that is none is refused here, so that it is no failure later. */
static void check_pattern(struct reading *reading, const struct doc_node *node, const char *pattern)
{
    const struct pattern *compiled;
    enum failure failure = pattern && !reading->failure ? workspace_pattern(reading->workspace, pattern, &compiled) : FAILURE_NONE;
    if (failure == FAILURE_PATTERN)
        say(reading, node->offset, "pattern", "is no regular expression of PCRE2");
    else if (failure)
        reading->failure = failure;
}

static enum parameter_type type_of(const struct doc_node *node)
{
    for (int i = 0; node && node->type == DOC_STRING && driver_file_types[i]; i++)
        if (bytes_equal_text(doc_text(node), driver_file_types[i]))
            return (enum parameter_type)i;
    return PARAMETER_STRING;
}

static void read_row(struct reading *reading, const struct doc_node *node, bool in_map, struct parameter *row)
{
    *row = (struct parameter){
        .name = keep_bytes(reading, doc_member(node, "name")),
        .type = type_of(doc_member(node, "type")),
        .list = is_true(node, "list"),
        .required = is_true(node, "required"),
        .unless = keep_texts(reading, doc_member(node, "unless")),
        .low = integer_or(node, "minimum", INT64_MIN),
        .high = integer_or(node, "maximum", INT64_MAX),
        .values = keep_texts(reading, doc_member(node, "enum")),
        .pattern = keep_text(reading, doc_member(node, "pattern")),
        .needs = keep_needs(reading, doc_member(node, "needs")),
        .deprecated = keep_text(reading, doc_member(node, "deprecated")),
        .since = keep_text(reading, doc_member(node, "since")),
    };
    if (in_map && (row->list || row->type == PARAMETER_OBJECT))
        say(reading, node->offset, "type", "parameters of a class are texts: neither objects nor lists");
    if (row->low > row->high)
        say(reading, node->offset, "minimum", "is more than the maximum");
    if (row->name.length == 1 && row->name.data[0] == '*')
        say(reading, node->offset, "name", "stands for every name: leave the table out");
    check_pattern(reading, doc_member(node, "pattern"), row->pattern);
}

static void read_table(struct reading *reading, const struct doc_node *node, struct parameters *table)
{
    const struct doc_node *list = doc_member(node, "rows");
    struct parameter *rows = keep(reading, list->count, sizeof *rows);
    *table = (struct parameters){
        .of = keep_text(reading, doc_member(node, "of")),
        .api_version = keep_text(reading, doc_member(node, "apiVersion")),
        .kind = keep_text(reading, doc_member(node, "kind")),
        .ignores_case = is_true(node, "ignoreCase"),
        .rows = rows,
    };
    bool devices = table->of && strcmp(table->of, of_devices) == 0;
    if (devices ? !table->kind != !table->api_version : table->kind || table->api_version)
        say(reading, node->offset, "parameters", devices ? "have both an apiVersion and a kind, or neither"
                                                         : "of a class have no apiVersion and kind");
    if (devices)
        table->of = NULL;
    doc_each(list, row)
        if (!reading->failure)
            read_row(reading, row, !devices, &rows[table->count++]);
}

/* ---- documents: the reader refuses those with repeated members ---- */

/* Checks members, types and limits by the tables above. */
static void check_document(struct reading *reading, const struct document *document)
{
    const struct check_request request = {
        .operation = CREATE,
        .version = MINOR_DEFAULT,
        .kind = &driver_kind,
        .document = document,
        .object = document->root,
        .unknown_fields = UNKNOWN_REFUSED,
        .hint = hint_add,
        .workspace = reading->workspace,
    };
    struct check_result result;
    object_bind(request.version, &driver_shape, document->root);
    reading->failure = validate_object(&request, &result);
    for (const struct finding *finding = result.findings.first; finding && !reading->failure; finding = finding->next)
        if (finding->severity == SEVERITY_ERROR)
            say(reading, finding->offset, finding->path, hint_finding_words(reading->workspace, finding));
}

/* Reads a document that has passed the checks. */
static void read_driver(struct reading *reading, const struct doc_node *root)
{
    const struct doc_node *list = doc_member(root, "parameters"), *name = doc_member(root, "name");
    struct drivers *drivers = &reading->file->drivers;
    struct driver *driver = keep(reading, 1, sizeof *driver);
    struct parameters *tables = keep(reading, list->count, sizeof *tables);
    if (reading->failure)
        return;
    *driver = (struct driver){ keep_bytes(reading, name), keep_text(reading, doc_member(root, "source")), tables, 0 };
    for (uint32_t i = 0; i < drivers->count; i++)
        if (bytes_equal(drivers->list[i]->name, driver->name))
            say(reading, name->offset, "name", "is that of a driver before it: write all of its parameters in one document");
    if (drivers->count == LIMIT_DRIVERS)
        say(reading, root->offset, "", "is one driver too many for a file, which may have 64");
    doc_each(list, table)
        if (!reading->failure)
            read_table(reading, table, &tables[driver->count++]);
    if (!reading->failure)
        reading->list[drivers->count++] = driver;
}

static void read_documents(struct reading *reading, struct bytes text)
{
    struct manifest manifest;
    bool more = true;
    manifest_init(&manifest, text, &reading->workspace->arena, reading->workspace->context->key);
    while (!reading->failure) {
        struct document document;
        struct doc_error error = { .message = NULL };
        enum failure failure = manifest_next(&manifest, &document, &more, &error);
        if (failure && error.message)
            say(reading, error.offset, "", error.message);
        else if (failure)
            reading->failure = failure;
        else if (!more)
            break;
        else if (document.root->type != DOC_NULL)
            check_document(reading, &document);
        if (!failure && !reading->failure && document.root->type != DOC_NULL)
            read_driver(reading, document.root);
    }
    if (!reading->file->drivers.count)
        say(reading, 0, "", "the file contains no driver");
}

enum failure driver_file_read(struct driver_file *file, struct workspace *workspace, struct bytes text, struct driver_mistake *mistake)
{
    struct reading reading = { .file = file, .workspace = workspace, .mistake = mistake };
    *file = (struct driver_file){ .drivers.count = 0 };
    arena_init(&file->arena, workspace->context->memory, LIMIT_DRIVER_ARENA_BYTES);
    lines_init(&reading.lines, workspace->context->memory, text);
    file->drivers.list = reading.list = keep(&reading, LIMIT_DRIVERS, sizeof *reading.list);
    if (text.length > LIMIT_DRIVER_FILE_BYTES)
        say(&reading, 0, "", "is larger than 1 MiB");
    if (!reading.failure)
        read_documents(&reading, text);
    lines_done(&reading.lines);
    workspace_clear(workspace);
    if (reading.failure)
        driver_file_done(file);
    return reading.failure;
}

void driver_file_done(struct driver_file *file)
{
    arena_done(&file->arena);
    file->drivers = (struct drivers){ NULL, 0 };
}
