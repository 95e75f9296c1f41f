/* What stands on the stack while a regular expression is read: nodes, and marks for open groups and alternatives. */
#include "cel/limits.h"
#include "cel/regexp_node.h"

static struct regexp_node *top(const struct regexp_parser *parser, uint32_t depth)
{
    return parser->stack_count > depth ? parser->stack[parser->stack_count - 1 - depth] : NULL;
}

/* Two literals on top, both with or both without case, become one. `code`, unless negative, is then pushed as a literal with `flags`, in
 * the node that is left over. Returns 1 when it was, -1 when there was no memory. */
static int join_literals(struct regexp_parser *parser, int64_t code, unsigned flags)
{
    struct regexp_node *last = top(parser, 0), *before = top(parser, 1);
    if (!before || last->op != REGEXP_LITERAL || before->op != REGEXP_LITERAL || (last->flags ^ before->flags) & REGEXP_FOLD)
        return 0;
    if (!regexp_add_codes(parser, before, last->codes, last->code_count))
        return -1;
    if (code >= 0) {
        last->codes[0] = (uint32_t)code;
        last->code_count = 1;
        last->flags = flags;
        return 1;
    }
    parser->stack_count--;
    regexp_node_free(parser, last);
    return 0;
}

static bool append(struct regexp_parser *parser, struct regexp_node *node)
{
    if (parser->stack_count == parser->stack_capacity) {
        uint32_t capacity = parser->stack_capacity * 2 + 32;
        struct regexp_node **copy = arena_alloc(parser->arena, capacity * sizeof *copy);
        if (!regexp_memory(parser, copy))
            return false;
        if (parser->stack_count)
            memcpy(copy, parser->stack, parser->stack_count * sizeof *copy);
        parser->stack = copy;
        parser->stack_capacity = capacity;
    }
    parser->stack[parser->stack_count++] = node;
    return true;
}

/* Whether a class is one character, or one with its other case: *code is that, and *fold which of both. */
static bool is_one_character(const struct regexp_node *node, uint32_t *code, bool *fold)
{
    const struct range *list = node->set.list;
    uint32_t all[UNICODE_FOLDED];
    if (node->op != REGEXP_CLASS || node->set.count == 0 || node->set.count > 2)
        return false;
    bool single = node->set.count == 1 && list[0].low == list[0].high;
    bool neighbours = node->set.count == 1 && list[0].low + 1 == list[0].high;
    bool apart = node->set.count == 2 && list[0].low == list[0].high && list[1].low == list[1].high;
    *code = list[0].low;
    *fold = !single;
    if (single || (!neighbours && !apart))
        return single;
    return unicode_folded(*code, all) == 2 && all[0] == *code && all[1] == list[node->set.count - 1].high;
}

bool regexp_push(struct regexp_parser *parser, struct regexp_node *node)
{
    uint32_t code;
    bool fold;
    parser->range_ends += node->op == REGEXP_CLASS ? node->set.count * 2u : node->code_count;
    if (is_one_character(node, &code, &fold)) {
        unsigned flags = fold ? parser->flags | REGEXP_FOLD : parser->flags & ~(unsigned)REGEXP_FOLD;
        int joined = join_literals(parser, code, flags);
        if (joined)
            return joined > 0;
        node->op = REGEXP_LITERAL;
        node->flags = flags;
        node->set = (struct ranges){ 0 };
        node->code_count = 0;
        if (!regexp_add_codes(parser, node, &code, 1))
            return false;
    } else if (join_literals(parser, -1, 0) < 0) {
        return false;
    }
    return append(parser, node) && regexp_check_limits(parser, node);
}

static bool push_new(struct regexp_parser *parser, enum regexp_op op, bool capturing)
{
    struct regexp_node *node = regexp_node_new(parser, op);
    if (!node)
        return false;
    node->flags = parser->flags;
    node->capturing = capturing;
    return regexp_push(parser, node);
}

bool regexp_push_op(struct regexp_parser *parser, enum regexp_op op)
{
    return push_new(parser, op, false);
}

bool regexp_push_group(struct regexp_parser *parser, bool capturing)
{
    return push_new(parser, REGEXP_LEFT_PAREN, capturing);
}

bool regexp_push_literal(struct regexp_parser *parser, uint32_t code)
{
    struct regexp_node *node = regexp_node_new(parser, REGEXP_LITERAL);
    uint32_t all[UNICODE_FOLDED];
    if (!node)
        return false;
    node->flags = parser->flags;
    if (parser->flags & REGEXP_FOLD) {
        (void)unicode_folded(code, all);
        code = all[0];
    }
    return regexp_add_codes(parser, node, &code, 1) && regexp_push(parser, node);
}

