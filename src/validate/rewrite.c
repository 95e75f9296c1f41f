#include "validate/rewrite.h"

#include <string.h>

#include "base/text.h"
#include "check/limits.h"
#include "doc/reshape.h"
#include "object/object.h"
#include "schema/lifecycle.h"

struct rewriting {
    struct rewrite *rewrite;
    const struct source *source;
    struct workspace *workspace;
    struct arena *arena;
    minor to;
    const char *reason; /* why the object at hand cannot be rewritten; NULL: none so far */
};

/* ---- which objects ---- */

/* Whether the object's API version is deprecated or not served. *newest: the kind in the one to use instead; NULL: there is none. */
static bool is_over(const struct item *item, minor to, const struct kind **newest)
{
    struct api_version own = api_version_split(item->api_version);
    const struct kind *kind = kind_find(own.group, own.version, item->kind_name);
    const struct api_end *end = api_end_find(own.group, own.version, item->kind_name);
    bool over = end && ((end->last && to > end->last) || (end->deprecated && to >= end->deprecated));
    bool unserved = kind && !kind->successor && !versions_include(kind->served, to);
    *newest = kind_newest(own.group, item->kind_name, to);
    return (over || unserved) && (!*newest || !bytes_equal((*newest)->version, own.version));
}

static void refuse(struct rewriting *rewriting, const struct item *item, const char *reason)
{
    struct rewrite *rewrite = rewriting->rewrite;
    struct rewrite_refusal *refusal = arena_alloc(rewriting->arena, sizeof *refusal);
    if (!refusal)
        return;
    *refusal = (struct rewrite_refusal){ .item = item, .reason = reason };
    if (rewrite->last)
        rewrite->last->next = refusal;
    else
        rewrite->refusals = refusal;
    rewrite->last = refusal;
}

/* ---- edits ---- */

/* The group and version inside of the quotes, if there are any. */
static void edit_api_version(struct rewriting *rewriting, const struct item *item, const struct kind *kind)
{
    const struct doc_node *node = doc_member(item->node, "apiVersion");
    struct bytes source = rewriting->source->text;
    if (!node) {
        rewriting->reason = "its apiVersion is that of the list around it";
        return;
    }
    uint32_t quote = node->size == item->api_version.length + 2 ? 1 : 0;
    bool same = node->size == item->api_version.length + 2 * quote && node->offset + node->size <= source.length &&
                memcmp(source.data + node->offset + quote, item->api_version.data, item->api_version.length) == 0;
    struct text text;
    text_init(&text, rewriting->arena);
    text_add_bytes(&text, kind->group);
    text_add(&text, "/");
    text_add_bytes(&text, kind->version);
    const char *fresh = text_end(&text);
    if (!same || node->offset < item->node->offset || node->offset + node->size > item->node->offset + item->node->size)
        rewriting->reason = "its apiVersion is not written as it is: an alias, or escapes";
    else if (fresh)
        edits_add(&rewriting->rewrite->edits, node->offset + quote, node->offset + quote + item->api_version.length,
                        (struct bytes){ fresh, (uint32_t)text.length });
}

static bool has_field(const struct shape *shape, struct bytes name)
{
    for (uint16_t i = 0; i < shape->field_count; i++)
        if (bytes_equal(shape->fields[i].name, name))
            return true;
    return false;
}

/* The name of the field of `shape` below which a field of that name stands; NULL: there is none. As object/conversion.c has it. */
static const char *field_around(const struct shape *shape, struct bytes name)
{
    for (uint16_t i = 0; i < shape->field_count; i++) {
        const struct field *field = &shape->fields[i];
        if (field->shape->type == SHAPE_OBJECT && field->pointer && has_field(field->shape, name))
            return field->name.data;
    }
    return NULL;
}

/* Where the members of an object go, one for each. */
struct fates {
    enum reshape_fate *list;
    const char *below; /* the name of the new object; NULL: there is none */
    bool moves;        /* some member moves */
    bool has_value;    /* of those that move below, one is not null: else there is no object there */
};

static enum reshape_fate fate_of(struct rewriting *rewriting, const struct shape *from, const struct doc_node *member, struct fates *fates)
{
    const struct field *field = member->field < from->field_count ? &from->fields[member->field] : NULL;
    bool stays = has_field(from->converts_to, doc_name(member));
    const char *around = field && !stays ? field_around(from->converts_to, field->name) : NULL;
    if (!field && stays)
        rewriting->reason = "it has a field that only the newer API version has";
    if (!field || stays)
        return RESHAPE_STAYS;
    fates->moves = true;
    if (field->flattened && (member->type == DOC_OBJECT || member->type == DOC_NULL))
        return RESHAPE_UP;
    if (!around || (fates->below && strcmp(fates->below, around) != 0))
        rewriting->reason = "it has a field that the newer API version does not have";
    fates->below = around;
    fates->has_value |= member->type != DOC_NULL;
    return RESHAPE_DOWN;
}

