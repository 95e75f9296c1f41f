/* Files that are written whole or not at all: under another name first, in the same folder. */
#ifndef DRAWBRIDGE_CLI_OUTPUT_FILE_H
#define DRAWBRIDGE_CLI_OUTPUT_FILE_H

#include <stdio.h>

#include "base/error.h"

struct output_file {
    FILE *out;    /* NULL: not open */
    char *path;   /* where it will be, links followed */
    char *fresh;  /* where it is until then; NULL: it is no regular file, such as a FIFO, and written in place */
};

/* Opens a file for writing. False with *error set, which names it. Of a file that is there already, the mode stays. */
bool output_file_open(struct output_file *file, const char *path, struct error *error) MUST_USE;

/* Puts what was written in its place, and closes it. False with *error set: everything is as it was before. */
bool output_file_end(struct output_file *file, struct error *error) MUST_USE;

/* Forgets what was written since it was opened. Does nothing to a zeroed or ended file. */
void output_file_drop(struct output_file *file);

#endif
