/* Fields of a kind by their path, and what the rows say about them. */
#ifndef DRAWBRIDGE_LSP_FIELDS_H
#define DRAWBRIDGE_LSP_FIELDS_H

#include "base/text.h"
#include "schema/explain.h"

/* The shape of a member of a value of that shape, and its field; the elements of lists, and the values of maps, are their members, too.
 * NULL: it has none of that name in that version. */
const struct shape *fields_member(const struct shape *shape, struct bytes name, minor version, const struct field **field);

/* The shape below all lists around it; NULL for NULL. */
const struct shape *fields_element(const struct shape *shape);

/* The constraints of one field. Paths are plain, as explain_plain_path() makes them: spec.drivers.name. */
struct field_rows {
    const char *path;
    minor version;
    struct text *text;              /* NULL: no words are wanted */
    const char *const *values;      /* of the first row that lists what is allowed; NULL: none does */
    const struct shape *shape;      /* NULL: there is no such field */
};

/* Adds what is to be said about the field in Markdown, and finds its values. */
enum failure fields_describe(const struct kind *kind, struct arena *arena, struct field_rows *rows) MUST_USE;

#endif
