/* Nodes of a regular expression, and how large Go finds them. */
#include "base/text.h"
#include "cel/limits.h"
#include "cel/regexp_node.h"

bool regexp_memory(struct regexp_parser *parser, bool there)
{
    enum failure failure = parser->arena->failure ? parser->arena->failure : parser->classes->arena->failure;
    if (!there)
        parser->failure = failure ? failure : FAILURE_MEMORY;
    return there;
}

bool regexp_refuse(struct regexp_parser *parser, const char *words, const char *from, const char *to)
{
    struct text text;
    text_init(&text, parser->arena);
    text_add(&text, "error parsing regexp: ");
    text_add(&text, words);
    text_add(&text, ": `");
    text_add_bytes(&text, (struct bytes){ from, (uint32_t)(to - from) });
    text_add(&text, "`");
    const char *error = text_end(&text);
    if (regexp_memory(parser, error))
        parser->error = (struct bytes){ error, (uint32_t)text.length };
    return false;
}

struct regexp_node *regexp_node_new(struct regexp_parser *parser, enum regexp_op op)
{
    struct regexp_node *node = parser->free_nodes;
    int64_t size = 0;
    if (node) {
        parser->free_nodes = node->next_free;
        size = node->size;
    } else {
        node = arena_alloc(parser->arena, sizeof *node);
        if (!regexp_memory(parser, node))
            return NULL;
        parser->node_count++;
    }
    *node = (struct regexp_node){ .op = op, .size = size };
    return node;
}

void regexp_node_free(struct regexp_parser *parser, struct regexp_node *node)
{
    node->height = 0;
    node->next_free = parser->free_nodes;
    parser->free_nodes = node;
}

/* ---- size ---- */

static int64_t node_size(struct regexp_node *node);

static int64_t known_size(struct regexp_node *node)
{
    return node->size ? node->size : node_size(node);
}

static int64_t repeat_size(const struct regexp_node *node, int64_t once)
{
    if (node->max >= 0)
        return node->max * once + (node->max - node->min);
    return node->min ? 1 + node->min * once : 2 + once;
}

/* Counts again. Recursion: as deep as the tree, see LIMIT_CEL_REGEXP_HEIGHT. */
static int64_t node_size(struct regexp_node *node)
{
    int64_t size = 0;
    for (uint32_t i = 0; i < node->below_count; i++)
        size += known_size(node->below[i]);
    if (node->op == REGEXP_LITERAL)
        size = node->code_count;
    else if (node->op == REGEXP_CAPTURE || node->op == REGEXP_STAR)
        size += 2;
    else if (node->op == REGEXP_PLUS || node->op == REGEXP_QUEST)
        size += 1;
    else if (node->op == REGEXP_ALTERNATE && node->below_count > 1)
        size += node->below_count - 1;
    else if (node->op == REGEXP_REPEAT)
        size = repeat_size(node, size);
    node->size = size > 1 ? size : 1;
    return node->size;
}

/* Go counts sizes only when the number of nodes, times all counts, could be too much. */
static bool sizes_matter(struct regexp_parser *parser, const struct regexp_node *node)
{
    if (node->op == REGEXP_REPEAT) {
        int count = node->max == -1 ? node->min : node->max;
        if (count <= 0)
            count = 1;
        if (count > LIMIT_CEL_REGEXP_SIZE / parser->repeats)
            parser->repeats = LIMIT_CEL_REGEXP_SIZE;
        else
            parser->repeats *= count;
    }
    return parser->node_count >= LIMIT_CEL_REGEXP_SIZE / parser->repeats;
}

static bool size_is_good(struct regexp_parser *parser, struct regexp_node *node)
{
    bool good = true;
    if (!parser->sizes) {
        if (!sizes_matter(parser, node))
            return true;
        parser->sizes = true;
        for (uint32_t i = 0; i < parser->stack_count; i++)
            good &= node_size(parser->stack[i]) <= LIMIT_CEL_REGEXP_SIZE;
    }
    return node_size(node) <= LIMIT_CEL_REGEXP_SIZE && good;
}

/* ---- height ---- */

/* Counts again. Recursion: as deep as the tree. */
static unsigned node_height(struct regexp_node *node)
{
    unsigned height = 0;
    for (uint32_t i = 0; i < node->below_count; i++) {
        unsigned below = node->below[i]->height ? node->below[i]->height : node_height(node->below[i]);
        if (below > height)
            height = below;
    }
    node->height = height + 1;
    return node->height;
}

static bool height_is_good(struct regexp_parser *parser, struct regexp_node *node)
{
    bool good = true;
    if (parser->node_count < LIMIT_CEL_REGEXP_HEIGHT)
        return true;
    if (!parser->heights) {
        parser->heights = true;
        for (uint32_t i = 0; i < parser->stack_count; i++)
            good &= node_height(parser->stack[i]) <= LIMIT_CEL_REGEXP_HEIGHT;
    }
    return node_height(node) <= LIMIT_CEL_REGEXP_HEIGHT && good;
}

bool regexp_check_limits(struct regexp_parser *parser, struct regexp_node *node)
{
    const char *begin = parser->text.data, *end = begin + parser->text.length;
    if (parser->range_ends > LIMIT_CEL_REGEXP_RANGE_ENDS || !size_is_good(parser, node))
        return regexp_refuse(parser, "expression too large", begin, end);
    if (!height_is_good(parser, node))
        return regexp_refuse(parser, "expression nests too deeply", begin, end);
    return true;
}

