/* Hints about unknown fields: a name with a typing error, or a field that belongs elsewhere. */
#include "validate/hint_unknown.h"

#include "base/near.h"

static const struct field *named_field(const struct shape *shape, struct bytes name)
{
    for (uint16_t i = 0; shape && shape->type == SHAPE_OBJECT && i < shape->field_count; i++)
        if (bytes_equal(shape->fields[i].name, name))
            return &shape->fields[i];
    return NULL;
}

/* The object around the one at the cursor; skips lists and maps. */
static const struct cursor *enclosing_object(const struct cursor *cursor)
{
    for (cursor = cursor->up; cursor && cursor->shape->type != SHAPE_OBJECT; cursor = cursor->up)
        ;
    return cursor;
}

/* The field of that name that the version has, if it may have that value: as far as lists and objects are concerned. */
static const struct field *fitting_field(const struct evaluation *eval, const struct shape *shape, const struct doc_node *member)
{
    for (uint16_t i = 0; shape->type == SHAPE_OBJECT && i < shape->field_count; i++) {
        const struct field *field = &shape->fields[i];
        enum shape_type type = field->shape->type;
        bool object = type == SHAPE_OBJECT || type == SHAPE_MAP, list = type == SHAPE_LIST;
        bool fits = type == SHAPE_RAW || ((member->type == DOC_OBJECT) == object && (member->type == DOC_ARRAY) == list);
        if (fits && field_exists(eval, field) && bytes_equal(field->name, doc_name(member)))
            return field;
    }
    return NULL;
}

/* How many of the fields are near to that name. */
static unsigned count_near(const struct evaluation *eval, const struct shape *shape, struct bytes name)
{
    unsigned near = 0, same = 0; /* same: but for upper and lower case */
    for (uint16_t i = 0; i < shape->field_count; i++) {
        struct nearest nearest = { .wanted = name };
        if (field_exists(eval, &shape->fields[i]))
            near_consider(&nearest, shape->fields[i].name);
        near += nearest.found.data != NULL;
        same += nearest.found.data && !nearest.distance;
    }
    return same == 1 ? 1 : near;
}

/* The field of the object below which the member can only belong; NULL: none, or several. */
static const struct field *only_field_below(const struct evaluation *eval, const struct shape *shape, const struct doc_node *member)
{
    const struct field *found = NULL;
    for (uint16_t i = 0; i < shape->field_count; i++) {
        const struct field *field = &shape->fields[i];
        if (!field_exists(eval, field) || !named_field(field->shape, doc_name(member)))
            continue;
        if (found || !fitting_field(eval, field->shape, member))
            return NULL;
        found = field;
    }
    return found;
}

/* Moves the member one level up or down, if it can belong to one object only, and has no near name here. */
static void move_it(struct guess *guess, const struct cursor *object, const struct doc_node *member)
{
    const struct evaluation *eval = guess->eval;
    const struct cursor *up = object->up;
    const struct field *below = only_field_below(eval, object->shape, member);
    const struct doc_node *to = below ? doc_member_named(object->node, below->name) : NULL;
    bool above = up && up->shape->type == SHAPE_OBJECT && named_field(up->shape, doc_name(member));
    if (count_near(eval, object->shape, doc_name(member)) || (above && below))
        return;
    if (above && fitting_field(eval, up->shape, member) && !doc_member_named(up->node, doc_name(member)))
        fix_move(guess, object, member, NULL);
    else if (below && !to)
        fix_wrap(guess, object, member, below->name);
    else if (below && to->type == DOC_OBJECT && to->count && !doc_member_named(to, doc_name(member)))
        fix_move(guess, object, member, to);
}

/* The members of a needless object belong to the one around it: each of them, and none is there already. */
static void unwrap(struct guess *guess, const struct cursor *object, const struct doc_node *member)
{
    bool sure = !count_near(guess->eval, object->shape, doc_name(member));
    doc_each(member, inner)
        sure &= fitting_field(guess->eval, object->shape, inner) && !doc_member_named(object->node, doc_name(inner));
    if (sure)
        fix_unwrap(guess, object, member);
}

static bool belongs_above(struct text *text, const struct cursor *parent, struct bytes name)
{
    if (!parent || !named_field(parent->shape, name))
        return false;
    text_add(text, "belongs one level up");
    if (parent->field) {
        text_add(text, ", in ");
        text_add_quoted(text, parent->field->name, NEAR_BYTES);
    }
    return true;
}

