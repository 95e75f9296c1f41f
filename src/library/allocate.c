/* Pods and claims of a set, tried on its nodes. */
#include "allocate/run.h"

#include <time.h>

#include "allocate/limits.h"
#include "library/library.h"
#include "library/limits.h"

struct drawbridge_allocation {
    struct memory memory;
    struct arena arena; /* for everything else */
    const struct drawbridge_subject **list;
    size_t count, capacity;
    const char *problem;
    bool fits, guesses_nodes;
    struct library_errors errors;
};

struct allocating {
    struct drawbridge_allocation *allocation;
    struct arena *arena; /* its own */
    struct map_key key;
};

/* Room for so many elements, and for pointers to all of them, which are set. NULL: the arena failed. */
static void *make_list(struct arena *arena, size_t count, size_t size, const void ***pointers)
{
    char *list = arena_alloc(arena, (count + 1) * size);
    *pointers = list ? arena_alloc(arena, (count + 1) * sizeof **pointers) : NULL;
    for (size_t i = 0; *pointers && i < count; i++)
        (*pointers)[i] = list + i * size;
    return *pointers ? list : NULL;
}

static uint32_t children(const struct doc_node *node)
{
    uint32_t count = 0;
    doc_each(node, child)
        count++;
    return count;
}

/* ---- what a claim gets ---- */

static const char *copy_member(struct arena *arena, const struct doc_node *node, const char *name)
{
    return library_copy_name(arena, doc_member_text(node, name));
}

static enum failure copy_claim(struct arena *arena, const struct doc_node *node, struct drawbridge_allocated_claim *claim)
{
    const struct doc_node *devices = doc_member(doc_member(node, "allocation"), "devices"), *results = doc_member(devices, "results");
    const void **pointers;
    *claim = (struct drawbridge_allocated_claim){
        .object_namespace = copy_member(arena, node, "namespace"),
        .object_name = copy_member(arena, node, "claim"),
        .device_count = children(results),
    };
    struct drawbridge_allocated_device *device = make_list(arena, claim->device_count, sizeof *device, &pointers);
    if (!device)
        return arena->failure;
    claim->devices = (const struct drawbridge_allocated_device *const *)pointers;
    doc_each(results, result) {
        const struct doc_node *admin = doc_member(result, "adminAccess");
        *device++ = (struct drawbridge_allocated_device){
            .request = copy_member(arena, result, "request"),
            .driver = copy_member(arena, result, "driver"),
            .pool = copy_member(arena, result, "pool"),
            .name = copy_member(arena, result, "device"),
            .share = doc_member(result, "shareID") ? copy_member(arena, result, "shareID") : NULL,
            .admin_access = admin && admin->type == DOC_TRUE,
        };
    }
    return arena->failure;
}

static enum failure copy_claims(const struct allocating *a, const struct allocate_report *report, const struct allocate_reply *reply,
                                struct drawbridge_allocation_node *node)
{
    struct document document;
    const void **pointers;
    enum failure failure = allocate_reply_read(reply, report->arena, a->key, &document);
    if (failure)
        return failure;
    node->claim_count = children(document.root);
    struct drawbridge_allocated_claim *claims = make_list(a->arena, node->claim_count, sizeof *claims, &pointers);
    if (!claims)
        return a->arena->failure;
    node->claims = (const struct drawbridge_allocated_claim *const *)pointers;
    doc_each(document.root, claim)
        failure = failure ? failure : copy_claim(a->arena, claim, claims++);
    return failure;
}

/* ---- what a node says ---- */

static enum failure copy_doubts(struct arena *arena, const struct allocate_doubts *doubts, struct drawbridge_allocation_node *node)
{
    const void **pointers;
    struct drawbridge_doubt *list = make_list(arena, doubts->count, sizeof *list, &pointers);
    if (!list)
        return arena->failure;
    for (uint32_t i = 0; i < doubts->count; i++)
        list[i] = (struct drawbridge_doubt){
            library_copy_text(arena, bytes_of(doubts->list[i].id)), library_copy_text(arena, bytes_of(doubts->list[i].text)),
        };
    node->doubts = (const struct drawbridge_doubt *const *)pointers;
    node->doubt_count = doubts->count;
    return arena->failure;
}

