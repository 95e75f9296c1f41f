/* What decides, in words. */
#include "base/near.h"
#include "match/cause.h"
#include "match/limits.h"
#include "match/part.h"
#include "match/relation.h"

struct words {
    struct match_world *world;
    const struct match_expression *expression;
    struct match_device *device;
    struct text *text;
    enum failure failure;
};

/* ---- parts and values ---- */

static void add_part(struct words *w, const struct cel_node *node)
{
    match_part_add(w->text, node, w->expression->text);
}

/* The value of a part on the device. */
static void add_value(struct words *w, const struct cel_node *node)
{
    const struct cel_value *device;
    struct cel_result result;
    if (!w->failure)
        w->failure = match_device_evaluated(w->world, w->device, &device);
    if (!w->failure)
        w->failure = match_evaluate(w->world, w->expression, node, device, &result);
    if (w->failure)
        return;
    if (result.value.type == CEL_ERROR)
        text_add(w->text, "not there");
    else
        cel_value_print(w->text, &result.value, LIMIT_MATCH_VALUE_BYTES);
}

static void add_part_is(struct words *w, const struct cel_node *node)
{
    add_part(w, node);
    text_add(w->text, " is ");
    add_value(w, node);
}

/* What is compared with: its value, and how it is written where that says more. */
static void add_wanted(struct words *w, const struct cel_node *node)
{
    if (!match_is_constant(node)) {
        add_part(w, node);
        text_add(w->text, ", which is ");
    }
    if (node->kind == CEL_NODE_LITERAL)
        add_part(w, node);
    else
        add_value(w, node);
}

/* ---- lookups ---- */

static void add_name(struct words *w, const struct match_lookup *lookup)
{
    bool capacity = strcmp(lookup->field, "capacity") == 0;
    struct text *text = w->text;
    if (!lookup->name.data) {
        text_add(text, capacity ? "capacity of the domain " : "attribute of the domain ");
        text_add_quoted(text, lookup->domain, LIMIT_MATCH_VALUE_BYTES);
        return;
    }
    text_add(text, capacity ? "capacity \"" : "attribute \"");
    text_add_escaped(text, lookup->domain, LIMIT_MATCH_VALUE_BYTES);
    text_add(text, lookup->domain.data ? "/" : "");
    text_add_escaped(text, lookup->name, LIMIT_MATCH_VALUE_BYTES);
    text_add(text, "\"");
}

/* A name of the device with its domain. */
struct qualified {
    struct bytes domain, name;
};

static struct qualified qualify(const struct words *w, struct bytes name)
{
    const char *slash = memchr(name.data, '/', name.length);
    if (!slash)
        return (struct qualified){ w->device->slice->driver, name };
    uint32_t length = (uint32_t)(slash - name.data);
    return (struct qualified){ { name.data, length }, { slash + 1, name.length - length - 1 } };
}

/* What the device has that may be meant: that name in another domain, as the other field, or a name like it. */
static void add_meant(struct words *w, const struct match_lookup *lookup)
{
    static const char *const fields[] = { "attributes", "capacity" };
    struct nearest nearest = { .wanted = lookup->name };
    if (!lookup->name.data || !lookup->domain.data)
        return;
    for (unsigned i = 0; i < 2; i++) {
        bool same_field = strcmp(fields[i], lookup->field) == 0;
        value_each(match_at(w->device->value, fields[i]), entry) {
            struct qualified has = qualify(w, value_name(entry));
            bool same_name = bytes_equal(has.name, lookup->name), same_domain = bytes_equal(has.domain, lookup->domain);
            if (same_name && !(same_field && same_domain)) {
                const struct match_lookup other = { fields[i], has.domain, has.name };
                text_add(w->text, "; it has ");
                add_name(w, &other);
                return;
            }
            if (same_domain && same_field)
                near_consider(&nearest, has.name);
        }
    }
    if (nearest.found.data) {
        text_add(w->text, "; ");
        near_add_words(w->text, nearest.found);
    }
}

static void add_missing(struct words *w, const struct match_lookup *lookup)
{
    text_add(w->text, "it has no ");
    add_name(w, lookup);
    add_meant(w, lookup);
}

