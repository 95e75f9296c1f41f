#include "cli/kept_files.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/limits.h"
#include "base/text.h"

struct kept_file *kept_files_add(struct kept_files *files, const char *name, struct buffer *text, struct error *error)
{
    struct kept_file *kept = malloc(sizeof *kept);
    char *copy = strdup(name);
    if (!kept || !copy) {
        free(kept);
        free(copy);
        buffer_free(text);
        (void)error_set(error, FAILURE_MEMORY, "%s", strerror(ENOMEM));
        return NULL;
    }
    *kept = (struct kept_file){ .name = copy, .text = *text };
    if (files->last)
        files->last->next = kept;
    else
        files->first = kept;
    files->last = kept;
    return kept;
}

struct kept_file *kept_files_read(struct kept_files *files, const char *path, struct error *error)
{
    struct buffer text;
    return files_read(path, LIMIT_FILE_BYTES, FILE_ANY, &text, error) ? kept_files_add(files, path, &text, error) : NULL;
}

const char *file_shown(struct arena *arena, const char *path)
{
    struct text text;
    text_init(&text, arena);
    text_add_escaped(&text, bytes_of(path), LIMIT_FILE_NAME_BYTES);
    const char *end = text_end(&text);
    return end ? end : "a file";
}

static void forget(struct kept_file *kept)
{
    buffer_free(&kept->text);
    free(kept->name);
    free(kept);
}

void kept_files_forget_last(struct kept_files *files, struct kept_file *before)
{
    forget(files->last);
    files->last = before;
    if (before)
        before->next = NULL;
    else
        files->first = NULL;
}

void kept_files_clear(struct kept_files *files)
{
    while (files->first) {
        struct kept_file *kept = files->first;
        files->first = kept->next;
        forget(kept);
    }
    files->last = NULL;
}
