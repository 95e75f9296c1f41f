/* A file of Kubernetes objects, cut into documents as kubectl cuts it: JSON values, or YAML between lines that begin with ---.
 * After k8s.io/apimachinery v0.35.4, pkg/util/yaml, YAMLOrJSONDecoder. */
#ifndef DRAWBRIDGE_DOC_MANIFEST_H
#define DRAWBRIDGE_DOC_MANIFEST_H

#include "base/failure.h"
#include "base/set.h"
#include "doc/doc.h"

enum manifest_mode {
    MANIFEST_START,
    MANIFEST_JSON,
    MANIFEST_YAML,
    MANIFEST_END,
};

/* Reads documents one after another. All but `source` is its own. */
struct manifest {
    struct bytes source; /* not owned; every offset counts from its start */
    struct arena *arena; /* not owned */
    struct set_key key;
    enum manifest_mode mode;
    uint32_t at;          /* what has not been read begins here */
    uint32_t json_values; /* read so far */
};

/* Nothing of the manifest itself lives in the arena: it may be cleared between two documents, which ends the tree of the first. */
void manifest_init(struct manifest *manifest, struct bytes source, struct arena *arena, struct set_key key);

/* Reads the next document. On FAILURE_NONE *more tells whether there was one; document->root is of type DOC_NULL for a document
 * without content, which kubectl passes over. On FAILURE_SYNTAX, FAILURE_LIMIT and FAILURE_MEMORY *error says what and where. kubectl
 * stops at the first failure; another call goes on with the next part of YAML, or ends when what follows cannot be told. Each call
 * gets on, and after as many as there are bytes in the source *more is false. */
enum failure manifest_next(struct manifest *manifest, struct document *document, bool *more, struct doc_error *error) MUST_USE;

#endif
