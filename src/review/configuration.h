/* The configuration of answers: from the text of a file to review settings. No files and no sockets here. README shows what
 * stands in one. */
#ifndef DRAWBRIDGE_REVIEW_CONFIGURATION_H
#define DRAWBRIDGE_REVIEW_CONFIGURATION_H

#include "base/limits.h"
#include "review/policy.h"

struct configuration {
    struct arena arena; /* holds the policies */
    minor version;      /* of the API server; 0: not given */
    enum review_mode mode;
    struct policies policies;
};

/* What is wrong, fit to print: no control characters, no line breaks. */
struct configuration_mistake {
    uint32_t line, column; /* from 1 */
    char text[LIMIT_MISTAKE_BYTES];
};

struct configuration_mistakes {
    uint32_t count; /* listed or not */
    struct configuration_mistake list[LIMIT_CONFIGURATION_MISTAKES];
};

/* Reads the one document of `text`, YAML or JSON. FAILURE_SYNTAX: *mistakes says what is wrong. Otherwise there is none. Nothing needs
 * to be done after a failure. The text is not needed afterwards. */
enum failure configuration_read(const struct memory *memory, struct bytes text, struct configuration *configuration,
                                struct configuration_mistakes *mistakes) MUST_USE;

void configuration_done(struct configuration *configuration);

/* "enforce", "warn" or "audit". mode_read: false for anything else. */
const char *mode_word(enum review_mode mode);
bool mode_read(struct bytes text, enum review_mode *mode) MUST_USE;

/* What comes before the configuration: options. */
struct review_overrides {
    minor version; /* 0: none */
    bool has_mode;
    enum review_mode mode;
};

/* The settings; configuration NULL: there is none. They point into it. */
struct review_settings configuration_settings(const struct configuration *configuration, const struct review_overrides *overrides);

#endif
