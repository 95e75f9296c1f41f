/* The problems of a source in several versions of Kubernetes, as one report. */
#ifndef DRAWBRIDGE_VALIDATE_RANGE_H
#define DRAWBRIDGE_VALIDATE_RANGE_H

#include "validate/report.h"

enum { RANGE_VERSIONS = MINOR_NEWEST - MINOR_OLDEST + 1 };

struct range_report {
    struct report report;                /* sorted by place, path, rule and message */
    version_set versions;
    struct counts counts[RANGE_VERSIONS]; /* by version, from MINOR_OLDEST on */
    enum failure failure;                /* why there is no report */
};

/* Adds what was found as an API server of that version. A problem that is there already, in all but its hint, only gets one version more.
 * The list is copied to the arena, and so is what is new; sources and items are the same in each version. At most LIMIT_PROBLEMS are kept:
 * the first. Sorts the problems of `report`. FAILURE_MEMORY or FAILURE_LIMIT, as the arena. */
enum failure range_report_add(struct range_report *range, struct report *report, minor version, struct arena *arena) MUST_USE;

/* Ends the report after the last version: problems that are in all versions name none. Counts: of the problems that are not kept, as many
 * as in the version that has most of them; of objects, as many as in the version that has most. */
void range_report_end(struct range_report *range);

#endif
