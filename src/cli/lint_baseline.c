#include "cli/lint_baseline.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/escape.h"
#include "base/files.h"
#include "cli/output_file.h"

/* The folder of a file, absolute, with a slash; NULL: it is not there. */
static char *folder_of(const char *path)
{
    const char *slash = strrchr(path, '/');
    char *folder = slash ? strndup(path, (size_t)(slash - path) + 1) : strdup("."), *absolute = folder ? realpath(folder, NULL) : NULL;
    char *whole = NULL;
    free(folder);
    if (absolute && asprintf(&whole, "%s%s", absolute, strcmp(absolute, "/") == 0 ? "" : "/") < 0)
        whole = NULL;
    free(absolute);
    return whole;
}

/* The file from the folder on, if it is in there. */
static struct bytes name_in(const char *folder, const char *file)
{
    size_t length = strlen(folder);
    return bytes_of(strncmp(file, folder, length) == 0 ? file + length : file);
}

static int read_known(struct lint_baseline *baseline, const struct command *command, struct workspace *workspace)
{
    struct buffer text;
    struct error error;
    const struct escaped name = escape_text(baseline->known_path);
    if (!files_read(baseline->known_path, LIMIT_BASELINE_BYTES, FILE_ANY, &text, &error))
        return command_error(command, EXIT_USAGE, "%s: %s", name.text, error.text);
    bool good = baseline_read(&baseline->known, workspace, buffer_bytes(&text), &error);
    buffer_free(&text);
    const char *between = error.code == FAILURE_SYNTAX ? ":" : ": ";
    return good ? EXIT_GOOD : command_error(command, EXIT_USAGE, "%s%s%s", name.text, between, error.text);
}

int lint_baseline_begin(struct lint_baseline *baseline, const struct command *command, struct workspace *workspace)
{
    const struct {
        const char *path;
        char **folder;
    } files[] = { { baseline->known_path, &baseline->known_folder }, { baseline->fresh_path, &baseline->fresh_folder } };
    baseline_init(&baseline->known);
    baseline_init(&baseline->fresh);
    for (int i = 0; i < 2; i++)
        if (files[i].path && !(*files[i].folder = folder_of(files[i].path)))
            return command_error(command, EXIT_USAGE, "%s: %s", escape_text(files[i].path).text, strerror(errno));
    return baseline->known_path ? read_known(baseline, command, workspace) : EXIT_GOOD;
}

enum failure lint_baseline_take(struct lint_baseline *baseline, const char *file, const struct suppression_lock *lock, struct arena *arena,
                                struct report *report)
{
    enum failure failure = FAILURE_NONE;
    if (baseline->known_path)
        failure = baseline_apply(&baseline->known, name_in(baseline->known_folder, file), lock, arena, report, &baseline->hidden);
    if (failure || !baseline->fresh_path)
        return failure;
    failure = baseline_add(&baseline->fresh, name_in(baseline->fresh_folder, file), report);
    if (failure)
        return failure;
    for (uint32_t i = 0; i < report->count; i++)
        counts_remove_finding(&report->counts, report->problems[i].severity);
    report->count = report->hidden_count = 0;
    return FAILURE_NONE;
}

enum failure lint_baseline_look(struct lint_baseline *baseline, const char *file, const struct suppression_lock *lock, struct arena *arena,
                                struct report *report)
{
    size_t hidden = 0;
    if (!baseline->known_path)
        return FAILURE_NONE;
    const struct bytes name = name_in(baseline->known_folder, file);
    enum failure failure = baseline_apply(&baseline->known, name, lock, arena, report, &hidden);
    baseline_forget(&baseline->known, name);
    return failure;
}

int lint_baseline_write(struct lint_baseline *baseline, const struct command *command)
{
    struct output_file file = { .out = NULL };
    struct error error;
    const char *text = baseline_text(&baseline->fresh);
    if (!text)
        return command_error(command, EXIT_USAGE, "%s", failure_text(FAILURE_MEMORY));
    if (!output_file_open(&file, baseline->fresh_path, &error))
        return command_error(command, EXIT_SETUP, "%s", error.text);
    fputs(text, file.out);
    return output_file_end(&file, &error) ? EXIT_GOOD : command_error(command, EXIT_SETUP, "%s", error.text);
}

void lint_baseline_end(struct lint_baseline *baseline)
{
    baseline_done(&baseline->known);
    baseline_done(&baseline->fresh);
    free(baseline->known_folder);
    free(baseline->fresh_folder);
}
