#include "cli/lint_formats.h"

#include <stdlib.h>
#include <string.h>

#include "base/escape.h"
#include "base/text.h"
#include "cli/report.h"

_Static_assert(LIMIT_CONFIGURED_FORMATS <= LIMIT_REPORTS, "each format is a report");

/* The path of what is in a folder, or of the folder if nothing is there; links are followed. NULL: neither is there. */
static char *real_path(const char *path)
{
    char *real = realpath(path, NULL), *folder = real ? NULL : strdup(path), *slash = folder ? strrchr(folder, '/') : NULL;
    if (slash)
        *slash = '\0';
    if (!real)
        real = realpath(slash ? folder : ".", NULL);
    free(folder);
    return real;
}

/* Whether what is written there stays in the folder around `beside`: a repository that somebody else wrote must not write elsewhere. */
static bool stays_inside(const char *path, const char *beside)
{
    char *real = real_path(path), *around = real_path(beside), *slash = around ? strrchr(around, '/') : NULL;
    size_t length = slash ? (size_t)(slash - around) : 0;
    bool inside = !real || (slash && strncmp(real, around, length) == 0 && (real[length] == '/' || !real[length]));
    free(real);
    free(around);
    return inside;
}

/* Whether the path has a part that is hidden, as .git is, or goes upwards. */
static bool has_hidden_part(const char *path)
{
    bool hidden = false;
    for (const char *part = path; part && !hidden; part = strchr(part, '/')) {
        part += *part == '/';
        hidden = part[0] == '.' && part[1] != '/';
    }
    return hidden;
}

/* "FORMAT=FILE", the file from the folder of the configuration on. NULL: out of memory. */
static const char *typed(const char *format, const char *file, struct arena *arena)
{
    const char *slash = strrchr(file, '/'), *path = strchr(format, '=');
    struct text text;
    text_init(&text, arena);
    text_add_bytes(&text, (struct bytes){ format, (uint32_t)(path ? path - format + 1 : (ptrdiff_t)strlen(format)) });
    if (path && slash)
        text_add_bytes(&text, (struct bytes){ file, (uint32_t)(slash - file) + 1 });
    text_add(&text, path ? path + 1 : "");
    return text_end(&text);
}

/* Whether such reports can be made. */
static bool check_all(const struct option_list *list, struct error *error)
{
    struct reporters reporters;
    bool good = reporters_init(&reporters, list, NULL, error);
    reporters_done(&reporters);
    return good;
}

static bool check(const char *format, const char *typed, const char *file, struct error *error)
{
    const struct option_list one = { { typed }, 1 };
    const char *written = strchr(format, '='), *path = strchr(typed, '=');
    bool good = check_all(&one, error);
    if (good && written && (written[1] == '/' || has_hidden_part(written + 1) || !stays_inside(path + 1, file)))
        return error_set(error, FAILURE_INPUT, "\"%s\" must be a file in the folder of the configuration, or below, and not hidden",
                         escape_text(written + 1).text);
    return good;
}

bool lint_formats(const struct configuration *configuration, const char *file, struct arena *arena, struct option_list *list,
                  struct error *error)
{
    const struct configured_texts *formats = &configuration->formats;
    struct error why;
    list->count = 0;
    for (uint32_t i = 0; i < formats->count; i++) {
        const struct configured_text *format = &formats->list[i];
        const char *value = typed(format->text, file, arena);
        if (!value)
            return error_set(error, FAILURE_MEMORY, "%s", failure_text(FAILURE_MEMORY));
        if (!check(format->text, value, file, &why))
            return error_set(error, why.code, "%s:%u:%u: formats: %s", escape_text(file).text, format->line, format->column, why.text);
        list->values[list->count++] = value;
    }
    return check_all(list, &why) || error_set(error, why.code, "%s: formats: %s", escape_text(file).text, why.text);
}
