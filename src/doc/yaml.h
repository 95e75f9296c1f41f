/* The YAML reader: reads one document into the tree, as Kubernetes understands it. yaml_simple.c reads what is simple; all else libyaml
 * parses into events. What these mean is decided here, by the rules of sigs.k8s.io/yaml v1.6.0 on go.yaml.in/yaml/v2 v2.4.3. What those
 * lose silently is refused here. */
#ifndef DRAWBRIDGE_DOC_YAML_H
#define DRAWBRIDGE_DOC_YAML_H

#include "base/failure.h"
#include "base/map.h"
#include "doc/doc.h"

struct yaml_input {
    struct bytes source; /* the whole file: offsets count from its start; at most LIMIT_FILE_BYTES */
    uint32_t start, end; /* the document's part of it */
    bool items;          /* it is a sequence of items of a List: LIMIT_NODES holds for each of them */
    bool by_events;      /* libyaml reads it, however simple it is; only tests ask for that */
    struct arena *arena; /* for nodes and decoded strings */
    struct map_key key;
};

/* Reads the one document of a part. On FAILURE_NONE document->root is set; its type is DOC_NULL when the part has no content. On any
 * other failure *error says what is wrong and where. The tree points into source and arena. Aliases and merges become copies with the
 * offsets of the anchored text. An empty value has size 0. libyaml takes its own memory from malloc, in proportion to the longest scalar,
 * and frees it. */
enum failure yaml_read(const struct yaml_input *input, struct document *document, struct doc_error *error) MUST_USE;

#endif
