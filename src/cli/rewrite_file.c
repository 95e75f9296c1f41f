#include "cli/rewrite_file.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static int write_all(int descriptor, struct bytes text)
{
    for (uint32_t at = 0; at < text.length;) {
        ssize_t written = write(descriptor, text.data + at, text.length - at);
        if (written < 0 && errno == EINTR)
            continue;
        if (written <= 0)
            return written ? errno : EIO;
        at += (uint32_t)written;
    }
    return 0;
}

/* Closes it in any case. Returns `error`, or what went wrong here. */
static int end_file(int descriptor, int error)
{
    if (!error && fsync(descriptor) != 0)
        error = errno;
    return close(descriptor) != 0 && !error ? errno : error;
}

static int fill_new(int descriptor, const struct stat *old, struct bytes text)
{
    int error = write_all(descriptor, text);
    if (!error && fchown(descriptor, old->st_uid, old->st_gid) != 0 && errno != EPERM)
        error = errno;
    if (!error && fchmod(descriptor, old->st_mode & 07777) != 0)
        error = errno;
    return end_file(descriptor, error);
}

/* Makes a new file in the folder, and gives it the old one's name. Its own name is short: the old one may be as long as names can be. */
static int replace(const char *path, const struct stat *old, struct bytes text)
{
    char *fresh = NULL;
    const char *slash = strrchr(path, '/');
    if (asprintf(&fresh, "%.*s.drawbridge-XXXXXX", slash ? (int)(slash + 1 - path) : 0, path) < 0)
        return ENOMEM;
    int descriptor = mkostemp(fresh, O_CLOEXEC), error = descriptor < 0 ? errno : fill_new(descriptor, old, text);
    if (!error && rename(fresh, path) != 0)
        error = errno;
    if (error && descriptor >= 0)
        (void)unlink(fresh);
    free(fresh);
    return error;
}

static int overwrite(const char *path, struct bytes text)
{
    int descriptor = open(path, O_WRONLY | O_CLOEXEC | O_NOCTTY);
    if (descriptor < 0)
        return errno;
    int error = write_all(descriptor, text);
    if (!error && ftruncate(descriptor, text.length) != 0)
        error = errno;
    return end_file(descriptor, error);
}

static int rewrite(const char *path, struct bytes text)
{
    struct stat old;
    if (stat(path, &old) != 0 || access(path, W_OK) != 0)
        return errno;
    if (!S_ISREG(old.st_mode))
        return EINVAL;
    return old.st_nlink > 1 ? overwrite(path, text) : replace(path, &old, text);
}

int file_rewrite(const char *path, struct bytes text)
{
    static const int ends[] = { SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGXFSZ };
    sigset_t held, before;
    char *whole = realpath(path, NULL);
    if (!whole)
        return errno;
    sigemptyset(&held);
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++)
        sigaddset(&held, ends[i]);
    int error = pthread_sigmask(SIG_BLOCK, &held, &before);
    if (!error) {
        error = rewrite(whole, text);
        (void)pthread_sigmask(SIG_SETMASK, &before, NULL);
    }
    free(whole);
    return error;
}
