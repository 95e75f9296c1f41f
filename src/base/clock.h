/* The clocks. Durations and deadlines are of the monotonic one, which nobody sets; dates are of the wall clock. */
#ifndef DRAWBRIDGE_BASE_CLOCK_H
#define DRAWBRIDGE_BASE_CLOCK_H

#include <stdint.h>

/* Monotonic, for deadlines: some milliseconds late at most, for a fifth of the time that the exact one takes. */
int64_t clock_milliseconds(void);

/* Monotonic and exact, for durations. */
uint64_t clock_nanoseconds(void);

/* Wall clock, since 1970 in UTC. */
int64_t clock_wall_seconds(void);
int64_t clock_wall_milliseconds(void);

#endif
