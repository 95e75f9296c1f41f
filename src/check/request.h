/* The input of the engine: what to validate, and how. */
#ifndef DRAWBRIDGE_CHECK_REQUEST_H
#define DRAWBRIDGE_CHECK_REQUEST_H

#include "check/context.h"
#include "doc/doc.h"
#include "schema/gate.h"
#include "schema/kind.h"
#include "schema/shape.h"

struct drivers;
struct evaluation;
struct finding;
struct hint;
struct object;
struct others;
struct trace;

/* What to do about fields that the kind does not have. An API server drops them with a warning, or refuses them
 * (fieldValidation=Strict). */
enum unknown_fields { UNKNOWN_IGNORED, UNKNOWN_WARNED, UNKNOWN_REFUSED };

struct check_request {
    enum operation operation;            /* CREATE, UPDATE or STATUS */
    minor version;                       /* of the API server whose verdict is wanted */
    const struct kind *kind;             /* of object */
    const struct kind *old_kind;         /* of old: perhaps in another API version; NULL: in one without rules, so old cannot be read */
    const struct document *document;     /* contains object */
    const struct document *old_document; /* contains old; perhaps the same document; NULL on CREATE */
    const struct doc_node *object;       /* bound to the shape of kind, by its reader or by object_bind() */
    const struct doc_node *old;          /* bound to the shape of old_kind; NULL on CREATE */
    uint32_t options;                    /* such as OLD_FROM_SERVER */
    enum unknown_fields unknown_fields;  /* in object, without values that the reader skipped */
    gate_set gates_off;                  /* the API server's: it drops their fields */
    gate_set expression_gates_off;       /* the same for what expressions may use */
    bool beyond_types;                   /* values of wrong types do not end it: what does not depend on them is checked, too */
    bool several_versions;               /* the object is validated as several of them: messages do not name this one */
    bool fields;                         /* set finding.field */
    const bool *warnings_wanted;         /* by enum rule; other warnings, and all infos, are only counted; NULL: all are kept */
    const bool *errors_wanted;           /* by enum rule; other errors are only counted; NULL: all are kept */
    void (*hint)(struct evaluation *eval, const struct hint *about, struct finding *finding); /* sets hint and fix; NULL: no hints */
    bool fixes;                          /* it sets the fix, too */
    struct others *others;               /* the other objects of the set; NULL: rows with NEEDS_SET do not run */
    const struct object *self;           /* object, as the set knows it */
    const struct drivers *drivers;       /* of the user's own files; NULL: none */
    const struct trace *trace;           /* told what becomes of each row; NULL: nobody is */
    struct workspace *workspace;         /* of this thread */
};

#endif
