/* What all validations share (context), and what each thread has of its own (workspace). */
#ifndef DRAWBRIDGE_CHECK_CONTEXT_H
#define DRAWBRIDGE_CHECK_CONTEXT_H

#include "base/arena.h"
#include "base/map.h"
#include "check/limits.h"
#include "check/shape_summary.h"
#include "value/format.h"

/* Shared by all threads. Constant, except that formats compile their patterns on first use. */
struct context {
    const struct memory *memory; /* not owned */
    struct formats *formats;
    struct map_key key;
    struct shape_summaries shape_summaries;
};

struct compiled;

/* A pattern of a driver's parameter, compiled, and its text: files with patterns come and go while a workspace stays. */
struct workspace_pattern {
    struct pattern *compiled; /* NULL: none */
    char source[LIMIT_PARAMETER_PATTERN_BYTES];
};

/* The memory of one thread. Findings of a validation live in its arena until the next workspace_clear. */
struct workspace {
    const struct context *context; /* not owned, outlives the workspace */
    struct arena arena;
    struct arena scratch; /* for one call of a function in rules/cross/; cleared after it */
    struct arena expressions;  /* for the expression that was compiled last: see expression.h */
    struct compiled *compiled; /* in that arena; NULL: none */
    struct matcher *matcher;
    struct workspace_pattern patterns[LIMIT_KEPT_PATTERNS]; /* those that were asked for last */
    uint32_t next_pattern;
};

enum failure workspace_init(struct workspace *workspace, const struct context *context) MUST_USE;
void workspace_clear(struct workspace *workspace);
void workspace_done(struct workspace *workspace);

/* A pattern of fewer than LIMIT_PARAMETER_PATTERN_BYTES, which stays the workspace's until LIMIT_KEPT_PATTERNS others were asked for. */
enum failure workspace_pattern(struct workspace *workspace, const char *source, const struct pattern **pattern) MUST_USE;

#endif
