/* Reads the files with drivers that a configuration names: the one place in review/ that reads files. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "review/configuration.h"

static enum failure refuse(const struct configured_text *text, const struct error *error, struct configuration_mistakes *mistakes)
{
    struct configuration_mistake *mistake = &mistakes->list[0];
    mistakes->count = 1;
    mistake->line = text->line;
    mistake->column = text->column;
    snprintf(mistake->text, sizeof mistake->text, "drivers: %.*s", (int)(LIMIT_MISTAKE_BYTES - sizeof "drivers: "), error->text);
    return FAILURE_SYNTAX;
}

enum failure configuration_drivers(struct configuration *configuration, const char *file, struct configuration_mistakes *mistakes)
{
    const char *slash = strrchr(file, '/');
    char *folder = slash ? strndup(file, (size_t)(slash - file)) : NULL;
    enum failure failure = slash && !folder ? FAILURE_MEMORY : FAILURE_NONE;
    for (uint32_t i = 0; i < configuration->drivers.count && !failure; i++) {
        struct error error;
        if (!driver_files_add_from(&configuration->driver_files, folder, configuration->drivers.list[i].text, &error))
            failure = error.code == FAILURE_MEMORY ? FAILURE_MEMORY : refuse(&configuration->drivers.list[i], &error, mistakes);
    }
    free(folder);
    if (failure)
        configuration_done(configuration);
    return failure;
}
