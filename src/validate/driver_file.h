/* A user's file with the parameters of drivers: YAML or JSON, each document a driver, whose members are those of schema/driver.h. */
#ifndef DRAWBRIDGE_VALIDATE_DRIVER_FILE_H
#define DRAWBRIDGE_VALIDATE_DRIVER_FILE_H

#include "check/context.h"
#include "schema/driver.h"
#include "validate/limits.h"

/* The words for the types of parameters, by enum parameter_type; NULL at the end. */
extern const char *const driver_file_types[];

/* The first thing that is wrong with a file. */
struct driver_mistake {
    uint32_t line, column; /* from 1 */
    char text[LIMIT_DRIVER_MISTAKE_BYTES]; /* "path: why", without a full stop, safe to print */
};

struct driver_file {
    struct arena arena;     /* for everything below */
    struct drivers drivers; /* in the order of the file */
};

/* Reads a text of at most LIMIT_DRIVER_FILE_BYTES, which must outlive the file. Free it with driver_file_done, but not after a failure:
 * FAILURE_SYNTAX, then *mistake says what is wrong; FAILURE_MEMORY, FAILURE_LIMIT. The workspace is cleared. */
enum failure driver_file_read(struct driver_file *file, struct workspace *workspace, struct bytes text, struct driver_mistake *mistake)
    MUST_USE;
void driver_file_done(struct driver_file *file);

#endif
