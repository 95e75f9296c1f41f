/* Inside check/: the state of one object's validation. */
#ifndef DRAWBRIDGE_CHECK_EVALUATION_H
#define DRAWBRIDGE_CHECK_EVALUATION_H

#include "base/text.h"
#include "check/finding.h"
#include "check/request.h"

struct name_index;
struct trace;

struct evaluation {
    const struct check_request *request;
    struct workspace *workspace;
    struct findings *findings;
    struct name_index *indexes; /* see name_index.h */
    const struct trace *trace;  /* see trace.h; NULL: nothing is traced */
    enum failure failure;       /* sticky; once set, nothing more is checked */
    bool foreign;               /* values may be from documents other than the request's */
    bool partial;               /* values of wrong types are left out: see partial.h */
    bool may_compare;           /* see alike.h */
    bool reads_old;             /* the types of the old object are being checked */
};

/* Memory, a finished text, an empty map, each in the workspace's arena. On failure they return NULL or false and set eval->failure. */
void *evaluation_alloc(struct evaluation *eval, size_t bytes) MUST_USE;
const char *evaluation_text(struct evaluation *eval, struct text *text) MUST_USE;
bool evaluation_map(struct evaluation *eval, struct map *map, uint32_t capacity) MUST_USE;

/* The index of a field that a row names. A shape without it is a bug of the tables: returns 0 and sets FAILURE_INTERNAL. */
uint16_t evaluation_field(struct evaluation *eval, const struct shape *shape, const char *name) MUST_USE;

/* format_check(): sets the parts of the format that `text` breaks. Returns false and sets eval->failure when it cannot be decided. */
bool evaluation_format(struct evaluation *eval, enum format format, struct bytes text, unsigned *broken) MUST_USE;

#endif
