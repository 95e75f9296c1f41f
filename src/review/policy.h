/* Inside review/: decides what a finding does to the request. */
#ifndef DRAWBRIDGE_REVIEW_POLICY_H
#define DRAWBRIDGE_REVIEW_POLICY_H

#include "review/review.h"

/* The name of a namespace, or a prefix of such names. */
struct namespace_pattern {
    struct bytes text; /* without the star */
    bool is_prefix;    /* written with a star */
};

struct policy_kind {
    struct bytes kind, group;
    bool any_group;
};

/* What lint makes of a finding, beginning as enum severity does. */
enum level {
    LEVEL_ERROR = SEVERITY_ERROR,
    LEVEL_WARNING = SEVERITY_WARNING,
    LEVEL_INFO = SEVERITY_INFO,
    LEVEL_OFF,
    LEVELS
};

/* One policy of a configuration. A finding must match all its lists. An empty list (count 0, rules NULL) matches everything. */
struct policy {
    const struct namespace_pattern *namespaces; /* objects without a namespace match none of them */
    const struct policy_kind *kinds;
    const bool *rules;          /* by enum rule; NULL: every rule, and warnings are not raised to denials */
    const struct bytes *fields; /* a field matches if it is one of these or below it; without indexes */
    const struct bytes *paths;  /* patterns of .gitignore, for lint */
    uint32_t namespace_count, kind_count, field_count, path_count;
    bool has_mode;              /* otherwise it does not apply to reviews */
    enum enforcement mode;
    bool has_severity;          /* for lint, as is the rest */
    enum level severity;
    bool locked;
};

/* In order: the first policy that matches decides. */
struct policies {
    const struct policy *list;
    uint32_t count;   /* at most LIMIT_POLICIES */
    bool have_fields; /* some policy lists fields */
};

/* Whether a policy's lists match the namespace (empty: none), the kind, the field (without indexes). */
bool policy_matches_namespace(const struct policy *policy, struct bytes space);
bool policy_matches_kind(const struct policy *policy, const struct kind *kind);
bool policy_matches_field(const struct policy *policy, const char *field);

/* A request for what these settings say of the API server; the caller adds operation and objects. */
struct check_request policy_request(const struct review_settings *settings, struct workspace *workspace);

/* Decides about every finding of `result`, and sets the members of *review that follow from it: findings, answers, counts and outcome.
 * space: the request's namespace, empty for none. May validate the object again, and the old object by itself. */
enum failure policy_answer(const struct review_settings *settings, struct bytes space, const struct check_request *request,
                           const struct check_result *result, struct review *review) MUST_USE;

#endif
