/* Folders of manifests, as repositories have them: what git ignores and what is hidden is left out. */
#ifndef DRAWBRIDGE_BASE_FOLDERS_H
#define DRAWBRIDGE_BASE_FOLDERS_H

#include "base/ignore.h"

/* What is left out of folders. */
struct folder_filter {
    const struct ignore *excludes; /* counts for paths that are named, too; NULL: nothing */
    bool no_gitignore;             /* do not ask .gitignore and .git/info/exclude */
};

/* What is read of a folder. */
enum folder_use {
    FOLDER_WHOLE,
    FOLDER_BELOW, /* only the folders in it */
    FOLDER_NOT,
};

/* What folders_visit tells; paths are valid during the call only. */
struct folder_visitor {
    void (*file)(void *self, const char *path);
    void (*trouble)(void *self, const char *path, const char *why); /* a folder or .gitignore that cannot be read */
    enum folder_use (*folder)(void *self, const char *path); /* is asked before a folder is read; NULL: all of it is */
    void *self;
    const struct folder_filter *filter; /* NULL: of folders, what git ignores is left out */
};

/* Visits the path itself; of a folder, every .yaml, .yml and .json file below, sorted by name; of a pattern such as "charts/a*.yaml"
 * that is the name of no file, what matches it. Of what is not named, hidden files and folders are left out. Symbolic links to files are
 * followed, to folders only when `path` is one. Nothing but regular files is taken from a folder. Returns false when it is a pattern that
 * nothing matches, of which nothing was told. */
bool folders_visit(const char *path, const struct folder_visitor *visitor);

/* Whether a file is a manifest by its name. */
bool folders_is_manifest(const char *name);

/* The absolute path of a folder, from malloc, as patterns see it: "" is /. NULL with errno set: there is none. */
char *folders_absolute(const char *path) MUST_USE;

#endif