/* What has() and its like ask about; nothing: the part is none. */
static struct match_lookup asked_about(const struct cel_node *node)
{
    if (match_is_call(node, "hasValue") && node->call.receiver)
        return match_lookup_of(node->call.receiver);
    bool presence = node->kind == CEL_NODE_SELECT && node->select.presence;
    return presence || match_is_call(node, "@in") ? match_lookup_of(node) : (struct match_lookup){ .field = NULL };
}

/* ---- what is false ---- */

static void add_relation(struct words *w, const struct match_relation *relation)
{
    static const char *const signs[] = { "", "anything but ", "< ", "<= ", "> ", ">= " };
    add_part_is(w, relation->left);
    text_add(w->text, ", the selector asks for ");
    text_add(w->text, signs[relation->operator]);
    add_wanted(w, relation->right);
    bool order = relation->operator > MATCH_DIFFERENT;
    if (order && relation->right->kind == CEL_NODE_LITERAL && relation->right->literal.type == CEL_STRING)
        text_add(w->text, ", compared as texts"); /* "12" is less than "9" */
}

/* Functions of two texts. */
static const struct text_test {
    const char *name, *asked, *refused;
} text_tests[] = {
    { "matches", "one that matches ", "none that matches " },
    { "startsWith", "one that begins with ", "none that begins with " },
    { "endsWith", "one that ends with ", "none that ends with " },
    { "contains", "one that contains ", "none that contains " },
    { "includes", "one that includes ", "none that includes " },
};

static bool add_text_test(struct words *w, const struct cel_node *node, bool asked)
{
    for (size_t i = 0; i < sizeof text_tests / sizeof *text_tests; i++) {
        if (!match_is_call(node, text_tests[i].name) || node->call.count + (node->call.receiver != NULL) != 2)
            continue;
        add_part_is(w, node->call.receiver ? node->call.receiver : node->call.arguments[0]);
        text_add(w->text, ", the selector asks for ");
        text_add(w->text, asked ? text_tests[i].asked : text_tests[i].refused);
        add_wanted(w, node->call.arguments[node->call.count - 1]);
        return true;
    }
    return false;
}

static bool add_membership(struct words *w, const struct cel_node *node, bool asked)
{
    if (!match_is_call(node, "@in"))
        return false;
    const struct cel_node *element = node->call.arguments[0], *list = node->call.arguments[1];
    bool swapped = match_is_constant(element) && !match_is_constant(list);
    add_part_is(w, swapped ? list : element);
    text_add(w->text, ", the selector asks for ");
    text_add(w->text, swapped ? asked ? "" : "no " : asked ? "one of " : "none of ");
    add_wanted(w, swapped ? element : list);
    text_add(w->text, swapped ? " in it" : "");
    return true;
}

/* What a part that is none of the above is about. NULL: nothing that depends on the device. */
static const struct cel_node *subject_of(const struct cel_node *node)
{
    const struct cel_node *subject = NULL;
    if (node->kind == CEL_NODE_LOOP)
        subject = cel_is_binding(node) ? node->loop.init : node->loop.range;
    else if (node->kind == CEL_NODE_CALL)
        subject = node->call.receiver || !node->call.count ? node->call.receiver : node->call.arguments[0];
    return subject && !match_is_constant(subject) ? subject : NULL;
}

/* Anything else: the part, and the value of what it is about. */
static void add_other(struct words *w, const struct cel_node *node, bool asked)
{
    const struct cel_node *subject = subject_of(node);
    bool bare = node->kind == CEL_NODE_SELECT || match_is_call(node, "_[_]");
    add_part(w, node);
    text_add(w->text, asked ? " is false" : " is true");
    if (bare) {
        text_add(w->text, asked ? ", the selector asks for true" : ", the selector asks for false");
    } else if (subject) {
        text_add(w->text, ": ");
        add_part_is(w, subject);
    }
}

static void add_simple(struct words *w, const struct cel_node *node, bool asked)
{
    struct match_relation relation;
    const struct match_lookup lookup = asked_about(node);
    if (lookup.field && asked) {
        add_missing(w, &lookup);
    } else if (lookup.field) {
        text_add(w->text, "it has ");
        add_name(w, &lookup);
        text_add(w->text, ", which the selector refuses");
    } else if (match_relation_of(node, asked, &relation)) {
        add_relation(w, &relation);
    } else if (!add_text_test(w, node, asked) && !add_membership(w, node, asked)) {
        add_other(w, node, asked);
    }
}

/* ---- alternatives ---- */

