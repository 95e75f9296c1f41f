/* Threads that do jobs. */
#include <semaphore.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <time.h>

#include <cmocka.h>

#include "base/team.h"

enum { JOBS = 1000 };

struct sum {
    struct team_job job;
    unsigned number, result;
};

static void add_up(struct team_job *job)
{
    struct sum *sum = (struct sum *)job;
    for (unsigned i = 1; i <= sum->number; i++)
        sum->result += i;
}

/* Each job is done once, whoever does it, and is done when team_wait returns. */
static void do_all(unsigned threads)
{
    static struct sum sums[JOBS];
    struct team team;
    team_start(&team, threads);
    for (unsigned i = 0; i < JOBS; i++) {
        sums[i] = (struct sum){ .job.run = add_up, .number = i };
        team_give(&team, &sums[i].job);
    }
    for (unsigned i = 0; i < JOBS; i++) {
        team_wait(&team, &sums[i].job);
        assert_int_equal(sums[i].result, i * (i + 1) / 2);
    }
    team_stop(&team);
}

static void without_threads(void **state)
{
    (void)state;
    do_all(0);
}

static void with_threads(void **state)
{
    (void)state;
    do_all(1);
    do_all(7);
}

struct meeting {
    struct team_job job;
    sem_t *says, *hears;
    bool heard;
};

/* Waits for the other one, but not for ever. */
static void meet(struct team_job *job)
{
    struct meeting *meeting = (struct meeting *)job;
    struct timespec until;
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_sec += 10;
    sem_post(meeting->says);
    meeting->heard = sem_timedwait(meeting->hears, &until) == 0;
}

/* Who waits for a job that another thread does, does the next one meanwhile. */
static void help_while_waiting(void **state)
{
    (void)state;
    struct team team;
    sem_t first, second;
    sem_init(&first, 0, 0);
    sem_init(&second, 0, 0);
    struct meeting meetings[] = {
        { .job.run = meet, .says = &first, .hears = &second },
        { .job.run = meet, .says = &second, .hears = &first },
    };
    team_start(&team, 1);
    team_give(&team, &meetings[0].job);
    team_give(&team, &meetings[1].job);
    sem_wait(&first); /* the thread has begun it */
    sem_post(&first);
    for (unsigned i = 0; i < 2; i++) {
        team_wait(&team, &meetings[i].job);
        assert_true(meetings[i].heard);
    }
    team_stop(&team);
    sem_destroy(&first);
    sem_destroy(&second);
}

/* What nobody has begun is not done any more. */
static void stop_early(void **state)
{
    (void)state;
    struct sum sum = { .job.run = add_up, .number = 3 };
    struct team team;
    team_start(&team, 0);
    team_give(&team, &sum.job);
    team_stop(&team);
    assert_int_equal(sum.result, 0);
}

static void count_processors(void **state)
{
    (void)state;
    assert_in_range(team_processors(), 1, LIMIT_TEAM);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(without_threads), cmocka_unit_test(with_threads), cmocka_unit_test(help_while_waiting),
        cmocka_unit_test(stop_early), cmocka_unit_test(count_processors),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
