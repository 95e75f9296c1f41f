#include "observe/process.h"

#include <dirent.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"

enum {
    FILE_BYTES = 1024, /* of a file in /proc; they have one line */
    START_FIELD = 22,  /* of /proc/self/stat, as proc(5) counts */
};

static bool read_file(const char *path, char text[FILE_BYTES])
{
    int file = open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0)
        return false;
    ssize_t length = read(file, text, FILE_BYTES - 1);
    close(file);
    text[length > 0 ? length : 0] = '\0';
    return length > 0;
}

static double seconds(clockid_t clock)
{
    struct timespec now;
    return clock_gettime(clock, &now) == 0 ? (double)now.tv_sec + (double)now.tv_nsec / 1e9 : -1;
}

static void read_memory(struct process_figures *figures)
{
    char text[FILE_BYTES];
    unsigned long size, resident;
    double page = (double)sysconf(_SC_PAGESIZE);
    if (!read_file("/proc/self/statm", text) || sscanf(text, "%lu %lu", &size, &resident) != 2)
        return;
    figures->virtual_bytes = (double)size * page;
    figures->resident_bytes = (double)resident * page;
}

static double started = -1;

/* The kernel counts ticks since it booted. */
static void read_start(void)
{
    char text[FILE_BYTES];
    char *at = read_file("/proc/self/stat", text) ? strrchr(text, ')') : NULL; /* the name before it may hold anything */
    for (int field = 2; at && field < START_FIELD; field++)
        at = strchr(at + 1, ' ');
    if (at)
        started = (double)clock_wall_milliseconds() / 1e3 - seconds(CLOCK_BOOTTIME) + strtod(at, NULL) / (double)sysconf(_SC_CLK_TCK);
}

int process_open_files(void)
{
    int count = -3; /* ".", ".." and the folder itself */
    DIR *folder = opendir("/proc/self/fd");
    if (!folder)
        return -1;
    while (readdir(folder))
        count++;
    closedir(folder);
    return count;
}

void process_read(struct process_figures *figures)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    struct rlimit files;
    *figures = (struct process_figures){ -1, -1, -1, -1, -1, -1 };
    figures->cpu_seconds = seconds(CLOCK_PROCESS_CPUTIME_ID);
    figures->open_files = process_open_files();
    if (getrlimit(RLIMIT_NOFILE, &files) == 0 && files.rlim_cur != RLIM_INFINITY)
        figures->max_files = (double)files.rlim_cur;
    read_memory(figures);
    pthread_once(&once, read_start); /* a clock that is set later does not move it, which would look like a restart */
    figures->started = started;
}
