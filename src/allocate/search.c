/* The search, in the order in which Kubernetes goes through pools, slices and devices; the first solution counts. It keeps its own stack of
 * frames, so that no input makes it recurse. Source: k8s.io/dynamic-resource-allocation v0.36.3
 * structured/internal/experimental/allocator_experimental.go, allocateOne. */
#include "allocate/attempt.h"

/* What is to be done: device number `index` of an ask. */
struct step {
    uint32_t claim, request, choice;
    int64_t index;
    bool chosen;          /* the choice among subrequests is made */
    struct allocate_position start; /* where the search for the device begins */
};

enum waiting_kind {
    FRAME_NEXT_CLAIM,
    FRAME_CHOICES, /* tries one subrequest after the other */
    FRAME_ALL,     /* has taken a device of allocationMode All */
    FRAME_DEVICES, /* tries one device after the other, and has taken one */
};

/* A step that waits for what follows it. */
struct waiting {
    enum waiting_kind kind;
    struct step step;
    bool every;              /* of FRAME_CHOICES: each so far had too many results */
    struct allocate_position at; /* of FRAME_DEVICES: the device that is taken */
    struct allocate_undo undo;
};

struct search {
    struct allocate_attempt *attempt;
    struct waiting *frames;
    uint32_t count, room;
};

static struct waiting *push(struct search *search, enum waiting_kind kind, const struct step *step)
{
    struct allocate_attempt *attempt = search->attempt;
    if (search->count == search->room) {
        uint32_t room = search->room ? search->room * 2 : 64;
        struct waiting *frames = arena_alloc(&attempt->arena, room * sizeof *frames);
        if (!frames) {
            attempt->failure = attempt->arena.failure;
            return NULL;
        }
        if (search->count)
            memcpy(frames, search->frames, search->count * sizeof *frames);
        search->frames = frames;
        search->room = room;
    }
    struct waiting *frame = &search->frames[search->count++];
    *frame = (struct waiting){ .kind = kind, .step = *step, .every = true };
    return frame;
}

static const struct allocate_request *request_of(const struct search *search, const struct step *step)
{
    return &search->attempt->claims->list[step->claim].requests[step->request];
}

/* ---- devices one after the other ---- */

/* Takes the device, if it can be for the ask. */
static enum allocate_outcome try_device(struct allocate_attempt *attempt, const struct allocate_claim *claim,
                                        const struct allocate_ask *ask, const struct allocate_found *found, struct allocate_undo *undo)
{
    const struct allocate_identity *identity = found->device->identity;
    bool admin = ask->admin && !ask->request->alternatives, can;
    if (admin ? (identity->doing >> claim->index) & 1 : identity->taken || identity->doing)
        return allocate_refuse(attempt, admin || !identity->taken ? REFUSED_DOING : REFUSED_HELD, 0);
    enum allocate_outcome outcome = allocate_selectable(attempt, claim, ask, found->device, &can);
    if (!outcome && can && attempt->world->mode.on.consume)
        outcome = allocate_fits(attempt, claim, ask, found->device, false, &can);
    if (outcome)
        return outcome;
    return can ? allocate_take(attempt, claim, ask, found, false, undo) : ALLOCATE_CANNOT;
}

/* Takes the first device from `at` on. ALLOCATE_CANNOT: there is none. */
static enum allocate_outcome take_next(struct allocate_attempt *attempt, const struct allocate_claim *claim, const struct allocate_ask *ask,
                                       struct allocate_position *at, struct allocate_undo *undo)
{
    const struct allocate_device *device;
    for (; (device = allocate_view_device(attempt->view, at, true)); at->device++) {
        const struct allocate_found found = { attempt->view->pools[at->pool], device };
        if (++attempt->looks > attempt->most_looks)
            return ALLOCATE_GAVE_UP;
        enum allocate_outcome outcome = try_device(attempt, claim, ask, &found, undo);
        allocate_tell_outcome(attempt, outcome, claim, ask, device);
        if (outcome != ALLOCATE_CANNOT)
            return outcome;
    }
    allocate_tell(attempt, MOVE_EXHAUSTED, claim, ask, NULL);
    return ALLOCATE_CANNOT;
}

