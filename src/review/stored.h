/* Inside review/: decides whether the stored object excuses a finding in an update, so that it must not deny. */
#ifndef DRAWBRIDGE_REVIEW_STORED_H
#define DRAWBRIDGE_REVIEW_STORED_H

#include "validate/validate.h"

/* The findings of some rules in the old object by itself. */
struct stored_findings {
    const bool *rules; /* by enum rule; findings of other rules are not kept, because they could crowd these out */
    bool validated;    /* the old object has been validated */
    bool unknown;      /* some of its findings are not known */
    struct map found;
};

/* The excuses of one update. The caller sets request, result and both rules; the rest is computed when it is first needed. */
struct stored {
    const struct check_request *request; /* of an update, with an old object */
    const struct check_result *result;
    bool classified;                /* the next two members are set */
    bool excuses_all;               /* every finding is excused */
    bool excuses_warnings;          /* every warning is excused */
    struct stored_findings raised;  /* of rules that a policy names */
    struct stored_findings denying; /* of rules whose warnings may deny; used when `raised` has too many findings */
};

/* Sets *excused to whether the finding must not deny the update. May validate the old object by itself. */
enum failure stored_excuses(struct stored *stored, const struct finding *finding, bool *excused) MUST_USE;

#endif
