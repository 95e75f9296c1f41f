/* One text of manifests: its documents, and the objects in them. */
#ifndef DRAWBRIDGE_LINT_SOURCE_H
#define DRAWBRIDGE_LINT_SOURCE_H

#include "check/check.h"
#include "doc/lines.h"

enum item_type {
    ITEM_OBJECT,     /* of a kind with rules: item->kind */
    ITEM_OTHER_KIND, /* of a kind without rules, or of a version that is not known; item->kind where others may refer to it */
    ITEM_NO_OBJECT,  /* has no apiVersion and kind: a values file, a patch, nothing at all */
    ITEM_UNREADABLE, /* text that does not parse: item->error */
};

/* One thing to judge or to skip, in the order of the text. */
struct item {
    struct item *next;
    enum item_type type;
    struct source *source;
    const struct document *document;
    const struct doc_node *node;
    const struct kind *kind;                            /* of an object, bound to its shape; else NULL */
    struct bytes api_version, kind_name, space, name;   /* as written; space is metadata.namespace; empty where not written */
    struct doc_error error;
    const struct object *object;                        /* as those that are judged together know it; NULL: it is not one of them */
};

struct source {
    struct source *next, *before; /* in the list that it belongs to */
    const char *name;   /* for messages; not owned */
    uint32_t ordinal;   /* among sources whose problems are in one report; the caller's */
    struct bytes text;  /* not owned */
    struct arena arena; /* of documents and items */
    struct lines lines;
    struct item *first, *last;
    minor version;
    const struct kind *as; /* a kind with a role, as which its objects are judged; NULL: none */
};

/* Reads all documents of `text` (YAML or JSON; at most LIMIT_BODY_BYTES; must outlive the source), and expands Lists. as: the
 * kind with the role that was asked for, or NULL. Text that does not parse is an item, not a failure. FAILURE_MEMORY; FAILURE_LIMIT when the objects need more than LIMIT_ARENA_BYTES.
 * source_done is due in every case; of a zeroed source it does nothing. */
enum failure source_read(struct source *source, const struct context *context, const char *name, struct bytes text, minor version, const struct kind *as) MUST_USE;

void source_done(struct source *source);

/* Whether the line around `offset`, or one beside it, looks like a template that has not been rendered. */
bool source_is_template(const struct source *source, uint32_t offset);

#endif
