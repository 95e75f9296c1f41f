/* Which part of an expression decides that a device does not fit, and in which words that is said. */
#ifndef DRAWBRIDGE_MATCH_CAUSE_H
#define DRAWBRIDGE_MATCH_CAUSE_H

#include "base/text.h"
#include "match/selector.h"

/* The part; `asked`: what it should be. */
struct match_cause {
    const struct cel_node *node; /* NULL: not known */
    bool asked;
    bool failed;                 /* it has no value, … */
    bool missing;                /* … because the device lacks what it looks up */
};

/* Goes down the expression, whose value on the device is false or an error, as `result` says. */
enum failure match_cause_find(struct match_world *world, const struct match_expression *expression, const struct cel_value *device,
                              const struct cel_result *result, struct match_cause *cause) MUST_USE;

/* The same from a part on, which should be `asked` and is not. */
enum failure match_cause_below(struct match_world *world, const struct match_expression *expression, const struct cel_value *device,
                               const struct cel_node *node, bool asked, struct match_cause *cause) MUST_USE;

/* Adds it with the values there: 'device.attributes["d"].model is "a", the selector asks for "b"'. */
enum failure match_cause_add(struct match_world *world, const struct match_expression *expression, struct match_device *device,
                             const struct match_cause *cause, struct text *text) MUST_USE;

/* Whether it is the driver that is another one. */
bool match_cause_is_driver(const struct match_cause *cause);

/* Adds it in two or three words: 'wrong model'. */
void match_cause_label(const struct match_cause *cause, struct text *text);

#endif
