#include "base/team.h"

#include <sched.h>

/* Takes the first job that waits. Under the mutex; NULL: there is none. */
static struct team_job *take(struct team *team)
{
    struct team_job *job = team->first;
    if (!job)
        return NULL;
    team->first = job->next;
    if (!team->first)
        team->last = NULL;
    job->state = TEAM_BEGUN;
    return job;
}

static void *work(void *closure)
{
    struct team *team = closure;
    pthread_mutex_lock(&team->mutex);
    while (!team->stopping) {
        struct team_job *job = take(team);
        if (!job) {
            pthread_cond_wait(&team->given, &team->mutex);
            continue;
        }
        pthread_mutex_unlock(&team->mutex);
        job->run(job);
        pthread_mutex_lock(&team->mutex);
        job->state = TEAM_DONE;
        pthread_cond_signal(&team->done);
    }
    pthread_mutex_unlock(&team->mutex);
    return NULL;
}

void team_start(struct team *team, unsigned most)
{
    *team = (struct team){ .most = most < LIMIT_TEAM ? most : LIMIT_TEAM };
    pthread_mutex_init(&team->mutex, NULL);
    pthread_cond_init(&team->given, NULL);
    pthread_cond_init(&team->done, NULL);
}

void team_stop(struct team *team)
{
    pthread_mutex_lock(&team->mutex);
    team->stopping = true;
    pthread_cond_broadcast(&team->given);
    pthread_mutex_unlock(&team->mutex);
    while (team->count)
        pthread_join(team->threads[--team->count], NULL);
    pthread_cond_destroy(&team->given);
    pthread_cond_destroy(&team->done);
    pthread_mutex_destroy(&team->mutex);
}

void team_give(struct team *team, struct team_job *job)
{
    pthread_mutex_lock(&team->mutex);
    if (team->first && team->count < team->most) {
        if (pthread_create(&team->threads[team->count], NULL, work, team) == 0)
            team->count++;
        else
            team->most = team->count;
    }
    job->next = NULL;
    job->state = TEAM_WAITING;
    if (team->last)
        team->last->next = job;
    else
        team->first = job;
    team->last = job;
    pthread_cond_signal(&team->given);
    pthread_mutex_unlock(&team->mutex);
}

/* Meanwhile it does others: that the system wakes it for each task that another thread has done takes longer than many a task. */
void team_wait(struct team *team, struct team_job *job)
{
    pthread_mutex_lock(&team->mutex);
    while (job->state != TEAM_DONE) {
        struct team_job *next = take(team);
        if (!next) {
            pthread_cond_wait(&team->done, &team->mutex);
            continue;
        }
        pthread_mutex_unlock(&team->mutex);
        next->run(next);
        pthread_mutex_lock(&team->mutex);
        next->state = TEAM_DONE;
    }
    pthread_mutex_unlock(&team->mutex);
}

unsigned team_processors(void)
{
    cpu_set_t allowed;
    if (sched_getaffinity(0, sizeof allowed, &allowed) != 0)
        return LIMIT_TEAM; /* more than CPU_SETSIZE processors */
    unsigned count = (unsigned)CPU_COUNT(&allowed);
    return count < 1 ? 1 : count > LIMIT_TEAM ? LIMIT_TEAM : count;
}
