#include "allocate/trial.h"

#include "allocate/limits.h"
#include "allocate/result.h"
#include "base/limits.h"

static struct value find_template(void *self, struct bytes space, struct bytes name)
{
    const struct allocate_object *found = allocate_cluster_template(self, space, name);
    return found ? found->root : (struct value){ .shape = NULL };
}

/* ---- claims of the cluster ---- */

static enum failure add_claims(struct allocate_trial *trial)
{
    struct allocate_store *store = &trial->plugin.store;
    enum failure failure = FAILURE_NONE;
    for (uint32_t i = 0; i < trial->cluster->claims.count && !failure; i++) {
        const struct allocate_object *claim = &trial->cluster->claims.list[i];
        if (claim->gone)
            continue;
        failure = allocate_store_add(store, claim->root);
        struct allocate_stored *stored =
            claim->released && !failure ? allocate_store_find(store, claim->item->space, claim->item->name) : NULL;
        if (stored)
            allocate_store_deallocate(store, stored);
    }
    return failure;
}

/* ---- one node ---- */

static void add_claim(struct text *json, const char *before, const struct allocate_claim *claim)
{
    text_add(json, before);
    text_add(json, "{\"claim\":");
    allocate_json_add_text(json, claim->name);
    if (claim->space.length) {
        text_add(json, ",\"namespace\":");
        allocate_json_add_text(json, claim->space);
    }
    text_add(json, ",\"allocation\":");
}

static enum failure describe(struct allocate_trial *trial, const struct allocate_cycle *cycle, struct allocate_reply *reply)
{
    struct allocate_attempt *attempt = &trial->plugin.attempt;
    struct text text;
    uint32_t share = 0, count = cycle->tried ? attempt->claims->count : 0;
    text_init(&text, &trial->arena);
    text_add(&text, "[");
    for (uint32_t i = 0; i < count; i++) {
        add_claim(&text, i ? "," : "", &attempt->claims->list[i]);
        if (allocate_result_add(attempt, &attempt->claims->list[i], &share, &text) == ALLOCATE_FAILED)
            return attempt->failure;
        text_add(&text, "}");
    }
    text_add(&text, "]");
    reply->allocations = text_end(&text);
    reply->devices = cycle->tried ? allocate_devices_words(attempt, &trial->arena) : "it needs no more devices";
    return reply->allocations && reply->devices ? FAILURE_NONE : trial->arena.failure;
}

/* Adds ", to devices of node-2": the node to which the allocation's selector binds it, if it is one. */
static void add_its_node(struct text *text, const struct allocate_stored *claim)
{
    struct value terms = match_at(claim->allocation, "nodeSelector.nodeSelectorTerms");
    struct value fields = match_at(value_first(terms), "matchFields"), values = match_at(value_first(fields), "values");
    if (value_count(terms) != 1 || value_count(fields) != 1 || value_count(values) != 1)
        return;
    text_add(text, ", to devices of ");
    text_add_escaped(text, value_text(value_first(values)), LIMIT_ALLOCATE_NAME_BYTES);
}

/* A claim that is allocated, but not for this node; or what else the verdict says. */
static enum failure say_elsewhere(struct allocate_trial *trial, const struct allocate_cycle *cycle,
                                  const struct allocate_verdict *verdict, struct allocate_why *why)
{
    const struct allocate_stored *claim = cycle->missing;
    struct text text;
    text_init(&text, &trial->arena);
    *why = (struct allocate_why){ .kind = claim ? NO_HERE : NO_MATCH };
    text_add(&text, claim ? "claim " : verdict->status.reason);
    if (claim) {
        text_add_escaped(&text, claim->name, LIMIT_ALLOCATE_NAME_BYTES);
        text_add(&text, " is allocated already");
        add_its_node(&text, claim);
        text_add(&text, ", and cannot be used on this node");
    }
    return allocate_text_end(&text, &why->text);
}

/* What was added to the text; empty if its arena has failed. */
static struct bytes keep(struct text *text)
{
    const char *end = text_end(text);
    return (struct bytes){ end ? end : "", end ? (uint32_t)text->length : 0 };
}

static struct bytes copy_name(struct arena *arena, struct bytes name)
{
    struct text text;
    text_init(&text, arena);
    text_add_bytes(&text, name);
    return keep(&text);
}

/* The claims as they were read are gone before the report is. */
static enum failure keep_names(struct arena *arena, struct allocate_reply *reply)
{
    const struct allocate_why *why = &reply->why;
    if (!why->ask)
        return FAILURE_NONE;
    reply->claim = copy_name(arena, why->claim->name);
    reply->request = copy_name(arena, why->ask->request->name);
    if (why->ask->request->alternatives)
        reply->subrequest = copy_name(arena, why->ask->name);
    return arena->failure;
}

