#include "doc/yaml_reader.h"

#include "doc/yaml_error.h"

/* ---- failing ---- */

bool yaml_fail(struct yaml_reader *r, enum failure failure, uint32_t offset, const char *message)
{
    r->failure = failure;
    *r->error = (struct doc_error){ .message = message, .offset = offset, .in_yaml = true };
    return false;
}

bool yaml_fail_syntax(struct yaml_reader *r, uint32_t offset, const char *message)
{
    return yaml_fail(r, FAILURE_SYNTAX, offset, message);
}

bool yaml_fail_memory(struct yaml_reader *r, uint32_t offset)
{
    return yaml_fail(r, r->input->arena->failure, offset, failure_text(r->input->arena->failure));
}

bool yaml_fail_stricter(struct yaml_reader *r, uint32_t offset, const char *message)
{
    yaml_fail_syntax(r, offset, message);
    r->error->stricter = true;
    return false;
}

struct yaml_level *yaml_top(struct yaml_reader *r)
{
    return r->depth ? &r->levels[r->depth - 1] : NULL;
}

/* The parser's complaint. Those of its reader count bytes, the others characters. */
static bool fail_parser(struct yaml_reader *r)
{
    const yaml_parser_t *p = &r->parser;
    if (p->error == YAML_MEMORY_ERROR)
        return yaml_fail(r, FAILURE_MEMORY, r->chunk.start, failure_text(FAILURE_MEMORY));
    const yaml_mark_t *mark = yaml_error_at_start(p) ? &p->context_mark : &p->problem_mark;
    uint32_t offset = p->error == YAML_READER_ERROR ? chunk_byte_offset(&r->chunk, p->problem_offset) : chunk_offset(&r->chunk, mark->index);
    return yaml_fail_syntax(r, offset, yaml_error_text(p, chunk_ascii(&r->chunk, offset)));
}

/* ---- counting ---- */

/* The Go library's measure against aliases that multiply (decode.go, allowedAliasRatio). */
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
    return !too_many_aliases(&r->total) || yaml_fail(r, FAILURE_LIMIT, offset, "too many aliases: nearly all of the document is repetition");
}

static struct amount amount_since(const struct yaml_reader *r, const struct amount *before)
{
    return (struct amount){ r->total.nodes - before->nodes, r->total.text - before->text, r->total.visits - before->visits,
                            r->total.aliased - before->aliased };
}

