/* The parameters that a driver knows, which no API server looks into: the rows of rules/drivers/ and of users' files.
 *
 *     static const struct parameter class_rows[] = {
 *         PARAMETER("type", STRING, VALUES("fast", "slow")),
 *         PARAMETER("iops", INTEGER, BETWEEN(100, 16000), NEEDS_ALL(NEED("type", "fast"))),
 *     };
 *     static const struct parameters tables[] = { PARAMETERS_OF("Kind", class_rows, IGNORES_CASE) };
 *     const struct driver driver_of_acme = DRIVER_ROWS("disk.csi.acme.dev", tables, "acme.dev/disk-csi v2.1 docs/parameters.md"); */
#ifndef DRAWBRIDGE_SCHEMA_DRIVER_H
#define DRAWBRIDGE_SCHEMA_DRIVER_H

#include <stddef.h>

#include "base/bytes.h"

/* The words of users' files for them are in validate/driver_file.c. In a map of texts, the text is that of such a value. */
enum parameter_type {
    PARAMETER_STRING,
    PARAMETER_BOOLEAN,
    PARAMETER_INTEGER,
    PARAMETER_QUANTITY,
    PARAMETER_OBJECT, /* whose members have rows of their own, "object.member" */
    PARAMETER_ANY,    /* nothing is said about it, or what is in it */
    PARAMETER_TYPES
};

/* Another parameter that has to be there, with one of these values; "" stands for leaving it out. */
struct parameter_need {
    const char *name;          /* NULL ends a list of needs */
    const char *const *values; /* ended by NULL; NULL: any value */
};

struct parameter {
    struct bytes name; /* a key, or the path of a member; names that begin alike, where it ends in "*" */
    enum parameter_type type;
    bool list;         /* of such values */
    bool required;     /* where the object is that has it … */
    const char *const *unless; /* … without one of these beside it, ended by NULL; NULL: always */
    int64_t low, high; /* of an integer; both 0: any */
    const char *const *values; /* all that it can be, ended by NULL; NULL: anything of its type */
    const char *pattern;       /* that a text matches; NULL: none */
    const struct parameter_need *needs; /* all of them; NULL: none */
    const char *deprecated;    /* what to write instead, a clause; NULL: it is not deprecated */
    const char *since;         /* the version of the driver in which it came; NULL: it is not known */
};

/* What a driver reads in one place. */
struct parameters {
    const char *of;  /* the kind whose member "parameters" it is; NULL: configuration of devices … */
    const char *api_version, *kind; /* … of this type; NULL: of any */
    bool ignores_case; /* of names, and of values in a list of values */
    const struct parameter *rows;
    uint32_t count;
};

struct driver {
    struct bytes name;  /* every name that ends so, where it begins with "*" */
    const char *source; /* the document that says so, with its version */
    const struct parameters *tables;
    uint32_t count;
};

struct drivers {
    const struct driver *const *list;
    uint32_t count;
};

/* Those of rules/drivers/. */
extern const struct drivers built_in_drivers;

/* The driver of that name; NULL: nothing is known about it. `drivers` may be NULL. */
const struct driver *driver_find(const struct drivers *drivers, struct bytes name);

/* ---- words for rows ---- */

#define PARAMETER(...)                        PARAMETER_ROW(__VA_ARGS__, )
#define PARAMETER_ROW(row_name, of_type, ...) { .name = BYTES(row_name), .type = PARAMETER_##of_type, __VA_ARGS__ }

#define VALUES(...)          .values = (const char *const[]){ __VA_ARGS__, NULL }
#define BETWEEN(least, most) .low = (least), .high = (most)
#define PATTERN(expression)  .pattern = (expression)
#define NEEDED               .required = true
#define NEEDED_UNLESS(...)   .required = true, .unless = (const char *const[]){ __VA_ARGS__, NULL }
#define IN_LIST              .list = true
#define INSTEAD(words)       .deprecated = (words)
#define CAME_WITH(version)   .since = (version)

/* NEEDS_ALL(NEED("encrypted", "true"), NEED_ANY("other")) */
#define NEEDS_ALL(...)       .needs = (const struct parameter_need[]){ __VA_ARGS__, { NULL, NULL } }
#define NEED(other, ...)     { (other), (const char *const[]){ __VA_ARGS__, NULL } }
#define NEED_ANY(other)      { (other), NULL }

#define ROWS_OF(table)               .rows = (table), .count = sizeof(table) / sizeof *(table)
#define PARAMETERS_OF(...)           PARAMETERS_OF_(__VA_ARGS__, )
#define PARAMETERS_OF_(in, row, ...) { .of = (in), ROWS_OF(row), __VA_ARGS__ }
#define IGNORES_CASE                 .ignores_case = true

/* CONFIGURATION("group/version", "Kind", rows) */
#define CONFIGURATION(version, name, row) { .api_version = (version), .kind = (name), ROWS_OF(row) }

#define DRIVER_ROWS(full_name, its_tables, document) \
    { .name = BYTES(full_name), .source = (document), .tables = (its_tables), .count = sizeof(its_tables) / sizeof *(its_tables) }

#endif
