#include "cli/configuration.h"

#include "base/show.h"
#include "lint/files.h"

int overrides_read(const struct command *command, const char *mode, const char *version, struct review_overrides *overrides)
{
    *overrides = (struct review_overrides){ .has_mode = mode != NULL };
    if (version && !version_read(version, &overrides->version))
        return usage_error(command, "'%s' is no Kubernetes version from 1.31 to 1.36", show_text(version).text);
    if (mode && !mode_read(bytes_of(mode), &overrides->mode))
        return usage_error(command, "--mode must be enforce, warn or audit, not '%s'", show_text(mode).text);
    return EXIT_GOOD;
}

int configuration_text(const struct command *command, int status, const char *file, struct bytes *text)
{
    const char *why = files_read(file, text);
    return why ? command_error(command, status, "%s: %s", show_text(file).text, why) : EXIT_GOOD;
}

int configuration_error(const struct command *command, int status, const char *file, enum failure failure, const struct configuration_mistakes *mistakes)
{
    const struct shown shown = show_text(file);
    if (failure != FAILURE_SYNTAX)
        return command_error(command, status, "%s: %s", shown.text, failure_text(failure));
    for (uint32_t i = 0; i < mistakes->count && i < LIMIT_CONFIGURATION_MISTAKES; i++)
        command_error(command, status, "%s:%u:%u: %s", shown.text, mistakes->list[i].line, mistakes->list[i].column, mistakes->list[i].text);
    if (mistakes->count > LIMIT_CONFIGURATION_MISTAKES)
        command_error(command, status, "%s: and %u more", shown.text, mistakes->count - LIMIT_CONFIGURATION_MISTAKES);
    return status;
}
