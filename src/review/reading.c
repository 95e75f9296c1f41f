#include "review/reading.h"

#include <stdio.h>

#include "base/text.h"
#include "review/configuration_schema.h"
#include "review/limits.h"

bool reading_is_full(const struct reading *reading)
{
    return reading->failure || reading->mistakes->count >= LIMIT_CONFIGURATION_MISTAKES;
}

/* Adds an entry to a list that has *count of them, or counts it where the list is full. */
static void add(struct reading *reading, struct configuration_mistake *list, uint32_t *count, uint32_t offset, const char *path,
                const char *words)
{
    struct position position;
    struct text text;
    if (reading->failure || *count >= LIMIT_CONFIGURATION_MISTAKES) {
        *count += !reading->failure;
        return;
    }
    text_init(&text, &reading->workspace->arena);
    text_add_escaped(&text, bytes_of(path), LIMIT_MISTAKE_BYTES / 2);
    text_add(&text, *path ? ": " : "");
    text_add(&text, words);
    const char *whole = text_end(&text);
    reading->failure = whole ? lines_find(&reading->lines, offset, &position) : reading->workspace->arena.failure;
    if (reading->failure)
        return;
    struct configuration_mistake *mistake = &list[(*count)++];
    mistake->line = position.line;
    mistake->column = position.column;
    snprintf(mistake->text, sizeof mistake->text, "%s", whole);
}

void reading_mistake(struct reading *reading, uint32_t offset, const char *path, const char *words)
{
    add(reading, reading->mistakes->list, &reading->mistakes->count, offset, path, words);
}

void reading_warning(struct reading *reading, uint32_t offset, const char *path, const char *words)
{
    add(reading, reading->mistakes->warnings, &reading->mistakes->warning_count, offset, path, words);
}

void *reading_keep(struct reading *reading, size_t bytes)
{
    struct arena *arena = &reading->configuration->arena;
    void *kept = reading->failure ? NULL : arena_alloc(arena, bytes);
    if (!kept && !reading->failure)
        reading->failure = arena->failure;
    return kept;
}

struct bytes reading_keep_text(struct reading *reading, struct bytes text)
{
    char *kept = reading_keep(reading, text.length + 1u);
    if (!kept)
        return (struct bytes){ "", 0 };
    memcpy(kept, text.data, text.length);
    kept[text.length] = '\0';
    return (struct bytes){ kept, text.length };
}

bool reading_level(const struct doc_node *node, enum level *level)
{
    *level = LEVEL_OFF;
    if (node->type == DOC_FALSE) /* YAML reads off as false */
        return true;
    for (*level = LEVEL_ERROR; *level < LEVELS; (*level)++)
        if (node->type == DOC_STRING && bytes_equal_text(doc_text(node), level_words[*level]))
            return true;
    return false;
}
