/* For LD_PRELOAD: what asks for the time of day is told that it is as many seconds later as the file $CLOCK_FILE says; where $CLOCK_ALL is
 * set, what asks for the monotonic clock, too. */
#include <fcntl.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

static long offset(void)
{
    char text[32] = "";
    const char *path = getenv("CLOCK_FILE");
    int descriptor = path ? open(path, O_RDONLY | O_CLOEXEC) : -1;
    if (descriptor < 0)
        return 0;
    ssize_t got = read(descriptor, text, sizeof text - 1);
    close(descriptor);
    return got > 0 ? atol(text) : 0;
}

int clock_gettime(clockid_t clock, struct timespec *when)
{
    long result = syscall(SYS_clock_gettime, clock, when);
    if (result == 0 && (clock == CLOCK_REALTIME || getenv("CLOCK_ALL")))
        when->tv_sec += offset();
    return (int)result;
}

time_t time(time_t *when)
{
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    if (when)
        *when = now.tv_sec;
    return now.tv_sec;
}

int gettimeofday(struct timeval *restrict when, void *restrict zone)
{
    struct timespec now;
    (void)zone;
    clock_gettime(CLOCK_REALTIME, &now);
    *when = (struct timeval){ now.tv_sec, now.tv_nsec / 1000 };
    return 0;
}
