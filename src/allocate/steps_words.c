/* The steps of a search in words. */
#include "allocate/report.h"
#include "match/taint.h"

static void add_name(struct text *text, struct bytes name)
{
    text_add_escaped(text, name, LIMIT_ALLOCATE_NAME_BYTES);
}

/* ---- why a device is refused ---- */

static void add_element(struct text *text, const struct allocate_world *world, const struct allocate_step *step)
{
    (void)world;
    text_add_integer(text, step->refusal.number);
    text_add(text, "]");
}

static void add_class_selector(struct text *text, const struct allocate_world *world, const struct allocate_step *step)
{
    add_element(text, world, step);
    text_add(text, " of class ");
    add_name(text, step->ask->class->name);
}

/* A capacity or a counter set. */
static void add_known(struct text *text, const struct allocate_world *world, const struct allocate_step *step)
{
    add_name(text, names_text(&world->names, step->refusal.number));
}

static void add_counter(struct text *text, const struct allocate_world *world, const struct allocate_step *step)
{
    for (uint32_t i = 0; i < step->device->use_count; i++)
        if (step->device->uses[i].slot == step->refusal.number) {
            allocate_counter_add(world, &step->device->uses[i], text);
            return;
        }
}

static void add_taint(struct text *text, const struct allocate_world *world, const struct allocate_step *step)
{
    (void)world;
    match_taint_add(text, &(struct match_taint){ .taint = step->device->taints[step->refusal.number].value });
}

/* What is said before the name or number of what refuses, that, and what is said after it. */
static const struct refused_words {
    const char *before;
    void (*add)(struct text *text, const struct allocate_world *world, const struct allocate_step *step);
    const char *after;
} refused_words[] = {
    [REFUSED_HELD] = { "in use", NULL, "" },
    [REFUSED_DOING] = { "taken already", NULL, "" },
    [REFUSED_CONDITIONS] = { "bindingConditions, but the scheduler's feature gate DRADeviceBindingConditions is off", NULL, "" },
    [REFUSED_CLASS] = { "false is selectors[", add_class_selector, "" },
    [REFUSED_SELECTOR] = { "false is selectors[", add_element, "" },
    [REFUSED_NODE] = { "for other nodes", NULL, "" },
    [REFUSED_SKIPPING] = { "skips operations of the node, which has not DRAOptionalNodeOperations", NULL, "" },
    [REFUSED_LACKING] = { "a capacity that is asked for is missing", NULL, "" },
    [REFUSED_POLICY] = { "capacity ", add_known, " is not given in such an amount" },
    [REFUSED_FULL] = { "capacity ", add_known, ": less is left" },
    [REFUSED_PARTS] = { "consumes counters, but the scheduler's feature gate DRAPartitionableDevices is off", NULL, "" },
    [REFUSED_GROUPS] = { "compatibility groups of counter set ", add_known, "" },
    [REFUSED_OVERDRAWN] = { "more of the pool's counters is allocated than there is", NULL, "" },
    [REFUSED_COUNTER] = { "counter ", add_counter, ": less is left" },
    [REFUSED_TAINT] = { "taint ", add_taint, "" },
    [REFUSED_CONSTRAINT] = { "constraints[", add_element, "" },
};

/* ---- one step ---- */

/* "pool gpu.acme.dev/node-2: passed over: incomplete (1 slice of 2)" */
static enum failure describe_pool(const struct allocate_step *step, struct text *text, struct allocate_told *told)
{
    text_add(text, "pool ");
    add_name(text, step->pool->name->driver);
    text_add(text, "/");
    add_name(text, step->pool->name->name);
    text_add(text, step->pool->incomplete ? ": passed over: incomplete" : ": passed over: invalid");
    allocate_pool_state_add(step->pool, text);
    return allocate_text_end(text, &told->text);
}

/* "gpu 1 of 2", "gpu, all": which device of the request. */
static void add_place(struct text *text, const struct allocate_step *step)
{
    const struct allocate_ask *ask = step->ask;
    if (ask->mode == ALLOCATE_ALL) {
        text_add(text, ", all");
    } else if (step->move != MOVE_TOO_MANY) {
        text_add(text, " ");
        text_add_integer(text, (int64_t)step->index + 1);
        text_add(text, " of ");
        text_add_integer(text, ask->count);
    }
}

/* "gpu.acme.dev/node-1/gpu-0", and " to gpu-3 (4 devices)" if there are several. */
static void add_devices(struct text *text, const struct allocate_step *step, const char *first)
{
    text_add(text, first ? ": " : "");
    text_add(text, first ? first : "");
    if (step->count == 1)
        return;
    text_add(text, " to ");
    add_name(text, step->last->name);
    text_add(text, " (");
    text_add_integer(text, step->count);
    text_add(text, " devices)");
}

static void add_move(struct text *text, const struct allocate_world *world, const struct allocate_step *step)
{
    static const char *const moves[] = {
        [MOVE_TAKEN] = ": taken",
        [MOVE_REFUSED] = ": no: ",
        [MOVE_RETURNED] = ": given back",
        [MOVE_EXHAUSTED] = ": no device is left",
        [MOVE_TOO_MANY] = ": a claim cannot have so many devices",
        [MOVE_FAILED] = ": ends the search",
    };
    const struct refused_words *words = &refused_words[step->refusal.by];
    text_add(text, moves[step->move]);
    if (step->move != MOVE_REFUSED)
        return;
    text_add(text, words->before);
    if (words->add)
        words->add(text, world, step);
    text_add(text, words->after);
}

static enum failure describe(const struct allocate_attempt *attempt, const struct allocate_step *step, struct arena *arena,
                             struct allocate_told *told)
{
    struct text request, device, text;
    text_init(&request, arena);
    text_init(&device, arena);
    text_init(&text, arena);
    *told = (struct allocate_told){ .depth = step->depth, .count = step->count, .move = allocate_move_name(step->move) };
    if (step->move == MOVE_REFUSED)
        told->refused = allocate_refused_name(step->refusal.by);
    if (step->move == MOVE_PASSED)
        return describe_pool(step, &text, told);
    allocate_ask_add(&request, step->claim, step->ask, attempt->claims->count > 1);
    enum failure failure = allocate_text_end(&request, &told->request);
    if (!failure && step->device) {
        allocate_device_add_words(&device, step->device);
        failure = allocate_text_end(&device, &told->device);
    }
    if (failure)
        return failure;
    text_add(&text, told->request);
    add_place(&text, step);
    add_devices(&text, step, told->device);
    add_move(&text, attempt->world, step);
    return allocate_text_end(&text, &told->text);
}

enum failure allocate_steps_describe(const struct allocate_attempt *attempt, const struct allocate_steps *steps, struct arena *arena,
                                     struct allocate_story *story)
{
    struct allocate_told *list = arena_alloc(arena, steps->count * sizeof *list + 1);
    enum failure failure = list ? FAILURE_NONE : arena->failure;
    for (uint32_t i = 0; i < steps->count && !failure; i++)
        failure = describe(attempt, &steps->list[i], arena, &list[i]);
    *story = (struct allocate_story){ list, failure ? 0 : steps->count, steps->more };
    return failure;
}
