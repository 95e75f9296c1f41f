/* Source: k8s.io/dynamic-resource-allocation v0.35.4 structured, k8s.io/component-helpers scheduling/corev1/nodeaffinity. */
#include "match/node.h"

#include <errno.h>
#include <stdlib.h>

static const char host_label[] = "kubernetes.io/hostname";

struct node_facts {
    struct bytes name;
    struct value labels;
    bool known; /* labels */
};

/* ---- requirements ---- */

static bool is_among(struct value values, struct bytes text)
{
    value_each(values, value)
        if (bytes_equal(value_text(value), text))
            return true;
    return false;
}

/* An integer as Go's ParseInt reads it. */
static bool read_integer(struct bytes text, int64_t *number)
{
    char digits[24], *end;
    if (!text.length || text.length >= sizeof digits || text.data[0] == ' ')
        return false;
    memcpy(digits, text.data, text.length);
    digits[text.length] = '\0';
    errno = 0;
    *number = strtoll(digits, &end, 10);
    return !errno && *end == '\0' && end != digits;
}

static bool compares(struct value requirement, struct bytes label, bool greater)
{
    int64_t has, wanted;
    struct value only = value_first(match_at(requirement, "values"));
    if (!read_integer(label, &has) || !read_integer(value_text(only), &wanted))
        return false;
    return greater ? has > wanted : has < wanted;
}

static bool fulfils(struct value requirement, bool present, struct bytes label)
{
    struct value operator = match_at(requirement, "operator"), values = match_at(requirement, "values");
    if (value_is(operator, "In"))
        return present && is_among(values, label);
    if (value_is(operator, "NotIn"))
        return !present || !is_among(values, label);
    if (value_is(operator, "Exists"))
        return present;
    if (value_is(operator, "DoesNotExist"))
        return !present;
    return present && compares(requirement, label, value_is(operator, "Gt"));
}

static bool fulfils_label(const struct node_facts *node, struct value requirement)
{
    struct bytes key = value_text(match_at(requirement, "key"));
    const struct doc_node *label = node->known ? doc_member_named(node->labels.node, key) : NULL;
    if (node->known)
        return fulfils(requirement, label != NULL, label && label->type == DOC_STRING ? doc_text(label) : (struct bytes)BYTES(""));
    return !bytes_equal_text(key, host_label) || fulfils(requirement, true, node->name);
}

/* Source: nodeaffinity.go newNodeSelectorTerm: a term without requirements selects nothing. */
static bool fulfils_term(const struct node_facts *node, struct value term)
{
    struct value labels = match_at(term, "matchExpressions"), fields = match_at(term, "matchFields");
    if (!value_count(labels) && !value_count(fields))
        return false;
    value_each(labels, requirement)
        if (!fulfils_label(node, requirement))
            return false;
    value_each(fields, requirement) {
        bool one = value_count(match_at(requirement, "values")) == 1 && value_is(match_at(requirement, "key"), "metadata.name");
        if (!one || !fulfils(requirement, true, node->name))
            return false;
    }
    return true;
}

static uint64_t requirements(struct value selector)
{
    uint64_t count = 1;
    value_each(match_at(selector, "nodeSelectorTerms"), term) {
        count++;
        value_each(match_at(term, "matchExpressions"), requirement)
            count += 1 + value_count(match_at(requirement, "values"));
    }
    return count;
}

/* ---- devices ---- */

struct value match_location(const struct match_device *device)
{
    bool own = value_is_true(match_at(device->slice->spec, "perDeviceNodeSelection"));
    return own ? device->value : device->slice->spec;
}

struct bytes match_bound_to(const struct match_device *device)
{
    struct value name = match_at(match_location(device), "nodeName");
    return value_text(name).length ? value_text(name) : (struct bytes){ NULL, 0 };
}

enum failure match_on_node(struct match_world *world, struct value location, struct bytes name, const struct match_named *node, bool *on)
{
    struct value selector = match_at(location, "nodeSelector");
    struct bytes bound = value_text(match_at(location, "nodeName"));
    const struct node_facts facts = { .name = name, .known = node != NULL,
                                      .labels = node ? match_at(node->root, "metadata.labels") : (struct value){ .shape = NULL } };
    *on = bound.length ? bytes_equal(bound, name) : value_is_true(match_at(location, "allNodes"));
    if (bound.length || *on || !value_is_set(selector))
        return FAILURE_NONE;
    value_each(match_at(selector, "nodeSelectorTerms"), term)
        *on |= fulfils_term(&facts, term);
    return match_work(world, requirements(selector) + value_count(facts.labels));
}
