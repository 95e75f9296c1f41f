#include "allocate/device.h"

#include "match/device.h"
#include "match/taint.h"

void *allocate_make(struct allocate_world *world, size_t count, size_t size)
{
    void *made = arena_alloc(&world->arena, count * size + 1);
    if (made)
        memset(made, 0, count * size);
    return made;
}

/* The texts with their lengths, so that no two lists are alike. In scratch memory. */
static struct bytes join(struct allocate_world *world, const struct bytes *parts, unsigned count)
{
    uint32_t length = 0, at = 0;
    for (unsigned i = 0; i < count; i++)
        length += (uint32_t)sizeof parts[i].length + parts[i].length;
    char *data = arena_text(&world->scratch, length + 1);
    for (unsigned i = 0; i < count && data; i++) {
        memcpy(data + at, &parts[i].length, sizeof parts[i].length);
        at += (uint32_t)sizeof parts[i].length;
        if (parts[i].length)
            memcpy(data + at, parts[i].data, parts[i].length);
        at += parts[i].length;
    }
    return (struct bytes){ data, data ? length : 0 };
}

enum failure allocate_name_join(struct allocate_world *world, struct names *names, const struct bytes *parts, unsigned count,
                                uint32_t *number)
{
    bool is_new;
    struct bytes text = join(world, parts, count);
    *number = text.data ? names_add(names, text, &is_new) : NAMES_NONE;
    if (*number != NAMES_NONE)
        return FAILURE_NONE;
    return text.data ? names->arena->failure : world->scratch.failure;
}

uint32_t allocate_name_look(struct allocate_world *world, const struct names *names, const struct bytes *parts, unsigned count)
{
    struct bytes text = join(world, parts, count);
    return text.data ? names_find(names, text) : NAMES_NONE;
}

struct bytes allocate_name_last(struct bytes joined)
{
    struct bytes last = { joined.data, 0 };
    uint32_t at = 0, size = (uint32_t)sizeof last.length;
    while (joined.length - at >= size) {
        memcpy(&last.length, joined.data + at, size);
        last.data = joined.data + at + size;
        at += size + last.length;
    }
    return last;
}

struct allocate_place allocate_place_of(struct value at)
{
    struct value selector = match_at(at, "nodeSelector");
    return (struct allocate_place){
        .node = value_text(match_at(at, "nodeName")),
        .everywhere = value_is_true(match_at(at, "allNodes")),
        .at = value_is_set(selector) ? at : (struct value){ .shape = NULL },
    };
}

static enum failure read_amount(struct allocate_world *world, struct value value, struct amount *amount)
{
    return amount_read(value_text(value), &world->scratch, amount);
}

static uint32_t add_name(struct allocate_world *world, struct bytes text, enum failure *failure)
{
    bool is_new;
    uint32_t number = names_add(&world->names, text, &is_new);
    if (number == NAMES_NONE && !*failure)
        *failure = world->arena.failure;
    return number;
}

/* ---- capacities ---- */

static enum failure read_range(struct allocate_world *world, struct value range, struct allocate_policy *policy)
{
    struct value min = match_at(range, "min"), max = match_at(range, "max"), step = match_at(range, "step");
    policy->has_range = value_is_set(range);
    policy->has_min = value_is_set(min);
    policy->has_max = value_is_set(max);
    policy->has_step = value_is_set(step);
    policy->unit = AMOUNT_UNIT;
    enum failure failure = read_amount(world, min, &policy->min);
    if (!failure)
        failure = read_amount(world, max, &policy->max);
    if (!failure)
        failure = read_amount(world, step, &policy->step);
    if (world->mode.on.fraction && amount_is_milli(&policy->min) && amount_is_milli(&policy->max) && amount_is_milli(&policy->step) &&
        policy->step.nano > 0)
        policy->unit = AMOUNT_MILLI;
    return failure;
}

static enum failure read_policy(struct allocate_world *world, struct value from, const struct allocate_policy **policy)
{
    struct value values = match_at(from, "validValues"), preset = match_at(from, "default");
    *policy = NULL;
    if (!value_is_set(from))
        return FAILURE_NONE;
    struct allocate_policy *made = allocate_make(world, 1, sizeof *made);
    struct amount *list = value_is_set(values) ? allocate_make(world, value_count(values), sizeof *list) : NULL;
    if (!made || (value_is_set(values) && !list))
        return world->arena.failure;
    *made = (struct allocate_policy){ .has_default = value_is_set(preset), .values = list };
    enum failure failure = read_amount(world, preset, &made->default_amount);
    value_each(values, value)
        failure = failure ? failure : read_amount(world, value, &list[made->value_count++]);
    *policy = made;
    return failure ? failure : read_range(world, match_at(from, "validRange"), made);
}

