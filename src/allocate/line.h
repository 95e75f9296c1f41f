/* Worlds as lines of JSON, and the allocator's answers: for scripts, and for measuring. */
#ifndef DRAWBRIDGE_ALLOCATE_LINE_H
#define DRAWBRIDGE_ALLOCATE_LINE_H

#include "base/text.h"
#include "check/context.h"
#include "schema/gate.h"

/* Adds the answer to a world as a line of JSON, without a line feed: {"id", "variant", "nodes": [{"node", "ok", "results", "error",
 * "onNode", "panic", "calls"}]}, or {"id", "error"} if the line is no world.
 * Of a world with "pods": {"id", "pods"}, see allocate_pods_add(); its claims are those of the cluster. `features` of the world are the
 * gates that are on; where there are none, the settings and the defaults of the version count. Objects are as an API server has stored
 * them. now: as for allocate_plugin_init(). FAILURE_MEMORY, or FAILURE_LIMIT: the objects need more memory than a world has. */
enum failure allocate_line_answer(const struct context *context, minor version, const struct gate_settings *settings, int64_t now,
                                  struct bytes line, struct text *answer) MUST_USE;

#endif
