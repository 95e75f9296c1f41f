#include "cel/unicode.h"

#include <stdlib.h>

/* ---- classes ---- */

enum category {
    Cc, Cf, Cn, Co, Cs, Ll, Lm, Lo, Lt, Lu, Mc, Me, Mn, Nd, Nl, No, Pc, Pd, Pe, Pf, Pi, Po, Ps, Sc, Sk, Sm, So, Zl, Zp, Zs, CATEGORIES,
};

#define CATEGORY_NAME(name, before, now)
#define SCRIPT_NAME(name, before, now) SCRIPT_##name,
enum script {
    SCRIPT_Unknown,
#include "cel/unicode_names.def"
};
#undef CATEGORY_NAME
#undef SCRIPT_NAME

/* Where characters of another category, or of another script, begin. */
struct beginning {
    uint32_t code, what;
};

#define R(code, name) { code, name },
static const struct beginning categories[] = {
#include "cel/unicode_categories.def"
};
#undef R

#define R(code, name) { code, SCRIPT_##name },
static const struct beginning scripts[] = {
#include "cel/unicode_scripts.def"
};
#undef R

#define COUNT(array) (uint32_t)(sizeof(array) / sizeof *(array))

/* What a name stands for: a set of categories, a bit for each; or ASCII, or SCRIPT and its number. 0: the name is unknown. */
#define M(category) (1u << (category))
#define EVERY (M(CATEGORIES) - 1)
#define ASCII (1u << 30)
#define SCRIPT (1u << 31)

struct class_name {
    const char *name;
    uint32_t meaning[2]; /* by dialect */
};

#define CATEGORY_NAME(name, before, now) { name, { before, now } },
#define SCRIPT_NAME(name, before, now) { #name, { before ? SCRIPT | SCRIPT_##name : 0, now ? SCRIPT | SCRIPT_##name : 0 } },
static const struct class_name names[] = {
#include "cel/unicode_names.def"
};

const uint32_t unicode_classes = COUNT(names);

enum { NAME_BYTES = 32 }; /* more than any name has */

/* The name as it is written in the table: the first letter is large, the others are small. Returns its length, or NAME_BYTES if it is
 * longer than any. */
static uint32_t plain_name(struct bytes name, char plain[NAME_BYTES])
{
    uint32_t length = 0;
    for (uint32_t i = 0; i < name.length && length < NAME_BYTES; i++) {
        char byte = name.data[i];
        if (byte == '_' || byte == '-' || byte == ' ')
            continue;
        if (length == 0 && byte >= 'a' && byte <= 'z')
            byte = (char)(byte - 'a' + 'A');
        else if (length && byte >= 'A' && byte <= 'Z')
            byte = (char)(byte - 'A' + 'a');
        plain[length++] = byte;
    }
    return length;
}

uint32_t unicode_class(struct bytes name, enum cel_regexp_dialect dialect)
{
    char plain[NAME_BYTES];
    if (dialect != CEL_REGEXP_GO_1_24)
        name = (struct bytes){ plain, plain_name(name, plain) };
    uint32_t low = 0, high = COUNT(names);
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        int order = bytes_compare(name, bytes_of(names[middle].name));
        if (order == 0)
            return names[middle].meaning[dialect] ? middle : UNICODE_NO_CLASS;
        if (order > 0)
            low = middle + 1;
        else
            high = middle;
    }
    return UNICODE_NO_CLASS;
}

void unicode_add_class(struct ranges_builder *builder, uint32_t number, enum cel_regexp_dialect dialect)
{
    uint32_t meaning = names[number].meaning[dialect];
    bool script = meaning & SCRIPT;
    const struct beginning *table = script ? scripts : categories;
    uint32_t count = script ? COUNT(scripts) : COUNT(categories);
    if (meaning == ASCII) {
        ranges_add(builder, 0, 0x7F);
        return;
    }
    for (uint32_t i = 0; i < count; i++) {
        bool in = script ? table[i].what == (meaning & ~SCRIPT) : meaning >> table[i].what & 1;
        if (in)
            ranges_add(builder, table[i].code, i + 1 < count ? table[i + 1].code - 1 : UNICODE_MAX);
    }
}

/* LC is what Go has no table for: U+0345, which is the same as a letter and is none, stays outside. */
bool unicode_class_folds(uint32_t number, enum cel_regexp_dialect dialect)
{
    return names[number].meaning[dialect] != (M(Ll) | M(Lt) | M(Lu));
}

bool unicode_is_printed(uint32_t code)
{
    const uint32_t unprinted = M(Cc) | M(Cf) | M(Cn) | M(Co) | M(Cs) | M(Zl) | M(Zp) | M(Zs);
    uint32_t low = 0, high = COUNT(categories);
    while (high - low > 1) {
        uint32_t middle = low + (high - low) / 2;
        if (code < categories[middle].code)
            high = middle;
        else
            low = middle;
    }
    return code == ' ' || !(unprinted >> categories[low].what & 1);
}

