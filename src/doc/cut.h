/* Finds where a large text of manifests can be cut into parts that can be read one by one: between documents, and between the items of a
 * List, if it is written as programs write it. What is found here is exact for such texts; of all others it is said that they cannot be
 * cut. Offsets are size_t: the text may be larger than what can be read at once. */
#ifndef DRAWBRIDGE_DOC_CUT_H
#define DRAWBRIDGE_DOC_CUT_H

#include <stdbool.h>
#include <stddef.h>

struct cut_text {
    const char *data;
    size_t length;
    /* Told now and then that the text before `to` has been looked through; NULL: nobody wants to know. */
    void (*passed)(void *self, size_t to);
    void *self;
    size_t told; /* of the last call; 0 */
};

/* The items of a List: all between `start` and `end`; what is around them, between `from` and `start`, `end` and `after`, has at most
 * CUT_AROUND_BYTES. */
struct cut_list {
    size_t from, start, end, after;
    unsigned indent; /* in YAML: spaces before the dash of each item */
};

enum { CUT_AROUND_BYTES = 64 << 10 };

/* ---- JSON ---- */

/* The value that begins at `from`, with a bracket. False: it does not end. Otherwise *list is set, with after as its end; list->start is
 * 0 if it is no object with one member "items" that is an array. */
bool cut_json_value(struct cut_text *text, size_t from, struct cut_list *list);

/* The offset after the first comma between two items, `from` being the start of one, that has `bytes` before it; list->end if there is
 * none. */
size_t cut_json_items(struct cut_text *text, const struct cut_list *list, size_t from, size_t bytes);

/* ---- YAML ---- */

/* The end of the document that begins at `from`: the next line that begins with ---, but for the first; or the end. */
size_t cut_yaml_document(struct cut_text *text, size_t from);

/* Whether the document is a List in block layout, as kubectl writes it, whose items refer to nothing in each other: sets *list. */
bool cut_yaml_list(struct cut_text *text, size_t from, size_t after, struct cut_list *list);

/* The start of the first item that has `bytes` before it; list->end if there is none. */
size_t cut_yaml_items(struct cut_text *text, const struct cut_list *list, size_t from, size_t bytes);

/* ---- for both files ---- */

enum { CUT_STEP_BYTES = 8 << 20 };

static inline void cut_passed(struct cut_text *text, size_t to)
{
    if (text->passed && to > text->told && to - text->told >= CUT_STEP_BYTES) {
        text->passed(text->self, to);
        text->told = to;
    }
}

#endif
