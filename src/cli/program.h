/* Other programs, whose output is read: found in PATH, without a shell, with bounded time and output. */
#ifndef DRAWBRIDGE_CLI_PROGRAM_H
#define DRAWBRIDGE_CLI_PROGRAM_H

#include "base/buffer.h"
#include "base/error.h"

struct program {
    const char *const *argv;       /* ended by NULL; the first is the program's name, without slashes */
    const char *const *set, *const *unset; /* of its environment: "NAME=value", and names; ended by NULL; NULL: nothing */
    struct bytes input;            /* what it reads */
    uint32_t max;                  /* bytes that it may print */
    unsigned seconds;              /* after which it is ended */
};

/* Runs it to its end. Returns what it printed, which the caller frees; or false with *error set: it is not installed, does not end, prints
 * too much, or failed; then its own first line on standard error is said. */
bool program_run(const struct program *program, struct buffer *output, struct error *error) MUST_USE;

/* Whether a program of that name, without slashes, is in PATH. */
bool program_exists(const char *name);

#endif
