/* Inside review/: what a finding does to the request. */
#ifndef DRAWBRIDGE_REVIEW_POLICY_H
#define DRAWBRIDGE_REVIEW_POLICY_H

#include "review/review.h"

/* A namespace, or how the names of several begin. */
struct namespace_pattern {
    struct bytes text; /* without the star */
    bool begins;       /* with a star */
};

struct policy_kind {
    struct bytes kind, group;
    bool any_group;
};

/* One policy of a configuration. What a list leaves out fits; a list that is not there (count 0) fits everything. */
struct policy {
    const struct namespace_pattern *namespaces; /* of namespaced kinds only */
    const struct policy_kind *kinds;
    const bool *rules;          /* by enum rule; NULL: every rule, and warnings are not raised to denials */
    const struct bytes *fields; /* the field and all below it; without indexes */
    uint32_t namespace_count, kind_count, field_count;
    enum review_mode mode;
};

/* In their order; the first that fits decides. */
struct policies {
    const struct policy *list;
    uint32_t count;     /* at most LIMIT_POLICIES */
    bool have_fields;   /* some policy has */
};

/* Decides about every finding of `result` and fills what of *review comes from that: findings, answers, counts and outcome.
 * space: the request's namespace, empty for none. May judge once more, and the old object by itself. */
enum failure policy_answer(const struct review_settings *settings, struct bytes space, const struct check_request *request,
                           const struct check_result *result, struct review *review) MUST_USE;

#endif
