/* The engine: judges one object by the tables of its kind, as an API server would on create, update or status update. */
#ifndef DRAWBRIDGE_CHECK_CHECK_H
#define DRAWBRIDGE_CHECK_CHECK_H

#include "check/context.h"
#include "check/finding.h"
#include "check/kind.h"
#include "check/objects.h"
#include "check/shape.h"
#include "doc/doc.h"

/* What a field that the kind does not have is: an API server drops it with a warning, or refuses it when asked to be strict. */
enum unknown_fields { UNKNOWN_IGNORED, UNKNOWN_WARNED, UNKNOWN_REFUSED };

struct check_request {
    enum operation operation;          /* CREATE, UPDATE or STATUS */
    minor version;                     /* of the API server to judge as */
    const struct kind *kind;           /* of object */
    const struct kind *old_kind;       /* of old; the same kind, perhaps in another API version */
    const struct document *document;   /* that holds object */
    const struct document *old_document; /* that holds old, perhaps the same; NULL on CREATE */
    const struct doc_node *object;     /* read with the guide of kind, or bound to its shape */
    const struct doc_node *old;        /* the same with old_kind; NULL on CREATE */
    uint32_t options;                  /* such as OLD_FROM_SERVER */
    enum unknown_fields unknown_fields; /* in object; skipped ones are not seen */
    bool default_gates;                /* say what an API server of that version drops unless a feature gate is turned on */
    bool hints;                        /* word what to write instead, where that is known */
    bool fields;                       /* findings say their field, too */
    const bool *only;                  /* by rule: other warnings, and all infos, are only counted; NULL: everything is kept */
    const bool *only_errors;           /* the same for errors */
    struct objects *objects;           /* that are judged together; NULL: rows about others say nothing */
    const struct object *self;         /* object, as they know it */
    struct worker *worker;             /* of this thread */
};

struct check_result {
    struct findings findings;
    bool undecodable;     /* the object has a value of a wrong type; the findings say where, and no rule was tried */
    bool old_undecodable; /* the same for the old object */
};

/* Judges. Findings are no failure; on FAILURE_MEMORY, FAILURE_LIMIT or FAILURE_PATTERN the result means nothing. */
enum failure check_object(const struct check_request *request, struct check_result *result) MUST_USE;

/* Only the first step of that: finds values of another JSON type than `shape` has, in any document. Findings go into
 * result->findings. */
enum failure check_types(struct worker *worker, const struct document *document, const struct shape *shape, const struct doc_node *node,
                         struct check_result *result) MUST_USE;

/* Whether an update changes nothing but the named members of metadata (ended by NULL; NULL: any). Both objects must have been
 * judged decodable. */
enum failure check_changes_only(const struct check_request *request, const char *const *names, bool *only) MUST_USE;

/* Whether a text holds what templates have and Kubernetes has not: {{, ${, or $NAME at its beginning. */
bool hint_is_template(struct bytes text);

/* Whether one text is a slip of the other: the same, or at most two edits away, in any case. */
bool hint_is_near(struct bytes a, struct bytes b);

/* The guide for a reader of objects, for a given version: state is the kind's shape. Fields that `version` does not know are
 * unknown fields. */
struct shape_guide {
    struct doc_guide guide; /* hand this to the reader */
    minor version;
};

void shape_guide_init(struct shape_guide *guide, minor version);

/* The same for a tree that was read without a guide: binds the members of `node` and below to the fields of `shape`. Belongs to
 * reading: nodes do not change after it. */
void shape_bind(minor version, const struct shape *shape, const struct doc_node *node);

/* The two functions of that guide, for guides that build on it. */
const void *shape_guide_member(minor version, const struct shape *shape, struct bytes name, uint16_t *field);
const void *shape_guide_element(const struct shape *shape);

#endif