/* Nodes one after the other that say the same share the words. */
static enum failure copy_node(const struct allocating *a, const struct allocate_report *report, uint32_t index,
                              struct drawbridge_allocation_node *nodes)
{
    const struct allocate_reply *reply = &report->replies[index], *before = index ? reply - 1 : NULL;
    bool same = before && !reply->fits && !before->fits && strcmp(reply->why.text, before->why.text) == 0;
    struct drawbridge_allocation_node *node = &nodes[index];
    *node = (struct drawbridge_allocation_node){
        .name = library_copy_name(a->arena, reply->node->given.name),
        .fits = reply->fits,
        .why = reply->fits ? NULL : allocate_no_name(reply->why.kind),
        .words = reply->fits ? "" : same ? nodes[index - 1].words : library_copy_text(a->arena, bytes_of(reply->why.text)),
        .steps = reply->steps,
    };
    enum failure failure = copy_doubts(a->arena, &reply->doubts, node);
    return failure || !reply->fits ? failure : copy_claims(a, report, reply, node);
}

static enum failure copy_nodes(const struct allocating *a, const struct allocate_report *report, struct drawbridge_subject *subject)
{
    const void **pointers;
    struct drawbridge_allocation_node *nodes = make_list(a->arena, report->count, sizeof *nodes, &pointers);
    enum failure failure = nodes ? FAILURE_NONE : a->arena->failure;
    for (uint32_t i = 0; i < report->count && !failure; i++)
        failure = copy_node(a, report, i, nodes);
    subject->nodes = (const struct drawbridge_allocation_node *const *)pointers;
    subject->node_count = report->count;
    return failure;
}

/* ---- subjects ---- */

static const char *copy_if(struct arena *arena, const char *text)
{
    return text ? library_copy_name(arena, bytes_of(text)) : NULL;
}

static enum failure copy_subject(const struct allocating *a, const struct allocate_report *report, bool fits,
                                 struct drawbridge_subject *subject)
{
    const struct allocate_subject *from = report->subject;
    struct text json;
    text_init(&json, a->arena);
    allocate_report_add_json(&json, report);
    *subject = (struct drawbridge_subject){
        .kind = library_copy_name(a->arena, from->object->item->kind_name),
        .object_namespace = library_copy_name(a->arena, from->space),
        .object_name = library_copy_name(a->arena, from->name),
        .pod = report->copy,
        .fits = fits,
        .why = fits || !report->count ? NULL : allocate_no_name(allocate_report_kind(report)),
        .problem = copy_if(a->arena, report->problem),
        .event = copy_if(a->arena, report->message),
        .json = text_end(&json),
    };
    return a->arena->failure ? a->arena->failure : copy_nodes(a, report, subject);
}

static enum failure add_subject(void *self, const struct allocate_report *report, bool fits)
{
    const struct allocating *a = self;
    struct drawbridge_allocation *made = a->allocation;
    const struct drawbridge_subject **list = library_make_room(a->arena, made->list, made->count, 1, sizeof *list, &made->capacity);
    struct drawbridge_subject *subject = list ? arena_alloc(a->arena, sizeof *subject) : NULL;
    if (!subject)
        return a->arena->failure;
    made->list = list;
    made->list[made->count++] = subject;
    made->fits &= fits;
    return copy_subject(a, report, fits, subject);
}

/* ---- the whole ---- */

static bool read_names(const char *const *names, struct allocate_name_list *list)
{
    *list = (struct allocate_name_list){ .list = names };
    while (names && list->count <= LIMIT_LIBRARY_NAMES && names[list->count])
        list->count++;
    return list->count <= LIMIT_LIBRARY_NAMES;
}

/* The order refers to the settings. */
static enum drawbridge_result read_options(const struct drawbridge_allocate_options *options, minor version, struct gate_settings *settings,
                                           struct allocate_order *order)
{
    enum { FIRST_BYTES = offsetof(struct drawbridge_allocate_options, replicas) + sizeof(size_t) };
    struct drawbridge_allocate_options copy = { .size = sizeof copy };
    struct error error;
    *settings = (struct gate_settings){ 0 };
    *order = (struct allocate_order){ .version = version, .gates = settings, .now = time(NULL) };
    if (version < ALLOCATE_OLDEST || version > ALLOCATE_NEWEST)
        return DRAWBRIDGE_BAD_VERSION;
    if (options && !library_copy_options(options, FIRST_BYTES, sizeof copy, &copy))
        return DRAWBRIDGE_BAD_OPTION;
    if (copy.feature_gates &&
        (!gate_settings_read(copy.feature_gates, settings, &error) || !gate_settings_check(settings, version, &error)))
        return DRAWBRIDGE_BAD_OPTION;
    if (copy.replicas > LIMIT_ALLOCATE_COPIES || !read_names(copy.nodes, &order->nodes) || !read_names(copy.pods, &order->pods) ||
        !read_names(copy.without_pods, &order->gone))
        return DRAWBRIDGE_BAD_OPTION;
    order->replicas = (uint32_t)copy.replicas;
    return DRAWBRIDGE_OK;
}

