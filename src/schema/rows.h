/* All that a table in rules/ includes: the words for shapes and fields here, those for checks and conditions in the headers below.
 *
 *     static const struct field token_request_fields[] = {
 *         FIELD("audience",          STRING),
 *         FIELD("expirationSeconds", INT64, POINTER, CHECKS(RANGE(600, 4294967296))),
 *     };
 *     static const struct shape token_request = OBJECT(token_request_fields); */
#ifndef DRAWBRIDGE_SCHEMA_ROWS_H
#define DRAWBRIDGE_SCHEMA_ROWS_H

#include "schema/cel.h"
#include "schema/checks.h"
#include "schema/predicates.h"
#include "schema/shape.h"

/* ---- shapes ---- */

#define STRING   (&shape_string)
#define BOOL     (&shape_bool)
#define INT32    (&shape_int32)
#define INT64    (&shape_int64)
#define QUANTITY (&shape_quantity)
#define TIME     (&shape_time)
#define RAW      (&shape_raw)

/* Inside a row: STRING_WITH(check...), RAW_WITH(check...), QUANTITY_WITH(check...); QUANTITY_IN_MILLI, which the API server rounds up to
 * thousandths. */
#define STRING_WITH(...)   (&(const struct shape){ SHAPE_OF(STRING), CHECKS(__VA_ARGS__) })
#define RAW_WITH(...)      (&(const struct shape){ SHAPE_OF(RAW), CHECKS(__VA_ARGS__) })
#define QUANTITY_WITH(...) (&(const struct shape){ SHAPE_OF(QUANTITY), CHECKS(__VA_ARGS__) })
#define QUANTITY_IN_MILLI  (&(const struct shape){ SHAPE_OF(QUANTITY), .milli = true })

/* Inside a row: LIST(of), MAP(of), with modifiers. UNINDEXED_UNTIL(minor): up to that version, elements are reported without their index.
 * PAIRED_BY("member"): that member pairs each element with its old counterpart; PAIRED_BY_KEY: keys pair the entries of a map. KEYS_CUT(n):
 * where they are reported, keys of more than n bytes are cut in the middle. */
#define LIST(...)              LIST_OF_(__VA_ARGS__, )
#define LIST_OF_(element, ...) (&(const struct shape){ SHAPE_OF(LIST), .of = (element), __VA_ARGS__ })
#define MAP(...)               MAP_OF_(__VA_ARGS__, )
#define MAP_OF_(value, ...)    (&(const struct shape){ SHAPE_OF(MAP), .of = (value), __VA_ARGS__ })
#define UNINDEXED_UNTIL(minor) .unindexed_until = (minor)
#define PAIRED_BY(member)      .paired = (member)
#define PAIRED_BY_KEY          .paired = ""
#define KEYS_CUT(bytes)        .key_bytes = (bytes)

/* An object shape: OBJECT(table of fields) or OBJECT(table, CHECKS(...)) for rules between its members. */
#define OBJECT(...)            OBJECT_(__VA_ARGS__, )
#define OBJECT_(table, ...)    { SHAPE_OF(OBJECT), .fields = (table), .field_count = sizeof(table) / sizeof *(table), __VA_ARGS__ }

/* Inside OBJECT. CONVERTS_TO(&shape), DEFAULTS_IF("member", minor): of an API version with other members than the one in which rules are
 * written. FLATTENED_FROM("name"): of the other one. See struct shape. */
#define CONVERTS_TO(shape)   .converts_to = (shape)
#define DEFAULTS_IF(member, minor) .defaults_if = (member), .defaults_if_since = (minor)
#define FLATTENED_FROM(name) .flattened_from = (name)

/* SOURCE("document or file, with version"): of an object shape, or of a single check that is from elsewhere. */
#define SOURCE(text) .source = (text)

/* ---- fields ---- */

/* FIELD("name as in JSON", shape, modifiers...) */
#define FIELD(...)                          FIELD_(__VA_ARGS__, )
#define FIELD_(json_name, value_shape, ...) { .name = BYTES(json_name), .shape = (value_shape), __VA_ARGS__ }

/* The first and last minor version with a field or a check. */
#define SINCE(minor) .versions.since = (minor)
#define UNTIL(minor) .versions.until = (minor)

/* Of a field `status`: the first minor version that has it. An update of the status that comes from an older API server, which has no such
 * subresource, comes from a newer one, and is validated all the same. */
#define STATUS_SINCE(minor) .status_since = (minor)

/* See struct field. */
#define POINTER            .pointer = true
#define SEGMENT(name)      .segment = (name)
#define GATE(name)         .gate = (name)
#define GATED_SINCE(minor) .gated_since = (minor)
#define UNSET_MEANS(words) .unset_means = (words)
#define FLATTENED          .flattened = true
#define EMPTY_IS_UNSET     .empty_is_unset = true

/* What happens to the member before it is checked: DROP or one of KEEP_OLD…; PREPARED(function), on status updates. */
#define ON_CREATE(prepare) .on[CREATE] = (prepare)
#define ON_UPDATE(prepare) .on[UPDATE] = (prepare)
#define ON_STATUS(prepare) .on[STATUS] = (prepare)
#define PREPARED(function) .prepare = (function)

/* DEFAULT(constant) for an unset pointer or a zero value, DEFAULT_IF(conditions) only then; DEFAULT_NOW: the time of the write. */
#define DEFAULT(node)   .default_value = &(const struct doc_node)node
#define DEFAULT_IF(...) .default_if = (const struct predicate[])PREDICATE_LIST(__VA_ARGS__)
#define DEFAULT_NOW     .is_now = true

/* Constants for DEFAULT. */
#define NUMBER(literal)      { .type = DOC_NUMBER, .flags = DOC_IMPLIED, .text = (literal), .count = sizeof(literal) - 1 }
#define TEXT(literal)        { .type = DOC_STRING, .flags = DOC_IMPLIED, .text = (literal), .count = sizeof(literal) - 1 }
#define FALSE_VALUE          { .type = DOC_FALSE, .flags = DOC_IMPLIED }
#define TRUE_VALUE           { .type = DOC_TRUE, .flags = DOC_IMPLIED }
#define LIST_OF_ONE(literal) { .type = DOC_ARRAY, .flags = DOC_IMPLIED, .count = 1, .first = (const struct doc_node[]){ TEXT(literal) } }

#endif
