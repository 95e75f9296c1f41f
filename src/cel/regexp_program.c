/* Makes programs of regular expressions. */
#include "cel/regexp_program.h"

#include "cel/limits.h"
#include "cel/regexp_node.h"

struct maker {
    struct arena *scratch; /* for what the program does not keep */
    struct arena *arena;   /* for what it keeps */
    struct instruction *code;
    uint32_t size, capacity;
    struct program_class *classes;
    uint32_t class_count, class_capacity;
    uint32_t visits; /* of nodes: those that are repeated, once for each copy */
    enum failure failure;
};

#define NOWHERE UINT32_MAX /* ends a list of instructions whose way on is not known yet */

/* Room for one more element in a list of `capacity`. Returns the list, or NULL. */
static void *grown(struct maker *maker, void *list, uint32_t count, uint32_t *capacity, size_t bytes)
{
    if (count < *capacity)
        return list;
    uint32_t larger = *capacity * 2 + 16;
    void *copy = arena_alloc(maker->scratch, larger * bytes);
    if (!copy) {
        maker->failure = maker->scratch->failure;
        return NULL;
    }
    if (count)
        memcpy(copy, list, count * bytes);
    *capacity = larger;
    return copy;
}

/* Adds an instruction that goes on with the next one. Returns its number. */
static uint32_t add(struct maker *maker, enum instruction_op op, uint32_t other)
{
    struct instruction *code = maker->failure ? NULL : grown(maker, maker->code, maker->size, &maker->capacity, sizeof *code);
    if (code && maker->size >= LIMIT_CEL_REGEXP_PROGRAM)
        maker->failure = FAILURE_LIMIT;
    if (!code || maker->failure)
        return 0;
    maker->code = code;
    code[maker->size] = (struct instruction){ .op = op, .next = maker->size + 1, .other = other };
    return maker->size++;
}

/* ---- ways on ---- */

/* Adds a jump to what is not known yet, to the list `*open`. */
static void add_jump(struct maker *maker, uint32_t *open)
{
    uint32_t jump = add(maker, INSTRUCTION_JUMP, 0);
    if (maker->failure)
        return;
    maker->code[jump].next = *open;
    *open = jump;
}

/* Adds a choice between what follows and what is not known yet, to the list `*open`. lazy: the latter is preferred. */
static void add_choice(struct maker *maker, bool lazy, uint32_t *open)
{
    uint32_t split = add(maker, INSTRUCTION_SPLIT, *open);
    if (maker->failure)
        return;
    if (lazy) {
        maker->code[split].other = split + 1;
        maker->code[split].next = *open;
    }
    *open = split;
}

/* What is in the list goes on here. The way of a choice that is open is the one that is not to what follows it. */
static void close(struct maker *maker, uint32_t open)
{
    while (!maker->failure && open != NOWHERE) {
        struct instruction *instruction = &maker->code[open];
        bool second = instruction->op == INSTRUCTION_SPLIT && instruction->next == open + 1;
        uint32_t *way = second ? &instruction->other : &instruction->next;
        open = *way;
        *way = maker->size;
    }
}

/* ---- characters ---- */

static void fill_ascii(struct program_class *class)
{
    for (uint32_t i = 0; i < class->set.count && class->set.list[i].low < 0x80; i++)
        for (uint32_t code = class->set.list[i].low; code <= class->set.list[i].high && code < 0x80; code++)
            class->ascii[code] = true;
}

static void add_class(struct maker *maker, struct ranges set)
{
    struct program_class *classes =
        maker->failure ? NULL : grown(maker, maker->classes, maker->class_count, &maker->class_capacity, sizeof *classes);
    struct range *copy = classes ? arena_alloc(maker->arena, (set.count + 1) * sizeof *copy) : NULL;
    if (classes && !copy)
        maker->failure = maker->arena->failure;
    if (!copy)
        return;
    if (set.count)
        memcpy(copy, set.list, set.count * sizeof *copy);
    maker->classes = classes;
    classes[maker->class_count] = (struct program_class){ .set = { copy, set.count } };
    fill_ascii(&classes[maker->class_count++]);
}

/* ---- the tree; each function returns whether the node may match nothing ---- */

static bool make(struct maker *maker, struct regexp_node *node);

