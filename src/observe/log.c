#include "observe/log.h"

#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/thread.h"
#include "observe/line.h"

enum { SECOND_MS = 1000 }; /* buckets are filled every second */

struct log {
    int descriptor;
    enum log_format format;
    bool is_socket;
    struct thread thread;
    pthread_mutex_t lock;           /* guards what follows up to the atomics */
    size_t begin, length;           /* of what waits in the ring */
    char ring[LIMIT_LOG_BYTES];     /* whole lines */
    atomic_int tokens[LOG_EVENTS];  /* lines of an event that may come now */
    atomic_ulong dropped[LOG_EVENTS];
    atomic_ulong unwritten;         /* lines that were taken from the ring, and lost */
    _Atomic int64_t end;            /* milliseconds of the monotonic clock: when the thread has to end at the latest */
    /* Of the writing thread alone. */
    unsigned long noticed_counts[LOG_EVENTS]; /* how many were left out, as the last line about it said */
    int64_t refilled, noticed;      /* milliseconds of the monotonic clock */
};

static const struct {
    const char *word;
    int burst, rate;
} buckets[] = {
#define EVENT(id, word, level, burst, rate) [LOG_##id] = { word, burst, rate },
    LOG_EVENTS_TABLE(EVENT)
#undef EVENT
};

/* ---- the ring; the lock is held ---- */

static bool ring_put(struct log *log, const struct line *line)
{
    size_t at = (log->begin + log->length) % LIMIT_LOG_BYTES, first = LIMIT_LOG_BYTES - at;
    if (line->length > LIMIT_LOG_BYTES - log->length)
        return false;
    first = first < line->length ? first : line->length;
    memcpy(log->ring + at, line->data, first);
    memcpy(log->ring, line->data + first, line->length - first);
    log->length += line->length;
    return true;
}

/* Takes whole lines, as many as fit. Each is at most LIMIT_LOG_LINE_BYTES long. */
static size_t ring_take(struct log *log, char data[LIMIT_LOG_LINE_BYTES])
{
    size_t size = log->length < LIMIT_LOG_LINE_BYTES ? log->length : LIMIT_LOG_LINE_BYTES, first = LIMIT_LOG_BYTES - log->begin;
    first = first < size ? first : size;
    memcpy(data, log->ring + log->begin, first);
    memcpy(data + first, log->ring, size - first);
    const char *last = size ? memrchr(data, '\n', size) : NULL;
    size = last ? (size_t)(last - data) + 1 : 0;
    log->begin = (log->begin + size) % LIMIT_LOG_BYTES;
    log->length -= size;
    return size;
}

/* ---- the writing thread ---- */

static void refill(struct log *log, int64_t now)
{
    int64_t seconds = (now - log->refilled) / SECOND_MS;
    if (seconds <= 0)
        return;
    log->refilled += seconds * SECOND_MS;
    for (int i = 0; i < LOG_EVENTS; i++) {
        int64_t free = buckets[i].burst - atomic_load(&log->tokens[i]), more = seconds * buckets[i].rate;
        atomic_fetch_add(&log->tokens[i], (int)(more < free ? more : free));
    }
}

/* A line about the lines that are missing. The lock is held. */
static void notice(struct log *log, int64_t now, bool last)
{
    struct line line;
    bool any = false;
    if (now - log->noticed < LIMIT_LOG_NOTICE_MS && !last)
        return;
    line_begin(&line, log->format, LOG_LEFT_OUT);
    for (int i = 0; i < LOG_EVENTS; i++) {
        unsigned long dropped = atomic_load(&log->dropped[i]);
        const struct log_field field = { .name = buckets[i].word, .number = (int64_t)(dropped - log->noticed_counts[i]) };
        if (!field.number)
            continue;
        any = true;
        line_add(&line, &field);
    }
    line_end(&line);
    if (!any || !ring_put(log, &line))
        return; /* later, with those of then */
    log->noticed = now;
    for (int i = 0; i < LOG_EVENTS; i++)
        log->noticed_counts[i] = atomic_load(&log->dropped[i]);
}

/* One try. A pipe that poll() calls writable takes PIPE_BUF bytes, which is LIMIT_LOG_LINE_BYTES, unless another process fills it in
 * between: then this thread waits, and no other. */
static ssize_t put(struct log *log, const char *data, size_t size)
{
    struct pollfd event = { .fd = log->descriptor, .events = POLLOUT };
    if (poll(&event, 1, SECOND_MS / 10) <= 0) {
        errno = EAGAIN;
        return -1;
    }
    return log->is_socket ? send(log->descriptor, data, size, MSG_DONTWAIT | MSG_NOSIGNAL) : write(log->descriptor, data, size);
}

