/* Validates one object by the tables of its kind, as an API server does on create, update or status update. */
#ifndef DRAWBRIDGE_VALIDATE_VALIDATE_H
#define DRAWBRIDGE_VALIDATE_VALIDATE_H

#include "check/finding.h"
#include "check/request.h"

struct check_result {
    struct findings findings;
    bool undecodable;     /* the object has a value of a wrong type: the findings say where, and no rule was checked, but for
                           * those that request.beyond_types lets pass */
    bool old_undecodable; /* the same for the old object */
};

/* Validates the object. Findings are not failures. After a failure (memory, limit, pattern, internal) the result must not be used. */
enum failure validate_object(const struct check_request *request, struct check_result *result) MUST_USE;

/* Only the first stage, for any document: finds values that do not have the type of their shape. Paths are as that version writes them. */
enum failure validate_types(struct workspace *workspace, const struct document *document, const struct shape *shape,
                            const struct doc_node *node, minor version, struct check_result *result) MUST_USE;

/* Sets *only to whether an update changes nothing but the named members of metadata (ended by NULL; NULL: all members). Both objects must
 * have passed the first stage. */
enum failure validate_changes_only(const struct check_request *request, const char *const *names, bool *only) MUST_USE;

#endif
