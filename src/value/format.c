#include "value/format.h"

#include <stdatomic.h>

#include "value/ip.h"

#define PLAIN(words, n)            { PART_PLAIN, .plain = &(const struct plain){ .name = words, .name_max = (n) } }
#define PLAIN_QUALIFIED(before, m, words, n) \
    { PART_PLAIN, .plain = &(const struct plain){ .domain = before, .domain_max = (m), .name = words, .name_max = (n) } }
#define PLAIN_WITH_DOMAIN(before, m, words, n) \
    { PART_PLAIN, \
      .plain = &(const struct plain){ .domain = before, .domain_max = (m), .name = words, .name_max = (n), .with_domain = true } }
#define TOO_LONG(n)                { PART_TOO_LONG, .max = (n) }
#define LONGEST(n)                 { PART_LONGEST, .max = (n) }
#define MATCH(re, why)             { PART_MATCH, .pattern = re, .detail = why }
#define MATCH_UTF(re, why)         { PART_MATCH_UTF, .pattern = re, .detail = why }
#define REFUSE(re, why)            { PART_REFUSE, .pattern = re, .detail = why }
#define CALL_PART(function, why)   { PART_CALL, .call = function, .detail = why }
#define HEAD(n)                    { PART_HEAD, .max = (n) }
#define DOMAIN                     { PART_DOMAIN, .max = 0 }
#define NAME                       { PART_NAME, .max = 0 }
#define SOME_DOMAIN                { PART_DOMAIN, .min = 1 }
#define SOME_NAME                  { PART_NAME, .min = 1 }
#define STOP                       { PART_STOP, .max = 0 }

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

/* Two threads may compile the same pattern at a time. The second one to finish frees its own and takes the other. */
static enum failure compile(struct formats *formats, enum format format, int part, struct pattern **pattern)
{
    const struct format_part *source = &format_infos[format].parts[part];
    enum failure failure = pattern_new(source->pattern, source->kind == PART_MATCH_UTF, formats->memory, pattern);
    if (failure)
        return failure;
    _Atomic(struct pattern *) *slot = &formats->compiled[format][part];
    struct pattern *earlier = NULL;
    if (!atomic_compare_exchange_strong_explicit(slot, &earlier, *pattern, memory_order_acq_rel, memory_order_acquire)) {
        pattern_free(*pattern);
        *pattern = earlier;
    }
    return FAILURE_NONE;
}

static enum failure check_part(struct formats *formats, struct matcher *matcher, enum format format, int part, struct bytes subject,
                               bool *good)
{
    const struct format_part *source = &format_infos[format].parts[part];
    if (source->kind == PART_TOO_LONG || source->kind == PART_LONGEST) {
        *good = subject.length <= source->max;
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

/* Sets *subject to the piece of `whole` that the parts after a HEAD, DOMAIN or NAME check. Returns false when there is no such piece. */
static bool narrow(const struct format_part *part, struct bytes whole, struct bytes *subject)
{
    const char *slash = part->kind == PART_HEAD || !whole.length ? NULL : memchr(whole.data, '/', whole.length);
    uint32_t before = slash ? (uint32_t)(slash - whole.data) : whole.length;
    *subject = whole;
    if (part->kind == PART_HEAD) {
        subject->length = whole.length < part->max ? whole.length : part->max;
        return true;
    }
    if (!slash)
        return part->kind == PART_NAME && whole.length >= part->min;
    const struct bytes after = { slash + 1, whole.length - before - 1 };
    *subject = part->kind == PART_NAME ? after : (struct bytes){ whole.data, before };
    return subject->length >= part->min && (!after.length || !memchr(after.data, '/', after.length));
}

enum failure format_check(struct formats *formats, struct matcher *matcher, enum format format, struct bytes whole, unsigned *broken)
{
    struct bytes subject = whole;
    bool has_subject = true;
    *broken = 0;
    for (int i = 0; format_infos[format].parts[i].kind != PART_END; i++) {
        const struct format_part *part = &format_infos[format].parts[i];
        bool good = true;
        if (part->kind == PART_STOP && *broken)
            return FAILURE_NONE;
        if (format_part_narrows(part))
            has_subject = narrow(part, whole, &subject);
        if (part->kind == PART_PLAIN || part->kind == PART_STOP || format_part_narrows(part) || !has_subject)
            continue;
        enum failure failure = check_part(formats, matcher, format, i, subject, &good);
        if (failure)
            return failure;
        if (!good)
            *broken |= 1u << i;
    }
    return FAILURE_NONE;
}
