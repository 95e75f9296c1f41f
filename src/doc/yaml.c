#include "doc/yaml_reader.h"

#include "base/fast_paths.h"
#include "doc/yaml_error.h"

/* ---- failing ---- */

/* Reports libyaml's error. Its position is in bytes when the error is in the encoding, else in characters. */
static bool fail_parser(struct yaml_reader *r)
{
    const yaml_parser_t *p = &r->parser;
    if (p->error == YAML_MEMORY_ERROR)
        return yaml_fail(r, FAILURE_MEMORY, r->chunk.start, failure_text(FAILURE_MEMORY));
    const yaml_mark_t *mark = yaml_error_at_start(p) ? &p->context_mark : &p->problem_mark;
    bool in_bytes = p->error == YAML_READER_ERROR;
    uint32_t offset = in_bytes ? chunk_byte_offset(&r->chunk, p->problem_offset) : chunk_offset(&r->chunk, mark->index);
    return yaml_fail_syntax(r, offset, yaml_error_text(p, chunk_ascii(&r->chunk, offset)));
}

/* ---- counting ---- */

/* The Go library's limit on aliases that contain aliases (decode.go, allowedAliasRatio). */
static bool too_many_aliases(const struct amount *total)
{
    const double low = 400000, high = 4000000;
    double visits = (double)total->visits;
    if (total->aliased <= 100 || total->visits <= 1000)
        return false;
    double allowed = visits <= low ? 0.99 : visits >= high ? 0.10 : 0.99 - 0.89 * (visits - low) / (high - low);
    return (double)total->aliased / visits > allowed;
}

static bool count_visit(struct yaml_reader *r, uint32_t offset)
{
    r->total.visits++;
    return !too_many_aliases(&r->total) ||
           yaml_fail(r, FAILURE_LIMIT, offset, "too many aliases: nearly all of the document is repetition");
}

static struct amount amount_since(const struct yaml_reader *r, const struct amount *before)
{
    return (struct amount){ r->total.nodes - before->nodes, r->total.text - before->text, r->total.visits - before->visits,
                            r->total.aliased - before->aliased };
}

/* Counts what an alias repeats, before any of it is copied. Nodes are counted when they are made. */
static bool count_alias(struct yaml_reader *r, const struct anchor *anchor, uint32_t offset)
{
    r->total.visits += anchor->amount.visits;
    r->total.aliased += anchor->amount.visits;
    r->total.text += anchor->amount.text;
    r->repeated += anchor->amount.text;
    if (anchor->amount.nodes > LIMIT_NODES - r->nodes)
        return yaml_fail(r, FAILURE_LIMIT, offset, "too many values, with what aliases repeat");
    if (r->repeated > LIMIT_ALIASED_BYTES)
        return yaml_fail(r, FAILURE_LIMIT, offset, "too much text, with what aliases repeat");
    return count_visit(r, offset);
}

/* ---- where values may stand ---- */

static bool expects_key(const struct yaml_level *level)
{
    return level && level->node->type == DOC_OBJECT && !level->has_key;
}

static bool expects_merge(const struct yaml_level *level)
{
    return level && (level->merging || level->role == YAML_MERGED_LIST);
}

static bool fail_merge(struct yaml_reader *r, uint32_t offset)
{
    return yaml_fail_syntax(r, offset, "a merge key << takes a mapping, an alias to one, or a list of those");
}

/* ---- events ---- */

static bool find_span(struct yaml_reader *r, const yaml_event_t *event, unsigned properties, struct yaml_span *span)
{
    uint32_t written = r->depth ? yaml_top(r)->end : r->chunk.start;
    return yaml_span_find(&r->chunk, event, properties, written, span) ||
           yaml_fail_stricter(r, span->offset, "a tag with a comma or bracket in it; a value that begins with ! needs quotes");
}

/* Defines an anchor if the value has a `name`; else *anchor is NULL. */
static bool define_anchor(struct yaml_reader *r, const yaml_char_t *name, struct yaml_span span, struct anchor **anchor)
{
    *anchor = NULL;
    enum failure failure = name ? anchor_define(&r->anchors, (const char *)name, anchor) : FAILURE_NONE;
    return !failure || yaml_fail(r, failure, span.offset, failure == FAILURE_LIMIT ? "too many anchors" : failure_text(failure));
}

/* Completes the anchor of a scalar. */
static bool set_scalar_anchor(struct yaml_reader *r, struct yaml_span span, const struct scalar *scalar, struct amount amount,
                              struct anchor *anchor)
{
    struct doc_node *node = arena_alloc(r->input->arena, sizeof *node);
    if (!node)
        return yaml_fail_memory(r, span.offset);
    *node = (struct doc_node){ .offset = span.offset, .size = span.end - span.offset };
    *anchor = (struct anchor){ .node = node, .scalar = *scalar, .is_scalar = true, .amount = amount };
    anchor->amount.nodes = 1;
    anchor->amount.visits = 1;
    return true;
}

