#include "cli/lint_config.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/escape.h"
#include "base/folders.h"
#include "base/limits.h"
#include "base/text.h"
#include "cli/configuration.h"
#include "review/limits.h"

struct lint_folder {
    struct lint_folder *next;
    struct bytes path; /* absolute, "" for the root */
    struct lint_config *config;
};

enum { FIRST_FOLDERS = 64 };

enum failure lint_configs_init(struct lint_configs *configs, const struct command *command, const char *only, bool none)
{
    *configs = (struct lint_configs){ .command = command, .only = only, .none = none || (only && strcmp(only, "none") == 0) };
    arena_init(&configs->arena, &memory_malloc, LIMIT_ARENA_BYTES);
    configs->current = folders_absolute(".");
    if (!configs->current)
        return FAILURE_MEMORY;
    return map_key_random(&configs->key) ? map_init(&configs->index, &configs->arena, FIRST_FOLDERS, configs->key) : FAILURE_LIMIT;
}

static void config_free(struct lint_config *config)
{
    selection_done(&config->selection);
    ignore_done(&config->exclude);
    configuration_done(&config->configuration);
    free(config->file);
    free(config->folder);
    free(config);
}

void lint_configs_done(struct lint_configs *configs)
{
    while (configs->first) {
        struct lint_config *config = configs->first;
        configs->first = config->next;
        config_free(config);
    }
    free(configs->current);
    free(configs->last);
    free(configs->last_name);
    arena_done(&configs->arena);
}

/* ---- reading ---- */

static bool say(struct lint_configs *configs, const char *file, const char *why)
{
    (void)command_error(configs->command, EXIT_USAGE, "%s: %s", file ? escape_text(file).text : "configurations", why);
    return false;
}

/* Reads the file into a config whose members are zero. */
static bool read_file(struct lint_configs *configs, const char *file, struct configuration *configuration)
{
    struct configuration_mistakes mistakes;
    struct buffer text;
    if (configuration_text(configs->command, EXIT_USAGE, file, LIMIT_CONFIGURATION_BYTES, &text) != EXIT_GOOD)
        return false;
    enum failure failure = configuration_read_for_lint(&memory_malloc, buffer_bytes(&text), configuration, &mistakes);
    buffer_free(&text);
    if (!failure)
        failure = configuration_drivers(configuration, file, &mistakes);
    if (failure) {
        *configuration = (struct configuration){ .version = 0 };
        (void)configuration_error(configs->command, EXIT_USAGE, file, failure, &mistakes);
        return false;
    }
    configuration_warnings(configs->command, file, &mistakes);
    return true;
}

/* What the configuration leaves out: lines of a .gitignore. */
static bool read_exclude(struct lint_configs *configs, struct lint_config *config)
{
    struct text text;
    struct error error;
    text_init(&text, &config->configuration.arena);
    for (uint32_t i = 0; i < config->configuration.exclude.count; i++) {
        text_add(&text, config->configuration.exclude.list[i].text);
        text_add(&text, "\n");
    }
    const char *lines = text_end(&text);
    if (!lines)
        return say(configs, config->file, failure_text(FAILURE_MEMORY));
    return ignore_read(&config->exclude, NULL, config->folder, bytes_of(lines), &error) || say(configs, config->file, error.text);
}

/* A config of that file (NULL: none) in that folder; NULL, after error messages: it cannot be used. Takes file and folder, both of which
 * are NULL when there was no memory for them. */
static struct lint_config *add_config(struct lint_configs *configs, char *file, char *folder)
{
    struct lint_config *config = folder ? calloc(1, sizeof *config) : NULL;
    struct error error;
    if (!config) {
        free(file);
        free(folder);
        (void)say(configs, NULL, failure_text(FAILURE_MEMORY));
        return NULL;
    }
    *(configs->newest ? &configs->newest->next : &configs->first) = config;
    configs->newest = config;
    config->file = file;
    config->folder = folder;
    config->configuration.fail_on = LEVEL_ERROR;
    arena_init(&config->configuration.arena, &memory_malloc, LIMIT_ARENA_BYTES);
    if (file && !read_file(configs, file, &config->configuration))
        return NULL;
    if (!selection_init(&config->selection, &config->configuration.policies, folder, &error)) {
        (void)say(configs, file, error.text);
        return NULL;
    }
    return !file || read_exclude(configs, config) ? config : NULL;
}

/* ---- searching ---- */

/* One index for all folders, twice as large whenever it is full. */
static bool remember(struct lint_configs *configs, struct bytes path, struct lint_config *config)
{
    struct lint_folder *folder = arena_alloc(&configs->arena, sizeof *folder);
    char *copy = arena_text(&configs->arena, path.length + 1u);
    if (!folder || !copy)
        return false;
    if (path.length)
        memcpy(copy, path.data, path.length);
    *folder = (struct lint_folder){ configs->folders, { copy, path.length }, config };
    configs->folders = folder;
    if (configs->index.count == configs->index.capacity) {
        if (map_init(&configs->index, &configs->arena, 2 * configs->index.capacity, configs->key))
            return false;
        for (const struct lint_folder *before = folder->next; before; before = before->next)
            (void)map_add(&configs->index, before->path, before);
    }
    (void)map_add(&configs->index, folder->path, folder);
    return true;
}

