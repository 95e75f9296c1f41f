/* Reads the configuration, drawbridge.yaml(5), and makes review settings of it. No sockets here, and no files but those with drivers. */
#ifndef DRAWBRIDGE_REVIEW_CONFIGURATION_H
#define DRAWBRIDGE_REVIEW_CONFIGURATION_H

#include "review/limits.h"
#include "review/policy.h"
#include "validate/driver_files.h"

/* The file in which lint and editors look for it. */
#define CONFIGURATION_NAME ".drawbridge.yaml"

/* A text of a list, with its place. */
struct configured_text {
    const char *text;
    uint32_t line, column; /* from 1 */
};

struct configured_texts {
    const struct configured_text *list;
    uint32_t count;
};

/* What becomes of templates that were not rendered. */
enum templates { TEMPLATES_SKIPPED, TEMPLATES_REFUSED };

struct configuration {
    struct arena arena;       /* owns what follows */
    minor version;            /* of the API server: the newest of them; 0: not given */
    struct versions versions; /* both bounds; for lint perhaps a range */
    bool has_gates;
    struct gate_settings gates;
    enum enforcement mode;
    struct policies policies;
    struct driver_files driver_files; /* what is read of them: see configuration_drivers() */
    struct configured_texts drivers; /* files, from the folder of the configuration on */
    /* The rest is for lint. */
    struct configured_texts exclude, sets, with, formats;
    const bool *select, *ignore; /* by enum rule; NULL: not given */
    bool has_fail_on, has_unknown_fields, has_templates;
    enum level fail_on;
    enum unknown_fields unknown_fields;
    enum templates templates;
};

/* A mistake in a configuration. Its text is safe to print: without control characters and line breaks. */
struct configuration_mistake {
    uint32_t line, column; /* from 1 */
    char text[LIMIT_MISTAKE_BYTES];
};

struct configuration_mistakes {
    uint32_t count; /* of all, also of those beyond the list */
    struct configuration_mistake list[LIMIT_CONFIGURATION_MISTAKES];
    uint32_t warning_count; /* words that will not be valid for ever; of all, too */
    struct configuration_mistake warnings[LIMIT_CONFIGURATION_MISTAKES];
};

/* Reads the only document of `text`, YAML or JSON. On FAILURE_SYNTAX *mistakes says what is wrong; else it has only warnings. Call
 * configuration_done after success, but not after a failure. The text is not needed afterwards. */
enum failure configuration_read(const struct memory *memory, struct bytes text, struct configuration *configuration,
                                struct configuration_mistakes *mistakes) MUST_USE;

/* The same for lint, where kubernetesVersion may be a range. */
enum failure configuration_read_for_lint(const struct memory *memory, struct bytes text, struct configuration *configuration,
                                         struct configuration_mistakes *mistakes) MUST_USE;

/* Reads the files with drivers that it names, from the folder of its own file on. FAILURE_SYNTAX: *mistakes says which cannot be used, and
 * why. After a failure the configuration is done. */
enum failure configuration_drivers(struct configuration *configuration, const char *file, struct configuration_mistakes *mistakes) MUST_USE;

void configuration_done(struct configuration *configuration);

/* Options of the command line, which override the configuration. */
struct review_overrides {
    minor version; /* 0: none */
    bool has_gates;
    struct gate_settings gates;
    bool has_mode;
    enum enforcement mode;
};

/* Whether the gates of a configuration are possible in the version that overrides its own. False: *mistakes has that alone. */
bool configuration_fits(const struct configuration *configuration, const struct review_overrides *overrides,
                        struct configuration_mistakes *mistakes) MUST_USE;

/* Makes settings, which point into the configuration. configuration NULL: there is none. */
struct review_settings configuration_settings(const struct configuration *configuration, const struct review_overrides *overrides);

#endif
