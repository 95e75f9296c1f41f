/* Inside review/: what excuses a finding in an update, because of the object that is stored. */
#ifndef DRAWBRIDGE_REVIEW_STORED_H
#define DRAWBRIDGE_REVIEW_STORED_H

#include "check/check.h"

/* What rules that are picked say about the old object by itself. */
struct stored_findings {
    const bool *rules;    /* by enum rule; others are left out, so that they do not crowd these out */
    bool judged, unknown; /* not all of its findings are known */
    struct set found;
};

/* About one update; .request, .result and both .rules are given, the rest is found out when it is first asked for. */
struct stored {
    const struct check_request *request; /* of an update, with an old object */
    const struct check_result *result;
    bool looked, any, warnings;     /* everything is excused; every warning is */
    struct stored_findings raised;  /* of rules that a policy names */
    struct stored_findings denying; /* of those whose warnings may deny; asked where the others are too many */
};

/* Whether the finding must not deny the update. May judge the old object by itself. */
enum failure stored_excuses(struct stored *stored, const struct finding *finding, bool *excused) MUST_USE;

#endif
