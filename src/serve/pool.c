#include "serve/pool.h"

#include <assert.h>
#include <stdlib.h>

static void release(struct pool *pool, unsigned made)
{
    for (unsigned i = 0; i < made; i++)
        worker_done(&pool->workers[i]);
    free(pool->workers);
    free(pool->free);
    context_done(&pool->context);
    pthread_mutex_destroy(&pool->lock);
}

enum failure pool_init(struct pool *pool, unsigned count)
{
    *pool = (struct pool){ .count = count };
    enum failure failure = context_init(&pool->context, &memory_malloc);
    if (failure)
        return failure;
    if (pthread_mutex_init(&pool->lock, NULL) != 0) {
        context_done(&pool->context);
        return FAILURE_MEMORY;
    }
    pool->workers = calloc(count, sizeof *pool->workers);
    pool->free = calloc(count, sizeof *pool->free);
    failure = pool->workers && pool->free ? FAILURE_NONE : FAILURE_MEMORY;
    for (; !failure && pool->at_rest < count; pool->at_rest++) {
        pool->free[pool->at_rest] = &pool->workers[pool->at_rest];
        failure = worker_init(&pool->workers[pool->at_rest], &pool->context);
        if (failure)
            break;
    }
    if (failure)
        release(pool, pool->at_rest);
    return failure;
}

void pool_done(struct pool *pool)
{
    release(pool, pool->count);
}

struct worker *pool_take(struct pool *pool)
{
    pthread_mutex_lock(&pool->lock);
    assert(pool->at_rest > 0);
    struct worker *worker = pool->free[--pool->at_rest];
    pthread_mutex_unlock(&pool->lock);
    return worker;
}

void pool_give(struct pool *pool, struct worker *worker)
{
    worker_clear(worker);
    pthread_mutex_lock(&pool->lock);
    pool->free[pool->at_rest++] = worker;
    pthread_mutex_unlock(&pool->lock);
}
