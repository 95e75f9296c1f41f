/* Inside review/: when an error may deny a request. */
#ifndef DRAWBRIDGE_REVIEW_POLICY_H
#define DRAWBRIDGE_REVIEW_POLICY_H

#include "review/review.h"

/* Whether the errors in `result` may deny the request under `policy`; otherwise they are warnings. */
enum failure policy_may_deny(enum review_policy policy, const struct check_request *request, const struct check_result *result, bool *deny) MUST_USE;

#endif