bool regexp_push_repeat(struct regexp_parser *parser, enum regexp_op op, int min, int max, bool non_greedy, const char *from,
                        const char *to)
{
    struct regexp_node *repeated = top(parser, 0);
    if (!repeated || repeated->op >= REGEXP_LEFT_PAREN)
        return regexp_refuse(parser, "missing argument to repetition operator", from, to);
    struct regexp_node *node = regexp_node_new(parser, op);
    if (!node)
        return false;
    node->min = min;
    node->max = max;
    node->flags = parser->flags ^ (non_greedy ? REGEXP_NON_GREEDY : 0);
    node->only[0] = repeated;
    node->below = node->only;
    node->below_count = 1;
    parser->stack[parser->stack_count - 1] = node;
    if (!regexp_check_limits(parser, node))
        return false;
    if (op == REGEXP_REPEAT && (min >= 2 || max >= 2) && !regexp_repeat_is_valid(node, LIMIT_CEL_REGEXP_COUNT))
        return regexp_refuse(parser, "invalid repeat count", from, to);
    return true;
}

/* Replaces what is above the topmost mark by one node. */
static bool collapse_top(struct regexp_parser *parser, enum regexp_op op, enum regexp_op empty)
{
    uint32_t start = parser->stack_count;
    while (start > 0 && parser->stack[start - 1]->op < REGEXP_LEFT_PAREN)
        start--;
    uint32_t count = parser->stack_count - start;
    parser->stack_count = start;
    struct regexp_node *node = count ? regexp_collapse(parser, parser->stack + start, count, op) : regexp_node_new(parser, empty);
    return node && regexp_push(parser, node);
}

static bool concat(struct regexp_parser *parser)
{
    return join_literals(parser, -1, 0) >= 0 && collapse_top(parser, REGEXP_CONCAT, REGEXP_EMPTY);
}

static bool alternate(struct regexp_parser *parser)
{
    struct regexp_node *last = top(parser, 0);
    if (last && last->op < REGEXP_LEFT_PAREN && !regexp_clean_class(parser, last))
        return false;
    return collapse_top(parser, REGEXP_ALTERNATE, REGEXP_NOTHING);
}

/* Moves the alternative on top below the bar, or into the class that is there. Returns 1, 0 when there is no bar, or -1 when there was no
 * memory. */
static int swap_bar(struct regexp_parser *parser)
{
    struct regexp_node *last = top(parser, 0), *bar = top(parser, 1), *before = top(parser, 2);
    if (!bar || bar->op != REGEXP_VERTICAL_BAR)
        return 0;
    if (before && regexp_is_class(last) && regexp_is_class(before)) {
        struct regexp_node *into = last->op > before->op ? last : before, *from = into == last ? before : last;
        parser->stack[parser->stack_count - 3] = into;
        if (!regexp_merge_class(parser, into, from))
            return -1;
        regexp_node_free(parser, from);
        parser->stack_count--;
        return 1;
    }
    if (before && !regexp_clean_class(parser, before))
        return -1;
    parser->stack[parser->stack_count - 2] = last;
    parser->stack[parser->stack_count - 1] = bar;
    return 1;
}

bool regexp_vertical_bar(struct regexp_parser *parser)
{
    int swapped = concat(parser) ? swap_bar(parser) : -1;
    return swapped == 0 ? regexp_push_op(parser, REGEXP_VERTICAL_BAR) : swapped > 0;
}

/* The alternatives since the last group was opened become one node. */
static bool close_alternatives(struct regexp_parser *parser)
{
    int swapped = concat(parser) ? swap_bar(parser) : -1;
    if (swapped < 0)
        return false;
    parser->stack_count -= (uint32_t)swapped;
    return alternate(parser);
}

bool regexp_right_paren(struct regexp_parser *parser)
{
    if (!close_alternatives(parser))
        return false;
    struct regexp_node *inner = top(parser, 0), *group = top(parser, 1);
    if (!group || group->op != REGEXP_LEFT_PAREN)
        return regexp_refuse(parser, "unexpected )", parser->text.data, parser->text.data + parser->text.length);
    parser->stack_count -= 2;
    parser->flags = group->flags;
    if (!group->capturing)
        return regexp_push(parser, inner);
    group->op = REGEXP_CAPTURE;
    group->only[0] = inner;
    group->below = group->only;
    group->below_count = 1;
    return regexp_push(parser, group);
}

bool regexp_end(struct regexp_parser *parser, struct regexp_node **root)
{
    if (!close_alternatives(parser))
        return false;
    if (parser->stack_count != 1)
        return regexp_refuse(parser, "missing closing )", parser->text.data, parser->text.data + parser->text.length);
    *root = parser->stack[0];
    return true;
}
