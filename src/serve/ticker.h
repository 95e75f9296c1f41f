/* Threads that do something now and then until they are told to stop, and what they wait on: the monotonic clock, which nobody sets. */
#ifndef DRAWBRIDGE_SERVE_TICKER_H
#define DRAWBRIDGE_SERVE_TICKER_H

#include <pthread.h>
#include <stdbool.h>

struct ticker {
    pthread_mutex_t lock; /* guards stopping, and what its owner says */
    pthread_cond_t wake;
    pthread_t thread;
    bool stopping;
};

/* Starts a thread that runs `run`. Returns 0 or an errno; nothing needs stopping then. */
int ticker_start(struct ticker *ticker, void *(*run)(void *), void *argument) __attribute__((warn_unused_result));

/* For its thread, which holds the lock: waits until it is woken, or so many milliseconds, or for no reason at all. */
void ticker_wait(struct ticker *ticker, int milliseconds);

/* Tells the thread to stop, and wakes it. */
void ticker_tell(struct ticker *ticker);

/* When the thread has ended. */
void ticker_done(struct ticker *ticker);

/* Tells it, waits for its end, and is done. */
void ticker_stop(struct ticker *ticker);

#endif
