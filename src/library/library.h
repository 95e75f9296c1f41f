/* What the files of the library share: the structures that drawbridge.h declares, and what is read from its arguments. */
#ifndef DRAWBRIDGE_LIBRARY_LIBRARY_H
#define DRAWBRIDGE_LIBRARY_LIBRARY_H

#include "base/bytes.h"
#include "drawbridge.h"
#include "match/device.h"
#include "match/world.h"
#include "validate/context.h"
#include "validate/driver_file.h"
#include "validate/source_set.h"

struct drawbridge_context {
    struct memory memory;
    struct context context; /* its memory is the one above */
};

/* A report keeps nothing of its context but the memory's functions. */
struct drawbridge_report {
    struct memory memory;
    struct arena arena; /* of the findings */
    struct drawbridge_finding *findings;
    size_t capacity, count;
    struct counts counts;
};

struct copied_text;

struct drawbridge_set {
    const struct drawbridge_context *context;
    struct source_set source_set;
    struct copied_text *texts;
    size_t bytes; /* of them */
    bool suppressions; /* comments and annotations suppress findings */
};

/* A text that is copied, NUL-terminated; NULL: the arena failed. library_copy_name() escapes what texts of objects may hold. */
const char *library_copy_text(struct arena *arena, struct bytes bytes);
const char *library_copy_name(struct arena *arena, struct bytes bytes);

/* The list with room for so many more elements of that size; NULL: the arena failed. Grows by doubling. */
void *library_make_room(struct arena *arena, void *list, size_t count, size_t more, size_t size, size_t *capacity) MUST_USE;

/* Errors in the order in which they were found. */
struct library_errors {
    struct drawbridge_error *list;
    size_t count, capacity;
};

/* Adds what is wrong at an offset of the item's source. The texts are copied. */
enum failure library_errors_add(struct library_errors *errors, struct arena *arena, const struct item *item, uint32_t offset,
                                const char *path, const char *message) MUST_USE;

/* Adds it if it cannot be read: a text, or a slice of an unknown API version. */
enum failure library_errors_add_unreadable(struct library_errors *errors, struct arena *arena, const struct item *item) MUST_USE;

/* Adds all that cannot be read in these sources, and the objects with values of wrong types. */
enum failure library_errors_add_all(struct library_errors *errors, struct arena *arena, const struct source *sources,
                                    const struct match_undecodable *undecodable) MUST_USE;

/* Values of the devices of a set. */
struct drawbridge_devices {
    struct memory memory;
    struct workspace workspace; /* for slices that are converted from other API versions */
    struct arena arena;         /* for everything else */
    struct library_device {
        struct drawbridge_device device;
        struct cel_value value;
        const char *fault; /* why there is no value; NULL: there is one */
    } *list;
    size_t count, capacity;
    struct library_errors errors;
};

struct drawbridge_drivers {
    struct memory memory;
    struct driver_file file; /* nothing is in it when it is wrong */
    bool is_wrong;
    struct driver_mistake mistake;
    struct drawbridge_error error; /* the mistake */
};

/* What a failure inside is called outside. */
enum drawbridge_result library_result(enum failure failure);

/* The severity in the words of drawbridge.h. */
enum drawbridge_severity library_severity(enum severity severity);

/* Copies the options of a caller who was built with an older or newer header: structures that begin with their size, of which the first
 * version had `first` bytes. Of the others, up to `known`, the copy has zeros. False: what they ask for is not known. */
bool library_copy_options(const void *options, size_t first, size_t known, void *copy) MUST_USE;

/* Reads options (NULL: the defaults): DRAWBRIDGE_OK, DRAWBRIDGE_BAD_OPTION or DRAWBRIDGE_BAD_VERSION. *suppressions: whether comments and
 * annotations suppress findings. */
enum drawbridge_result library_options(const struct drawbridge_options *options, struct validate_settings *settings,
                                       bool *suppressions) MUST_USE;

/* Reads a text (not NULL) of at most DRAWBRIDGE_MAX_BYTES: DRAWBRIDGE_OK, DRAWBRIDGE_BAD_ARGUMENT or DRAWBRIDGE_LIMIT. The bytes stay the
 * caller's. */
enum drawbridge_result library_text(const struct drawbridge_text *text, struct bytes *bytes) MUST_USE;

/* Adds the findings in one source. */
enum failure report_add(struct drawbridge_report *made, const struct source *source, const struct report *report) MUST_USE;

#endif
