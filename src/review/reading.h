/* Inside review/: the state of reading a configuration, shared by configuration.c and policies.c. */
#ifndef DRAWBRIDGE_REVIEW_READING_H
#define DRAWBRIDGE_REVIEW_READING_H

#include "validate/validate.h"
#include "doc/lines.h"
#include "review/configuration.h"
#include "review/enforcement.h"

struct reading {
    struct configuration *configuration; /* its arena is for what lasts */
    struct configuration_mistakes *mistakes;
    struct workspace *workspace;         /* its arena is for everything else */
    struct document document;
    struct lines lines;
    struct known_field *fields;          /* the fields of all kinds; see policies.c */
    struct map field_map;
    bool for_lint;
    enum failure failure;                /* sticky: FAILURE_MEMORY or FAILURE_LIMIT */
};

/* Adds a mistake at that byte: "path: text", or only the text if path is "". */
void reading_mistake(struct reading *reading, uint32_t offset, const char *path, const char *text);

/* The same for what is valid, but should be written otherwise. */
void reading_warning(struct reading *reading, uint32_t offset, const char *path, const char *text);

/* Whether the list of mistakes is full. */
bool reading_is_full(const struct reading *reading);

/* Reads the policies of a document that has passed the checks of its types and members. */
void reading_policies(struct reading *reading, const struct doc_node *list);

/* Reads what is for lint alone, of such a document. */
void reading_lint(struct reading *reading, const struct doc_node *root);

/* A list of ids of rules as flags by enum rule; NULL: there is no list, or it has mistakes. */
const bool *reading_rules(struct reading *reading, const char *name, const struct doc_node *list);

/* Sets *level to a severity as policies have it; false: it is none. */
bool reading_level(const struct doc_node *node, enum level *level) MUST_USE;

/* Memory that lives as long as the configuration; NULL on a failure. */
void *reading_keep(struct reading *reading, size_t bytes) MUST_USE;

/* A copy there, ended by NUL; "" on a failure. */
struct bytes reading_keep_text(struct reading *reading, struct bytes text);

#endif
