/* A thread that works now and then until it is stopped. It sleeps on an eventfd, so that a wake before the sleep is not lost, and so that
 * the thread can wait for descriptors of its own at the same time.
 *
 *     static void *run(void *closure) { while (thread_sleep(&it->thread, 1000)) work(it); return NULL; }
 *     if (thread_start(&it->thread, run, it) == 0) ...
 *     thread_stop(&it->thread); */
#ifndef DRAWBRIDGE_BASE_THREAD_H
#define DRAWBRIDGE_BASE_THREAD_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>

#include "base/failure.h"

/* Begins with zeroes, which are a thread that does not run. */
struct thread {
    pthread_t id;
    int wake;             /* an eventfd: readable when the thread is woken, or has to stop */
    bool running;         /* until thread_stop; of those who start and stop it */
    atomic_bool stopping;
};

/* Starts a thread that runs `run`. Returns 0 or an errno. */
int thread_start(struct thread *thread, void *(*run)(void *closure), void *closure) MUST_USE;

/* ---- for the thread itself ---- */

/* Sleeps until it is woken, or has to stop, or `milliseconds` have passed. False: it has to stop. */
bool thread_sleep(struct thread *thread, int milliseconds) MUST_USE;

/* For a thread that polls `wake` beside other descriptors: wakes up to now are seen. */
void thread_clear_wake(struct thread *thread);

/* ---- for all ---- */

bool thread_is_stopping(const struct thread *thread) MUST_USE;
void thread_wake(struct thread *thread);

/* ---- for the one that has started it ---- */

/* Has the thread stop, and waits for its end. May be called again. */
void thread_stop(struct thread *thread);

/* The same, but waits no longer than that. False: it still runs, and needs its memory. */
bool thread_stop_within(struct thread *thread, int milliseconds) MUST_USE;

#endif
