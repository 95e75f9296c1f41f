/* Claims as the allocator reads them. */
#ifndef DRAWBRIDGE_ALLOCATE_CLAIM_H
#define DRAWBRIDGE_ALLOCATE_CLAIM_H

#include "allocate/world.h"

enum allocate_count_mode { ALLOCATE_EXACT, ALLOCATE_ALL, ALLOCATE_OTHER_MODE };

/* A quantity of a capacity that is asked for. */
struct allocate_asked {
    uint32_t name;
    struct amount amount;
};

/* An attribute that the request derives. */
struct allocate_derived {
    struct bytes name;
    struct allocate_derivation *derivation;
};

/* A request, or one of its subrequests. */
struct allocate_ask {
    struct value root;
    struct bytes name;
    const struct allocate_request *request;
    uint32_t index;              /* among the subrequests */
    uint32_t number;             /* among all of the claims that are allocated together */
    struct bytes class_name;
    const struct allocate_class *class; /* NULL: there is none of that name */
    struct allocate_selector **selectors; /* its own; those of the class come first */
    uint32_t selector_count;
    enum allocate_count_mode mode;
    struct bytes mode_text;
    int64_t count;
    bool admin, mentions_admin;  /* adminAccess: true; or anything */
    bool mentions_capacity;
    struct value tolerations;
    struct allocate_derived *derived; /* derivedAttributes */
    uint32_t derivation_count;
    const struct allocate_asked *asked;
    uint32_t asked_count;
};

struct allocate_request {
    struct value root;
    struct bytes name;
    uint32_t index;              /* in its claim */
    bool alternatives;           /* it has subrequests */
    struct allocate_ask *asks;   /* one, or as many as there are subrequests */
    uint32_t ask_count;
};

struct allocate_constraint {
    struct value root;
    bool match, distinct;        /* matchAttribute, distinctAttribute */
    struct bytes attribute;
    bool *concerns;              /* by request and subrequest: see allocate_ask.number, counted from the claim's first */
};

struct allocate_claim {
    struct value root;           /* a ResourceClaim, or the ResourceClaimTemplate that stands for one */
    struct value spec;           /* of the claim */
    struct bytes name, space;
    uint32_t index;
    uint32_t first_number;       /* of its asks */
    struct allocate_request *requests;
    uint32_t request_count;
    struct allocate_constraint *constraints;
    uint32_t constraint_count;
};

/* How many devices of all nodes the selectors of an ask take. */
struct allocate_matches {
    bool known;
    uint32_t count;
    struct bytes where;  /* a node that has one; no data: none by name */
};

/* Claims that are allocated together. */
struct allocate_claims {
    struct allocate_claim *list;
    uint32_t count;
    uint32_t ask_count;
    struct allocate_matches *matches; /* by number of the ask: see why.c */
};

/* Reads claims, or templates that stand for the claims that would be made of them. Everything is in that arena. defaults: what is left out
 * has the value that an API server sets; else the objects are as it has stored them. FAILURE_LIMIT: more than LIMIT_ALLOCATE_CLAIMS. */
enum failure allocate_claims_read(struct allocate_world *world, struct arena *arena, const struct value *roots, uint32_t count,
                                  bool defaults, struct allocate_claims *claims) MUST_USE;

/* Adds "namespace/name", or the name where there is no namespace. */
void allocate_claim_add_name(struct text *text, const struct allocate_claim *claim);

#endif
