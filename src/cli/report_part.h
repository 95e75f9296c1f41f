/* What several formats of reports share: regions of sources, excerpts, names of objects, and texts that are safe in their format. */
#ifndef DRAWBRIDGE_CLI_REPORT_PART_H
#define DRAWBRIDGE_CLI_REPORT_PART_H

#include <cjson/cJSON.h>

#include "cli/report.h"

/* A part of a source. */
struct region {
    struct position from, to; /* `to` is after its last byte; both the same where a value is not written */
    uint32_t offset, size;
    struct bytes excerpt;     /* its whole lines, or what LIMIT_EXCERPT_BYTES have room for */
    uint32_t marked;          /* where in the excerpt the region begins … */
    uint32_t marked_size;     /* … and how much of it is there */
};

enum failure region_find(struct source *source, uint32_t offset, uint32_t size, struct region *region) MUST_USE;

/* "ResourceClaim team/gpu"; "" for a text that is no object. */
void text_add_object(struct text *text, const struct item *item);

/* The same, or "document", in the text's arena; if that fails, so has the text. */
const char *object_name(struct text *text, const struct item *item);

/* "path: message", escaped. */
void text_add_message(struct text *text, const struct problem *problem);

/* "ResourceClaim team/gpu: path: message", escaped. */
void text_add_finding(struct text *text, const struct problem *problem);

/* Appends text for XML, HTML and Markdown: escaped as for a terminal, and with a character reference in place of whatever is not a letter,
 * a digit or harmless in all of them. */
void text_add_markup(struct text *text, struct bytes bytes, size_t limit);

/* Appends a path as the path of a URI: percent-encoded. */
void text_add_uri(struct text *text, const char *path);

/* Prints to `out` what `add` makes of each problem. */
enum failure text_print_each(struct reporter *reporter, struct workspace *workspace, const struct report *report, FILE *out,
                             enum failure (*add)(struct reporter *reporter, struct text *text, const struct problem *problem)) MUST_USE;

/* 32 hexadecimal digits that stay the same while the finding does, whatever its line is. with_message: and while its message does. */
struct fingerprint {
    char text[33];
};

struct fingerprint fingerprint_of(const struct problem *problem, bool with_message);

/* The problems of a report by their items, in an arena. */
struct by_item {
    const struct problem **list;
    uint32_t count;
};

enum failure by_item_make(struct arena *arena, const struct report *report, struct by_item *by_item) MUST_USE;

/* Those of one item, in their order; *count of them. */
const struct problem *const *by_item_find(const struct by_item *by_item, const struct item *item, uint32_t *count);

/* ---- JSON; false: no memory ---- */

bool json_add_text(cJSON *object, const char *name, const char *value) MUST_USE;

/* The bytes as they are, but for what JSON cannot hold: U+FFFD for what is not UTF-8, and cJSON ends at U+0000. */
bool json_add_bytes(struct workspace *workspace, cJSON *object, const char *name, struct bytes bytes) MUST_USE;

/* Prints each problem as an object that `fill` fills, with `between` before all but the reporter's first one. */
enum failure json_print_each(struct reporter *reporter, struct workspace *workspace, const struct report *report, const char *between,
                             bool (*fill)(struct reporter *reporter, struct workspace *workspace, cJSON *object,
                                          const struct problem *problem)) MUST_USE;

/* Prints and deletes the object, which may be NULL. good false: only deletes it, and returns FAILURE_MEMORY. */
enum failure json_print(FILE *out, const char *before, bool good, cJSON *object) MUST_USE;

#endif