/* A character that may be of either case is a class. Where the literal is repeated, its classes are those of the first time. */
static bool make_literal(struct maker *maker, struct regexp_node *node)
{
    uint32_t all[UNICODE_FOLDED], next = node->class_number ? node->class_number - 1 : maker->class_count;
    bool known = node->class_number, fold = node->flags & REGEXP_FOLD;
    struct range ranges[UNICODE_FOLDED];
    node->class_number = next + 1;
    for (uint32_t i = 0; i < node->code_count; i++) {
        unsigned count = fold ? unicode_folded(node->codes[i], all) : 1;
        for (unsigned k = 0; k < count && count > 1; k++)
            ranges[k] = (struct range){ all[k], all[k] };
        if (count > 1 && !known)
            add_class(maker, (struct ranges){ ranges, count });
        if (count > 1)
            add(maker, INSTRUCTION_CLASS, next++);
        else
            add(maker, node->codes[i] < 0x80 ? INSTRUCTION_BYTE : INSTRUCTION_CHARACTER, node->codes[i]);
    }
    return node->code_count == 0;
}

enum { RECENT = 8 }; /* classes that are compared with a new one */

static bool make_class(struct maker *maker, struct regexp_node *node)
{
    for (uint32_t i = maker->class_count; !node->class_number && i > 0 && i + RECENT > maker->class_count; i--)
        if (ranges_equal(maker->classes[i - 1].set, node->set))
            node->class_number = i;
    if (!node->class_number) {
        add_class(maker, node->set);
        node->class_number = maker->class_count;
    }
    add(maker, INSTRUCTION_CLASS, node->class_number - 1);
    return false;
}

static bool make_concat(struct maker *maker, const struct regexp_node *node)
{
    bool empty = true;
    for (uint32_t i = 0; i < node->below_count; i++)
        empty &= make(maker, node->below[i]);
    return empty;
}

static bool make_alternate(struct maker *maker, const struct regexp_node *node)
{
    bool empty = false;
    uint32_t done = NOWHERE;
    for (uint32_t i = 0; i < node->below_count; i++) {
        uint32_t rest = NOWHERE;
        bool last = i + 1 == node->below_count;
        if (!last)
            add_choice(maker, false, &rest);
        empty |= make(maker, node->below[i]);
        if (!last)
            add_jump(maker, &done);
        close(maker, rest);
    }
    close(maker, done);
    return empty;
}

/* x+: after a round, another one or the way on. */
static bool make_plus(struct maker *maker, struct regexp_node *repeated, bool lazy)
{
    uint32_t begin = maker->size;
    bool empty = make(maker, repeated);
    uint32_t split = add(maker, INSTRUCTION_SPLIT, begin);
    if (!maker->failure && !lazy) {
        maker->code[split].other = maker->code[split].next;
        maker->code[split].next = begin;
    }
    return empty;
}

/* x*, which is (x+)? where x may match nothing: so Go has it, since the order in which ways are preferred differs. */
static bool make_star(struct maker *maker, struct regexp_node *repeated, bool lazy)
{
    uint32_t open = NOWHERE, begin = maker->size;
    add_choice(maker, lazy, &open);
    bool empty = make(maker, repeated);
    uint32_t last = add(maker, empty ? INSTRUCTION_SPLIT : INSTRUCTION_JUMP, begin + 1);
    if (!maker->failure && !empty)
        maker->code[last].next = begin;
    if (!maker->failure && empty && !lazy) {
        maker->code[last].other = maker->code[last].next;
        maker->code[last].next = begin + 1;
    }
    close(maker, open);
    return true;
}

/* xx(x(x)?)? for x{2,4}, xx+ for x{2,}. */
static bool make_repeat(struct maker *maker, const struct regexp_node *node, bool lazy)
{
    struct regexp_node *repeated = node->below[0];
    bool empty = node->min == 0;
    uint32_t open = NOWHERE;
    if (node->max < 0 && node->min == 0)
        return make_star(maker, repeated, lazy);
    for (int i = 0; i < node->min - (node->max < 0) && !maker->failure; i++)
        empty |= make(maker, repeated);
    if (node->max < 0)
        return make_plus(maker, repeated, lazy);
    for (int i = node->min; i < node->max && !maker->failure; i++) {
        add_choice(maker, lazy, &open);
        (void)make(maker, repeated);
    }
    close(maker, open);
    return empty;
}

static bool make_quest(struct maker *maker, struct regexp_node *repeated, bool lazy)
{
    uint32_t open = NOWHERE;
    add_choice(maker, lazy, &open);
    (void)make(maker, repeated);
    close(maker, open);
    return true;
}

static enum instruction_op plain_op(enum regexp_op op)
{
    switch (op) {
    case REGEXP_ANY_BUT_LINE_END: return INSTRUCTION_ANY_BUT_LINE_END;
    case REGEXP_ANY:              return INSTRUCTION_ANY;
    case REGEXP_LINE_BEGIN:       return INSTRUCTION_LINE_BEGIN;
    case REGEXP_LINE_END:         return INSTRUCTION_LINE_END;
    case REGEXP_TEXT_BEGIN:       return INSTRUCTION_TEXT_BEGIN;
    case REGEXP_TEXT_END:         return INSTRUCTION_TEXT_END;
    case REGEXP_WORD_BOUNDARY:    return INSTRUCTION_WORD_BOUNDARY;
    case REGEXP_NO_WORD_BOUNDARY: return INSTRUCTION_NO_WORD_BOUNDARY;
    default:                      return INSTRUCTION_FAIL;
    }
}

