/* What is asked of drawbridge lint about its files. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/folders.h"
#include "base/text.h"
#include "cli/lint_run.h"

int lint_excludes(const struct command *command, const struct option_list *list, struct ignore *excludes, struct arena *arena)
{
    struct error error;
    struct text text;
    char *folder = folders_absolute(".");
    text_init(&text, arena);
    for (unsigned i = 0; i < list->count; i++) {
        text_add(&text, list->values[i]);
        text_add(&text, "\n");
    }
    const char *lines = text_end(&text);
    bool good = folder && lines && ignore_read(excludes, NULL, folder, bytes_of(lines), &error);
    int status = EXIT_GOOD;
    if (!good)
        status = command_error(command, EXIT_USAGE, "--exclude: %s", folder && lines ? error.text : strerror(folder ? ENOMEM : errno));
    free(folder);
    return status;
}

bool lint_rewrites_stdin(const struct lint_options *options, char *const *paths, int count)
{
    for (int i = 0; i < count; i++)
        if (options->fix && !options->diff && strcmp(paths[i], "-") == 0)
            return true;
    return false;
}
