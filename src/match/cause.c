/* Going down an expression to the part that decides. */
#include "match/cause.h"

#include "match/part.h"

/* Whether the whole is `asked` only if both parts are: a && b that should be true, a || b that should be false. */
static bool needs_both(const struct cel_node *node, bool asked)
{
    return match_is_call(node, asked ? "_&&_" : "_||_");
}

static bool begins_with(const char *text, const char *start)
{
    return strncmp(text, start, strlen(start)) == 0;
}

/* Where to go on in a ? b : c, of which a is true or not: in the side that is taken; or, if that is true or false whatever the device is,
 * in the condition, which should be otherwise then. */
static const struct cel_node *chosen(const struct cel_node *node, bool condition, bool *asked)
{
    const struct cel_node *side = node->call.arguments[condition ? 1 : 2];
    if (side->kind != CEL_NODE_LITERAL)
        return side;
    *asked = !condition;
    return node->call.arguments[0];
}

enum failure match_cause_below(struct match_world *world, const struct match_expression *expression, const struct cel_value *device,
                               const struct cel_node *node, bool asked, struct match_cause *cause)
{
    struct cel_result part;
    for (;;) { /* each turn goes one part down */
        if (match_is_call(node, "!_")) {
            asked = !asked;
            node = node->call.arguments[0];
            continue;
        }
        if (cel_is_binding(node)) {
            node = node->loop.result;
            continue;
        }
        bool both = needs_both(node, asked), choice = match_is_call(node, "_?_:_");
        if (!both && !choice)
            break;
        enum failure failure = match_evaluate(world, expression, node->call.arguments[0], device, &part);
        if (failure)
            return failure;
        enum match_truth truth = match_truth(&part);
        if (both)
            node = node->call.arguments[truth != (asked ? MATCH_UNTRUE : MATCH_TRUE)];
        else
            node = chosen(node, truth == MATCH_TRUE, &asked);
    }
    *cause = (struct match_cause){ .node = node, .asked = asked };
    return FAILURE_NONE;
}

enum failure match_cause_find(struct match_world *world, const struct match_expression *expression, const struct cel_value *device,
                              const struct cel_result *result, struct match_cause *cause)
{
    const struct cel_fault *fault = &result->value.fault;
    const struct cel_node *root = expression->compiled.tree.root;
    if (result->value.type == CEL_BOOL)
        return match_cause_below(world, expression, device, root, true, cause);
    if (result->value.type != CEL_ERROR) {
        *cause = (struct match_cause){ root, true, true, false };
        return FAILURE_NONE;
    }
    *cause = (struct match_cause){ fault->node, true, true, begins_with(fault->words, "no such key") };
    return FAILURE_NONE;
}