static enum failure explain(struct allocate_trial *trial, struct allocate_cycle *cycle, const struct allocate_verdict *verdict,
                            struct allocate_reply *reply)
{
    if (cycle->tried && cycle->outcome) {
        enum failure failure = allocate_why(&trial->plugin.attempt, cycle->outcome, &trial->arena, &reply->why);
        return failure ? failure : keep_names(&trial->arena, reply);
    }
    return say_elsewhere(trial, cycle, verdict, &reply->why);
}

static enum failure add_reply(struct allocate_trial *trial, struct allocate_cycle *cycle, struct allocate_node *node,
                              const struct allocate_verdict *verdict, bool fits)
{
    struct allocate_reply *reply = &trial->replies[trial->report->count++];
    *reply = (struct allocate_reply){ .node = node, .fits = fits, .steps = cycle->tried ? trial->plugin.attempt.steps : 0 };
    enum failure failure = fits ? describe(trial, cycle, reply) : FAILURE_NONE;
    if (!failure && cycle->tried && trial->tells)
        failure = allocate_steps_describe(&trial->plugin.attempt, &trial->steps, &trial->arena, &reply->story);
    if (!failure && cycle->tried && !trial->several)
        failure = allocate_doubts_find(&trial->plugin.attempt, cycle->outcome, &trial->arena, &reply->doubts);
    return failure || fits ? failure : explain(trial, cycle, verdict, reply);
}

/* ---- nodes that others have tried ---- */

static bool knows(void *self, struct allocate_cycle *cycle, const struct allocate_node *node, struct allocate_verdict *verdict)
{
    struct allocate_trial *trial = self;
    uint32_t number = (uint32_t)(node - trial->world->nodes);
    if (trial->begins)
        trial->begins(trial->self, number);
    struct allocate_answer *answer = trial->known ? &trial->known[number] : NULL;
    if (answer && answer->known) /* the same, though others have done other work before */
        answer->known = allocate_effort_add(&trial->plugin.attempt, &answer->effort);
    else
        allocate_effort_begin(&trial->plugin.attempt);
    if (!answer || !answer->known)
        return false;
    *verdict = answer->verdict;
    verdict->node = node;
    cycle->decision->panic = answer->panic;
    for (uint32_t i = 0; i < cycle->count; i++)
        cycle->unavailable[i] |= answer->unavailable >> i & 1;
    return true;
}

static void keep_answer(struct allocate_trial *trial, const struct allocate_cycle *cycle, const struct allocate_verdict *verdict)
{
    struct allocate_answer *answer = &trial->answers[verdict->node - trial->world->nodes];
    *answer = (struct allocate_answer){
        .known = true,
        .verdict = *verdict,
        .reply = trial->replies[trial->report->count - 1],
        .panic = cycle->decision->panic,
        .effort = allocate_effort_of(&trial->plugin.attempt),
    };
    for (uint32_t i = 0; i < cycle->count; i++)
        answer->unavailable |= (uint64_t)cycle->unavailable[i] << i;
}

/* Adds the reply as it is known; false: it is not. */
static bool add_known(struct allocate_trial *trial, const struct allocate_node *node)
{
    const struct allocate_answer *answer = trial->known ? &trial->known[node - trial->world->nodes] : NULL;
    if (!answer || !answer->known)
        return false;
    trial->replies[trial->report->count] = answer->reply;
    trial->replies[trial->report->count++].node = node;
    return true;
}

/* ---- all nodes ---- */

static enum failure look(void *self, struct allocate_cycle *cycle, struct allocate_node *node, const struct allocate_verdict *verdict,
                         bool *stops)
{
    struct allocate_trial *trial = self;
    struct allocate_attempt *attempt = &trial->plugin.attempt;
    bool fits = !verdict->status.code && !cycle->decision->panic;
    attempt->steps_told = NULL; /* to explain it takes further searches */
    bool wanted = (fits || trial->explains) && !add_known(trial, node);
    enum failure failure = wanted ? add_reply(trial, cycle, node, verdict, fits) : FAILURE_NONE;
    if (wanted && trial->answers && !failure)
        keep_answer(trial, cycle, verdict);
    attempt->steps_told = trial->tells ? &trial->steps : NULL;
    trial->report->fitting += fits;
    *stops |= trial->several && (fits || trial->report->count == LIMIT_ALLOCATE_EXPLAINED);
    return failure;
}

static bool skips(void *self, const struct allocate_node *node)
{
    const struct allocate_trial *trial = self;
    return trial->skips && trial->skips(trial->self, node);
}

/* ---- subjects ---- */

