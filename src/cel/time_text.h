/* Times and durations as cel-go writes them, and the calendar behind them. */
#ifndef DRAWBRIDGE_CEL_TIME_TEXT_H
#define DRAWBRIDGE_CEL_TIME_TEXT_H

#include "base/text.h"
#include "value/time.h"

struct cel_date {
    int64_t year;
    int month, day;  /* from 1 */
    int day_of_year; /* from 0 */
};

/* Whether that year has 366 days. */
bool cel_is_leap_year(int64_t year);

/* The date of a number of days since 1970-01-01, in the Gregorian calendar of all times. */
struct cel_date cel_date_of(int64_t days);

/* RFC 3339 in the zone in which it was written, with as many digits of a fraction as are needed. */
void cel_write_time(struct text *text, const struct instant *time);

/* Seconds, through a double, as cel-go computes them: "1.5s". */
void cel_write_duration(struct text *text, int64_t nanoseconds);

#endif
