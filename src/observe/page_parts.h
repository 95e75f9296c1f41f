/* Inside observe/: what the files of the status page share. */
#ifndef DRAWBRIDGE_OBSERVE_PAGE_PARTS_H
#define DRAWBRIDGE_OBSERVE_PAGE_PARTS_H

#include <stdio.h>

#include "observe/history.h"

/* ---- page_format.c ---- */

void page_put_text(FILE *out, const char *text);                  /* escaped for HTML */
void page_put_count(FILE *out, uint64_t number);                  /* "1,234,567" */
void page_put_duration(FILE *out, uint64_t nanoseconds);          /* "3.5 ms" */
void page_put_size(FILE *out, uint64_t bytes);                    /* "12 KB" */
void page_put_span(FILE *out, int64_t seconds);                   /* the two largest units: "3 d 4 h" */
uint64_t page_sum_of(const uint64_t verdicts[METRICS_VERDICTS]);

/* ---- page_chart.c ---- */

void page_put_chart(FILE *out, const struct history_view *view);

/* ---- page_style.c ---- */

extern const char *const page_style[]; /* pieces of CSS, ended by NULL */

#endif