/* Takes a scalar as a key, which may be the merge key. */
static bool on_key(struct yaml_reader *r, const yaml_event_t *event, struct yaml_span span, const struct scalar *scalar)
{
    struct yaml_level *level = yaml_top(r);
    const char *tag = (const char *)event->data.scalar.tag;
    if (span.end > level->end)
        level->end = span.end;
    bool may_merge = event->data.scalar.plain_implicit || (tag && strcmp(tag, "tag:yaml.org,2002:merge") == 0);
    if (may_merge && scalar->type == SCALAR_STRING && bytes_equal_text(scalar->text, "<<")) {
        level->has_key = level->merging = true;
        level->merge_offset = span.offset;
        return true;
    }
    return count_visit(r, span.offset) && yaml_take_key(r, span, scalar);
}

static bool on_scalar(struct yaml_reader *r, const yaml_event_t *event)
{
    struct amount before = r->total;
    struct yaml_span span;
    struct scalar scalar;
    struct anchor *anchor;
    if (!find_span(r, event, 2, &span))
        return false;
    if (!define_anchor(r, event->data.scalar.anchor, span, &anchor))
        return false;
    bool key = expects_key(yaml_top(r));
    if (!key && expects_merge(yaml_top(r)))
        return fail_merge(r, span.offset);
    if (!yaml_read_scalar(r, event, span, &scalar))
        return false;
    if (key && !on_key(r, event, span, &scalar))
        return false;
    if (!key && !(count_visit(r, span.offset) && yaml_add_scalar(r, span, &scalar)))
        return false;
    if (!key)
        yaml_end_value(r, span.end, 0);
    return !anchor || set_scalar_anchor(r, span, &scalar, amount_since(r, &before), anchor);
}

/* An alias to a scalar, as key or value. */
static bool expand_scalar(struct yaml_reader *r, const struct anchor *anchor)
{
    struct yaml_span span = { anchor->node->offset, anchor->node->offset + anchor->node->size };
    return expects_key(yaml_top(r)) ? yaml_take_key(r, span, &anchor->scalar) : yaml_add_scalar(r, span, &anchor->scalar);
}

/* An alias to a list or mapping, as value. */
static bool expand_collection(struct yaml_reader *r, const struct anchor *anchor, struct yaml_span span)
{
    struct yaml_level *level = yaml_top(r);
    if ((level ? level->depth : 0u) + 1u + anchor->height > LIMIT_DEPTH)
        return yaml_fail(r, FAILURE_LIMIT, span.offset, "nesting over 64 levels, with what the alias brings in");
    struct yaml_span anchored = { anchor->node->offset, anchor->node->offset + anchor->node->size };
    struct doc_node *copy = yaml_add_node(r, anchored), *last = NULL;
    if (!copy)
        return false;
    copy->type = anchor->node->type;
    return yaml_copy_children(r, anchor->node, copy, &last);
}

/* An alias to a mapping, as value of a merge key. */
static bool expand_merged(struct yaml_reader *r, const struct anchor *anchor, struct yaml_span span)
{
    if (anchor->is_scalar || anchor->node->type != DOC_OBJECT)
        return fail_merge(r, span.offset);
    if (yaml_merge_target(r)->depth + anchor->height > LIMIT_DEPTH)
        return yaml_fail(r, FAILURE_LIMIT, span.offset, "nesting over 64 levels, with what the alias brings in");
    return yaml_merge(r, anchor->node, anchor->height);
}

/* Notes where the value is that an alias repeats. */
static bool note_shared(struct yaml_reader *r, struct anchor *anchor)
{
    if (anchor->used)
        return true;
    anchor->used = true;
    if (!r->shared)
        r->shared = arena_alloc(r->input->arena, LIMIT_SHARED_VALUES * sizeof *r->shared);
    if (!r->shared)
        return yaml_fail_memory(r, anchor->node->offset);
    if (r->shared_count < LIMIT_SHARED_VALUES) {
        r->shared[r->shared_count++] = (struct doc_range){ anchor->node->offset, anchor->node->offset + anchor->node->size };
    } else {
        r->shared[0] = (struct doc_range){ r->input->start, r->input->end };
        r->shared_count = 1;
    }
    return true;
}

