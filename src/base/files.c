#include "base/files.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
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
    size_t expected; /* bytes of a regular file; 0: nobody knows */
    bool may_spool;
    int spool;      /* a temporary file with what was read before `data`; -1: none */
    size_t spooled; /* its size */
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

/* ---- temporary files ---- */

static bool open_spool(struct reading *reading)
{
    const char *folder = getenv("TMPDIR");
    char *name = NULL;
    if (asprintf(&name, "%s/drawbridge-XXXXXX", folder && *folder ? folder : "/tmp") < 0)
        return false;
    reading->spool = mkostemp(name, O_CLOEXEC);
    if (reading->spool >= 0)
        unlink(name);
    free(name);
    return reading->spool >= 0;
}

/* Moves what was read to the temporary file. Without one, it stays in memory. */
static bool spool(struct reading *reading, struct error *error)
{
    reading->may_spool = reading->spool >= 0 || open_spool(reading);
    for (size_t at = 0; reading->may_spool && at < reading->length;) {
        ssize_t count = write(reading->spool, reading->data + at, reading->length - at);
        if (count < 0 && errno != EINTR)
            return error_set(error, FAILURE_INPUT, "larger than %u MiB, and its copy cannot be written (TMPDIR says where to): %s",
                             LIMIT_SPOOL_BYTES >> 20, strerror(errno));
        at += count > 0 ? (size_t)count : 0;
    }
    if (reading->may_spool) {
        reading->spooled += reading->length;
        reading->length = 0;
    }
    if (reading->spooled > LIMIT_SPOOLED_BYTES)
        return error_set(error, FAILURE_LIMIT, "larger than %u MiB: name it as a file", (unsigned)(LIMIT_SPOOLED_BYTES >> 20));
    return true;
}

static bool read_all(struct reading *reading, struct error *error)
{
    bool waited = false;
    if (reading->expected && !resize(reading, reading->expected + 1)) /* one more, to see the end */
        return fail_memory(error);
    for (;;) {
        if (reading->capacity == reading->length && !resize(reading, 2 * reading->capacity + CHUNK_BYTES))
            return fail_memory(error);
        ssize_t count = read(reading->descriptor, reading->data + reading->length, reading->capacity - reading->length);
        if (count > 0) {
            reading->length += (size_t)count;
            if (reading->may_spool && reading->length > LIMIT_SPOOL_BYTES && !spool(reading, error))
                return false;
            if (reading->length > reading->max)
                return fail_size(reading, error);
            if (reading->expected && reading->length == reading->expected && reading->length < reading->capacity)
                return true; /* less came than there is room for: a regular file has ended where it was said to */
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
    if (S_ISREG(status.st_mode) && status.st_size > 0 && (size_t)status.st_size <= reading->max)
        reading->expected = (size_t)status.st_size;
    if (reading->flags & FILE_REGULAR && !S_ISREG(status.st_mode))
        return error_set(error, FAILURE_INPUT, S_ISDIR(status.st_mode) ? "it is a directory" : "it is not a regular file");
    return true;
}

bool files_read(const char *path, uint32_t max, unsigned flags, struct buffer *buffer, struct error *error)
{
    struct reading reading = { .max = max, .flags = flags, .descriptor = -1, .spool = -1 };
    bool good = open_file(path, &reading, error) && read_all(&reading, error);
    if (reading.descriptor >= 0 && !reading.is_stdin)
        close(reading.descriptor);
    if (good && reading.capacity != reading.length + 1 && !resize(&reading, reading.length + 1)) /* no room after it: many may be kept */
        good = fail_memory(error);
    if (!good) {
        discard(&reading);
        return false;
    }
    reading.data[reading.length] = '\0';
    *buffer = (struct buffer){ reading.data, (uint32_t)reading.length };
    return true;
}

/* ---- texts of any size ---- */

static bool map(int descriptor, size_t length, struct file_text *text, struct error *error)
{
    *text = (struct file_text){ .length = length, .mapped = length > 0 };
    void *data = length ? mmap(NULL, length, PROT_READ, MAP_PRIVATE, descriptor, 0) : NULL;
    if (data == MAP_FAILED)
        return error_set(error, FAILURE_INPUT, "%s", strerror(errno));
    text->data = data;
    return true;
}

/* Reads what cannot be mapped. */
static bool read_text(struct reading *reading, struct file_text *text, struct error *error)
{
    struct stat status;
    reading->may_spool = fstat(reading->descriptor, &status) == 0 && !S_ISCHR(status.st_mode); /* devices may have no end */
    bool good = read_all(reading, error);
    if (good && reading->spool >= 0)
        good = spool(reading, error) && map(reading->spool, reading->spooled, text, error);
    else if (good) {
        const struct buffer buffer = { reading->data, (uint32_t)reading->length };
        *text = (struct file_text){ .data = buffer.data, .length = buffer.length, .buffer = buffer };
        return true;
    }
    if (reading->spool >= 0)
        close(reading->spool);
    free(reading->data);
    return good;
}

bool files_open(const char *path, struct file_text *text, struct error *error)
{
    struct reading reading = { .max = LIMIT_FILE_BYTES, .descriptor = -1, .spool = -1 };
    struct stat status;
    bool good = open_file(path, &reading, error);
    if (good && fstat(reading.descriptor, &status) == 0 && S_ISREG(status.st_mode) && lseek(reading.descriptor, 0, SEEK_CUR) == 0)
        good = map(reading.descriptor, (size_t)status.st_size, text, error);
    else if (good)
        good = read_text(&reading, text, error);
    if (reading.descriptor >= 0 && !reading.is_stdin)
        close(reading.descriptor);
    return good;
}

void files_close(struct file_text *text)
{
    if (text->mapped)
        munmap((void *)(uintptr_t)text->data, text->length);
    buffer_free(&text->buffer);
    *text = (struct file_text){ .data = NULL };
}

void files_forget(const struct file_text *text, size_t from, size_t to)
{
    const size_t page = (size_t)sysconf(_SC_PAGESIZE);
    from = (from + page - 1) / page * page;
    to = to / page * page;
    if (text->mapped && from < to)
        (void)madvise((void *)(uintptr_t)(text->data + from), to - from, MADV_DONTNEED);
}

int64_t files_size(const char *path)
{
    struct stat status;
    return stat(path, &status) == 0 && S_ISREG(status.st_mode) ? (int64_t)status.st_size : -1;
}
