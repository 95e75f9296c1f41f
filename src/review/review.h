/* AdmissionReviews (admission.k8s.io/v1): from the bytes of a request to a verdict, and on to the bytes of a response. No
 * sockets and no files here; the webhook and the command `review` share everything in this folder. */
#ifndef DRAWBRIDGE_REVIEW_REVIEW_H
#define DRAWBRIDGE_REVIEW_REVIEW_H

#include "check/check.h"

/* How findings become an answer. */
enum review_policy {
    REVIEW_EXACT,    /* as the API server of that version decides */
    REVIEW_ENFORCE,  /* the same, but never in the way of a deletion or of stored objects; see policy.c */
    REVIEW_OBSERVE,  /* nothing is denied; what would be is a warning */
};

struct review_settings {
    minor version; /* of the API server to judge as */
    enum review_policy policy;
};

/* What became of the request, in the order of the design's table of answers. */
enum review_outcome {
    REVIEW_ALLOWED,
    REVIEW_DENIED,
    REVIEW_SKIPPED,    /* allowed without a look: no rules for this kind, subresource or operation */
    REVIEW_BAD,        /* not an AdmissionReview that can be judged: answer 400 */
    REVIEW_TOO_LARGE,  /* over a limit: answer 413 */
    REVIEW_FAILED,     /* our own failure: answer 500; never allowed */
    REVIEW_OUTCOMES
};

/* What keeps an error from denying. */
enum review_demotion {
    REVIEW_DEMOTED_VERSION = 1, /* no Kubernetes version was chosen */
    REVIEW_DEMOTED_MODE = 2,    /* the mode only warns or audits */
    REVIEW_DEMOTED_RATCHET = 4, /* the object has it already, or must be let go; see policy.c */
};

/* Everything lives in the worker's arena, or points into the body. */
struct review {
    enum review_outcome outcome;
    struct bytes uid, group, version, kind, name, operation, sub_resource; /* of the request; empty where unknown */
    const struct kind *rules;       /* of the kind, NULL: it has none */
    struct findings findings;
    bool demoted;                   /* the policy made errors into warnings */
    unsigned demoted_by;            /* bits of enum review_demotion: why */
    const char *message;            /* of REVIEW_BAD and REVIEW_TOO_LARGE: why, in English */
    uint32_t offset;                /* … and where in the body */
    bool truncated;                 /* … because the body ends too early */
    uint32_t end;                   /* offset behind the review; 0 when the JSON could not be read to its end */
};

/* Judges the AdmissionReview that begins at `start` of `body` (at most LIMIT_BODY_BYTES). alone: nothing may follow it.
 * Clears the worker first. Never fails otherwise than by REVIEW_FAILED. */
void review_judge(struct worker *worker, const struct review_settings *settings, struct bytes body, uint32_t start, bool alone, struct review *review);

/* The response to a review that was allowed, denied or skipped, judged by `worker` and nothing since: one AdmissionReview as JSON
 * text without line breaks, owned by the caller, to be freed with free(). NULL: out of memory. */
char *review_response(struct worker *worker, const struct review *review) MUST_USE;

/* The same for people: a line with the verdict, and one for each finding; in the worker's arena. NULL: out of memory. */
const char *review_text(struct worker *worker, const struct review *review) MUST_USE;

#endif
