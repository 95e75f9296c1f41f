/* From texts to problems: every object of a source judged, as created or as an update of its counterpart. */
#ifndef DRAWBRIDGE_LINT_JUDGE_H
#define DRAWBRIDGE_LINT_JUDGE_H

#include "base/set.h"
#include "lint/source.h"

struct judge_settings {
    minor version; /* of the API server to judge as */
    enum unknown_fields unknown_fields;
    const struct kind *as; /* with a role that was asked for; NULL: none */
    bool default_gates; /* say what such an API server drops unless a feature gate is turned on */
    bool as_status; /* as updates of the status subresource; without a counterpart, of the same object without status */
};

/* Objects by group, kind, namespace and name, in any API version. */
struct pairs {
    struct arena *arena; /* not owned */
    struct set set;
};

/* An index with room for `capacity` objects. */
enum failure pairs_init(struct pairs *pairs, struct arena *arena, uint32_t capacity, struct set_key key) MUST_USE;

/* Adds the objects of a source, which must outlive the index. Of two of one name the first counts; *twice counts the others. */
enum failure pairs_add(struct pairs *pairs, const struct source *source, uint32_t *twice) MUST_USE;

/* Objects in a source that have a name, for the capacity. */
uint32_t pairs_count(const struct source *source);

/* Something wrong, and where. */
struct problem {
    struct source *source;       /* in which offset counts: of the item, or of its counterpart */
    const struct item *item;     /* about which this is */
    enum rule rule;
    enum reason reason;
    enum severity severity;
    uint32_t offset, size;
    const struct item *other;    /* an item with which this one clashes; NULL: none */
    uint32_t other_offset, other_size; /* of the value in it */
    const char *path, *message, *hint; /* as in struct finding */
};

struct report {
    struct problem *problems; /* sorted by place, where that is in the judged source */
    uint32_t count;           /* at most LIMIT_PROBLEMS */
    uint32_t errors, warnings, infos; /* of each severity, kept or not */
    uint32_t judged;          /* objects with rules */
    uint32_t updates;         /* of them, those that were judged against an older one */
    uint32_t other_kinds;     /* objects without */
    uint32_t no_objects;      /* documents that are no Kubernetes objects */
};

/* Judges a source; old NULL: everything is created; objects NULL: each by itself, otherwise all of these together. The report lives in the worker's arena until its next clear, and points into
 * both sources. On a failure it means nothing. */
enum failure source_judge(struct worker *worker, const struct judge_settings *settings, const struct source *source, const struct pairs *old, struct objects *objects, struct report *report) MUST_USE;

#endif