static enum failure read_capacities(struct allocate_world *world, struct allocate_device *device)
{
    struct value from = match_at(device->value, "capacity");
    struct allocate_capacity *list = allocate_make(world, value_count(from), sizeof *list);
    enum failure failure = list ? FAILURE_NONE : world->arena.failure;
    device->capacities = list;
    value_each(from, entry) {
        if (failure)
            break;
        struct allocate_capacity *capacity = &list[device->capacity_count++];
        capacity->name = add_name(world, value_name(entry), &failure);
        if (!failure)
            failure = read_amount(world, match_at(entry, "value"), &capacity->value);
        if (!failure)
            failure = read_policy(world, match_at(entry, "requestPolicy"), &capacity->policy);
    }
    return failure;
}

/* ---- counters ---- */

static enum failure slot_of(struct allocate_world *world, const struct allocate_pool_name *pool, uint32_t set, struct bytes name,
                            uint32_t *slot)
{
    const struct bytes parts[] = {
        { (const char *)&pool->scope, sizeof pool->scope }, { (const char *)&set, sizeof set }, name,
    };
    return allocate_name_join(world, &world->counters, parts, 3, slot);
}

enum failure allocate_sets_read(struct allocate_world *world, struct allocate_slice *slice)
{
    struct value from = match_at(slice->spec, "sharedCounters");
    enum failure failure = FAILURE_NONE;
    slice->sets = allocate_make(world, value_count(from), sizeof *slice->sets);
    value_each(from, element) {
        struct value counters = match_at(element, "counters");
        struct allocate_set *set = slice->sets ? &slice->sets[slice->set_count++] : NULL;
        struct allocate_counter *list = set ? allocate_make(world, value_count(counters), sizeof *list) : NULL;
        if (!list || failure)
            break;
        *set = (struct allocate_set){ .name = add_name(world, value_text(match_at(element, "name")), &failure), .counters = list };
        value_each(counters, entry) {
            struct amount amount = { .nano = 0 };
            if (!failure)
                failure = slot_of(world, slice->pool, set->name, value_name(entry), &list[set->count].slot);
            if (!failure)
                failure = read_amount(world, match_at(entry, "value"), &amount);
            list[set->count++].nano = amount.nano;
        }
    }
    return failure ? failure : world->arena.failure;
}

static uint32_t count_uses(struct value from)
{
    uint32_t count = 0;
    value_each(from, element)
        count += 1 + value_count(match_at(element, "counters"));
    return count;
}

static enum failure read_groups(struct allocate_world *world, const struct allocate_pool_name *pool, struct value from,
                                struct allocate_use *use)
{
    const struct bytes parts[] = {
        { (const char *)&pool->scope, sizeof pool->scope }, { (const char *)&use->set, sizeof use->set },
    };
    uint32_t *list = allocate_make(world, value_count(from), sizeof *list);
    enum failure failure = list ? FAILURE_NONE : world->arena.failure;
    use->groups = list;
    if (!failure)
        failure = allocate_name_join(world, &world->sets, parts, 2, &use->group_set);
    value_each(from, element)
        if (!failure)
            list[use->group_count++] = add_name(world, value_text(element), &failure);
    return failure;
}

static enum failure read_uses(struct allocate_world *world, struct allocate_slice *slice, struct allocate_device *device)
{
    struct value from = match_at(device->value, "consumesCounters");
    struct allocate_use *list = allocate_make(world, count_uses(from), sizeof *list);
    enum failure failure = list ? FAILURE_NONE : world->arena.failure;
    device->uses = list;
    value_each(from, element) {
        if (failure)
            break;
        uint32_t set = add_name(world, value_text(match_at(element, "counterSet")), &failure);
        struct allocate_use *whole = &list[device->use_count++];
        slice->has_uses = true;
        *whole = (struct allocate_use){ .set = set, .slot = ALLOCATE_NO_SLOT };
        if (!failure)
            failure = read_groups(world, slice->pool, match_at(element, "compatibilityGroups"), whole);
        slice->has_groups |= whole->group_count > 0;
        value_each(match_at(element, "counters"), entry) {
            struct allocate_use *use = &list[device->use_count++];
            struct amount amount = { .nano = 0 };
            *use = (struct allocate_use){ .set = set };
            if (!failure)
                failure = slot_of(world, device->slice->pool, set, value_name(entry), &use->slot);
            if (!failure)
                failure = read_amount(world, match_at(entry, "value"), &amount);
            use->nano = amount.nano;
        }
    }
    return failure;
}