/* Recursion: as deep as the tree, see LIMIT_CEL_REGEXP_HEIGHT. */
static bool make(struct maker *maker, struct regexp_node *node)
{
    bool lazy = node->flags & REGEXP_NON_GREEDY;
    if (++maker->visits > LIMIT_CEL_REGEXP_VISITS && !maker->failure)
        maker->failure = FAILURE_LIMIT;
    if (maker->failure)
        return false;
    switch (node->op) {
    case REGEXP_EMPTY:     return true;
    case REGEXP_LITERAL:   return make_literal(maker, node);
    case REGEXP_CLASS:     return make_class(maker, node);
    case REGEXP_CAPTURE:   return make(maker, node->below[0]);
    case REGEXP_STAR:      return make_star(maker, node->below[0], lazy);
    case REGEXP_PLUS:      return make_plus(maker, node->below[0], lazy);
    case REGEXP_QUEST:     return make_quest(maker, node->below[0], lazy);
    case REGEXP_REPEAT:    return make_repeat(maker, node, lazy);
    case REGEXP_CONCAT:    return make_concat(maker, node);
    case REGEXP_ALTERNATE: return make_alternate(maker, node);
    default:
        add(maker, plain_op(node->op), 0);
        return node->op >= REGEXP_LINE_BEGIN;
    }
}

/* ---- the whole ---- */

static bool is_optional(const struct regexp_node *node)
{
    while (node->op == REGEXP_CAPTURE)
        node = node->below[0];
    return node->op == REGEXP_STAR || node->op == REGEXP_QUEST || node->op == REGEXP_EMPTY || (node->op == REGEXP_REPEAT && node->min == 0);
}

/* What the whole begins and ends with, and may be left out, does not change whether it matches. */
static struct regexp_node *essential(struct regexp_node *root)
{
    while (root->op == REGEXP_CAPTURE)
        root = root->below[0];
    if (is_optional(root))
        root->op = REGEXP_EMPTY;
    if (root->op != REGEXP_CONCAT)
        return root;
    while (root->below_count && is_optional(root->below[0])) {
        root->below++;
        root->below_count--;
    }
    while (root->below_count && is_optional(root->below[root->below_count - 1]))
        root->below_count--;
    return root;
}

/* Recursion: as deep as the tree. */
static bool is_anchored(const struct regexp_node *node)
{
    bool all = node->op == REGEXP_ALTERNATE;
    for (uint32_t i = 0; all && i < node->below_count; i++)
        all = is_anchored(node->below[i]);
    if ((node->op == REGEXP_CONCAT || node->op == REGEXP_CAPTURE) && node->below_count)
        return is_anchored(node->below[0]);
    return all || node->op == REGEXP_TEXT_BEGIN;
}

static uint32_t after_jumps(const struct maker *maker, uint32_t at)
{
    while (maker->code[at].op == INSTRUCTION_JUMP)
        at = maker->code[at].next;
    return at;
}

/* Leaves jumps out of all ways, and counts the places to which several lead. */
static void settle(struct maker *maker, struct cel_regexp_program *program)
{
    program->start = after_jumps(maker, 0);
    maker->code[program->start].join = 1;
    for (uint32_t i = 0; i < maker->size; i++) {
        struct instruction *instruction = &maker->code[i];
        if (instruction->op == INSTRUCTION_JUMP || instruction->op == INSTRUCTION_MATCH)
            continue;
        instruction->next = after_jumps(maker, instruction->next);
        maker->code[instruction->next].join++;
        if (instruction->op != INSTRUCTION_SPLIT)
            continue;
        instruction->other = after_jumps(maker, instruction->other);
        maker->code[instruction->other].join++;
        program->splits++;
    }
    for (uint32_t i = 0; i < maker->size; i++)
        maker->code[i].join = maker->code[i].join > 1 ? ++program->joins : 0;
}

