/* Validates every object of a source, as a create or as an update of its older counterpart, and reports the problems. */
#ifndef DRAWBRIDGE_VALIDATE_REPORT_H
#define DRAWBRIDGE_VALIDATE_REPORT_H

#include "base/map.h"
#include "validate/counts.h"
#include "validate/source.h"
#include "validate/validate.h"

struct validate_settings {
    minor version; /* of the API server whose verdict is wanted */
    version_set versions; /* … and of these, of which it is the newest: see range.h; 0: of that one only */
    enum unknown_fields unknown_fields;
    const struct kind *as; /* the kind with the role that was asked for; NULL: none */
    struct gate_settings gates;    /* of that API server */
    const struct matcher *matcher; /* see matcher.h; NULL: nothing is said about the devices that claims get */
    const struct drivers *drivers; /* of the user's own files; NULL: none */
    const struct trace *trace; /* see check/trace.h; NULL: nothing is traced */
    bool parts;            /* sources of one name are parts of one text; else they are one file that was named twice */
    bool inside_configmaps; /* objects in the values of ConfigMaps are validated, too */
    bool fixes;            /* problems get fixes */
    bool skip_templates;   /* say nothing of templates and of values with something to fill in, but count them; else they are errors */
    bool as_status;        /* as updates of the status subresource; without a counterpart the old object is the same one without status */
};

/* An index of older objects by group, kind, namespace and name, in any API version. */
struct pairs {
    struct arena *arena; /* not owned */
    struct map map;
};

/* An empty index with room for `capacity` objects. */
enum failure pairs_init(struct pairs *pairs, struct arena *arena, uint32_t capacity, struct map_key key) MUST_USE;

/* Adds the objects of a source, which must outlive the index. If an object is there already, it is ignored and counted in *twice. Sets
 * `same` of each. */
enum failure pairs_add(struct pairs *pairs, struct source *source, uint32_t *twice) MUST_USE;

/* The number of objects in a source that have a name: the capacity they need. */
uint32_t pairs_count(const struct source *source);

/* A finding about an item, with its source. */
struct problem {
    struct source *source;       /* to which offset refers: that of the item, or of its older counterpart */
    const struct item *item;
    enum rule rule;
    enum reason reason;
    enum severity severity;
    uint32_t offset, size;
    const struct item *other;    /* an item with which this one is in conflict; NULL: none */
    uint32_t other_offset, other_size; /* of the value in that item */
    const char *note;            /* what is there; NULL: that item */
    const char *path, *message, *hint; /* as in struct finding */
    const char *source_of_rule;  /* source in struct finding */
    const struct problem_fix *fix; /* as in struct finding; its offsets are in the source's text */
    const struct finding_mark *marks;
    uint32_t mark_count;
    version_set versions;        /* in which it holds; 0: in all that were asked for */
    const char *suppressed;      /* a comment or annotation suppresses it, for that reason, perhaps ""; NULL: none does */
    const char *label;           /* what it is for people, such as "dropped", where that is not its severity; NULL: the severity */
    const char *change;          /* the same for programs: see upgrade.h; NULL: none */
};

struct report {
    struct problem *problems; /* sorted by position; problems of older objects come last */
    uint32_t count;           /* at most LIMIT_PROBLEMS */
    struct counts counts;
    struct problem *hidden; /* what is not reported: comments and annotations suppress it, or a baseline has it */
    uint32_t hidden_count, hidden_room;
};

/* Adds a copy to the problems that are hidden, and counts it no longer. FAILURE_MEMORY, FAILURE_LIMIT. */
enum failure report_hide(struct report *report, const struct problem *problem, struct arena *arena) MUST_USE;

/* The problem of an item that cannot be read: an error of its syntax. */
struct problem problem_unreadable(const struct item *item);

/* Sorts the problems by position. */
void report_sort(struct report *report);

/* Validates a source, and marks the older objects that have a newer one. old NULL: all objects are created. others NULL: each object by
 * itself; otherwise as one of that set. The report lives in the arena and points into both sources. Clears the workspace after each object.
 * After a failure the report must not be used. */
enum failure source_validate(struct workspace *workspace, const struct validate_settings *settings, const struct source *source,
                             const struct pairs *old, struct others *others, struct arena *arena, struct report *report) MUST_USE;

#endif
