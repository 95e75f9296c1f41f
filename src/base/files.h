/* Files that are read whole. */
#ifndef DRAWBRIDGE_BASE_FILES_H
#define DRAWBRIDGE_BASE_FILES_H

#include <stdbool.h>
#include <stdint.h>

#include "base/buffer.h"
#include "base/error.h"

/* Which files are read, and how. */
enum file_flags {
    FILE_ANY = 0,     /* regular files, FIFOs, devices; "-" is standard input */
    FILE_REGULAR = 1, /* nothing else: what is read again and again must not wait for a writer */
    FILE_SECRET = 2,  /* no copy of what was read is left behind in memory */
};

/* Reads a whole file of at most `max` bytes, which is a number of KiB. Sets *buffer, which the caller frees; or returns false and sets
 * *error to the reason alone: the caller names the file. The one place where files are read whole. */
bool files_read(const char *path, uint32_t max, unsigned flags, struct buffer *buffer, struct error *error) MUST_USE;

#endif
