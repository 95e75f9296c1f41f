/* What an expression costs at most, and the share of each part. */
#include <stdio.h>

#include "cel/token.h"
#include "cli/cel_print.h"

enum { SHARES_MAX = 40 };

/* What stands at the node's place: an operator, .field, or name() of what is called. */
static struct bytes label(const struct cel_shown *shown, const struct cel_node *node)
{
    struct bytes text = shown->text;
    uint32_t end = node->offset < text.length ? node->offset : text.length, start = end;
    if (node->kind == CEL_NODE_SELECT)
        return node->select.field;
    if (end < text.length && text.data[end] != '(') {
        struct cel_token token = cel_token_next(text, end);
        return (struct bytes){ text.data + end, token.offset == end ? token.length : 1u };
    }
    while (start > 0 && (text.data[start - 1] == ' ' || text.data[start - 1] == '\n'))
        start--;
    end = start;
    while (start > 0 && (text.data[start - 1] == '_' || (text.data[start - 1] | 32) >= 'a') && (text.data[start - 1] | 32) <= 'z')
        start--;
    return (struct bytes){ text.data + start, end - start };
}

static void print_share(const struct cel_shown *shown, const struct cel_node *node, unsigned depth)
{
    uint64_t cost = shown->compiled.estimate.nodes[node->number], all = shown->compiled.estimate.cost;
    int line, column;
    cel_place(shown->text, node->offset, &line, &column);
    struct bytes name = label(shown, node);
    bool called = node->kind != CEL_NODE_SELECT && node->offset < shown->text.length && shown->text.data[node->offset] == '(';
    printf("%8llu  %3.0f%%  %d:%-4d %*s%s%.*s%s\n", (unsigned long long)cost, all ? 100.0 * (double)cost / (double)all : 0.0, line, column,
           (int)depth * 2, "", node->kind == CEL_NODE_SELECT ? "." : "", (int)name.length, name.data, called ? "()" : "");
}

/* Nodes with a cost, from the outside; those of macros' expansions stand at one place, and only the outermost is shown. */
static void print_shares(const struct cel_shown *shown, const struct cel_node *node, const struct cel_node *around, unsigned depth,
                         unsigned *count)
{
    const struct cel_node *part;
    bool costs = shown->compiled.estimate.nodes[node->number] > 0 && (!around || node->offset != around->offset);
    if (costs && (*count)++ < SHARES_MAX)
        print_share(shown, node, depth);
    for (uint32_t i = 0; *count <= SHARES_MAX && (part = cel_part(node, i)); i++)
        print_shares(shown, part, node, depth + costs, count);
}

void cel_print_costs(const struct cel_shown *shown)
{
    unsigned count = 0;
    print_shares(shown, shown->compiled.tree.root, NULL, 0, &count);
    if (count > SHARES_MAX)
        puts("     ...");
}
