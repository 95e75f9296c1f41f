/* The files of the workspace: those that are open are as the editor has them, others as the disk has them. */
#include <stdlib.h>
#include <string.h>

#include "base/files.h"
#include "base/folders.h"
#include "lsp/place.h"
#include "lsp/server.h"
#include "match/in_set.h"

/* ---- files ---- */

struct lsp_file *lsp_file_find(struct lsp *lsp, const char *uri)
{
    char *path = lsp_path_of_uri(uri);
    struct lsp_file *file = lsp->files;
    while (file && strcmp(file->uri, uri) != 0 && !(path && file->path && strcmp(file->path, path) == 0))
        file = file->next;
    free(path);
    return file;
}

struct lsp_file *lsp_file_get(struct lsp *lsp, const char *uri)
{
    struct lsp_file *file = lsp_file_find(lsp, uri);
    if (file || lsp->file_count >= LIMIT_LSP_FILES || strlen(uri) > LIMIT_LSP_URI_BYTES)
        return file;
    file = malloc(sizeof *file);
    char *copy = file ? strdup(uri) : NULL;
    if (!copy) {
        free(file);
        lsp->output.failed = true;
        return NULL;
    }
    *file = (struct lsp_file){ .next = lsp->files, .uri = copy, .path = lsp_path_of_uri(uri), .version = -1 };
    lsp->files = file;
    lsp->file_count++;
    return file;
}

/* Takes the buffer. */
static void take_text(struct lsp *lsp, struct lsp_file *file, struct buffer text)
{
    lsp->bytes += text.length;
    lsp->bytes -= file->text.length;
    buffer_free(&file->text);
    file->text = text;
    file->changed = true;
}

bool lsp_file_edit(struct lsp *lsp, struct lsp_file *file, uint32_t from, uint32_t to, struct bytes text)
{
    const struct bytes old = buffer_bytes(&file->text);
    size_t length = (size_t)old.length - (to - from) + text.length;
    if (length > LIMIT_LSP_FILE_BYTES)
        return false;
    struct buffer changed = { malloc(length + 1), (uint32_t)length };
    if (!changed.data) {
        lsp->output.failed = true;
        return false;
    }
    if (from)
        memcpy(changed.data, old.data, from);
    if (text.length)
        memcpy(changed.data + from, text.data, text.length);
    if (to < old.length)
        memcpy(changed.data + from + text.length, old.data + to, old.length - to);
    changed.data[length] = '\0';
    take_text(lsp, file, changed);
    lsp->stale = true;
    return true;
}

bool lsp_file_set(struct lsp *lsp, struct lsp_file *file, struct bytes text)
{
    return lsp_file_edit(lsp, file, 0, file->text.length, text);
}

void lsp_file_load(struct lsp *lsp, struct lsp_file *file)
{
    struct buffer text = { NULL, 0 };
    struct error error;
    if (file->path && !files_read(file->path, LIMIT_LSP_FILE_BYTES, FILE_REGULAR, &text, &error))
        text = (struct buffer){ NULL, 0 };
    take_text(lsp, file, text);
    lsp->loaded = true;
}

/* ---- the workspace ---- */

static void found_file(void *self, const char *path)
{
    struct lsp *lsp = self;
    if (lsp->found_count >= LIMIT_LSP_FILES) {
        lsp->full = true;
        return;
    }
    if (!lsp->found)
        lsp->found = calloc(LIMIT_LSP_FILES, sizeof *lsp->found);
    char *copy = lsp->found ? strdup(path) : NULL;
    if (copy)
        lsp->found[lsp->found_count++] = copy;
    else
        lsp->output.failed = true;
}

/* A folder that cannot be read has no files for us; the editor shows it. */
static void no_trouble(void *self, const char *path, const char *why)
{
    (void)self;
    (void)path;
    (void)why;
}

void lsp_files_search(struct lsp *lsp, const char *folder)
{
    const struct folder_visitor visitor = { .file = found_file, .trouble = no_trouble, .self = lsp };
    (void)folders_visit(folder, &visitor);
}

