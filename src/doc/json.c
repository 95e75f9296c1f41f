#include "doc/json.h"

#include "base/fast_paths.h"
#include "base/limits.h"
#include "doc/json_model.h"
#include "doc/repeated.h"

#define COLD static __attribute__((noinline))

COLD bool fail_memory(struct json_reader *r, const unsigned char *at)
{
    return json_fail(r, r->input->arena->failure, at, failure_text(r->input->arena->failure));
}

/* Reads a string. *at moves from its opening quote to after its closing one. Returns { NULL, 0 } when it failed. */
JSON_HOT struct bytes read_string(struct json_reader *r, const unsigned char **at, uint8_t *flags)
{
    const unsigned char *start = *at + 1, *quote = json_scan_plain(start, r->end);
    if (quote < r->end && *quote == '"') {
        *at = quote + 1;
        return (struct bytes){ (const char *)start, (uint32_t)(quote - start) };
    }
    struct bytes text = json_read_special_string(r, quote, start, flags);
    *at = r->at;
    return text;
}

/* ---- the tree ---- */

JSON_HOT struct doc_node *add_node(struct json_reader *r, struct json_level *level, const unsigned char *at)
{
    if (r->nodes == LIMIT_NODES) {
        json_fail(r, FAILURE_LIMIT, at, "too many values");
        return NULL;
    }
    struct doc_node *node = arena_alloc(r->input->arena, sizeof *node);
    if (!node) {
        fail_memory(r, at);
        return NULL;
    }
    *node = (struct doc_node){ .offset = (uint32_t)(at - r->start), .field = DOC_NO_FIELD };
    r->nodes++;
    if (level->last)
        level->last->next = node;
    else
        level->node->first = node;
    level->last = node;
    level->node->count++;
    return node;
}

/* Whether a value with this DOC_BIT may have the wrong type for `state`. */
JSON_HOT bool may_mismatch(const void *state, unsigned type)
{
    return !state || state == doc_skip || !(*(const uint16_t *)state & type);
}

/* Whether a text is a DOC_BIT_AMOUNT. */
static bool is_amount(const struct doc_node *string)
{
    uint32_t i = 0;
    while (i < string->count && string->text[i] >= '0' && string->text[i] <= '9')
        i++;
    uint32_t suffix = string->count - i;
    if (i == 0 || i > 15 || suffix > 2 || string->flags & DOC_ESCAPED)
        return false;
    if (suffix == 0)
        return true;
    return memchr(suffix == 1 ? "kMGTPE" : "KMGTPE", string->text[i], 6) && (suffix == 1 || string->text[i + 1] == 'i');
}

/* may_mismatch() of a text. */
JSON_HOT bool text_may_mismatch(const void *state, const struct doc_node *string)
{
    return may_mismatch(state, DOC_BIT(STRING)) && (may_mismatch(state, DOC_BIT_AMOUNT) || !is_amount(string));
}

/* Whether an array that begins here contains the objects of a List: it is member "items" of the root, or with input->lists any member. */
JSON_HOT bool begins_items(const struct json_reader *r, const struct doc_node *node)
{
    bool in_root = r->level == &r->levels[1] && r->level->close == '}';
    return in_root && r->input->profile == JSON_STRICT && (r->input->lists || bytes_equal_text(doc_name(node), "items"));
}

JSON_HOT bool open_level(struct json_reader *r, const unsigned char **at, struct doc_node *node, const void *state,
                         const struct doc_node *model)
{
    const struct doc_schema *schema = r->input->schema;
    bool object = **at == '{';
    if (r->level == &r->levels[LIMIT_DEPTH])
        return json_fail(r, FAILURE_LIMIT, *at, "nested too deep");
    bool mismatch = may_mismatch(state, object ? DOC_BIT(OBJECT) : DOC_BIT(ARRAY)), is_items = !object && begins_items(r, node);
    if (!schema || state == doc_skip)
        state = NULL;
    node->type = object ? DOC_OBJECT : DOC_ARRAY;
    model = model && state && model->type == node->type ? model : NULL;
    *++r->level = (struct json_level){
        .node = node,
        .state = state,
        .each = state ? schema->each(schema->self, state, object) : NULL,
        .model = model ? model->first : NULL,
        .field = DOC_NO_FIELD,
        .close = object ? '}' : ']',
        .may_mismatch = mismatch,
        .model_mismatches = model && !(model->flags & DOC_WELL_TYPED),
        .in_step = model,
        .is_items = is_items,
    };
    ++*at;
    return true;
}