/* Adds the bytes with which the characters that an instruction takes begin. */
static void add_first(const struct cel_regexp_program *program, const struct instruction *instruction, bool first[256])
{
    char bytes[UTF8_MAX_BYTES];
    const struct program_class *class = instruction->op == INSTRUCTION_CLASS ? &program->classes[instruction->other] : NULL;
    bool beyond = !class || (class->set.count && class->set.list[class->set.count - 1].high >= 0x80);
    if (instruction->op == INSTRUCTION_BYTE) {
        first[instruction->other] = true;
        return;
    }
    if (instruction->op == INSTRUCTION_CHARACTER) {
        (void)utf8_encode(instruction->other, bytes);
        first[(unsigned char)bytes[0]] = true;
        return;
    }
    for (uint32_t code = 0; code < 0x80; code++)
        first[code] |= program_takes(program, instruction, code);
    for (unsigned byte = 0xC2; beyond && byte <= 0xF4; byte++) /* what longer characters begin with */
        first[byte] = true;
}

/* Finds the bytes with which a match begins; not known if it may be empty. */
static void find_first(struct maker *maker, struct cel_regexp_program *program)
{
    bool *seen = arena_alloc(maker->scratch, program->size);
    uint32_t *stack = arena_alloc(maker->scratch, (program->size * 2 + 1) * sizeof *stack), depth = 0, count = 0;
    if (!seen || !stack) {
        maker->failure = maker->scratch->failure;
        return;
    }
    memset(seen, 0, program->size);
    stack[depth++] = program->start;
    while (depth) {
        const struct instruction *instruction = &program->code[stack[--depth]];
        if (instruction->op == INSTRUCTION_MATCH)
            return;
        if (seen[instruction - program->code] || instruction->op == INSTRUCTION_FAIL)
            continue;
        seen[instruction - program->code] = true;
        if (instruction->op != INSTRUCTION_SPLIT && instruction->op < INSTRUCTION_LINE_BEGIN) {
            add_first(program, instruction, program->first);
            continue;
        }
        stack[depth++] = instruction->next;
        if (instruction->op == INSTRUCTION_SPLIT)
            stack[depth++] = instruction->other;
    }
    program->first_is_known = true;
    for (int byte = 0; byte < 256; byte++)
        if (program->first[byte]) {
            program->only = byte;
            count++;
        }
    if (count != 1)
        program->only = -1;
}

/* Copies what the program keeps. */
static void keep(struct maker *maker, struct cel_regexp_program *program)
{
    size_t code = maker->size * sizeof *maker->code, classes = maker->class_count * sizeof *maker->classes;
    struct instruction *kept_code = arena_alloc(maker->arena, code);
    struct program_class *kept_classes = arena_alloc(maker->arena, classes + 1);
    if (!kept_code || !kept_classes) {
        maker->failure = maker->arena->failure;
        return;
    }
    memcpy(kept_code, maker->code, code);
    if (classes)
        memcpy(kept_classes, maker->classes, classes);
    program->code = kept_code;
    program->classes = kept_classes;
    program->size = maker->size;
}

static enum failure make_program(struct regexp_node *root, enum cel_regexp_purpose purpose, struct arena *scratch, struct arena *arena,
                                 const struct cel_regexp_program **result)
{
    struct maker maker = { .scratch = scratch, .arena = arena };
    struct cel_regexp_program *program = arena_alloc(arena, sizeof *program);
    if (!program)
        return arena->failure;
    *program = (struct cel_regexp_program){ .test = purpose == CEL_REGEXP_TEST, .only = -1 };
    if (program->test)
        root = essential(root);
    program->anchored = is_anchored(root);
    (void)make(&maker, root);
    add(&maker, INSTRUCTION_MATCH, 0);
    if (!maker.failure)
        settle(&maker, program);
    if (!maker.failure)
        keep(&maker, program);
    if (!maker.failure)
        find_first(&maker, program);
    *result = program;
    return maker.failure;
}

enum failure cel_regexp_compile(struct bytes text, enum cel_regexp_dialect dialect, enum cel_regexp_purpose purpose, struct arena *arena,
                                const struct cel_regexp_program **program, const char **error)
{
    struct arena scratch;
    struct cel_regexp_classes classes;
    struct cel_regexp regexp;
    const struct cel_regexp_program *made = NULL;
    char *words = NULL;
    arena_init(&scratch, arena->memory, LIMIT_CEL_PATTERN_ARENA);
    cel_regexp_classes_init(&classes, dialect, &scratch);
    enum failure failure = cel_regexp_read(text, &classes, &scratch, &regexp);
    if (!failure && regexp.error.length) {
        words = arena_text(arena, regexp.error.length + 1);
        failure = words ? FAILURE_NONE : arena->failure;
        if (words)
            memcpy(words, regexp.error.data, regexp.error.length + 1);
    } else if (!failure) {
        failure = make_program(regexp.root, purpose, &scratch, arena, &made);
    }
    arena_done(&scratch);
    if (failure)
        return failure;
    *program = made;
    *error = words;
    return FAILURE_NONE;
}
