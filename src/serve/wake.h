/* Conditions that are waited for on the monotonic clock, which nobody sets. */
#ifndef DRAWBRIDGE_SERVE_WAKE_H
#define DRAWBRIDGE_SERVE_WAKE_H

#include <pthread.h>

/* Returns 0 or an errno. */
int wake_init(pthread_cond_t *wake) __attribute__((warn_unused_result));

/* Waits until it is signalled, or so many milliseconds, or for no reason at all. */
void wake_wait(pthread_cond_t *wake, pthread_mutex_t *lock, int milliseconds);

#endif
