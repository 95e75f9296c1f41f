#include "serve/descriptor.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>

#include "base/limits.h"

int descriptors_count(void)
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

/* Those that are open already: ours, and what we have inherited. */
static rlim_t count_open(void)
{
    int count = descriptors_count();
    return count < 0 ? 0 : (rlim_t)count; /* LIMIT_OTHER_DESCRIPTORS has room for ours */
}

bool descriptors_reserve(unsigned *connections, char *error, size_t room)
{
    rlim_t others = count_open() + LIMIT_OTHER_DESCRIPTORS + LIMIT_STATUS_CONNECTIONS;
    struct rlimit files;
    if (getrlimit(RLIMIT_NOFILE, &files) != 0) {
        snprintf(error, room, "cannot tell how many files may be open: %s", strerror(errno));
        return false;
    }
    if (files.rlim_cur < others + LIMIT_CONNECTIONS) {
        rlim_t soft = files.rlim_cur, wanted = others + LIMIT_CONNECTIONS;
        files.rlim_cur = files.rlim_max < wanted ? files.rlim_max : wanted;
        if (setrlimit(RLIMIT_NOFILE, &files) != 0 || getrlimit(RLIMIT_NOFILE, &files) != 0)
            files.rlim_cur = soft;
    }
    if (files.rlim_cur < others + LIMIT_CONNECTIONS_LEAST) {
        snprintf(error, room, "only %llu files may be open (RLIMIT_NOFILE), and %llu are needed", (unsigned long long)files.rlim_cur,
                 (unsigned long long)(others + LIMIT_CONNECTIONS_LEAST));
        return false;
    }
    rlim_t fit = files.rlim_cur - others;
    *connections = fit < LIMIT_CONNECTIONS ? (unsigned)fit : LIMIT_CONNECTIONS;
    return true;
}
