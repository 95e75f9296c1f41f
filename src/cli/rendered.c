#include "cli/rendered.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/files.h"
#include "cli/limits.h"
#include "cli/program.h"

/* ---- folders ---- */

static bool has_file(const char *folder, const char *name)
{
    char *path = NULL;
    struct stat status;
    if (asprintf(&path, "%s/%s", *folder ? folder : ".", name) < 0)
        return false;
    bool has = stat(path, &status) == 0 && S_ISREG(status.st_mode);
    free(path);
    return has;
}

static bool says(const char *folder, const char *name, const char *words)
{
    char *path = NULL;
    struct buffer text = { NULL, 0 };
    struct error error;
    if (asprintf(&path, "%s/%s", *folder ? folder : ".", name) < 0)
        return false;
    bool found = files_read(path, LIMIT_CONFIGURATION_BYTES, FILE_REGULAR, &text, &error) && strstr(text.data, words);
    buffer_free(&text);
    free(path);
    return found;
}

/* A component is a part of kustomizations: it cannot be built by itself. */
static bool is_kustomization(const char *folder)
{
    static const char *const names[] = { "kustomization.yaml", "kustomization.yml", "Kustomization" };
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (has_file(folder, names[i]))
            return !says(folder, names[i], "kind: Component");
    return false;
}

static bool keep(struct rendered *rendered, const char *path, bool is_chart, struct error *error)
{
    if (rendered->count == LIMIT_RENDERED)
        return error_set(error, FAILURE_LIMIT, "more than %u charts and kustomizations", LIMIT_RENDERED);
    if (rendered->count == rendered->capacity) {
        unsigned capacity = rendered->capacity ? 2 * rendered->capacity : 8;
        struct rendered_folder *list = realloc(rendered->list, capacity * sizeof *list);
        if (!list)
            return error_set(error, FAILURE_MEMORY, "%s", strerror(ENOMEM));
        rendered->list = list;
        rendered->capacity = capacity;
    }
    char *copy = strdup(*path ? path : ".");
    if (!copy)
        return error_set(error, FAILURE_MEMORY, "%s", strerror(ENOMEM));
    rendered->list[rendered->count++] = (struct rendered_folder){ copy, is_chart };
    return true;
}

enum folder_use rendered_find(struct rendered *rendered, const char *path, struct error *error)
{
    error->code = FAILURE_NONE;
    bool is_chart = rendered->settings.helm && has_file(path, "Chart.yaml");
    if (is_chart && says(path, "Chart.yaml", "type: library")) /* a part of charts */
        return FOLDER_NOT;
    if (!is_chart && !(rendered->settings.kustomize && is_kustomization(path)))
        return FOLDER_WHOLE;
    if (!keep(rendered, path, is_chart, error))
        return FOLDER_WHOLE;
    return is_chart ? FOLDER_NOT : FOLDER_BELOW;
}

void rendered_done(struct rendered *rendered)
{
    for (unsigned i = 0; i < rendered->count; i++)
        free(rendered->list[i].path);
    free(rendered->list);
    *rendered = (struct rendered){ .list = NULL };
}

/* ---- programs ---- */

/* Nothing is fetched: no proxy listens there, and git may use no protocol. */
static const char *const environment[] = {
    "HTTP_PROXY=http://127.0.0.1:9", "HTTPS_PROXY=http://127.0.0.1:9", "http_proxy=http://127.0.0.1:9", "https_proxy=http://127.0.0.1:9",
    "GIT_ALLOW_PROTOCOL=", "GIT_TERMINAL_PROMPT=0", NULL,
};

static bool render(const char *const *argv, struct buffer *output, struct error *error)
{
    static const char *const unset[] = { "NO_PROXY", "no_proxy", NULL };
    const struct program program = { argv, environment, unset, { NULL, 0 }, LIMIT_RENDERED_BYTES, LIMIT_RENDERED_SECONDS, false };
    return program_run(&program, output, error);
}