static bool on_alias(struct yaml_reader *r, const yaml_event_t *event)
{
    struct yaml_span span = { chunk_offset(&r->chunk, event->start_mark.index), chunk_offset(&r->chunk, event->end_mark.index) };
    struct anchor *anchor = anchor_find(&r->anchors, (const char *)event->data.alias.anchor);
    bool key = expects_key(yaml_top(r)), merging = !key && expects_merge(yaml_top(r)), good;
    if (!anchor)
        return yaml_fail_syntax(r, span.offset, "an alias to an anchor that is not defined above it in this document; "
                                                "a value that begins with * needs quotes");
    if (anchor->open)
        return yaml_fail_syntax(r, span.offset, "the anchored value contains itself through this alias");
    if (key && !anchor->is_scalar)
        return yaml_fail_syntax(r, span.offset, "a list or mapping cannot be a key");
    if (!count_visit(r, span.offset) || !count_alias(r, anchor, span.offset) || !note_shared(r, anchor))
        return false;
    if (merging)
        good = expand_merged(r, anchor, span);
    else
        good = anchor->is_scalar ? expand_scalar(r, anchor) : expand_collection(r, anchor, span);
    if (!good)
        return false;
    if (!key)
        yaml_end_value(r, span.end, anchor->is_scalar || merging ? 0u : anchor->height + 1u);
    return true;
}

static bool on_start(struct yaml_reader *r, const yaml_event_t *event)
{
    bool object = event->type == YAML_MAPPING_START_EVENT;
    const yaml_char_t *name = object ? event->data.mapping_start.anchor : event->data.sequence_start.anchor;
    const yaml_char_t *tag = object ? event->data.mapping_start.tag : event->data.sequence_start.tag;
    bool flow = object ? event->data.mapping_start.style == YAML_FLOW_MAPPING_STYLE
                       : event->data.sequence_start.style == YAML_FLOW_SEQUENCE_STYLE;
    struct yaml_level *outer = yaml_top(r), level = { .before = r->total, .flow = flow, .depth = (uint8_t)(outer ? outer->depth + 1 : 1) };
    struct yaml_span span;
    if (!find_span(r, event, (name ? 1u : 0u) + (tag ? 1u : 0u), &span) || !define_anchor(r, name, span, &level.anchor))
        return false;
    if (expects_key(outer))
        return yaml_fail_syntax(r, span.offset, "a list or mapping cannot be a key; a value that begins with { or [ needs quotes");
    level.end = span.offset < r->chunk.end ? span.offset + 1 : span.offset;
    if (!expects_merge(outer)) {
        level.node = count_visit(r, span.offset) ? yaml_add_node(r, span) : NULL;
    } else {
        if (!object && outer->role == YAML_MERGED_LIST)
            return fail_merge(r, span.offset);
        level.role = object ? YAML_MERGED : YAML_MERGED_LIST;
        level.depth = outer->depth;
        level.node = !object || count_visit(r, span.offset) ? yaml_make_node(r, span) : NULL;
    }
    if (!level.node)
        return false;
    level.node->type = object ? DOC_OBJECT : DOC_ARRAY;
    if (level.anchor)
        level.anchor->node = level.node;
    return yaml_open_level(r, &level, span.offset);
}

static bool on_end(struct yaml_reader *r, const yaml_event_t *event)
{
    struct yaml_level *level = yaml_top(r);
    uint32_t end = level->flow ? chunk_offset(&r->chunk, event->end_mark.index) : level->end;
    level->end = level->end > end ? level->end : end;
    level->node->size = level->end - level->node->offset;
    if (level->node->type == DOC_OBJECT && !yaml_check_names(r, level))
        return false;
    if (level->anchor) {
        level->anchor->open = false;
        level->anchor->height = level->height;
        level->anchor->amount = amount_since(r, &level->before);
    }
    struct yaml_level closed = *level;
    r->depth--;
    if (closed.role == YAML_MERGED && !yaml_merge(r, closed.node, closed.height))
        return false;
    yaml_end_value(r, closed.end, closed.role == YAML_IN_TREE ? closed.height + 1u : 0u);
    if (closed.role == YAML_MERGED && yaml_top(r)->role == YAML_MERGED_LIST && closed.end > yaml_top(r)->end)
        yaml_top(r)->end = closed.end;
    return true;
}

/* ---- the document ---- */