JSON_HOT void end_node(const struct json_reader *r, const unsigned char *at, struct doc_node *node, enum doc_type type)
{
    node->type = (uint8_t)type;
    node->size = (uint32_t)(at - r->start) - node->offset;
}

JSON_HOT bool read_text(struct json_reader *r, const unsigned char **at, struct doc_node *node)
{
    struct bytes text = read_string(r, at, &node->flags);
    if (!text.data)
        return false;
    node->text = text.data;
    node->count = text.length;
    end_node(r, *at, node, DOC_STRING);
    return true;
}

COLD bool read_other_scalar(struct json_reader *r, const unsigned char *at, struct doc_node *node, unsigned char next)
{
    if (!json_skip_scalar(r, at, next))
        return false;
    if (next == 't' || next == 'f' || next == 'n') {
        end_node(r, r->at, node, next == 't' ? DOC_TRUE : next == 'f' ? DOC_FALSE : DOC_NULL);
        return true;
    }
    node->text = (const char *)at;
    node->count = (uint32_t)(r->at - at);
    end_node(r, r->at, node, DOC_NUMBER);
    return true;
}

static bool is_short(const struct doc_node *number)
{
    uint32_t i = 0;
    while (i < number->count && number->text[i] >= '0' && number->text[i] <= '9')
        i++;
    return number->type == DOC_NUMBER && i == number->count && i <= 9;
}

COLD bool read_skipped(struct json_reader *r, const unsigned char *at, struct doc_node *node, unsigned char next)
{
    bool read = json_skip_value(r, at);
    node->text = (const char *)at; /* so that only shared ones have the same */
    end_node(r, r->at, node, next == 'n' ? DOC_NULL : DOC_SKIPPED); /* even of a skipped value it matters whether it is null */
    return read;
}

/* Reads a value that begins with `next` into `node`, which is in the tree already. An array or object is only opened. */
JSON_HOT bool read_node(struct json_reader *r, const unsigned char **at, struct doc_node *node, const void *state, unsigned char next,
                        const struct doc_node *model)
{
    bool skipped = state == doc_skip && r->input->profile == JSON_REVIEW;
    node->offset = (uint32_t)(*at - r->start);
    if (next == '"' && !skipped) {
        if (!read_text(r, at, node))
            return false;
        r->level->may_mismatch |= text_may_mismatch(state, node);
        return true;
    }
    if ((next == '{' || next == '[') && !skipped)
        return open_level(r, at, node, state, model);
    bool read = skipped ? read_skipped(r, *at, node, next) : read_other_scalar(r, *at, node, next);
    if (!skipped)
        r->level->may_mismatch |= may_mismatch(state, is_short(node) ? DOC_BIT_SHORT : 1u << node->type);
    *at = r->at;
    return read;
}

/* Handles a repeated name: an error in files, a flag in reviews. */
COLD bool on_duplicate(struct json_reader *r, const struct doc_node *object, const struct doc_node *node)
{
    r->document->has_duplicates = true;
    if (r->input->profile == JSON_REVIEW)
        return true;
    json_fail(r, FAILURE_SYNTAX, r->start + node->name_offset, "repeated member name");
    doc_each(object, first) {
        if (first != node && bytes_equal(doc_name(first), doc_name(node))) {
            r->error->first = first->name_offset;
            r->error->has_first = true;
            break;
        }
    }
    return false;
}

/* Reads a member's name and the colon after it. */
JSON_HOT bool read_name(struct json_reader *r, const unsigned char **at, struct doc_node *node)
{
    uint8_t flags = 0;
    node->name_offset = (uint32_t)(*at - r->start);
    struct bytes name = read_string(r, at, &flags);
    if (!name.data)
        return false;
    node->name = name.data;
    node->name_length = name.length;
    if (json_peek(r, at) != ':')
        return json_fail_syntax(r, *at, "a colon is missing");
    ++*at;
    return true;
}