/* The parts of a || b || c, or of !(a && b && c), from the left; at most LIMIT_MATCH_ALTERNATIVES, of which *count says how many, one at
 * least. False: there are more. */
static bool split(const struct cel_node *node, bool asked, const struct cel_node *parts[LIMIT_MATCH_ALTERNATIVES], uint32_t *count)
{
    enum { OPEN = 32 }; /* what is further inside each other stays together */
    const struct cel_node *open[OPEN] = { node };
    uint32_t left = 1;
    *count = 0;
    while (left) {
        const struct cel_node *next = open[--left];
        if (left + 2 <= OPEN && match_is_call(next, asked ? "_||_" : "_&&_")) {
            open[left++] = next->call.arguments[1];
            open[left++] = next->call.arguments[0];
        } else if (*count == LIMIT_MATCH_ALTERNATIVES) {
            return false;
        } else {
            parts[(*count)++] = next;
        }
    }
    return true;
}

static struct bytes name_of(const struct cel_node *node, bool asked)
{
    struct match_relation relation;
    if (match_relation_of(node, asked, &relation))
        node = relation.left;
    else if (match_is_call(node, "@in") && !match_lookup_of(node).field)
        node = node->call.arguments[match_is_constant(node->call.arguments[0])];
    return match_part_name(node);
}

/* Whether all of them say what one thing should be equal to. */
static bool are_equalities(const struct cel_node *const *parts, uint32_t count, bool asked)
{
    struct match_relation relation;
    struct bytes name = name_of(parts[0], asked);
    bool same = name.data != NULL;
    for (uint32_t i = 0; i < count; i++)
        same &= match_relation_of(parts[i], asked, &relation) && relation.operator == MATCH_EQUAL &&
                bytes_equal(name_of(parts[i], asked), name) && relation.left->kind == CEL_NODE_SELECT;
    return same;
}

/* One of several: what decides in it. */
static void add_below(struct words *w, const struct cel_node *node, bool asked)
{
    const struct cel_value *device;
    struct match_cause cause;
    w->failure = match_device_evaluated(w->world, w->device, &device);
    if (!w->failure)
        w->failure = match_cause_below(w->world, w->expression, device, node, asked, &cause);
    if (!w->failure)
        add_simple(w, cause.node, cause.asked);
}

static void add_alternatives(struct words *w, const struct cel_node *node, bool asked)
{
    const struct cel_node *parts[LIMIT_MATCH_ALTERNATIVES];
    struct match_relation relation;
    uint32_t count;
    bool all = split(node, asked, parts, &count);
    if (all && are_equalities(parts, count, asked)) {
        (void)match_relation_of(parts[0], asked, &relation);
        add_relation(w, &relation);
        for (uint32_t i = 1; i < count; i++) {
            (void)match_relation_of(parts[i], asked, &relation);
            text_add(w->text, " or ");
            add_wanted(w, relation.right);
        }
        return;
    }
    for (uint32_t i = 0; i < count && !w->failure; i++) {
        text_add(w->text, i ? "; and " : "");
        add_below(w, parts[i], asked);
    }
    text_add(w->text, all ? "" : "; and so on");
}

/* ---- errors ---- */

/* Of a comparison that fails though both sides are there: what the device has. */
static void add_compared(struct words *w, const struct cel_node *node)
{
    struct match_relation relation;
    if (!node || !match_relation_of(node, true, &relation) || !match_lookup_of(relation.left).field)
        return;
    text_add(w->text, "; ");
    add_part_is(w, relation.left);
    text_add(w->text, ", of another type");
}

static void add_part_colon(struct words *w, const struct cel_node *node)
{
    if (!node)
        return;
    add_part(w, node);
    text_add(w->text, ": ");
}

static void add_failed(struct words *w, const struct match_cause *cause)
{
    const struct match_lookup lookup = cause->node ? match_lookup_of(cause->node) : (struct match_lookup){ .field = NULL };
    const struct cel_value *device;
    struct cel_result result;
    if (cause->missing && lookup.field) {
        text_add(w->text, "the evaluation fails: ");
        add_missing(w, &lookup);
        return;
    }
    w->failure = match_device_evaluated(w->world, w->device, &device);
    if (!w->failure)
        w->failure = match_evaluate(w->world, w->expression, NULL, device, &result);
    if (w->failure)
        return;
    if (result.value.type == CEL_ERROR) {
        add_part_colon(w, cause->node);
        text_add(w->text, "the evaluation fails: ");
        text_add_escaped(w->text, bytes_of(result.value.fault.words), LIMIT_MATCH_VALUE_BYTES);
        if (strcmp(result.value.fault.words, "no such overload") == 0)
            add_compared(w, cause->node);
        return;
    }
    text_add(w->text, "the evaluation fails: ");
    add_part_is(w, cause->node);
    text_add(w->text, ", neither true nor false");
}

