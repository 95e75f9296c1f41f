/* A file of Kubernetes objects, split into documents as kubectl splits it: JSON values, or YAML between lines that begin with ---.
 * Follows k8s.io/apimachinery v0.35.4, pkg/util/yaml, YAMLOrJSONDecoder. */
#ifndef DRAWBRIDGE_DOC_MANIFEST_H
#define DRAWBRIDGE_DOC_MANIFEST_H

#include "base/failure.h"
#include "base/map.h"
#include "doc/doc.h"

enum manifest_mode {
    MANIFEST_START,
    MANIFEST_JSON,
    MANIFEST_YAML,
    MANIFEST_END,
};

/* With so many JSON values before it, what follows is JSON. */
enum { MANIFEST_ONLY_JSON = 2 };

/* Reads documents one after another. */
struct manifest {
    struct bytes source; /* not owned; every offset counts from its start; at most LIMIT_FILE_BYTES */
    struct arena *arena; /* not owned */
    struct map_key key;
    enum manifest_mode mode;
    uint32_t at;          /* offset of the rest, which has not been read */
    uint32_t json_values; /* number of JSON values read so far */
};

/* The arena holds only the trees of documents, so it may be cleared between two documents. */
void manifest_init(struct manifest *manifest, struct bytes source, struct arena *arena, struct map_key key);

/* Reads the next document. On FAILURE_NONE *more says whether there was one; the root of a document without content, which kubectl skips,
 * has type DOC_NULL. On any other failure *error says what is wrong and where. kubectl stops at the first failure; here the next call
 * continues with the next part of YAML, or ends the file when it is unclear where the next document begins. Every call consumes input, so
 * *more is false after at most as many calls as the source has bytes. */
enum failure manifest_next(struct manifest *manifest, struct document *document, bool *more, struct doc_error *error) MUST_USE;

#endif
