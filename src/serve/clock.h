/* The server's clock: the monotonic one, which nobody sets. */
#ifndef DRAWBRIDGE_SERVE_CLOCK_H
#define DRAWBRIDGE_SERVE_CLOCK_H

#include <stdint.h>

/* For deadlines: some milliseconds late at most, for a fifth of the time that the exact one takes. */
int64_t clock_milliseconds(void);

/* Of the same clock, exact: for durations of reviews. */
uint64_t clock_nanoseconds(void);

#endif