/* Returns the state for the member's value, and sets the member's field. Asks the schema only when level->each does not say it. */
JSON_HOT const void *bind_member(const struct json_reader *r, const struct json_level *level, struct doc_node *node)
{
    const struct doc_schema *schema = r->input->schema;
    if (level->each || !level->state)
        return level->each;
    node->field = level->field;
    return schema->member(schema->self, level->state, level->node, doc_name(node), &node->field);
}

/* Counts the member for the search for repeated names; one with a field is checked at once. Returns false when it is an error. */
JSON_HOT bool count_member(struct json_reader *r, struct json_level *level, const struct doc_node *node, const void *state)
{
    if (node->field == DOC_NO_FIELD) {
        level->unbound += state != doc_skip || r->input->profile == JSON_STRICT;
        return true;
    }
    uint64_t bit = (uint64_t)1 << node->field;
    if (level->seen & bit && !on_duplicate(r, level->node, node))
        return false;
    level->seen |= bit;
    level->field = node->field;
    return true;
}

/* Members that are written like those of the model from level->model on, of which the first is known to be. *at moves to what follows. */
JSON_HOT bool share_members(struct json_reader *r, const unsigned char **at, struct json_level *level)
{
    for (;; ++*at) {
        const struct doc_node *model = level->model;
        struct doc_node *node = add_node(r, level, *at);
        if (!node)
            return false;
        json_share(r, node, model, *at, model->name_offset);
        *at += json_member_size(model);
        level->model = model->next;
        level->last_state = level->each;
        level->may_mismatch |= level->model_mismatches && !(model->flags & DOC_WELL_TYPED);
        if (!count_member(r, level, node, level->each ? level->each : node->type == DOC_SKIPPED ? doc_skip : NULL))
            return false;
        if (**at != ',' || !level->model || !json_repeats_member(r, *at + 1, level->model))
            return true;
    }
}

/* Reads a member whose name and colon are written like its model's. */
JSON_HOT bool read_known_member(struct json_reader *r, const unsigned char **at, struct json_level *level, const struct doc_node *model)
{
    struct doc_node *node = add_node(r, level, *at);
    if (!node)
        return false;
    level->model = model->next;
    level->last_state = level->each;
    node->name = model->name;
    node->name_length = model->name_length;
    node->name_offset = (uint32_t)(*at - r->start);
    node->field = model->field;
    *at += json_name_size(model);
    if (model->field != DOC_NO_FIELD)
        level->field = (uint16_t)(model->field - 1); /* where the schema looks first; DOC_NO_FIELD follows after 0 */
    const void *state = bind_member(r, level, node);
    return count_member(r, level, node, state) && read_node(r, at, node, state, json_peek(r, at), model);
}

JSON_HOT bool read_member(struct json_reader *r, const unsigned char **at, struct json_level *level, unsigned char next)
{
    const struct doc_node *before = level->last, *model = level->model ? json_model_member(r, *at, level->model) : NULL;
    if (model) {
        level->model = model;
        return json_repeats_member(r, *at, model) ? share_members(r, at, level) : read_known_member(r, at, level, model);
    }
    struct doc_node *node = add_node(r, level, *at);
    if (!node)
        return false;
    if (next != '"')
        return json_fail_syntax(r, *at, "a member name in double quotes is missing");
    if (!read_name(r, at, node))
        return false;
    next = json_peek(r, at);
    const void *state = bind_member(r, level, node), *last_state = level->last_state;
    level->in_step = false;
    level->last_state = r->shares ? state : NULL;
    return count_member(r, level, node, state) && read_node(r, at, node, state, next, state && state == last_state ? before : NULL);
}

JSON_HOT bool read_element(struct json_reader *r, const unsigned char **at, struct json_level *level, unsigned char next)
{
    const struct doc_node *beside = r->shares && level->each ? level->last : NULL;
    const struct doc_node *model = level->model ? json_model_element(r, *at, level->model) : beside;
    struct doc_node *node = add_node(r, level, *at);
    if (!node)
        return false;
    bool is_beside = !level->model;
    level->model = is_beside ? NULL : model->next;
    if (!model || !json_repeats(r, *at, model))
        return read_node(r, at, node, level->each, next, model);
    json_share(r, node, model, *at, model->offset); /* of an element; level->may_mismatch knows the types of those beside it */
    *at += model->size;
    level->may_mismatch |= !is_beside && level->model_mismatches && !(model->flags & DOC_WELL_TYPED);
    return true;
}

