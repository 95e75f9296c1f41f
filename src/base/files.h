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

/* A text of any size. */
struct file_text {
    const char *data;     /* NULL only while length is 0 */
    size_t length;
    bool mapped;          /* not in memory, but in a file; else `buffer` owns it */
    struct buffer buffer;
};

/* Opens a file of any size: a regular file is mapped, and so is the copy of anything else that is larger than LIMIT_SPOOL_BYTES: a file
 * without a name in TMPDIR. Sets *error as files_read. If somebody
 * cuts a mapped file short while it is read, there is a SIGBUS. */
bool files_open(const char *path, struct file_text *text, struct error *error) MUST_USE;
void files_close(struct file_text *text);

/* Gives back the memory of the pages that lie between two offsets. They are read again when they are needed. */
void files_forget(const struct file_text *text, size_t from, size_t to);

/* The size of a regular file; -1: it is none. */
int64_t files_size(const char *path);

#endif