/* Counts what an alias stands for before any of it is copied; the nodes are counted when they are made. */
static bool count_alias(struct yaml_reader *r, const struct anchor *anchor, uint32_t offset)
{
    r->total.visits += anchor->amount.visits;
    r->total.aliased += anchor->amount.visits;
    r->total.text += anchor->amount.text;
    if (anchor->amount.nodes > LIMIT_NODES - r->total.nodes)
        return yaml_fail(r, FAILURE_LIMIT, offset, "too many values, with what aliases repeat");
    if (r->total.text > LIMIT_TEXT_BYTES)
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

/* The value of the innermost level is complete, down to `end`. */
static void end_value(struct yaml_reader *r, uint32_t end, unsigned height)
{
    struct yaml_level *level = yaml_top(r);
    if (!level)
        return;
    level->has_key = level->merging = false;
    if (height > level->height)
        level->height = (uint8_t)height;
    if (end > level->end)
        level->end = end;
}

static bool fail_merge(struct yaml_reader *r, uint32_t offset)
{
    return yaml_fail_syntax(r, offset, "a merge key << takes a mapping, an alias to one, or a list of those");
}

/* ---- events ---- */

static bool find_place(struct yaml_reader *r, const yaml_event_t *event, unsigned properties, struct yaml_place *place)
{
    uint32_t written = r->depth ? yaml_top(r)->end : r->chunk.start;
    return yaml_place_find(&r->chunk, event, properties, written, place) ||
           yaml_fail_stricter(r, place->offset, "a tag with a comma or bracket in it; a value that begins with ! needs quotes");
}

static bool define_anchor(struct yaml_reader *r, const yaml_char_t *name, struct yaml_place place, struct anchor **anchor)
{
    *anchor = NULL;
    enum failure failure = name ? anchor_define(&r->anchors, (const char *)name, anchor) : FAILURE_NONE;
    return !failure || yaml_fail(r, failure, place.offset, failure == FAILURE_LIMIT ? "too many anchors" : failure_text(failure));
}

static bool meet_key(struct yaml_reader *r, const yaml_event_t *event, struct yaml_place place, const struct scalar *scalar, bool plain)
{
    struct yaml_level *level = yaml_top(r);
    const char *tag = (const char *)event->data.scalar.tag;
    if (place.end > level->end)
        level->end = place.end;
    bool merge_tag = plain || (tag && strcmp(tag, "tag:yaml.org,2002:merge") == 0);
    if (merge_tag && scalar->type == SCALAR_STRING && bytes_equal_text(scalar->text, "<<")) {
        level->has_key = level->merging = true;
        level->merge_offset = place.offset;
        return true;
    }
    return count_visit(r, place.offset) && yaml_take_key(r, place, scalar);
}

static bool on_scalar(struct yaml_reader *r, const yaml_event_t *event)
{
    struct amount before = r->total;
    struct yaml_place place;
    struct scalar scalar;
    struct anchor *anchor;
    if (!find_place(r, event, 2, &place))
        return false;
    if (!define_anchor(r, event->data.scalar.anchor, place, &anchor))
        return false;
    bool key = expects_key(yaml_top(r));
    if (!key && expects_merge(yaml_top(r)))
        return fail_merge(r, place.offset);
    if (!yaml_read_scalar(r, event, place, &scalar))
        return false;
    if (key && !meet_key(r, event, place, &scalar, event->data.scalar.plain_implicit))
        return false;
    if (!key && !(count_visit(r, place.offset) && yaml_add_scalar(r, place, &scalar)))
        return false;
    if (!key)
        end_value(r, place.end, 0);
    if (anchor) {
        struct doc_node *node = arena_alloc(r->input->arena, sizeof *node);
        if (!node)
            return yaml_fail_memory(r, place.offset);
        *node = (struct doc_node){ .offset = place.offset, .size = place.end - place.offset };
        *anchor = (struct anchor){ .node = node, .scalar = scalar, .is_scalar = true, .amount = amount_since(r, &before) };
        anchor->amount.nodes = 1;
        anchor->amount.visits = 1;
    }
    return true;
}

/* A scalar once more, as key or value. */
static bool repeat_scalar(struct yaml_reader *r, const struct anchor *anchor)
{
    struct yaml_place place = { anchor->node->offset, anchor->node->offset + anchor->node->size };
    return expects_key(yaml_top(r)) ? yaml_take_key(r, place, &anchor->scalar) : yaml_add_scalar(r, place, &anchor->scalar);
}

static bool repeat_collection(struct yaml_reader *r, const struct anchor *anchor, struct yaml_place place)
{
    struct yaml_level *level = yaml_top(r);
    if ((level ? level->depth : 0u) + 1u + anchor->height > LIMIT_DEPTH)
        return yaml_fail(r, FAILURE_LIMIT, place.offset, "nesting over 64 levels, with what the alias brings in");
    struct doc_node *copy = yaml_add_node(r, (struct yaml_place){ anchor->node->offset, anchor->node->offset + anchor->node->size }), *last = NULL;
    if (!copy)
        return false;
    copy->type = anchor->node->type;
    return yaml_copy_children(r, anchor->node, copy, &last);
}

static bool repeat_merged(struct yaml_reader *r, const struct anchor *anchor, struct yaml_place place)
{
    if (anchor->is_scalar || anchor->node->type != DOC_OBJECT)
        return fail_merge(r, place.offset);
    if (yaml_merge_target(r)->depth + anchor->height > LIMIT_DEPTH)
        return yaml_fail(r, FAILURE_LIMIT, place.offset, "nesting over 64 levels, with what the alias brings in");
    return yaml_merge(r, anchor->node, anchor->height);
}

static bool on_alias(struct yaml_reader *r, const yaml_event_t *event)
{
    struct yaml_place place = { chunk_offset(&r->chunk, event->start_mark.index), chunk_offset(&r->chunk, event->end_mark.index) };
    const struct anchor *anchor = anchor_find(&r->anchors, (const char *)event->data.alias.anchor);
    bool key = expects_key(yaml_top(r)), merging = !key && expects_merge(yaml_top(r));
    if (!anchor)
        return yaml_fail_syntax(r, place.offset, "an alias to an anchor that is not defined above it in this document; a value that begins with * needs quotes");
    if (anchor->open)
        return yaml_fail_syntax(r, place.offset, "the anchored value contains itself through this alias");
    if (key && !anchor->is_scalar)
        return yaml_fail_syntax(r, place.offset, "a list or mapping cannot be a key");
    if (!count_visit(r, place.offset) || !count_alias(r, anchor, place.offset))
        return false;
    if (merging ? !repeat_merged(r, anchor, place) : anchor->is_scalar ? !repeat_scalar(r, anchor) : !repeat_collection(r, anchor, place))
        return false;
    if (!key)
        end_value(r, place.end, anchor->is_scalar || merging ? 0u : anchor->height + 1u);
    return true;
}

static bool open_level(struct yaml_reader *r, const struct yaml_level *opened, uint32_t offset)
{
    if (r->depth == LIMIT_TEXT_DEPTH || opened->depth > LIMIT_DEPTH)
        return yaml_fail(r, FAILURE_LIMIT, offset, "nesting over 64 levels");
    r->levels[r->depth++] = *opened;
    return true;
}

static bool on_start(struct yaml_reader *r, const yaml_event_t *event)
{
    bool object = event->type == YAML_MAPPING_START_EVENT;
    const yaml_char_t *name = object ? event->data.mapping_start.anchor : event->data.sequence_start.anchor;
    const yaml_char_t *tag = object ? event->data.mapping_start.tag : event->data.sequence_start.tag;
    bool flow = object ? event->data.mapping_start.style == YAML_FLOW_MAPPING_STYLE : event->data.sequence_start.style == YAML_FLOW_SEQUENCE_STYLE;
    struct yaml_level *outer = yaml_top(r), level = { .before = r->total, .flow = flow, .depth = (uint8_t)(outer ? outer->depth + 1 : 1) };
    struct yaml_place place;
    if (!find_place(r, event, (name ? 1u : 0u) + (tag ? 1u : 0u), &place) || !define_anchor(r, name, place, &level.anchor))
        return false;
    if (expects_key(outer))
        return yaml_fail_syntax(r, place.offset, "a list or mapping cannot be a key; a value that begins with { or [ needs quotes");
    level.end = place.offset < r->chunk.end ? place.offset + 1 : place.offset;
    if (!expects_merge(outer)) {
        level.node = count_visit(r, place.offset) ? yaml_add_node(r, place) : NULL;
    } else {
        if (!object && outer->role == YAML_MERGED_LIST)
            return fail_merge(r, place.offset);
        level.role = object ? YAML_MERGED : YAML_MERGED_LIST;
        level.depth = outer->depth;
        level.node = !object || count_visit(r, place.offset) ? yaml_make_node(r, place) : NULL;
    }
    if (!level.node)
        return false;
    level.node->type = object ? DOC_OBJECT : DOC_ARRAY;
    if (level.anchor)
        level.anchor->node = level.node;
    return open_level(r, &level, place.offset);
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
    end_value(r, closed.end, closed.role == YAML_IN_TREE ? closed.height + 1u : 0u);
    if (closed.role == YAML_MERGED && yaml_top(r)->role == YAML_MERGED_LIST && closed.end > yaml_top(r)->end)
        yaml_top(r)->end = closed.end;
    return true;
}

/* ---- the document ---- */

/* One event of a document. Sets *done at its end. */
static bool on_event(struct yaml_reader *r, const yaml_event_t *event, bool *done)
{
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

/* Kubernetes never looks at what follows the first document of a part. */
static bool check_rest(struct yaml_reader *r)
{
    static const char message[] = "text after the document is lost: Kubernetes never reads it; begin another document with a line ---";
    yaml_event_t event;
    if (!yaml_parser_parse(&r->parser, &event)) {
        fail_parser(r);
        return r->failure == FAILURE_SYNTAX && r->parser.error != YAML_READER_ERROR ? yaml_fail_stricter(r, r->error->offset, message) : false;
    }
    bool ended = event.type == YAML_STREAM_END_EVENT || event.type == YAML_NO_EVENT;
    uint32_t offset = chunk_offset(&r->chunk, event.start_mark.index);
    yaml_event_delete(&event);
    return ended || yaml_fail_stricter(r, offset, message);
}

/* A directive cannot do anything: the cutting at --- separates it from its document. And libyaml takes quadratic time for many. */
static bool check_start(struct yaml_reader *r)
{
    uint32_t mark = chunk_stray_mark(&r->chunk);
    if (mark < r->chunk.end)
        return yaml_fail_stricter(r, mark, "a byte order mark in the middle of the document: remove it");
    uint32_t content = chunk_content(&r->chunk);
    if (content < r->chunk.end && chunk_ascii(&r->chunk, content) == '%')
        return yaml_fail_syntax(r, content, "a directive (%): Kubernetes cuts it off from its document; remove it, or put a value that begins with % in quotes");
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
        good = yaml_add_node(r, (struct yaml_place){ r->chunk.start, r->chunk.start }) != NULL;
    return good;
}

enum failure yaml_read(const struct yaml_input *input, struct document *document, struct doc_error *error)
{
    struct yaml_reader r; /* its levels are set as they open */
    r.input = input;
    chunk_init(&r.chunk, input->source, input->start, input->end);
    r.anchors = (struct anchors){ .arena = input->arena, .key = input->key };
    r.total = (struct amount){ .nodes = 0 };
    r.root = NULL;
    r.error = error;
    r.failure = FAILURE_NONE;
    r.depth = 0;
    if (!read_chunk(&r))
        return r.failure;
    *document = (struct document){ .root = r.root, .source = input->source, .is_yaml = true };
    return FAILURE_NONE;
}