/* ---- taints ---- */

struct allocate_rule {
    struct allocate_rule *next;
    struct allocate_taint taint;
};

enum { RULE_PARTS = 3, RULE_FORMS = ALLOCATE_RULE_FORMS };

static enum failure rule_number(struct allocate_world *world, struct names *keys, unsigned form, const struct bytes *parts,
                                uint32_t *number)
{
    const char letter = (char)form;
    struct bytes named[RULE_PARTS + 1] = { { &letter, 1 } };
    for (unsigned i = 0; i < RULE_PARTS; i++)
        named[i + 1] = form & 1u << i ? parts[i] : (struct bytes)BYTES("");
    return allocate_name_join(world, keys, named, RULE_PARTS + 1, number);
}

static enum failure add_rule(struct allocate_world *world, struct value rule, struct allocate_rules *rules)
{
    static const char *const members[] = { "driver", "pool", "device" };
    struct value selector = match_at(rule, "spec.deviceSelector");
    struct bytes parts[RULE_PARTS];
    unsigned form = 0;
    uint32_t number = 0;
    if (world->mode.version >= MATCH_RULE_SELECTOR_NEEDED && !value_is_set(selector))
        return FAILURE_NONE;
    for (unsigned i = 0; i < RULE_PARTS; i++) {
        struct value part = match_at(selector, members[i]);
        parts[i] = value_text(part);
        form |= value_is_set(part) ? 1u << i : 0;
    }
    struct allocate_rule *made = allocate_make(world, 1, sizeof *made);
    enum failure failure = made ? rule_number(world, &rules->keys, form, parts, &number) : world->arena.failure;
    if (failure)
        return failure;
    *made = (struct allocate_rule){ rules->by_key[number], { match_at(rule, "spec.taint"), value_text(match_at(rule, "metadata.name")) } };
    rules->by_key[number] = made;
    rules->forms |= 1u << form;
    return FAILURE_NONE;
}

enum failure allocate_rules_read(struct allocate_world *world, const struct allocate_objects *objects, struct allocate_rules *rules)
{
    *rules = (struct allocate_rules){ .by_key = allocate_make(world, objects->rule_count, sizeof *rules->by_key) };
    names_init(&rules->keys, &world->arena, world->names.key);
    enum failure failure = rules->by_key ? FAILURE_NONE : world->arena.failure;
    for (uint32_t i = 0; i < objects->rule_count && !failure; i++) {
        arena_clear(&world->scratch);
        failure = add_rule(world, objects->rules[i], rules);
    }
    return failure;
}

static bool keeps_out(struct value taint)
{
    return match_keeps_out(taint, (struct value){ .shape = NULL });
}

/* The first rule of each form that selects the device. */
static enum failure find_rules(struct allocate_world *world, const struct allocate_rules *rules, const struct allocate_device *device,
                               const struct allocate_rule *found[RULE_FORMS])
{
    const struct bytes parts[RULE_PARTS] = { device->slice->pool->driver, device->slice->pool->name, device->name };
    enum failure failure = FAILURE_NONE;
    for (unsigned form = 0; form < RULE_FORMS && !failure; form++) {
        found[form] = NULL;
        if (!(rules->forms & 1u << form))
            continue;
        const char letter = (char)form;
        struct bytes named[RULE_PARTS + 1] = { { &letter, 1 } };
        for (unsigned i = 0; i < RULE_PARTS; i++)
            named[i + 1] = form & 1u << i ? parts[i] : (struct bytes)BYTES("");
        uint32_t number = allocate_name_look(world, &rules->keys, named, RULE_PARTS + 1);
        failure = world->scratch.failure;
        found[form] = number == NAMES_NONE ? NULL : rules->by_key[number];
    }
    return failure;
}

/* The taints of these rules after those of the device. */
static enum failure list_taints(struct allocate_world *world, struct value own, const struct allocate_rule *const found[RULE_FORMS],
                                struct allocate_device *device)
{
    uint32_t count = value_count(own);
    for (unsigned form = 0; form < RULE_FORMS; form++)
        for (const struct allocate_rule *rule = found[form]; rule; rule = rule->next)
            count++;
    struct allocate_taint *list = allocate_make(world, count, sizeof *list);
    if (!list)
        return world->arena.failure;
    device->taints = list;
    value_each(own, taint)
        if (keeps_out(taint))
            list[device->taint_count++] = (struct allocate_taint){ .value = taint };
    for (unsigned form = 0; form < RULE_FORMS; form++)
        for (const struct allocate_rule *rule = found[form]; rule; rule = rule->next)
            if (keeps_out(rule->taint.value))
                list[device->taint_count++] = rule->taint;
    return FAILURE_NONE;
}

