#include "review/reading.h"

#include <stdio.h>

#include "base/text.h"
#include "review/limits.h"

bool reading_is_full(const struct reading *reading)
{
    return reading->failure || reading->mistakes->count >= LIMIT_CONFIGURATION_MISTAKES;
}

void reading_mistake(struct reading *reading, uint32_t offset, const char *path, const char *words)
{
    struct position position;
    struct text text;
    if (reading_is_full(reading)) {
        reading->mistakes->count += !reading->failure;
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
    struct configuration_mistake *mistake = &reading->mistakes->list[reading->mistakes->count++];
    mistake->line = position.line;
    mistake->column = position.column;
    snprintf(mistake->text, sizeof mistake->text, "%s", whole);
}