enum failure match_cause_add(struct match_world *world, const struct match_expression *expression, struct match_device *device,
                             const struct match_cause *cause, struct text *text)
{
    struct words words = { world, expression, device, text, FAILURE_NONE };
    if (cause->failed)
        add_failed(&words, cause);
    else if (match_is_call(cause->node, cause->asked ? "_||_" : "_&&_"))
        add_alternatives(&words, cause->node, cause->asked);
    else
        add_simple(&words, cause->node, cause->asked);
    return words.failure;
}

/* ---- labels ---- */

static void add_labelled(struct text *text, const char *before, struct bytes name, const char *after)
{
    text_add(text, before);
    text_add_escaped(text, name, LIMIT_MATCH_VALUE_BYTES);
    text_add(text, after);
}

bool match_cause_is_driver(const struct match_cause *cause)
{
    struct match_relation relation;
    return cause->node && !cause->failed && match_relation_of(cause->node, cause->asked, &relation) &&
           relation.operator <= MATCH_DIFFERENT && relation.left->kind == CEL_NODE_SELECT &&
           relation.left->select.operand->kind == CEL_NODE_IDENTIFIER && bytes_equal_text(relation.left->select.field, "driver");
}

static void label_relation(const struct match_relation *relation, struct text *text)
{
    struct bytes name = match_part_name(relation->left);
    bool low = relation->operator == MATCH_MORE || relation->operator == MATCH_AT_LEAST;
    bool order = low || relation->operator == MATCH_LESS || relation->operator == MATCH_AT_MOST;
    const char *field = match_lookup_of(relation->left).field;
    if (!name.data)
        text_add(text, "refused by a selector");
    else if (!order)
        add_labelled(text, "wrong ", name, "");
    else if (match_is_call(relation->right, "semver"))
        add_labelled(text, "", name, low ? " too old" : " too new");
    else if (field && strcmp(field, "capacity") == 0)
        add_labelled(text, low ? "too little " : "too much ", name, "");
    else
        add_labelled(text, "", name, low ? " too low" : " too high");
}

static void label_other(const struct match_cause *cause, struct text *text)
{
    const struct cel_node *node = cause->node, *parts[LIMIT_MATCH_ALTERNATIVES];
    uint32_t count = 0;
    bool bare = node->kind == CEL_NODE_SELECT || match_is_call(node, "_[_]");
    bool several = match_is_call(node, cause->asked ? "_||_" : "_&&_");
    struct bytes name = name_of(node->kind == CEL_NODE_LOOP ? node->loop.range : node, cause->asked);
    if (several) {
        bool same = split(node, cause->asked, parts, &count);
        name = name_of(parts[0], cause->asked);
        for (uint32_t i = 1; i < count; i++)
            same &= name.data && bytes_equal(name_of(parts[i], cause->asked), name);
        name.data = same ? name.data : NULL;
    }
    if (!name.data)
        text_add(text, "refused by a selector");
    else if (bare)
        add_labelled(text, cause->asked ? "not " : "", name, "");
    else
        add_labelled(text, "wrong ", name, "");
}

void match_cause_label(const struct match_cause *cause, struct text *text)
{
    struct match_relation relation;
    const struct match_lookup lookup = cause->node && !cause->failed ? asked_about(cause->node) : (struct match_lookup){ .field = NULL };
    if (cause->failed) {
        struct bytes name = cause->missing && cause->node ? match_part_name(cause->node) : (struct bytes){ NULL, 0 };
        add_labelled(text, name.data ? "failing: no " : "failing", name, "");
    } else if (lookup.field) {
        add_labelled(text, cause->asked ? "no " : "with ", lookup.name.data ? lookup.name : lookup.domain, "");
    } else if (match_cause_is_driver(cause)) {
        text_add(text, "of another driver");
    } else if (match_relation_of(cause->node, cause->asked, &relation)) {
        label_relation(&relation, text);
    } else {
        label_other(cause, text);
    }
}