static bool is_over(struct log *log)
{
    int64_t now = clock_milliseconds();
    refill(log, now);
    return now > atomic_load(&log->end);
}

static unsigned long count_lines(const char *data, size_t size)
{
    unsigned long lines = 0;
    for (const char *end = data + size; (data = memchr(data, '\n', (size_t)(end - data))) != NULL; data++)
        lines++;
    return lines;
}

/* Writes it all, unless the reader is gone, the disk is full, or the log has to end. No line reports what is lost here: it would be lost,
 * too. */
static void write_out(struct log *log, const char *data, size_t size)
{
    bool lost = false;
    while (size && !lost && !is_over(log)) {
        ssize_t written = put(log, data, size);
        lost = written < 0 && errno != EAGAIN && errno != EINTR;
        data += written > 0 ? written : 0;
        size -= written > 0 ? (size_t)written : 0;
    }
    atomic_fetch_add_explicit(&log->unwritten, count_lines(data, size), memory_order_relaxed);
}

/* What is next to be written, and what is said of lines that are missing. Returns its size. */
static size_t take_lines(struct log *log, char data[LIMIT_LOG_LINE_BYTES], bool last)
{
    int64_t now = clock_milliseconds();
    refill(log, now);
    pthread_mutex_lock(&log->lock);
    notice(log, now, last);
    size_t size = ring_take(log, data);
    pthread_mutex_unlock(&log->lock);
    return size;
}

/* A line that comes before the stop is in the ring when the stop is seen, so the round after that is the last with something to write. */
static void *run(void *argument)
{
    struct log *log = argument;
    char data[LIMIT_LOG_LINE_BYTES];
    for (bool stopping = false; !stopping;) {
        stopping = !thread_sleep(&log->thread, SECOND_MS);
        for (size_t size; (size = take_lines(log, data, stopping)) != 0;)
            write_out(log, data, size);
    }
    return NULL;
}

/* ---- for others ---- */

struct log *log_start(int descriptor, enum log_format format)
{
    struct stat status;
    struct log *log = calloc(1, sizeof *log);
    if (!log)
        return NULL;
    log->descriptor = descriptor;
    log->format = format;
    log->is_socket = fstat(descriptor, &status) == 0 && S_ISSOCK(status.st_mode);
    log->refilled = clock_milliseconds();
    log->noticed = log->refilled - LIMIT_LOG_NOTICE_MS;
    for (int i = 0; i < LOG_EVENTS; i++)
        atomic_store(&log->tokens[i], buckets[i].burst);
    atomic_store(&log->end, INT64_MAX);
    if (pthread_mutex_init(&log->lock, NULL) == 0) {
        if (thread_start(&log->thread, run, log) == 0)
            return log;
        pthread_mutex_destroy(&log->lock);
    }
    free(log);
    return NULL;
}

void log_stop(struct log *log)
{
    atomic_store(&log->end, clock_milliseconds() + LIMIT_LOG_END_MS);
    if (!thread_stop_within(&log->thread, 2 * LIMIT_LOG_END_MS))
        return; /* it hangs in write(), and needs the memory until the process ends */
    pthread_mutex_destroy(&log->lock);
    free(log);
}

static bool has_token(struct log *log, enum log_event event)
{
    return atomic_load_explicit(&log->tokens[event], memory_order_relaxed) > 0;
}

/* Threads that want the last one at once leave as many less than none. */
static bool take_token(struct log *log, enum log_event event)
{
    return has_token(log, event) && atomic_fetch_sub_explicit(&log->tokens[event], 1, memory_order_relaxed) > 0;
}

static void drop(struct log *log, enum log_event event)
{
    atomic_fetch_add_explicit(&log->dropped[event], 1, memory_order_relaxed);
}

bool log_wants(struct log *log, enum log_event event)
{
    bool wants = has_token(log, event);
    if (!wants)
        drop(log, event);
    return wants;
}

void log_write(struct log *log, enum log_event event, const struct log_field *fields, unsigned count)
{
    struct line line;
    bool kept = false;
    if (take_token(log, event)) {
        line_begin(&line, log->format, event);
        for (unsigned i = 0; i < count; i++)
            line_add(&line, &fields[i]);
        line_end(&line);
        pthread_mutex_lock(&log->lock);
        kept = ring_put(log, &line);
        pthread_mutex_unlock(&log->lock);
        thread_wake(&log->thread);
    }
    if (!kept)
        drop(log, event);
}

uint64_t log_lines_dropped(const struct log *log)
{
    uint64_t sum = atomic_load_explicit(&log->unwritten, memory_order_relaxed);
    for (int i = 0; i < LOG_EVENTS; i++)
        sum += atomic_load_explicit(&log->dropped[i], memory_order_relaxed);
    return sum;
}
