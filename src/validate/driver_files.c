#include "validate/driver_files.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/escape.h"
#include "base/files.h"
#include "validate/context.h"

/* Reads a text with a workspace of its own. */
static enum failure read_text(struct bytes text, struct driver_file *file, struct driver_mistake *mistake)
{
    struct context context;
    struct workspace workspace;
    enum failure failure = context_init(&context, &memory_malloc);
    if (failure)
        return failure;
    failure = workspace_init(&workspace, &context);
    if (!failure) {
        failure = driver_file_read(file, &workspace, text, mistake);
        workspace_done(&workspace);
    }
    context_done(&context);
    return failure;
}

/* Room for one more file, and for the drivers in it. */
static bool grow(struct driver_files *files, uint32_t more)
{
    struct driver_file *grown = realloc(files->files, (files->count + 1u) * sizeof *grown);
    files->files = grown ? grown : files->files;
    const struct driver **list = grown ? reallocarray(files->list, files->drivers.count + more + 1u, sizeof *list) : NULL;
    files->list = list ? list : files->list;
    files->drivers.list = files->list;
    return list;
}

bool driver_files_add(struct driver_files *files, const char *path, struct error *error)
{
    struct buffer text;
    struct error why;
    struct driver_mistake mistake;
    struct driver_file file;
    const struct escaped name = escape_text(path);
    if (!files_read(path, LIMIT_DRIVER_FILE_BYTES, FILE_ANY, &text, &why))
        return error_set(error, why.code, "%s: %s", name.text, why.text);
    enum failure failure = read_text(buffer_bytes(&text), &file, &mistake);
    buffer_free(&text);
    if (failure == FAILURE_SYNTAX)
        return error_set(error, failure, "%s:%u:%u: %s", name.text, mistake.line, mistake.column, mistake.text);
    if (!failure && !grow(files, file.drivers.count)) {
        driver_file_done(&file);
        failure = FAILURE_MEMORY;
    }
    if (failure)
        return error_set(error, failure, "%s: %s", name.text, failure_text(failure));
    files->files[files->count++] = file;
    for (uint32_t i = 0; i < file.drivers.count; i++)
        files->list[files->drivers.count++] = file.drivers.list[i];
    return true;
}

bool driver_files_add_from(struct driver_files *files, const char *folder, const char *path, struct error *error)
{
    char *whole = NULL;
    if (!folder || *path == '/')
        return driver_files_add(files, path, error);
    if (asprintf(&whole, "%s/%s", folder, path) < 0)
        return error_set(error, FAILURE_MEMORY, "%s", failure_text(FAILURE_MEMORY));
    bool good = driver_files_add(files, whole, error);
    free(whole);
    return good;
}

void driver_files_done(struct driver_files *files)
{
    for (uint32_t i = 0; i < files->count; i++)
        driver_file_done(&files->files[i]);
    free(files->files);
    free(files->list);
    *files = (struct driver_files){ .count = 0 };
}
