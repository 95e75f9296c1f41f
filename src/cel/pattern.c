#include "cel/pattern.h"

#include "cel/limits.h"
#include "cel/regexp.h"

enum failure cel_pattern_error(struct bytes text, struct arena *arena, const char **error)
{
    struct arena scratch;
    struct cel_regexp regexp;
    arena_init(&scratch, arena->memory, LIMIT_CEL_PATTERN_ARENA);
    enum failure failure = cel_regexp_read(text, CEL_REGEXP_GO_1_25, &scratch, &regexp);
    char *words = NULL;
    if (!failure && regexp.error.length) {
        words = arena_text(arena, regexp.error.length + 1);
        failure = words ? FAILURE_NONE : arena->failure;
        if (words)
            memcpy(words, regexp.error.data, regexp.error.length + 1);
    }
    *error = words;
    arena_done(&scratch);
    return failure;
}
