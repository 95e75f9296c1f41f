#include "cel/zone.h"

#include "base/files.h"
#include "cel/limits.h"
#include "cel/zone_rule.h"

#define DATABASE "/usr/share/zoneinfo/"

/* ---- the file ---- */

struct reader {
    struct bytes left;
    bool failed; /* it is shorter than it says */
};

static const unsigned char *take(struct reader *r, uint64_t length)
{
    const char *start = r->left.data;
    if (r->failed || length > r->left.length) {
        r->failed = true;
        return NULL;
    }
    r->left = (struct bytes){ start + length, r->left.length - (uint32_t)length };
    return (const unsigned char *)start;
}

static uint64_t big_endian(const unsigned char *bytes, unsigned length)
{
    uint64_t number = 0;
    for (unsigned i = 0; i < length; i++)
        number = number << 8 | bytes[i];
    return number;
}

enum { UTC_MARKS, STANDARD_MARKS, LEAPS, TRANSITIONS, TYPES, NAME_BYTES, COUNTS }; /* in the order of the file */

/* The head of a block; returns its version: 0, '2' or '3', or -1. Go looks at that of the first only. */
static int take_head(struct reader *r, uint64_t counts[COUNTS])
{
    const unsigned char *head = take(r, 44);
    for (unsigned i = 0; head && i < COUNTS; i++)
        counts[i] = big_endian(head + 20 + 4 * i, 4);
    bool known = head && memcmp(head, "TZif", 4) == 0 && (head[4] == 0 || head[4] == '2' || head[4] == '3');
    return known ? head[4] : -1;
}

/* Transitions and types; counts and bytes agree. */
static bool take_block(struct reader *r, const uint64_t counts[COUNTS], unsigned size, struct arena *arena, struct cel_zone *zone)
{
    const unsigned char *times = take(r, counts[TRANSITIONS] * size), *indexes = take(r, counts[TRANSITIONS]);
    const unsigned char *types = take(r, counts[TYPES] * 6);
    (void)take(r, counts[NAME_BYTES] + counts[LEAPS] * (size + 4) + counts[STANDARD_MARKS] + counts[UTC_MARKS]);
    if (r->failed || counts[TYPES] == 0)
        return false;
    struct cel_zone_transition *transitions = arena_alloc(arena, (counts[TRANSITIONS] + 1) * sizeof *transitions);
    struct cel_zone_type *made = arena_alloc(arena, counts[TYPES] * sizeof *made);
    if (!transitions || !made)
        return false;
    for (uint64_t i = 0; i < counts[TYPES]; i++) {
        made[i] = (struct cel_zone_type){ (int32_t)(uint32_t)big_endian(types + 6 * i, 4), types[6 * i + 4] != 0 };
        if (types[6 * i + 5] >= counts[NAME_BYTES])
            return false;
    }
    for (uint64_t i = 0; i < counts[TRANSITIONS]; i++) {
        uint64_t time = big_endian(times + i * size, size);
        transitions[i] = (struct cel_zone_transition){ size == 4 ? (int32_t)(uint32_t)time : (int64_t)time, indexes[i] };
        if (indexes[i] >= counts[TYPES])
            return false;
    }
    zone->transitions = transitions;
    zone->transition_count = (uint32_t)counts[TRANSITIONS];
    zone->types = made;
    zone->type_count = (uint32_t)counts[TYPES];
    if (zone->transition_count == 0)
        transitions[zone->transition_count++] = (struct cel_zone_transition){ INT64_MIN, 0 };
    return true;
}

/* A file of version 2 and later has everything twice: with times of 32 bits for old programs, then with 64. */
bool cel_zone_parse(struct bytes data, struct arena *arena, struct cel_zone *zone)
{
    struct reader r = { data, false };
    uint64_t counts[COUNTS] = { 0 };
    int version = take_head(&r, counts);
    if (version > 0) {
        (void)take(&r, counts[TRANSITIONS] * 5 + counts[TYPES] * 6 + counts[NAME_BYTES] + counts[LEAPS] * 8 + counts[STANDARD_MARKS] +
                           counts[UTC_MARKS]);
        (void)take_head(&r, counts);
    }
    if (version < 0 || r.failed || !take_block(&r, counts, version ? 8 : 4, arena, zone))
        return false;
    if (r.left.length > 2 && r.left.data[0] == '\n' && r.left.data[r.left.length - 1] == '\n')
        (void)cel_zone_rule_read((struct bytes){ r.left.data + 1, r.left.length - 2 }, &zone->rule);
    return true;
}

