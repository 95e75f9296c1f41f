/* Threads that sleep, are woken and stopped; and the clocks. Worth running under the thread sanitizer. */
#include "unit.h"

#include "base/clock.h"
#include "base/thread.h"

enum { FOREVER_MS = 1000000, SOON_MS = 20, LONG_MS = 5000 };

struct sleeper {
    struct thread thread;
    int pause; /* milliseconds */
    atomic_uint rounds;
    atomic_bool held; /* does not heed its stop */
};

static void *sleep_on(void *closure)
{
    struct sleeper *sleeper = closure;
    while (thread_sleep(&sleeper->thread, sleeper->pause) || atomic_load(&sleeper->held))
        atomic_fetch_add(&sleeper->rounds, 1);
    return NULL;
}

static void wait_for_rounds(struct sleeper *sleeper, unsigned rounds)
{
    const struct timespec pause = { 0, 1000000 };
    for (int i = 0; i < LONG_MS && atomic_load(&sleeper->rounds) < rounds; i++)
        nanosleep(&pause, NULL);
    assert_true(atomic_load(&sleeper->rounds) >= rounds);
}

/* A stop ends a sleep that would last for ever, and may be repeated. */
static void test_stop(void **state)
{
    struct sleeper sleeper = { .pause = FOREVER_MS };
    int64_t began = clock_milliseconds();
    (void)state;
    thread_stop(&sleeper.thread); /* of one that was never started */
    assert_int_equal(thread_start(&sleeper.thread, sleep_on, &sleeper), 0);
    assert_false(thread_is_stopping(&sleeper.thread));
    thread_stop(&sleeper.thread);
    thread_stop(&sleeper.thread);
    assert_true(thread_stop_within(&sleeper.thread, 0));
    assert_int_equal(atomic_load(&sleeper.rounds), 0);
    assert_true(clock_milliseconds() - began < LONG_MS);
}

/* Each wake is seen, also one that comes before the sleep; several may be seen at once. */
static void test_wake(void **state)
{
    struct sleeper sleeper = { .pause = FOREVER_MS };
    (void)state;
    assert_int_equal(thread_start(&sleeper.thread, sleep_on, &sleeper), 0);
    for (unsigned i = 1; i <= 100; i++) {
        thread_wake(&sleeper.thread);
        wait_for_rounds(&sleeper, i);
    }
    thread_stop(&sleeper.thread);
    assert_int_equal(atomic_load(&sleeper.rounds), 100);
}

/* It wakes by itself, not much too early or all the time. */
static void test_pause(void **state)
{
    struct sleeper sleeper = { .pause = SOON_MS };
    uint64_t began = clock_nanoseconds();
    (void)state;
    assert_int_equal(thread_start(&sleeper.thread, sleep_on, &sleeper), 0);
    wait_for_rounds(&sleeper, 3);
    thread_stop(&sleeper.thread);
    assert_true(clock_nanoseconds() - began >= (uint64_t)atomic_load(&sleeper.rounds) * (SOON_MS - 1) * 1000000);
}

/* A thread that does not end is given up after a time, and can be stopped later. */
static void test_stop_within(void **state)
{
    struct sleeper sleeper = { .pause = 1, .held = true };
    (void)state;
    assert_int_equal(thread_start(&sleeper.thread, sleep_on, &sleeper), 0);
    int64_t began = clock_milliseconds();
    assert_false(thread_stop_within(&sleeper.thread, SOON_MS));
    assert_true(clock_milliseconds() - began < LONG_MS);
    atomic_store(&sleeper.held, false);
    assert_true(thread_stop_within(&sleeper.thread, LONG_MS));
}

static void test_clocks(void **state)
{
    int64_t milliseconds = clock_milliseconds(), wall = clock_wall_seconds();
    uint64_t nanoseconds = clock_nanoseconds();
    (void)state;
    assert_true(llabs((long long)(nanoseconds / 1000000) - milliseconds) < 1000); /* of the same clock */
    assert_true(llabs((long long)(clock_wall_milliseconds() / 1000 - wall)) <= 1);
    assert_true(wall > 1700000000); /* November 2023 */
    assert_true(clock_nanoseconds() >= nanoseconds);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_stop), cmocka_unit_test(test_wake), cmocka_unit_test(test_pause), cmocka_unit_test(test_stop_within), cmocka_unit_test(test_clocks),
    };
    return cmocka_run_group_tests_name("thread", tests, NULL, NULL);
}
