#include "serve/settings.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/escape.h"
#include "base/files.h"

static void release(struct settings *settings)
{
    configuration_done(&settings->configuration);
    free(settings);
}

/* file: that of the configuration, from whose folder on others are named; NULL: the current folder. */
static enum failure make(const struct review_overrides *overrides, const char *file, struct bytes text,
                         struct configuration_mistakes *mistakes, struct settings **made)
{
    struct settings *settings = calloc(1, sizeof *settings);
    enum failure failure = settings ? FAILURE_NONE : FAILURE_MEMORY;
    if (!failure && text.data)
        failure = configuration_read(&memory_malloc, text, &settings->configuration, mistakes);
    if (!failure && text.data)
        failure = configuration_drivers(&settings->configuration, file ? file : "", mistakes);
    if (!failure && text.data && !configuration_fits(&settings->configuration, overrides, mistakes)) {
        configuration_done(&settings->configuration);
        failure = FAILURE_SYNTAX;
    }
    if (failure) {
        free(settings);
        return failure;
    }
    settings->review = configuration_settings(text.data ? &settings->configuration : NULL, overrides);
    *made = settings;
    return FAILURE_NONE;
}

enum failure settings_init(struct settings_holder *holder, const struct review_overrides *overrides, struct bytes text,
                           struct configuration_mistakes *mistakes)
{
    *holder = (struct settings_holder){ .overrides = *overrides };
    enum failure failure = make(overrides, NULL, text, mistakes, &holder->current);
    if (!failure && pthread_mutex_init(&holder->lock, NULL) != 0) {
        release(holder->current);
        failure = FAILURE_MEMORY;
    }
    return failure;
}

enum failure settings_reload(struct settings_holder *holder, struct bytes text, struct configuration_mistakes *mistakes)
{
    struct settings *made;
    enum failure failure = make(&holder->overrides, holder->file, text, mistakes, &made);
    if (failure)
        return failure;
    pthread_mutex_lock(&holder->lock);
    struct settings *old = holder->current;
    bool unused = old->users == 0;
    holder->current = made;
    pthread_mutex_unlock(&holder->lock);
    if (unused)
        release(old);
    return FAILURE_NONE;
}

static bool explain(const char *file, const char *why, char text[LIMIT_WATCH_TEXT_BYTES])
{
    snprintf(text, LIMIT_WATCH_TEXT_BYTES, "%s: %s", escape_text(file).text, why);
    return false;
}

static bool explain_mistakes(const char *file, const struct configuration_mistakes *mistakes, char text[LIMIT_WATCH_TEXT_BYTES])
{
    const struct configuration_mistake *first = &mistakes->list[0];
    int length = snprintf(text, LIMIT_WATCH_TEXT_BYTES, "%s:%u:%u: %s", escape_text(file).text, first->line, first->column, first->text);
    if (mistakes->count > 1 && length > 0 && length < LIMIT_WATCH_TEXT_BYTES)
        snprintf(text + length, (size_t)(LIMIT_WATCH_TEXT_BYTES - length), " (and %u more)", mistakes->count - 1);
    return false;
}

/* Not a FIFO whose writer may be silent for long: certificates wait for the same thread, and so does the end of the server. */
static const char *file_trouble(const char *file)
{
    struct stat status;
    bool is_stdin = strcmp(file, "-") == 0, is_else = !is_stdin && stat(file, &status) == 0 && !S_ISREG(status.st_mode);
    return is_stdin || is_else ? "must be a regular file, as it is read again whenever it changes" : NULL;
}

static bool load(void *closure, char text[LIMIT_WATCH_TEXT_BYTES])
{
    struct settings_holder *holder = closure;
    struct buffer read;
    struct error error;
    const char *why = file_trouble(holder->file);
    if (!why && !files_read(holder->file, LIMIT_CONFIGURATION_BYTES, FILE_REGULAR, &read, &error))
        why = error.text;
    if (why)
        return explain(holder->file, why, text);
    enum failure failure = settings_reload(holder, buffer_bytes(&read), &holder->mistakes);
    buffer_free(&read);
    if (failure == FAILURE_SYNTAX)
        return explain_mistakes(holder->file, &holder->mistakes, text);
    holder->mistakes.count = 0;
    if (failure)
        return explain(holder->file, failure_text(failure), text);
    int length = snprintf(text, LIMIT_WATCH_TEXT_BYTES, "new configuration from %s", escape_text(holder->file).text);
    if (holder->mistakes.warning_count && length > 0 && length < LIMIT_WATCH_TEXT_BYTES)
        snprintf(text + length, (size_t)(LIMIT_WATCH_TEXT_BYTES - length), " (warnings: %u; the first: %u:%u: %s)",
                 holder->mistakes.warning_count, holder->mistakes.warnings[0].line, holder->mistakes.warnings[0].column,
                 holder->mistakes.warnings[0].text);
    return true;
}

struct watch_source settings_source(struct settings_holder *holder)
{
    return (struct watch_source){ .what = "configuration", .files = { holder->file }, .closure = holder, .load = load };
}

struct settings *settings_take(struct settings_holder *holder)
{
    pthread_mutex_lock(&holder->lock);
    struct settings *settings = holder->current;
    settings->users++;
    pthread_mutex_unlock(&holder->lock);
    return settings;
}

void settings_give(struct settings_holder *holder, struct settings *settings)
{
    pthread_mutex_lock(&holder->lock);
    bool last = --settings->users == 0 && settings != holder->current;
    pthread_mutex_unlock(&holder->lock);
    if (last)
        release(settings);
}

struct stance settings_stance(struct settings_holder *holder)
{
    pthread_mutex_lock(&holder->lock);
    const struct review_settings *review = &holder->current->review;
    struct stance stance = { review->mode, review->profile == PROFILE_UNKNOWN_VERSION ? 0 : review->version };
    pthread_mutex_unlock(&holder->lock);
    return stance;
}

void settings_done(struct settings_holder *holder)
{
    release(holder->current);
    pthread_mutex_destroy(&holder->lock);
}