static void edit_object(struct rewriting *rewriting, const struct shape *shape, const struct doc_node *object)
{
    struct fates fates = { .list = arena_alloc(rewriting->arena, (object->count + 1) * sizeof *fates.list) };
    uint32_t count = 0;
    if (!fates.list)
        return;
    doc_each(object, member)
        fates.list[count++] = fate_of(rewriting, shape, member, &fates);
    if (fates.below && !fates.has_value)
        rewriting->reason = "nothing but null would move to another place";
    if (!fates.moves || rewriting->reason)
        return;
    rewriting->reason = reshape_object(&(struct reshape){
        .edits = &rewriting->rewrite->edits, .source = rewriting->source->text, .object = object, .fates = fates.list, .below = fates.below,
    });
}

/* As deep as shapes nest. */
static void edit_value(struct rewriting *rewriting, const struct shape *shape, const struct doc_node *node)
{
    if (shape->type == SHAPE_OBJECT && node->type == DOC_OBJECT) {
        if (shape->converts_to)
            edit_object(rewriting, shape, node);
        doc_each(node, member)
            if (member->field < shape->field_count && !rewriting->reason)
                edit_value(rewriting, shape->fields[member->field].shape, member);
    } else if (object_has_members(shape, node)) {
        doc_each(node, element)
            if (!rewriting->reason)
                edit_value(rewriting, shape->of, element);
    }
}

static const char *unknown_shape(struct rewriting *rewriting, const struct item *item)
{
    struct api_version own = api_version_split(item->api_version);
    const struct api_end *end = api_end_find(own.group, own.version, item->kind_name);
    struct text text;
    text_init(&text, rewriting->arena);
    text_add(&text, "more changes than can be made here");
    text_add(&text, end ? ": " : "");
    text_add(&text, end ? end->change : "");
    return text_end(&text);
}

static bool has_types(struct rewriting *rewriting, const struct item *item, const struct doc_node **canonical)
{
    struct findings findings = { .kept = LIMIT_FINDINGS }; /* full, so that findings are only counted */
    const struct check_request request = { .operation = CREATE, .version = rewriting->to, .kind = item->kind, .document = item->document };
    struct evaluation eval = { .request = &request, .workspace = rewriting->workspace, .findings = &findings };
    object_check_types(&eval, item->kind->shape, item->node, "");
    if (!findings.errors && !eval.failure)
        *canonical = object_canonical(&eval, item->kind->shape, item->node);
    return !findings.errors && !eval.failure;
}

/* The field of that name in that version, or else in another; NULL: in none that is known here. */
static const struct field *field_named(const struct shape *shape, struct bytes name, minor version)
{
    const struct field *found = NULL;
    for (uint16_t i = 0; i < shape->field_count; i++)
        if (bytes_equal(shape->fields[i].name, name) && (!found || versions_include(shape->fields[i].versions, version)))
            found = &shape->fields[i];
    return found;
}

/* Whether the value has a field that the version does not have: its API server would drop what a person has written. It nests as its shape
 * does. */
static bool loses_fields(const struct shape *shape, const struct doc_node *node, minor version)
{
    bool object = shape->type == SHAPE_OBJECT, lost = false;
    if (!object_has_members(shape, node))
        return false;
    doc_each(node, member) {
        const struct field *field = object ? field_named(shape, doc_name(member), version) : NULL;
        lost |= field && !versions_include(field->versions, version);
        if (field || !object)
            lost |= loses_fields(field ? field->shape : shape->of, member, version);
    }
    return lost;
}

