/* Claims matched with the devices of a set. */
#include "library/library.h"

#include "library/limits.h"
#include "match/limits.h"
#include "match/report.h"

struct drawbridge_match {
    struct memory memory;
    struct arena arena; /* for everything else */
    const struct drawbridge_claim **list;
    size_t count, capacity;
    bool enough;
    struct library_errors errors;
};

struct matching {
    struct drawbridge_match *match;
    struct arena *arena; /* its own */
    struct match_world world;
    const struct drawbridge_device *devices; /* of the world, copied */
};

/* ---- devices ---- */

static enum failure copy_devices(struct matching *m)
{
    struct drawbridge_device *list = arena_alloc(m->arena, (m->world.device_count + (size_t)1) * sizeof *list);
    for (uint32_t i = 0; list && i < m->world.device_count; i++) {
        const struct match_device *device = &m->world.devices[i];
        const struct match_slice *slice = device->slice;
        list[i] = (struct drawbridge_device){
            .driver = library_copy_name(m->arena, slice->driver),
            .pool = library_copy_name(m->arena, slice->pool->name),
            .name = library_copy_name(m->arena, device->name),
            .node = library_copy_name(m->arena, value_text(match_at(slice->spec, "nodeName"))),
            .source = library_copy_text(m->arena, bytes_of(slice->item->source->name)),
        };
    }
    m->devices = list;
    return m->arena->failure;
}

/* ---- candidates ---- */

/* A request that is copied. */
struct copying {
    struct matching *matching;
    struct match_report *report;
    const struct match_request *request;
    struct match_groups groups;
    const char **labels; /* by group */
};

static const char *const *copy_also(struct arena *arena, unsigned also)
{
    static const char *const none[] = { NULL };
    unsigned count = 0;
    const char **list = also ? arena_alloc(arena, (MATCH_REASONS + 1) * sizeof *list) : NULL;
    for (unsigned reason = 0; list && reason < MATCH_REASONS; reason++)
        if (also & 1u << reason)
            list[count++] = match_reason_name(reason);
    if (list)
        list[count] = NULL;
    return also ? list : none;
}

/* Devices one after the other, of which the same is said, share the words. */
static enum failure explain(const struct copying *c, uint32_t device, const char *before, const char **words)
{
    struct arena *arena = c->matching->arena;
    struct text text;
    text_init(&text, arena);
    enum failure failure = match_explain(c->report, c->request, device, &text);
    *words = text_end(&text);
    if (failure || !*words)
        return failure ? failure : arena->failure;
    if (strcmp(*words, before) == 0) {
        arena_take_back(arena, *words);
        *words = before;
    }
    return FAILURE_NONE;
}

static enum failure copy_candidate(const struct copying *c, uint32_t device, const char *before, struct drawbridge_candidate *candidate)
{
    const struct match_verdict *verdict = &c->request->verdicts[device];
    bool by_selector = verdict->reason == MATCH_REFUSED || verdict->reason == MATCH_ERROR;
    const struct match_selector *selector = by_selector ? &c->request->selectors[verdict->selector] : NULL;
    *candidate = (struct drawbridge_candidate){
        .device = &c->matching->devices[device],
        .reason = match_reason_name(verdict->reason),
        .label = c->labels[c->groups.of_device[device]],
        .words = "",
        .selector_of = !selector ? NULL : selector->of_class ? "class" : "request",
        .selector = selector ? selector->index : 0,
        .also = copy_also(c->matching->arena, verdict->also),
    };
    return verdict->reason == MATCH_FITS ? FAILURE_NONE : explain(c, device, before, &candidate->words);
}

static enum failure copy_candidates(const struct copying *c, struct drawbridge_request *request)
{
    struct arena *arena = c->matching->arena;
    uint32_t count = c->matching->world.device_count;
    struct drawbridge_candidate *list = arena_alloc(arena, (count + (size_t)1) * sizeof *list);
    const struct drawbridge_candidate **pointers = list ? arena_alloc(arena, (count + (size_t)1) * sizeof *pointers) : NULL;
    enum failure failure = pointers ? FAILURE_NONE : arena->failure;
    for (uint32_t i = 0; i < count && !failure; i++) {
        failure = copy_candidate(c, i, i ? list[i - 1].words : "", &list[i]);
        pointers[i] = &list[i];
    }
    request->candidates = pointers;
    request->candidate_count = count;
    return failure ? failure : arena->failure;
}

