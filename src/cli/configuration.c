#include "cli/configuration.h"

#include "base/escape.h"
#include "base/files.h"
#include "review/limits.h"

int configuration_text(const struct command *command, int status, const char *file, uint32_t max, struct buffer *text)
{
    struct error error;
    if (files_read(file, max, FILE_ANY, text, &error))
        return EXIT_GOOD;
    return command_error(command, status, "%s: %s", escape_text(file).text, error.text);
}

/* The entries of a list, of which there are `count`, each after `before`. */
static void print_list(const struct command *command, int status, const char *file, const struct configuration_mistake *list,
                       uint32_t count, const char *before)
{
    const struct escaped escaped = escape_text(file);
    for (uint32_t i = 0; i < count && i < LIMIT_CONFIGURATION_MISTAKES; i++)
        (void)command_error(command, status, "%s:%u:%u: %s%s", escaped.text, list[i].line, list[i].column, before, list[i].text);
    if (count > LIMIT_CONFIGURATION_MISTAKES)
        (void)command_error(command, status, "%s: %sand %u more", escaped.text, before, count - LIMIT_CONFIGURATION_MISTAKES);
}

void configuration_warnings(const struct command *command, const char *file, const struct configuration_mistakes *mistakes)
{
    print_list(command, EXIT_GOOD, file, mistakes->warnings, mistakes->warning_count, "warning: ");
}

int configuration_error(const struct command *command, int status, const char *file, enum failure failure,
                        const struct configuration_mistakes *mistakes)
{
    if (failure != FAILURE_SYNTAX)
        return command_error(command, status, "%s: %s", escape_text(file).text, failure_text(failure));
    print_list(command, status, file, mistakes->list, mistakes->count, "");
    return status;
}
