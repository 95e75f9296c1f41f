#include "cel/pattern.h"

#include <string.h>

#include "cel/limits.h"

void cel_patterns_init(struct cel_patterns *patterns, unsigned version, const struct memory *memory)
{
    arena_init(&patterns->kept, memory, LIMIT_CEL_PATTERN_ARENA);
    arena_init(&patterns->scratch, memory, LIMIT_CEL_PATTERN_ARENA);
    cel_regexp_classes_init(&patterns->classes, cel_regexp_dialect(version), &patterns->kept);
}

void cel_patterns_done(struct cel_patterns *patterns)
{
    arena_done(&patterns->kept);
    arena_done(&patterns->scratch);
}

enum failure cel_pattern_error(struct cel_patterns *patterns, struct bytes text, struct arena *arena, const char **error)
{
    struct cel_regexp regexp;
    enum failure failure = cel_regexp_read(text, &patterns->classes, &patterns->scratch, &regexp);
    char *words = NULL;
    if (!failure && regexp.error.length) {
        words = arena_text(arena, regexp.error.length + 1);
        failure = words ? FAILURE_NONE : arena->failure;
        if (words)
            memcpy(words, regexp.error.data, regexp.error.length + 1);
    }
    *error = words;
    arena_clear(&patterns->scratch);
    return failure;
}
