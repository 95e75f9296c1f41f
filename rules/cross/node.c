/* Nodes, and what nodes and volumes have to do with drivers, where they are given together. */
#include "rules/cross/common.h"

/* The Node with the name of the object that is validated. */
static struct indexed *own_node(struct cross *cross)
{
    return cross_named(cross, "", "Node", value_text_at(cross, cross_root(cross), "metadata.name"));
}

/* On metadata: the object has the name of a node. Source: k8s.io/api v0.35.4 storage/v1/types.go CSINode. */
void cross_named_after_node(struct cross *cross)
{
    struct bytes name = value_text_at(cross, cross_root(cross), "metadata.name");
    if (name.length && cross_count(cross, "", "Node") && !own_node(cross))
        cross_report(cross, (struct cross_report){ .below = "name", .quoted = true });
}

/* On metadata: an owner is the node of that name, where it is given. Source: k8s.io/api v0.35.4 storage/v1/types.go CSINode. */
void cross_owned_by_node(struct cross *cross)
{
    const struct indexed *node = own_node(cross);
    if (!node)
        return;
    value_each(value_at(cross, cross_value(cross), "ownerReferences"), owner)
        if (value_is(value_at(cross, owner, "kind"), "Node") && bytes_equal(value_text_at(cross, owner, "name"), indexed_name(node)))
            return;
    cross_report(cross, (struct cross_report){ .below = "ownerReferences", .other = node });
}

/* On topologyKeys: each is a label of the node. Source: k8s.io/api v0.35.4 storage/v1/types.go CSINodeDriver.topologyKeys. */
void cross_topology_labels(struct cross *cross)
{
    struct indexed *node = own_node(cross);
    if (!node)
        return;
    const struct lookup *labels = indexed_lookup(cross, node, "metadata.labels", NULL);
    value_each(cross_value(cross), key)
        if (!value_is_set(lookup_find(labels, value_text(key))))
            cross_report(cross, (struct cross_report){ .at = key, .quoted = true, .other = node });
}

/* ---- topologies of classes ---- */

/* The topology keys of a driver on all nodes: each, and the first of them. */
static void index_topology_keys(struct cross *cross, struct value root)
{
    value_each(value_at(cross, root, "spec.drivers"), driver) {
        struct bytes name = value_text_at(cross, driver, "name");
        value_each(value_at(cross, driver, "topologyKeys"), key) {
            cross_index_add(cross, cross_key(cross, name), key);
            cross_index_add(cross, cross_key(cross, name, value_text(key)), key);
        }
    }
}

static const struct index_definition topology_keys = {
    .group = "storage.k8s.io", .kind = "CSINode", .add = index_topology_keys, .first_only = true,
};

/* On a key of allowedTopologies: the driver has it on a node. Of a driver without keys, nothing is known. */
void cross_topology_key(struct cross *cross)
{
    struct bytes driver = value_text_at(cross, cross_root(cross), "provisioner"), key = value_text(cross_value(cross));
    const struct indexed *first = cross_find(cross, &topology_keys, cross_key(cross, driver));
    if (!first || !key.length || cross_is_reported(cross) || cross_find(cross, &topology_keys, cross_key(cross, driver, key)))
        return;
    struct text text = cross_text(cross);
    text_add(&text, "is no topology key of the driver on any CSINode that is given: no node is in this topology; one of its keys is ");
    text_add_quoted(&text, value_text(indexed_value(first)), 128);
    cross_report(cross, (struct cross_report){ .quoted = true, .text = &text, .other = first });
}

/* The labels of all nodes, with and without their values. */
static void index_node_labels(struct cross *cross, struct value root)
{
    value_each(value_at(cross, root, "metadata.labels"), label) {
        cross_index_add(cross, cross_key(cross, value_name(label)), label);
        cross_index_add(cross, cross_key(cross, value_name(label), value_text(label)), label);
    }
}

static const struct index_definition node_labels = { .group = "", .kind = "Node", .add = index_node_labels, .first_only = true };

/* On the values of a key of allowedTopologies: a node has each, where nodes have that label at all. */
void cross_topology_value(struct cross *cross)
{
    struct bytes key = value_text(cross_sibling(cross, "key"));
    const struct indexed *label = cross_find(cross, &node_labels, cross_key(cross, key));
    if (!label)
        return;
    value_each(cross_value(cross), value)
        if (!cross_find(cross, &node_labels, cross_key(cross, key, value_text(value))))
            cross_report(cross, (struct cross_report){ .at = value, .quoted = true, .other = label });
}

/* ---- attachments ---- */

/* On attacher: a driver that is not attached. Source: k8s.io/api v0.35.4 storage/v1/types.go CSIDriverSpec.attachRequired. */
void cross_attach_required(struct cross *cross)
{
    const struct indexed *driver = cross_named(cross, "storage.k8s.io", "CSIDriver", value_text(cross_value(cross)));
    if (value_is_false(value_at(cross, indexed_root(driver), "spec.attachRequired")))
        cross_report(cross, (struct cross_report){ .quoted = true, .other = driver });
}

/* On attacher: the node has the driver. Source: k8s.io/api v0.35.4 storage/v1/types.go CSINode. */
void cross_attacher_on_node(struct cross *cross)
{
    struct indexed *node = cross_named(cross, "storage.k8s.io", "CSINode", value_text(cross_sibling(cross, "nodeName")));
    if (node && !value_is_set(lookup_find(indexed_lookup(cross, node, "spec.drivers", "name"), value_text(cross_value(cross)))))
        cross_report(cross, (struct cross_report){ .quoted = true, .other = node });
}

/* ---- slices for one node ---- */

/* The only element of a list; nothing, if there are none or several. */
static struct value only_one(struct value list)
{
    return value_count(list) == 1 ? value_first(list) : (struct value){ .node = NULL };
}

/* On nodeSelector: one node only, which nodeName says better. Source: k8s.io/api v0.35.4 resource/v1/types.go ResourceSliceSpec. */
void cross_single_node(struct cross *cross)
{
    struct value term = only_one(value_at(cross, cross_value(cross), "nodeSelectorTerms"));
    struct value fields = value_at(cross, term, "matchFields"), labels = value_at(cross, term, "matchExpressions");
    bool by_name = !value_count(labels) && value_is(value_at(cross, only_one(fields), "key"), "metadata.name");
    bool by_label = !value_count(fields) && value_is(value_at(cross, only_one(labels), "key"), "kubernetes.io/hostname");
    struct value one = by_name ? only_one(fields) : only_one(labels);
    if ((by_name || by_label) && value_is(value_at(cross, one, "operator"), "In") && value_count(value_at(cross, one, "values")) == 1)
        cross_report(cross, (struct cross_report){ .detail = NULL });
}
