/* The findings of a validation: what is wrong with an object. */
#ifndef DRAWBRIDGE_CHECK_FINDING_H
#define DRAWBRIDGE_CHECK_FINDING_H

#include "doc/edit.h"
#include "schema/rule.h"

/* A part of a value, in its document. */
struct finding_mark {
    uint32_t offset, size; /* bytes */
};

/* How a mistake is mended where only one thing can be meant. */
struct problem_fix {
    const char *words;        /* what it does, in the imperative: 'write "File"' */
    const struct edit *edits; /* of the text of the finding's document, in its offsets; sorted, none overlaps another */
    uint32_t count;
    bool moves;               /* values move to another place; else names and values are written otherwise, each at its place */
};

struct finding {
    struct finding *next;
    const char *path;    /* as Kubernetes writes it: spec.drivers[0].name; "" for the object itself; keys of maps are not escaped */
    const char *field;   /* if requested: the path without indexes and keys, as `explain` takes it; else NULL */
    const char *message; /* as Kubernetes words it: "Invalid value: …: …"; never empty */
    const char *source;  /* the document that the rule is from; NULL: not known. It is not in an arena */
    const char *hint;    /* what to write instead, a clause in English; NULL: none, or not requested */
    const struct problem_fix *fix; /* NULL: none, or not requested */
    uint32_t offset;     /* in its document: of the value, or of a name (doc/place.h); of what is around the value if that is not written */
    uint32_t size;       /* bytes of the value or name; 0 if there is neither */
    const struct finding_mark *marks; /* further parts of the value that are wrong */
    uint32_t mark_count;
    enum rule rule;
    enum reason reason;
    enum severity severity;
    bool in_old;         /* offset and size are in the old object's document */
    const struct object *other; /* of the same set, with which it is in conflict; NULL: none */
    uint32_t other_offset, other_size; /* of the value in that object */
    const char *was;     /* what is at other_offset of the old object, where `other` is NULL; NULL: nothing that is to be said */
    bool of_template;    /* its value has something to fill in, as a template has: set with the hint */
    bool when_clean;     /* counts only if there is no other error */
};

enum { FINDING_REPEATS = 4 };

/* How often parts of one list or map broke a check that reports them at one path. */
struct finding_repeat {
    const void *check, *container;
    uint32_t count;
};

/* In the order of discovery; everything is in the workspace's arena. */
struct findings {
    struct finding *first, *last;
    uint32_t kept;     /* at most LIMIT_FINDINGS, and LIMIT_SAME_FINDINGS of one check at one path; others are only counted */
    uint32_t left_out; /* errors that the request does not want (errors_wanted), without those with when_clean */
    uint32_t errors;   /* of severity error, kept or not */
    uint32_t warnings; /* of severity warning */
    uint32_t infos;    /* of severity info */
    struct finding_repeat repeats[FINDING_REPEATS]; /* private to report.c, as is the next member */
    int next_repeat;
};

#endif
