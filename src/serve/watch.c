#include "serve/watch.h"

#include <libgen.h>
#include <limits.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/inotify.h>
#include <unistd.h>

#include "base/clock.h"

_Static_assert(LIMIT_WATCH_TEXT_BYTES > sizeof(struct error), "a reason of pki/ fits");

/* Everything that can change the bytes of a path; reading is not among it. */
#define EVENTS (IN_MODIFY | IN_CLOSE_WRITE | IN_ATTRIB | IN_MOVED_FROM | IN_MOVED_TO | IN_CREATE | IN_DELETE | IN_DELETE_SELF | \
                IN_MOVE_SELF)

/* ---- one source ---- */

/* False: out of memory, so that it is not known. */
static bool digest(const struct watch_source *source, unsigned char digests[LIMIT_WATCH_FILES][PKI_DIGEST_BYTES])
{
    memset(digests, 0, (size_t)LIMIT_WATCH_FILES * PKI_DIGEST_BYTES);
    for (int i = 0; i < LIMIT_WATCH_FILES; i++)
        if (source->files[i] && !pki_digest_file(source->files[i], digests[i]))
            return false;
    return true;
}

static bool same(unsigned char a[LIMIT_WATCH_FILES][PKI_DIGEST_BYTES], unsigned char b[LIMIT_WATCH_FILES][PKI_DIGEST_BYTES])
{
    return memcmp(a, b, (size_t)LIMIT_WATCH_FILES * PKI_DIGEST_BYTES) == 0;
}

static void report_news(struct watch *watch, const struct watched *watched, enum watch_news news, const char *text)
{
    if (*text)
        watch->report(watch->closure, watched->source.what, news, text);
}

/* Patience begins with the first files that cannot be used, and again after a report: files that change for ever are reported, too. */
static void refuse(struct watch *watch, struct watched *watched, unsigned char digests[LIMIT_WATCH_FILES][PKI_DIGEST_BYTES],
                   const char *text)
{
    int64_t now = clock_milliseconds();
    bool other = !watched->failing || !same(digests, watched->refused);
    if (!watched->failing || (other && watched->reported)) {
        watched->since = now;
        watched->reported = false;
    }
    watched->failing = true;
    memcpy(watched->refused, digests, sizeof watched->refused);
    if (!watched->reported && now - watched->since >= LIMIT_WATCH_PATIENCE_MS) {
        watched->reported = true;
        report_news(watch, watched, WATCH_REFUSED, text);
    }
    watched->again = now + (watched->reported ? LIMIT_WATCH_RETRY_MS : LIMIT_WATCH_AGAIN_MS);
}

/* The digest comes first: what changes while it is being loaded differs from it at the next check. */
static void check_source(struct watch *watch, struct watched *watched)
{
    unsigned char digests[LIMIT_WATCH_FILES][PKI_DIGEST_BYTES];
    char text[LIMIT_WATCH_TEXT_BYTES] = "";
    bool due = watched->source.due && watched->source.due(watched->source.closure, text);
    report_news(watch, watched, WATCH_WARNING, text);
    if (!digest(&watched->source, digests))
        return;
    if (!due && same(digests, watched->loaded)) {
        watched->failing = false;
        return;
    }
    if (watched->failing && same(digests, watched->refused) && clock_milliseconds() < watched->again)
        return;
    text[0] = '\0';
    if (!watched->source.load(watched->source.closure, text)) {
        refuse(watch, watched, digests, text);
        return;
    }
    watched->failing = false;
    memcpy(watched->loaded, digests, sizeof watched->loaded);
    report_news(watch, watched, WATCH_LOADED, text);
}

bool watch_add(struct watch *watch, const struct watch_source *source, char text[LIMIT_WATCH_TEXT_BYTES])
{
    struct watched *watched = &watch->list[watch->count];
    snprintf(text, LIMIT_WATCH_TEXT_BYTES, "out of memory, or more files than can be watched");
    if (watch->count == LIMIT_WATCH_SOURCES)
        return false;
    watched->source = *source;
    if (!digest(source, watched->loaded) || !source->load(source->closure, text))
        return false;
    watch->count++;
    return true;
}

/* ---- the thread ---- */

/* Has `notify` report what happens in the folder of `path`. What cannot be watched is checked every LIMIT_WATCH_POLL_MS anyway. */
static void add_folder(int notify, const char *path)
{
    char copy[PATH_MAX];
    if ((size_t)snprintf(copy, sizeof copy, "%s", path) >= sizeof copy)
        return;
    (void)inotify_add_watch(notify, dirname(copy), EVENTS | IN_ONLYDIR);
}

/* A new inotify descriptor each time, as links may lead elsewhere now and the old folders be gone. -1: there is none. */
static int arm(const struct watch *watch)
{
    char real[PATH_MAX];
    int notify = inotify_init1(IN_CLOEXEC | IN_NONBLOCK);
    for (int i = 0; i < watch->count && notify >= 0; i++)
        for (int j = 0; j < LIMIT_WATCH_FILES; j++) {
            const char *path = watch->list[i].source.files[j];
            if (!path)
                continue;
            add_folder(notify, path);
            if (realpath(path, real))
                add_folder(notify, real);
        }
    return notify;
}

static int pause_of(const struct watch *watch)
{
    int64_t next = clock_milliseconds() + LIMIT_WATCH_POLL_MS;
    for (int i = 0; i < watch->count; i++)
        if (watch->list[i].failing && watch->list[i].again < next)
            next = watch->list[i].again;
    int64_t left = next - clock_milliseconds();
    return left > 0 ? (int)left : 0;
}

/* Returns when it is time for a check. Changes come in groups, so a check waits for the rest of them; after watch_now it does not. */
static void wait_for_change(struct watch *watch, int notify)
{
    struct pollfd events[] = { { .fd = watch->thread.wake, .events = POLLIN }, { .fd = notify, .events = POLLIN } };
    if (poll(events, 2, pause_of(watch)) > 0 && !events[0].revents)
        (void)poll(events, 1, LIMIT_WATCH_PAUSE_MS);
    thread_clear_wake(&watch->thread);
}

static void *run(void *argument)
{
    struct watch *watch = argument;
    while (!thread_is_stopping(&watch->thread)) {
        int notify = arm(watch);
        for (int i = 0; i < watch->count; i++)
            check_source(watch, &watch->list[i]);
        wait_for_change(watch, notify);
        if (notify >= 0)
            close(notify);
    }
    return NULL;
}

int watch_start(struct watch *watch, watch_report *report, void *closure)
{
    watch->report = report;
    watch->closure = closure;
    return thread_start(&watch->thread, run, watch);
}

void watch_now(struct watch *watch)
{
    thread_wake(&watch->thread);
}

void watch_stop(struct watch *watch)
{
    thread_stop(&watch->thread);
}