static enum failure copy_groups(struct copying *c, struct drawbridge_request *request)
{
    struct arena *arena = c->matching->arena;
    enum failure failure = match_groups_of(c->report, c->request, &c->groups);
    if (failure)
        return failure;
    size_t count = c->groups.count;
    struct drawbridge_group *list = arena_alloc(arena, (count + 1) * sizeof *list);
    const struct drawbridge_group **pointers = list ? arena_alloc(arena, (count + 1) * sizeof *pointers) : NULL;
    c->labels = pointers ? arena_alloc(arena, (count + 1) * sizeof *c->labels) : NULL;
    for (size_t i = 0; c->labels && i < count; i++) {
        c->labels[i] = library_copy_text(arena, bytes_of(c->groups.list[i].label));
        list[i] = (struct drawbridge_group){ c->labels[i], c->groups.list[i].count };
        pointers[i] = &list[i];
    }
    request->groups = pointers;
    request->group_count = count;
    return arena->failure;
}

/* ---- requests and claims ---- */

static enum failure copy_request(struct matching *m, struct match_report *report, const struct match_request *from,
                                 struct drawbridge_request *request)
{
    struct copying copying = { .matching = m, .report = report, .request = from };
    struct text words;
    text_init(&words, m->arena);
    match_outcome_add(from, &words);
    *request = (struct drawbridge_request){
        .name = library_copy_name(m->arena, from->name),
        .choice = from->choice.data ? library_copy_name(m->arena, from->choice) : NULL,
        .class_name = library_copy_name(m->arena, from->class_name),
        .mode = from->all ? "All" : "ExactCount",
        .count = from->all ? 0 : from->wanted,
        .admin_access = from->admin,
        .enough = from->outcome == MATCH_ENOUGH,
        .outcome = match_outcome_name(from->outcome),
        .words = text_end(&words),
        .matching = from->counts[MATCH_FITS],
    };
    enum failure failure = m->arena->failure;
    if (!failure && from->verdicts)
        failure = copy_groups(&copying, request);
    return failure || !from->verdicts ? failure : copy_candidates(&copying, request);
}

static enum failure copy_requests(struct matching *m, struct match_report *report, struct drawbridge_claim *claim)
{
    size_t count = report->fault ? 0 : report->count;
    struct drawbridge_request *list = arena_alloc(m->arena, (count + 1) * sizeof *list);
    const struct drawbridge_request **pointers = list ? arena_alloc(m->arena, (count + 1) * sizeof *pointers) : NULL;
    enum failure failure = pointers ? FAILURE_NONE : m->arena->failure;
    for (size_t i = 0; i < count && !failure; i++) {
        failure = copy_request(m, report, &report->requests[i], &list[i]);
        pointers[i] = &list[i];
    }
    claim->requests = pointers;
    claim->request_count = count;
    return failure;
}

static enum failure copy_claim(struct matching *m, struct match_report *report, struct drawbridge_claim *claim)
{
    const struct item *item = report->item;
    struct api_version api = api_version_split(item->api_version);
    struct position position;
    if (lines_find(&item->source->lines, item->node->offset, &position))
        return FAILURE_MEMORY;
    *claim = (struct drawbridge_claim){
        .group = library_copy_name(m->arena, api.group),
        .version = library_copy_name(m->arena, api.version),
        .kind = library_copy_name(m->arena, item->kind_name),
        .object_namespace = library_copy_name(m->arena, item->space),
        .object_name = library_copy_name(m->arena, item->name),
        .source = library_copy_text(m->arena, bytes_of(item->source->name)),
        .offset = item->node->offset,
        .line = position.line,
        .column = position.column,
        .enough = report->enough,
        .refusal = report->fault ? library_copy_text(m->arena, bytes_of(report->fault)) : NULL,
    };
    return m->arena->failure ? m->arena->failure : copy_requests(m, report, claim);
}

static enum failure add_claim(struct matching *m, const struct item *item)
{
    struct drawbridge_match *match = m->match;
    struct match_report report;
    const struct drawbridge_claim **list = library_make_room(m->arena, match->list, match->count, 1, sizeof *list, &match->capacity);
    struct drawbridge_claim *claim = list ? arena_alloc(m->arena, sizeof *claim) : NULL;
    if (!claim)
        return m->arena->failure;
    match->list = list;
    enum failure failure = match_report_init(&report, &m->world, item);
    if (!failure)
        failure = copy_claim(m, &report, claim);
    match->enough &= report.enough;
    match->list[match->count++] = claim;
    match_report_done(&report);
    return failure;
}

