#include "allocate/claim.h"

#include "allocate/limits.h"
#include "match/device.h"

struct reading {
    struct allocate_world *world;
    struct arena *arena;
    bool defaults;
    enum failure failure;
    struct allocate_claims *claims;
};

static void *make(struct reading *reading, size_t count, size_t size)
{
    void *made = reading->failure ? NULL : arena_alloc(reading->arena, count * size + 1);
    if (made)
        memset(made, 0, count * size);
    else if (!reading->failure)
        reading->failure = reading->arena->failure;
    return made;
}

/* ---- requests ---- */

enum { DERIVED_SINCE = 37 };

static void read_mode(const struct reading *reading, struct allocate_ask *ask)
{
    struct value count = match_at(ask->root, "count"), mode = match_at(ask->root, "allocationMode");
    bool preset = reading->defaults && !value_text(mode).length;
    ask->mode_text = value_text(mode);
    ask->count = value_is_set(count) ? value_integer(count) : reading->defaults;
    if (preset || value_is(mode, "ExactCount"))
        ask->mode = ALLOCATE_EXACT;
    else
        ask->mode = value_is(mode, "All") ? ALLOCATE_ALL : ALLOCATE_OTHER_MODE;
}

static void read_asked(struct reading *reading, struct allocate_ask *ask)
{
    struct value requests = match_at(ask->root, "capacity.requests");
    struct allocate_asked *list = make(reading, value_count(requests), sizeof *list);
    ask->asked = list;
    value_each(requests, request) {
        bool is_new;
        if (reading->failure)
            return;
        struct allocate_asked *asked = &list[ask->asked_count++];
        asked->name = names_add(&reading->world->names, value_name(request), &is_new);
        if (asked->name == NAMES_NONE)
            reading->failure = reading->world->arena.failure;
        else
            reading->failure = amount_read(value_text(request), &reading->world->scratch, &asked->amount);
    }
}

static void read_derived(struct reading *reading, struct allocate_ask *ask)
{
    struct value attributes = match_at(ask->root, "derivedAttributes");
    if (reading->world->mode.version < DERIVED_SINCE)
        return;
    ask->derived = make(reading, value_count(attributes), sizeof *ask->derived);
    value_each(attributes, attribute) {
        if (reading->failure)
            return;
        struct allocate_derived *derived = &ask->derived[ask->derivation_count++];
        derived->name = value_text(match_at(attribute, "name"));
        reading->failure = allocate_derivation_of(reading->world, value_text(match_at(attribute, "expression")), &derived->derivation);
    }
}

static void read_ask(struct reading *reading, struct allocate_request *request, struct value root, struct bytes name)
{
    struct allocate_ask *ask = &request->asks[request->ask_count];
    struct value admin = match_at(root, "adminAccess"), selectors = match_at(root, "selectors");
    *ask = (struct allocate_ask){
        .root = root,
        .name = name,
        .request = request,
        .index = request->ask_count++,
        .number = reading->claims->ask_count++,
        .class_name = value_text(match_at(root, "deviceClassName")),
        .mentions_admin = value_is_set(admin),
        .admin = value_is_true(admin),
        .mentions_capacity = value_is_set(match_at(root, "capacity")),
        .tolerations = match_at(root, "tolerations"),
    };
    ask->class = allocate_class_named(reading->world, ask->class_name);
    ask->selectors = make(reading, value_count(selectors), sizeof(struct allocate_selector *));
    value_each(selectors, selector)
        if (!reading->failure)
            reading->failure = allocate_selector_of(reading->world, selector, &ask->selectors[ask->selector_count++]);
    read_mode(reading, ask);
    read_derived(reading, ask);
    read_asked(reading, ask);
}

static void read_request(struct reading *reading, struct allocate_claim *claim, struct value root)
{
    struct allocate_request *request = &claim->requests[claim->request_count];
    struct value list = match_at(root, "firstAvailable");
    uint32_t count = value_count(list);
    *request = (struct allocate_request){
        .root = root, .name = value_text(match_at(root, "name")), .index = claim->request_count++, .alternatives = count > 0,
    };
    request->asks = make(reading, count ? count : 1, sizeof *request->asks);
    if (!count && !reading->failure)
        read_ask(reading, request, match_at(root, "exactly"), request->name);
    value_each(list, choice)
        if (!reading->failure)
            read_ask(reading, request, choice, value_text(match_at(choice, "name")));
}

