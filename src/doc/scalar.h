/* What a YAML scalar means to Kubernetes: which plain words are booleans, nulls and numbers, and how those are written in JSON. Follows
 * go.yaml.in/yaml/v2 v2.4.3 (resolve.go), sigs.k8s.io/yaml v1.6.0 and encoding/json. */
#ifndef DRAWBRIDGE_DOC_SCALAR_H
#define DRAWBRIDGE_DOC_SCALAR_H

#include <stdbool.h>
#include <stddef.h>

#include "base/bytes.h"

enum scalar_type { SCALAR_STRING, SCALAR_NULL, SCALAR_BOOLEAN, SCALAR_INTEGER, SCALAR_FLOAT };

struct scalar {
    enum scalar_type type;
    struct bytes text;  /* of a string */
    bool truth;         /* of a boolean */
    bool negative;      /* of an integer */
    uint64_t magnitude; /* of an integer */
    double number;      /* of a float; may be infinite or NaN */
};

/* How a scalar is to be read. */
enum scalar_tag {
    SCALAR_PLAIN, /* no tag, not quoted: its text decides */
    SCALAR_TAG_BOOL,
    SCALAR_TAG_INT,
    SCALAR_TAG_FLOAT,
    SCALAR_TAG_NULL,
    SCALAR_TAG_TIMESTAMP,
    SCALAR_TAG_BINARY,
    SCALAR_TAG_OTHER, /* !!str, an unknown tag, or quoted: always a string */
};

/* The meaning of a tag, which libyaml has expanded ("tag:yaml.org,2002:int"). */
enum scalar_tag scalar_tag_of(const char *tag);

/* Reads `text`, which contains no NUL. A string's text is `text` itself; SCALAR_TAG_BINARY is not decoded. Returns false when the text is
 * not of the tag's type. */
bool scalar_resolve(struct bytes text, enum scalar_tag tag, struct scalar *scalar);

enum { SCALAR_NUMBER_BYTES = 40 };

/* Writes an integer or finite float in JSON to `out`, which has room for SCALAR_NUMBER_BYTES. Returns the number of bytes. */
size_t scalar_write_number(const struct scalar *scalar, char *out);

/* The member name of a scalar that is a key: a string's text, or the value written to `out`, which has room for SCALAR_NUMBER_BYTES.
 * Returns false for what cannot be a key: null, and integers of 2^63 and more. */
bool scalar_name(const struct scalar *scalar, char *out, struct bytes *name);

/* Decodes base64 to `out`, which has room for text.length bytes. Returns false when it is not base64 with padding. */
bool scalar_decode_binary(struct bytes text, char *out, size_t *length);

#endif
