#include "base/folders.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/files.h"
#include "base/glob.h"

/* One path in two forms: as the user wrote it, and as patterns see it. Both are owned. */
struct entry {
    char *shown;
    char *absolute; /* no symbolic link before the last part; "" is / */
};

struct visit {
    const struct folder_visitor *visitor;
    const struct folder_filter *filter;
    struct bytes pattern;   /* of files below the first folder; empty: all manifests */
    uint32_t base_length;   /* bytes of the first folder's absolute path */
    unsigned pattern_parts; /* folders deeper than that match nothing; 0: any depth */
    bool hidden;            /* the pattern names hidden ones */
    bool any_name;          /* the pattern says how names end */
    bool files_below;       /* the files of this folder are left out */
    bool found;             /* something matched the pattern */
};

static void trouble(const struct visit *visit, const char *path, int why)
{
    visit->visitor->trouble(visit->visitor->self, path, strerror(why));
}

static void entry_done(struct entry *entry)
{
    free(entry->shown);
    free(entry->absolute);
    *entry = (struct entry){ NULL, NULL };
}

static bool entry_below(const struct entry *folder, const char *name, struct entry *entry)
{
    size_t length = strlen(folder->shown);
    const char *slash = length && folder->shown[length - 1] != '/' ? "/" : "";
    *entry = (struct entry){ NULL, NULL };
    if (asprintf(&entry->shown, "%s%s%s", folder->shown, slash, name) < 0)
        entry->shown = NULL;
    if (asprintf(&entry->absolute, "%s/%s", folder->absolute, name) < 0)
        entry->absolute = NULL;
    if (entry->shown && entry->absolute)
        return true;
    entry_done(entry);
    return false;
}

char *folders_absolute(const char *path)
{
    char *absolute = realpath(path, NULL);
    if (absolute && strcmp(absolute, "/") == 0)
        *absolute = '\0';
    return absolute;
}

/* ---- .gitignore ---- */

/* Whether a name that lstat did not find is not there. */
static bool is_absent(int why)
{
    return why == ENOENT || why == ENOTDIR;
}

/* Reads the list of that name in a folder, if it is a regular file. git follows no symbolic link there either. Returns whether `ignore` was
 * set. What is wrong with a list is reported, and the list does not count. */
static bool read_list(const struct visit *visit, const char *folder, const char *name, const struct ignore *outer, struct ignore *ignore)
{
    char *path = NULL;
    struct stat status;
    struct buffer text = { NULL, 0 };
    struct error error;
    bool good = false;
    if (asprintf(&path, "%s/%s", folder, name) < 0) {
        trouble(visit, folder, ENOMEM);
        return false;
    }
    bool there = lstat(path, &status) == 0;
    if (!there && !is_absent(errno))
        trouble(visit, path, errno);
    if (there && S_ISREG(status.st_mode)) {
        *ignore = (struct ignore){ .outer = NULL };
        good = files_read(path, LIMIT_IGNORE_BYTES, FILE_REGULAR, &text, &error) &&
               ignore_read(ignore, outer, folder, buffer_bytes(&text), &error);
        if (!good) {
            visit->visitor->trouble(visit->visitor->self, path, error.text);
            ignore_done(ignore);
        }
        buffer_free(&text);
    }
    free(path);
    return good;
}

/* The lists around a folder, outermost first: those of its repository. */
struct outer_lists {
    struct ignore lists[LIMIT_DIRECTORY_DEPTH + 1];
    unsigned count;
};

static const struct ignore *innermost(const struct outer_lists *outer)
{
    return outer->count ? &outer->lists[outer->count - 1] : NULL;
}

static void add_list(const struct visit *visit, struct outer_lists *outer, const char *folder, const char *name)
{
    if (outer->count <= LIMIT_DIRECTORY_DEPTH && read_list(visit, folder, name, innermost(outer), &outer->lists[outer->count]))
        outer->count++;
}

static bool has_git(const struct visit *visit, const char *folder)
{
    char *path = NULL;
    struct stat status;
    if (asprintf(&path, "%s/.git", folder) < 0) {
        trouble(visit, folder, ENOMEM);
        return false;
    }
    bool has = lstat(path, &status) == 0;
    if (!has && !is_absent(errno))
        trouble(visit, path, errno);
    free(path);
    return has;
}

/* The bytes of the path of the repository around a folder; false: there is none. */
static bool find_repository(const struct visit *visit, const char *absolute, size_t *length)
{
    char *path = strdup(absolute);
    bool found = false;
    size_t end = path ? strlen(path) : 0;
    if (!path)
        trouble(visit, absolute, ENOMEM);
    while (path) {
        path[end] = '\0';
        found = has_git(visit, path);
        *length = end;
        if (found || !end)
            break;
        while (end && path[--end] != '/')
            ;
    }
    free(path);
    return found;
}

