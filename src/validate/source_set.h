/* Sources that are validated together, and sources with older objects, with which their objects are paired for updates. */
#ifndef DRAWBRIDGE_VALIDATE_SOURCE_SET_H
#define DRAWBRIDGE_VALIDATE_SOURCE_SET_H

#include "validate/object_set.h"
#include "validate/report.h"

struct source_set {
    const struct context *context; /* not owned, outlives the source_set */
    struct validate_settings settings;
    struct arena arena, old_arena; /* for the sources; for older sources */
    struct arena pairs_arena;      /* for `pairs` */
    struct source_list {
        struct source *first, *last;
        uint32_t count;
    } sources, old;
    struct arena reports;          /* for the newest report */
    struct arena ranges;           /* for the reports on a range of versions */
    struct source *last_reference; /* the sources up to that one are not validated; NULL: all are */
    struct arena names;            /* for finding the same object twice */
    struct pairs pairs;
    struct object_set *objects;
    uint64_t bytes;                /* of texts and their trees, without older sources and those for reference */
    uint64_t reference_bytes;
    bool apart;                    /* the set is too large: from now on each object is validated by itself */
    uint32_t paired;               /* number of older sources in `pairs` */
    uint32_t twice;                /* number of older objects that are there already; the first one is used */
};

/* An empty source_set. Call source_set_done in the end. */
void source_set_init(struct source_set *source_set, const struct context *context, const struct validate_settings *settings);
void source_set_done(struct source_set *source_set);

/* Reads `text` as one more source. It has at most LIMIT_FILE_BYTES; it and `name` must outlive the source_set. Fails as source_read does;
 * the source_set is unchanged then. */
enum failure source_set_add(struct source_set *source_set, const char *name, struct bytes text, struct source **source) MUST_USE;

/* The same for a source with older objects. */
enum failure source_set_add_old(struct source_set *source_set, const char *name, struct bytes text, struct source **source) MUST_USE;

/* Reads another text as one of the sources. If that fails, the source is empty. Call source_set_prepare before the next validation. */
enum failure source_set_replace(struct source_set *source_set, struct source *source, struct bytes text) MUST_USE;

/* Adds a source that has been read; it is the caller's, and outlives the source_set's sources. `bytes` is what it takes of memory. */
void source_set_take(struct source_set *source_set, struct source *source, size_t bytes);

/* Adds a source that only others know: it is not validated, and an object of it that another source has, too, does not count. It comes
 * before all others, is bound as the set's version has it, and stays when the set is cleared; it is the caller's, and outlives the
 * source_set. */
void source_set_refer(struct source_set *source_set, struct source *source, size_t bytes);

/* The first of the sources to validate. */
struct source *source_set_first(const struct source_set *source_set);

/* Removes the source that was added last. */
void source_set_forget_last(struct source_set *source_set);

/* Removes all sources but the older ones and those for reference. */
void source_set_clear(struct source_set *source_set);

/* Indexes the older objects. Call it after the last source_set_add_old and before the first source_set_validate. */
enum failure source_set_pair(struct source_set *source_set) MUST_USE;

/* Makes one object set of all sources. Call it after the last source_set_add. With a range of versions, that is done for each of them, and
 * all sources are validated. */
enum failure source_set_prepare(struct source_set *source_set) MUST_USE;

/* Validates one of the sources: together with all others, or by itself if source_set_prepare was not called. Sets `apart` when the object
 * set is too large. The report lives until the next call. With a range of versions, it is the one on all of them. */
enum failure source_set_validate(struct source_set *source_set, struct workspace *workspace, struct source *source,
                                 struct report *report) MUST_USE;

#endif
