/* What happens in the server: it is counted in the metrics, kept in the history and written to the log. The server reports events by these
 * functions. What only the server knows at one moment, gauges, is asked of it by a function. */
#ifndef DRAWBRIDGE_OBSERVE_OBSERVE_H
#define DRAWBRIDGE_OBSERVE_OBSERVE_H

#include "base/thread.h"
#include "observe/expiry.h"
#include "observe/history.h"
#include "observe/log.h"
#include "observe/metrics.h"

/* The state of the server at one moment. */
struct gauges {
    bool draining;
    enum enforcement mode; /* of the configuration as a whole */
    minor version;         /* of the API server; 0: none was chosen, and no error denies */
    uint64_t connections[PORTS];
    uint64_t expired[PORTS]; /* connections shut down so far */
    unsigned waiting, busy;  /* large reviews that wait for a worker; workers that validate one */
};

/* Nothing is owned. */
struct observer_config {
    void (*gauges)(void *closure, struct gauges *gauges); /* from any thread */
    void *closure;
    const char *program_version, *http_library, *tls_library; /* versions; no byte of theirs needs an escape */
    const struct expiry *expiries[METRICS_CERTIFICATES];      /* NULL: there is no such certificate */
    const char *const *client_names;                          /* that are allowed, LIMIT_CLIENT_NAMES at most */
    unsigned client_name_count;
    int log_descriptor;
    enum log_format log_format;
    bool log_objects; /* lines about reviews have namespace and name, which callers have chosen */
};

struct observer {
    struct observer_config config;
    struct metrics metrics;
    struct history history;
    struct log *log;
    struct thread thread;
    atomic_bool announced; /* the server was started as a whole, and the log says so */
};

/* Begins with zeroes. Returns 0 or an errno; nothing needs stopping then. */
int observer_start(struct observer *observer, const struct observer_config *config) MUST_USE;

/* Ends with a line of the log, if there was one about the start. */
void observer_stop(struct observer *observer);

/* From any thread. `bytes` and `nanoseconds`: the review's size, and how long it took from the end of its header to its answer. */
void observe_review(struct observer *observer, const struct review *review, enum metrics_path path, uint64_t nanoseconds, size_t bytes);
void observe_rejection(struct observer *observer, enum metrics_rejection cause);
void observe_answer(struct observer *observer, unsigned status);
void observe_library_answer(struct observer *observer, unsigned status); /* that the HTTP library chose */

/* Files that have changed, by the name of their source: they are in use, or cannot be. `text` says what is new, or why not. */
void observe_reload(struct observer *observer, const char *what, bool success, const char *text);

/* A certificate of a source ends soon, or has ended. */
void observe_certificate_end(struct observer *observer, const char *what, const char *text);

/* The life of the server. The addresses are of the listening sockets. */
void observe_start(struct observer *observer, unsigned threads, unsigned connections, const char *https, const char *status);
void observe_event(struct observer *observer, enum log_event event);

#endif