/* "serve-2" for the second pod of Deployment serve; and a uid that no other has. */
static enum failure make_pod(struct allocate_trial *trial, const struct allocate_subject *subject, uint32_t copy, struct allocate_pod *pod)
{
    bool is_pod = bytes_equal_text(subject->object->item->kind_name, "Pod");
    bool template = bytes_equal_text(subject->object->item->kind_name, "ResourceClaimTemplate");
    struct text name, uid;
    *pod = is_pod ? allocate_pod_of(subject->pod) : (struct allocate_pod){ .name = subject->name };
    pod->space = subject->space;
    if (!is_pod && subject->pod)
        pod->spec = doc_member(subject->pod, "spec");
    if (!subject->pod && template)
        pod->template = subject->name;
    else if (!subject->pod)
        pod->claim = subject->name;
    text_init(&name, &trial->kept);
    text_add_bytes(&name, pod->name);
    if (copy) {
        text_add(&name, "-");
        text_add_integer(&name, copy);
    }
    pod->name = keep(&name);
    text_init(&uid, &trial->kept);
    text_add(&uid, "pod-");
    text_add_integer(&uid, (int64_t)++trial->number);
    if (!pod->uid.length)
        pod->uid = keep(&uid);
    return trial->kept.failure;
}

static enum failure copy_text(struct arena *arena, const char *from, const char **to)
{
    struct text text;
    *to = NULL;
    if (!from)
        return FAILURE_NONE;
    text_init(&text, arena);
    text_add(&text, from);
    *to = text_end(&text);
    return *to ? FAILURE_NONE : arena->failure;
}

/* Why the pod must wait, whatever the node is. */
static enum failure say_problem(struct allocate_trial *trial, const struct allocate_decision *decision, const char **problem)
{
    const char *reason = decision->pre_filter.reason ? decision->pre_filter.reason : decision->message;
    struct text text;
    *problem = NULL;
    if (!reason)
        return FAILURE_NONE;
    text_init(&text, &trial->arena);
    text_add(&text, reason);
    if (decision->missing_class.data)
        allocate_near_class_add(trial->world, decision->missing_class, &text);
    return allocate_text_end(&text, problem);
}

enum failure allocate_trial_run(struct allocate_trial *trial, const struct allocate_subject *subject, uint32_t copy,
                                struct allocate_report *report)
{
    struct allocate_decision decision;
    struct allocate_pod pod;
    arena_clear(&trial->arena);
    *report = (struct allocate_report){ .subject = subject, .copy = copy, .node_count = trial->world->node_count,
                                        .one_is_enough = trial->several, .arena = &trial->arena };
    trial->report = report;
    trial->replies = arena_alloc(&trial->arena, trial->world->node_count * sizeof *trial->replies + 1);
    report->replies = trial->replies;
    enum failure failure = trial->replies ? make_pod(trial, subject, copy, &pod) : trial->arena.failure;
    trial->explains = !trial->several;
    trial->plugin.attempt.steps_told = trial->tells ? &trial->steps : NULL;
    if (!failure)
        failure = allocate_plugin_run(&trial->plugin, &pod, &decision);
    if (!failure && !report->fitting && decision.verdict_count && trial->several) { /* again, to say why */
        trial->explains = true;
        failure = allocate_plugin_run(&trial->plugin, &pod, &decision);
    }
    if (!failure)
        failure = trial->cluster->arena.failure; /* of finding templates */
    if (!failure)
        failure = copy_text(&trial->arena, decision.message, &report->message);
    if (!failure && !report->count)
        failure = say_problem(trial, &decision, &report->problem);
    return failure;
}

/* ---- the whole ---- */

enum failure allocate_trial_init(struct allocate_trial *trial, struct allocate_cluster *cluster, struct allocate_world *world, int64_t now)
{
    const struct memory *memory = world->matching->workspace.context->memory;
    *trial = (struct allocate_trial){ .cluster = cluster, .world = world };
    arena_init(&trial->arena, memory, LIMIT_ALLOCATE_WORLD_BYTES);
    arena_init(&trial->kept, memory, LIMIT_ALLOCATE_WORLD_BYTES);
    enum failure failure = allocate_plugin_init(&trial->plugin, world, now);
    trial->templates = (struct allocate_templates){ find_template, cluster };
    trial->plugin.templates = &trial->templates;
    trial->plugin.defaults = true;
    trial->plugin.visitor = (struct allocate_visitor){ knows, skips, look, trial };
    return failure ? failure : add_claims(trial);
}

void allocate_trial_done(struct allocate_trial *trial)
{
    allocate_plugin_done(&trial->plugin);
    arena_done(&trial->arena);
    arena_done(&trial->kept);
}