static bool helm(const struct rendered_settings *settings, const char *path, struct buffer *output, struct error *error)
{
    enum { BEFORE = 6 };
    char version[16];
    const char *argv[BEFORE + 2 * LIMIT_OPTION_VALUES + 1] = { "helm", "template", "release-name", path, "--kube-version", version };
    snprintf(version, sizeof version, "1.%u.0", (unsigned)settings->version);
    for (unsigned i = 0; i < settings->values->count; i++) {
        argv[BEFORE + 2 * i] = "--values";
        argv[BEFORE + 2 * i + 1] = settings->values->values[i];
    }
    return render(argv, output, error);
}

/* kubectl has kustomize in it. */
static bool kustomize(const char *path, struct buffer *output, struct error *error)
{
    const char *const alone[] = { "kustomize", "build", path, NULL }, *const in_kubectl[] = { "kubectl", "kustomize", path, NULL };
    if (program_exists("kustomize"))
        return render(alone, output, error);
    if (program_exists("kubectl"))
        return render(in_kubectl, output, error);
    return error_set(error, FAILURE_INPUT, "--kustomize: there is neither kustomize nor kubectl in PATH");
}

/* ---- what they print ---- */

/* The line at the beginning of the text, which is not taken off it. */
static struct bytes first_line(struct bytes text)
{
    return bytes_take_line(&text);
}

/* The file of a chart's template, if a line is "# Source: CHART/FILE"; else the chart. */
static char *source_name(const char *path, struct bytes line)
{
    static const struct bytes mark = BYTES("# Source: ");
    char *name = NULL;
    struct bytes file = { "", 0 };
    if (line.length > mark.length && memcmp(line.data, mark.data, mark.length) == 0) {
        const char *slash = memchr(line.data + mark.length, '/', line.length - mark.length);
        if (slash)
            file = (struct bytes){ slash, line.length - (uint32_t)(slash - line.data) };
    }
    return asprintf(&name, "%s%.*s", path, (int)file.length, file.data) < 0 ? NULL : name;
}

/* Each document of a chart is a file of its own. */
static bool take_chart(const char *path, struct bytes text, bool (*take)(void *self, const char *name, struct bytes text), void *self,
                       struct error *error)
{
    while (text.length) {
        struct bytes rest = text;
        if (bytes_equal_text(first_line(text), "---")) {
            (void)bytes_take_line(&text);
            rest = text;
        }
        while (rest.length && !bytes_equal_text(first_line(rest), "---"))
            (void)bytes_take_line(&rest);
        char *name = source_name(path, first_line(text));
        if (!name)
            return error_set(error, FAILURE_MEMORY, "%s", strerror(ENOMEM));
        bool more = take(self, name, (struct bytes){ text.data, text.length - rest.length });
        free(name);
        if (!more)
            return true;
        text = rest;
    }
    return true;
}

/* A path that no program takes for an option, without a slash at its end. */
static char *plain_path(const char *path)
{
    char *plain = NULL;
    if (asprintf(&plain, "%s%s", *path == '-' ? "./" : "", path) < 0)
        return NULL;
    for (size_t length = strlen(plain); length > 1 && plain[length - 1] == '/'; length--)
        plain[length - 1] = '\0';
    return plain;
}

bool rendered_read(const struct rendered *rendered, unsigned index, bool (*take)(void *self, const char *name, struct bytes text),
                   void *self, struct error *error)
{
    const struct rendered_folder *folder = &rendered->list[index];
    struct buffer output = { NULL, 0 };
    char *path = plain_path(folder->path), *name = NULL;
    bool good = path && asprintf(&name, "%s/kustomization.yaml", path) >= 0;
    if (!good)
        (void)error_set(error, FAILURE_MEMORY, "%s", strerror(ENOMEM));
    else if (folder->is_chart)
        good = helm(&rendered->settings, path, &output, error) && take_chart(path, buffer_bytes(&output), take, self, error);
    else
        good = kustomize(path, &output, error) && (take(self, name, buffer_bytes(&output)), true);
    buffer_free(&output);
    free(path);
    free(name);
    return good;
}
