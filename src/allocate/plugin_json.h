/* What was decided about pods, as JSON. */
#ifndef DRAWBRIDGE_ALLOCATE_PLUGIN_JSON_H
#define DRAWBRIDGE_ALLOCATE_PLUGIN_JSON_H

#include "allocate/plugin.h"

/* Adds {"pod", "preEnqueue", "preFilter", "filter", "score", "scoreError", "postFilter", "message", "node", "preBind", "claims",
 * "extendedResourceClaimStatus", "panic"}; what does not apply is left out. "claims" are those of the pod's namespace, where they may have
 * changed; their share IDs are numbered, and times and versions left out. */
enum failure allocate_decision_add(struct allocate_plugin *plugin, const struct allocate_pod *pod, const struct allocate_decision *decision,
                                   struct text *json) MUST_USE;

/* Adds the answers to pods, one after the other, as an array. The claims are those of the world before the first one. now: as for
 * allocate_plugin_init(). */
enum failure allocate_pods_add(struct allocate_world *world, int64_t now, const struct value *claims, uint32_t claim_count,
                               const struct doc_node *pods, struct text *json) MUST_USE;

#endif
