/* Other programs, whose output is read: found in PATH, without a shell, with bounded time and output. */
#ifndef DRAWBRIDGE_CLI_PROGRAM_H
#define DRAWBRIDGE_CLI_PROGRAM_H

#include "base/buffer.h"
#include "base/error.h"

struct program {
    const char *const *argv;       /* ended by NULL; the first is the program's name in PATH, or its path */
    const char *const *set, *const *unset; /* of its environment: "NAME=value", and names; ended by NULL; NULL: nothing */
    struct bytes input;            /* what it reads */
    uint32_t max;                  /* bytes that it may print */
    unsigned seconds;              /* after which it is ended */
    bool last_line;                /* why it failed is in the last line of its standard error, not in the first */
};

/* Runs it to its end. Returns what it printed, which the caller frees; or false with *error set: it is not installed, does not end, prints
 * too much, or failed; then its own words on standard error are said, a line of them. */
bool program_run(const struct program *program, struct buffer *output, struct error *error) MUST_USE;

/* Whether a program of that name, without slashes, is in PATH. */
bool program_exists(const char *name);

#endif
