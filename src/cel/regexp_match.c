/* Searches for a match by going one way, and back to where ways parted. It remembers at which places of the text it was at which places of
 * the program, and goes no way twice: so time is bounded by the product of both. Where that is too much to remember, all ways are gone at
 * the same time (regexp_threads.c). */
#include "cel/limits.h"
#include "cel/regexp_program.h"

struct way {
    uint32_t instruction, at;
};

struct search {
    const struct cel_regexp_program *program;
    struct bytes text;
    uint32_t from, places; /* places of the text: from `from` to its end */
    uint64_t *seen;        /* a bit for each join and place */
    struct way *ways;      /* to go yet: at most one for each choice and place, and the first */
    uint64_t steps;
};

void cel_matcher_init(struct cel_matcher *matcher, struct arena *arena)
{
    *matcher = (struct cel_matcher){ .arena = arena, .steps = LIMIT_CEL_REGEXP_STEPS };
}

/* Takes steps; 0 are left if there are not enough. */
static void take_steps(struct cel_matcher *matcher, uint64_t steps)
{
    matcher->steps -= steps < matcher->steps ? steps : matcher->steps;
}

enum failure cel_matcher_compile(struct cel_matcher *matcher, struct bytes text, enum cel_regexp_dialect dialect,
                                 enum cel_regexp_purpose purpose, const struct cel_regexp_program **program, const char **error)
{
    bool same = matcher->last_program && matcher->last_dialect == dialect && matcher->last_purpose == purpose;
    *error = NULL;
    if (same && bytes_equal(matcher->last_text, text)) {
        *program = matcher->last_program;
        return FAILURE_NONE;
    }
    take_steps(matcher, (uint64_t)text.length * LIMIT_CEL_REGEXP_BYTE_STEPS);
    if (!matcher->steps)
        return FAILURE_LIMIT;
    enum failure failure = cel_regexp_compile(text, dialect, purpose, matcher->arena, program, error);
    if (failure || *error)
        return failure;
    take_steps(matcher, (uint64_t)(*program)->size * LIMIT_CEL_REGEXP_INSTRUCTION_STEPS);
    matcher->last_text = text;
    matcher->last_dialect = dialect;
    matcher->last_purpose = purpose;
    matcher->last_program = *program;
    return FAILURE_NONE;
}

/* Memory for `bytes`, in which there is nothing else. NULL: none is left. */
static void *take_memory(struct cel_matcher *matcher, size_t bytes)
{
    if (bytes > matcher->capacity) {
        size_t larger = bytes > 2 * matcher->capacity ? bytes : 2 * matcher->capacity;
        matcher->memory = arena_alloc(matcher->arena, larger);
        matcher->capacity = matcher->memory ? larger : 0;
    }
    return matcher->memory;
}

/* Whether the search was here before; from now on it was. */
static inline bool was_seen(struct search *search, uint32_t join, uint32_t at)
{
    uint64_t bit = (uint64_t)(join - 1) * search->places + (at - search->from), mask = (uint64_t)1 << bit % 64;
    bool seen = search->seen[bit / 64] & mask;
    search->seen[bit / 64] |= mask;
    return seen;
}

/* Whether a character is taken at *at, which is then after it. */
static inline bool take(const struct cel_regexp_program *program, const struct instruction *instruction, struct bytes text, uint32_t *at)
{
    uint32_t code;
    if (*at == text.length)
        return false;
    unsigned length = program_character(text, *at, &code);
    if (!program_takes(program, instruction, code))
        return false;
    *at += length;
    return true;
}

/* Goes the preferred way until it ends, and leaves others behind. Returns whether it ends in a match, at *end. */
static bool go(struct search *search, struct way way, uint32_t *count, uint32_t *end)
{
    const struct cel_regexp_program *program = search->program;
    struct bytes text = search->text;
    uint32_t at = way.at, next = way.instruction;
    for (; search->steps; search->steps--) {
        const struct instruction *instruction = &program->code[next];
        next = instruction->next;
        if (instruction->join && was_seen(search, instruction->join, at))
            return false;
        switch (instruction->op) {
        case INSTRUCTION_MATCH:
            *end = at;
            return true;
        case INSTRUCTION_SPLIT:
            search->ways[(*count)++] = (struct way){ instruction->other, at };
            break;
        case INSTRUCTION_BYTE:
            if (at == text.length || (unsigned char)text.data[at] != instruction->other)
                return false;
            at++;
            break;
        case INSTRUCTION_CHARACTER: case INSTRUCTION_CLASS: case INSTRUCTION_ANY: case INSTRUCTION_ANY_BUT_LINE_END:
            if (!take(program, instruction, text, &at))
                return false;
            break;
        case INSTRUCTION_FAIL: case INSTRUCTION_JUMP:
            return false;
        default:
            if (!program_holds(instruction->op, text, at))
                return false;
        }
    }
    return false;
}

static void run(struct search *search, struct cel_match *match)
{
    for (uint32_t at = search->from; (at = program_candidate(search->program, search->text, at)) != UINT32_MAX && search->steps; at++) {
        uint32_t count = 1, end;
        search->ways[0] = (struct way){ search->program->start, at };
        while (count) {
            struct way way = search->ways[--count];
            if (go(search, way, &count, &end)) {
                *match = (struct cel_match){ .found = true, .start = at, .end = end };
                return;
            }
        }
    }
}

enum failure cel_regexp_find(struct cel_matcher *matcher, const struct cel_regexp_program *program, struct bytes text, uint32_t from,
                             struct cel_match *match)
{
    struct search search = { .program = program, .text = text, .from = from, .places = text.length - from + 1, .steps = matcher->steps };
    uint64_t words = ((uint64_t)program->joins * search.places + 63) / 64, ways = (uint64_t)program->splits * search.places + 1;
    bool small = words * 64 <= LIMIT_CEL_REGEXP_SEEN && ways <= LIMIT_CEL_REGEXP_SEEN;
    size_t bytes = small ? words * sizeof *search.seen + ways * sizeof *search.ways : regexp_threads_bytes(program);
    void *memory = take_memory(matcher, bytes);
    if (!memory)
        return matcher->arena->failure;
    *match = (struct cel_match){ .found = false };
    if (small) {
        search.seen = memory;
        search.ways = (struct way *)(search.seen + words);
        search.steps -= words < search.steps ? words : search.steps;
        memset(search.seen, 0, words * sizeof *search.seen);
        run(&search, match);
    } else {
        regexp_run_threads(program, text, from, memory, &search.steps, match);
    }
    matcher->steps = search.steps;
    return search.steps ? FAILURE_NONE : FAILURE_LIMIT;
}

enum failure cel_regexp_next(struct cel_matcher *matcher, const struct cel_regexp_program *program, struct bytes text,
                             struct cel_match_all *all)
{
    uint32_t code, last = all->match.end;
    bool again = all->again, taken = false;
    while (!taken && all->from <= text.length) {
        enum failure failure = cel_regexp_find(matcher, program, text, all->from, &all->match);
        if (failure)
            return failure;
        if (!all->match.found)
            break;
        taken = all->match.end != all->from || !again || all->match.start != last;
        if (all->match.end == all->from)
            all->from += all->from < text.length ? program_character(text, all->from, &code) : 1;
        else
            all->from = all->match.end;
        again = true;
        last = all->match.end;
    }
    if (!taken)
        all->match = (struct cel_match){ .found = false };
    all->again = again;
    return FAILURE_NONE;
}
