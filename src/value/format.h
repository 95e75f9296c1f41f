/* The named formats of strings, from rules/formats.def: DNS label, qualified name and so on. */
#ifndef DRAWBRIDGE_VALUE_FORMAT_H
#define DRAWBRIDGE_VALUE_FORMAT_H

#include "value/pattern.h"
#include "base/fast_paths.h"
#include "value/plain.h"

enum format {
    FORMAT_NONE,
#define FORMAT(id, ...) FORMAT_##id,
#include "rules/formats.def"
#undef FORMAT
    FORMAT_COUNT
};

enum { FORMAT_PARTS = 10 };

struct format_part {
    enum format_part_kind {
        PART_END, PART_PLAIN, PART_TOO_LONG, PART_LONGEST, PART_MATCH, PART_MATCH_UTF, PART_REFUSE, PART_CALL,
        PART_HEAD, PART_DOMAIN, PART_NAME, PART_STOP
    } kind;
    uint32_t max;               /* bytes, of PART_TOO_LONG, PART_LONGEST and PART_HEAD */
    uint32_t min;               /* bytes, of PART_DOMAIN and PART_NAME: there is no shorter piece */
    const char *pattern;        /* of PART_MATCH, PART_MATCH_UTF and PART_REFUSE */
    const char *detail;         /* why a value is refused; NULL for a length */
    bool (*call)(struct bytes); /* of PART_CALL: whether a value is valid */
    const struct plain *plain;  /* of PART_PLAIN, which is the first part if there is one */
};

/* Whether the parts after it check only a piece of the text. */
static inline bool format_part_narrows(const struct format_part *part)
{
    return part->kind == PART_HEAD || part->kind == PART_DOMAIN || part->kind == PART_NAME;
}

struct format_info {
    const char *rule; /* id of the rule that an invalid value breaks */
    const char *good, *bad, *what; /* a valid value, an invalid one, and the format in words */
    struct format_part parts[FORMAT_PARTS + 1];
};

/* Indexed by enum format. */
extern const struct format_info format_infos[FORMAT_COUNT];

/* The fast path for values of the usual form. If this returns true, `text` breaks no part of the format; if not, format_check decides. */
static inline bool format_is_plain(enum format format, struct bytes text)
{
    const struct plain *plain = format_infos[format].parts[0].plain;
    return FAST_PATHS && plain && plain_fits(plain, text);
}

struct formats; /* the compiled patterns; compiled on first use, shared by threads */

enum failure formats_new(const struct memory *memory, struct formats **formats) MUST_USE;
void formats_free(struct formats *formats);

/* Sets bit i of *broken for each part i of `format` that `subject` breaks. Fails as pattern_match does. */
enum failure format_check(struct formats *formats, struct matcher *matcher, enum format format, struct bytes subject,
                          unsigned *broken) MUST_USE;

#endif
