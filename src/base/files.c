#include "base/files.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/limits.h"

enum { CHUNK_BYTES = 64 * 1024 };

struct reading {
    size_t max;
    unsigned flags;
    int descriptor;
    bool is_stdin, is_fifo;
    char *data;
    size_t length, capacity;
};

static bool fail_memory(struct error *error)
{
    return error_set(error, FAILURE_MEMORY, "%s", strerror(ENOMEM));
}

/* Moves the data to memory of that size. What is secret leaves no copy behind. */
static bool resize(struct reading *reading, size_t capacity)
{
    char *data = reading->flags & FILE_SECRET ? malloc(capacity) : realloc(reading->data, capacity);
    if (!data)
        return false;
    if (reading->flags & FILE_SECRET && reading->data) {
        memcpy(data, reading->data, reading->length);
        explicit_bzero(reading->data, reading->length);
        free(reading->data);
    }
    reading->data = data;
    reading->capacity = capacity;
    return true;
}

static void discard(struct reading *reading)
{
    if (reading->flags & FILE_SECRET && reading->data)
        explicit_bzero(reading->data, reading->length);
    free(reading->data);
}

static bool fail_size(const struct reading *reading, struct error *error)
{
    bool mebibytes = reading->max % (1 << 20) == 0;
    return error_set(error, FAILURE_LIMIT, "larger than %zu %s", reading->max >> (mebibytes ? 20 : 10), mebibytes ? "MiB" : "KiB");
}

/* Waits for a writer that is silent, or for one to come. Returns whether it makes sense to read on. */
static bool wait_for_data(const struct reading *reading, int milliseconds)
{
    struct pollfd wait = { .fd = reading->descriptor, .events = POLLIN };
    return poll(&wait, 1, reading->is_stdin ? -1 : milliseconds) > 0;
}

static bool read_all(struct reading *reading, struct error *error)
{
    bool waited = false;
    for (;;) {
        if (reading->capacity - reading->length < CHUNK_BYTES && !resize(reading, 2 * reading->capacity + CHUNK_BYTES))
            return fail_memory(error);
        ssize_t count = read(reading->descriptor, reading->data + reading->length, CHUNK_BYTES);
        if (count > 0) {
            reading->length += (size_t)count;
            if (reading->length > reading->max)
                return fail_size(reading, error);
        } else if (count == 0 && reading->is_fifo && !reading->is_stdin && reading->length == 0 && !waited) {
            waited = true;
            if (!wait_for_data(reading, LIMIT_WRITER_MS))
                return error_set(error, FAILURE_INPUT, "a FIFO that nobody writes to");
        } else if (count == 0) {
            return true;
        } else if (errno == EAGAIN) {
            if (!wait_for_data(reading, LIMIT_SILENCE_MS))
                return error_set(error, FAILURE_INPUT, "nothing more came for a minute");
        } else if (errno != EINTR) {
            return error_set(error, FAILURE_INPUT, "%s", strerror(errno));
        }
    }
}

/* O_NONBLOCK: opening a FIFO would wait for a writer. */
static bool open_file(const char *path, struct reading *reading, struct error *error)
{
    struct stat status;
    reading->is_stdin = strcmp(path, "-") == 0 && !(reading->flags & FILE_REGULAR);
    reading->descriptor = reading->is_stdin ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    if (reading->descriptor < 0 || fstat(reading->descriptor, &status) != 0)
        return error_set(error, FAILURE_INPUT, "%s", strerror(errno));
    reading->is_fifo = S_ISFIFO(status.st_mode);
    if (reading->flags & FILE_REGULAR && !S_ISREG(status.st_mode))
        return error_set(error, FAILURE_INPUT, S_ISDIR(status.st_mode) ? "it is a directory" : "it is not a regular file");
    return true;
}

bool files_read(const char *path, uint32_t max, unsigned flags, struct buffer *buffer, struct error *error)
{
    struct reading reading = { .max = max, .flags = flags, .descriptor = -1 };
    bool good = open_file(path, &reading, error) && read_all(&reading, error);
    if (reading.descriptor >= 0 && !reading.is_stdin)
        close(reading.descriptor);
    if (good && !resize(&reading, reading.length + 1)) /* without the room after it: many files may be kept */
        good = fail_memory(error);
    if (!good) {
        discard(&reading);
        return false;
    }
    reading.data[reading.length] = '\0';
    *buffer = (struct buffer){ reading.data, (uint32_t)reading.length };
    return true;
}
