/* What benchmarks of the core share. */
#ifndef DRAWBRIDGE_TESTS_BENCH_H
#define DRAWBRIDGE_TESTS_BENCH_H

#include <stdlib.h>
#include <time.h>

#include "base/failure.h"

static inline double cpu_seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

/* Ends the program after a failure: there is nothing to measure. */
static inline void check(enum failure failure)
{
    if (failure)
        exit(2);
}

#endif
