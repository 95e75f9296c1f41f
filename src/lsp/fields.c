#include "lsp/fields.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

enum { PATH_BYTES = 512 };

const struct shape *fields_element(const struct shape *shape)
{
    while (shape && shape->type == SHAPE_LIST)
        shape = shape->of;
    return shape;
}

const struct shape *fields_member(const struct shape *shape, struct bytes name, minor version, const struct field **field)
{
    *field = NULL;
    shape = fields_element(shape);
    if (shape && shape->type == SHAPE_MAP)
        return shape->of;
    for (uint16_t i = 0; shape && shape->type == SHAPE_OBJECT && i < shape->field_count; i++) {
        const struct field *candidate = &shape->fields[i];
        if (bytes_equal(candidate->name, name) && versions_include(candidate->versions, version)) {
            *field = candidate;
            return candidate->shape;
        }
    }
    return NULL;
}

/* ---- rows in words ---- */

struct description {
    struct field_rows *rows;
    struct arena *arena;
    const char *source;
};

static void add_heading(struct description *description, const struct constraint *constraint)
{
    struct text *text = description->rows->text;
    const char *type = explain_type(constraint->shape, description->arena);
    text_add(text, "**");
    text_add(text, constraint->field);
    text_add(text, "** ");
    text_add(text, type ? type : "");
    if (constraint->gate) {
        text_add(text, ", feature gate ");
        text_add(text, constraint->gate);
    }
    if (constraint->default_value) {
        text_add(text, constraint->defaulted ? "\n\nDefault: `" : "\n\nUnset means `");
        text_add(text, constraint->default_value);
        text_add(text, "`");
    }
    text_add(text, "\n");
}

static void add_row(struct description *description, const struct constraint *constraint)
{
    struct text *text = description->rows->text;
    text_add(text, "\n- ");
    if (constraint->severity != SEVERITY_ERROR) {
        text_add(text, severity_word(constraint->severity));
        text_add(text, ": ");
    }
    text_add(text, constraint->asks);
    text_add(text, *constraint->when ? ", " : "");
    text_add(text, constraint->when);
    text_add(text, " `");
    text_add(text, rule_info(constraint->rule)->id);
    text_add(text, "`");
}

static void visit(void *self, const struct constraint *constraint)
{
    struct description *description = self;
    struct field_rows *rows = description->rows;
    char plain[PATH_BYTES];
    explain_plain_path(plain, sizeof plain, constraint->field);
    if (strcmp(plain, rows->path) != 0 || !versions_include(constraint->versions, rows->version))
        return;
    bool first = !rows->shape;
    if (first)
        rows->shape = constraint->shape;
    if (!rows->values && constraint->rule != RULE_TYPE)
        rows->values = explain_arguments(constraint).values;
    if (!rows->text)
        return;
    if (first)
        add_heading(description, constraint);
    if (constraint->rule != RULE_TYPE)
        add_row(description, constraint);
    description->source = constraint->source;
}

enum failure fields_describe(const struct kind *kind, struct arena *arena, struct field_rows *rows)
{
    struct description description = { rows, arena, NULL };
    rows->values = NULL;
    rows->shape = NULL;
    enum failure failure = explain_kind(kind, arena, visit, &description);
    if (rows->text && description.source) {
        text_add(rows->text, "\n\nSource: ");
        text_add(rows->text, description.source);
    }
    return failure;
}
