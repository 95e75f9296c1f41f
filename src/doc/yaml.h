/* The YAML reader: one document into the tree, as Kubernetes understands it. libyaml finds the events; what they mean is decided here.
 * The rules are those of sigs.k8s.io/yaml v1.6.0 on go.yaml.in/yaml/v2 v2.4.3; where those lose something in silence, this refuses. */
#ifndef DRAWBRIDGE_DOC_YAML_H
#define DRAWBRIDGE_DOC_YAML_H

#include "base/failure.h"
#include "base/set.h"
#include "doc/doc.h"

struct yaml_input {
    struct bytes source; /* the whole file: offsets count from its start; at most LIMIT_BODY_BYTES */
    uint32_t start, end; /* the document's part of it */
    struct arena *arena; /* for nodes and decoded strings */
    struct set_key key;
};

/* Reads the one document of a part. On FAILURE_NONE document->root is set, of type DOC_NULL when the part has no content. On any
 * other *error says what and where. The tree points into source and arena. What an alias or a merge brings in is a copy whose
 * offsets are those of the anchored text. An empty value has size 0. libyaml's own memory, in proportion to the longest scalar, is
 * from malloc and given back. */
enum failure yaml_read(const struct yaml_input *input, struct document *document, struct doc_error *error) MUST_USE;

#endif
