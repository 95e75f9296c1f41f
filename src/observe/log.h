/* The server's log: one line an event, on standard error. Lines go through a buffer of fixed size to a thread that writes them, so that
 * a reader that stops holds up no thread; what has no room, and what comes too often, is left out and counted.
 *
 * What callers write is never in it, but for the uid of a request, and if it is asked for its namespace and name; no
 * values, no messages. */
#ifndef DRAWBRIDGE_OBSERVE_LOG_H
#define DRAWBRIDGE_OBSERVE_LOG_H

#include <stdbool.h>
#include <stdint.h>

#include "base/failure.h"

/* EVENT(ID, "word", level, lines at once, lines a second): a bucket of tokens for each event. */
#define LOG_EVENTS_TABLE(EVENT)                              \
    EVENT(STARTED,          "started",          INFO,    10, 1) \
    EVENT(READY,            "ready",            INFO,    10, 1) \
    EVENT(DRAINING,         "draining",         INFO,    10, 1) \
    EVENT(STOPPED,          "stopped",          INFO,    10, 1) \
    EVENT(RELOADED,         "reloaded",         INFO,    10, 1) \
    EVENT(RELOAD_FAILED,    "reload-failed",    ERROR,   10, 1) \
    EVENT(CERTIFICATE_ENDS, "certificate-ends", WARNING, 10, 1) \
    EVENT(DENIED,           "denied",           INFO,    200, 20) \
    EVENT(DEMOTED,          "demoted",          INFO,    100, 10) \
    EVENT(REFUSED,          "refused",          WARNING, 50, 5)   \
    EVENT(SLOW,             "slow",             WARNING, 50, 5)   \
    EVENT(FAILED,           "failed",           ERROR,   50, 5)   \
    EVENT(LEFT_OUT,         "left-out",         WARNING, 10, 1)

enum log_event {
#define EVENT(id, ...) LOG_##id,
    LOG_EVENTS_TABLE(EVENT)
#undef EVENT
    LOG_EVENTS
};

enum log_format { LOG_TEXT, LOG_JSON };

struct log_field {
    const char *name; /* a word of ours */
    const char *text; /* foreign, perhaps: it is escaped and cut at LIMIT_LOG_FIELD_BYTES; NULL: a number */
    int64_t number;
};

struct log;

/* Starts the writing thread; `descriptor` is not owned. NULL: it cannot be started. */
struct log *log_start(int descriptor, enum log_format format) MUST_USE;

/* Writes what is waiting, at most LIMIT_LOG_END_MS long, and ends. */
void log_stop(struct log *log);

/* One line, from any thread. Never waits for the reader of the log. */
void log_write(struct log *log, enum log_event event, const struct log_field *fields, unsigned count);

/* Whether a line may come now; otherwise it counts as left out. For those that take work to put together; log_write may still leave it
 * out. */
bool log_wants(struct log *log, enum log_event event) MUST_USE;

/* Lines that were left out so far, or that could not be written. */
uint64_t log_lines_dropped(const struct log *log);

#endif