static bool belongs_below(const struct evaluation *eval, struct text *text, const struct shape *shape, struct bytes name)
{
    for (uint16_t i = 0; i < shape->field_count; i++) {
        const struct field *field = &shape->fields[i];
        if (!field_exists(eval, field) || !named_field(field->shape, name))
            continue;
        text_add(text, "belongs one level down, in ");
        text_add_quoted(text, field->name, NEAR_BYTES);
        return true;
    }
    return false;
}

/* Whether the member is an object that should not be there, as most of its fields belong to the object around it: a spec in a kind without
 * one. */
static bool is_needless_wrapper(const struct shape *shape, const struct doc_node *member)
{
    uint32_t known = 0;
    doc_each(member->type == DOC_OBJECT ? member : NULL, inner)
        known += named_field(shape, doc_name(inner)) != NULL;
    return known && 2 * known >= member->count;
}

/* A right name for the member, unless the object has a member of that name. */
static bool add_name(struct guess *guess, const struct cursor *object, const struct doc_node *member, struct bytes meant)
{
    if (!doc_member_named(object->node, meant) && count_near(guess->eval, object->shape, doc_name(member)) == 1)
        fix_name(guess, member, meant);
    near_add_words(&guess->text, meant);
    return true;
}

static bool hint_in_this_version(struct guess *guess, const struct cursor *object, const struct doc_node *member)
{
    const struct evaluation *eval = guess->eval;
    struct text *text = &guess->text;
    struct bytes name = doc_name(member);
    const struct shape *shape = object->shape;
    const struct field *in_other_version = named_field(shape, name);
    struct nearest nearest = { .wanted = name };
    if (in_other_version) {
        text_add(text, "known to Kubernetes ");
        text_add(text, versions_words(in_other_version->versions).text);
        return true;
    }
    if (name.length && name.data[0] == '$') {
        text_add(text, "this looks like a patch for kustomize: lint the output of kustomize build");
        return true;
    }
    if (is_needless_wrapper(shape, member)) {
        unwrap(guess, object, member);
        text_add(text, "the fields in it belong one level up");
        return true;
    }
    for (uint16_t i = 0; i < shape->field_count; i++)
        if (field_exists(eval, &shape->fields[i]))
            near_consider(&nearest, shape->fields[i].name);
    if (nearest.found.data && nearest.distance == 0) /* only upper and lower case differ */
        return add_name(guess, object, member, nearest.found);
    if (belongs_above(text, enclosing_object(object), name) || belongs_below(eval, text, shape, name)) {
        move_it(guess, object, member);
        return true;
    }
    return nearest.found.data && add_name(guess, object, member, nearest.found);
}

/* The shape at the cursor's path in another API version of the kind; NULL: there is none. */
static const struct shape *shape_in(const struct shape *root, const struct cursor *cursor)
{
    const struct shape *parent = cursor->up ? shape_in(root, cursor->up) : root; /* recursion is as deep as shapes nest */
    if (!cursor->up || !parent)
        return parent;
    if (!cursor->field)
        return parent->of;
    const struct field *field = named_field(parent, cursor->field->name);
    return field ? field->shape : NULL;
}

/* Says so if another API version has the field here: the object may be written for that one. */
static bool hint_other_version(const struct evaluation *eval, struct text *text, const struct cursor *object, struct bytes name)
{
    for (size_t i = 0; i < kind_count; i++) {
        const struct kind *kind = &kinds[i];
        if (!kind_same(kind, eval->request->kind) || kind->shape == eval->request->kind->shape)
            continue;
        if (!named_field(shape_in(kind->shape, object), name))
            continue;
        text_add(text, text->length ? "; " : "");
        text_add_bytes(text, kind->version);
        text_add(text, " has this field here");
        return true;
    }
    return false;
}

bool hint_unknown_field(struct guess *guess)
{
    const struct cursor *object = guess->about->cursor;
    const struct doc_node *member = guess->about->value;
    bool has_hint = hint_in_this_version(guess, object, member);
    if (!hint_other_version(guess->eval, &guess->text, object, doc_name(member)))
        return has_hint;
    if (guess->fix && !guess->fix->moves) /* the object may be meant for that version, which has the same at another place */
        guess->fix = NULL;
    return true;
}
