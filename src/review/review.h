/* AdmissionReviews (admission.k8s.io/v1): turns the bytes of a request into a verdict, and a verdict into the bytes of a response. No
 * sockets and no files here: the webhook and the command `review` share this folder. */
#ifndef DRAWBRIDGE_REVIEW_REVIEW_H
#define DRAWBRIDGE_REVIEW_REVIEW_H

#include "validate/validate.h"

/* How findings become an answer. */
enum review_profile {
    PROFILE_API_SERVER,      /* as the API server of that version decides; mode and policies are ignored */
    PROFILE_WEBHOOK,         /* as mode and policies say, but deletions and stored objects are never blocked; see policy.c */
    PROFILE_UNKNOWN_VERSION, /* the same, but no error denies, because the version of the API server is not known */
};

/* The mode: what to do with findings that would deny. */
enum enforcement { ENFORCEMENT_DENY, ENFORCEMENT_WARN, ENFORCEMENT_AUDIT, ENFORCEMENTS };

struct policies;

struct review_settings {
    minor version;               /* of the API server whose verdict is wanted */
    struct gate_settings gates;  /* of that API server */
    enum review_profile profile;
    enum enforcement mode;           /* for findings that no policy matches */
    const struct drivers *drivers;   /* of the user's own files; NULL: none. As the next one */
    const struct policies *policies; /* of a configuration; NULL: none. Not owned; must outlive the validation */
};

/* What a finding does. */
enum finding_action {
    ACTION_DENY,  /* it is a cause of the denial */
    ACTION_WARN,  /* the client gets it as a warning */
    ACTION_AUDIT, /* it is only counted, and its rule is in the audit annotations */
    ACTION_NONE,  /* an info: it has no effect on the response */
    FINDING_ACTIONS
};

/* Why a finding that would deny does not: the first reason that applies. */
enum review_demotion {
    DEMOTED_BY_RATCHET, /* the stored object has it already, or the update must not be blocked; see stored.c */
    DEMOTED_BY_VERSION, /* an error, and the API server's version is not known */
    DEMOTED_BY_MODE,    /* the mode, and nothing else, prevents the denial */
    REVIEW_DEMOTIONS
};

struct review_answer {
    const struct finding *finding;
    enum finding_action action;
};

/* The result of a review. */
enum review_outcome {
    REVIEW_ALLOWED,
    REVIEW_DENIED,
    REVIEW_SKIPPED,    /* allowed without validation: no rules for this kind, subresource or operation */
    REVIEW_BAD,        /* not an AdmissionReview that can be validated: answer 400 */
    REVIEW_TOO_LARGE,  /* over a limit: answer 413 */
    REVIEW_FAILED,     /* our own failure: answer 500; never allowed */
    REVIEW_OUTCOMES
};

/* Everything in it lives in the workspace's arena, or points into the body. */
struct review {
    enum review_outcome outcome;
    struct bytes uid, group, version, kind, space, name, operation, sub_resource; /* of the request; empty if unknown */
    const struct kind *rules;            /* the kind with its rules; NULL: there are none */
    struct findings findings;
    const struct review_answer *answers; /* one for each finding that is kept, in the same order */
    uint32_t answer_count;
    uint32_t actions[FINDING_ACTIONS];   /* number of findings by what they do, kept or not */
    uint32_t demoted[REVIEW_DEMOTIONS];  /* number of findings that would deny and do not, by the reason */
    const char *message;                 /* of REVIEW_BAD, REVIEW_TOO_LARGE and REVIEW_FAILED: why, in English */
    uint32_t offset;                     /* … and where in the body */
    bool truncated;                      /* … because the body ends too early */
    uint32_t end;                        /* offset after the review; 0 when the JSON could not be read to its end */
};

/* Whether an API server of that version would refuse the request that was allowed. */
static inline bool review_disagrees(const struct review *review)
{
    return review->outcome == REVIEW_ALLOWED && review->findings.errors;
}

/* Validates the AdmissionReview that begins at `start` of `body`, which has at most LIMIT_BODY_BYTES. alone: nothing may follow it.
 * Clears the workspace first. A failure is an outcome, too. */
void review_validate(struct workspace *workspace, const struct review_settings *settings, struct bytes body, uint32_t start, bool alone,
                     struct review *review);

/* The response to a review that was allowed, denied or skipped: an AdmissionReview as JSON text without line breaks, which the caller
 * frees with free(). The workspace must not have been used since the review. NULL: out of memory. */
char *review_response(struct workspace *workspace, const struct review *review) MUST_USE;

/* The same for people: a line with the verdict, and a line for each finding, in the workspace's arena. NULL: out of memory. */
const char *review_text(struct workspace *workspace, const struct review *review) MUST_USE;

#endif
