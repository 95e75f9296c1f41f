#include "cli/inputs.h"

#include <stdarg.h>
#include <stdio.h>

#include "base/folders.h"
#include "validate/context.h"
#include "validate/limits.h"

enum failure inputs_init(struct inputs *inputs, const struct command *command, minor version)
{
    const struct validate_settings settings = { .version = version };
    *inputs = (struct inputs){ .command = command };
    enum failure failure = context_init(&inputs->context, &memory_malloc);
    if (!failure) {
        failure = workspace_init(&inputs->workspace, &inputs->context);
        if (failure)
            context_done(&inputs->context);
    }
    if (failure) {
        inputs->command = NULL;
        return failure;
    }
    inputs->workspace.arena.limit = LIMIT_INDEX_BYTES;
    source_set_init(&inputs->sources, &inputs->context, &settings);
    arena_init(&inputs->names, &memory_malloc, LIMIT_ARENA_BYTES);
    return FAILURE_NONE;
}

void inputs_done(struct inputs *inputs)
{
    source_set_done(&inputs->sources);
    kept_files_clear(&inputs->files);
    arena_done(&inputs->names);
    workspace_done(&inputs->workspace);
    context_done(&inputs->context);
}

/* A file's name, safe for a terminal. */
static const char *shown(struct inputs *inputs, const char *path)
{
    arena_clear(&inputs->names);
    return file_shown(&inputs->names, path);
}

static void trouble(void *self, const char *path, const char *why)
{
    struct inputs *inputs = self;
    inputs->status = command_error(inputs->command, EXIT_USAGE, "%s: %s", shown(inputs, path), why);
}

void inputs_say(struct inputs *inputs, const char *name, struct lines *lines, uint32_t offset, const char *format, ...)
{
    struct position position = { .line = 0 };
    char words[LIMIT_ERROR_BYTES];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(words, sizeof words, format, arguments);
    va_end(arguments);
    if (lines_find(lines, offset, &position))
        trouble(inputs, name, words);
    else
        inputs->status = command_error(inputs->command, EXIT_USAGE, "%s:%u:%u: %s", shown(inputs, name), position.line, position.column,
                                       words);
}

/* Documents that cannot be read. */
static void say_unreadable(struct inputs *inputs, struct source *source)
{
    for (const struct item *item = source->first; item; item = item->next)
        if (item->type == ITEM_UNREADABLE)
            inputs_say(inputs, source->name, &source->lines, item->error.offset, "%s", item->error.message);
}

static void add_file(void *self, const char *path)
{
    struct inputs *inputs = self;
    struct error error;
    if (inputs->sources.bytes >= LIMIT_TOGETHER_BYTES) {
        trouble(inputs, path, "the files before it take all the memory that there is for one run");
        return;
    }
    struct kept_file *before = inputs->files.last, *kept = kept_files_read(&inputs->files, path, &error);
    if (!kept) {
        trouble(inputs, path, error.text);
        return;
    }
    if (inputs->take && inputs->take(inputs->self, kept))
        return;
    enum failure failure = source_set_add(&inputs->sources, kept->name, buffer_bytes(&kept->text), &kept->source);
    if (failure) {
        trouble(inputs, path, failure == FAILURE_LIMIT ? "too much in one file" : failure_text(failure));
        kept_files_forget_last(&inputs->files, before);
        return;
    }
    say_unreadable(inputs, kept->source);
}

void inputs_add(struct inputs *inputs, const char *path)
{
    const struct folder_visitor visitor = { .file = add_file, .trouble = trouble, .self = inputs };
    if (!folders_visit(path, &visitor))
        trouble(inputs, path, "no file has a name like that");
}