/* Checks that no two members without a field have the same name. */
COLD bool find_duplicates(struct json_reader *r, struct json_level *level)
{
    const struct doc_node *repeated;
    if (repeated_name(level->node, level->unbound, r->input->arena, r->input->key, &repeated) != FAILURE_NONE)
        return fail_memory(r, r->at);
    return !repeated || on_duplicate(r, level->node, repeated);
}

JSON_HOT bool close_level(struct json_reader *r, const unsigned char **at, struct json_level *level)
{
    ++*at;
    level->node->size = (uint32_t)(*at - r->start) - level->node->offset;
    level->node->flags |= level->may_mismatch ? 0 : DOC_WELL_TYPED;
    r->level--;
    r->level->may_mismatch |= level->may_mismatch;
    if (level->unbound < 2 || level->in_step)
        return true;
    r->at = *at;
    return find_duplicates(r, level);
}

/* Reads one more element or member of the innermost open value, or its end. */
JSON_HOT bool read_step(struct json_reader *r, const unsigned char **at)
{
    struct json_level *level = r->level;
    bool object = level->close == '}';
    unsigned char next = json_peek(r, at);
    if (level->is_items)
        r->nodes = 0; /* each of the objects has its own count, and so has what follows them */
    if (next == level->close)
        return close_level(r, at, level);
    if (level->last) {
        if (next != ',')
            return json_fail_syntax(r, *at, object ? "a comma or } is missing" : "a comma or ] is missing");
        ++*at;
        next = json_peek(r, at);
    }
    return object ? read_member(r, at, level, next) : read_element(r, at, level, next);
}

/* After a syntax error: the objects that are still open may contain a repeated name before it. Then that is the first error. */
static void find_earlier_duplicates(struct json_reader *r)
{
    bool unique = true;
    for (struct json_level *level = r->levels + 1; level <= r->level && unique; level++)
        unique = level->node->type != DOC_OBJECT || find_duplicates(r, level);
}

static bool read_document(struct json_reader *r)
{
    const unsigned char *at = r->at;
    uint32_t max = r->input->profile == JSON_STRICT ? LIMIT_FILE_BYTES : LIMIT_BODY_BYTES;
    if (r->input->source.length > max)
        return json_fail(r, FAILURE_LIMIT, r->start + max, "too long");
    unsigned char next = json_peek(r, &at);
    struct doc_node *root = arena_alloc(r->input->arena, sizeof *root);
    if (!root)
        return fail_memory(r, at);
    *root = (struct doc_node){ .field = DOC_NO_FIELD };
    r->document->root = root;
    r->nodes = 1;
    bool good = read_node(r, &at, root, r->input->state, next, NULL);
    while (good && r->level != r->levels)
        good = read_step(r, &at);
    r->at = at;
    if (!good || !r->input->alone)
        return good;
    json_skip_space(r, at);
    return r->at == r->end || json_fail_syntax(r, r->at, "only one value is allowed here");
}

enum failure json_read(const struct json_input *input, struct document *document, uint32_t *end, struct doc_error *error)
{
    const unsigned char *start = (const unsigned char *)(input->source.data ? input->source.data : "");
    struct document read = { .source = input->source };
    struct json_reader r; /* not cleared: levels are set as they open */
    r.start = start;
    r.at = start + input->start;
    r.end = start + input->source.length;
    r.input = input;
    r.document = &read;
    r.error = error;
    r.failure = FAILURE_NONE;
    r.shares = FAST_PATHS && input->profile == JSON_REVIEW && input->schema;
    r.same_shift = 0;
    r.same_until = start;
    r.nodes = 0;
    r.level = r.levels;
    r.levels[0] = (struct json_level){ .node = NULL };
    if (!read_document(&r)) {
        if (r.failure == FAILURE_SYNTAX && input->profile == JSON_STRICT)
            find_earlier_duplicates(&r);
        return r.failure;
    }
    read.shares_nodes = r.shares;
    *document = read;
    *end = (uint32_t)(r.at - r.start);
    return FAILURE_NONE;
}