/* Reads the lists of the repository around a folder, but not that in the folder itself, which its visit reads. */
static void read_outer(const struct visit *visit, const char *absolute, struct outer_lists *outer)
{
    size_t length;
    outer->count = 0;
    if (visit->filter->no_gitignore || !find_repository(visit, absolute, &length))
        return;
    char *path = strdup(absolute);
    if (!path) {
        trouble(visit, absolute, ENOMEM);
        return;
    }
    path[length] = '\0';
    add_list(visit, outer, path, ".git/info/exclude");
    while (absolute[length]) {
        add_list(visit, outer, path, ".gitignore");
        path[length] = absolute[length];
        length += strcspn(absolute + length + 1, "/") + 1;
        path[length] = '\0';
    }
    free(path);
}

/* ---- folders ---- */

static bool has_suffix(const char *name, const char *suffix)
{
    size_t length = strlen(name), tail = strlen(suffix);
    return length > tail && strcmp(name + length - tail, suffix) == 0;
}

bool folders_is_manifest(const char *name)
{
    return has_suffix(name, ".yaml") || has_suffix(name, ".yml") || has_suffix(name, ".json");
}

static int is_no_dots(const struct dirent *entry)
{
    return strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0 && strcmp(entry->d_name, ".git") != 0;
}

static int by_name(const struct dirent **a, const struct dirent **b)
{
    return strcmp((*a)->d_name, (*b)->d_name);
}

static bool matches_pattern(const struct visit *visit, const struct entry *entry)
{
    return glob_matches_path(visit->pattern, bytes_of(entry->absolute + visit->base_length + 1));
}

static void visit_folder(struct visit *visit, const struct entry *folder, const struct ignore *outer, unsigned depth);

static void visit_file(struct visit *visit, const struct entry *entry, const char *name, mode_t mode)
{
    struct stat target = { .st_mode = mode };
    bool wanted = visit->pattern.length ? (visit->any_name || folders_is_manifest(name)) && matches_pattern(visit, entry)
                                        : folders_is_manifest(name);
    if (!wanted)
        return;
    if (S_ISLNK(mode) && stat(entry->shown, &target) < 0) {
        trouble(visit, entry->shown, errno);
    } else if (S_ISREG(target.st_mode)) {
        visit->found = true;
        visit->visitor->file(visit->visitor->self, entry->shown);
    }
}

/* A folder that matches the pattern is visited as if it were named. */
static void visit_subfolder(struct visit *visit, const struct entry *entry, const struct ignore *outer, unsigned depth)
{
    if (visit->pattern.length && matches_pattern(visit, entry)) {
        struct visit all = { .visitor = visit->visitor, .filter = visit->filter };
        visit->found = true;
        visit_folder(&all, entry, outer, depth);
    } else if (!visit->pattern_parts || depth <= visit->pattern_parts) {
        visit_folder(visit, entry, outer, depth);
    }
}

/* The type of a file. Most folders say it of their entries, so that it need not be asked for. */
static bool find_mode(const struct dirent *listed, const char *path, mode_t *mode)
{
    struct stat status;
    if (listed->d_type != DT_UNKNOWN) {
        *mode = (mode_t)DTTOIF(listed->d_type);
        return true;
    }
    if (lstat(path, &status) < 0)
        return false;
    *mode = status.st_mode;
    return true;
}

static void visit_entry(struct visit *visit, const struct entry *folder, const struct dirent *listed, const struct ignore *ignore,
                        unsigned depth)
{
    const char *name = listed->d_name;
    struct entry entry;
    mode_t mode;
    if (*name == '.' && !visit->hidden)
        return;
    if (!entry_below(folder, name, &entry)) {
        trouble(visit, folder->shown, ENOMEM);
        return;
    }
    const struct bytes absolute = bytes_of(entry.absolute);
    if (!find_mode(listed, entry.shown, &mode))
        trouble(visit, entry.shown, errno);
    else if (ignore_covers(ignore, absolute, S_ISDIR(mode)) || ignore_covers(visit->filter->excludes, absolute, S_ISDIR(mode)))
        ;
    else if (S_ISDIR(mode))
        visit_subfolder(visit, &entry, ignore, depth + 1);
    else if (!visit->files_below)
        visit_file(visit, &entry, name, mode);
    entry_done(&entry);
}

