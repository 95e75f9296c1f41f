#include "cel/zone_rule.h"

#include "cel/time_text.h"

enum { MINUTE = 60, HOUR = 3600, DAY = 86400 };

/* ---- reading ---- */

struct reader {
    struct bytes text; /* what is left */
    bool failed;
};

static bool next_is(const struct reader *r, char byte)
{
    return r->text.length && r->text.data[0] == byte;
}

static bool take(struct reader *r, char byte)
{
    if (!next_is(r, byte))
        return false;
    r->text = (struct bytes){ r->text.data + 1, r->text.length - 1 };
    return true;
}

static bool is_digit(char byte)
{
    return byte >= '0' && byte <= '9';
}

static int take_number(struct reader *r, int min, int max)
{
    int number = 0, digits = 0;
    for (; r->text.length && is_digit(r->text.data[0]) && number <= max; digits++) {
        number = number * 10 + (r->text.data[0] - '0');
        (void)take(r, r->text.data[0]);
    }
    r->failed |= digits == 0 || number < min || number > max;
    return number;
}

/* CET, or <+0530>: what it is called does not matter. */
static void take_name(struct reader *r)
{
    uint32_t length = 0;
    if (take(r, '<')) {
        while (r->text.length && !next_is(r, '>'))
            (void)take(r, r->text.data[0]);
        r->failed |= !take(r, '>');
        return;
    }
    while (length < r->text.length && !is_digit(r->text.data[length]) && !memchr(",-+", r->text.data[length], 3))
        length++;
    r->failed |= length < 3;
    if (!r->failed)
        r->text = (struct bytes){ r->text.data + length, r->text.length - length };
}

/* [+-]hh[:mm[:ss]], in seconds; hours up to those of a week. */
static int take_time(struct reader *r)
{
    bool negative = next_is(r, '-');
    if (!take(r, '-'))
        (void)take(r, '+');
    int time = take_number(r, 0, 24 * 7) * HOUR;
    if (take(r, ':'))
        time += take_number(r, 0, 59) * MINUTE;
    else
        return negative ? -time : time;
    if (take(r, ':'))
        time += take_number(r, 0, 59);
    return negative ? -time : time;
}

static struct cel_zone_change take_change(struct reader *r)
{
    struct cel_zone_change change = { .kind = CEL_ZONE_DAY, .time = 2 * HOUR };
    if (take(r, 'J')) {
        change.kind = CEL_ZONE_JULIAN;
        change.day = take_number(r, 1, 365);
    } else if (take(r, 'M')) {
        change.kind = CEL_ZONE_WEEKDAY;
        change.month = take_number(r, 1, 12);
        r->failed |= !take(r, '.');
        change.week = take_number(r, 1, 5);
        r->failed |= !take(r, '.');
        change.day = take_number(r, 0, 6);
    } else {
        change.day = take_number(r, 0, 365);
    }
    if (take(r, '/'))
        change.time = take_time(r);
    return change;
}

bool cel_zone_rule_read(struct bytes text, struct cel_zone_rule *rule)
{
    struct reader r = { text, false };
    take_name(&r);
    rule->offsets[0] = -take_time(&r);
    rule->daylight = r.text.length && !next_is(&r, ',');
    if (!rule->daylight || r.failed)
        return rule->given = !r.failed;
    take_name(&r);
    rule->offsets[1] = rule->offsets[0] + HOUR;
    if (r.text.length && !next_is(&r, ','))
        rule->offsets[1] = -take_time(&r);
    if (r.text.length == 0)
        r.text = (struct bytes)BYTES(",M3.2.0,M11.1.0"); /* the rules of the United States, as all programs take them then */
    r.failed |= !take(&r, ',') && !take(&r, ';');
    rule->changes[0] = take_change(&r);
    r.failed |= !take(&r, ',');
    rule->changes[1] = take_change(&r);
    return rule->given = !r.failed && r.text.length == 0;
}

/* ---- the offset ---- */

/* Days before a month, from 1, of a year. */
static int days_before(int month, bool leap)
{
    static const int days[] = { 0, 31, 59, 90, 120, 151, 181, 212, 243, 273, 304, 334, 365 };
    return days[month - 1] + (leap && month > 2);
}

/* The day of the year, from 0, that is that weekday in that week of that month. `first_day`: the weekday of 1 January. */
static int day_by_week(const struct cel_zone_change *change, bool leap, int first_day)
{
    int before = days_before(change->month, leap);
    int last = days_before(change->month + 1, leap) + (leap && change->month == 2) - before - 1;
    int day = (change->day - (first_day + before) % 7 + 7) % 7;
    for (int week = 1; week < change->week && day + 7 <= last; week++)
        day += 7;
    return before + day;
}

/* Seconds since the year began in UTC. `offset`: of the local time before the change. */
static int64_t time_of_change(const struct cel_zone_change *change, bool leap, int first_day, int32_t offset)
{
    int day = change->day;
    if (change->kind == CEL_ZONE_WEEKDAY)
        day = day_by_week(change, leap, first_day);
    else if (change->kind == CEL_ZONE_JULIAN)
        day += leap && day >= 60 ? 0 : -1;
    return (int64_t)day * DAY + change->time - offset;
}

int32_t cel_zone_rule_offset(const struct cel_zone_rule *rule, int64_t time)
{
    if (!rule->daylight)
        return rule->offsets[0];
    int64_t days = time / DAY - (time % DAY < 0);
    struct cel_date date = cel_date_of(days);
    int64_t of_year = (int64_t)date.day_of_year * DAY + (time - days * DAY);
    int first_day = (int)(((days - date.day_of_year + 4) % 7 + 7) % 7); /* 1970-01-01 was a Thursday */
    bool leap = cel_is_leap_year(date.year);
    int64_t begin = time_of_change(&rule->changes[0], leap, first_day, rule->offsets[0]);
    int64_t end = time_of_change(&rule->changes[1], leap, first_day, rule->offsets[1]);
    bool summer = begin <= end ? of_year >= begin && of_year < end : of_year < end || of_year >= begin;
    return rule->offsets[summer];
}