bool lsp_files_load_next(struct lsp *lsp)
{
    if (lsp->found_next == lsp->found_count)
        return false;
    char *path = lsp->found[lsp->found_next++];
    arena_clear(&lsp->arena);
    const char *uri = lsp_uri_of_path(&lsp->arena, path);
    struct lsp_file *file = uri && lsp->bytes < LIMIT_LSP_BYTES ? lsp_file_get(lsp, uri) : NULL;
    if (file && !file->open && !file->text.data)
        lsp_file_load(lsp, file);
    lsp->full |= !file;
    free(path);
    return true;
}

/* ---- the set ---- */

static bool is_group(const struct lsp_group *group, const struct lsp_scope *scope)
{
    return group->scope.owner == scope->owner && group->scope.set == scope->set;
}

static struct lsp_group *new_group(struct lsp *lsp, const struct lsp_scope *scope)
{
    const struct validate_settings settings = {
        .version = scope->version, .gates = scope->gates, .unknown_fields = scope->unknown_fields, .matcher = &match_in_set,
        .drivers = scope->drivers, .skip_templates = scope->skip_templates, .fixes = true,
    };
    struct lsp_group *group = malloc(sizeof *group);
    if (!group)
        return NULL;
    *group = (struct lsp_group){ .next = lsp->groups, .scope = *scope };
    source_set_init(&group->set, &lsp->context, &settings);
    return lsp->groups = group;
}

/* Finds the file's group. FAILURE_NONE, too, if it is excluded. */
static enum failure find_group(struct lsp *lsp, struct lsp_file *file)
{
    struct lsp_scope scope;
    lsp->settings->find_scope(lsp->settings->self, file->path, &scope);
    if (scope.excluded)
        return FAILURE_NONE;
    file->group = lsp->groups;
    while (file->group && !is_group(file->group, &scope))
        file->group = file->group->next;
    if (!file->group)
        file->group = new_group(lsp, &scope);
    return file->group ? FAILURE_NONE : FAILURE_MEMORY;
}

/* A file that has no object has nothing to say in the set. */
static enum failure read_anew(struct lsp *lsp, struct lsp_file *file)
{
    struct buffer copy;
    enum failure failure = file->group ? FAILURE_NONE : find_group(lsp, file);
    if (failure || !file->group) {
        file->changed = failure != FAILURE_NONE;
        return failure;
    }
    if (!buffer_copy(buffer_bytes(&file->text), &copy))
        return FAILURE_MEMORY;
    struct source_set *set = &file->group->set;
    failure = file->source ? source_set_replace(set, file->source, buffer_bytes(&copy))
                           : source_set_add(set, file->uri, buffer_bytes(&copy), &file->source);
    buffer_free(&file->read);
    file->read = copy;
    file->changed = false;
    file->group->changed = true;
    return failure;
}

enum failure lsp_refresh(struct lsp *lsp)
{
    enum failure failure = FAILURE_NONE;
    for (struct lsp_file *file = lsp->files; file; file = file->next) {
        enum failure of_file = file->changed ? read_anew(lsp, file) : FAILURE_NONE;
        failure = of_file == FAILURE_MEMORY ? of_file : failure;
    }
    for (struct lsp_group *group = lsp->groups; group && !failure; group = group->next) {
        failure = group->changed ? source_set_prepare(&group->set) : FAILURE_NONE;
        group->changed &= failure != FAILURE_NONE;
    }
    return failure;
}

static void forget_groups(struct lsp *lsp)
{
    while (lsp->groups) {
        struct lsp_group *group = lsp->groups;
        lsp->groups = group->next;
        source_set_done(&group->set);
        free(group);
    }
}

void lsp_files_regroup(struct lsp *lsp)
{
    forget_groups(lsp);
    for (struct lsp_file *file = lsp->files; file; file = file->next) {
        file->group = NULL;
        file->source = NULL;
        file->changed = true;
    }
    lsp->settings->forget(lsp->settings->self);
    lsp->stale = true;
}

void lsp_files_done(struct lsp *lsp)
{
    forget_groups(lsp);
    for (struct lsp_file *file = lsp->files, *next; file; file = next) {
        next = file->next;
        buffer_free(&file->text);
        buffer_free(&file->read);
        free(file->published);
        free(file->path);
        free(file->uri);
        free(file);
    }
    for (; lsp->found_next < lsp->found_count; lsp->found_next++)
        free(lsp->found[lsp->found_next]);
    free(lsp->found);
    for (unsigned i = 0; i < lsp->folder_count; i++)
        free(lsp->folders[i]);
}
