/* Which devices of a set are for a request of one of its claims: what rows ask. match/ answers it, as validate/matcher.h says. */
#ifndef DRAWBRIDGE_CHECK_MATCHED_H
#define DRAWBRIDGE_CHECK_MATCHED_H

#include "check/cross.h"

/* Devices that a selector of the request refuses, or for which its evaluation fails; not those of its class. */
struct matched_reason {
    uint32_t count;       /* 0: there is none */
    uint32_t selector;    /* the one that decides for most of them, in the list of the request or class */
    const char *why;      /* what decides for one of those, a usual one, in words */
    const char *instead;  /* what asks first whether a missing name is there; NULL: nothing does */
    struct bytes device;  /* its name, … */
    struct indexed at;    /* … and where it is; object NULL: in no object of the set */
};

enum matched_supply {
    MATCHED_ENOUGH, /* or it is not known */
    MATCHED_TOO_FEW,
    MATCHED_SPREAD,   /* enough together, but on no node */
    MATCHED_KEPT_OUT, /* all are asked for, and one of them cannot be taken */
};

/* A request, one of those to choose from, or a class by itself; and the devices of the driver that its selectors ask for. Texts last until
 * the next answer. */
struct matched {
    struct bytes driver;
    uint32_t devices;      /* of its pools as they are now; 0: none is given */
    uint32_t selected;     /* all selectors are true for them */
    uint32_t fit;          /* and nothing else keeps them out */
    bool whole;            /* all slices of their pools are given */
    bool shared;           /* one that is selected can be allocated several times */
    bool replaced;         /* another one to choose from has devices that its selectors select */
    bool first;            /* of those to choose from, which all have too few; or the only one */
    enum matched_supply supply;
    int64_t wanted;
    struct bytes best;     /* of MATCHED_SPREAD: a node with most of them, and how many; no data: no node is known */
    uint32_t on_best;
    const char *sums;      /* of those that do not fit, by reason: "5 wrong model, 1 tainted" */
    struct matched_reason refused, failed;
    struct matched_reason kept; /* where none fits: a device that is selected, and too small or tainted; … */
    struct bytes taint, effect; /* … key and effect of the taint; no data: it is none */
};

/* Sets *matched for a request of the object that is validated, by its name; `choice`: of one to choose from; no data: it is none. A class
 * has no request. False: nothing is known of it, or there was a failure. */
bool cross_matched(struct cross *cross, struct bytes request, struct bytes choice, struct matched *matched);

#endif
