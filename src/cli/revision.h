/* Manifests as they are in a revision of a git repository, which is read without a checkout. */
#ifndef DRAWBRIDGE_CLI_REVISION_H
#define DRAWBRIDGE_CLI_REVISION_H

#include "base/folders.h"

struct revision_visitor {
    /* A manifest: its name is REVISION:PATH, with the path as folders_visit would show it. Returns false to end. */
    bool (*file)(void *self, const char *name, struct bytes text);
    void *self;
    const struct folder_filter *filter; /* its excludes; git ignores no file that is in a revision */
};

/* An error if the text cannot be a revision: git would take it for an option. */
bool revision_check(const char *revision, struct error *error) MUST_USE;

/* Visits the manifests of a path, as it was in the revision: a file, or a folder with those below it. Hidden ones are left out of folders,
 * and so are symbolic links and submodules. Of a pattern, the folder before its first wildcard is visited. What was not there is no error.
 * Runs git, without anything that a repository's own settings could make it run or fetch. */
bool revision_visit(const char *revision, const char *path, const struct revision_visitor *visitor, struct error *error) MUST_USE;

#endif
