#include "allocate/run.h"

#include "allocate/limits.h"

/* ---- which subjects and nodes ---- */

static void lack(struct allocate_run *run, enum allocate_lack lack, const char *missing)
{
    run->lack = lack;
    run->missing = missing;
}

/* So many marks, all false. NULL: the arena failed. */
static bool *make_marks(struct arena *arena, size_t count)
{
    bool *marks = arena_alloc(arena, count + 1);
    if (marks)
        memset(marks, 0, count + 1);
    return marks;
}

static void remove_pods(struct allocate_run *run)
{
    const struct allocate_name_list *gone = &run->order.gone;
    for (uint32_t i = 0; i < gone->count && !run->lack; i++)
        if (!allocate_cluster_remove(&run->cluster, bytes_of(gone->list[i])))
            lack(run, LACKS_GONE, gone->list[i]);
}

/* Marks the subjects that have the name; false: none has. */
static bool mark_named(const struct allocate_subjects *subjects, const char *typed, bool *marks)
{
    bool any = false;
    for (uint32_t i = 0; i < subjects->count; i++)
        if (allocate_subject_is_named(&subjects->list[i], bytes_of(typed)))
            any = marks[i] = true;
    return any;
}

/* Leaves only the subjects that are wanted. Names times subjects are looked at, once. */
static enum failure choose_subjects(struct allocate_run *run)
{
    struct allocate_subjects *subjects = &run->subjects;
    const struct allocate_name_list *pods = &run->order.pods;
    uint32_t left = 0;
    bool *marks = make_marks(&run->arena, subjects->count);
    if (!marks)
        return run->arena.failure;
    for (uint32_t i = 0; i < pods->count && !run->lack; i++)
        if (!mark_named(subjects, pods->list[i], marks))
            lack(run, LACKS_POD, pods->list[i]);
    if (run->lack)
        return FAILURE_NONE;
    for (uint32_t i = 0; i < subjects->count; i++) {
        if (pods->count && !marks[i])
            continue;
        subjects->list[left++] = subjects->list[i];
        run->copies += subjects->list[i].copies;
    }
    subjects->count = left;
    return FAILURE_NONE;
}

static enum failure choose_nodes(struct allocate_run *run)
{
    const struct allocate_name_list *nodes = &run->order.nodes;
    if (!nodes->count)
        return FAILURE_NONE;
    run->chosen = make_marks(&run->arena, run->world.node_count);
    if (!run->chosen)
        return run->arena.failure;
    for (uint32_t i = 0; i < nodes->count && !run->lack; i++) {
        const struct allocate_node *node = allocate_node_named(&run->world, bytes_of(nodes->list[i]));
        if (node)
            run->chosen[node - run->world.nodes] = true;
        else
            lack(run, LACKS_NODE, nodes->list[i]);
    }
    return FAILURE_NONE;
}

static bool skips(void *self, const struct allocate_node *node)
{
    const struct allocate_run *run = self;
    return run->chosen && !run->chosen[node - run->world.nodes];
}

static enum failure choose(struct allocate_run *run)
{
    enum failure failure = allocate_subjects_find(&run->cluster, &run->arena, run->order.replicas, &run->subjects);
    if (failure)
        return failure;
    if (!run->subjects.count)
        lack(run, LACKS_SUBJECT, "");
    else if (!run->world.node_count)
        lack(run, LACKS_NODES, "");
    else
        failure = choose_subjects(run);
    if (!failure && !run->lack)
        failure = choose_nodes(run);
    return failure;
}

/* ---- trying ---- */

static enum failure try_copy(struct allocate_run *run, const struct allocate_subject *subject, uint32_t copy, allocate_visit *visit,
                             void *self, bool *fits)
{
    struct allocate_report report;
    enum failure failure = allocate_trial_run(&run->trial, subject, copy, &report);
    *fits = report.fitting || (!report.count && !report.problem);
    run->fitting += *fits;
    return failure ? failure : visit(self, &report, *fits);
}

enum failure allocate_run_all(struct allocate_run *run, allocate_visit *visit, void *self)
{
    enum failure failure = FAILURE_NONE;
    for (uint32_t i = 0; i < run->subjects.count && !failure; i++) {
        const struct allocate_subject *subject = &run->subjects.list[i];
        bool fits = true;
        for (uint32_t copy = 1; copy <= subject->copies && fits && !failure; copy++)
            failure = try_copy(run, subject, subject->copies > 1 ? copy : 0, visit, self, &fits);
    }
    return failure;
}

/* ---- several nodes at the same time ---- */

/* Every so many nodes from the first one on are a share. It has a run of its own, with a world of its own, so that nothing is shared but
 * the sources, which are only read. */
struct allocate_share {
    struct allocate_run *of;
    struct allocate_run run;
    uint32_t first, number;
    bool begun;
};

