#include "serve/ticker.h"

#include <time.h>

/* A condition on that clock. Returns 0 or an errno. */
static int init_wake(pthread_cond_t *wake)
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

int ticker_start(struct ticker *ticker, void *(*run)(void *), void *argument)
{
    ticker->stopping = false;
    int error = pthread_mutex_init(&ticker->lock, NULL);
    if (error)
        return error;
    error = init_wake(&ticker->wake);
    if (!error) {
        error = pthread_create(&ticker->thread, NULL, run, argument);
        if (!error)
            return 0;
        pthread_cond_destroy(&ticker->wake);
    }
    pthread_mutex_destroy(&ticker->lock);
    return error;
}

void ticker_wait(struct ticker *ticker, int milliseconds)
{
    struct timespec until;
    clock_gettime(CLOCK_MONOTONIC, &until);
    until.tv_nsec += milliseconds % 1000 * 1000000L;
    until.tv_sec += milliseconds / 1000 + until.tv_nsec / 1000000000;
    until.tv_nsec %= 1000000000;
    pthread_cond_timedwait(&ticker->wake, &ticker->lock, &until);
}

void ticker_tell(struct ticker *ticker)
{
    pthread_mutex_lock(&ticker->lock);
    ticker->stopping = true;
    pthread_cond_signal(&ticker->wake);
    pthread_mutex_unlock(&ticker->lock);
}

void ticker_done(struct ticker *ticker)
{
    pthread_cond_destroy(&ticker->wake);
    pthread_mutex_destroy(&ticker->lock);
}

void ticker_stop(struct ticker *ticker)
{
    ticker_tell(ticker);
    pthread_join(ticker->thread, NULL);
    ticker_done(ticker);
}
