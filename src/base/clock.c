#include "base/clock.h"

#include <time.h>

static struct timespec now_of(clockid_t clock)
{
    struct timespec now = { 0, 0 };
    clock_gettime(clock, &now); /* cannot fail: Linux has these clocks */
    return now;
}

static int64_t milliseconds_of(struct timespec time)
{
    return (int64_t)time.tv_sec * 1000 + time.tv_nsec / 1000000;
}

int64_t clock_milliseconds(void)
{
    return milliseconds_of(now_of(CLOCK_MONOTONIC_COARSE));
}

uint64_t clock_nanoseconds(void)
{
    struct timespec now = now_of(CLOCK_MONOTONIC);
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

int64_t clock_wall_seconds(void)
{
    return time(NULL);
}

int64_t clock_wall_milliseconds(void)
{
    return milliseconds_of(now_of(CLOCK_REALTIME));
}
