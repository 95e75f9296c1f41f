/* Threads that do tasks in the order in which they are given. Whoever waits for one does tasks that nobody has begun, so that a team
 * without threads does everything in its order, and a thread that cannot be started only makes it slower. One thread gives and waits.
 *
 *     team_start(&team, 3);
 *     team_give(&team, &it->job); ... team_wait(&team, &it->job);
 *     team_stop(&team); */
#ifndef DRAWBRIDGE_BASE_TEAM_H
#define DRAWBRIDGE_BASE_TEAM_H

#include <pthread.h>
#include <stdbool.h>

#include "base/limits.h"

enum team_state { TEAM_NEW, TEAM_WAITING, TEAM_BEGUN, TEAM_DONE };

/* Part of what it works on. Its owner sets `run`, and keeps it until team_wait has returned. */
struct team_job {
    void (*run)(struct team_job *job);
    struct team_job *next;
    enum team_state state; /* of the team */
};

struct team {
    pthread_mutex_t mutex;
    pthread_cond_t given, done;
    struct team_job *first, *last; /* that nobody has begun */
    bool stopping;
    unsigned count, most; /* threads, and how many there may be */
    pthread_t threads[LIMIT_TEAM];
};

/* A team of at most so many threads beside the one that calls. Each is started when a task is given while another one waits: who has a
 * single task does it himself. There are fewer if the system has none to give. */
void team_start(struct team *team, unsigned most);

/* Waits for tasks that are begun, and forgets the others. */
void team_stop(struct team *team);

/* Gives the team a task. */
void team_give(struct team *team, struct team_job *job);

/* Returns when it is done. Does others meanwhile, as long as there are any. */
void team_wait(struct team *team, struct team_job *job);

/* The processors that this process may use; LIMIT_TEAM at most. */
unsigned team_processors(void);

#endif
