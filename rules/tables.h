/* What the tables share: shapes that several kinds use, and what a kind can be. */
#ifndef DRAWBRIDGE_RULES_TABLES_H
#define DRAWBRIDGE_RULES_TABLES_H

#include "schema/rows.h"

/* Where the rules of an object are from, with version; its shape names it, and what is inside has the same source unless it
 * names another. */
#define STORAGE_VALIDATION "k8s.io/kubernetes v1.35.4 pkg/apis/storage/validation/validation.go"

/* What is documented there and enforced by no API server: the source of SHOULD and INFO rows. */
#define STORAGE_DOCUMENTED SOURCE("k8s.io/api v0.35.4 storage/v1/types.go")
#define RESOURCE_DOCUMENTED SOURCE("k8s.io/api v0.35.4 resource/v1/types.go")
#define PROVISIONER_DOCUMENTED SOURCE("github.com/kubernetes-csi/external-provisioner v6.2 pkg/controller/controller.go")

/* Traits of a kind, for TRAIT() in shared shapes. */
enum trait {
    CLUSTER_SCOPED = 0,
    NAMESPACED = KIND_NAMESPACED,
    NAME_ON_UPDATE = 2, /* the API server checks the form of metadata.name on update, too … */
    NAME_ON_STATUS = 16, /* … and on an update of the status */
    NAMED_AFTER_DRIVER = 64, /* the name is that of a CSI driver */
    OWN_GENERATION = 4, /* the API server sets metadata.generation on create, whatever is asked for */
    NO_NAMESPACE = 32,     /* the documents say that metadata.namespace is not set */
    MUTABLE_CLASS = 128,   /* of snapshots of groups: the schema does not keep classes and drivers from changing */
    ANY_GENERATE_NAME = 8, /* it does not check the form of metadata.generateName */
};

/* Ratchets, for RATCHET and UNLESS. */
enum option {
    OLD_LABEL_VALUES = 1, /* the old selector was invalid: label values in it are not checked */
    ONE_TERM = 4,         /* the node selector has exactly one term */
    ONE_DEVICE_TERM = 8,  /* it should have one: the API server takes several for a single device */
    OLD_CONFIG = 2,       /* the configuration is the old one: parameters may be longer */
    OLD_SELECTORS = 16,   /* the selectors are the old ones: expressions are not compiled again */
    OLD_TAINTS = 32,      /* the taints are the old ones: only effects are checked */
    OLD_DECLARED = 64,    /* nothing below changes: checks that the types declare, from 1.37 on, are left out */
};

/* The name of a driver that must be there. Up to 1.34 an empty one is Invalid, too. */
#define DRIVER REQUIRED(STOP_SINCE(35)), FORMAT(DRIVER_NAME)

/* The same where the type declares it, since 1.37, too: Go's (?i) takes other letters for upper case than strings.ToLower. */
#define DECLARED_DRIVER DRIVER, FORMAT(DNS_SUBDOMAIN_FOLDED, SINCE(37), IF(FITS("driver", DRIVER_NAME)))

/* Parameters of a class, opaque but for their number and size. */
#define PARAMETERS      MAX_ITEMS(512, REASON(TOO_LONG)), KEYS(NON_EMPTY(UP(1))), TOTAL_BYTES(262144)

/* What kubelet asks a driver of devices for. */
#define NODE_OPERATIONS NAMES("NodePrepareResources", "NodeUnprepareResources", "*")

/* Conditions: one of each type. */
#define ONE_OF_A_TYPE   UNIQUE("type", UNTIL(36)), UNIQUE("type", UP(1), SINCE(37))

/* The name of an attribute or a capacity up to 1.34, with the format of its domain: see formats.def. */
#define NAME_UNTIL_34(domain) FORMAT(DEVICE_NAME_PARTS, REASON(REQUIRED), UNTIL(34)), FORMAT(domain, UNTIL(34))
#define IDENTIFIER_UNTIL_34 FORMAT(DEVICE_IDENTIFIER, REASON(TYPE_INVALID), UNTIL(33)), FORMAT(DEVICE_IDENTIFIER, SINCE(34), UNTIL(34))
#define ATTRIBUTE_WITH_DOMAIN NAME_UNTIL_34(DEVICE_DOMAIN_AND_NAME), FORMAT(FULLY_QUALIFIED_DEVICE_NAME, SINCE(35)), \
    FORMAT(LOWER_CASE_DOMAIN, SINCE(37), IF(UNLESS(OLD_DECLARED)))
