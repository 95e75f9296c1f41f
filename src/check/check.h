/* The engine: judges one object by the tables of its kind, as an API server would on create, update or status update. */
#ifndef DRAWBRIDGE_CHECK_CHECK_H
#define DRAWBRIDGE_CHECK_CHECK_H

#include "check/context.h"
#include "check/finding.h"
#include "check/kind.h"
#include "check/shape.h"
#include "doc/doc.h"

struct check_request {
    enum operation operation;          /* CREATE, UPDATE or STATUS */
    minor version;                     /* of the API server to judge as */
    const struct kind *kind;           /* of object */
    const struct kind *old_kind;       /* of old; the same kind, perhaps in another API version */
    const struct document *document;   /* that holds both */
    const struct doc_node *object;     /* read with the guide of kind */
    const struct doc_node *old;        /* read with the guide of old_kind; NULL on CREATE */
    uint32_t options;                  /* such as OLD_FROM_SERVER */
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

/* Whether an update changes nothing but the named members of metadata (ended by NULL). Both objects must have been judged
 * decodable. */
enum failure check_changes_only(const struct check_request *request, const char *const *names, bool *only) MUST_USE;

/* The guide for a reader of objects, for a given version: state is the kind's shape. Fields that `version` does not know are
 * unknown fields. */
struct shape_guide {
    struct doc_guide guide; /* hand this to the reader */
    minor version;
};

void shape_guide_init(struct shape_guide *guide, minor version);

/* The two functions of that guide, for guides that build on it. */
const void *shape_guide_member(minor version, const struct shape *shape, struct bytes name, uint16_t *field);
const void *shape_guide_element(const struct shape *shape);

#endif
