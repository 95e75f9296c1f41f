/* Parts of timestamps and durations. */
#include "cel/convert_text.h"
#include "cel/time_text.h"
#include "cel/zone.h"
#include "rules/cel/calls.h"
#include "rules/cel/texts.h"

enum {
    DAY = 86400,
    READING_STEPS = 2000, /* what reading a file of the zone database counts as, in cel_steps() */
};

/* In nanoseconds. */
#define MILLISECOND INT64_C(1000000)
#define SECOND      (1000 * MILLISECOND)
#define MINUTE      (60 * SECOND)
#define HOUR        (60 * MINUTE)

/* A timestamp on the clock of its zone. */
struct clock_time {
    int64_t days; /* since 1970-01-01 */
    int64_t second; /* of the day */
    int32_t nanoseconds;
};

/* As Go divides durations: through a double, which rounds what is nearly the next whole number. */
static double quotient(int64_t nanoseconds, int64_t unit)
{
    return (double)(nanoseconds / unit) + (double)(nanoseconds % unit) / (double)unit;
}

/* ---- zones ---- */

/* +02:00, and what cel-go takes for the same: any two numbers, which wrap around. */
static struct cel_value read_offset(struct cel_evaluation *evaluation, struct bytes text, uint32_t colon)
{
    struct bytes hours = { text.data, colon }, minutes = { text.data + colon + 1, text.length - colon - 1 };
    int64_t hour, minute;
    if (!cel_steps_bytes(evaluation, text.length))
        return cel_stopped(evaluation);
    if (!cel_read_integer(hours, &hour))
        return cel_fail_about(evaluation, "strconv.Atoi: parsing ", hours);
    if (!cel_read_integer(minutes, &minute))
        return cel_fail_about(evaluation, "strconv.Atoi: parsing ", minutes);
    uint64_t offset = (uint64_t)hour * 60;
    offset = text.data[0] == '-' ? offset - (uint64_t)minute : offset + (uint64_t)minute;
    return cel_integer((int64_t)quotient((int64_t)(offset * (uint64_t)MINUTE), SECOND));
}

/* NULL: there is none of that name, or the evaluation is stopped. */
static const struct cel_zone *find_zone(struct cel_evaluation *evaluation, struct bytes name)
{
    for (const struct cel_zone *zone = evaluation->zones; zone && cel_steps(evaluation, 1); zone = zone->next)
        if (bytes_equal(zone->name, name))
            return zone;
    struct cel_zone *zone = cel_steps(evaluation, READING_STEPS) ? cel_evaluation_alloc(evaluation, 1, sizeof *zone) : NULL;
    if (!zone || !cel_zone_read(name, evaluation->arena, zone))
        return NULL;
    zone->next = evaluation->zones;
    return evaluation->zones = zone;
}

/* Seconds east of UTC, or an error. */
static struct cel_value zone_offset(const struct cel_invocation *call, int64_t time)
{
    if (call->count < 2)
        return cel_integer(0);
    struct bytes name = call->arguments[1].text;
    const char *colon = name.length ? memchr(name.data, ':', name.length) : NULL;
    if (colon)
        return read_offset(call->evaluation, name, (uint32_t)(colon - name.data));
    const struct cel_zone *zone = find_zone(call->evaluation, name);
    if (zone)
        return cel_integer(cel_zone_offset(zone, time));
    /* If reading it took the last of the arena, this stops the evaluation. */
    bool memory = cel_evaluation_alloc(call->evaluation, 0, 1) != NULL;
    return memory ? cel_fail_about(call->evaluation, "unknown time zone ", name) : cel_stopped(call->evaluation);
}

/* ---- parts ---- */

/* The timestamp on the clock of its zone; false: *error says why not. */
static bool clock_time(const struct cel_invocation *call, struct clock_time *clock, struct cel_value *error)
{
    const struct instant *time = &call->arguments[0].time;
    struct cel_value offset = zone_offset(call, time->seconds);
    if (offset.type == CEL_ERROR) {
        *error = offset;
        return false;
    }
    int64_t local = time->seconds + offset.integer, days = local / DAY - (local % DAY < 0);
    *clock = (struct clock_time){ days, local - days * DAY, time->nanoseconds };
    return true;
}

/* A part of the time of day. */
static struct cel_value time_part(const struct cel_invocation *call, int64_t unit, int64_t of_duration)
{
    struct clock_time clock;
    struct cel_value error;
    if (call->arguments[0].type == CEL_DURATION)
        return cel_integer(of_duration);
    if (!clock_time(call, &clock, &error))
        return error;
    if (unit == HOUR)
        return cel_integer(clock.second / 3600);
    if (unit == MINUTE)
        return cel_integer(clock.second / 60 % 60);
    return cel_integer(unit == SECOND ? clock.second % 60 : clock.nanoseconds / unit);
}

struct cel_value call_get_hours(const struct cel_invocation *call)
{
    return time_part(call, HOUR, (int64_t)quotient(call->arguments[0].integer, HOUR));
}

struct cel_value call_get_minutes(const struct cel_invocation *call)
{
    return time_part(call, MINUTE, (int64_t)quotient(call->arguments[0].integer, MINUTE));
}

struct cel_value call_get_seconds(const struct cel_invocation *call)
{
    return time_part(call, SECOND, (int64_t)quotient(call->arguments[0].integer, SECOND));
}

struct cel_value call_get_milliseconds(const struct cel_invocation *call)
{
    return time_part(call, MILLISECOND, call->arguments[0].integer / MILLISECOND);
}

enum date_part { YEAR, MONTH, DAY_OF_MONTH, DAY_OF_YEAR, DAY_OF_WEEK };

/* A part of the date, less `first`, which counts as 0. */
static struct cel_value date_part(const struct cel_invocation *call, enum date_part part, int64_t first)
{
    struct clock_time clock;
    struct cel_value error;
    if (!clock_time(call, &clock, &error))
        return error;
    struct cel_date date = cel_date_of(clock.days);
    const int64_t parts[] = {
        [YEAR] = date.year, [MONTH] = date.month, [DAY_OF_MONTH] = date.day, [DAY_OF_YEAR] = date.day_of_year,
        [DAY_OF_WEEK] = ((clock.days + 4) % 7 + 7) % 7, /* 1970-01-01 was a Thursday */
    };
    return cel_integer(parts[part] - first);
}

struct cel_value call_get_full_year(const struct cel_invocation *call)
{
    return date_part(call, YEAR, 0);
}

struct cel_value call_get_month(const struct cel_invocation *call)
{
    return date_part(call, MONTH, 1);
}

struct cel_value call_get_date(const struct cel_invocation *call)
{
    return date_part(call, DAY_OF_MONTH, 0);
}

struct cel_value call_get_day_of_month(const struct cel_invocation *call)
{
    return date_part(call, DAY_OF_MONTH, 1);
}

struct cel_value call_get_day_of_year(const struct cel_invocation *call)
{
    return date_part(call, DAY_OF_YEAR, 0);
}

struct cel_value call_get_day_of_week(const struct cel_invocation *call)
{
    return date_part(call, DAY_OF_WEEK, 0);
}
