/* The language server: what an editor has open, the workspace around it, and what is said about both. One thread, one client. */
#ifndef DRAWBRIDGE_LSP_SERVER_H
#define DRAWBRIDGE_LSP_SERVER_H

#include "base/buffer.h"
#include "lint/selection.h"
#include "lsp/limits.h"
#include "lsp/message.h"
#include "validate/source_set.h"

/* What is in force for a file. */
struct lsp_scope {
    const void *owner;          /* files with the same one and the same set are validated together */
    uint32_t set;
    bool excluded;              /* nothing is said about it, and nothing of it is known to others */
    minor version;
    struct gate_settings gates;
    enum unknown_fields unknown_fields;
    bool skip_templates;
    const struct drivers *drivers;
    struct selection selection; /* lives until the next forget */
};

struct lsp_settings {
    const char *program_version;
    minor version; /* for files in no scope */
    /* Sets *scope to what is in force for a file; path NULL: for a text that is in none. */
    void (*find_scope)(void *self, const char *path, struct lsp_scope *scope);
    /* Forgets what configurations say: they are read anew. */
    void (*forget)(void *self);
    void *self;
};

/* The files of one scope. */
struct lsp_group {
    struct lsp_group *next;
    struct lsp_scope scope;
    struct source_set set;
    bool changed; /* since its set was prepared */
};

/* A file of the workspace, or what the editor has open in place of it. */
struct lsp_file {
    struct lsp_file *next;
    char *uri;             /* owned; also the name of the source */
    char *path;            /* owned; NULL: it is in no file */
    struct buffer text;    /* as it is now */
    struct buffer read;    /* what the source was read from */
    struct lsp_group *group; /* NULL: none yet, or it is excluded */
    struct source *source; /* in the group's set; NULL: none yet */
    char *published;       /* the diagnostics that the client has; owned; NULL: none */
    double version;        /* of an open one, from the client; -1: none */
    bool open, changed;
};

struct lsp {
    struct context context;
    struct workspace workspace;
    const struct lsp_settings *settings;
    struct lsp_group *groups;
    struct arena arena;        /* for one request */
    struct lsp_output output;
    struct lsp_file *files;
    unsigned file_count;
    size_t bytes;              /* of all texts */
    char *folders[LIMIT_LSP_FOLDERS]; /* owned; of the workspace, not searched yet */
    unsigned folder_count;
    char **found;              /* owned; files in them that were not read yet */
    unsigned found_count, found_next;
    bool utf8;                 /* characters are bytes, not UTF-16 units */
    bool initialized, ending;
    bool stale;                /* diagnostics have to be made anew: something was edited */
    bool loaded;               /* the same, when the last file is read: something of the workspace was */
    bool full;                 /* the workspace has more files than can be read, which was said */
};

/* Serves the client at these two until it ends. Returns true if it has ended as the protocol says: shutdown, then exit. *failure is set if
 * there was no memory, or the input cannot be read. */
bool lsp_serve(int input, FILE *output, const struct lsp_settings *settings, enum failure *failure) MUST_USE;

/* ---- files.c ---- */

/* The file with that URI, or the same path; NULL: none is known. */
struct lsp_file *lsp_file_find(struct lsp *lsp, const char *uri);

/* The same, which is made if it is not known. NULL: no memory, or LIMIT_LSP_FILES. */
struct lsp_file *lsp_file_get(struct lsp *lsp, const char *uri);

/* Takes a text as a file's own. False: no memory, or it is too long. */
bool lsp_file_set(struct lsp *lsp, struct lsp_file *file, struct bytes text) MUST_USE;

/* Replaces a part of its text. */
bool lsp_file_edit(struct lsp *lsp, struct lsp_file *file, uint32_t from, uint32_t to, struct bytes text) MUST_USE;

/* Reads it from its path; what cannot be read is empty. */
void lsp_file_load(struct lsp *lsp, struct lsp_file *file);

/* Lists the files of a folder of the workspace, for lsp_file_load_next. */
void lsp_files_search(struct lsp *lsp, const char *folder);

/* Reads one of these. False: there is none left. */
bool lsp_files_load_next(struct lsp *lsp);

/* Reads the changed files anew, and makes a set of those of each group. */
enum failure lsp_refresh(struct lsp *lsp) MUST_USE;

/* Forgets what is in force where: a configuration was written. */
void lsp_files_regroup(struct lsp *lsp);

void lsp_files_done(struct lsp *lsp);

/* ---- diagnostics.c ---- */

/* Sends the diagnostics of all open files that are not as they were. */
void lsp_diagnose(struct lsp *lsp);

/* The report on one open file, until the next one; false: there is none. */
bool lsp_report(struct lsp *lsp, struct lsp_file *file, struct report *report) MUST_USE;

/* The diagnostic for a problem, or NULL: no memory. */
cJSON *lsp_diagnostic(struct lsp *lsp, const struct problem *problem) MUST_USE;

/* ---- requests: the result, or NULL: no memory ---- */

cJSON *lsp_hover(struct lsp *lsp, const cJSON *parameters) MUST_USE;
cJSON *lsp_completion(struct lsp *lsp, const cJSON *parameters) MUST_USE;
cJSON *lsp_code_action(struct lsp *lsp, const cJSON *parameters) MUST_USE;

#endif
