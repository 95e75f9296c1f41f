/* Audit logs (audit.k8s.io/v1): validates again what API servers have written, event by event, and says what was answered then. No files
 * here. */
#ifndef DRAWBRIDGE_REVIEW_REPLAY_H
#define DRAWBRIDGE_REVIEW_REPLAY_H

#include "review/review.h"
#include "review/written.h"

/* What an event is. */
enum replay_outcome {
    REPLAY_VALIDATED,   /* a write, and replayed.review is the answer to it now */
    REPLAY_NOT_SERVED,  /* a write in an API version that the version does not serve any more, or not yet */
    REPLAY_NO_OBJECT,   /* a write of a kind with rules, of which the log does not have the object */
    REPLAY_PATCH,       /* a patch, of which the log does not have the result */
    REPLAY_DELETION,    /* of a kind with rules */
    REPLAY_OTHER_KIND,  /* a write of a kind, or a subresource, without rules */
    REPLAY_READ,        /* no write */
    REPLAY_OTHER_STAGE, /* not the end of a request, which has an event of its own */
    REPLAY_OUTCOMES
};

/* The answer then. */
enum replay_then { THEN_ALLOWED, THEN_UNKNOWN, THEN_REFUSED, REPLAY_THENS };

/* What a patch is, by its form. */
enum replay_patch { PATCH_JSON, PATCH_MERGE, PATCH_APPLY, REPLAY_PATCHES };

/* Texts are empty where the event has none. Everything points into the text of the event, the tables, or the workspace's arena. */
struct replayed {
    enum replay_outcome outcome;
    enum replay_then then;
    int64_t code;            /* of the answer; 0: unknown */
    struct bytes audit_id, user, verb, time, space; /* the time at which the request came */
    const struct kind *kind; /* with rules; NULL: the event is of none */
    bool dry_run;            /* nothing was stored */
    bool without_old;        /* an update, and the object before it is not known: it was validated as one that changes nothing */
    enum replay_patch patch; /* of REPLAY_PATCH */
    struct review review;    /* of REPLAY_VALIDATED; else only the members that come from the request are set, as far as they are known */
};

struct replay {
    struct workspace *workspace;           /* not owned; cleared for each event */
    const struct review_settings *settings; /* not owned */
    struct workspace lists;                /* for lists of events, while their items are read */
    struct written written;
    void (*event)(void *self, const struct replayed *replayed);
    void (*trouble)(void *self, uint32_t offset, const char *message); /* what is no event, with its place in the text */
    void *self;
};

/* The caller sets event, trouble and self afterwards. FAILURE_NONE, or as workspace_init. */
enum failure replay_init(struct replay *replay, struct workspace *workspace, const struct review_settings *settings) MUST_USE;
void replay_done(struct replay *replay);

/* Replays an Event, or the events of an EventList: the text has one of them, and at most LIMIT_BODY_BYTES. Fails only if the next one
 * would fare no better. */
enum failure replay_text(struct replay *replay, struct bytes text) MUST_USE;

#endif
