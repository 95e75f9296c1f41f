/* Inside review/: what excuses a finding in an update, because of the object that is stored. */
#ifndef DRAWBRIDGE_REVIEW_STORED_H
#define DRAWBRIDGE_REVIEW_STORED_H

#include "check/check.h"

/* About one update; .request and .result are given, the rest is found out when it is first asked for. */
struct stored {
    const struct check_request *request; /* of an update, with an old object */
    const struct check_result *result;
    const bool *raised;         /* rules, by enum rule, whose warnings may deny */
    bool looked, any, warnings; /* everything is excused; every warning is */
    bool judged, unknown;       /* the old object by itself; not all of its findings are known */
    struct set found;           /* what was found in it */
};

/* Whether the finding must not deny the update. May judge the old object by itself. */
enum failure stored_excuses(struct stored *stored, const struct finding *finding, bool *excused) MUST_USE;

#endif
