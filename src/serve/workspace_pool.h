/* Workspaces for the threads that validate: taken for one review and given back after it, with the memory that they have grown. */
#ifndef DRAWBRIDGE_SERVE_WORKSPACE_POOL_H
#define DRAWBRIDGE_SERVE_WORKSPACE_POOL_H

#include <pthread.h>

#include "check/context.h"

struct workspace_pool {
    pthread_mutex_t lock;
    struct context context;
    struct workspace *workspaces; /* owned */
    struct workspace **free;   /* stack of those at rest */
    unsigned count, at_rest;
};

/* `count` workspaces: as many as threads validate at a time. FAILURE_MEMORY or FAILURE_LIMIT; nothing needs freeing then. */
enum failure workspace_pool_init(struct workspace_pool *pool, unsigned count) MUST_USE;
void workspace_pool_done(struct workspace_pool *pool);

/* A workspace; there is one, as each thread takes one at a time. */
struct workspace *workspace_pool_take(struct workspace_pool *pool) MUST_USE;
void workspace_pool_return(struct workspace_pool *pool, struct workspace *workspace);

#endif
