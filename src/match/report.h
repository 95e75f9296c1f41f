/* What becomes of each device for each request of a claim. */
#ifndef DRAWBRIDGE_MATCH_REPORT_H
#define DRAWBRIDGE_MATCH_REPORT_H

#include "match/cause.h"
#include "match/selector.h"

/* Why a device is not for a request: the first of these that there is counts. */
enum match_reason {
    MATCH_FITS,
    MATCH_OLD_SLICE,   /* its pool has a newer generation */
    MATCH_OTHER_NODE,  /* it cannot be used on the node that was asked for */
    MATCH_REFUSED,     /* a selector is false */
    MATCH_ERROR,       /* the evaluation of a selector fails */
    MATCH_CAPACITY,    /* it cannot serve what the request asks for */
    MATCH_INCOMPLETE,  /* slices of its pool are missing */
    MATCH_INVALID,     /* two devices of its pool have one name, or one consumes counters that are not there */
    MATCH_TAINTED,
    MATCH_REASONS
};

/* One device and one request. */
struct match_verdict {
    struct match_cause cause; /* of MATCH_REFUSED and MATCH_ERROR */
    uint8_t reason;           /* enum match_reason */
    uint8_t selector;         /* of those two: which one */
    uint16_t also;            /* a bit for each reason that is there, too */
};

struct match_selector {
    const struct match_expression *expression; /* NULL: it has none */
    bool of_class;
    uint32_t index; /* in the list of the class or request */
};

/* What is to be said of a request, the gravest last. */
enum match_outcome {
    MATCH_ENOUGH,
    MATCH_TOO_FEW,
    MATCH_SPREAD,       /* enough together, but on no node */
    MATCH_TOO_MANY,     /* more than a claim can have */
    MATCH_KEPT_OUT,     /* All: one of the devices cannot be taken, or a pool is incomplete */
    MATCH_ABORTED,      /* an evaluation fails, which ends the allocation of the claim */
    MATCH_BAD_SELECTOR, /* an API server refuses an expression */
    MATCH_NO_CLASS,
    MATCH_NO_MODE,      /* the allocationMode is not known, or the request is empty */
    MATCH_OUTCOMES
};

/* A request, or one to choose from. */
struct match_request {
    struct bytes name, choice;   /* choice: no data in a request that is no list of them */
    uint32_t ordinal;            /* the number of the request; those to choose from share it */
    struct bytes class_name;
    const struct match_named *class; /* NULL: it is not given */
    struct bytes near;           /* the name of a class that may be meant; no data: none */
    struct match_selector *selectors;
    uint32_t selector_count;
    const struct match_selector *bad; /* of MATCH_BAD_SELECTOR */
    bool all, admin;
    int64_t wanted;
    struct value tolerations, capacities;
    struct match_verdict *verdicts; /* by device of the world */
    uint32_t counts[MATCH_REASONS];
    enum match_outcome outcome;
    struct bytes best;           /* the node with most devices that fit; no data: no node is known */
    uint32_t on_best;
};

/* A claim, template or class, and the devices of a world. */
struct match_report {
    struct match_world *world;
    struct arena arena;     /* for everything in it */
    const struct item *item;
    const char *fault;      /* why there are no requests: an API server refuses the claim; NULL: it would not */
    struct match_request *requests;
    uint32_t count;
    bool enough;            /* every request has enough devices, or one of those to choose from has */
};

/* supply.c: sets the outcome of a request by the verdicts on all devices, and the node with most devices that fit. */
enum failure match_supply(struct match_report *report, struct match_request *request) MUST_USE;

/* Matches a ResourceClaim, a ResourceClaimTemplate or a DeviceClass. After a failure (memory, a limit), too, match_report_done() ends
 * it. */
enum failure match_report_init(struct match_report *report, struct match_world *world, const struct item *item) MUST_USE;
void match_report_done(struct match_report *report);

/* Whether the item is of a kind that can be matched. */
bool match_is_subject(const struct item *item);

/* What programs read: "too-few", "selector-false". */
const char *match_outcome_name(enum match_outcome outcome);
const char *match_reason_name(unsigned reason);

/* Adds why the request has not enough devices, or that it has. */
void match_outcome_add(const struct match_request *request, struct text *text);

/* Adds why the device is not for the request: the reasons with their values, in words, one after the other with "; " between them. */
enum failure match_explain(struct match_report *report, const struct match_request *request, uint32_t device, struct text *text) MUST_USE;

/* ---- devices with the same reason ---- */

struct match_group {
    enum match_reason reason;
    bool apart;          /* nobody meant these devices: of other nodes, other drivers, old slices */
    const char *label;   /* "wrong model", "tainted": in the report's arena */
    uint32_t count;
    uint32_t first;      /* of them */
};

/* The devices of a request by reason: those that fit first, then the largest group, those that are apart last. Everything is in the
 * report's arena. */
struct match_groups {
    struct match_group *list;
    uint32_t count;      /* at most LIMIT_MATCH_GROUPS */
    uint32_t *of_device; /* the group of each device of the world */
};

enum failure match_groups_of(struct match_report *report, const struct match_request *request, struct match_groups *groups) MUST_USE;

/* The same of the devices of a driver; of others, groups->of_device says nothing. */
enum failure match_groups_of_driver(struct match_report *report, const struct match_request *request, struct bytes driver,
                                    struct match_groups *groups) MUST_USE;

#endif
