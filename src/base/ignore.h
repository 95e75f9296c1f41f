/* Lists of files to leave out, as git writes and reads them: .gitignore, and what --exclude gives. */
#ifndef DRAWBRIDGE_BASE_IGNORE_H
#define DRAWBRIDGE_BASE_IGNORE_H

#include <stdbool.h>

#include "base/bytes.h"
#include "base/error.h"
#include "base/limits.h"

struct ignore_pattern {
    struct bytes text;     /* into the list's own text */
    bool keeps;            /* begins with !: what matches is not left out */
    bool folders_only;     /* ends with / */
    bool is_path;          /* has another /: counts from the list's folder; otherwise a name at any depth */
};

/* A list, which counts for what is in its folder. */
struct ignore {
    const struct ignore *outer;  /* is asked when no pattern of this one matches; not owned; NULL: nothing is left out */
    char *folder;                /* absolute, without a slash at the end; what is not in it is matched by its absolute path */
    uint32_t folder_length;
    char *text;                  /* of the patterns */
    struct ignore_pattern *patterns;
    uint32_t count;
    uint32_t in_force;           /* patterns of this list and of those around it */
};

/* Reads the lines of a .gitignore, or patterns that stand one a line. The text is copied. False with *error set: no memory, or more than
 * LIMIT_IGNORE_PATTERNS, outer ones included. Call ignore_done in the end, also after a failure. */
bool ignore_read(struct ignore *ignore, const struct ignore *outer, const char *folder, struct bytes lines, struct error *error) MUST_USE;
void ignore_done(struct ignore *ignore);

/* Whether the path, which is absolute, is left out: the last pattern that matches in the innermost list decides. `ignore` may be NULL.
 * Asks nothing about the folders around the path. */
bool ignore_covers(const struct ignore *ignore, struct bytes path, bool is_folder);

/* The same, and whether a folder around the path is left out, as far as these are in the folders of the lists. */
bool ignore_covers_around(const struct ignore *ignore, struct bytes path, bool is_folder);

#endif
