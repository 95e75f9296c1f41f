#include "serve/worker_pool.h"

#include <sys/resource.h>

#include "base/clock.h"


static enum job_weight weight_of(const struct job *job)
{
    return job->bytes > LIMIT_HEAVY_BYTES ? JOB_HEAVY : JOB_LIGHT;
}

static struct job *take(struct worker_pool *workers, enum job_weight weight)
{
    struct job *job = workers->queues[weight].first;
    if (job)
        workers->queues[weight].first = job->next;
    return job;
}

/* Whether another heavy job may begin. */
static bool has_room(const struct worker_pool *workers)
{
    return (workers->heavy < LIMIT_HEAVY_WORKERS && workers->heavy + 1 < workers->count) || workers->dismissed;
}

/* The next job for a member, or NULL. Heavy ones first, as they may not take every member: neither kind waits for the other to run dry. */
static struct job *next_job(struct worker_pool *workers)
{
    struct job *job = has_room(workers) ? take(workers, JOB_HEAVY) : NULL;
    if (!job)
        return take(workers, JOB_LIGHT);
    workers->heavy++;
    return job;
}

static enum job_order order_for(const struct worker_pool *workers, const struct job *job)
{
    return workers->dismissed ? JOB_DROPPED : clock_milliseconds() > job->deadline ? JOB_LATE : JOB_VALIDATE;
}

/* One job; the lock is released while it runs. */
static void do_job(struct worker_pool *workers, struct job *job)
{
    bool heavy = weight_of(job) == JOB_HEAVY;
    enum job_order order = order_for(workers, job);
    pthread_mutex_unlock(&workers->lock);
    atomic_fetch_sub(&workers->waiting, 1);
    atomic_fetch_add(&workers->busy, 1);
    job->run(job, order);
    atomic_fetch_sub(&workers->busy, 1);
    pthread_mutex_lock(&workers->lock);
    workers->heavy -= heavy; /* this member takes the next one itself, so no other is woken */
}

static void *work(void *argument)
{
    struct worker_pool *workers = argument;
    (void)setpriority(PRIO_PROCESS, 0, LIMIT_WORKER_NICE); /* on Linux, of this thread; without it, small reviews wait longer */
    pthread_mutex_lock(&workers->lock);
    for (;;) {
        struct job *job = next_job(workers);
        if (job)
            do_job(workers, job);
        else if (workers->dismissed)
            break;
        else
            pthread_cond_wait(&workers->wake, &workers->lock);
    }
    pthread_mutex_unlock(&workers->lock);
    return NULL;
}

void worker_pool_dismiss(struct worker_pool *workers)
{
    pthread_mutex_lock(&workers->lock);
    bool again = workers->dismissed;
    workers->dismissed = true;
    pthread_cond_broadcast(&workers->wake);
    pthread_mutex_unlock(&workers->lock);
    for (unsigned i = 0; !again && i < workers->count; i++)
        pthread_join(workers->members[i], NULL);
}

static int start_members(struct worker_pool *workers, unsigned count)
{
    for (unsigned i = 0; i < count; i++) {
        int error = pthread_create(&workers->members[i], NULL, work, workers);
        if (error) {
            workers->count = i;
            worker_pool_dismiss(workers);
            return error;
        }
    }
    return 0;
}

int worker_pool_start(struct worker_pool *workers, unsigned count)
{
    *workers = (struct worker_pool){ .count = count };
    int error = pthread_mutex_init(&workers->lock, NULL);
    if (error)
        return error;
    error = pthread_cond_init(&workers->wake, NULL);
    if (!error) {
        error = start_members(workers, count);
        if (!error)
            return 0;
        pthread_cond_destroy(&workers->wake);
    }
    pthread_mutex_destroy(&workers->lock);
    return error;
}

bool worker_pool_submit(struct worker_pool *workers, struct job *job)
{
    job->next = NULL;
    pthread_mutex_lock(&workers->lock);
    bool taken = !workers->dismissed && atomic_load(&workers->waiting) < LIMIT_QUEUE;
    if (taken) {
        struct job_queue *queue = &workers->queues[weight_of(job)];
        if (queue->first)
            queue->last->next = job;
        else
            queue->first = job;
        queue->last = job;
        atomic_fetch_add(&workers->waiting, 1);
        pthread_cond_signal(&workers->wake);
    }
    pthread_mutex_unlock(&workers->lock);
    return taken;
}

void worker_pool_stop(struct worker_pool *workers)
{
    worker_pool_dismiss(workers);
    pthread_cond_destroy(&workers->wake);
    pthread_mutex_destroy(&workers->lock);
}
