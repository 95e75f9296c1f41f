/* What a YAML scalar means to Kubernetes: which plain words are booleans, nulls and numbers, and how they are then written in
 * JSON. After go.yaml.in/yaml/v2 v2.4.3 (resolve.go), sigs.k8s.io/yaml v1.6.0 and encoding/json. */
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
    double number;      /* of a float, which may be infinite or no number */
};

/* How a scalar asks to be read. */
enum scalar_tag {
    SCALAR_PLAIN, /* no tag, not quoted: by its looks */
    SCALAR_TAG_BOOL,
    SCALAR_TAG_INT,
    SCALAR_TAG_FLOAT,
    SCALAR_TAG_NULL,
    SCALAR_TAG_TIMESTAMP,
    SCALAR_TAG_BINARY,
    SCALAR_TAG_OTHER, /* !!str, an unknown tag, or quoted: a string, whatever it looks like */
};

/* The meaning of a tag as libyaml gives it. */
enum scalar_tag scalar_tag_of(const char *tag);

/* Reads `text`, which holds no NUL; a string keeps pointing to it. Not for SCALAR_TAG_BINARY. Returns false when the tag does not
 * fit the text. */
bool scalar_resolve(struct bytes text, enum scalar_tag tag, struct scalar *scalar);

enum { SCALAR_NUMBER_BYTES = 40 };

/* Writes an integer or finite float as JSON into `out`, which has room for SCALAR_NUMBER_BYTES. Returns the number of bytes. */
size_t scalar_write_number(const struct scalar *scalar, char *out);

/* The name that a scalar makes as a key: itself if it is a string; else written into `out` as above. Returns false for what cannot be
 * a key: null, and integers of 2^63 and more. */
bool scalar_name(const struct scalar *scalar, char *out, struct bytes *name);

/* Decodes base64 into `out`, which has room for text.length bytes. Returns false when it is not base64 with its padding. */
bool scalar_decode_binary(struct bytes text, char *out, size_t *length);

#endif
