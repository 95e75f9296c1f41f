#include "serve/crew.h"

#include <sys/resource.h>

#include "serve/clock.h"

static enum job_weight weight_of(const struct job *job)
{
    return job->bytes > LIMIT_HEAVY_BYTES ? JOB_HEAVY : JOB_LIGHT;
}

static struct job *take(struct crew *crew, enum job_weight weight)
{
    struct job *job = crew->queues[weight].first;
    if (job)
        crew->queues[weight].first = job->next;
    return job;
}

/* The next job for a member, or NULL. Heavy ones first, as they may not take every member: neither kind waits for the other to run dry. */
static struct job *next_job(struct crew *crew)
{
    struct job *job = crew->heavy + 1 < crew->count || crew->dismissed ? take(crew, JOB_HEAVY) : NULL;
    if (!job)
        return take(crew, JOB_LIGHT);
    crew->heavy++;
    return job;
}

static enum job_order order_for(const struct crew *crew, const struct job *job)
{
    return crew->dismissed ? JOB_DROPPED : clock_milliseconds() > job->deadline ? JOB_LATE : JOB_JUDGE;
}

/* One job, with the lock released meanwhile. */
static void do_job(struct crew *crew, struct job *job)
{
    bool heavy = weight_of(job) == JOB_HEAVY;
    enum job_order order = order_for(crew, job);
    pthread_mutex_unlock(&crew->lock);
    atomic_fetch_sub(&crew->waiting, 1);
    atomic_fetch_add(&crew->busy, 1);
    job->run(job, order);
    atomic_fetch_sub(&crew->busy, 1);
    pthread_mutex_lock(&crew->lock);
    crew->heavy -= heavy; /* this member looks for the next one, so nobody needs waking */
}

static void *work(void *argument)
{
    struct crew *crew = argument;
    (void)setpriority(PRIO_PROCESS, 0, LIMIT_WORKER_NICE); /* on Linux, of this thread; without it, small reviews wait longer */
    pthread_mutex_lock(&crew->lock);
    for (;;) {
        struct job *job = next_job(crew);
        if (job)
            do_job(crew, job);
        else if (crew->dismissed)
            break;
        else
            pthread_cond_wait(&crew->wake, &crew->lock);
    }
    pthread_mutex_unlock(&crew->lock);
    return NULL;
}

void crew_dismiss(struct crew *crew)
{
    pthread_mutex_lock(&crew->lock);
    bool again = crew->dismissed;
    crew->dismissed = true;
    pthread_cond_broadcast(&crew->wake);
    pthread_mutex_unlock(&crew->lock);
    for (unsigned i = 0; !again && i < crew->count; i++)
        pthread_join(crew->members[i], NULL);
}

static int start_members(struct crew *crew, unsigned count)
{
    for (unsigned i = 0; i < count; i++) {
        int error = pthread_create(&crew->members[i], NULL, work, crew);
        if (error) {
            crew->count = i;
            crew_dismiss(crew);
            return error;
        }
    }
    return 0;
}

int crew_start(struct crew *crew, unsigned count)
{
    *crew = (struct crew){ .count = count };
    int error = pthread_mutex_init(&crew->lock, NULL);
    if (error)
        return error;
    error = pthread_cond_init(&crew->wake, NULL);
    if (!error) {
        error = start_members(crew, count);
        if (!error)
            return 0;
        pthread_cond_destroy(&crew->wake);
    }
    pthread_mutex_destroy(&crew->lock);
    return error;
}

bool crew_submit(struct crew *crew, struct job *job)
{
    job->next = NULL;
    pthread_mutex_lock(&crew->lock);
    bool taken = !crew->dismissed && atomic_load(&crew->waiting) < LIMIT_QUEUE;
    if (taken) {
        struct job_queue *queue = &crew->queues[weight_of(job)];
        if (queue->first)
            queue->last->next = job;
        else
            queue->first = job;
        queue->last = job;
        atomic_fetch_add(&crew->waiting, 1);
        pthread_cond_signal(&crew->wake);
    }
    pthread_mutex_unlock(&crew->lock);
    return taken;
}

void crew_stop(struct crew *crew)
{
    crew_dismiss(crew);
    pthread_cond_destroy(&crew->wake);
    pthread_mutex_destroy(&crew->lock);
}
