/* Files that others replace while the server runs: a thread loads them again when their bytes change. inotify
 * reports changes in the folders of the files and in those to which symbolic links lead (a kubelet swaps a link, `..data`); what it does
 * not report is found by a check every LIMIT_WATCH_POLL_MS.
 *
 *     static struct watch watch; // begins with zeroes
 *     const struct watch_source source = { .what = "certificate", .files = { crt, key }, .load = load, .closure = it };
 *     if (!watch_add(&watch, &source, text))  // loads, here and now; text says why it failed
 *     if (watch_start(&watch, report, closure)) ... // from now on `load` is called by the thread
 *     watch_now(&watch);                      // as often as wanted
 *     watch_stop(&watch);                     // then the closures may go */
#ifndef DRAWBRIDGE_SERVE_WATCH_H
#define DRAWBRIDGE_SERVE_WATCH_H

#include <stdbool.h>
#include <stdint.h>

#include "base/thread.h"
#include "pki/pki.h"
#include "serve/limits.h"

enum watch_news {
    WATCH_LOADED,  /* new files are in use */
    WATCH_REFUSED, /* they are not, and what was loaded before stays; reported once for each content */
    WATCH_WARNING, /* nothing has changed, but people should know */
};

/* What the thread reports: one line without a final stop; `what` is the source's. */
typedef void watch_report(void *closure, const char *what, enum watch_news news, const char *text);

struct watch_source {
    const char *what;                     /* for messages; like the other texts, it must outlive the watch */
    const char *files[LIMIT_WATCH_FILES]; /* those not used are NULL */
    void *closure;                        /* for the functions */

    /* Reads the files and takes over what they say. False: it keeps what it had, and `text` says why, naming the file. Otherwise
     * `text` says what is new. Files that are replaced one after the other may not fit together for a moment: it is tried again
     * for LIMIT_WATCH_PATIENCE_MS before it is reported, and every LIMIT_WATCH_RETRY_MS after that, for what only time heals. */
    bool (*load)(void *closure, char text[LIMIT_WATCH_TEXT_BYTES]);

    /* NULL, or called at every check: whether to load although no file has changed. May write a warning into `text`, which is empty. */
    bool (*due)(void *closure, char text[LIMIT_WATCH_TEXT_BYTES]);
};

/* A source and how it stands. Only the watch's thread touches it once that runs. */
struct watched {
    struct watch_source source;
    unsigned char loaded[LIMIT_WATCH_FILES][PKI_DIGEST_BYTES];  /* what the files were when they were last loaded */
    unsigned char refused[LIMIT_WATCH_FILES][PKI_DIGEST_BYTES]; /* what they were when that failed; when `failing` */
    bool failing, reported;
    int64_t since, again;        /* milliseconds of the monotonic clock: since when nothing was reported; the next try */
};

struct watch {
    struct watched list[LIMIT_WATCH_SOURCES];
    int count;
    watch_report *report;
    void *closure;
    struct thread thread;
};

/* Loads a source for the first time. False, with `text` set, when that fails; then it is not watched. Before watch_start. */
bool watch_add(struct watch *watch, const struct watch_source *source, char text[LIMIT_WATCH_TEXT_BYTES]) MUST_USE;

/* `report` is called by the thread. Returns 0 or an errno. */
int watch_start(struct watch *watch, watch_report *report, void *closure) MUST_USE;

/* Has the thread check all files at once. May be called by any thread, at any time between watch_start and watch_stop. */
void watch_now(struct watch *watch);

/* Ends the thread. */
void watch_stop(struct watch *watch);

#endif