static bool is_of_others(void *self, const struct allocate_node *node)
{
    struct allocate_share *share = self;
    uint32_t number = (uint32_t)(node - share->run.world.nodes);
    return number < share->first || number % share->of->share_count != share->number || skips(&share->run, node);
}

/* Tries the nodes of a share. What fails is tried again where nothing is shared, so no failure counts. */
static void try_share(void *self, unsigned number)
{
    struct allocate_run *of = self;
    struct allocate_share *share = &of->shares[number];
    struct allocate_order order = of->order;
    struct allocate_report report;
    order.spreader.count = 0;
    share->begun = true;
    enum failure failure = allocate_run_init(&share->run, of->context, of->sources, &order);
    if (failure || share->run.lack)
        return;
    share->run.trial.skips = is_of_others;
    share->run.trial.self = share;
    share->run.trial.begins = NULL;
    share->run.trial.answers = of->trial.known;
    allocate_effort_copy(&share->run.trial.plugin.attempt, &of->trial.plugin.attempt);
    failure = allocate_trial_run(&share->run.trial, &share->run.subjects.list[0], 0, &report);
    (void)failure;
}

/* Whether the nodes that are left are expected to take so long that it is worth while to read the world again for each share; and
 * whether they end as they would one after the other. */
static bool is_long(const struct allocate_run *run)
{
    const struct allocate_attempt *attempt = &run->trial.plugin.attempt;
    const uint64_t effort = attempt->steps_before + attempt->looks_before + attempt->steps + attempt->looks;
    const uint32_t wanted = run->order.nodes.count ? run->order.nodes.count : run->world.node_count;
    const uint32_t left = wanted > run->tried ? wanted - run->tried : 0;
    const uint64_t least = LIMIT_ALLOCATE_ALONE + (uint64_t)LIMIT_ALLOCATE_ALONE_DEVICE * run->world.identities.count;
    return run->tried && left > 1 && effort / run->tried * left > least && allocate_effort_is_free(attempt, run->tried, left);
}

static void begins(void *self, uint32_t number)
{
    struct allocate_run *run = self;
    const struct allocate_spreader *spreader = &run->order.spreader;
    bool alone = run->shares || spreader->count < 2 || run->copies != 1 || !is_long(run);
    run->tried++;
    if (alone)
        return;
    struct allocate_share *shares = arena_alloc(&run->arena, spreader->count * sizeof *shares);
    run->trial.known = shares ? arena_alloc(&run->arena, run->world.node_count * sizeof *run->trial.known) : NULL;
    if (!run->trial.known)
        return;
    memset(run->trial.known, 0, run->world.node_count * sizeof *run->trial.known);
    run->shares = shares;
    run->share_count = spreader->count;
    for (unsigned i = 0; i < spreader->count; i++)
        shares[i] = (struct allocate_share){ .of = run, .first = number, .number = i };
    spreader->spread(spreader->self, spreader->count, try_share, run);
}

/* ---- the whole ---- */

const char *allocate_lack_text(enum allocate_lack lack)
{
    static const char *const texts[] = {
        [LACKS_NOTHING] = "",
        [LACKS_GONE] = "no such pod is given",
        [LACKS_SUBJECT] = "nothing to allocate: no pod that waits for claims, and no claim without devices",
        [LACKS_NODES] = "no node: neither a Node nor a ResourceSlice is given",
        [LACKS_POD] = "nothing that waits for devices is named",
        [LACKS_NODE] = "no node is named",
    };
    return texts[lack];
}

enum failure allocate_run_init(struct allocate_run *run, const struct context *context, const struct source *sources,
                               const struct allocate_order *order)
{
    *run = (struct allocate_run){ .order = *order, .context = context, .sources = sources, .missing = "" };
    arena_init(&run->arena, context->memory, LIMIT_ALLOCATE_WORLD_BYTES);
    enum failure failure = allocate_cluster_init(&run->cluster, context, sources, order->version);
    if (failure)
        return failure;
    remove_pods(run);
    if (run->lack)
        return FAILURE_NONE;
    const struct allocate_mode mode = allocate_mode_of(order->version, allocate_features_of(order->gates, order->version));
    run->has_world = true;
    failure = allocate_cluster_world(&run->cluster, &mode, &run->world);
    if (!failure)
        failure = allocate_trial_init(&run->trial, &run->cluster, &run->world, order->now);
    run->trial.skips = skips;
    run->trial.begins = begins;
    run->trial.self = run;
    if (!failure)
        failure = choose(run);
    run->trial.several = run->copies > 1;
    run->trial.tells = order->tells;
    return failure;
}

void allocate_run_done(struct allocate_run *run)
{
    for (unsigned i = 0; i < run->share_count; i++)
        if (run->shares[i].begun)
            allocate_run_done(&run->shares[i].run);
    if (run->has_world) {
        allocate_trial_done(&run->trial);
        allocate_world_done(&run->world);
    }
    allocate_cluster_done(&run->cluster);
    arena_done(&run->arena);
}
