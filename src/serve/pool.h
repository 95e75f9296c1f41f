/* Workers for the threads that judge: taken for one review, given back afterwards, with the memory that they have grown. */
#ifndef DRAWBRIDGE_SERVE_POOL_H
#define DRAWBRIDGE_SERVE_POOL_H

#include <pthread.h>

#include "check/context.h"

struct pool {
    pthread_mutex_t lock;
    struct context context;
    struct worker *workers; /* owned */
    struct worker **free;   /* stack of those at rest */
    unsigned count, at_rest;
};

/* `count` workers: as many as threads judge at a time. FAILURE_MEMORY or FAILURE_LIMIT; nothing needs freeing then. */
enum failure pool_init(struct pool *pool, unsigned count) MUST_USE;
void pool_done(struct pool *pool);

/* A worker; there is one, as each thread takes one at a time. */
struct worker *pool_take(struct pool *pool) MUST_USE;
void pool_give(struct pool *pool, struct worker *worker);

#endif
