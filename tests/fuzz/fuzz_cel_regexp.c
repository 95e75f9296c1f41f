/* libFuzzer target: regular expressions of CEL. The first byte says which Go reads them; a NUL is between the expression and a text to
 * find it in. Whatever the bytes are: no crash, errors in Go's form, and both searches find the same, which a test of whether there is a match
 * agrees with. */
#include <stdlib.h>

#include "base/limits.h"
#include "cel/limits.h"
#include "cel/regexp_program.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { STEPS = 1000000 };

static struct arena arena;

static void require(bool condition)
{
    if (!condition)
        abort();
}

/* NULL: it is too large. */
static const struct cel_regexp_program *compile(struct bytes pattern, enum cel_regexp_dialect dialect, enum cel_regexp_purpose purpose)
{
    static const char begin[] = "error parsing regexp: ";
    const struct cel_regexp_program *program = NULL;
    const char *error = NULL;
    enum failure failure = cel_regexp_compile(pattern, dialect, purpose, &arena, &program, &error);
    require(!failure || failure == FAILURE_LIMIT);
    if (!failure)
        require(error ? !program && strncmp(error, begin, sizeof begin - 1) == 0 : program != NULL);
    return failure ? NULL : program;
}

static void search(const struct cel_regexp_program *program, const struct cel_regexp_program *test, struct bytes text)
{
    struct cel_matcher matcher;
    struct cel_match_all all = { .from = 0 };
    struct cel_match any, same = { .found = false };
    uint64_t steps = STEPS;
    cel_matcher_init(&matcher, &arena);
    matcher.steps = STEPS;
    void *memory = arena_alloc(&arena, regexp_threads_bytes(program));
    require(memory);
    regexp_run_threads(program, text, 0, memory, &steps, &same);
    enum failure failure = cel_regexp_next(&matcher, program, text, &all);
    struct cel_match first = all.match;
    for (uint32_t last = 0; !failure && all.match.found; failure = cel_regexp_next(&matcher, program, text, &all)) {
        require(all.match.start >= last && all.match.end >= all.match.start && all.match.end <= text.length);
        last = all.match.end;
    }
    if (!steps || failure)
        return;
    require(same.found == first.found && (!same.found || (same.start == first.start && same.end == first.end)));
    matcher.steps = STEPS;
    if (!cel_regexp_find(&matcher, test, text, 0, &any))
        require(any.found == first.found);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size < 1 || size > LIMIT_CEL_BYTES)
        return 0;
    const uint8_t *nul = memchr(data + 1, 0, size - 1), *end = nul ? nul : data + size;
    enum cel_regexp_dialect dialect = *data & 1 ? CEL_REGEXP_GO_1_25 : CEL_REGEXP_GO_1_24;
    struct bytes pattern = { (const char *)data + 1, (uint32_t)(end - data - 1) };
    struct bytes text = nul ? (struct bytes){ (const char *)nul + 1, (uint32_t)(data + size - nul - 1) } : (struct bytes){ "", 0 };
    arena_init(&arena, &memory_malloc, LIMIT_ARENA_BYTES);
    const struct cel_regexp_program *program = compile(pattern, dialect, CEL_REGEXP_FIND);
    const struct cel_regexp_program *test = program ? compile(pattern, dialect, CEL_REGEXP_TEST) : NULL;
    if (test && utf8_is_valid(text))
        search(program, test, text);
    arena_done(&arena);
    return 0;
}
