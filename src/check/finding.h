/* What the engine says about an object. */
#ifndef DRAWBRIDGE_CHECK_FINDING_H
#define DRAWBRIDGE_CHECK_FINDING_H

#include "check/rule.h"

struct finding {
    struct finding *next;
    const char *path;    /* as Kubernetes writes it: spec.drivers[0].name; "" for the object itself; keys of maps as they are */
    const char *field;   /* where asked for: the path as 'explain' has it, without indexes and keys; else NULL */
    const char *message; /* as Kubernetes words it: "Invalid value: …: …"; never empty */
    const char *hint;    /* what to write instead, a clause in English; NULL: none, or not asked for */
    uint32_t offset;     /* of the value's first byte in its document; where nothing is written, of the object around it */
    uint32_t size;       /* bytes of that value; 0 where nothing is written */
    enum rule rule;
    enum reason reason;
    enum severity severity;
    bool in_old;     /* offset and size are of the old object's document */
    const struct object *other;      /* with which it clashes, of those that are judged together; NULL: none */
    uint32_t other_offset, other_size; /* of the value in it */
    bool when_clean; /* counts only where nothing else is wrong */
};

enum { FINDING_REPEATS = 4 };

/* What has been broken how often by parts of one list or map, and reported at one path. */
struct finding_repeat {
    const void *check, *container;
    uint32_t count;
};

/* In the order in which they were found; everything lives in the arena of the check. */
struct findings {
    struct finding *first, *last;
    uint32_t kept;     /* at most LIMIT_FINDINGS, and LIMIT_SAME_FINDINGS of one check at one path; others are only counted */
    uint32_t left_out; /* errors that the request does not want kept, and that do not depend on others */
    uint32_t errors;   /* of severity error, kept or not */
    uint32_t warnings; /* of severity warning */
    uint32_t infos;    /* of severity info */
    struct finding_repeat repeats[FINDING_REPEATS]; /* the engine's own */
    int next_repeat;
};

#endif
