/* Validating an object of a kind made up in a test, and comparing what was found with text. */
#ifndef DRAWBRIDGE_TESTS_VALIDATE_H
#define DRAWBRIDGE_TESTS_VALIDATE_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>

#include "base/limits.h"
#include "base/text.h"
#include "object/object.h"
#include "validate/validate.h"
#include "doc/json.h"
#include "validate/context.h"

/* Reads {"object": …, "old": …}; old only on UPDATE and STATUS. */
static inline const struct doc_node *validate_read(struct workspace *workspace, const struct kind *kind, minor version, const char *text, uint32_t start, struct document *document)
{
    struct object_schema schema;
    struct doc_error error;
    uint32_t end;
    object_schema_init(&schema, version);
    struct json_input input = { .source = bytes_of(text), .start = start, .alone = false, .profile = JSON_REVIEW, .schema = &schema.schema,
                                .state = kind->shape, .arena = &workspace->arena, .key = workspace->context->key };
    assert_int_equal(json_read(&input, document, &end, &error), FAILURE_NONE);
    return document->root;
}

/* "path: reason rule\n" for each finding, in order; "W " before a warning, "I " before an info, "!" behind one that counts only when clean. */
static inline const char *validate_lines(struct workspace *workspace, const struct findings *findings)
{
    struct text text;
    text_init(&text, &workspace->arena);
    for (const struct finding *finding = findings->first; finding; finding = finding->next) {
        text_add(&text, finding->severity == SEVERITY_WARNING ? "W " : finding->severity == SEVERITY_INFO ? "I " : "");
        text_add(&text, finding->path);
        text_add(&text, ": ");
        text_add(&text, reason_info(finding->reason)->cause + sizeof "FieldValue" - 1);
        text_add(&text, " ");
        text_add(&text, rule_info(finding->rule)->id);
        text_add(&text, "\n");
    }
    return text_end(&text);
}

/* Validates `object` (and `old`, when not NULL, from the same text: the old object's JSON follows the new one's) and compares. */
static inline void assert_validated(const struct shape *shape, enum operation operation, minor version, const char *object, const char *old, const char *expected)
{
    const struct kind kind = { .group = BYTES("test"), .version = BYTES("v1"), .kind = BYTES("Test"), .resource = BYTES("tests"), .shape = shape, .traits = 1 };
    struct context context;
    struct workspace workspace;
    struct check_result result;
    struct document document = { 0 }, first = { 0 };
    static char source[1 << 20];
    int length = snprintf(source, sizeof source, "%s\n%s", object, old ? old : "");
    assert_true(length > 0 && (size_t)length < sizeof source);
    assert_int_equal(context_init(&context, &memory_malloc), FAILURE_NONE);
    assert_int_equal(workspace_init(&workspace, &context), FAILURE_NONE);
    struct check_request request = { .operation = operation, .version = version, .kind = &kind, .old_kind = &kind, .workspace = &workspace };
    request.object = validate_read(&workspace, &kind, version, source, 0, &first);
    document = first;
    if (old) {
        request.old = validate_read(&workspace, &kind, version, source, (uint32_t)strlen(object), &document);
        document.has_duplicates |= first.has_duplicates;
    }
    request.document = request.old_document = &document;
    assert_int_equal(validate_object(&request, &result), FAILURE_NONE);
    assert_string_equal(validate_lines(&workspace, &result.findings), expected);
    workspace_done(&workspace);
    context_done(&context);
}

#endif
