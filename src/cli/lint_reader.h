/* Reads the files of drawbridge lint ahead of their validation, in several threads, and large ones in pieces. They are taken in the order
 * in which they were named, by the thread that names them. */
#ifndef DRAWBRIDGE_CLI_LINT_READER_H
#define DRAWBRIDGE_CLI_LINT_READER_H

#include "base/team.h"
#include "base/files.h"
#include "validate/piece.h"

/* A file, which its readings share. */
struct read_file {
    char *name;
    struct file_text text;
    unsigned uses;
    bool uncut; /* some of it was too large for a piece */
};

/* A file or a piece of one, and what is in it. */
struct reading {
    struct team_job job;
    struct reading *next;
    struct lint_reader *reader;
    struct read_file *file;
    bool is_piece;
    struct piece piece;
    size_t bytes;         /* of the text; before it is read, as far as is known */
    size_t counted;       /* of them in the reader's bytes */
    struct source source; /* if it was read */
    char *why;            /* it was not read; NULL: `failure` */
    enum failure failure; /* FAILURE_NONE: it was read */
};

struct lint_reader {
    const struct context *context; /* not owned */
    struct source_options options;
    struct team team;
    /* Takes a reading, which is the taker's from then on, to be freed with reading_free. */
    void (*take)(void *self, struct reading *reading);
    /* There was no memory for the file. */
    void (*trouble)(void *self, const char *path, const char *why);
    void *self;
    struct reading *first, *last; /* not taken yet */
    unsigned count;
    size_t bytes;
};

/* Starts threads, so that `jobs` work in all. The caller sets context and options, and take, trouble and self. */
void lint_reader_start(struct lint_reader *reader, unsigned jobs);
void lint_reader_stop(struct lint_reader *reader);

/* Reads a file, or has it read. */
void lint_reader_add(struct lint_reader *reader, const char *path);

/* Waits for all that are not taken yet. */
void lint_reader_finish(struct lint_reader *reader);

/* What the reading takes of memory, or the text of it that was mapped. */
size_t reading_bytes(const struct reading *reading);

/* Gives back the text of a piece, which is read again when it is needed. */
void reading_rest(const struct reading *reading);
void reading_free(struct reading *reading);

#endif
