#include "base/ignore.h"

#include <errno.h>
#include <stdlib.h>

#include "base/glob.h"

/* ---- reading ---- */

/* The line without spaces at its end, unless a backslash is before the first of them. */
static struct bytes without_spaces(struct bytes line)
{
    uint32_t end = 0;
    for (uint32_t at = 0; at < line.length; at++) {
        if (line.data[at] == '\\' && at + 1 < line.length)
            end = ++at + 1;
        else if (line.data[at] != ' ')
            end = at + 1;
    }
    return (struct bytes){ line.data, end };
}

/* Reads a line; false: it has no pattern. */
static bool read_pattern(struct bytes line, struct ignore_pattern *pattern)
{
    if (line.length && line.data[line.length - 1] == '\r')
        line.length--;
    if (!line.length || line.data[0] == '#')
        return false;
    line = without_spaces(line);
    *pattern = (struct ignore_pattern){ .keeps = line.length && line.data[0] == '!' };
    line = (struct bytes){ line.data + pattern->keeps, line.length - pattern->keeps };
    pattern->folders_only = line.length && line.data[line.length - 1] == '/';
    line.length -= pattern->folders_only;
    pattern->is_path = line.length && memchr(line.data, '/', line.length) != NULL;
    bool leads = line.length && line.data[0] == '/';
    pattern->text = (struct bytes){ line.data + leads, line.length - leads };
    return pattern->text.length != 0;
}

static bool fail_memory(struct error *error)
{
    return error_set(error, FAILURE_MEMORY, "%s", strerror(ENOMEM));
}

/* Room for as many patterns as there are lines. */
static bool make_room(struct ignore *ignore, struct bytes text, struct error *error)
{
    size_t lines = 1;
    for (uint32_t at = 0; at < text.length; at++)
        lines += text.data[at] == '\n';
    ignore->patterns = malloc(lines * sizeof *ignore->patterns);
    return ignore->patterns || fail_memory(error);
}

bool ignore_read(struct ignore *ignore, const struct ignore *outer, const char *folder, struct bytes lines, struct error *error)
{
    static const struct bytes mark = BYTES("\xEF\xBB\xBF");
    const uint32_t room = LIMIT_IGNORE_PATTERNS - (outer ? outer->in_force : 0);
    *ignore = (struct ignore){ .outer = outer, .folder = strdup(folder), .text = malloc(lines.length + 1) };
    if (!ignore->folder || !ignore->text)
        return fail_memory(error);
    ignore->folder_length = (uint32_t)strlen(folder);
    if (lines.length)
        memcpy(ignore->text, lines.data, lines.length);
    struct bytes rest = { ignore->text, lines.length };
    if (rest.length >= mark.length && memcmp(rest.data, mark.data, mark.length) == 0)
        rest = (struct bytes){ rest.data + mark.length, rest.length - mark.length };
    if (!make_room(ignore, rest, error))
        return false;
    while (rest.length) {
        struct ignore_pattern pattern;
        if (!read_pattern(bytes_take_line(&rest), &pattern))
            continue;
        if (ignore->count == room)
            return error_set(error, FAILURE_LIMIT, "more than %u patterns, those of the folders around it included", LIMIT_IGNORE_PATTERNS);
        ignore->patterns[ignore->count++] = pattern;
    }
    ignore->in_force = LIMIT_IGNORE_PATTERNS - room + ignore->count;
    return true;
}

void ignore_done(struct ignore *ignore)
{
    free(ignore->folder);
    free(ignore->text);
    free(ignore->patterns);
    *ignore = (struct ignore){ .outer = NULL };
}

/* ---- matching ---- */

static bool matches(const struct ignore_pattern *pattern, struct bytes path, struct bytes name)
{
    return pattern->is_path ? glob_matches_path(pattern->text, path) : glob_matches_name(pattern->text, name);
}

static bool begins_with(const char *path, size_t length, const char *folder, size_t folder_length)
{
    return length >= folder_length && memcmp(path, folder, folder_length) == 0 && (length == folder_length || path[folder_length] == '/');
}

/* Sets *inside to what follows the folder and its slash; of a path elsewhere, if it is `whole`, to all but the first slash. Returns false
 * if the list has no say: about other folders around a path, and those around its own. */
static bool path_inside(const struct ignore *ignore, struct bytes path, bool whole, struct bytes *inside)
{
    const uint32_t length = ignore->folder_length;
    bool within = path.length > length && begins_with(path.data, path.length, ignore->folder, length);
    if (!within && (!whole || begins_with(ignore->folder, length, path.data, path.length)))
        return false;
    uint32_t before = within ? length + 1 : 1;
    *inside = (struct bytes){ path.data + before, path.length - before };
    return true;
}

static bool covers(const struct ignore *ignore, struct bytes path, bool is_folder, bool whole)
{
    struct bytes name = path, inside;
    for (uint32_t at = 0; at < path.length; at++)
        if (path.data[at] == '/')
            name = (struct bytes){ path.data + at + 1, path.length - at - 1 };
    for (; ignore; ignore = ignore->outer) {
        for (uint32_t i = path_inside(ignore, path, whole, &inside) ? ignore->count : 0; i > 0; i--) {
            const struct ignore_pattern *pattern = &ignore->patterns[i - 1];
            if ((is_folder || !pattern->folders_only) && matches(pattern, inside, name))
                return !pattern->keeps;
        }
    }
    return false;
}

bool ignore_covers(const struct ignore *ignore, struct bytes path, bool is_folder)
{
    return covers(ignore, path, is_folder, true);
}

bool ignore_covers_around(const struct ignore *ignore, struct bytes path, bool is_folder)
{
    for (uint32_t end = 1; ignore && end < path.length; end++)
        if (path.data[end] == '/' && covers(ignore, (struct bytes){ path.data, end }, true, false))
            return true;
    return path.length > 1 && covers(ignore, path, is_folder, true);
}