#define NAME_WITH_DOMAIN FORMAT(FULLY_QUALIFIED_DEVICE_NAME), FORMAT(LOWER_CASE_DOMAIN)

#define POOL REQUIRED(STOP), FORMAT(POOL_NAME)

/* Lists of resource.k8s.io: up to 1.34 one that is too long is looked into all the same, and what is there twice is reported at the member
 * that says so. */
#define UP_TO_ITEMS(n)   MAX_ITEMS_CONTINUE(n, STOP_SINCE(35))
#define UNIQUE_IN(name)  UNIQUE(name, UNTIL(34)), UNIQUE(name, UP(1), SINCE(35))

#define RESOURCE_VALIDATION "k8s.io/kubernetes v1.35.4 pkg/apis/resource/validation/validation.go"

#define VALIDATION_32 "k8s.io/kubernetes v1.32.13 pkg/apis/resource/validation/validation.go"

#define CSI_ALPHA_TYPES "k8s.io/csi-api pkg/apis/csi/v1alpha1/types.go"

/* The driver of a FlexVolume is known by the name of a volume plugin. */
#define PLUGIN_SOURCE SOURCE("k8s.io/kubernetes pkg/volume VolumePlugin.GetPluginName")
#define FLEX_DRIVER   FORMAT(PLUGIN_NAME, SHOULD, IF(IS_SET("driver")), PLUGIN_SOURCE)

/* meta.c */
extern const struct shape object_meta;
extern const struct shape plain_meta;
extern const struct shape name_meta;
extern const struct shape label_selector;
extern const struct shape template_meta;
extern const struct shape condition;
extern const char *const deprecated_node_labels[];

/* core/persistent_volume.c */
extern const struct shape inline_volume_spec;

/* core/context.c, core/node.c, core/recycler_pod.c */
extern const struct shape core_namespace, core_node, recycler_pod;

/* core/pod_spec.c, core/workload.c, core/volume_claim.c */
extern const struct shape pod_spec, core_pod, workload, stateful_set, cron_job;
extern const struct shape volume_claim_template, core_volume_claim, core_persistent_volume;

/* csi/<kind>.c */
extern const struct shape alpha_csi_driver, alpha_csi_node_info;

/* core/node_selector.c */
extern const struct shape node_selector;

/* resource/claim_spec.c, resource/<kind>.c; those of v1beta1 where members stand elsewhere */
extern const struct shape claim_spec, claim_spec_v1beta1, device_selector, device_configuration, toleration, result_toleration;
extern const struct reference request_names;
extern const struct shape device_class, device_taint_rule, resource_claim, resource_claim_v1beta1, resource_claim_template,
    resource_claim_template_v1beta1, resource_pool_status_request, resource_slice, resource_slice_v1beta1;

/* snapshot/volume_snapshot_class.c, snapshot/volume_snapshot.c */
extern const struct shape volume_snapshot_class, volume_group_snapshot_class;
extern const struct shape volume_snapshot, volume_group_snapshot, volume_snapshot_content, volume_group_snapshot_content;

/* storage/<kind>.c */
extern const struct shape csi_driver, csi_node, csi_storage_capacity, storage_class, volume_attachment, volume_attributes_class;

/* cross/<subject>.c */
void cross_unique_topology_terms(struct cross *cross), cross_unique_networks(struct cross *cross);
void cross_attribute_lists(struct cross *cross), cross_attribute_values(struct cross *cross), cross_mapped_capacity(struct cross *cross),
    cross_allocatable_capacity(struct cross *cross), cross_partition_types(struct cross *cross);
void cross_counters_defined(struct cross *cross), cross_counters_sum(struct cross *cross), cross_device_counters_sum(struct cross *cross);
void cross_range_amounts(struct cross *cross), cross_range_steps(struct cross *cross);
void cross_unique_device_name(struct cross *cross), cross_well_known_attribute(struct cross *cross),
    cross_well_known_value(struct cross *cross);
void cross_default_annotation(struct cross *cross);
void cross_only_default_storage_class(struct cross *cross), cross_only_default_attributes_class(struct cross *cross),
    cross_only_default_snapshot_class(struct cross *cross), cross_unique_extended_resource(struct cross *cross);
