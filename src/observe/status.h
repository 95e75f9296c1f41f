/* What the status port answers to GET: probes, metrics, and a page for people. */
#ifndef DRAWBRIDGE_OBSERVE_STATUS_H
#define DRAWBRIDGE_OBSERVE_STATUS_H

#include "observe/observe.h"
#include "observe/page.h"

struct status_reply {
    unsigned status;                /* of HTTP */
    const char *type;               /* Content-Type; NULL: plain text */
    const char *text;               /* a constant, or NULL: `owned` */
    char *owned;                    /* from malloc */
    char policy[PAGE_POLICY_BYTES]; /* Content-Security-Policy; "": none */
};

/* False: out of memory. */
bool status_reply(struct observer *observer, const char *path, struct status_reply *reply) MUST_USE;

#endif
