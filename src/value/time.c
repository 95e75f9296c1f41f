#include "value/time.h"

struct cursor {
    const char *at, *end;
    bool failed;
};

/* Takes all digits that follow, up to `max`; fewer than `min` are an error. */
static int take_number(struct cursor *c, int min, int max)
{
    int value = 0, digits = 0;
    while (digits < max && c->at < c->end && *c->at >= '0' && *c->at <= '9') {
        value = value * 10 + (*c->at++ - '0');
        digits++;
    }
    c->failed |= digits < min;
    return value;
}

static bool take(struct cursor *c, char byte)
{
    if (c->at >= c->end || *c->at != byte)
        return false;
    c->at++;
    return true;
}

static void expect(struct cursor *c, char byte)
{
    c->failed |= !take(c, byte);
}

/* Takes a point or comma and the digits after it, and returns nanoseconds. Takes nothing when no digit follows. */
static int32_t take_fraction(struct cursor *c)
{
    int32_t value = 0, scale = 100000000;
    if (c->end - c->at < 2 || (*c->at != '.' && *c->at != ',') || c->at[1] < '0' || c->at[1] > '9')
        return 0;
    for (c->at++; c->at < c->end && *c->at >= '0' && *c->at <= '9'; c->at++, scale /= 10)
        value += (*c->at - '0') * scale;
    return value;
}

/* Takes a time zone, and returns its seconds east of UTC. Go accepts hours up to 24 and minutes up to 60. */
static int take_zone(struct cursor *c)
{
    if (take(c, 'Z'))
        return 0;
    int sign = take(c, '-') ? -1 : 1;
    if (sign > 0)
        expect(c, '+');
    int hours = take_number(c, 2, 2);
    expect(c, ':');
    int minutes = take_number(c, 2, 2);
    c->failed |= hours > 24 || minutes > 60;
    return sign * (hours * 3600 + minutes * 60);
}

static int days_in_month(int year, int month)
{
    static const int days[] = { 31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31 };
    bool leap = (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;
    return days[month - 1] + (month == 2 && leap);
}

/* Days from 1970-01-01 in the Gregorian calendar. Years begin in March here, so that the leap day is the last day of a year. */
static int64_t days_from_epoch(int year, int month, int day)
{
    int64_t y = month <= 2 ? year - 1 : year;
    int64_t day_of_year = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1;
    int64_t leap_days = y >= 0 ? y / 4 - y / 100 + y / 400 : -1;
    return y * 365 + leap_days + day_of_year - 719468;
}

bool instant_read(struct bytes text, struct instant *instant)
{
    if (text.length == 0)
        return false;
    struct cursor c = { text.data, text.data + text.length, false };
    int year = take_number(&c, 4, 4);
    expect(&c, '-');
    int month = take_number(&c, 2, 2);
    expect(&c, '-');
    int day = take_number(&c, 2, 2);
    expect(&c, 'T');
    int hour = take_number(&c, 1, 2);
    expect(&c, ':');
    int minute = take_number(&c, 2, 2);
    expect(&c, ':');
    int second = take_number(&c, 2, 2);
    int32_t nanoseconds = take_fraction(&c);
    int zone = take_zone(&c);
    if (c.failed || c.at != c.end || month < 1 || month > 12 || day < 1 || day > days_in_month(year, month))
        return false;
    if (hour > 23 || minute > 59 || second > 59)
        return false;
    *instant = (struct instant){ days_from_epoch(year, month, day) * 86400 + hour * 3600 + minute * 60 + second - zone, nanoseconds, zone };
    return true;
}

const struct instant instant_zero = { INT64_C(-62135596800), 0, 0 };

bool instant_is_zero(const struct instant *instant)
{
    return instant->seconds == instant_zero.seconds && instant->nanoseconds == instant_zero.nanoseconds;
}
