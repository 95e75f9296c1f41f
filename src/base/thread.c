#include "base/thread.h"

#include <errno.h>
#include <poll.h>
#include <stdint.h>
#include <sys/eventfd.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"

int thread_start(struct thread *thread, void *(*run)(void *closure), void *closure)
{
    *thread = (struct thread){ .wake = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK) };
    if (thread->wake < 0)
        return errno;
    int error = pthread_create(&thread->id, NULL, run, closure);
    thread->running = error == 0;
    if (error)
        close(thread->wake);
    return error;
}

bool thread_sleep(struct thread *thread, int milliseconds)
{
    struct pollfd event = { .fd = thread->wake, .events = POLLIN };
    if (poll(&event, 1, milliseconds) > 0)
        thread_clear_wake(thread);
    return !thread_is_stopping(thread);
}

void thread_clear_wake(struct thread *thread)
{
    uint64_t count;
    while (read(thread->wake, &count, sizeof count) < 0 && errno == EINTR)
        continue;
}

bool thread_is_stopping(const struct thread *thread)
{
    return atomic_load(&thread->stopping);
}

void thread_wake(struct thread *thread)
{
    const uint64_t one = 1;
    while (write(thread->wake, &one, sizeof one) < 0 && errno == EINTR)
        continue;
}

static void tell_to_stop(struct thread *thread)
{
    atomic_store(&thread->stopping, true);
    thread_wake(thread);
}

static void is_over(struct thread *thread)
{
    close(thread->wake);
    thread->running = false;
}

void thread_stop(struct thread *thread)
{
    if (!thread->running)
        return;
    tell_to_stop(thread);
    pthread_join(thread->id, NULL);
    is_over(thread);
}

/* By the wall clock: the thread sanitizer of gcc 12 does not know pthread_clockjoin_np. */
bool thread_stop_within(struct thread *thread, int milliseconds)
{
    const int64_t end = clock_wall_milliseconds() + milliseconds;
    const struct timespec until = { .tv_sec = end / 1000, .tv_nsec = end % 1000 * 1000000 };
    if (!thread->running)
        return true;
    tell_to_stop(thread);
    if (pthread_timedjoin_np(thread->id, NULL, &until) != 0)
        return false;
    is_over(thread);
    return true;
}
