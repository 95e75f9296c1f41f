#include "serve/workspace_pool.h"
#include "validate/context.h"

#include <assert.h>
#include <stdlib.h>

static void release(struct workspace_pool *pool, unsigned made)
{
    for (unsigned i = 0; i < made; i++)
        workspace_done(&pool->workspaces[i]);
    free(pool->workspaces);
    free(pool->free);
    context_done(&pool->context);
    pthread_mutex_destroy(&pool->lock);
}

enum failure workspace_pool_init(struct workspace_pool *pool, unsigned count)
{
    *pool = (struct workspace_pool){ .count = count };
    enum failure failure = context_init(&pool->context, &memory_malloc);
    if (failure)
        return failure;
    if (pthread_mutex_init(&pool->lock, NULL) != 0) {
        context_done(&pool->context);
        return FAILURE_MEMORY;
    }
    pool->workspaces = calloc(count, sizeof *pool->workspaces);
    pool->free = calloc(count, sizeof *pool->free);
    failure = pool->workspaces && pool->free ? FAILURE_NONE : FAILURE_MEMORY;
    for (; !failure && pool->at_rest < count; pool->at_rest++) {
        pool->free[pool->at_rest] = &pool->workspaces[pool->at_rest];
        failure = workspace_init(&pool->workspaces[pool->at_rest], &pool->context);
        if (failure)
            break;
    }
    if (failure)
        release(pool, pool->at_rest);
    return failure;
}

void workspace_pool_done(struct workspace_pool *pool)
{
    release(pool, pool->count);
}

struct workspace *workspace_pool_take(struct workspace_pool *pool)
{
    pthread_mutex_lock(&pool->lock);
    assert(pool->at_rest > 0);
    struct workspace *workspace = pool->free[--pool->at_rest];
    pthread_mutex_unlock(&pool->lock);
    return workspace;
}

void workspace_pool_return(struct workspace_pool *pool, struct workspace *workspace)
{
    workspace_clear(workspace);
    pthread_mutex_lock(&pool->lock);
    pool->free[pool->at_rest++] = workspace;
    pthread_mutex_unlock(&pool->lock);
}