/* Neighbours that have no taints of their own, and are selected by the same rules, share the list: rules can be many. */
static enum failure read_taints(struct allocate_world *world, struct allocate_rules *rules, struct allocate_device *device)
{
    struct value own = match_at(device->value, "taints");
    const struct allocate_rule *found[RULE_FORMS];
    enum failure failure = find_rules(world, rules, device, found);
    if (failure)
        return failure;
    const struct allocate_device *last = rules->last;
    if (last && !value_count(own) && memcmp(found, rules->found, sizeof found) == 0) {
        device->taints = last->taints;
        device->taint_count = last->taint_count;
        return FAILURE_NONE;
    }
    failure = list_taints(world, own, found, device);
    if (failure || value_count(own))
        return failure;
    memcpy(rules->found, found, sizeof found);
    rules->last = device;
    return FAILURE_NONE;
}

/* ---- what selectors see ---- */

/* A tree as a text that equal trees share. */
static void add_tree(struct text *text, const struct doc_node *node)
{
    const char type = (char)('a' + node->type);
    text_add_bytes(text, (struct bytes){ &type, 1 });
    text_add_bytes(text, (struct bytes){ (const char *)&node->count, sizeof node->count });
    if (node->type == DOC_STRING || node->type == DOC_NUMBER)
        text_add_bytes(text, doc_text(node));
    doc_each(node, child) { /* as deep as the shape: attributes, their names, values, elements */
        text_add_bytes(text, (struct bytes){ (const char *)&child->name_length, sizeof child->name_length });
        text_add_bytes(text, doc_name(child));
        add_tree(text, child);
    }
}

static enum failure read_content(struct allocate_world *world, struct allocate_device *device)
{
    static const char *const members[] = { "attributes", "capacity" };
    struct text text;
    bool is_new;
    text_init(&text, &world->scratch);
    text_add_bytes(&text, device->slice->pool->driver);
    text_add(&text, device->multiple ? "\n" : "\r"); /* no name of a driver has either */
    for (unsigned i = 0; i < 2; i++) {
        struct value value = match_at(device->value, members[i]);
        if (value_is_set(value))
            add_tree(&text, value.node);
    }
    const char *end = text_end(&text);
    device->content = end ? names_add(&world->contents_by_text, (struct bytes){ end, (uint32_t)text.length }, &is_new) : NAMES_NONE;
    if (device->content == NAMES_NONE)
        return end ? world->arena.failure : world->scratch.failure;
    if (is_new)
        world->contents[device->content] = (struct allocate_content){ .example = device };
    return FAILURE_NONE;
}

/* ---- the device ---- */

void allocate_pool_add_id(struct text *text, const struct allocate_pool_name *pool)
{
    text_add_bytes(text, pool->driver);
    text_add(text, "/");
    text_add_bytes(text, pool->name);
}

void allocate_device_add_id(struct text *text, const struct allocate_device *device)
{
    allocate_pool_add_id(text, device->slice->pool);
    text_add(text, "/");
    text_add_bytes(text, device->name);
}

static enum failure read_identity(struct allocate_world *world, struct allocate_device *device)
{
    uint32_t pool = (uint32_t)(device->slice->pool - world->pool_names), number;
    const struct bytes parts[] = { { (const char *)&pool, sizeof pool }, device->name };
    enum failure failure = allocate_name_join(world, &world->identities, parts, 2, &number);
    if (failure)
        return failure;
    device->identity = &world->identity_list[number];
    device->identity->name = device->name;
    return FAILURE_NONE;
}

enum failure allocate_device_read(struct allocate_world *world, struct allocate_rules *rules, struct allocate_slice *slice,
                                  struct value element, struct allocate_device *device)
{
    struct value conditions = match_at(element, "bindingConditions");
    arena_clear(&world->scratch);
    *device = (struct allocate_device){
        .slice = slice,
        .value = element,
        .name = value_text(match_at(element, "name")),
        .place = allocate_place_of(element),
        .multiple = match_is_multiple(element),
        .binds_to_node = value_is_true(match_at(element, "bindsToNode")),
        .has_conditions = value_count(conditions),
        .lists_conditions = value_is_set(conditions),
    };
    slice->lists_conditions |= device->lists_conditions;
    enum failure failure = read_identity(world, device);
    if (!failure)
        failure = read_content(world, device);
    if (!failure)
        failure = read_capacities(world, device);
    if (!failure)
        failure = read_uses(world, slice, device);
    return failure ? failure : read_taints(world, rules, device);
}
