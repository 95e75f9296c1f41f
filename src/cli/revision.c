#include "cli/revision.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

#include "base/arena.h"
#include "base/escape.h"
#include "base/glob.h"
#include "base/text.h"
#include "cli/limits.h"
#include "cli/program.h"

/* Where git reads. */
struct checkout {
    const char *revision;
    const struct revision_visitor *visitor;
    char *folder;          /* in which git runs; it ends with a slash, or is "." */
    const char *shown;     /* the same before names of files: "" for . */
    const char *file;      /* the one that is asked for; NULL: all in the folder */
    char *absolute;        /* of the folder, as patterns see it */
    struct arena arena;
};

/* A file in the revision. */
struct blob {
    struct bytes id;
    const char *name;  /* below the folder */
};

bool revision_check(const char *revision, struct error *error)
{
    if (*revision == '-' || *revision == '\0')
        return error_set(error, FAILURE_INPUT, "\"%s\" is not a revision", escape_text(revision).text);
    return true;
}

/* ---- git ---- */

/* Runs git with some arguments, ended by NULL. Repositories may be anybody's: nothing is fetched for objects that are missing, no other
 * object takes the place of one, no pager. Variables that a hook of git sets would be about another folder. */
static bool git(const struct checkout *checkout, const char *const *arguments, struct bytes input, uint32_t max, struct buffer *output,
                struct error *error)
{
    static const char *const set[] = { "GIT_NO_LAZY_FETCH=1", "GIT_ALLOW_PROTOCOL=", "GIT_LITERAL_PATHSPECS=1", "GIT_OPTIONAL_LOCKS=0",
                                       "GIT_TERMINAL_PROMPT=0", "LC_ALL=C", NULL };
    static const char *const unset[] = { "GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_PREFIX", "GIT_NAMESPACE", "GIT_GLOB_PATHSPECS",
                                         "GIT_NOGLOB_PATHSPECS", "GIT_ICASE_PATHSPECS", "GIT_TRACE", NULL };
    enum { BEFORE = 5, ARGUMENTS = 16 };
    const char *argv[ARGUMENTS] = { "git", "--no-pager", "--no-replace-objects", "-C", checkout->folder };
    for (int i = 0; arguments[i] && BEFORE + i + 1 < ARGUMENTS; i++)
        argv[BEFORE + i] = arguments[i];
    const struct program program = { argv, set, unset, input, max, LIMIT_GIT_SECONDS, false };
    return program_run(&program, output, error);
}

/* ---- names ---- */

static bool is_excluded(struct checkout *checkout, const char *name)
{
    struct text text;
    text_init(&text, &checkout->arena);
    text_add(&text, checkout->absolute);
    text_add(&text, "/");
    text_add(&text, name);
    const char *path = text_end(&text);
    return path && ignore_covers_around(checkout->visitor->filter->excludes, bytes_of(path), false);
}

static bool is_wanted(struct checkout *checkout, const char *name)
{
    if (is_excluded(checkout, name))
        return false;
    if (checkout->file)
        return true;
    bool hidden = *name == '.' || strstr(name, "/.");
    return !hidden && folders_is_manifest(name);
}

/* Reads an entry of git ls-tree -z, "MODE TYPE ID<tab>NAME"; false: it is no file, or not wanted. */
static bool read_entry(struct checkout *checkout, const char *entry, struct blob *blob)
{
    const char *tab = strchr(entry, '\t'), *id = tab;
    if (!tab || strncmp(entry, "100", 3) != 0)
        return false;
    while (id > entry && id[-1] != ' ')
        id--;
    *blob = (struct blob){ { id, (uint32_t)(tab - id) }, tab + 1 };
    return is_wanted(checkout, blob->name);
}

/* ---- contents ---- */

/* Reads one answer of git cat-file --batch, "ID TYPE SIZE<newline>…<newline>", and goes on after it. */
static bool next_content(struct bytes *rest, struct bytes *content)
{
    const char *line = rest->length ? memchr(rest->data, '\n', rest->length) : NULL;
    char *end = NULL;
    if (!line)
        return false;
    const char *size = line;
    while (size > rest->data && size[-1] != ' ')
        size--;
    unsigned long long length = strtoull(size, &end, 10);
    uint32_t before = (uint32_t)(line + 1 - rest->data);
    if (end != line || size == line || length >= rest->length - before)
        return false;
    *content = (struct bytes){ line + 1, (uint32_t)length };
    *rest = (struct bytes){ line + length + 2, rest->length - before - (uint32_t)length - 1 };
    return true;
}

