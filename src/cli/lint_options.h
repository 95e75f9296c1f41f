/* Options that drawbridge lint and drawbridge scan have in common, and what is made of them. */
#ifndef DRAWBRIDGE_CLI_LINT_OPTIONS_H
#define DRAWBRIDGE_CLI_LINT_OPTIONS_H

#include "cli/lint.h"
#include "review/configuration_schema.h"

enum colour { COLOUR_AUTO, COLOUR_ALWAYS, COLOUR_NEVER };

/* What is typed, and what is made of it. A command with further options has this as the first member of its own struct. */
struct lint_values {
    struct lint_options options;
    enum colour colour;
};

extern const char *const colour_words[];

/* The parse function of rules, "required,enum". */
bool lint_parse_rules(const char *text, void *value, struct error *error);

/* Rows of a table of options, with a comma after each. */
#define LINT_OPTIONS_CONFIG                                                                                                                \
    OPTION_GATES(struct lint_values, options.gates,                                                                                        \
                 "feature gates of the API server; those that are not named are as that version has them"),                                \
    OPTION_FORMATS(struct lint_values, options.formats),                                                                                   \
    OPTION_TEXT("config", "FILE", struct lint_values, options.config,                                                                      \
                "the configuration, in place of each .drawbridge.yaml that stands above the files; none: there is none"),                  \
    OPTION_FLAG("no-config", struct lint_values, options.no_config, "read no configuration", .excludes = "config"),
#define LINT_OPTIONS_SELECT                                                                                                                \
    OPTION_PARSED("select", "RULE,...", struct lint_values, options.select, lint_parse_rules,                                              \
                  "report findings of these rules only; may be repeated; all: every rule"),                                                \
    OPTION_PARSED("ignore", "RULE,...", struct lint_values, options.ignore, lint_parse_rules,                                              \
                  "report no findings of these rules; may be repeated; all: every rule"),                                                  \
    OPTION_CHOICE("fail-on", "a severity", fail_on_words, struct lint_values, options.fail_on,                                             \
                  "the mildest findings for which the exit status is 1", .default_value = "error"),                                        \
    OPTION_FLAG("no-suppressions", struct lint_values, options.no_suppressions,                                                            \
                "report what comments (# drawbridge: ignore[RULE]) and annotations suppress, too"),                                        \
    OPTION_TEXT("baseline", "FILE", struct lint_values, options.baseline, "report only what is not in that file: what is new"),            \
    OPTION_TEXT("write-baseline", "FILE", struct lint_values, options.write_baseline,                                                      \
                "write what is found to that file, in place of reports: for --baseline"),
#define LINT_OPTIONS_REPORT                                                                                                                \
    OPTION_CHOICE("unknown-fields", "a way to report unknown fields", unknown_fields_words, struct lint_values, options.unknown_fields,    \
                  "how a field is reported that the kind does not have", .default_value = "error"),                                        \
    OPTION_CHOICE("color", "a choice of colours", colour_words, struct lint_values, colour,                                                \
                  "whether text is coloured; auto: on a terminal, and if NO_COLOR is not set", .default_value = "auto"),                   \
    OPTION_TEXT("drivers", "FILE", struct lint_values, options.drivers,                                                                    \
                "also compare parameters with those of the drivers in that file: see 'drawbridge help drivers'"),                          \
    OPTION_FLAG("quiet", struct lint_values, options.quiet, "print findings, and nothing beside them", .letter = 'q',                      \
                .excludes = "verbose"),                                                                                                    \
    OPTION_FLAG("verbose", struct lint_values, options.verbose, "say what is skipped, and why", .letter = 'v'),                            \
    OPTION_FLAG("statistics", struct lint_values, options.statistics, "print how often each rule was found, in place of findings"),

/* Which of these options were given, and whether text is coloured. False, after an error message: feature gates that the versions do not
 * have. */
bool lint_take_values(const struct command *command, const struct options *given, struct lint_values *values) MUST_USE;

#endif
