#include "cli/lint_options.h"

#include <stdlib.h>
#include <unistd.h>

#include "lint/selection.h"
#include "validate/range.h"

const char *const colour_words[] = { [COLOUR_AUTO] = "auto", [COLOUR_ALWAYS] = "always", [COLOUR_NEVER] = "never", NULL };

bool lint_parse_rules(const char *text, void *value, struct error *error)
{
    struct lint_rules *rules = value;
    rules->given = true;
    return selection_rules(text, rules->rules, error);
}

static bool wants_colour(enum colour colour)
{
    const char *no_colour = getenv("NO_COLOR");
    return colour == COLOUR_ALWAYS || (colour == COLOUR_AUTO && isatty(STDOUT_FILENO) && !(no_colour && *no_colour));
}

bool lint_take_values(const struct command *command, const struct options *given, struct lint_values *values)
{
    struct lint_options *options = &values->options;
    struct error error;
    options->given.versions = options_text(given, "kubernetes-version");
    options->given.gates = options_text(given, "feature-gates");
    options->given.unknown_fields = options_text(given, "unknown-fields");
    options->given.drivers = options_text(given, "drivers");
    options->given.fail_on = options_text(given, "fail-on");
    options->given.formats = options_text(given, "format");
    options->colour = wants_colour(values->colour);
    if (!options->given.versions || gate_settings_check_all(&options->gates, options->versions, &error))
        return true;
    (void)usage_error(command, "--feature-gates: %s", error.text);
    return false;
}
