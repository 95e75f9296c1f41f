/* What each request asks for. Source: k8s.io/dynamic-resource-allocation v0.36.3
 * structured/internal/experimental/allocator_experimental.go, Allocate and validateDeviceRequest. */
#include "allocate/attempt.h"

/* ---- errors ---- */

static enum allocate_outcome refuse_named(struct allocate_attempt *attempt, const struct allocate_claim *claim, const char *what,
                                          struct bytes name, const char *why)
{
    struct text text = allocate_error_begin(attempt, claim);
    text_add(&text, what);
    text_add_bytes(&text, name);
    text_add(&text, why);
    return allocate_error_end(attempt, ALLOCATE_FATAL, &text);
}

static enum allocate_outcome refuse(struct allocate_attempt *attempt, const struct allocate_claim *claim, const struct allocate_ask *ask,
                                    const char *why)
{
    return refuse_named(attempt, claim, ", request ", ask->name, why);
}

static enum allocate_outcome refuse_pool(struct allocate_attempt *attempt, const struct allocate_claim *claim,
                                         const struct allocate_ask *ask, const struct allocate_pool *pool)
{
    struct text text = allocate_error_begin(attempt, claim);
    attempt->unusable = pool;
    text_add(&text, ", request ");
    text_add_bytes(&text, ask->name);
    text_add(&text, ": asks for all devices, but resource pool ");
    allocate_pool_add_id(&text, pool->name);
    text_add(&text, pool->incomplete ? " is currently being updated" : " is currently invalid");
    return allocate_error_end(attempt, ALLOCATE_FATAL, &text);
}

static enum allocate_outcome refuse_class(struct allocate_attempt *attempt, const struct allocate_claim *claim,
                                          const struct allocate_ask *ask)
{
    struct text text = allocate_error_begin(attempt, claim);
    text_add(&text, ", request ");
    text_add_bytes(&text, ask->name);
    text_add(&text, ": could not retrieve device class ");
    text_add_bytes(&text, ask->class_name);
    text_add(&text, ": deviceclass.resource.k8s.io \"");
    text_add_bytes(&text, ask->class_name);
    text_add(&text, "\" not found");
    return allocate_error_end(attempt, ALLOCATE_FATAL, &text);
}

static enum allocate_outcome refuse_numbered(struct allocate_attempt *attempt, const struct allocate_claim *claim, struct text *text,
                                             const char *what, uint32_t number, const char *why)
{
    (void)claim;
    text_add(text, what);
    text_add_integer(text, number);
    text_add(text, why);
    return allocate_error_end(attempt, ALLOCATE_FATAL, text);
}

/* ---- selectors ---- */

static enum allocate_outcome selector_failed(struct allocate_attempt *attempt, const struct allocate_claim *claim,
                                             const struct allocate_ask *ask, const struct allocate_device *device, bool of_class,
                                             uint32_t index)
{
    struct text text = allocate_error_begin(attempt, of_class ? NULL : claim);
    struct allocate_selector *selector = of_class ? ask->class->selectors[index] : ask->selectors[index];
    if (of_class) {
        text_add(&text, "class ");
        text_add_bytes(&text, ask->class->name);
    }
    text_add(&text, ": selector #");
    text_add_integer(&text, index);
    if (attempt->world->mode.names_device && selector->expression->program) {
        text_add(&text, " on device ");
        allocate_device_add_id(&text, device);
    }
    text_add(&text, ": ");
    enum failure failure = allocate_selector_error(attempt->world, selector, device, &text);
    return failure ? allocate_fail(attempt, failure) : allocate_error_end(attempt, ALLOCATE_FATAL, &text);
}

enum allocate_outcome allocate_selectable(struct allocate_attempt *attempt, const struct allocate_claim *claim,
                                          const struct allocate_ask *like, const struct allocate_device *device, bool *can)
{
    const struct allocate_class *class = like->class;
    uint32_t count = class->selector_count + like->selector_count;
    enum failure failure;
    *can = !device->has_conditions || attempt->world->mode.on.bind;
    if (!*can)
        allocate_refuse(attempt, REFUSED_CONDITIONS, 0);
    for (uint32_t i = 0; i < count && *can; i++) {
        bool of_class = i < class->selector_count;
        uint32_t index = of_class ? i : i - class->selector_count;
        enum allocate_truth truth;
        failure = allocate_selector_ask(attempt->world, of_class ? class->selectors[index] : like->selectors[index], device, &truth);
        if (failure)
            return allocate_fail(attempt, failure);
        if (truth == ALLOCATE_FAILS)
            return selector_failed(attempt, claim, like, device, of_class, index);
        *can = truth == ALLOCATE_TRUE;
        if (!*can)
            allocate_refuse(attempt, of_class ? REFUSED_CLASS : REFUSED_SELECTOR, index);
    }
    if (!*can || !device->slice->by_device)
        return ALLOCATE_DONE;
    failure = allocate_on_node(attempt->world, &device->place, attempt->node, can);
    if (!*can)
        allocate_refuse(attempt, REFUSED_NODE, 0);
    return failure ? allocate_fail(attempt, failure) : ALLOCATE_DONE;
}

