/* Files and directories of manifests. */
#ifndef DRAWBRIDGE_BASE_FILES_H
#define DRAWBRIDGE_BASE_FILES_H

#include <stdbool.h>
#include <stddef.h>

#include "base/bytes.h"

/* What files_visit tells; paths are valid during the call only. */
struct file_visitor {
    void (*file)(void *self, const char *path);
    void (*trouble)(void *self, const char *path, const char *why); /* a directory that cannot be read */
    void *self;
};

/* Visits the path itself, or, of a directory, every .yaml, .yml and .json file below, sorted by name. Symbolic links to files
 * are followed, to directories only when `path` is one. Nothing but regular files is taken from a directory. */
void files_visit(const char *path, const struct file_visitor *visitor);

/* How large a file may be, and what is said of a larger one. */
struct file_limit {
    size_t bytes;
    const char *why;
};

extern const struct file_limit manifest_limit, configuration_limit;

/* Reads a whole file, FIFO or device; "-" is standard input. Returns NULL and sets *text, whose data the caller frees with free(); or
 * why it cannot be read, valid until the next call. */
const char *files_read(const char *path, const struct file_limit *limit, struct bytes *text);

#endif
