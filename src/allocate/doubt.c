#include "allocate/doubt.h"

enum { DOUBT_STEPS = 100000, DOUBT_LOOKS = 10000000 }; /* attempts that take more are not repeated */

/* ---- answers ---- */

/* What an attempt gave. */
struct answer {
    enum allocate_outcome outcome;
    const struct allocate_identity **devices; /* of all claims, in their order */
    uint32_t count;
};

static enum failure read_answer(const struct allocate_attempt *attempt, enum allocate_outcome outcome, struct arena *arena,
                                struct answer *answer)
{
    uint32_t room = outcome ? 0 : attempt->claims->count * LIMIT_ALLOCATE_RESULTS;
    *answer = (struct answer){ .outcome = outcome, .devices = arena_alloc(arena, room * sizeof *answer->devices + 1) };
    if (!answer->devices)
        return arena->failure;
    for (uint32_t i = 0; i < attempt->claims->count && !outcome; i++)
        for (uint32_t j = 0; j < attempt->results[i].count; j++)
            answer->devices[answer->count++] = attempt->results[i].list[j].device->identity;
    return FAILURE_NONE;
}

static bool is_same(const struct answer *a, const struct answer *b)
{
    return a->outcome == b->outcome && a->count == b->count &&
           (!a->count || memcmp(a->devices, b->devices, a->count * sizeof *a->devices) == 0);
}

static enum failure run_again(struct allocate_attempt *attempt, struct arena *arena, struct answer *answer)
{
    enum allocate_outcome outcome = allocate_attempt_run(attempt, attempt->claims, attempt->node);
    return attempt->failure ? attempt->failure : read_answer(attempt, outcome, arena, answer);
}

/* ---- doubts ---- */

static const char *words_of(const struct answer *answer, const struct answer *other)
{
    if (answer->outcome == other->outcome)
        return "other devices are allocated";
    if (other->outcome == ALLOCATE_DONE)
        return "the claims are allocated";
    return answer->outcome == ALLOCATE_DONE ? "the claims do not fit" : "the claims are refused with another reason";
}

static enum failure add_doubt(struct arena *arena, struct allocate_doubts *doubts, const char *id, const char *what, const char *words)
{
    struct text text;
    text_init(&text, arena);
    text_add(&text, what);
    text_add(&text, words);
    const char *end = text_end(&text);
    if (!end)
        return arena->failure;
    doubts->list[doubts->count++] = (struct allocate_doubt){ id, end };
    return FAILURE_NONE;
}

/* Faults that can be switched off one by one. */
static const struct fault {
    const char *id, *what;
    size_t at; /* in struct allocate_mode */
} faults[] = {
    { "kubernetes#138882", "this release's scheduler panics where allocationMode is All and devices consume counters; without that ",
      offsetof(struct allocate_mode, all_panics) },
    { "kubernetes#137347", "this release mixes up subrequests with allocationMode All; without that ",
      offsetof(struct allocate_mode, wrong_choice) },
    { "kubernetes#140431", "in this release devices that are refused late keep what they have reserved; without that ",
      offsetof(struct allocate_mode, leaks) },
    { "kubernetes#140438", "in this release distinctAttribute forgets all but the last device of a request; without that ",
      offsetof(struct allocate_mode, forgets) },
    { "kubernetes#140300", "in this release matchAttribute on lists keeps what it has narrowed down; without that ",
      offsetof(struct allocate_mode, stays_narrow) },
};

static enum failure try_without(struct allocate_attempt *attempt, const struct answer *answer, const struct fault *fault,
                                struct arena *arena, struct allocate_doubts *doubts)
{
    bool *flag = (bool *)((char *)&attempt->world->mode + fault->at);
    struct answer other;
    if (!*flag)
        return FAILURE_NONE;
    *flag = false;
    enum failure failure = run_again(attempt, arena, &other);
    *flag = true;
    if (failure || is_same(answer, &other))
        return failure;
    return add_doubt(arena, doubts, fault->id, fault->what, words_of(answer, &other));
}

/* ---- order ---- */

static void reverse(void **list, uint32_t count)
{
    for (uint32_t i = 0; i < count / 2; i++) {
        void *kept = list[i];
        list[i] = list[count - 1 - i];
        list[count - 1 - i] = kept;
    }
}

/* Turns the order of pools and of their slices round. */
static void turn_view(const struct allocate_view *view)
{
    reverse((void **)view->pools, view->count);
    for (uint32_t i = 0; i < view->count; i++)
        reverse((void **)view->pools[i]->here, view->pools[i]->here_count);
}

static enum failure try_order(struct allocate_attempt *attempt, const struct answer *answer, struct arena *arena,
                              struct allocate_doubts *doubts)
{
    struct answer other;
    if (attempt->world->mode.node_first)
        return FAILURE_NONE;
    turn_view(attempt->view);
    enum failure failure = run_again(attempt, arena, &other);
    turn_view(attempt->view);
    if (failure || is_same(answer, &other))
        return failure;
    return add_doubt(arena, doubts, "order", "this release goes through pools in random order; in another one ", words_of(answer, &other));
}

enum failure allocate_doubts_find(struct allocate_attempt *attempt, enum allocate_outcome outcome, struct arena *arena,
                                  struct allocate_doubts *doubts)
{
    struct answer answer;
    doubts->count = 0;
    if (attempt->steps > DOUBT_STEPS || attempt->looks > DOUBT_LOOKS || outcome == ALLOCATE_GAVE_UP)
        return FAILURE_NONE;
    enum failure failure = read_answer(attempt, outcome, arena, &answer);
    if (!failure)
        failure = try_order(attempt, &answer, arena, doubts);
    for (size_t i = 0; i < sizeof faults / sizeof *faults && !failure; i++)
        failure = try_without(attempt, &answer, &faults[i], arena, doubts);
    return failure;
}
