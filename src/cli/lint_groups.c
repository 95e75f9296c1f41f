#include "cli/lint_groups.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/escape.h"
#include "base/limits.h"

/* Whether the file is in the folder, which is written from that of the configuration on. */
static bool is_inside(const char *file, const struct lint_config *config, const char *folder)
{
    size_t length = strlen(config->folder);
    while (strncmp(folder, "./", 2) == 0)
        folder += 2;
    size_t more = strlen(folder);
    while (more && folder[more - 1] == '/')
        more--;
    return strncmp(file, config->folder, length) == 0 && file[length] == '/' && strncmp(file + length + 1, folder, more) == 0 &&
           file[length + 1 + more] == '/';
}

uint32_t lint_groups_set(const struct lint_config *config, const char *file)
{
    const struct configured_texts *sets = &config->configuration.sets;
    uint32_t found = 0;
    for (uint32_t i = 0; i < sets->count; i++)
        if (is_inside(file, config, sets->list[i].text) && (!found || strlen(sets->list[i].text) > strlen(sets->list[found - 1].text)))
            found = i + 1;
    return found;
}

static struct lint_group *group_of(struct lint_groups *groups, struct lint_config *config, uint32_t set)
{
    if (groups->last && groups->last->config == config && groups->last->set == set) /* files of one folder come one after another */
        return groups->last;
    for (struct lint_group *group = groups->first; group; group = group->next)
        if (group->config == config && group->set == set)
            return group;
    struct lint_group *group = calloc(1, sizeof *group);
    if (!group)
        return NULL;
    *group = (struct lint_group){ .config = config, .set = set };
    *(groups->last ? &groups->last->next : &groups->first) = group;
    groups->last = group;
    return group;
}

static bool add_path(struct lint_group *group, const char *path)
{
    size_t size = strlen(path) + 1;
    struct lint_path *added = group ? malloc(sizeof *added + size) : NULL;
    if (!added)
        return false;
    added->next = NULL;
    memcpy(added->name, path, size);
    *(group->last ? &group->last->next : &group->first) = added;
    group->last = added;
    return true;
}

void lint_groups_add(struct lint_groups *groups, const char *path)
{
    struct lint_config *config;
    struct arena arena;
    if (groups->failed || !lint_configs_find(&groups->configs, path, &config)) {
        groups->failed = true;
        return;
    }
    const bool asked = config->exclude.count || config->configuration.sets.count;
    arena_init(&arena, &memory_malloc, LIMIT_ARENA_BYTES);
    const char *absolute = asked ? lint_configs_absolute(&groups->configs, path, &arena) : "";
    if (absolute && asked && ignore_covers_around(&config->exclude, bytes_of(absolute), false)) {
        groups->excluded++;
        if (groups->verbose)
            fprintf(stderr, "drawbridge lint: %s: skipped: the configuration excludes it\n", escape_text(path).text);
    } else {
        groups->failed = !absolute || !add_path(group_of(groups, config, lint_groups_set(config, absolute)), path);
    }
    if (groups->failed)
        (void)command_error(groups->configs.command, EXIT_USAGE, "%s", failure_text(FAILURE_MEMORY));
    arena_done(&arena);
}

void lint_groups_done(struct lint_groups *groups)
{
    while (groups->first) {
        struct lint_group *group = groups->first;
        groups->first = group->next;
        while (group->first) {
            struct lint_path *path = group->first;
            group->first = path->next;
            free(path);
        }
        free(group);
    }
    groups->last = NULL;
}