/* "no node is named: node-3" */
static enum failure copy_problem(struct drawbridge_allocation *made, const struct allocate_run *run)
{
    struct text text;
    text_init(&text, &made->arena);
    text_add(&text, allocate_lack_text(run->lack));
    text_add(&text, *run->missing ? ": " : "");
    text_add_escaped(&text, bytes_of(run->missing), LIMIT_ALLOCATE_NAME_BYTES);
    made->problem = text_end(&text);
    made->fits = false;
    return made->arena.failure;
}

static enum failure allocate_all(struct drawbridge_allocation *made, struct drawbridge_set *set, const struct allocate_order *order)
{
    const struct context *context = &set->context->context;
    const struct source *sources = set->source_set.sources.first;
    struct allocating allocating = { made, &made->arena, context->key };
    struct allocate_run run;
    enum failure failure = allocate_run_init(&run, context, sources, order);
    if (!failure)
        failure = library_errors_add_all(&made->errors, &made->arena, sources, run.cluster.matching.undecodable);
    made->guesses_nodes = !run.cluster.nodes_are_known;
    if (!failure)
        failure = run.lack ? copy_problem(made, &run) : allocate_run_all(&run, add_subject, &allocating);
    allocate_run_done(&run);
    return failure;
}

enum drawbridge_result drawbridge_set_allocate(struct drawbridge_set *set, const struct drawbridge_allocate_options *options,
                                               struct drawbridge_allocation **allocation)
{
    struct gate_settings settings;
    struct allocate_order order;
    if (!set || !allocation)
        return DRAWBRIDGE_BAD_ARGUMENT;
    if (set->source_set.settings.versions)
        return DRAWBRIDGE_BAD_VERSION;
    enum drawbridge_result result = read_options(options, set->source_set.settings.version, &settings, &order);
    if (result)
        return result;
    const struct memory *memory = &set->context->memory;
    struct drawbridge_allocation *made = memory->allocate(sizeof *made, memory->data);
    if (!made)
        return DRAWBRIDGE_NO_MEMORY;
    *made = (struct drawbridge_allocation){ .memory = *memory, .fits = true };
    arena_init(&made->arena, &made->memory, LIMIT_LIBRARY_ALLOCATION);
    enum failure failure = allocate_all(made, set, &order);
    if (failure)
        drawbridge_allocation_free(made);
    else
        *allocation = made;
    return library_result(failure);
}

void drawbridge_allocation_free(struct drawbridge_allocation *allocation)
{
    if (!allocation)
        return;
    struct memory memory = allocation->memory;
    arena_done(&allocation->arena);
    memory.release(allocation, memory.data);
}

const char *drawbridge_allocation_problem(const struct drawbridge_allocation *allocation)
{
    return allocation ? allocation->problem : NULL;
}

int drawbridge_allocation_fits(const struct drawbridge_allocation *allocation)
{
    return allocation && allocation->fits;
}

int drawbridge_allocation_guesses_nodes(const struct drawbridge_allocation *allocation)
{
    return allocation && allocation->guesses_nodes;
}

size_t drawbridge_allocation_count(const struct drawbridge_allocation *allocation)
{
    return allocation ? allocation->count : 0;
}

const struct drawbridge_subject *drawbridge_allocation_subject(const struct drawbridge_allocation *allocation, size_t index)
{
    return allocation && index < allocation->count ? allocation->list[index] : NULL;
}

size_t drawbridge_allocation_error_count(const struct drawbridge_allocation *allocation)
{
    return allocation ? allocation->errors.count : 0;
}

const struct drawbridge_error *drawbridge_allocation_error(const struct drawbridge_allocation *allocation, size_t index)
{
    return allocation && index < allocation->errors.count ? &allocation->errors.list[index] : NULL;
}