static void rewrite_item(struct rewriting *rewriting, const struct item *item)
{
    const struct kind *kind;
    const struct doc_node *canonical;
    uint32_t before = rewriting->rewrite->edits.count;
    if (!item->node || !item->api_version.length || !item->kind_name.length || !is_over(item, rewriting->to, &kind))
        return;
    rewriting->reason = NULL;
    workspace_clear(rewriting->workspace);
    if (!kind)
        rewriting->reason = "that Kubernetes has no API version of it that is known here";
    else if (!item->kind || object_canonical_shape(item->kind->shape) != kind->shape)
        rewriting->reason = unknown_shape(rewriting, item);
    else if (!has_types(rewriting, item, &canonical))
        rewriting->reason = rewriting->workspace->arena.failure ? "it takes too much memory" : "a value has a wrong type";
    else if (loses_fields(item->kind->shape, item->node, rewriting->to))
        rewriting->reason = "it has a field that the new version does not have";
    else if (item->kind->shape != kind->shape && !reshape_is_plain(item->node))
        rewriting->reason = "it is written with an alias or a merge key";
    if (!rewriting->reason)
        edit_api_version(rewriting, item, kind);
    if (!rewriting->reason)
        edit_value(rewriting, item->kind->shape, item->node);
    if (rewriting->reason) {
        rewriting->rewrite->edits.count = before;
        refuse(rewriting, item, rewriting->reason);
    } else {
        rewriting->rewrite->objects++;
    }
}

/* ---- whether the new objects are the old ones ---- */

static bool same_scalar(const struct doc_node *a, const struct doc_node *b)
{
    bool text = a->type == DOC_STRING || a->type == DOC_NUMBER;
    return a->type == b->type && (!text || bytes_equal(doc_text(a), doc_text(b)));
}

/* The same values in the same order, whatever they mean. */
static bool same_tree(const struct doc_node *a, const struct doc_node *b)
{
    if (a->type != DOC_ARRAY && a->type != DOC_OBJECT)
        return same_scalar(a, b);
    const struct doc_node *other = doc_first(b);
    if (a->type != b->type)
        return false;
    doc_each(a, child) {
        if (!other || (a->type == DOC_OBJECT && !bytes_equal(doc_name(child), doc_name(other))) || !same_tree(child, other))
            return false;
        other = other->next;
    }
    return !other;
}

static const struct doc_node *member_of_field(const struct doc_node *object, uint16_t field)
{
    const struct doc_node *found = NULL;
    doc_each(object, member)
        found = member->field == field ? member : found;
    return found;
}

/* Conversion drops values that count as unset where Go has no pointer. */
static bool is_empty(const struct doc_node *node)
{
    bool zero = node->type == DOC_NUMBER && bytes_equal_text(doc_text(node), "0");
    bool none = (node->type == DOC_ARRAY || node->type == DOC_OBJECT || node->type == DOC_STRING) && !node->count;
    return node->type == DOC_NULL || node->type == DOC_FALSE || zero || none;
}

static bool same_value(const struct shape *shape, const struct doc_node *a, const struct doc_node *b);

/* Objects in the terms of one shape: fields in any order. Unknown members are not values of Kubernetes. */
static bool same_object(const struct shape *shape, const struct doc_node *a, const struct doc_node *b)
{
    for (uint16_t i = 0; i < shape->field_count; i++) {
        const struct doc_node *left = member_of_field(a, i), *right = member_of_field(b, i);
        if (bytes_equal_text(shape->fields[i].name, "apiVersion"))
            continue;
        if ((left && right && !same_value(shape->fields[i].shape, left, right)) || (left && !right && !is_empty(left)) ||
            (!left && right && !is_empty(right)))
            return false;
    }
    return true;
}

/* As deep as shapes nest. */
static bool same_value(const struct shape *shape, const struct doc_node *a, const struct doc_node *b)
{
    if (shape->type == SHAPE_OBJECT && a->type == DOC_OBJECT && b->type == DOC_OBJECT)
        return same_object(shape, a, b);
    if ((shape->type != SHAPE_LIST && shape->type != SHAPE_MAP) || a->type != b->type)
        return same_tree(a, b);
    const struct doc_node *other = doc_first(b);
    doc_each(a, child) {
        bool named = shape->type == SHAPE_MAP;
        if (!other || (named && !bytes_equal(doc_name(child), doc_name(other))) || !same_value(shape->of, child, other))
            return false;
        other = other->next;
    }
    return !other;
}

/* The sum of what the scalars and their names are, wherever they stand: the same for all orders and places. Without null, and without the
 * API version. As deep as documents nest. */
static uint64_t sum_of(const struct doc_node *node, struct map_key key)
{
    uint64_t sum = 0;
    if (node->type != DOC_ARRAY && node->type != DOC_OBJECT) {
        bool text = node->type == DOC_STRING || node->type == DOC_NUMBER;
        return node->type == DOC_NULL ? 0 : map_hash(text ? doc_text(node) : (struct bytes){ "", 0 }, key) + node->type;
    }
    doc_each(node, child) {
        bool named = node->type == DOC_OBJECT;
        struct map_key inner = { { key.word[0] + (named ? map_hash(doc_name(child), key) : 0), key.word[1] } };
        bool container = child->type == DOC_ARRAY || child->type == DOC_OBJECT;
        sum += sum_of(child, container ? key : inner);
    }
    return sum;
}

