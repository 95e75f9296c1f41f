/* What another version of Kubernetes makes of objects. */
#ifndef DRAWBRIDGE_VALIDATE_UPGRADE_H
#define DRAWBRIDGE_VALIDATE_UPGRADE_H

#include "validate/report.h"

/* ROW(ID, "id for programs", "label of a finding", "in the summary") */
#define UPGRADE_CHANGES(ROW)                                                                      \
    ROW(REFUSED,         "refused",           "refused",           "refused")                     \
    ROW(REFUSED_ALREADY, "refused-already",   "refused already",   "refused by both")             \
    ROW(REFUSED_ELSE,    "refused-otherwise", "refused otherwise", "refused for another reason")  \
    ROW(DROPPED,         "dropped",           "dropped",           "dropped")                     \
    ROW(DROPPED_ALREADY, "dropped-already",   "dropped already",   "dropped by both")             \
    ROW(API_VERSION,     "api-version",       "api version",       "to be moved to another API version") \
    ROW(STORED_VERSION,  "stored-version",    "stored",            "stored by an old API version") \
    ROW(WARNED,          "warned",            "warning",           "newly warned of")             \
    ROW(ALLOWED,         "allowed",           "allowed",           "newly allowed")

enum upgrade_change {
#define UPGRADE_ROW(id, ...) UPGRADE_##id,
    UPGRADE_CHANGES(UPGRADE_ROW)
#undef UPGRADE_ROW
    UPGRADE_CHANGE_COUNT
};

struct upgrade {
    minor from, to;
    size_t counts[UPGRADE_CHANGE_COUNT]; /* findings so far */
    size_t objects;                      /* with findings */
};

/* The words of the last column. */
const char *upgrade_words(enum upgrade_change change);

/* Turns a report on both versions into one on the change: *changes, sorted by place, in the arena; its texts are those of `report`. */
enum failure upgrade_report(struct upgrade *upgrade, const struct report *report, struct arena *arena, struct report *changes) MUST_USE;

#endif
