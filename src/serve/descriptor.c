#include "serve/descriptor.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>

#include "observe/process.h"
#include "serve/limits.h"

/* Those that are open already: ours, and what we have inherited. */
static rlim_t count_open(void)
{
    int count = process_open_files();
    return count < 0 ? 0 : (rlim_t)count; /* LIMIT_OTHER_DESCRIPTORS has room for ours */
}

/* As many as are wanted, if the system allows. Returns how many may be open. */
static rlim_t raise_limit(struct rlimit *files, rlim_t wanted)
{
    rlim_t soft = files->rlim_cur;
    if (soft >= wanted)
        return soft;
    files->rlim_cur = files->rlim_max < wanted ? files->rlim_max : wanted;
    return setrlimit(RLIMIT_NOFILE, files) == 0 && getrlimit(RLIMIT_NOFILE, files) == 0 ? files->rlim_cur : soft;
}

static unsigned smaller(rlim_t one, unsigned other)
{
    return one < other ? (unsigned)one : other;
}

/* What may be open beside HTTPS connections, where all others are as few as they may be. What the filter of the status port holds may all
 * be passed on at once, beside those that the library has already. */
static rlim_t count_needed(void)
{
    return count_open() + LIMIT_OTHER_DESCRIPTORS + LIMIT_STATUS_CONNECTIONS + LIMIT_STATUS_WAITING_MIN + LIMIT_HELLO_WAITING_MIN;
}

bool descriptors_reserve(struct descriptors *descriptors, struct error *error)
{
    const rlim_t more = LIMIT_STATUS_WAITING - LIMIT_STATUS_WAITING_MIN + LIMIT_HELLO_WAITING - LIMIT_HELLO_WAITING_MIN;
    rlim_t others = count_needed();
    struct rlimit files;
    if (getrlimit(RLIMIT_NOFILE, &files) != 0)
        return error_set(error, FAILURE_INPUT, "cannot read how many files may be open: %s", strerror(errno));
    rlim_t max = raise_limit(&files, others + LIMIT_CONNECTIONS + more);
    if (max < others + LIMIT_CONNECTIONS_MIN)
        return error_set(error, FAILURE_LIMIT, "only %llu files may be open (RLIMIT_NOFILE), and %llu are needed", (unsigned long long)max,
                         (unsigned long long)(others + LIMIT_CONNECTIONS_MIN));
    descriptors->https = smaller(max - others, LIMIT_CONNECTIONS);
    rlim_t half = (max - others - descriptors->https) / 2;
    descriptors->https_waiting = smaller(half + LIMIT_HELLO_WAITING_MIN, LIMIT_HELLO_WAITING);
    descriptors->status_waiting = smaller(half + LIMIT_STATUS_WAITING_MIN, LIMIT_STATUS_WAITING);
    return true;
}