/* ---- what is matched ---- */

typedef bool filter(const struct item *item);

static bool is_class(const struct item *item)
{
    return match_is_subject(item) && bytes_equal_text(item->kind_name, "DeviceClass");
}

static bool is_claim(const struct item *item)
{
    return match_is_subject(item) && !is_class(item);
}

/* Claims in all texts, or in those of that name. */
static enum failure add_claims(struct matching *m, const struct source *sources, const char *subjects, filter *fits)
{
    enum failure failure = FAILURE_NONE;
    for (const struct source *source = sources; source; source = source->next) {
        if (subjects && strcmp(subjects, source->name) != 0)
            continue;
        for (const struct item *item = source->first; item && !failure; item = item->next)
            if (fits(item))
                failure = add_claim(m, item);
    }
    return failure;
}

static enum failure match_all(struct matching *m, const struct source *sources, const char *subjects)
{
    enum failure failure = copy_devices(m);
    if (!failure)
        failure = add_claims(m, sources, subjects, is_claim);
    if (!failure && !m->match->count)
        failure = add_claims(m, sources, subjects, is_class);
    return failure ? failure : library_errors_add_all(&m->match->errors, m->arena, sources, m->world.undecodable);
}

/* ---- the whole ---- */

static enum drawbridge_result read_options(const struct drawbridge_match_options *options, struct drawbridge_match_options *copy)
{
    enum { FIRST_BYTES = offsetof(struct drawbridge_match_options, subjects) + sizeof(char *) };
    *copy = (struct drawbridge_match_options){ .size = sizeof *copy };
    return !options || library_copy_options(options, FIRST_BYTES, sizeof *copy, copy) ? DRAWBRIDGE_OK : DRAWBRIDGE_BAD_OPTION;
}

enum drawbridge_result drawbridge_set_match(struct drawbridge_set *set, const struct drawbridge_match_options *options,
                                            struct drawbridge_match **match)
{
    struct drawbridge_match_options copy;
    if (!set || !match)
        return DRAWBRIDGE_BAD_ARGUMENT;
    if (set->source_set.settings.versions)
        return DRAWBRIDGE_BAD_VERSION;
    enum drawbridge_result result = read_options(options, &copy);
    if (result)
        return result;
    const struct memory *memory = &set->context->memory;
    const struct source *sources = set->source_set.sources.first;
    struct drawbridge_match *made = memory->allocate(sizeof *made, memory->data);
    if (!made)
        return DRAWBRIDGE_NO_MEMORY;
    *made = (struct drawbridge_match){ .memory = *memory, .enough = true };
    arena_init(&made->arena, &made->memory, LIMIT_LIBRARY_MATCH);
    struct matching matching = { .match = made, .arena = &made->arena };
    struct bytes node = copy.node ? bytes_of(copy.node) : (struct bytes){ NULL, 0 };
    enum failure failure = match_world_init(&matching.world, &set->context->context, sources, set->source_set.settings.version, node);
    if (!failure)
        failure = match_all(&matching, sources, copy.subjects);
    match_world_done(&matching.world);
    if (failure)
        drawbridge_match_free(made);
    else
        *match = made;
    return library_result(failure);
}

void drawbridge_match_free(struct drawbridge_match *match)
{
    if (!match)
        return;
    struct memory memory = match->memory;
    arena_done(&match->arena);
    memory.release(match, memory.data);
}

int drawbridge_match_enough(const struct drawbridge_match *match)
{
    return match && match->count && match->enough;
}

size_t drawbridge_match_count(const struct drawbridge_match *match)
{
    return match ? match->count : 0;
}

const struct drawbridge_claim *drawbridge_match_claim(const struct drawbridge_match *match, size_t index)
{
    return match && index < match->count ? match->list[index] : NULL;
}

size_t drawbridge_match_error_count(const struct drawbridge_match *match)
{
    return match ? match->errors.count : 0;
}

const struct drawbridge_error *drawbridge_match_error(const struct drawbridge_match *match, size_t index)
{
    return match && index < match->errors.count ? &match->errors.list[index] : NULL;
}