static char *join(const char *folder, const char *name)
{
    char *joined = NULL;
    return asprintf(&joined, "%s/%s", folder, name) < 0 ? NULL : joined;
}

static bool has(const char *folder, const char *name)
{
    char *path = join(folder, name);
    bool found = path && access(path, F_OK) == 0;
    free(path);
    return found;
}

/* The file in that folder, from the current folder on if it is in there. */
static char *shown_name(const struct lint_configs *configs, const char *folder)
{
    size_t length = strlen(configs->current);
    if (strncmp(folder, configs->current, length) == 0 && folder[length] == '/')
        return join(folder + length + 1, CONFIGURATION_NAME);
    return strcmp(folder, configs->current) == 0 ? strdup(CONFIGURATION_NAME) : join(folder, CONFIGURATION_NAME);
}

/* What counts where there is no configuration. */
static struct lint_config *without(struct lint_configs *configs)
{
    if (!configs->without)
        configs->without = add_config(configs, NULL, strdup(configs->current));
    return configs->without;
}

/* The config of --config. */
static struct lint_config *the_only(struct lint_configs *configs)
{
    char *folder = strdup(configs->only), *slash = folder ? strrchr(folder, '/') : NULL;
    if (folder)
        folder[slash ? slash - folder + (slash == folder) : 0] = '\0';
    char *absolute = folder ? folders_absolute(*folder ? folder : ".") : NULL;
    free(folder);
    if (absolute)
        return add_config(configs, strdup(configs->only), absolute);
    (void)say(configs, configs->only, strerror(errno));
    return NULL;
}

/* Goes from the folder upwards, to one that is known, one with a configuration, the root of a repository, or that of all files. */
static struct lint_config *search(struct lint_configs *configs, char *path)
{
    struct lint_config *config = NULL;
    const uint32_t length = (uint32_t)strlen(path);
    uint32_t at = length;
    for (bool found = false; !found; at = found ? at : (uint32_t)(strrchr(path, '/') - path)) {
        path[at] = '\0';
        const struct lint_folder *folder = map_find(&configs->index, (struct bytes){ path, at });
        bool is_here = !folder && has(path, CONFIGURATION_NAME);
        found = folder || is_here || !at || has(path, ".git");
        if (found)
            config = folder ? folder->config : is_here ? add_config(configs, shown_name(configs, path), strdup(path)) : without(configs);
    }
    return config;
}

/* The same for all folders on the way, which are remembered. */
static bool search_from(struct lint_configs *configs, const char *folder, struct lint_config **config)
{
    const uint32_t length = (uint32_t)strlen(folder);
    char *path = strdup(folder);
    *config = path ? search(configs, path) : NULL;
    bool good = *config;
    uint32_t end = path ? (uint32_t)strlen(path) : 0;
    for (uint32_t at = length; good && at >= end; at--) {
        struct bytes here = { folder, at };
        if ((at == length || folder[at] == '/') && !map_find(&configs->index, here))
            good = remember(configs, here, *config);
        if (at == 0)
            break;
    }
    if (!good && (!path || *config))
        (void)say(configs, NULL, failure_text(FAILURE_MEMORY));
    free(path);
    return good;
}

/* ---- files ---- */

/* The absolute folder of a file, as long as the next one is not asked for. Files of one folder come one after another. */
static const char *folder_of(struct lint_configs *configs, const char *path)
{
    const char *slash = strrchr(path, '/');
    char *name = slash ? strndup(path, slash == path ? 1 : (size_t)(slash - path)) : strdup(".");
    if (name && configs->last_name && strcmp(name, configs->last_name) == 0) {
        free(name);
        return configs->last;
    }
    char *absolute = name ? folders_absolute(name) : NULL;
    free(configs->last);
    free(configs->last_name);
    configs->last = absolute ? absolute : strdup(configs->current); /* a folder that is not there: reading the file will say so */
    configs->last_name = name;
    return configs->last;
}

bool lint_configs_find(struct lint_configs *configs, const char *path, struct lint_config **config)
{
    if (configs->none || configs->only) {
        *config = configs->none ? without(configs) : configs->first ? configs->first : the_only(configs);
        return *config;
    }
    const char *folder = folder_of(configs, path);
    if (!folder)
        return say(configs, NULL, failure_text(FAILURE_MEMORY));
    return search_from(configs, folder, config);
}

const char *lint_configs_absolute(struct lint_configs *configs, const char *path, struct arena *arena)
{
    const char *folder = folder_of(configs, path), *slash = strrchr(path, '/');
    struct text text;
    text_init(&text, arena);
    text_add(&text, folder ? folder : "");
    text_add(&text, "/");
    text_add(&text, slash ? slash + 1 : path);
    return folder ? text_end(&text) : NULL;
}

const char *lint_config_path(const struct lint_config *config, const char *path, struct arena *arena)
{
    const char *slash = strrchr(config->file, '/');
    struct text text;
    text_init(&text, arena);
    if (*path != '/' && slash)
        text_add_bytes(&text, (struct bytes){ config->file, (uint32_t)(slash - config->file) + 1 });
    text_add(&text, path);
    return text_end(&text);
}
