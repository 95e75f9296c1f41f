#include "base/files.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/limits.h"

enum { CHUNK_BYTES = 64 * 1024 };

/* ---- directories ---- */

static bool has_suffix(const char *name, const char *suffix)
{
    size_t length = strlen(name), tail = strlen(suffix);
    return length > tail && strcmp(name + length - tail, suffix) == 0;
}

static bool is_manifest(const char *name)
{
    return has_suffix(name, ".yaml") || has_suffix(name, ".yml") || has_suffix(name, ".json");
}

static int is_wanted(const struct dirent *entry)
{
    return strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0 && strcmp(entry->d_name, ".git") != 0;
}

static int by_name(const struct dirent **a, const struct dirent **b)
{
    return strcmp((*a)->d_name, (*b)->d_name);
}

static void visit_directory(const char *path, const struct file_visitor *visitor, unsigned depth);

static void visit_entry(const char *directory, const char *name, const struct file_visitor *visitor, unsigned depth)
{
    struct stat status, target;
    char *path = NULL;
    size_t length = strlen(directory);
    const char *slash = length && directory[length - 1] == '/' ? "" : "/";
    if (asprintf(&path, "%s%s%s", directory, slash, name) < 0) {
        visitor->trouble(visitor->self, directory, strerror(ENOMEM));
        return;
    }
    if (lstat(path, &status) < 0)
        visitor->trouble(visitor->self, path, strerror(errno));
    else if (S_ISDIR(status.st_mode))
        visit_directory(path, visitor, depth + 1);
    else if (is_manifest(name) && S_ISLNK(status.st_mode) && stat(path, &target) < 0)
        visitor->trouble(visitor->self, path, strerror(errno));
    else if (is_manifest(name) && (S_ISREG(status.st_mode) || (S_ISLNK(status.st_mode) && S_ISREG(target.st_mode))))
        visitor->file(visitor->self, path);
    free(path);
}

static void visit_directory(const char *path, const struct file_visitor *visitor, unsigned depth)
{
    struct dirent **entries = NULL;
    if (depth > LIMIT_DIRECTORY_DEPTH) {
        visitor->trouble(visitor->self, path, "directories are nested too deeply");
        return;
    }
    int count = scandir(path, &entries, is_wanted, by_name);
    if (count < 0) {
        visitor->trouble(visitor->self, path, strerror(errno));
        return;
    }
    for (int i = 0; i < count; i++) {
        visit_entry(path, entries[i]->d_name, visitor, depth);
        free(entries[i]);
    }
    free(entries);
}

void files_visit(const char *path, const struct file_visitor *visitor)
{
    struct stat status;
    if (strcmp(path, "-") != 0 && stat(path, &status) == 0 && S_ISDIR(status.st_mode))
        visit_directory(path, visitor, 1);
    else
        visitor->file(visitor->self, path);
}

/* ---- files ---- */

const struct file_limit manifest_limit = { LIMIT_FILE_BYTES, "larger than 256 MiB" };
const struct file_limit configuration_limit = { LIMIT_CONFIGURATION_BYTES, "larger than 1 MiB" };

struct reading {
    const struct file_limit *limit;
    int descriptor;
    bool is_fifo, is_stdin;
    char *data;
    size_t length, capacity;
};

static const char *make_room(struct reading *reading)
{
    if (reading->capacity - reading->length >= CHUNK_BYTES)
        return NULL;
    size_t capacity = 2 * reading->capacity + CHUNK_BYTES;
    char *grown = realloc(reading->data, capacity);
    if (!grown)
        return strerror(ENOMEM);
    reading->data = grown;
    reading->capacity = capacity;
    return NULL;
}

/* Waits for a writer that is silent, or for one to come. Returns whether it makes sense to read on. */
static bool wait_for_data(const struct reading *reading, int milliseconds)
{
    struct pollfd wait = { .fd = reading->descriptor, .events = POLLIN };
    return poll(&wait, 1, reading->is_stdin ? -1 : milliseconds) > 0;
}

static const char *read_all(struct reading *reading)
{
    bool waited = false;
    for (;;) {
        const char *trouble = make_room(reading);
        if (trouble)
            return trouble;
        ssize_t count = read(reading->descriptor, reading->data + reading->length, CHUNK_BYTES);
        if (count > 0) {
            reading->length += (size_t)count;
            if (reading->length > reading->limit->bytes)
                return reading->limit->why;
        } else if (count == 0 && reading->is_fifo && !reading->is_stdin && reading->length == 0 && !waited) {
            waited = true;
            if (!wait_for_data(reading, LIMIT_WRITER_MS))
                return "a FIFO that nobody writes to";
        } else if (count == 0) {
            return NULL;
        } else if (errno == EAGAIN) {
            if (!wait_for_data(reading, LIMIT_SILENCE_MS))
                return "nothing more came for a minute";
        } else if (errno != EINTR) {
            return strerror(errno);
        }
    }
}

/* The data without the room behind it; many files may be kept. */
static const char *shrunk(const struct reading *reading)
{
    char *smaller = realloc(reading->data, reading->length + 1);
    return smaller ? smaller : reading->data;
}

const char *files_read(const char *path, const struct file_limit *limit, struct bytes *text)
{
    struct reading reading = { .limit = limit, .is_stdin = strcmp(path, "-") == 0 };
    struct stat status;
    reading.descriptor = reading.is_stdin ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    if (reading.descriptor < 0)
        return strerror(errno);
    reading.is_fifo = fstat(reading.descriptor, &status) == 0 && S_ISFIFO(status.st_mode);
    const char *trouble = read_all(&reading);
    if (!reading.is_stdin)
        close(reading.descriptor);
    if (trouble)
        free(reading.data);
    else
        *text = (struct bytes){ shrunk(&reading), (uint32_t)reading.length };
    return trouble;
}