static bool visit_contents(struct checkout *checkout, struct bytes names, struct bytes contents, struct error *error)
{
    struct blob blob;
    struct bytes content;
    for (const char *entry = names.data, *end = names.data + names.length; entry < end; entry += strlen(entry) + 1) {
        struct text text;
        if (!read_entry(checkout, entry, &blob))
            continue;
        text_init(&text, &checkout->arena);
        text_add(&text, checkout->revision);
        text_add(&text, ":");
        text_add(&text, checkout->shown);
        text_add(&text, blob.name);
        const char *name = text_end(&text);
        if (!name)
            return error_set(error, checkout->arena.failure, "%s", failure_text(checkout->arena.failure));
        if (!next_content(&contents, &content))
            return error_set(error, FAILURE_INPUT, "git: cannot read %s", escape_text(name).text);
        if (!checkout->visitor->file(checkout->visitor->self, name, content))
            return true;
    }
    return true;
}

/* The ids of the files that are wanted, one a line. */
static bool list_ids(struct checkout *checkout, struct bytes names, struct text *ids)
{
    struct blob blob;
    text_init(ids, &checkout->arena);
    for (const char *entry = names.data, *end = names.data + names.length; entry < end; entry += strlen(entry) + 1) {
        if (!read_entry(checkout, entry, &blob))
            continue;
        text_add_bytes(ids, blob.id);
        text_add(ids, "\n");
    }
    return text_end(ids) != NULL;
}

static bool visit(struct checkout *checkout, struct error *error)
{
    const char *const list[] = { "ls-tree", "-r", "-z", checkout->revision, "--", checkout->file, NULL };
    static const char *const read[] = { "cat-file", "--batch", NULL };
    struct buffer names, contents;
    struct text ids;
    if (!git(checkout, list, (struct bytes){ NULL, 0 }, LIMIT_REVISION_NAMES_BYTES, &names, error))
        return false;
    bool good = list_ids(checkout, buffer_bytes(&names), &ids);
    if (!good)
        (void)error_set(error, checkout->arena.failure, "%s", failure_text(checkout->arena.failure));
    if (good && ids.length) {
        good = git(checkout, read, (struct bytes){ ids.data, (uint32_t)ids.length }, LIMIT_REVISION_BYTES, &contents, error);
        if (good) {
            good = visit_contents(checkout, buffer_bytes(&names), buffer_bytes(&contents), error);
            buffer_free(&contents);
        }
    }
    buffer_free(&names);
    return good;
}

/* Sets the folder and the file of a path. git cannot run in a folder that is not there any more, although the revision may have it. */
static bool find_folder(struct checkout *checkout, const char *path)
{
    struct stat status;
    size_t end = glob_plain(bytes_of(path));
    bool is_folder = stat(path, &status) == 0 && S_ISDIR(status.st_mode), is_pattern = lstat(path, &status) != 0 && path[end];
    end = is_folder || !is_pattern ? strlen(path) : end;
    while (!is_folder && end && path[end - 1] != '/')
        end--;
    checkout->file = is_folder || is_pattern ? NULL : path + end;
    const char *slash = end && path[end - 1] != '/' ? "/" : "";
    if (asprintf(&checkout->folder, "%.*s%s", (int)end, path, end ? slash : "./") < 0)
        checkout->folder = NULL;
    checkout->shown = end ? checkout->folder : "";
    checkout->absolute = checkout->folder ? folders_absolute(checkout->folder) : NULL;
    return checkout->absolute;
}

bool revision_visit(const char *revision, const char *path, const struct revision_visitor *visitor, struct error *error)
{
    struct checkout checkout = { .revision = revision, .visitor = visitor };
    if (strcmp(path, "-") == 0)
        return error_set(error, FAILURE_INPUT, "standard input is in no revision");
    arena_init(&checkout.arena, &memory_malloc, LIMIT_REVISION_BYTES);
    bool good = find_folder(&checkout, path);
    if (!good)
        (void)error_set(error, errno == ENOMEM ? FAILURE_MEMORY : FAILURE_INPUT, "%s", strerror(errno));
    good = good && visit(&checkout, error);
    arena_done(&checkout.arena);
    free(checkout.folder);
    free(checkout.absolute);
    return good;
}
