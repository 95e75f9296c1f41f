/* Files and directories of manifests. */
#ifndef DRAWBRIDGE_BASE_FILES_H
#define DRAWBRIDGE_BASE_FILES_H

#include <stdbool.h>
#include <stdint.h>

#include "base/buffer.h"
#include "base/error.h"

/* What files_visit tells; paths are valid during the call only. */
struct file_visitor {
    void (*file)(void *self, const char *path);
    void (*trouble)(void *self, const char *path, const char *why); /* a directory that cannot be read */
    void *self;
};

/* Visits the path itself, or, of a directory, every .yaml, .yml and .json file below, sorted by name. Symbolic links to files
 * are followed, to directories only when `path` is one. Nothing but regular files is taken from a directory. */
void files_visit(const char *path, const struct file_visitor *visitor);

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