void cross_pool_generation(struct cross *cross), cross_pool_count(struct cross *cross), cross_pool_incomplete(struct cross *cross),
    cross_pool_nodes(struct cross *cross);
void cross_pool_devices(struct cross *cross), cross_pool_counter_sets(struct cross *cross), cross_pool_counters(struct cross *cross);
void cross_selector_domains(struct cross *cross), cross_selector_constant(struct cross *cross),
    cross_selector_published(struct cross *cross), cross_selector_values(struct cross *cross),
    cross_selector_types(struct cross *cross), cross_selector_near(struct cross *cross);
void cross_selector_matches(struct cross *cross), cross_selector_evaluates(struct cross *cross),
    cross_request_supplied(struct cross *cross);
void cross_class_guarded(struct cross *cross), cross_class_devices(struct cross *cross), cross_request_guarded(struct cross *cross),
    cross_request_devices(struct cross *cross);
void cross_derived_attributes_used(struct cross *cross), cross_derived_attributes_cost(struct cross *cross);
void cross_config_driver(struct cross *cross), cross_admin_namespace(struct cross *cross), cross_requests_satisfiable(struct cross *cross);
void cross_named_after_node(struct cross *cross), cross_owned_by_node(struct cross *cross), cross_topology_labels(struct cross *cross),
    cross_single_node(struct cross *cross);
void cross_attach_required(struct cross *cross), cross_attacher_on_node(struct cross *cross), cross_driver_persists(struct cross *cross);
void cross_capacity_published(struct cross *cross), cross_attribute_types(struct cross *cross);
void cross_rule_taints_all(struct cross *cross), cross_rule_taints_driver(struct cross *cross), cross_rule_driver_near(struct cross *cross),
    cross_admin_reach(struct cross *cross);
void cross_constraint_published(struct cross *cross), cross_topology_key(struct cross *cross), cross_topology_value(struct cross *cross);
void cross_copied_from_device(struct cross *cross), cross_device_provides(struct cross *cross), cross_bound_to_node(struct cross *cross);
void cross_results_complete(struct cross *cross), cross_results_one_choice(struct cross *cross),
    cross_results_exclusive(struct cross *cross);
void cross_copied_from_request(struct cross *cross), cross_consumed_enough(struct cross *cross),
    cross_consumed_possible(struct cross *cross);
void cross_device_exists(struct cross *cross), cross_taints_tolerated(struct cross *cross);
void cross_container_claims(struct cross *cross), cross_claim_request(struct cross *cross), cross_pod_claims_used(struct cross *cross);
void cross_driver_is_ephemeral(struct cross *cross), cross_claim_class(struct cross *cross), cross_snapshot_driver(struct cross *cross),
    cross_content_driver(struct cross *cross), cross_attributes_class_driver(struct cross *cross);

void cross_driver_names(struct cross *cross), cross_driver_values(struct cross *cross), cross_driver_needs(struct cross *cross),
    cross_driver_deprecated(struct cross *cross);

/* Fields of a StorageClass that are often written among its parameters, where drivers refuse them. */
extern const char *const fields_of_the_class[];

/* On the parameters of a driver. */
#define DRIVERS_DOCUMENTED SOURCE("rules/drivers: the documentation of each driver")
#define DRIVER_PARAMETERS \
    CALL(DRIVER_PARAMETER, cross_driver_names, SHOULD, DRIVERS_DOCUMENTED, \
        DETAIL("should have only parameters that the driver knows, if it is one of those that are known here")), \
    CALL(DRIVER_PARAMETER, cross_driver_values, SHOULD, DRIVERS_DOCUMENTED, \
        DETAIL("should have values that such a driver takes")), \
    CALL(DRIVER_PARAMETER, cross_driver_needs, SHOULD, REASON(REQUIRED), DRIVERS_DOCUMENTED, \
        DETAIL("should have what such a driver needs, and what its other parameters need beside them")), \
    CALL(DEPRECATED, cross_driver_deprecated, INFO, DRIVERS_DOCUMENTED, \
        DETAIL("should have no parameters that such a driver calls deprecated"))

/* The bytes of a CEL expression. */
enum { MAX_EXPRESSION_BYTES = 10240 };

/* For PREPARED(): the list without what is not allocated any more. */
const struct doc_node *cross_drop_deallocated(struct cross *cross, const struct doc_node *devices);

#endif
