/* Objects that a command reads from files and folders, all of them before it begins. */
#ifndef DRAWBRIDGE_CLI_INPUTS_H
#define DRAWBRIDGE_CLI_INPUTS_H

#include "check/context.h"
#include "cli/cli.h"
#include "cli/kept_files.h"
#include "validate/source_set.h"

struct inputs {
    const struct command *command; /* NULL: inputs_init failed */
    struct context context;
    struct workspace workspace; /* for what is made of the objects; not cleared */
    struct source_set sources;  /* in the order of the paths */
    struct kept_files files;
    struct arena names;         /* of files, in messages */
    /* Takes a file that is no manifest: true. It may be NULL; `self` is for it. */
    bool (*take)(void *self, const struct kept_file *file);
    void *self;
    int status;                 /* EXIT_USAGE after something could not be read, which was said */
};

/* Empty inputs. FAILURE_NONE, or as context_init. */
enum failure inputs_init(struct inputs *inputs, const struct command *command, minor version) MUST_USE;
void inputs_done(struct inputs *inputs);

/* Reads a path: a file, a folder with its manifests, or - for standard input. What cannot be read is said on standard error. */
void inputs_add(struct inputs *inputs, const char *path);

/* Says on standard error what is wrong at a place of a file: "FILE:LINE:COLUMN: …". */
void inputs_say(struct inputs *inputs, const char *name, struct lines *lines, uint32_t offset, const char *format, ...)
    __attribute__((format(printf, 5, 6)));

#endif