/* Handles one event. Sets *done at the end of the document. */
static bool on_event(struct yaml_reader *r, const yaml_event_t *event, bool *done)
{
    yaml_begin_value(r);
    switch (event->type) {
    case YAML_ALIAS_EVENT: return on_alias(r, event);
    case YAML_SCALAR_EVENT: return on_scalar(r, event);
    case YAML_SEQUENCE_START_EVENT:
    case YAML_MAPPING_START_EVENT: return on_start(r, event);
    case YAML_SEQUENCE_END_EVENT:
    case YAML_MAPPING_END_EVENT: return on_end(r, event);
    case YAML_DOCUMENT_START_EVENT: return count_visit(r, r->chunk.start);
    case YAML_DOCUMENT_END_EVENT:
    case YAML_STREAM_END_EVENT: *done = true; return true;
    case YAML_STREAM_START_EVENT:
    case YAML_NO_EVENT: break;
    }
    return true;
}

static bool read_document(struct yaml_reader *r)
{
    bool good = true, done = false;
    while (good && !done) {
        yaml_event_t event;
        if (!yaml_parser_parse(&r->parser, &event))
            return fail_parser(r);
        good = on_event(r, &event, &done);
        yaml_event_delete(&event);
    }
    return good;
}

/* Refuses text after the first document of a part: Kubernetes ignores it. */
static bool check_rest(struct yaml_reader *r)
{
    static const char message[] = "text after the document is lost: Kubernetes never reads it; begin another document with a line ---";
    yaml_event_t event;
    if (!yaml_parser_parse(&r->parser, &event)) {
        fail_parser(r);
        bool in_encoding = r->parser.error == YAML_READER_ERROR;
        return r->failure == FAILURE_SYNTAX && !in_encoding ? yaml_fail_stricter(r, r->error->offset, message) : false;
    }
    bool ended = event.type == YAML_STREAM_END_EVENT || event.type == YAML_NO_EVENT;
    uint32_t offset = chunk_offset(&r->chunk, event.start_mark.index);
    yaml_event_delete(&event);
    return ended || yaml_fail_stricter(r, offset, message);
}

/* Refuses a second byte order mark, and directives: they have no effect, because the file is split at the --- after them, and libyaml takes
 * quadratic time for many of them. */
static bool check_start(struct yaml_reader *r)
{
    uint32_t mark = chunk_stray_bom(&r->chunk);
    if (mark < r->chunk.end)
        return yaml_fail_stricter(r, mark, "a byte order mark in the middle of the document: remove it");
    uint32_t content = chunk_content(&r->chunk);
    if (content < r->chunk.end && chunk_ascii(&r->chunk, content) == '%')
        return yaml_fail_syntax(r, content, "a directive (%): Kubernetes cuts it off from its document; remove it, "
                                            "or put a value that begins with % in quotes");
    return true;
}

static bool read_chunk(struct yaml_reader *r)
{
    if (!check_start(r))
        return false;
    if (!yaml_parser_initialize(&r->parser))
        return yaml_fail(r, FAILURE_MEMORY, r->chunk.start, failure_text(FAILURE_MEMORY));
    yaml_parser_set_input(&r->parser, chunk_feed, &r->chunk);
    bool good = read_document(r) && check_rest(r);
    yaml_parser_delete(&r->parser);
    if (good && !r->root)
        good = yaml_add_node(r, (struct yaml_span){ r->chunk.start, r->chunk.start }) != NULL;
    return good;
}

static void begin(struct yaml_reader *r, const struct yaml_input *input, struct doc_error *error)
{
    r->input = input; /* the rest is not cleared: levels are set as they open */
    chunk_init(&r->chunk, input->source, input->start, input->end);
    r->anchors = (struct anchors){ .arena = input->arena, .key = input->key };
    r->total = (struct amount){ .nodes = 0 };
    r->nodes = 0;
    r->repeated = 0;
    r->shared = NULL;
    r->shared_count = 0;
    r->root = NULL;
    r->error = error;
    r->failure = FAILURE_NONE;
    r->depth = 0;
}

/* What is not simple leaves nothing in the arena, unless there is no memory. */
static bool read_simple(struct yaml_reader *r)
{
    const struct arena_mark mark = arena_mark(r->input->arena);
    if (yaml_read_simple(r))
        return true;
    if (r->failure != FAILURE_MEMORY)
        arena_rewind(r->input->arena, mark);
    return false;
}

enum failure yaml_read(const struct yaml_input *input, struct document *document, struct doc_error *error)
{
    struct yaml_reader r;
    bool good = false;
    if (FAST_PATHS && !input->by_events) {
        begin(&r, input, error);
        good = read_simple(&r);
        if (!good && r.failure == FAILURE_MEMORY)
            return FAILURE_MEMORY;
    }
    if (!good) {
        begin(&r, input, error);
        good = read_chunk(&r);
    }
    if (!good)
        return r.failure;
    *document = (struct document){
        .root = r.root, .source = input->source, .is_yaml = true, .shared = r.shared, .shared_count = r.shared_count,
    };
    return FAILURE_NONE;
}
