/* The status page: what the server has done in the last hour, for people. */
#ifndef DRAWBRIDGE_OBSERVE_PAGE_H
#define DRAWBRIDGE_OBSERVE_PAGE_H

#include "observe/observe.h"

enum { PAGE_POLICY_BYTES = 256 };

/* A page of HTML that needs nothing else, in a buffer from malloc; NULL: out of memory. */
char *page_text(struct observer *observer) MUST_USE;

/* Its Content-Security-Policy: nothing may be loaded or run, and no style but its own counts. */
bool page_policy(char policy[PAGE_POLICY_BYTES]) MUST_USE;

#endif
