/* The settings with which reviews are validated: taken for one review, given back after it, and swapped while reviews run. */
#ifndef DRAWBRIDGE_SERVE_SETTINGS_H
#define DRAWBRIDGE_SERVE_SETTINGS_H

#include <pthread.h>

#include "review/configuration.h"
#include "serve/watch.h"

struct settings {
    struct review_settings review;
    struct configuration configuration; /* what .review points into */
    unsigned users;                     /* reviews that have taken it; guarded by the holder's lock */
};

struct settings_holder {
    pthread_mutex_t lock;
    struct settings *current;          /* owned; others that are in use belong to their last user */
    struct review_overrides overrides; /* of options: they come before every configuration */
    const char *file;                  /* of the configuration, for settings_source; not owned */
    struct configuration_mistakes mistakes; /* of the file when it was last loaded; count 0: none */
};

/* Makes the first settings, from a configuration's text (text.data NULL: without one). FAILURE_SYNTAX: *mistakes says why. After a
 * failure nothing needs to be done. */
enum failure settings_init(struct settings_holder *holder, const struct review_overrides *overrides, struct bytes text,
                           struct configuration_mistakes *mistakes) MUST_USE;

/* New settings from the text of a configuration; in case of a failure the old ones stay. From any thread. Reviews under way end with
 * what they have taken. */
enum failure settings_reload(struct settings_holder *holder, struct bytes text, struct configuration_mistakes *mistakes) MUST_USE;

/* To watch holder->file: new text becomes new settings, and a text with mistakes is refused; holder->mistakes has them all. The holder
 * outlives the watch. */
struct watch_source settings_source(struct settings_holder *holder);

/* The settings at this time. Each is given back. From any thread. */
struct settings *settings_take(struct settings_holder *holder) MUST_USE;
void settings_give(struct settings_holder *holder, struct settings *settings);

/* What is in force at this time, in short, for people. */
struct stance {
    enum enforcement mode;
    minor version; /* of the API server; 0: none was chosen, and no error denies */
};

struct stance settings_stance(struct settings_holder *holder);

/* Nothing must be taken any more. */
void settings_done(struct settings_holder *holder);

#endif
