/* AdmissionReviews (admission.k8s.io/v1): from the bytes of a request to a verdict, and on to the bytes of a response. No
 * sockets and no files here; the webhook and the command `review` share everything in this folder. */
#ifndef DRAWBRIDGE_REVIEW_REVIEW_H
#define DRAWBRIDGE_REVIEW_REVIEW_H

#include "check/check.h"

/* How findings become an answer. */
enum review_policy {
    REVIEW_EXACT,    /* as the API server of that version decides; mode and policies do not count */
    REVIEW_ENFORCE,  /* as mode and policies say, but never in the way of a deletion or of stored objects; see policy.c */
    REVIEW_OBSERVE,  /* the same, and no error denies: nobody knows the version of the API server */
};

/* What becomes of what would deny. */
enum review_mode { MODE_ENFORCE, MODE_WARN, MODE_AUDIT, REVIEW_MODES };

struct policies;

struct review_settings {
    minor version; /* of the API server to judge as */
    enum review_policy policy;
    enum review_mode mode;           /* for what no policy fits */
    const struct policies *policies; /* of a configuration; NULL: none. Not owned, needed while a review is judged */
};

/* What a finding does. */
enum review_action {
    ACTION_DENY,  /* it is a cause of the denial */
    ACTION_WARN,  /* the client is told */
    ACTION_AUDIT, /* it is only counted, and named in the audit annotations */
    ACTION_NONE,  /* it is for people who ask: an info */
    REVIEW_ACTIONS
};

/* Why a finding that would deny does not: the first reason that holds. */
enum review_demotion {
    DEMOTED_BY_RATCHET, /* the update is not to blame, or must go through */
    DEMOTED_BY_VERSION, /* an error, and the API server's version is not known */
    DEMOTED_BY_MODE,    /* nothing but the mode is in the way */
    REVIEW_DEMOTIONS
};

struct review_answer {
    const struct finding *finding;
    enum review_action action;
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

/* Everything lives in the worker's arena, or points into the body. */
struct review {
    enum review_outcome outcome;
    struct bytes uid, group, version, kind, name, operation, sub_resource; /* of the request; empty where unknown */
    const struct kind *rules;       /* of the kind, NULL: it has none */
    struct findings findings;
    const struct review_answer *answers; /* to the findings that are kept, in their order */
    uint32_t answer_count;
    uint32_t actions[REVIEW_ACTIONS];    /* findings by what they do, kept or not */
    uint32_t demoted[REVIEW_DEMOTIONS];  /* findings that would deny and do not */
    const char *message;            /* of REVIEW_BAD and REVIEW_TOO_LARGE: why, in English */
    uint32_t offset;                /* … and where in the body */
    bool truncated;                 /* … because the body ends too early */
    uint32_t end;                   /* offset behind the review; 0 when the JSON could not be read to its end */
};

/* Whether an API server of that version would refuse what was allowed. */
static inline bool review_disagrees(const struct review *review)
{
    return review->outcome == REVIEW_ALLOWED && review->findings.errors;
}

/* Judges the AdmissionReview that begins at `start` of `body` (at most LIMIT_BODY_BYTES). alone: nothing may follow it.
 * Clears the worker first. Never fails otherwise than by REVIEW_FAILED. */
void review_judge(struct worker *worker, const struct review_settings *settings, struct bytes body, uint32_t start, bool alone, struct review *review);

/* The response to a review that was allowed, denied or skipped, judged by `worker` and nothing since: one AdmissionReview as JSON
 * text without line breaks, owned by the caller, to be freed with free(). NULL: out of memory. */
char *review_response(struct worker *worker, const struct review *review) MUST_USE;

/* The same for people: a line with the verdict, and one for each finding; in the worker's arena. NULL: out of memory. */
const char *review_text(struct worker *worker, const struct review *review) MUST_USE;

#endif
