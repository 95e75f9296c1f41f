#include "cli/output_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/escape.h"

enum { MODE = 0666, TRIES = 100 };

static bool refuse(struct error *error, const char *path, int why)
{
    return error_set(error, FAILURE_INPUT, "%s: cannot be written: %s", escape_text(path).text, why ? strerror(why) : "a write failed");
}

/* PATH.PID.N~: names of a run that was killed may still be there. Returns a descriptor, or -1 with errno set. */
static int create_beside(struct output_file *file)
{
    size_t size = strlen(file->path) + 32;
    int made = -1;
    file->fresh = malloc(size);
    if (!file->fresh)
        return -1;
    errno = EEXIST;
    for (int i = 0; i < TRIES && made < 0 && errno == EEXIST; i++) {
        snprintf(file->fresh, size, "%s.%ld.%d~", file->path, (long)getpid(), i);
        made = open(file->fresh, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, MODE);
    }
    if (made < 0) {
        free(file->fresh);
        file->fresh = NULL;
    }
    return made;
}

/* A file that is there keeps its mode; one that may not be written stays. A device is never replaced, nor a name for an open file such
 * as /dev/stdout. */
static int open_target(struct output_file *file, const char *path)
{
    struct stat old;
    bool is_there = stat(path, &old) == 0;
    bool in_place = (is_there && !S_ISREG(old.st_mode)) || strncmp(path, "/dev/", strlen("/dev/")) == 0;
    file->path = is_there && !in_place ? realpath(path, NULL) : strdup(path);
    if (!file->path)
        return -1;
    if (in_place)
        return open(file->path, O_WRONLY | O_CLOEXEC);
    if (is_there && access(file->path, W_OK) != 0)
        return -1;
    int made = create_beside(file);
    if (made >= 0 && is_there && fchmod(made, old.st_mode & 07777) != 0) {
        int why = errno;
        close(made);
        errno = why;
        return -1;
    }
    return made;
}

bool output_file_open(struct output_file *file, const char *path, struct error *error)
{
    *file = (struct output_file){ .out = NULL };
    int made = open_target(file, path);
    file->out = made < 0 ? NULL : fdopen(made, "w");
    if (file->out)
        return true;
    int why = errno;
    if (made >= 0)
        close(made);
    output_file_drop(file);
    return refuse(error, path, why);
}

bool output_file_end(struct output_file *file, struct error *error)
{
    bool good = !ferror(file->out);
    errno = 0; /* whose failure it was earlier is not known */
    good = good && fflush(file->out) == 0 && (!file->fresh || fsync(fileno(file->out)) == 0);
    int why = errno;
    if (fclose(file->out) != 0 && good) {
        good = false;
        why = errno;
    }
    file->out = NULL;
    if (good && file->fresh && rename(file->fresh, file->path) != 0) {
        good = false;
        why = errno;
    }
    if (good) {
        free(file->fresh);
        file->fresh = NULL;
    } else {
        (void)refuse(error, file->path, why);
    }
    output_file_drop(file);
    return good;
}

void output_file_drop(struct output_file *file)
{
    if (file->out)
        fclose(file->out);
    if (file->fresh)
        unlink(file->fresh);
    free(file->fresh);
    free(file->path);
    *file = (struct output_file){ .out = NULL };
}
