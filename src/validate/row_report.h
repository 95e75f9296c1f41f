/* Prints what the tests prove of each row; only in a build with -DCOUNT_ROWS. */
#ifndef DRAWBRIDGE_VALIDATE_ROW_REPORT_H
#define DRAWBRIDGE_VALIDATE_ROW_REPORT_H

/* Writes the counts of check/row_counts.h when the program ends, to a new file in the folder that the environment variable ROW_COUNTS
 * names; without it nothing is written. A line for each row: group, kind, path, the row in words, its first and last minor (0: no bound
 * that matters to an API version with the row), and the count of each enum row_count. */
void row_report_at_exit(void);

#endif
