#include "match/relation.h"

#include "match/part.h"

static const char *const names[] = { "_==_", "_!=_", "_<_", "_<=_", "_>_", "_>=_" };

enum { OPERATORS = sizeof names / sizeof *names };

static const enum match_operator inverse[] = { MATCH_DIFFERENT, MATCH_EQUAL, MATCH_AT_LEAST, MATCH_MORE, MATCH_AT_MOST, MATCH_LESS };
static const enum match_operator mirrored[] = { MATCH_EQUAL, MATCH_DIFFERENT, MATCH_MORE, MATCH_AT_LEAST, MATCH_LESS, MATCH_AT_MOST };

static void mirror(struct match_relation *relation)
{
    const struct cel_node *left = relation->left;
    relation->left = relation->right;
    relation->right = left;
    relation->operator = mirrored[relation->operator];
}

static bool is_zero(const struct cel_node *node)
{
    return node->kind == CEL_NODE_LITERAL && node->literal.type == CEL_INT && node->literal.integer == 0;
}

/* a.compareTo(b) on the left, 0 on the right. */
static void open_comparison(struct match_relation *relation)
{
    if (is_zero(relation->left))
        mirror(relation);
    const struct cel_node *call = relation->left;
    if (!is_zero(relation->right) || !match_is_call(call, "compareTo") || !call->call.receiver || call->call.count != 1)
        return;
    relation->left = call->call.receiver;
    relation->right = call->call.arguments[0];
}

bool match_relation_of(const struct cel_node *node, bool asked, struct match_relation *relation)
{
    unsigned i = 0;
    bool more = match_is_call(node, "isGreaterThan"), less = match_is_call(node, "isLessThan");
    while (i < OPERATORS && !match_is_call(node, names[i]))
        i++;
    if ((more || less) && node->call.receiver && node->call.count == 1)
        *relation = (struct match_relation){ node->call.receiver, node->call.arguments[0], more ? MATCH_MORE : MATCH_LESS };
    else if (i < OPERATORS)
        *relation = (struct match_relation){ node->call.arguments[0], node->call.arguments[1], (enum match_operator)i };
    else
        return false;
    open_comparison(relation);
    if (match_is_constant(relation->left) && !match_is_constant(relation->right))
        mirror(relation);
    if (!asked)
        relation->operator = inverse[relation->operator];
    return true;
}