bool regexp_repeat_is_valid(const struct regexp_node *node, int most)
{
    if (node->op == REGEXP_REPEAT) {
        int count = node->max < 0 ? node->min : node->max;
        if (node->max == 0)
            return true;
        if (count > most)
            return false;
        if (count > 0)
            most /= count;
    }
    for (uint32_t i = 0; i < node->below_count; i++)
        if (!regexp_repeat_is_valid(node->below[i], most))
            return false;
    return true;
}

/* ---- literals and classes ---- */

bool regexp_is_class(const struct regexp_node *node)
{
    return (node->op == REGEXP_LITERAL && node->code_count == 1) || (node->op >= REGEXP_CLASS && node->op <= REGEXP_ANY);
}

/* Only what regexp_collapse compares: classes, and repetitions of classes. */
bool regexp_equal(const struct regexp_node *a, const struct regexp_node *b)
{
    if (a->op != b->op || (a->flags ^ b->flags) & (a->op == REGEXP_REPEAT ? REGEXP_NON_GREEDY : 0))
        return false;
    if (a->op == REGEXP_REPEAT)
        return a->min == b->min && a->max == b->max && regexp_is_class(b->below[0]) && regexp_equal(a->below[0], b->below[0]);
    if (a->op == REGEXP_LITERAL || a->op == REGEXP_CLASS)
        if ((a->flags ^ b->flags) & REGEXP_FOLD)
            return false;
    if (a->op == REGEXP_LITERAL)
        return a->code_count == b->code_count && memcmp(a->codes, b->codes, a->code_count * sizeof *a->codes) == 0;
    return a->op != REGEXP_CLASS || ranges_equal(a->set, b->set);
}

bool regexp_add_codes(struct regexp_parser *parser, struct regexp_node *node, const uint32_t *codes, uint32_t count)
{
    if (node->code_count + count > node->code_capacity) {
        uint32_t capacity = (node->code_count + count) * 2;
        uint32_t *copy = arena_alloc(parser->arena, capacity * sizeof *copy);
        if (!regexp_memory(parser, copy))
            return false;
        if (node->code_count)
            memcpy(copy, node->codes, node->code_count * sizeof *copy);
        node->codes = copy;
        node->code_capacity = capacity;
    }
    memcpy(node->codes + node->code_count, codes, count * sizeof *codes);
    node->code_count += count;
    return true;
}

static void add_literal(struct ranges_builder *builder, const struct regexp_node *literal)
{
    uint32_t all[UNICODE_FOLDED] = { literal->codes[0] };
    unsigned count = literal->flags & REGEXP_FOLD ? unicode_folded(literal->codes[0], all) : 1;
    for (unsigned i = 0; i < count; i++)
        ranges_add(builder, all[i], all[i]);
}

static void join(struct regexp_merger *merger, const struct regexp_node *class)
{
    if (class->op == REGEXP_LITERAL) {
        add_literal(&merger->builder, class);
        return;
    }
    for (unsigned i = 0; i < REGEXP_JOINED; i++)
        if (class->set.list == merger->joined[i])
            return;
    ranges_add_set(&merger->builder, class->set);
    merger->joined[merger->joined_count++ % REGEXP_JOINED] = class->set.list;
}

static struct regexp_merger *new_merger(struct regexp_parser *parser)
{
    struct regexp_merger *merger = parser->free_mergers;
    if (merger) {
        parser->free_mergers = merger->next_free;
        memset(merger->joined, 0, sizeof merger->joined);
        return merger;
    }
    merger = arena_alloc(parser->arena, sizeof *merger);
    if (!regexp_memory(parser, merger))
        return NULL;
    *merger = (struct regexp_merger){ .next_free = NULL };
    ranges_init(&merger->builder, parser->arena);
    return merger;
}

bool regexp_merge_class(struct regexp_parser *parser, struct regexp_node *into, const struct regexp_node *from)
{
    if (into->op == REGEXP_ANY_BUT_LINE_END) {
        bool adds = (from->op == REGEXP_LITERAL && from->codes[0] == '\n') || (from->op == REGEXP_CLASS && ranges_contain(from->set, '\n'));
        if (adds)
            into->op = REGEXP_ANY;
        return true;
    }
    if (into->op == REGEXP_ANY)
        return true;
    if (into->op == REGEXP_LITERAL && into->codes[0] == from->codes[0] && into->flags == from->flags)
        return true;
    if (!into->merger) {
        into->merger = new_merger(parser);
        if (!into->merger)
            return false;
        join(into->merger, into);
    }
    join(into->merger, from);
    into->op = REGEXP_CLASS;
    return regexp_memory(parser, !into->merger->builder.failed);
}

bool regexp_clean_class(struct regexp_parser *parser, struct regexp_node *node)
{
    if (node->merger) {
        if (!regexp_memory(parser, ranges_finish(&node->merger->builder, &node->set)))
            return false;
        node->merger->next_free = parser->free_mergers;
        parser->free_mergers = node->merger;
        node->merger = NULL;
    }
    const struct range *list = node->set.list;
    if (node->op != REGEXP_CLASS || node->set.count == 0 || list[0].low != 0 || list[node->set.count - 1].high != UNICODE_MAX)
        return true;
    if (node->set.count == 1)
        node->op = REGEXP_ANY;
    else if (node->set.count == 2 && list[0].high == '\n' - 1 && list[1].low == '\n' + 1)
        node->op = REGEXP_ANY_BUT_LINE_END;
    return true;
}
