#include "review/part.h"

#include "base/text.h"
#include "doc/json.h"
#include "object/object.h"
#include "review/limits.h"

enum failure part_read(struct workspace *workspace, minor version, const struct shape *shape, struct bytes source, uint32_t start,
                       struct document *document, struct doc_error *error)
{
    struct object_schema schema;
    uint32_t end;
    object_schema_init(&schema, version);
    const struct json_input input = {
        .source = source,
        .start = start,
        .alone = true,
        .profile = JSON_REVIEW,
        .schema = &schema.schema,
        .state = shape,
        .arena = &workspace->arena,
        .key = workspace->context->key,
    };
    return json_read(&input, document, &end, error);
}

enum failure part_check_types(struct workspace *workspace, const struct document *document, const struct shape *shape, const char *what,
                              struct doc_error *error)
{
    struct check_result result;
    struct text text;
    enum failure failure = validate_types(workspace, document, shape, document->root, MINOR_NEWEST, &result);
    const struct finding *finding = failure ? NULL : result.findings.first;
    if (!finding)
        return failure;
    text_init(&text, &workspace->arena);
    text_add_escaped(&text, bytes_of(*finding->path ? finding->path : what), LIMIT_MESSAGE_BYTES);
    text_add(&text, ": ");
    text_add(&text, finding->message);
    *error = (struct doc_error){ .message = text_end(&text), .offset = finding->offset };
    return error->message ? FAILURE_INPUT : workspace->arena.failure;
}
