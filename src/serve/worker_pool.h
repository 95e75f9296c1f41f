/* Worker threads that validate large reviews, so that the threads which read and answer stay free for small ones. */
#ifndef DRAWBRIDGE_SERVE_WORKER_POOL_H
#define DRAWBRIDGE_SERVE_WORKER_POOL_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/failure.h"
#include "serve/limits.h"

/* What becomes of a job. */
enum job_order {
    JOB_VALIDATE,
    JOB_LATE,    /* its deadline has passed while it waited */
    JOB_DROPPED, /* the worker pool is being dismissed */
    JOB_REFUSED, /* the worker pool did not take it; never from the worker pool */
};

/* Part of what is to be done; owned by the submitter, untouched after `run` has begun. */
struct job {
    struct job *next;
    size_t bytes;     /* of the review */
    int64_t deadline; /* milliseconds of the monotonic clock, after which the client no longer waits for the answer */
    void (*run)(struct job *job, enum job_order order);
};

/* First in, first out; `last` means something where `first` is not NULL. */
struct job_queue {
    struct job *first, *last;
};

enum job_weight { JOB_LIGHT, JOB_HEAVY, JOB_WEIGHTS };

struct worker_pool {
    pthread_mutex_t lock; /* guards all but the counts */
    pthread_cond_t wake;
    struct job_queue queues[JOB_WEIGHTS];
    unsigned heavy; /* members that are at a heavy job: LIMIT_HEAVY_WORKERS at most, and one always is left for the others */
    bool dismissed;
    atomic_uint waiting, busy; /* jobs, members at work */
    pthread_t members[LIMIT_THREADS];
    unsigned count;
};

/* Starts `count` threads, 2 to LIMIT_THREADS. Returns 0 or an errno; nothing needs stopping then. */
int worker_pool_start(struct worker_pool *workers, unsigned count) MUST_USE;

/* Hands a job over; its `run` is called once, in another thread. False: too many wait already, or the worker pool is dismissed. */
bool worker_pool_submit(struct worker_pool *workers, struct job *job) MUST_USE;

/* Waits for what is being done, drops what waits, and ends the threads; later jobs are not taken. May be called twice. */
void worker_pool_dismiss(struct worker_pool *workers);

/* The same, and nobody may submit any more. */
void worker_pool_stop(struct worker_pool *workers);

#endif