/* ---- all devices ---- */

static uint32_t count_devices(const struct allocate_view *view)
{
    uint32_t count = 0;
    for (struct allocate_position at = { 0 }; allocate_view_device(view, &at, false); at.device++)
        count++;
    return count;
}

static enum allocate_outcome add_all_of(struct allocate_attempt *attempt, const struct allocate_claim *claim,
                                        const struct allocate_ask *ask, const struct allocate_ask *like, const struct allocate_pool *pool)
{
    struct allocate_prepared *prepared = &attempt->prepared[ask->number];
    for (uint32_t i = 0; i < pool->here_count; i++)
        for (uint32_t j = 0; j < pool->here[i]->device_count; j++) {
            const struct allocate_device *device = &pool->here[i]->devices[j];
            bool can;
            enum allocate_outcome outcome = allocate_selectable(attempt, claim, like, device, &can);
            if (!outcome && can && attempt->world->mode.on.consume)
                outcome = allocate_fits(attempt, claim, ask, device, attempt->world->mode.all_static, &can);
            if (outcome || !can)
                allocate_tell(attempt, outcome ? MOVE_FAILED : MOVE_REFUSED, claim, ask, device);
            if (outcome)
                return outcome;
            if (can)
                prepared->all[prepared->number++] = (struct allocate_found){ pool, device };
        }
    return ALLOCATE_DONE;
}

/* `like`: the ask whose selectors count, which in releases with that fault is the one before. */
static enum allocate_outcome find_all(struct allocate_attempt *attempt, const struct allocate_claim *claim,
                                      const struct allocate_ask *ask, const struct allocate_ask *like)
{
    struct allocate_prepared *prepared = &attempt->prepared[ask->number];
    prepared->all = arena_alloc(&attempt->arena, (count_devices(attempt->view) + 1) * sizeof *prepared->all);
    if (!prepared->all)
        return allocate_fail(attempt, attempt->arena.failure);
    for (uint32_t i = 0; i < attempt->view->count; i++) {
        const struct allocate_pool *pool = attempt->view->pools[i];
        enum allocate_outcome outcome = allocate_pool_is_usable(pool) ? add_all_of(attempt, claim, ask, like, pool)
                                                                      : refuse_pool(attempt, claim, ask, pool);
        if (outcome)
            return outcome;
    }
    return ALLOCATE_DONE;
}

/* ---- requests ---- */

static const struct allocate_ask *like_of(const struct allocate_mode *mode, const struct allocate_ask *ask)
{
    const struct allocate_ask *first = ask->request->asks;
    return mode->wrong_choice && ask->index == 1 && first->mode == ALLOCATE_ALL ? first : ask;
}

static enum allocate_outcome refuse_mode(struct allocate_attempt *attempt, const struct allocate_claim *claim,
                                         const struct allocate_ask *ask)
{
    struct text text = allocate_error_begin(attempt, claim);
    text_add(&text, ", request ");
    text_add_bytes(&text, ask->name);
    text_add(&text, ": unsupported count mode ");
    text_add_bytes(&text, ask->mode_text);
    return allocate_error_end(attempt, ALLOCATE_FATAL, &text);
}

static enum allocate_outcome prepare_ask(struct allocate_attempt *attempt, const struct allocate_claim *claim,
                                         const struct allocate_ask *ask)
{
    const struct allocate_mode *mode = &attempt->world->mode;
    if (mode->refuses_derived && ask->derivation_count)
        return refuse(attempt, claim, ask, ": cannot handle request with derived attributes, the feature is disabled");
    for (uint32_t i = 0; i < ask->selector_count; i++) {
        if (ask->selectors[i]->expression)
            continue;
        struct text text = allocate_error_begin(attempt, claim);
        text_add(&text, ", request ");
        text_add_bytes(&text, ask->name);
        return refuse_numbered(attempt, claim, &text, ", selector #", i, ": CEL expression empty (unsupported selector type?)");
    }
    if (!mode->on.admin && ask->mentions_admin && !ask->request->alternatives)
        return refuse(attempt, claim, ask, ": admin access is requested, but the feature is disabled");
    if (!ask->class_name.length)
        return refuse(attempt, claim, ask, ": missing device class name (unsupported request type?)");
    if (!ask->class)
        return refuse_class(attempt, claim, ask);
    attempt->prepared[ask->number].number = ask->mode == ALLOCATE_EXACT ? ask->count : 0;
    if (ask->mode == ALLOCATE_ALL)
        return find_all(attempt, claim, ask, like_of(mode, ask));
    return ask->mode == ALLOCATE_EXACT ? ALLOCATE_DONE : refuse_mode(attempt, claim, ask);
}