/* What no rule knows must stay, too. */
static bool same_content(struct rewriting *rewriting, const struct item *item, const struct item *fresh)
{
    struct map_key key = rewriting->workspace->context->key;
    const struct doc_node *before = doc_member(item->node, "apiVersion"), *after = doc_member(fresh->node, "apiVersion");
    struct map_key named = { { key.word[0] + map_hash(bytes_of("apiVersion"), key), key.word[1] } };
    return before && after && sum_of(item->node, key) - sum_of(before, named) == sum_of(fresh->node, key) - sum_of(after, named);
}

/* In the API version of the old object or in another one. */
static bool same_in_version(struct rewriting *rewriting, const struct item *item, const struct item *fresh)
{
    const struct doc_node *before, *after;
    return fresh->kind && item->kind && same_content(rewriting, item, fresh) && has_types(rewriting, item, &before) &&
           has_types(rewriting, fresh, &after) && same_value(object_canonical_shape(item->kind->shape), before, after);
}

static bool same_item(struct rewriting *rewriting, const struct item *item, const struct item *fresh)
{
    workspace_clear(rewriting->workspace);
    if (item->type == ITEM_UNREADABLE || fresh->type == ITEM_UNREADABLE)
        return item->type == fresh->type;
    if (bytes_equal(item->api_version, fresh->api_version))
        return same_tree(item->node, fresh->node);
    return same_in_version(rewriting, item, fresh);
}

/* Reads the new text. *wrong: the first object that is not what it was. */
static enum failure compare(struct rewriting *rewriting, const struct item **wrong)
{
    struct source fresh;
    const struct source *source = rewriting->source;
    const struct source_options options = source_options_of(source);
    enum failure failure = source_read(&fresh, rewriting->workspace->context, source->name, rewriting->rewrite->text, &options);
    const struct item *item = source->first, *other = fresh.first;
    const struct rewrite_refusal *refusal = rewriting->rewrite->refusals;
    while (!failure && item && other && same_item(rewriting, item, other)) {
        bool refused = refusal && refusal->item == item;
        if (refused && !bytes_equal(item->api_version, other->api_version)) /* an alias of one that was rewritten */
            break;
        refusal = refused ? refusal->next : refusal;
        item = item->next;
        other = other->next;
    }
    *wrong = item ? item : other ? source->last : NULL;
    source_done(&fresh);
    return failure ? failure : rewriting->workspace->arena.failure;
}

enum failure rewrite_source(const struct source *source, minor to, struct workspace *workspace, struct arena *arena,
                            struct rewrite *rewrite, const struct item **wrong)
{
    struct rewriting rewriting = { rewrite, source, workspace, arena, to, NULL };
    *rewrite = (struct rewrite){ .edits = { .arena = arena } };
    *wrong = NULL;
    for (const struct item *item = source->first; item && !arena->failure; item = item->next) {
        rewrite_item(&rewriting, item);
        if (workspace->arena.failure == FAILURE_MEMORY)
            return FAILURE_MEMORY;
    }
    if (!rewrite->edits.count || arena->failure)
        return arena->failure;
    if (!edits_sort(&rewrite->edits)) {
        *wrong = source->first;
        return FAILURE_NONE;
    }
    rewrite->text = edits_apply(&rewrite->edits, source->text);
    return rewrite->text.data ? compare(&rewriting, wrong) : arena->failure;
}

bool rewrite_object(const struct item *item, minor to, struct workspace *workspace, struct edits *edits, const struct kind **meant)
{
    struct rewrite rewrite = { .edits = *edits };
    struct rewriting rewriting = { &rewrite, item->source, workspace, edits->arena, to, NULL };
    if (!is_over(item, to, meant))
        return false;
    rewrite_item(&rewriting, item);
    *edits = rewrite.edits;
    return rewrite.objects && edits_sort(edits) && edits->count;
}

bool rewrite_is_same(struct workspace *workspace, minor to, const struct item *item, const struct item *fresh)
{
    struct rewriting rewriting = { NULL, item->source, workspace, NULL, to, NULL };
    struct map_key key = workspace->context->key;
    workspace_clear(workspace);
    if (bytes_equal(item->api_version, fresh->api_version))
        return sum_of(item->node, key) == sum_of(fresh->node, key);
    return same_in_version(&rewriting, item, fresh);
}
