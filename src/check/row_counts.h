/* Counts, for each row and version, cases that break it and cases that pass it: which rows do the tests prove? Only a build with
 * -DCOUNT_ROWS counts; in any other these functions are empty. validate/row_report.c prints the counts. */
#ifndef DRAWBRIDGE_CHECK_ROW_COUNTS_H
#define DRAWBRIDGE_CHECK_ROW_COUNTS_H

#include "check/cursor.h"

enum row_count {
    ROW_BROKEN,   /* a check: broken; a field: of a wrong type; a gate: reported; a default: filled in */
    ROW_PASSED,   /* a check: not broken by a value that is set; a field that has a default: set; a gate: on */
    ROW_EXCLUDED, /* in a version without the row: a check that would be broken, a field that is set */
    ROW_COUNTS
};

/* The rows for a field's default and gate: addresses that no other row has. */
#define ROW_DEFAULT(field) (&(field)->default_value)
#define ROW_GATE(field)    (&(field)->gate)

#ifdef COUNT_ROWS
enum { COUNTING_ROWS = 1 };

void row_count(const void *row, minor version, enum row_count count);

/* Counts a check that the walk has reached. applied: it is for the operation, and its conditions hold. */
void row_count_check(struct evaluation *eval, struct cursor *cursor, const struct check *check, bool applied, bool broken);

/* The count so far. */
unsigned long row_counted(const void *row, minor version, enum row_count count);
#else
enum { COUNTING_ROWS = 0 };

static inline void row_count(const void *row, minor version, enum row_count count)
{
    (void)row;
    (void)version;
    (void)count;
}

static inline void row_count_check(struct evaluation *eval, struct cursor *cursor, const struct check *check, bool applied, bool broken)
{
    (void)eval;
    (void)cursor;
    (void)check;
    (void)applied;
    (void)broken;
}
#endif

#endif
