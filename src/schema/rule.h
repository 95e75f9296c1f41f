/* Rules, reasons, severities and versions: the words in which tables and findings speak. */
#ifndef DRAWBRIDGE_SCHEMA_RULE_H
#define DRAWBRIDGE_SCHEMA_RULE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/bytes.h"
#include "base/failure.h"

/* Why a value is refused, in Kubernetes' own terms (metav1.CauseType). ROW(ID, cause, words, repeats the value) */
#define CHECK_REASONS(ROW)                                                   \
    ROW(REQUIRED,      "FieldValueRequired",     "Required value",    false) \
    ROW(INVALID,       "FieldValueInvalid",      "Invalid value",     true)  \
    ROW(NOT_SUPPORTED, "FieldValueNotSupported", "Unsupported value", true)  \
    ROW(NOT_FOUND,     "FieldValueNotFound",     "Not found",         true)  \
    ROW(DUPLICATE,     "FieldValueDuplicate",    "Duplicate value",   true)  \
    ROW(FORBIDDEN,     "FieldValueForbidden",    "Forbidden",         false) \
    ROW(TOO_LONG,      "FieldValueTooLong",      "Too long",          false) \
    ROW(TOO_MANY,      "FieldValueTooMany",      "Too many",          false) \
    ROW(TYPE_INVALID,  "FieldValueTypeInvalid",  "Invalid value",     true)  \
    ROW(INTERNAL,      "InternalError",          "Internal error",    false)

enum reason {
    REASON_OF_RULE, /* in a table row: the rule's own */
#define REASON_ROW(id, ...) REASON_##id,
    CHECK_REASONS(REASON_ROW)
#undef REASON_ROW
};

enum rule {
#define RULE(id, ...) RULE_##id,
#include "rules/rules.def"
#undef RULE
#define FORMAT(id, ...) RULE_FORMAT_##id,
#include "rules/formats.def"
#undef FORMAT
    RULE_COUNT
};

struct rule_info {
    const char *id;   /* as printed: lower case and hyphens */
    enum reason reason;
    const char *asks; /* what the rule asks for, a clause in English */
};

struct reason_info {
    const char *cause; /* Kubernetes' name of the cause */
    const char *words; /* that begin the message */
    bool says_value;   /* the message repeats the value */
};

enum severity {
    SEVERITY_ERROR,   /* a Kubernetes API server refuses it */
    SEVERITY_WARNING, /* documented or deprecated, but not refused */
    SEVERITY_INFO,    /* has no effect, or will not have one for long */
};

/* "error", "warning" or "info". */
const char *severity_word(enum severity severity);

/* A minor version of Kubernetes 1; 0 stands for "no bound" in a row. */
typedef uint8_t minor;

/* The minors that are known, and the one that counts where none is asked for: here alone. rules/README.md says what a new one takes. */
#define KNOWN_OLDEST  31
#define KNOWN_NEWEST  37
#define KNOWN_DEFAULT 37

enum { MINOR_OLDEST = KNOWN_OLDEST, MINOR_NEWEST = KNOWN_NEWEST, MINOR_DEFAULT = KNOWN_DEFAULT };

/* The same as literals, "1.37". */
#define OLDEST_VERSION          MINOR_TEXT(KNOWN_OLDEST)
#define NEWEST_VERSION          MINOR_TEXT(KNOWN_NEWEST)
#define DEFAULT_VERSION         MINOR_TEXT(KNOWN_DEFAULT)
#define MINOR_TEXT(minor)       MINOR_TEXT_EXACTLY(minor)
#define MINOR_TEXT_EXACTLY(minor) "1." #minor

/* The minors, both included, in which a field or check exists. */
struct versions {
    minor since, until;
};

static inline bool versions_include(struct versions versions, minor version)
{
    return version >= versions.since && (versions.until == 0 || version <= versions.until);
}

/* Versions of Kubernetes as bits: the lowest one for MINOR_OLDEST. */
typedef uint32_t version_set;

_Static_assert(MINOR_NEWEST - MINOR_OLDEST < 32, "a bit for each version");

static inline version_set version_bit(minor version)
{
    return (version_set)1 << (version - MINOR_OLDEST);
}

/* Those of a range with both bounds; 0: it is one version. */
static inline version_set version_range(struct versions versions)
{
    version_set all = 0;
    for (minor version = versions.since; version <= versions.until; version++)
        all |= version_bit(version);
    return versions.since < versions.until ? all : 0;
}

struct version_set_text {
    char text[64];
};

/* In words: "1.36", "1.36 and 1.37", "1.34 to 1.37", "1.31, 1.33 to 1.35 and 1.37". */
struct version_set_text version_set_words(version_set versions);

/* A range of versions in words. */
struct versions_text {
    char text[24];
};

/* "since 1.33", "until 1.35", "1.32 to 1.34", "1.33"; "" without bounds. The one text for it. */
struct versions_text versions_words(struct versions versions);

/* Reads a version of Kubernetes within the known minors, such as 1.35, v1.35.4, v1.33.1+k3s1. */
bool version_read(const char *text, minor *version) MUST_USE;

/* The same, or a range of them, as 1.34..1.37, from the older to the newer: both bounds are set. */
bool versions_read(const char *text, struct versions *versions) MUST_USE;

const struct rule_info *rule_info(enum rule rule);

/* The rule with that id, or with an old id of rules/aliases.def, which rule_info() does not have; RULE_COUNT: there is none. */
enum rule rule_find(struct bytes id);

struct nearest;

/* Takes the rule whose id is nearest, if it is nearer than what was found before. */
void rules_consider(struct nearest *nearest);

const struct reason_info *reason_info(enum reason reason);

#endif
