/* Writes files that belong together: everything is prepared in temporary files beside the targets, which are then put in place, and what
 * cannot be put in place takes back what was. So each file is whole at any time, and an error or a signal leaves all new or all as they
 * were, without temporary files. What cannot be held off (SIGKILL, a power cut) may come between two: then some are new, the others old
 * or missing, and temporary files (NAME.XXXXXX, NAME.XXXXXX.old) are left. */
#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "pki/pki.h"

_Static_assert(PKI_PATH_BYTES == PATH_MAX, "paths are as long as the system takes them");

/* One file on its way. The names are set when the files of that name exist, otherwise empty. */
struct staged {
    char fresh[PKI_PATH_BYTES];    /* what shall be the target */
    char previous[PKI_PATH_BYTES]; /* another name of what was the target, to go back to */
    bool placed;                   /* the target is ours */
};

static bool fail_system(struct error *error, const char *path, int cause)
{
    if (cause == EEXIST)
        return pki_fail(error, "%s exists already; only --force replaces it", escape_text(path).text);
    return pki_fail(error, "cannot write %s: %s", escape_text(path).text, strerror(cause));
}

/* For a good message before anything is done; what happens afterwards is caught when the file is put in place. */
static bool check_target(const char *path, bool force, struct error *error)
{
    struct stat status;
    if (lstat(path, &status) != 0)
        return errno == ENOENT || fail_system(error, path, errno);
    if (!force)
        return fail_system(error, path, EEXIST);
    return S_ISREG(status.st_mode) || pki_fail(error, "cannot replace %s: it is not a regular file", escape_text(path).text);
}

static bool write_bytes(int descriptor, const char *text)
{
    size_t left = strlen(text);
    while (left) {
        ssize_t count = write(descriptor, text, left);
        if (count < 0 && errno != EINTR)
            return false;
        text += count > 0 ? count : 0;
        left -= count > 0 ? (size_t)count : 0;
    }
    return true;
}

/* mkostemp opens with O_EXCL and at most mode 0600, so no other user ever reads a key. */
static bool stage(const struct pki_output *output, struct staged *staged, struct error *error)
{
    char name[PKI_PATH_BYTES];
    if ((size_t)snprintf(name, sizeof name, "%s.XXXXXX", output->path) >= sizeof name)
        return fail_system(error, output->path, ENAMETOOLONG);
    int descriptor = mkostemp(name, O_CLOEXEC);
    if (descriptor < 0)
        return fail_system(error, output->path, errno);
    snprintf(staged->fresh, sizeof staged->fresh, "%s", name);
    bool good = fchmod(descriptor, output->secret ? 0600 : 0644) == 0 && write_bytes(descriptor, output->text) && fsync(descriptor) == 0;
    int cause = errno;
    if (close(descriptor) != 0 && good) {
        good = false;
        cause = errno;
    }
    return good || fail_system(error, output->path, cause);
}

/* The old file keeps a second name until all is done. */
static bool replace(const struct pki_output *output, struct staged *staged)
{
    char name[PKI_PATH_BYTES];
    if ((size_t)snprintf(name, sizeof name, "%s.old", staged->fresh) >= sizeof name) {
        errno = ENAMETOOLONG;
        return false;
    }
    if (link(output->path, name) != 0)
        return false;
    snprintf(staged->previous, sizeof staged->previous, "%s", name);
    if (rename(staged->fresh, output->path) != 0)
        return false;
    staged->fresh[0] = '\0';
    staged->placed = true;
    return true;
}

/* link, unlike rename, never takes the place of another file. */
static bool place(const struct pki_output *output, struct staged *staged, bool force, struct error *error)
{
    staged->placed = link(staged->fresh, output->path) == 0;
    if (staged->placed || (errno == EEXIST && force && replace(output, staged)))
        return true;
    return fail_system(error, output->path, errno);
}

/* An old file that cannot be put back is not lost: the error says under which name it is. */
static void take_back(const struct pki_output *output, struct staged *staged, struct error *error)
{
    if (!staged->placed)
        return;
    if (!staged->previous[0])
        unlink(output->path);
    else if (rename(staged->previous, output->path) != 0) {
        const struct error first = *error;
        (void)pki_fail(error, "%s; %s is new, the one before it is %s now", first.text, escape_text(output->path).text,
                       escape_text(staged->previous).text);
    }
    staged->previous[0] = '\0';
}

static void remove_names(const struct staged *staged)
{
    if (staged->fresh[0])
        unlink(staged->fresh);
    if (staged->previous[0])
        unlink(staged->previous);
}

/* Names, too, shall survive a power cut. EINVAL: a file system without that. */
static bool sync_directory(const struct pki_output *output, struct error *error)
{
    char path[PKI_PATH_BYTES];
    snprintf(path, sizeof path, "%s", output->path); /* stage has found that it fits */
    int descriptor = open(dirname(path), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    bool good = descriptor >= 0 && (fsync(descriptor) == 0 || errno == EINVAL);
    int cause = errno;
    if (descriptor >= 0)
        close(descriptor);
    return good || fail_system(error, output->path, cause);
}

static bool write_all(const struct pki_output *outputs, int count, bool force, struct error *error)
{
    struct staged staged[PKI_OUTPUTS] = { { .placed = false } };
    bool good = true;
    for (int i = 0; i < count && good; i++)
        good = check_target(outputs[i].path, force, error);
    for (int i = 0; i < count && good; i++)
        good = stage(&outputs[i], &staged[i], error);
    for (int i = 0; i < count && good; i++)
        good = place(&outputs[i], &staged[i], force, error);
    for (int i = 0; i < count && good; i++)
        good = sync_directory(&outputs[i], error);
    for (int i = 0; i < count && !good; i++)
        take_back(&outputs[i], &staged[i], error);
    for (int i = 0; i < count; i++)
        remove_names(&staged[i]);
    return good;
}

/* Signals that would end the program between two files wait until all are there. */
bool pki_write(const struct pki_output *outputs, int count, bool force, struct error *error)
{
    static const int ends[] = { SIGINT, SIGTERM, SIGHUP };
    sigset_t blocked, before;
    sigemptyset(&blocked);
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++)
        sigaddset(&blocked, ends[i]);
    int cause = pthread_sigmask(SIG_BLOCK, &blocked, &before);
    if (cause)
        return pki_fail(error, "cannot hold signals off: %s", strerror(cause));
    bool good = write_all(outputs, count, force, error);
    (void)pthread_sigmask(SIG_SETMASK, &before, NULL);
    return good;
}

/* chmod, because the umask may have taken rights from us. */
bool pki_make_directory(const char *path, bool *made, struct error *error)
{
    bool fresh = mkdir(path, 0700) == 0;
    if (fresh ? chmod(path, 0700) != 0 : errno != EEXIST)
        return pki_fail(error, "cannot make the directory %s: %s", escape_text(path).text, strerror(errno));
    *made = fresh;
    return true;
}
