/* The named formats of strings, from rules/formats.def: what a DNS label or a qualified name is. */
#ifndef DRAWBRIDGE_VALUE_FORMAT_H
#define DRAWBRIDGE_VALUE_FORMAT_H

#include "value/pattern.h"
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
        PART_END, PART_PLAIN, PART_TOO_LONG, PART_LONGEST, PART_MATCH, PART_MATCH_UTF, PART_REFUSE, PART_CALL, PART_HEAD, PART_DOMAIN, PART_NAME, PART_STOP
    } kind;
    uint32_t most;              /* bytes, of PART_TOO_LONG, PART_LONGEST and PART_HEAD */
    const char *pattern;        /* of PART_MATCH, PART_MATCH_UTF and PART_REFUSE */
    const char *detail;         /* why a value is refused; NULL for a length */
    bool (*call)(struct bytes); /* of PART_CALL: whether a value is good */
    const struct plain *plain;  /* of PART_PLAIN, which is the first part if there is one */
};

/* Whether the parts behind it see a piece of the text only. */
static inline bool format_part_narrows(const struct format_part *part)
{
    return part->kind == PART_HEAD || part->kind == PART_DOMAIN || part->kind == PART_NAME;
}

struct format_info {
    const char *rule; /* id of the rule that a value of another form breaks */
    const char *good, *bad, *what;
    struct format_part parts[FORMAT_PARTS + 1];
};

/* Indexed by enum format. */
extern const struct format_info format_infos[FORMAT_COUNT];

/* Whether `text` is what a good value usually looks like. Then it breaks no part of the format; otherwise format_check knows. */
static inline bool format_is_plain(enum format format, struct bytes text)
{
    const struct plain *plain = format_infos[format].parts[0].plain;
    return plain && plain_fits(plain, text);
}

struct formats; /* compiled when first needed; shared by threads */

enum failure formats_new(const struct memory *memory, struct formats **formats) MUST_USE;
void formats_free(struct formats *formats);

/* Sets bit i of *broken for each part i of `format` that `subject` breaks. Failures as pattern_match. */
enum failure format_check(struct formats *formats, struct matcher *matcher, enum format format, struct bytes subject, unsigned *broken) MUST_USE;

#endif
