/* Nodes, and what nodes and volumes have to do with drivers, where they are given together. */
#include "check/cross.h"
#include "rules/tables.h"

static struct bytes own_name(struct cross *cross)
{
    return cross_text_at(cross, cross_root_shape(cross), cross_root(cross), "metadata.name");
}

/* On metadata: the object has the name of a node. Source: k8s.io/api v0.35.4 storage/v1/types.go CSINode. */
void cross_named_after_node(struct cross *cross)
{
    struct bytes name = own_name(cross);
    if (name.length && cross_count(cross, "", "Node") && !cross_named(cross, "", "Node", name))
        cross_report(cross, &(struct cross_report){ .below = "name", .value = cross_member(cross, cross_shape(cross), cross_value(cross), "name"), .detail = "is the name of no Node that is given" });
}

/* On metadata: an owner is the node of that name, where it is given. Source: k8s.io/api v0.35.4 storage/v1/types.go CSINode. */
void cross_owned_by_node(struct cross *cross)
{
    struct bytes name = own_name(cross);
    const struct doc_node *owners = doc_member(cross_value(cross), "ownerReferences");
    const struct indexed *node = name.length ? cross_named(cross, "", "Node", name) : NULL;
    if (!node)
        return;
    doc_each(owners, owner) {
        const struct doc_node *kind = doc_member(owner, "kind"), *of = doc_member(owner, "name");
        if (kind && of && kind->type == DOC_STRING && of->type == DOC_STRING && bytes_equal_text(doc_text(kind), "Node") && bytes_equal(doc_text(of), name))
            return;
    }
    cross_report(cross, &(struct cross_report){ .below = "ownerReferences", .other = node, .detail = "should name the Node, so that this goes when the node goes" });
}

/* What an object has, as a set: kept with it, because many may ask. NULL: no memory. */
static struct map *map_of(struct cross *cross, struct indexed *object, const struct doc_node *elements)
{
    if (object->memo)
        return object->memo;
    struct map *made = cross_keep(cross, sizeof *made);
    if (!made)
        return NULL;
    if (!cross_map(cross, made, cross_kept_arena(cross), elements ? elements->count : 0))
        return NULL;
    object->memo = made;
    return made;
}

/* The labels of a Node. */
static const struct map *labels_of(struct cross *cross, struct indexed *node)
{
    const struct doc_node *labels = node->memo ? NULL : doc_member(doc_member(node->root, "metadata"), "labels");
    struct map *keys = map_of(cross, node, labels);
    doc_each(keys ? labels : NULL, label)
        (void)map_add(keys, doc_name(label), label);
    return keys;
}

/* The names of a CSINode's drivers. */
static const struct map *drivers_of(struct cross *cross, struct indexed *node)
{
    const struct shape *spec = cross_member_shape(&csi_node, "spec"), *of = cross_member_shape(spec, "drivers")->of;
    const struct doc_node *drivers = node->memo ? NULL : cross_at(cross, &csi_node, node->root, "spec.drivers");
    struct map *names = map_of(cross, node, drivers);
    doc_each(names ? drivers : NULL, driver)
        (void)map_add(names, doc_text(cross_member(cross, of, driver, "name")), driver);
    return names;
}

/* On topologyKeys: each is a label of the node. Source: k8s.io/api v0.35.4 storage/v1/types.go CSINodeDriver.topologyKeys. */
void cross_topology_labels(struct cross *cross)
{
    struct bytes name = own_name(cross);
    struct indexed *node = name.length && cross_value(cross) ? cross_named(cross, "", "Node", name) : NULL;
    const struct map *labels = node ? labels_of(cross, node) : NULL;
    uint32_t index = 0;
    if (!labels)
        return;
    doc_each(cross_value(cross), key) {
        if (key->type == DOC_STRING && !map_find(labels, doc_text(key)))
            cross_report(cross, &(struct cross_report){ .element = key, .index = index, .value = key, .other = node, .detail = "is no label of the Node that is given" });
        index++;
    }
}

/* ---- attachments ---- */

/* On attacher: a driver that is not attached. Source: k8s.io/api v0.35.4 storage/v1/types.go CSIDriverSpec.attachRequired. */
void cross_attach_required(struct cross *cross)
{
    const struct doc_node *attacher = cross_value(cross);
    const struct indexed *driver = cross_named(cross, "storage.k8s.io", "CSIDriver", doc_text(attacher));
    const struct doc_node *required = driver ? cross_at(cross, &csi_driver, driver->root, "spec.attachRequired") : NULL;
    if (required && required->type == DOC_FALSE)
        cross_report(cross, &(struct cross_report){ .value = attacher, .other = driver, .detail = "is a driver with attachRequired false: nothing attaches this" });
}

/* On attacher: the node has the driver. Source: k8s.io/api v0.35.4 storage/v1/types.go CSINode. */
void cross_attacher_on_node(struct cross *cross)
{
    const struct doc_node *attacher = cross_value(cross), *name = cross_beside(cross, "nodeName");
    struct indexed *node = name && name->count ? cross_named(cross, "storage.k8s.io", "CSINode", doc_text(name)) : NULL;
    const struct map *drivers = node ? drivers_of(cross, node) : NULL;
    if (drivers && !map_find(drivers, doc_text(attacher)))
        cross_report(cross, &(struct cross_report){ .value = attacher, .other = node, .detail = "is not among the drivers of the CSINode that is given" });
}

/* ---- slices for one node ---- */

static bool is_only(const struct doc_node *list)
{
    return list && list->type == DOC_ARRAY && list->count == 1;
}

static bool is_text(const struct doc_node *object, const char *member, const char *text)
{
    const struct doc_node *node = doc_member(object, member);
    return node && node->type == DOC_STRING && bytes_equal_text(doc_text(node), text);
}

/* On nodeSelector: one node only, which nodeName says better. Source: k8s.io/api v0.35.4 resource/v1/types.go ResourceSliceSpec. */
void cross_single_node(struct cross *cross)
{
    const struct doc_node *terms = doc_member(cross_value(cross), "nodeSelectorTerms"), *term = is_only(terms) ? terms->first : NULL;
    const struct doc_node *fields = doc_member(term, "matchFields"), *labels = doc_member(term, "matchExpressions");
    bool by_name = is_only(fields) && (!labels || !labels->count) && is_text(fields->first, "key", "metadata.name");
    bool by_label = is_only(labels) && (!fields || !fields->count) && is_text(labels->first, "key", "kubernetes.io/hostname");
    const struct doc_node *one = by_name ? fields->first : by_label ? labels->first : NULL;
    if (one && is_text(one, "operator", "In") && is_only(doc_member(one, "values")))
        cross_report(cross, &(struct cross_report){ .detail = "is for one node: nodeName says so, and lets autoscalers know" });
}
