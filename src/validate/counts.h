/* What is counted while sources are validated, kept or not. */
#ifndef DRAWBRIDGE_VALIDATE_COUNTS_H
#define DRAWBRIDGE_VALIDATE_COUNTS_H

#include <stddef.h>

#include "schema/rule.h"

struct counts {
    size_t errors, warnings, infos; /* findings of each severity */
    size_t validated;               /* objects with rules */
    size_t updates;                 /* of those: validated against an older object */
    size_t other_kinds;             /* objects without rules, which are skipped, with a warning or not */
    size_t no_objects;              /* documents that are not Kubernetes objects */
    size_t templates;               /* documents that are skipped because something must be filled in first */
    size_t templated;               /* findings that are left out because something must be filled in in the value */
};

static inline size_t counts_findings(const struct counts *counts)
{
    return counts->errors + counts->warnings + counts->infos;
}

static inline void counts_add_finding(struct counts *counts, enum severity severity)
{
    counts->errors += severity == SEVERITY_ERROR;
    counts->warnings += severity == SEVERITY_WARNING;
    counts->infos += severity == SEVERITY_INFO;
}

/* What was counted before does not count. */
static inline void counts_take_finding(struct counts *counts, enum severity severity)
{
    counts->errors -= severity == SEVERITY_ERROR;
    counts->warnings -= severity == SEVERITY_WARNING;
    counts->infos -= severity == SEVERITY_INFO;
}

static inline void counts_remove_finding(struct counts *counts, enum severity severity)
{
    counts->errors -= severity == SEVERITY_ERROR;
    counts->warnings -= severity == SEVERITY_WARNING;
    counts->infos -= severity == SEVERITY_INFO;
}

static inline void counts_add(struct counts *counts, const struct counts *more)
{
    counts->errors += more->errors;
    counts->warnings += more->warnings;
    counts->infos += more->infos;
    counts->validated += more->validated;
    counts->updates += more->updates;
    counts->other_kinds += more->other_kinds;
    counts->no_objects += more->no_objects;
    counts->templates += more->templates;
    counts->templated += more->templated;
}

#endif
