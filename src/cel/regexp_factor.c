/* Alternatives that begin alike: what they have in common is taken out, as Go does it. A match does not depend on that, but the height of
 * the tree does, and so what Go refuses. */
#include "cel/limits.h"
#include "cel/regexp_node.h"

/* A run of alternatives, and the alternatives that are left when runs have become one. Both are in the same array: what is written is never
 * before what is read. */
struct alternatives {
    struct regexp_node **all;
    uint32_t count, kept;
};

static struct regexp_node *new_pair(struct regexp_parser *parser, struct regexp_node *first, struct regexp_node *second)
{
    struct regexp_node **below = arena_alloc(parser->arena, 2 * sizeof *below);
    struct regexp_node *node = regexp_memory(parser, below) ? regexp_node_new(parser, REGEXP_CONCAT) : NULL;
    if (!node)
        return NULL;
    below[0] = first;
    below[1] = second;
    node->below = below;
    node->below_count = 2;
    return node;
}

/* The beginning `prefix`, and the alternatives from `start` to `end` without it: one alternative. */
static bool keep_factored(struct regexp_parser *parser, struct alternatives *list, uint32_t start, uint32_t end, struct regexp_node *prefix)
{
    struct regexp_node *rest = regexp_collapse(parser, list->all + start, end - start, REGEXP_ALTERNATE);
    struct regexp_node *node = rest ? new_pair(parser, prefix, rest) : NULL;
    if (node)
        list->all[list->kept++] = node;
    return node;
}

/* ---- literals ---- */

/* The literal that a node begins with, or NULL. */
static const struct regexp_node *leading_literal(const struct regexp_node *node)
{
    if (node->op == REGEXP_CONCAT && node->below_count)
        node = node->below[0];
    return node->op == REGEXP_LITERAL ? node : NULL;
}

static void remove_codes(struct regexp_node *literal, uint32_t count)
{
    literal->codes += count;
    literal->code_count -= count;
    literal->code_capacity -= count;
    if (literal->code_count == 0)
        literal->op = REGEXP_EMPTY;
}

/* Removes the first node of a sequence; what is left of one that had two is the other. */
static struct regexp_node *remove_first(struct regexp_parser *parser, struct regexp_node *concat)
{
    struct regexp_node *left = concat;
    concat->below++;
    concat->below_count--;
    if (concat->below_count == 1) {
        left = concat->below[0];
        regexp_node_free(parser, concat);
    }
    return left;
}

static struct regexp_node *remove_leading_literal(struct regexp_parser *parser, struct regexp_node *node, uint32_t count)
{
    if (node->op != REGEXP_CONCAT) {
        remove_codes(node, count);
        return node;
    }
    struct regexp_node *literal = node->below[0];
    remove_codes(literal, count);
    if (literal->op != REGEXP_EMPTY)
        return node;
    regexp_node_free(parser, literal);
    return remove_first(parser, node);
}

static bool keep_literal_run(struct regexp_parser *parser, struct alternatives *list, uint32_t start, uint32_t end, uint32_t common)
{
    const struct regexp_node *literal = leading_literal(list->all[start]);
    struct regexp_node *prefix = regexp_node_new(parser, REGEXP_LITERAL);
    if (!prefix || !regexp_add_codes(parser, prefix, literal->codes, common))
        return false;
    prefix->flags = literal->flags & REGEXP_FOLD;
    for (uint32_t i = start; i < end; i++) {
        list->all[i] = remove_leading_literal(parser, list->all[i], common);
        if (!regexp_check_limits(parser, list->all[i]))
            return false;
    }
    return keep_factored(parser, list, start, end, prefix);
}

/* How many characters, at most `most`, two literals begin with alike. */
static uint32_t common_codes(const struct regexp_node *a, const struct regexp_node *b, uint32_t most)
{
    uint32_t same = 0;
    if (!a || !b || (a->flags ^ b->flags) & REGEXP_FOLD)
        return 0;
    while (same < most && same < b->code_count && a->codes[same] == b->codes[same])
        same++;
    return same;
}

static bool factor_literals(struct regexp_parser *parser, struct alternatives *list)
{
    uint32_t start = 0, common = 0;
    const struct regexp_node *first = NULL;
    list->kept = 0;
    for (uint32_t i = 0; i <= list->count; i++) {
        const struct regexp_node *literal = i < list->count ? leading_literal(list->all[i]) : NULL;
        uint32_t same = common_codes(first, literal, common);
        if (same) {
            common = same;
            continue;
        }
        if (i == start + 1)
            list->all[list->kept++] = list->all[start];
        else if (i > start && !keep_literal_run(parser, list, start, i, common))
            return false;
        start = i;
        first = literal;
        common = literal ? literal->code_count : 0;
    }
    list->count = list->kept;
    return true;
}

/* ---- classes ---- */

static struct regexp_node *leading_node(struct regexp_node *node)
{
    if (node->op == REGEXP_CONCAT && node->below_count)
        node = node->below[0];
    return node->op == REGEXP_EMPTY ? NULL : node;
}

/* `keep` the node that is removed. */
static struct regexp_node *remove_leading_node(struct regexp_parser *parser, struct regexp_node *node, bool keep)
{
    bool concat = node->op == REGEXP_CONCAT && node->below_count;
    if (!keep)
        regexp_node_free(parser, concat ? node->below[0] : node);
    return concat ? remove_first(parser, node) : regexp_node_new(parser, REGEXP_EMPTY);
}