/* ---- case ---- */

enum folding_kind {
    SHIFTED_LETTERS,     /* low..high are the same as other..; */
    ALTERNATING_LETTERS, /* low is the same as low + 1, and so on until high */
    SEVERAL_LETTERS,     /* `several` are the same */
};

struct folding {
    enum folding_kind kind;
    uint32_t low, high, other;
    uint32_t several[UNICODE_FOLDED]; /* ascending; the last may be repeated */
};

#define SHIFTED(low, high, other) { SHIFTED_LETTERS, low, high, other, { 0 } },
#define ALTERNATING(low, high) { ALTERNATING_LETTERS, low, high, 0, { 0 } },
#define SEVERAL(a, b, c, d) { SEVERAL_LETTERS, 0, 0, 0, { a, b, c, d } },
static const struct folding foldings[] = {
#include "cel/unicode_folding.def"
};

/* Adds the part of `set` from `low` to `high`, moved by `distance`, where it is not in the same range already. `pairs`: and the neighbours
 * of its ends. */
static void add_part(struct ranges_builder *builder, struct ranges set, uint32_t low, uint32_t high, int64_t distance, bool pairs)
{
    for (uint32_t i = ranges_find(set, low); i < set.count && set.list[i].low <= high; i++) {
        uint32_t from = set.list[i].low > low ? set.list[i].low : low, to = set.list[i].high < high ? set.list[i].high : high;
        struct range moved = { (uint32_t)(from + distance), (uint32_t)(to + distance) };
        if (pairs)
            moved = (struct range){ low + (from - low) / 2 * 2, low + (to - low) / 2 * 2 + 1 };
        if (moved.low < set.list[i].low || moved.high > set.list[i].high)
            ranges_add(builder, moved.low, moved.high);
    }
}

void unicode_add_folded(struct ranges_builder *builder, struct ranges set)
{
    ranges_add_set(builder, set);
    for (uint32_t i = 0; i < COUNT(foldings); i++) {
        const struct folding *folding = &foldings[i];
        int64_t distance = (int64_t)folding->other - folding->low;
        bool in = false;
        switch (folding->kind) {
        case SHIFTED_LETTERS:
            add_part(builder, set, folding->low, folding->high, distance, false);
            add_part(builder, set, folding->other, (uint32_t)(folding->high + distance), -distance, false);
            break;
        case ALTERNATING_LETTERS:
            add_part(builder, set, folding->low, folding->high, 0, true);
            break;
        case SEVERAL_LETTERS:
            for (unsigned k = 0; k < UNICODE_FOLDED; k++)
                in |= ranges_contain(set, folding->several[k]);
            for (unsigned k = 0; in && k < UNICODE_FOLDED; k++)
                ranges_add(builder, folding->several[k], folding->several[k]);
            break;
        }
    }
}

/* Sets `all` to two characters. */
static unsigned two(uint32_t a, uint32_t b, uint32_t all[UNICODE_FOLDED])
{
    all[0] = a < b ? a : b;
    all[1] = a < b ? b : a;
    return 2;
}

/* Sets `all` to what `folding` has of `code`; 0 if it has nothing. */
static unsigned folded_by(const struct folding *folding, uint32_t code, uint32_t all[UNICODE_FOLDED])
{
    uint32_t count = folding->high - folding->low + 1, found = 0;
    switch (folding->kind) {
    case SHIFTED_LETTERS:
        if (code - folding->low < count)
            return two(code, code - folding->low + folding->other, all);
        return code - folding->other < count ? two(code, code - folding->other + folding->low, all) : 0;
    case ALTERNATING_LETTERS:
        return code - folding->low < count ? two(code, folding->low + ((code - folding->low) ^ 1), all) : 0;
    case SEVERAL_LETTERS:
        for (unsigned k = 0; k < UNICODE_FOLDED; k++)
            found |= folding->several[k] == code;
        if (!found)
            return 0;
        for (unsigned k = 0; k < UNICODE_FOLDED; k++)
            all[k] = folding->several[k];
        return folding->several[2] == folding->several[3] ? 3 : 4;
    }
    return 0;
}

unsigned unicode_folded(uint32_t code, uint32_t all[UNICODE_FOLDED])
{
    bool letter = (code >= 'A' && code <= 'Z') || (code >= 'a' && code <= 'z');
    if (code < 0x80 && !letter) {
        all[0] = code;
        return 1;
    }
    for (uint32_t i = 0; i < COUNT(foldings); i++) {
        unsigned count = folded_by(&foldings[i], code, all);
        if (count)
            return count;
    }
    all[0] = code;
    return 1;
}
