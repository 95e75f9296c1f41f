/* What happens in the server, told to the metrics, the history and the log at once; and the thread that ends the minutes of the
 * history. */
#ifndef DRAWBRIDGE_SERVE_OBSERVE_H
#define DRAWBRIDGE_SERVE_OBSERVE_H

#include "serve/state.h"
#include "serve/watch.h"

/* Returns 0 or an errno. */
int observer_start(struct observer *observer, struct server *server) __attribute__((warn_unused_result));
void observer_stop(struct observer *observer);

/* From any thread. `bytes` and `nanoseconds`: the review's size, and how long it took from the end of its header to its answer. */
void observe_review(struct server *server, const struct review *review, enum metrics_path path, uint64_t nanoseconds, size_t bytes);
void observe_rejection(struct server *server, enum metrics_rejection cause);
void observe_answer(struct server *server, unsigned status);
void observe_library_answer(struct server *server, unsigned status); /* that the HTTP library chose */

/* What the watch of files has to say; for watch_start, with the server as closure. */
void observe_news(void *server, const char *what, enum watch_news news, const char *text);

/* The life of the server. */
void observe_start(struct server *server);
void observe_event(struct server *server, enum log_event event);

#endif