/* Goes on with the next device; *step is what follows when one is taken. */
static enum allocate_outcome try_devices(struct search *search, struct step *step, bool *goes_on)
{
    struct waiting *frame = &search->frames[search->count - 1];
    const struct step *own = &frame->step;
    const struct allocate_claim *claim = &search->attempt->claims->list[own->claim];
    const struct allocate_ask *ask = &claim->requests[own->request].asks[own->choice];
    enum allocate_outcome outcome = take_next(search->attempt, claim, ask, &frame->at, &frame->undo);
    *goes_on = !outcome;
    if (outcome) {
        search->count--;
        return outcome;
    }
    *step = *own;
    step->index++;
    step->start = (struct allocate_position){ 0 };
    if (search->attempt->world->mode.combinations)
        step->start = (struct allocate_position){ frame->at.pool, frame->at.slice, frame->at.device + 1 };
    return ALLOCATE_DONE;
}

/* ---- steps ---- */

static enum allocate_outcome take_all(struct search *search, struct step *step, bool *goes_on)
{
    struct allocate_attempt *attempt = search->attempt;
    const struct allocate_claim *claim = &attempt->claims->list[step->claim];
    const struct allocate_ask *ask = &claim->requests[step->request].asks[step->choice];
    struct waiting *frame = push(search, FRAME_ALL, step);
    if (!frame)
        return ALLOCATE_FAILED;
    const struct allocate_found *found = &attempt->prepared[ask->number].all[step->index];
    enum allocate_outcome outcome = allocate_take(attempt, claim, ask, found, true, &frame->undo);
    allocate_tell_outcome(attempt, outcome, claim, ask, found->device);
    *goes_on = !outcome;
    if (outcome)
        search->count--;
    step->index++;
    if (attempt->world->mode.wrong_choice)
        step->choice = 0;
    return outcome;
}

static void next_request(struct step *step)
{
    *step = (struct step){ .claim = step->claim, .request = step->request + 1 };
}

/* A step of an ask. *goes_on: *step is the next one; else the outcome counts. */
static enum allocate_outcome ask_for(struct search *search, struct step *step, bool *goes_on)
{
    struct allocate_attempt *attempt = search->attempt;
    const struct allocate_claim *claim = &attempt->claims->list[step->claim];
    const struct allocate_ask *ask = &request_of(search, step)->asks[step->choice];
    const struct allocate_prepared *prepared = &attempt->prepared[ask->number];
    *goes_on = false;
    if (ask->mode == ALLOCATE_ALL && !prepared->number) {
        allocate_tell(attempt, MOVE_EXHAUSTED, claim, ask, NULL);
        return ALLOCATE_CANNOT;
    }
    if (step->index >= prepared->number) {
        next_request(step);
        *goes_on = true;
        return ALLOCATE_DONE;
    }
    if (attempt->results[step->claim].count + (prepared->number - step->index) > LIMIT_ALLOCATE_RESULTS) {
        allocate_tell(attempt, MOVE_TOO_MANY, claim, ask, NULL);
        return attempt->world->mode.old_stable ? ALLOCATE_CANNOT : ALLOCATE_TOO_MANY;
    }
    if (ask->mode == ALLOCATE_ALL)
        return take_all(search, step, goes_on);
    struct waiting *frame = push(search, FRAME_DEVICES, step);
    if (!frame)
        return ALLOCATE_FAILED;
    frame->at = step->start;
    return try_devices(search, step, goes_on);
}

