/* A source: the text of one file of manifests, with its documents and the objects in them. */
#ifndef DRAWBRIDGE_VALIDATE_SOURCE_H
#define DRAWBRIDGE_VALIDATE_SOURCE_H

#include "doc/lines.h"
#include "doc/manifest.h"
#include "validate/validate.h"

enum item_type {
    ITEM_OBJECT,     /* of a kind with rules: item->kind */
    ITEM_OTHER_KIND, /* of a kind or version without rules; has item->kind only if other objects may refer to it */
    ITEM_NO_OBJECT,  /* without apiVersion or kind: a values file, a patch */
    ITEM_UNREADABLE, /* text that cannot be read: item->error */
};

/* An object to validate or to skip, or an error; in the order of the text. */
struct item {
    struct item *next;
    enum item_type type;
    struct source *source;
    const struct document *document;
    const struct doc_node *node;
    const struct kind *kind;                            /* node is bound to its shape; NULL: unknown */
    struct bytes api_version, kind_name, space, name;   /* as written; space is metadata.namespace; empty if not written */
    struct doc_error error;
    bool is_paired;      /* an older one: there is a newer one of the same name */
    bool is_inner;       /* it stands in a value of a ConfigMap, whose item came before */
    bool is_template;    /* something must be filled in before it can be read, or before one knows its kind */
    const struct object *object;                        /* the same in the object set; NULL: it is in no set */
    const struct item *same;                            /* one of its group, kind, namespace and name that came before; NULL: none */
};

struct source {
    struct source *next, *before; /* in the list that it belongs to */
    const char *name;   /* for messages; not owned */
    uint32_t ordinal;   /* its number in that list, set by the list's owner; sorts problems */
    struct bytes text;  /* not owned */
    bool is_piece;      /* of a large file, whose other pieces have the same name */
    struct arena arena; /* owns documents and items */
    size_t bytes;       /* of memory that it takes, set by the list's owner */
    struct lines lines;
    const void *owner;  /* for the caller */
    struct item *first, *last;
    minor version;
    const struct kind *as; /* a kind with a role, whose rules its objects get; NULL: none */
    bool inside;        /* objects in ConfigMaps are items, too */
    struct range_report *range_report; /* for the owner of the list: see range.h; NULL: none was made */
};

/* How a source is read. */
struct source_options {
    minor version;
    const struct kind *as;  /* the kind with the role that was asked for; NULL: none */
    bool inside_configmaps; /* objects in the values of ConfigMaps are read, too */
};

/* The apiVersion and kind of an object; items of a list may inherit them: those of a CSIDriverList are CSIDrivers. */
struct heading {
    struct bytes api_version, kind;
};

/* A part of a large text: whole documents, or some of the items of a List. piece.h makes them. */
struct piece {
    struct bytes text;
    struct lines_before before;
    enum manifest_mode mode;
    bool items;             /* of a List: in YAML a sequence, in JSON values with commas between them */
    bool ends;              /* … the last of them */
    struct heading heading; /* … what they inherit */
};

/* The same as source_read for a piece of at most LIMIT_FILE_BYTES. Texts that objects need are copied: its text is only read again for
 * what is said about them. */
enum failure source_read_piece(struct source *source, const struct context *context, const char *name, const struct piece *piece,
                               const struct source_options *options) MUST_USE;

/* Whether an object is a List, whose items are objects: sets what they inherit. */
bool source_is_list(const struct doc_node *node, struct heading *of_items);

/* Reads all documents of `text`, YAML or JSON, and the items of Lists. The text has at most LIMIT_FILE_BYTES and must outlive the source.
 * Text that cannot be read, and an object of more than LIMIT_OBJECT_BYTES, is an
 * item, not a failure. FAILURE_MEMORY; FAILURE_LIMIT when the objects need more than LIMIT_SOURCE_BYTES. Call source_done after success
 * and failure. */
enum failure source_read(struct source *source, const struct context *context, const char *name, struct bytes text,
                         const struct source_options *options) MUST_USE;

/* How a source was read. */
struct source_options source_options_of(const struct source *source);

/* Binds the objects as an API server of another version reads them. */
void source_bind(struct source *source, minor version);

/* Does nothing to a zeroed source. */
void source_done(struct source *source);

#endif