/* ---- constraints ---- */

static bool is_named(struct value names, const struct allocate_ask *ask)
{
    struct bytes request = ask->request->name;
    value_each(names, element) {
        struct bytes name = value_text(element);
        bool begins = name.length >= request.length && memcmp(name.data, request.data, request.length) == 0;
        if (!request.length || !begins)
            continue;
        if (name.length == request.length)
            return true;
        struct bytes rest = { name.data + request.length + 1, name.length - request.length - 1 };
        if (ask->request->alternatives && name.data[request.length] == '/' && bytes_equal(rest, ask->name))
            return true;
    }
    return false;
}

static void read_constraint(struct reading *reading, struct allocate_claim *claim, struct value root)
{
    struct allocate_constraint *constraint = &claim->constraints[claim->constraint_count++];
    struct value match = match_at(root, "matchAttribute"), distinct = match_at(root, "distinctAttribute");
    struct value names = match_at(root, "requests");
    *constraint = (struct allocate_constraint){
        .root = root,
        .match = value_is_set(match),
        .distinct = value_is_set(distinct),
        .attribute = value_text(value_text(match).length ? match : distinct),
        .concerns = make(reading, reading->claims->ask_count - claim->first_number, sizeof *constraint->concerns),
    };
    if (reading->failure)
        return;
    for (uint32_t i = 0; i < claim->request_count; i++)
        for (uint32_t j = 0; j < claim->requests[i].ask_count; j++) {
            const struct allocate_ask *ask = &claim->requests[i].asks[j];
            constraint->concerns[ask->number - claim->first_number] = !value_count(names) || is_named(names, ask);
        }
}

/* ---- claims ---- */

static void read_claim(struct reading *reading, struct value root)
{
    struct value templated = match_at(root, "spec.spec"), spec = value_is_set(templated) ? templated : match_at(root, "spec");
    struct value devices = match_at(spec, "devices");
    struct value requests = match_at(devices, "requests"), constraints = match_at(devices, "constraints");
    struct allocate_claim *claim = &reading->claims->list[reading->claims->count];
    *claim = (struct allocate_claim){
        .root = root,
        .spec = spec,
        .name = value_text(match_at(root, "metadata.name")),
        .space = value_text(match_at(root, "metadata.namespace")),
        .index = reading->claims->count++,
        .first_number = reading->claims->ask_count,
    };
    claim->requests = make(reading, value_count(requests), sizeof *claim->requests);
    claim->constraints = make(reading, value_count(constraints), sizeof *claim->constraints);
    value_each(requests, request)
        if (!reading->failure)
            read_request(reading, claim, request);
    value_each(constraints, constraint)
        if (!reading->failure)
            read_constraint(reading, claim, constraint);
}

enum failure allocate_claims_read(struct allocate_world *world, struct arena *arena, const struct value *roots, uint32_t count,
                                  bool defaults, struct allocate_claims *claims)
{
    struct reading reading = { .world = world, .arena = arena, .defaults = defaults, .claims = claims };
    *claims = (struct allocate_claims){ .count = 0 };
    if (count > LIMIT_ALLOCATE_CLAIMS)
        return FAILURE_LIMIT;
    claims->list = make(&reading, count, sizeof *claims->list);
    for (uint32_t i = 0; i < count && !reading.failure; i++) {
        arena_clear(&world->scratch);
        read_claim(&reading, roots[i]);
    }
    claims->matches = make(&reading, claims->ask_count, sizeof *claims->matches);
    return reading.failure;
}

void allocate_claim_add_name(struct text *text, const struct allocate_claim *claim)
{
    text_add_bytes(text, claim->space);
    text_add(text, claim->space.length ? "/" : "");
    text_add_bytes(text, claim->name);
}
