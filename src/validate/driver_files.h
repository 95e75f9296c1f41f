/* Several of the user's files with drivers, as a configuration names them. */
#ifndef DRAWBRIDGE_VALIDATE_DRIVER_FILES_H
#define DRAWBRIDGE_VALIDATE_DRIVER_FILES_H

#include "base/error.h"
#include "validate/driver_file.h"

/* Begins zeroed. */
struct driver_files {
    struct driver_file *files;
    uint32_t count;
    const struct driver **list;
    struct drivers drivers; /* of all files, in their order; of one name the first counts */
};

/* Reads one more file. False with *error set, to "PATH: why" or "PATH:LINE:COLUMN: why": nothing was added. */
bool driver_files_add(struct driver_files *files, const char *path, struct error *error) MUST_USE;

/* The same for a file that is written from a folder on ("" for the root; NULL: the current one), unless it is absolute. */
bool driver_files_add_from(struct driver_files *files, const char *folder, const char *path, struct error *error) MUST_USE;

void driver_files_done(struct driver_files *files);

#endif