static enum allocate_outcome check_features(struct allocate_attempt *attempt, const struct allocate_claim *claim,
                                            const struct allocate_request *request)
{
    static const char disabled[] = ": has capacity requests, but the DRAConsumableCapacity feature is disabled";
    const struct allocate_mode *mode = &attempt->world->mode;
    if (request->alternatives && !mode->on.list)
        return refuse_named(attempt, claim, ", request ", request->name,
                            ": has subrequests, but the DRAPrioritizedList feature is disabled");
    for (uint32_t i = 0; i < request->ask_count && mode->rich && !mode->on.consume; i++)
        if (request->asks[i].mentions_capacity)
            return refuse_named(attempt, claim, request->alternatives ? ", subrequest " : ", request ", request->asks[i].name, disabled);
    return ALLOCATE_DONE;
}

static enum allocate_outcome prepare_request(struct allocate_attempt *attempt, const struct allocate_claim *claim,
                                             const struct allocate_request *request, int64_t *least)
{
    enum allocate_outcome outcome = check_features(attempt, claim, request);
    *least = INT64_MAX;
    for (uint32_t i = 0; i < request->ask_count && !outcome; i++) {
        const struct allocate_prepared *prepared = &attempt->prepared[request->asks[i].number];
        outcome = prepare_ask(attempt, claim, &request->asks[i]);
        *least = prepared->number < *least ? prepared->number : *least;
    }
    return outcome;
}

static enum allocate_outcome check_constraints(struct allocate_attempt *attempt, const struct allocate_claim *claim)
{
    for (uint32_t i = 0; i < claim->constraint_count; i++) {
        if (claim->constraints[i].match || (claim->constraints[i].distinct && attempt->world->mode.rich))
            continue;
        struct text text = allocate_error_begin(attempt, claim);
        return refuse_numbered(attempt, claim, &text, ", constraint #", i, ": empty constraint (unsupported constraint type?)");
    }
    return ALLOCATE_DONE;
}

/* As releases say it that look at each request. */
static enum allocate_outcome refuse_number(struct allocate_attempt *attempt, const struct allocate_claim *claim,
                                           const struct allocate_request *request, int64_t number, int64_t before)
{
    struct text text = allocate_error_begin(attempt, claim);
    text_add(&text, ", request ");
    text_add_bytes(&text, request->name);
    text_add(&text, ": adding ");
    text_add_integer(&text, number);
    text_add(&text, " devices exceeds the claim limit of ");
    text_add_integer(&text, LIMIT_ALLOCATE_RESULTS);
    return refuse_numbered(attempt, claim, &text, ", with ", (uint32_t)before, " already accounted for");
}

static enum allocate_outcome prepare_claim(struct allocate_attempt *attempt, const struct allocate_claim *claim)
{
    int64_t sum = 0, least;
    for (uint32_t i = 0; i < claim->request_count; i++) {
        enum allocate_outcome outcome = prepare_request(attempt, claim, &claim->requests[i], &least);
        if (outcome)
            return outcome;
        if (attempt->world->mode.by_request && least > LIMIT_ALLOCATE_RESULTS - sum)
            return refuse_number(attempt, claim, &claim->requests[i], least, sum);
        sum = least > INT64_MAX - sum ? INT64_MAX : sum + least;
    }
    if (sum > LIMIT_ALLOCATE_RESULTS) {
        struct text text = allocate_error_begin(attempt, claim);
        text_add(&text, ": number of requested devices ");
        text_add_integer(&text, sum);
        return refuse_numbered(attempt, claim, &text, " exceeds the claim limit of ", LIMIT_ALLOCATE_RESULTS, "");
    }
    return check_constraints(attempt, claim);
}

enum allocate_outcome allocate_prepare(struct allocate_attempt *attempt)
{
    enum allocate_outcome outcome = ALLOCATE_DONE;
    for (uint32_t i = 0; i < attempt->claims->count && !outcome; i++)
        outcome = prepare_claim(attempt, &attempt->claims->list[i]);
    return outcome;
}
