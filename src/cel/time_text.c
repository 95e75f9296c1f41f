#include "cel/time_text.h"

#include "cel/convert_text.h"

bool cel_is_leap_year(int64_t year)
{
    return (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;
}

struct cel_date cel_date_of(int64_t days)
{
    days += 719468; /* since 0000-03-01: years begin in March here, so that the leap day is the last day of a year */
    int64_t era = (days >= 0 ? days : days - 146096) / 146097, of_era = days - era * 146097;
    int64_t year_of_era = (of_era - of_era / 1460 + of_era / 36524 - of_era / 146096) / 365;
    int64_t of_year = of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100), month = (5 * of_year + 2) / 153;
    int64_t day = of_year - (153 * month + 2) / 5 + 1;
    month += month < 10 ? 3 : -9;
    int64_t year = year_of_era + era * 400 + (month <= 2);
    of_year += month <= 2 ? -306 : 59 + cel_is_leap_year(year);
    return (struct cel_date){ year, (int)month, (int)day, (int)of_year };
}

static void add_padded(struct text *text, int64_t value, int digits)
{
    for (int64_t ten = 10, i = 1; i < digits; i++, ten *= 10)
        if (value < ten)
            text_add(text, "0");
    text_add_integer(text, value);
}

static void add_fraction(struct text *text, int32_t nanoseconds)
{
    if (nanoseconds == 0)
        return;
    int digits = 9;
    for (; nanoseconds % 10 == 0; digits--)
        nanoseconds /= 10;
    text_add(text, ".");
    add_padded(text, nanoseconds, digits);
}

void cel_write_time(struct text *text, const struct instant *time)
{
    int64_t local = time->seconds + time->zone, days = local / 86400 - (local % 86400 < 0), second = local - days * 86400;
    struct cel_date date = cel_date_of(days);
    add_padded(text, date.year, 4);
    text_add(text, "-");
    add_padded(text, date.month, 2);
    text_add(text, "-");
    add_padded(text, date.day, 2);
    text_add(text, "T");
    add_padded(text, second / 3600, 2);
    text_add(text, ":");
    add_padded(text, second / 60 % 60, 2);
    text_add(text, ":");
    add_padded(text, second % 60, 2);
    add_fraction(text, time->nanoseconds);
    int32_t zone = time->zone < 0 ? -time->zone : time->zone;
    text_add(text, zone == 0 ? "Z" : time->zone < 0 ? "-" : "+");
    if (zone == 0)
        return;
    add_padded(text, zone / 3600, 2);
    text_add(text, ":");
    add_padded(text, zone / 60 % 60, 2);
}

void cel_write_duration(struct text *text, int64_t nanoseconds)
{
    cel_write_double(text, (double)(nanoseconds / 1000000000) + (double)(nanoseconds % 1000000000) / 1e9, true);
    text_add(text, "s");
}
