/* Files whose objects are read together: their names and texts stay as long as the objects do. */
#ifndef DRAWBRIDGE_CLI_KEPT_FILES_H
#define DRAWBRIDGE_CLI_KEPT_FILES_H

#include "base/arena.h"
#include "base/files.h"

struct source;

struct kept_file {
    struct kept_file *next;
    struct source *source; /* for the caller */
    char *name;
    struct buffer text;
};

struct kept_files {
    struct kept_file *first, *last;
};

/* Reads a file and keeps it, last. NULL with *error set to the reason: it cannot be read. */
struct kept_file *kept_files_read(struct kept_files *files, const char *path, struct error *error) MUST_USE;

/* Keeps a text under a name that is no file's; the buffer is taken, and freed when that fails. */
struct kept_file *kept_files_add(struct kept_files *files, const char *name, struct buffer *text, struct error *error) MUST_USE;

/* A file's name, safe for a terminal; in the arena. */
const char *file_shown(struct arena *arena, const char *path);

/* Forgets the file that was kept last, after that one; NULL: it was the only one. */
void kept_files_forget_last(struct kept_files *files, struct kept_file *before);

/* Forgets all of them. */
void kept_files_clear(struct kept_files *files);

#endif