static enum allocate_outcome begin(struct search *search, struct step *step, bool *goes_on)
{
    struct allocate_attempt *attempt = search->attempt;
    *goes_on = false;
    if (++attempt->steps > attempt->most_steps)
        return ALLOCATE_GAVE_UP;
    if (step->claim == attempt->claims->count)
        return ALLOCATE_DONE;
    bool next = step->request == attempt->claims->list[step->claim].request_count;
    if (!next && (step->chosen || !request_of(search, step)->alternatives))
        return ask_for(search, step, goes_on);
    *goes_on = push(search, next ? FRAME_NEXT_CLAIM : FRAME_CHOICES, step) != NULL;
    if (next)
        *step = (struct step){ .claim = step->claim + 1 };
    else
        step->chosen = true;
    return *goes_on ? ALLOCATE_DONE : ALLOCATE_FAILED;
}

/* ---- what follows a step ---- */

static enum allocate_outcome end_choice(struct search *search, enum allocate_outcome outcome, struct step *step, bool *goes_on)
{
    struct waiting *frame = &search->frames[search->count - 1];
    const struct allocate_request *request = request_of(search, &frame->step);
    uint32_t choice = frame->step.choice;
    frame->every = frame->every && outcome == ALLOCATE_TOO_MANY;
    if (outcome == ALLOCATE_DONE)
        search->attempt->prepared[request->asks[0].number].chosen = choice;
    if ((outcome == ALLOCATE_CANNOT || outcome == ALLOCATE_TOO_MANY) && choice + 1 < request->ask_count) {
        frame->step.choice++;
        *step = frame->step;
        step->chosen = true;
        *goes_on = true;
        return ALLOCATE_DONE;
    }
    search->count--;
    if (outcome != ALLOCATE_CANNOT && outcome != ALLOCATE_TOO_MANY)
        return outcome;
    return frame->every && !search->attempt->world->mode.old_stable ? ALLOCATE_TOO_MANY : ALLOCATE_CANNOT;
}

/* Gives the last device of the claim back. */
static void give_back(struct allocate_attempt *attempt, const struct allocate_claim *claim, const struct allocate_undo *undo)
{
    const struct allocate_results *results = &attempt->results[claim->index];
    const struct allocate_result result = results->list[results->count - 1];
    allocate_untake(attempt, claim, undo);
    allocate_tell(attempt, MOVE_RETURNED, claim, result.ask, result.device);
}

static enum allocate_outcome end_device(struct search *search, enum allocate_outcome outcome, struct step *step, bool *goes_on)
{
    struct waiting *frame = &search->frames[search->count - 1];
    const struct allocate_claim *claim = &search->attempt->claims->list[frame->step.claim];
    if (outcome == ALLOCATE_CANNOT || outcome == ALLOCATE_TOO_MANY)
        give_back(search->attempt, claim, &frame->undo);
    if (outcome != ALLOCATE_CANNOT || frame->kind == FRAME_ALL) {
        search->count--;
        return outcome;
    }
    frame->at.device++;
    return try_devices(search, step, goes_on);
}

/* Gives the outcome to the frame that waits for it. */
static enum allocate_outcome end(struct search *search, enum allocate_outcome outcome, struct step *step, bool *goes_on)
{
    switch (search->frames[search->count - 1].kind) {
    case FRAME_NEXT_CLAIM:
        search->count--;
        return outcome == ALLOCATE_TOO_MANY ? ALLOCATE_CANNOT : outcome;
    case FRAME_CHOICES:
        return end_choice(search, outcome, step, goes_on);
    case FRAME_ALL:
    case FRAME_DEVICES:
        break;
    }
    return end_device(search, outcome, step, goes_on);
}

enum allocate_outcome allocate_search(struct allocate_attempt *attempt)
{
    struct search search = { .attempt = attempt };
    struct step step = { .claim = 0 };
    for (uint32_t i = 0; i < attempt->view->count; i++)
        if (!allocate_pool_is_usable(attempt->view->pools[i]))
            allocate_tell_pool(attempt, attempt->view->pools[i]);
    for (;;) {
        bool goes_on = false;
        enum allocate_outcome outcome = begin(&search, &step, &goes_on);
        while (!goes_on && search.count)
            outcome = end(&search, outcome, &step, &goes_on);
        if (!goes_on)
            return outcome;
        if (attempt->failure)
            return ALLOCATE_FAILED;
    }
}