static void visit_folder(struct visit *visit, const struct entry *folder, const struct ignore *outer, unsigned depth)
{
    struct dirent **entries = NULL;
    struct ignore own;
    enum folder_use use = visit->visitor->folder ? visit->visitor->folder(visit->visitor->self, folder->shown) : FOLDER_WHOLE;
    if (use == FOLDER_NOT)
        return;
    if (depth > LIMIT_DIRECTORY_DEPTH) {
        visit->visitor->trouble(visit->visitor->self, folder->shown, "directories are nested too deeply");
        return;
    }
    int count = scandir(*folder->shown ? folder->shown : ".", &entries, is_no_dots, by_name);
    if (count < 0) {
        trouble(visit, folder->shown, errno);
        return;
    }
    bool has_own = !visit->filter->no_gitignore && read_list(visit, folder->absolute, ".gitignore", outer, &own);
    for (int i = 0; i < count; i++) {
        visit->files_below = use == FOLDER_BELOW;
        visit_entry(visit, folder, entries[i], has_own ? &own : outer, depth);
        free(entries[i]);
    }
    free(entries);
    if (has_own)
        ignore_done(&own);
}

/* ---- what is named ---- */

/* Visits a folder that is named, or that is before a pattern; "" is the current one, which is not shown. */
static void visit_named_folder(struct visit *visit, const char *path)
{
    struct outer_lists *outer = malloc(sizeof *outer);
    struct entry entry = { .shown = strdup(path), .absolute = folders_absolute(*path ? path : ".") };
    if (!outer || !entry.shown || !entry.absolute) {
        trouble(visit, path, errno);
    } else if (!ignore_covers_around(visit->filter->excludes, bytes_of(entry.absolute), true)) {
        visit->base_length = (uint32_t)strlen(entry.absolute);
        read_outer(visit, entry.absolute, outer);
        visit_folder(visit, &entry, innermost(outer), 1);
        while (outer->count)
            ignore_done(&outer->lists[--outer->count]);
    }
    free(outer);
    entry_done(&entry);
}

/* A file that is named is visited, whatever its name is. One whose folder is not there is excluded by nothing: its visit says why. */
static void visit_named_file(const struct visit *visit, const char *path)
{
    const char *slash = strrchr(path, '/');
    char *folder = slash ? strndup(path, (size_t)(slash - path) + 1) : strdup(".");
    char *absolute = folder ? folders_absolute(folder) : NULL;
    struct entry entry = { NULL, NULL };
    const struct entry parent = { folder, absolute };
    bool known = absolute && strcmp(path, "-") != 0 && entry_below(&parent, slash ? slash + 1 : path, &entry);
    if (!known || !ignore_covers_around(visit->filter->excludes, bytes_of(entry.absolute), false))
        visit->visitor->file(visit->visitor->self, path);
    free(folder);
    free(absolute);
    entry_done(&entry);
}

/* ---- patterns ---- */

/* Sets what the pattern says, from its part after the folder. */
static void set_pattern(struct visit *visit, const char *pattern)
{
    const char *last = strrchr(pattern, '/');
    visit->pattern = bytes_of(pattern);
    visit->hidden = *pattern == '.' || strstr(pattern, "/.");
    visit->any_name = strchr(last ? last + 1 : pattern, '.') != NULL;
    visit->pattern_parts = 1;
    for (const char *at = pattern; *at; at++)
        visit->pattern_parts += *at == '/';
    if (strstr(pattern, "**"))
        visit->pattern_parts = 0;
}

static bool visit_pattern(struct visit *visit, const char *path)
{
    size_t end = glob_plain(bytes_of(path));
    while (end && path[end - 1] != '/')
        end--;
    char *folder = strndup(path, end), *pattern = strdup(path + end);
    struct stat status;
    if (!folder || !pattern) {
        trouble(visit, path, ENOMEM);
        visit->found = true;
    } else if (stat(end ? folder : ".", &status) == 0 && S_ISDIR(status.st_mode)) {
        for (size_t length = strlen(pattern); length && pattern[length - 1] == '/'; length--)
            pattern[length - 1] = '\0';
        set_pattern(visit, pattern);
        visit_named_folder(visit, folder);
    }
    free(folder);
    free(pattern);
    return visit->found;
}

bool folders_visit(const char *path, const struct folder_visitor *visitor)
{
    static const struct folder_filter none = { NULL, false };
    struct visit visit = { .visitor = visitor, .filter = visitor->filter ? visitor->filter : &none };
    struct stat status;
    if (strcmp(path, "-") != 0 && lstat(path, &status) != 0 && errno == ENOENT && path[glob_plain(bytes_of(path))] != '\0')
        return visit_pattern(&visit, path);
    if (strcmp(path, "-") != 0 && stat(path, &status) == 0 && S_ISDIR(status.st_mode))
        visit_named_folder(&visit, path);
    else
        visit_named_file(&visit, path);
    return true;
}
