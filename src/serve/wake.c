#include "serve/wake.h"

#include <time.h>

int wake_init(pthread_cond_t *wake)
{
    pthread_condattr_t monotonic;
    int error = pthread_condattr_init(&monotonic);
    if (error)
        return error;
    error = pthread_condattr_setclock(&monotonic, CLOCK_MONOTONIC);
    if (!error)
        error = pthread_cond_init(wake, &monotonic);
    pthread_condattr_destroy(&monotonic);
    return error;
}

void wake_wait(pthread_cond_t *wake, pthread_mutex_t *lock, int milliseconds)
{
    struct timespec until;
    clock_gettime(CLOCK_MONOTONIC, &until);
    until.tv_nsec += milliseconds % 1000 * 1000000L;
    until.tv_sec += milliseconds / 1000 + until.tv_nsec / 1000000000;
    until.tv_nsec %= 1000000000;
    pthread_cond_timedwait(wake, lock, &until);
}