static bool keep_class_run(struct regexp_parser *parser, struct alternatives *list, uint32_t start, uint32_t end, struct regexp_node *first)
{
    for (uint32_t i = start; i < end; i++) {
        list->all[i] = remove_leading_node(parser, list->all[i], i == start);
        if (!list->all[i] || !regexp_check_limits(parser, list->all[i]))
            return false;
    }
    return keep_factored(parser, list, start, end, first);
}

/* Anything else could be matched in several ways, of which the first counts. */
static bool may_be_taken_out(const struct regexp_node *node)
{
    return regexp_is_class(node) || (node->op == REGEXP_REPEAT && node->min == node->max && regexp_is_class(node->below[0]));
}

static bool factor_classes(struct regexp_parser *parser, struct alternatives *list)
{
    uint32_t start = 0;
    struct regexp_node *first = NULL;
    list->kept = 0;
    for (uint32_t i = 0; i <= list->count; i++) {
        struct regexp_node *leading = i < list->count ? leading_node(list->all[i]) : NULL;
        if (first && leading && may_be_taken_out(first) && regexp_equal(first, leading))
            continue;
        if (i == start + 1)
            list->all[list->kept++] = list->all[start];
        else if (i > start && !keep_class_run(parser, list, start, i, first))
            return false;
        start = i;
        first = leading;
    }
    list->count = list->kept;
    return true;
}

/* ---- alternatives that are one class, or empty ---- */

static bool is_simpler(const struct regexp_node *a, const struct regexp_node *b)
{
    uint32_t size_a = a->op == REGEXP_LITERAL ? a->code_count : a->set.count * 2;
    uint32_t size_b = b->op == REGEXP_LITERAL ? b->code_count : b->set.count * 2;
    return a->op < b->op || (a->op == b->op && size_a < size_b);
}

/* One class of the alternatives from `start` to `end`: into the one that is not simpler than any other. */
static bool keep_class(struct regexp_parser *parser, struct alternatives *list, uint32_t start, uint32_t end)
{
    uint32_t most = start;
    for (uint32_t i = start + 1; i < end; i++)
        if (is_simpler(list->all[most], list->all[i]))
            most = i;
    struct regexp_node *into = list->all[most];
    list->all[most] = list->all[start];
    for (uint32_t i = start + 1; i < end; i++) {
        if (!regexp_merge_class(parser, into, list->all[i]))
            return false;
        regexp_node_free(parser, list->all[i]);
    }
    list->all[list->kept++] = into;
    return regexp_clean_class(parser, into);
}

static bool join_classes(struct regexp_parser *parser, struct alternatives *list)
{
    uint32_t start = 0;
    list->kept = 0;
    for (uint32_t i = 0; i <= list->count; i++) {
        if (i < list->count && regexp_is_class(list->all[i]))
            continue;
        if (i == start + 1)
            list->all[list->kept++] = list->all[start];
        else if (i > start && !keep_class(parser, list, start, i))
            return false;
        if (i < list->count)
            list->all[list->kept++] = list->all[i];
        start = i + 1;
    }
    list->count = list->kept;
    return true;
}

static void join_empty(struct alternatives *list)
{
    list->kept = 0;
    for (uint32_t i = 0; i < list->count; i++)
        if (i + 1 == list->count || list->all[i]->op != REGEXP_EMPTY || list->all[i + 1]->op != REGEXP_EMPTY)
            list->all[list->kept++] = list->all[i];
    list->count = list->kept;
}

/* Each level of recursion is a level of the tree that comes out, so that more than the limit are refused. */
static bool factor(struct regexp_parser *parser, struct alternatives *list)
{
    const char *begin = parser->text.data;
    if (parser->factor_depth > LIMIT_CEL_REGEXP_HEIGHT + 1)
        return regexp_refuse(parser, "expression nests too deeply", begin, begin + parser->text.length);
    parser->factor_depth++;
    bool done = factor_literals(parser, list) && factor_classes(parser, list) && join_classes(parser, list);
    parser->factor_depth--;
    if (done)
        join_empty(list);
    return done;
}

/* ---- one node of many ---- */

/* Puts `nodes` below `into`; of one that is of the same kind, those below it. */
static bool take_over(struct regexp_parser *parser, struct regexp_node *into, struct regexp_node **nodes, uint32_t count)
{
    uint32_t total = 0, n = 0;
    for (uint32_t i = 0; i < count; i++)
        total += nodes[i]->op == into->op ? nodes[i]->below_count : 1;
    into->below = arena_alloc(parser->arena, (total ? total : 1) * sizeof(struct regexp_node *));
    if (!regexp_memory(parser, into->below))
        return false;
    for (uint32_t i = 0; i < count; i++) {
        if (nodes[i]->op != into->op) {
            into->below[n++] = nodes[i];
            continue;
        }
        for (uint32_t k = 0; k < nodes[i]->below_count; k++)
            into->below[n++] = nodes[i]->below[k];
        regexp_node_free(parser, nodes[i]);
    }
    into->below_count = n;
    return true;
}

struct regexp_node *regexp_collapse(struct regexp_parser *parser, struct regexp_node **nodes, uint32_t count, enum regexp_op op)
{
    if (count == 1)
        return nodes[0];
    struct regexp_node *node = regexp_node_new(parser, op);
    if (!node || !take_over(parser, node, nodes, count))
        return NULL;
    if (op != REGEXP_ALTERNATE)
        return node;
    struct alternatives list = { node->below, node->below_count, 0 };
    if (list.count >= 2 && !factor(parser, &list))
        return NULL;
    node->below_count = list.count;
    if (list.count != 1)
        return node;
    struct regexp_node *left = node->below[0];
    regexp_node_free(parser, node);
    return left;
}