static bool read_file(const char *path, struct arena *arena, struct cel_zone *zone)
{
    struct buffer buffer;
    struct error error;
    if (!files_read(path, LIMIT_CEL_ZONE_BYTES, FILE_REGULAR, &buffer, &error))
        return false;
    bool read = cel_zone_parse(buffer_bytes(&buffer), arena, zone);
    buffer_free(&buffer);
    return read;
}

/* ---- names ---- */

/* A file below the database. No name leads out of it. */
static bool read_named(struct bytes name, struct arena *arena, struct cel_zone *zone)
{
    char path[sizeof DATABASE + LIMIT_CEL_ZONE_NAME] = DATABASE;
    if (name.length == 0 || name.length > LIMIT_CEL_ZONE_NAME || name.data[0] == '/' || name.data[0] == '\\' ||
        memmem(name.data, name.length, "..", 2) || memchr(name.data, '\0', name.length))
        return false;
    memcpy(path + sizeof DATABASE - 1, name.data, name.length);
    path[sizeof DATABASE - 1 + name.length] = '\0';
    return read_file(path, arena, zone);
}

/* TZ says which it is, else /etc/localtime. What cannot be read is UTC. */
static bool read_local(struct arena *arena, struct cel_zone *zone)
{
    const char *name = getenv("TZ");
    if (!name)
        return read_file("/etc/localtime", arena, zone);
    if (*name == ':')
        name++;
    return *name == '/' ? read_file(name, arena, zone) : read_named(bytes_of(name), arena, zone);
}

bool cel_zone_read(struct bytes name, struct arena *arena, struct cel_zone *zone)
{
    static const struct cel_zone_type utc_types[] = { { 0, false } };
    static const struct cel_zone_transition utc_transitions[] = { { INT64_MIN, 0 } };
    const struct cel_zone utc = { name, .transition_count = 1, .transitions = utc_transitions, .type_count = 1, .types = utc_types };
    *zone = utc;
    if (name.length == 0 || bytes_equal_text(name, "UTC"))
        return true;
    if (!bytes_equal_text(name, "Local"))
        return read_named(name, arena, zone);
    if (!read_local(arena, zone))
        *zone = utc;
    return true;
}

/* ---- offsets ---- */

/* The type before the first transition: the first if no transition is to it; else one of standard time, the nearest before that of a first
 * transition to daylight saving time if there is one. */
static uint32_t first_type(const struct cel_zone *zone)
{
    bool used = false;
    for (uint32_t i = 0; i < zone->transition_count && !used; i++)
        used = zone->transitions[i].type == 0;
    if (!used)
        return 0;
    unsigned first = zone->transitions[0].type;
    for (unsigned i = zone->types[first].daylight ? first : 0; i > 0; i--)
        if (!zone->types[i - 1].daylight)
            return i - 1;
    for (uint32_t i = 0; i < zone->type_count; i++)
        if (!zone->types[i].daylight)
            return i;
    return 0;
}

int32_t cel_zone_offset(const struct cel_zone *zone, int64_t time)
{
    if (time < zone->transitions[0].at)
        return zone->types[first_type(zone)].offset;
    uint32_t low = 0, high = zone->transition_count;
    while (high - low > 1) {
        uint32_t middle = low + (high - low) / 2;
        if (time < zone->transitions[middle].at)
            high = middle;
        else
            low = middle;
    }
    if (low == zone->transition_count - 1 && zone->rule.given)
        return cel_zone_rule_offset(&zone->rule, time);
    return zone->types[zone->transitions[low].type].offset;
}
