/* Taints of devices, their own and those of DeviceTaintRules, and what tolerates them. */
#ifndef DRAWBRIDGE_MATCH_TAINT_H
#define DRAWBRIDGE_MATCH_TAINT_H

#include "base/text.h"
#include "match/world.h"

/* The version since which a rule without a selector is for no device; before, it was for every one. */
enum { MATCH_RULE_SELECTOR_NEEDED = 37 };

/* A taint that keeps a device out. */
struct match_taint {
    struct value taint;              /* not set: there is none */
    const struct match_named *rule;  /* NULL: the device has it itself */
};

/* Adds a rule to the world's. */
enum failure match_rule_add(struct match_world *world, struct match_named *rule) MUST_USE;

/* The first taint of the device that these tolerations do not tolerate. */
enum failure match_taint_find(struct match_world *world, const struct match_device *device, struct value tolerations,
                              struct match_taint *found) MUST_USE;

/* Whether a taint keeps out what has these tolerations. */
bool match_keeps_out(struct value taint, struct value tolerations);

/* Adds it as people write it: key=value:effect. */
void match_taint_add(struct text *text, const struct match_taint *taint);

#endif
