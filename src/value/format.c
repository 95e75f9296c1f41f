#include "value/format.h"

#include <stdatomic.h>

#include "value/ip.h"

#define PLAIN(pattern)             { PART_PLAIN, 0, pattern, NULL, NULL }
#define TOO_LONG(n)                { PART_TOO_LONG, n, NULL, NULL, NULL }
#define LONGEST(n)                 { PART_LONGEST, n, NULL, NULL, NULL }
#define MATCH(pattern, detail)     { PART_MATCH, 0, pattern, detail, NULL }
#define MATCH_UTF(pattern, detail) { PART_MATCH_UTF, 0, pattern, detail, NULL }
#define REFUSE(pattern, detail)    { PART_REFUSE, 0, pattern, detail, NULL }
#define CALL_PART(call, detail)    { PART_CALL, 0, NULL, detail, call }
#define HEAD(n)                    { PART_HEAD, n, NULL, NULL, NULL }
#define DOMAIN                     { PART_DOMAIN, 0, NULL, NULL, NULL }
#define NAME                       { PART_NAME, 0, NULL, NULL, NULL }
#define STOP                       { PART_STOP, 0, NULL, NULL, NULL }

const struct format_info format_infos[FORMAT_COUNT] = {
#define FORMAT(id, rule, good, bad, what, ...) [FORMAT_##id] = { rule, good, bad, what, { __VA_ARGS__ } },
#include "rules/formats.def"
#undef FORMAT
};

struct formats {
    const struct memory *memory;
    _Atomic(struct pattern *) compiled[FORMAT_COUNT][FORMAT_PARTS];
};

enum failure formats_new(const struct memory *memory, struct formats **result)
{
    struct formats *formats = memory->allocate(sizeof *formats, memory->data);
    if (!formats)
        return FAILURE_MEMORY;
    formats->memory = memory;
    for (int i = 0; i < FORMAT_COUNT; i++)
        for (int j = 0; j < FORMAT_PARTS; j++)
            atomic_init(&formats->compiled[i][j], NULL);
    *result = formats;
    return FAILURE_NONE;
}

void formats_free(struct formats *formats)
{
    if (!formats)
        return;
    for (int i = 0; i < FORMAT_COUNT; i++)
        for (int j = 0; j < FORMAT_PARTS; j++)
            pattern_free(atomic_load_explicit(&formats->compiled[i][j], memory_order_relaxed));
    formats->memory->release(formats, formats->memory->data);
}

/* Two threads may compile the same pattern; the second to finish throws its own away. */
static enum failure compile(struct formats *formats, enum format format, int part, struct pattern **pattern)
{
    const struct format_part *source = &format_infos[format].parts[part];
    enum failure failure = pattern_new(source->pattern, source->kind == PART_MATCH_UTF, formats->memory, pattern);
    if (failure)
        return failure;
    struct pattern *earlier = NULL;
    if (!atomic_compare_exchange_strong_explicit(&formats->compiled[format][part], &earlier, *pattern, memory_order_acq_rel, memory_order_acquire)) {
        pattern_free(*pattern);
        *pattern = earlier;
    }
    return FAILURE_NONE;
}

static enum failure check_part(struct formats *formats, struct matcher *matcher, enum format format, int part, struct bytes subject, bool *good)
{
    const struct format_part *source = &format_infos[format].parts[part];
    if (source->kind == PART_TOO_LONG || source->kind == PART_LONGEST) {
        *good = subject.length <= source->most;
        return FAILURE_NONE;
    }
    if (source->kind == PART_CALL) {
        *good = source->call(subject);
        return FAILURE_NONE;
    }
    struct pattern *pattern = atomic_load_explicit(&formats->compiled[format][part], memory_order_acquire);
    if (!pattern) {
        enum failure failure = compile(formats, format, part, &pattern);
        if (failure)
            return failure;
    }
    enum failure failure = pattern_match(matcher, pattern, subject, good);
    *good ^= source->kind == PART_REFUSE;
    return failure;
}

/* What the parts behind a HEAD, DOMAIN or NAME see of `whole`. Returns false when there is no such thing. */
static bool narrow(const struct format_part *part, struct bytes whole, struct bytes *subject)
{
    const char *slash = part->kind == PART_HEAD || !whole.length ? NULL : memchr(whole.data, '/', whole.length);
    uint32_t before = slash ? (uint32_t)(slash - whole.data) : whole.length;
    *subject = whole;
    if (part->kind == PART_HEAD) {
        subject->length = whole.length < part->most ? whole.length : part->most;
        return true;
    }
    if (!slash)
        return part->kind == PART_NAME;
    const struct bytes after = { slash + 1, whole.length - before - 1 };
    *subject = part->kind == PART_NAME ? after : (struct bytes){ whole.data, before };
    return !after.length || !memchr(after.data, '/', after.length);
}

enum failure format_check(struct formats *formats, struct matcher *matcher, enum format format, struct bytes whole, unsigned *broken)
{
    struct bytes subject = whole;
    bool tried = true;
    *broken = 0;
    for (int part = 0; format_infos[format].parts[part].kind != PART_END; part++) {
        const struct format_part *now = &format_infos[format].parts[part];
        bool good = true;
        if (now->kind == PART_STOP && *broken)
            return FAILURE_NONE;
        if (format_part_narrows(now))
            tried = narrow(now, whole, &subject);
        if (now->kind == PART_STOP || format_part_narrows(now) || !tried)
            continue;
        enum failure failure = check_part(formats, matcher, format, part, subject, &good);
        if (failure || (now->kind == PART_PLAIN && good))
            return failure;
        if (!good && now->kind != PART_PLAIN)
            *broken |= 1u << part;
    }
    return FAILURE_NONE;
}
