#include "cel/node.h"

static struct cel_node *entry_part(const struct cel_node *node, uint32_t i)
{
    if (node->kind == CEL_NODE_MAP && i / 2 < node->literals.count)
        return i % 2 ? node->literals.entries[i / 2].value : node->literals.entries[i / 2].key;
    return node->kind != CEL_NODE_MAP && i < node->literals.count ? node->literals.entries[i].value : NULL;
}

struct cel_node *cel_part(const struct cel_node *node, uint32_t i)
{
    switch (node->kind) {
    case CEL_NODE_SELECT:
        return i == 0 ? node->select.operand : NULL;
    case CEL_NODE_CALL:
        if (node->call.receiver && i-- == 0)
            return node->call.receiver;
        return i < node->call.count ? node->call.arguments[i] : NULL;
    case CEL_NODE_LIST: case CEL_NODE_MAP: case CEL_NODE_MESSAGE:
        return entry_part(node, i);
    case CEL_NODE_LOOP:
        return i < 5
                   ? (struct cel_node *[]){ node->loop.range, node->loop.init, node->loop.condition, node->loop.step, node->loop.result }[i]
                   : NULL;
    default:
        return NULL;
    }
}

bool cel_is_binding(const struct cel_node *node)
{
    if (node->kind != CEL_NODE_LOOP)
        return false;
    const struct cel_node *range = node->loop.range, *condition = node->loop.condition;
    return range->kind == CEL_NODE_LIST && range->literals.count == 0 && condition->kind == CEL_NODE_LITERAL &&
           condition->literal.type == CEL_BOOL && !condition->literal.boolean;
}
