/* Time zones by name, from the database of the system (TZif files, RFC 8536), as Go's time.LoadLocation reads them. */
#ifndef DRAWBRIDGE_CEL_ZONE_H
#define DRAWBRIDGE_CEL_ZONE_H

#include "base/arena.h"
#include "base/bytes.h"

struct cel_zone_transition {
    int64_t at;   /* seconds since 1970 */
    unsigned type;
};

struct cel_zone_type {
    int32_t offset; /* seconds east of UTC */
    bool daylight;  /* daylight saving time */
};

/* When a change between standard and daylight saving time is, each year. */
struct cel_zone_change {
    enum { CEL_ZONE_JULIAN /* 1 to 365, without 29 February */, CEL_ZONE_DAY /* 0 to 365 */, CEL_ZONE_WEEKDAY } kind;
    int day, week, month; /* of CEL_ZONE_WEEKDAY: Sunday is 0, week 5 is the last */
    int time;             /* seconds of the local time before the change */
};

/* What counts after the last transition. */
struct cel_zone_rule {
    bool given, daylight;
    int32_t offsets[2];             /* in standard time, and in daylight saving time */
    struct cel_zone_change changes[2]; /* to daylight saving time, and back */
};

struct cel_zone {
    struct bytes name;
    uint32_t transition_count, type_count;
    const struct cel_zone_transition *transitions;
    const struct cel_zone_type *types; /* at least one */
    struct cel_zone_rule rule;
    const struct cel_zone *next; /* for those who keep several */
};

/* Reads the zone of that name: "Europe/Berlin"; "" and "UTC"; "Local", which is the machine's. False: there is none, or the arena failed.
 * Everything is in the arena, but for the name. */
bool cel_zone_read(struct bytes name, struct arena *arena, struct cel_zone *zone);

/* The same from the bytes of a file, for tests; does not set the name. */
bool cel_zone_parse(struct bytes data, struct arena *arena, struct cel_zone *zone);

/* Seconds east of UTC at a time in seconds since 1970. */
int32_t cel_zone_offset(const struct cel_zone *zone, int64_t time);

#endif
