/* drawbridge allocate: several nodes at the same time. */
#include "base/team.h"
#include "cli/allocate.h"

/* One of the things to do. */
struct task {
    struct team_job job;
    void (*work)(void *of, unsigned number);
    void *of;
    unsigned number;
};

static void run(struct team_job *job)
{
    struct task *task = (struct task *)job;
    task->work(task->of, task->number);
}

void allocate_spread(void *self, unsigned count, void (*work)(void *of, unsigned number), void *of)
{
    struct task tasks[LIMIT_TEAM];
    struct team team;
    (void)self;
    team_start(&team, count - 1);
    for (unsigned i = 0; i < count; i++) {
        tasks[i] = (struct task){ .job = { .run = run }, .work = work, .of = of, .number = i };
        team_give(&team, &tasks[i].job);
    }
    for (unsigned i = 0; i < count; i++)
        team_wait(&team, &tasks[i].job);
    team_stop(&team);
}
