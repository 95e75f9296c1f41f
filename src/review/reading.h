/* Inside review/: what the files that read a configuration share. */
#ifndef DRAWBRIDGE_REVIEW_READING_H
#define DRAWBRIDGE_REVIEW_READING_H

#include "check/check.h"
#include "doc/lines.h"
#include "review/configuration.h"

struct reading {
    struct configuration *configuration; /* its arena holds what stays */
    struct configuration_mistakes *mistakes;
    struct worker *worker;               /* its arena, what does not */
    struct document document;
    struct lines lines;
    struct known_field *fields;          /* of all kinds; see policies.c */
    struct set field_set;
    enum failure failure;                /* sticky: FAILURE_MEMORY or FAILURE_LIMIT */
};

/* Adds a mistake at that byte: "path: text", or only the text where path is "". */
void reading_mistake(struct reading *reading, uint32_t offset, const char *path, const char *text);

/* Whether so many mistakes are listed that no other will be. */
bool reading_is_full(const struct reading *reading);

/* The policies of a document whose types and members are right. */
void reading_policies(struct reading *reading, const struct doc_node *list);

#endif
