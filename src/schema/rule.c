#include "schema/rule.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/near.h"

static const struct rule_info rules[] = {
#define RULE(id, name, reason, asks) [RULE_##id] = { name, REASON_##reason, asks },
#include "rules/rules.def"
#undef RULE
#define FORMAT(id, name, good, bad, what, ...) [RULE_FORMAT_##id] = { name, REASON_INVALID, "the value is " what },
#include "rules/formats.def"
#undef FORMAT
};
_Static_assert(sizeof rules / sizeof *rules == RULE_COUNT, "a row for each rule");

static const struct alias {
    const char *id;
    enum rule rule;
} aliases[] = {
#define ALIAS(old, id) { old, RULE_##id },
#include "rules/aliases.def"
#undef ALIAS
};

static const struct reason_info reasons[] = {
    [REASON_OF_RULE] = { "", "", false },
#define REASON_ROW(id, cause, words, says_value) [REASON_##id] = { cause, words, says_value },
    CHECK_REASONS(REASON_ROW)
#undef REASON_ROW
};

const char *severity_word(enum severity severity)
{
    switch (severity) {
    case SEVERITY_ERROR:   return "error";
    case SEVERITY_WARNING: return "warning";
    case SEVERITY_INFO:    break;
    }
    return "info";
}

const struct rule_info *rule_info(enum rule rule)
{
    return &rules[rule];
}

enum rule rule_find(struct bytes id)
{
    for (int rule = 0; rule < RULE_COUNT; rule++)
        if (bytes_equal_text(id, rules[rule].id))
            return (enum rule)rule;
    for (size_t i = 0; i < sizeof aliases / sizeof *aliases; i++)
        if (bytes_equal_text(id, aliases[i].id))
            return aliases[i].rule;
    return RULE_COUNT;
}

void rules_consider(struct nearest *nearest)
{
    for (int rule = 0; rule < RULE_COUNT; rule++)
        near_consider(nearest, bytes_of(rules[rule].id));
}

const struct reason_info *reason_info(enum reason reason)
{
    return &reasons[reason];
}

struct versions_text versions_words(struct versions versions)
{
    struct versions_text words = { "" };
    if (versions.since && versions.since == versions.until)
        snprintf(words.text, sizeof words.text, "1.%u", versions.since);
    else if (versions.since && versions.until)
        snprintf(words.text, sizeof words.text, "1.%u to 1.%u", versions.since, versions.until);
    else if (versions.since || versions.until)
        snprintf(words.text, sizeof words.text, "%s 1.%u", versions.since ? "since" : "until",
                 versions.since ? versions.since : versions.until);
    return words;
}

struct version_set_text version_set_words(version_set versions)
{
    struct version_set_text words = { "" };
    size_t length = 0;
    for (unsigned at = MINOR_OLDEST; versions && length < sizeof words.text; at++, versions >>= 1) {
        unsigned run = 0;
        while (versions >> run & 1)
            run++;
        if (!run)
            continue;
        unsigned shown = run > 2 ? run : 1; /* of two versions, the second one follows by itself */
        const char *between = !length ? "" : versions >> shown ? ", " : " and ";
        length += (size_t)snprintf(words.text + length, sizeof words.text - length, run > 2 ? "%s1.%u to 1.%u" : "%s1.%u", between, at,
                                   at + run - 1);
        at += shown - 1;
        versions >>= shown - 1;
    }
    return words;
}

bool version_read(const char *text, minor *version)
{
    char *end;
    if (*text == 'v')
        text++;
    if (strncmp(text, "1.", 2) != 0 || text[2] < '1' || text[2] > '9')
        return false;
    unsigned long value = strtoul(text + 2, &end, 10);
    if (*end == '.') { /* a patch release, and what a vendor puts after it: v1.33.1+k3s1, v1.31.4-eks-2d5f260 */
        const char *patch = end + 1;
        (void)strtoul(patch, &end, 10);
        if (end == patch || *patch < '0' || *patch > '9')
            return false;
        if (*end == '-' || *end == '+')
            end += strspn(end, "-+.0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ");
    }
    if (*end || value < MINOR_OLDEST || value > MINOR_NEWEST)
        return false;
    *version = (minor)value;
    return true;
}

bool versions_read(const char *text, struct versions *versions)
{
    char first[64];
    const char *dots = strstr(text, "..");
    size_t length = dots ? (size_t)(dots - text) : 0;
    if (!dots) {
        minor version;
        bool read = version_read(text, &version);
        *versions = read ? (struct versions){ version, version } : *versions;
        return read;
    }
    if (length >= sizeof first)
        return false;
    memcpy(first, text, length);
    first[length] = '\0';
    struct versions range;
    if (!version_read(first, &range.since) || !version_read(dots + 2, &range.until) || range.since > range.until)
        return false;
    *versions = range;
    return true;
}
