#include "doc/timestamp.h"

struct cursor {
    const char *at, *end;
};

static bool is_digit(const struct cursor *c, unsigned ahead)
{
    return (size_t)(c->end - c->at) > ahead && c->at[ahead] >= '0' && c->at[ahead] <= '9';
}

static bool take(struct cursor *c, char character)
{
    bool there = c->at < c->end && *c->at == character;
    c->at += there;
    return there;
}

/* Reads one or two digits; if `two`, exactly two. */
static bool read_number(struct cursor *c, bool two, unsigned *value)
{
    if (!is_digit(c, 0) || (two && !is_digit(c, 1)))
        return false;
    *value = (unsigned)(*c->at++ - '0');
    if (is_digit(c, 0))
        *value = *value * 10 + (unsigned)(*c->at++ - '0');
    return true;
}

static unsigned days_in(unsigned month, unsigned year)
{
    static const unsigned char days[] = { 31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31 };
    bool leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    return month == 2 && leap ? 29 : days[month - 1];
}

static bool read_date(struct cursor *c)
{
    unsigned year = 0, month, day;
    for (int i = 0; i < 4; i++) {
        if (!is_digit(c, 0))
            return false;
        year = year * 10 + (unsigned)(*c->at++ - '0');
    }
    if (!take(c, '-') || !read_number(c, false, &month) || month < 1 || month > 12)
        return false;
    return take(c, '-') && read_number(c, false, &day) && day >= 1 && day <= days_in(month, year);
}

static bool read_time(struct cursor *c)
{
    unsigned hour, minute, second;
    if (!read_number(c, false, &hour) || !take(c, ':') || !read_number(c, false, &minute) || !take(c, ':'))
        return false;
    if (!read_number(c, false, &second))
        return false;
    if (hour > 23 || minute > 59 || second > 59)
        return false;
    if (c->at < c->end && (*c->at == '.' || *c->at == ',') && is_digit(c, 1))
        for (c->at++; is_digit(c, 0);)
            c->at++;
    return true;
}

static bool read_zone(struct cursor *c)
{
    unsigned hour, minute;
    if (take(c, 'Z'))
        return true;
    if (!take(c, '+') && !take(c, '-'))
        return false;
    return read_number(c, true, &hour) && take(c, ':') && read_number(c, true, &minute) && hour <= 24 && minute <= 60;
}

bool timestamp_valid(struct bytes text)
{
    struct cursor c = { text.data, text.data + text.length };
    if (!read_date(&c))
        return false;
    if (c.at == c.end)
        return true;
    if (take(&c, 'T') || take(&c, 't'))
        return read_time(&c) && read_zone(&c) && c.at == c.end;
    if (!take(&c, ' '))
        return false;
    while (take(&c, ' '))
        ;
    return read_time(&c) && c.at == c.end;
}
