/* Hints: guesses what to write instead. Made only when the caller asks for them. */
#include "validate/hint.h"

#include <strings.h>

#include "base/near.h"
#include "check/others.h"
#include "validate/limits.h"
#include "value/quantity.h"

/* ---- what was meant ---- */

static bool add_did_you_mean(struct text *text, struct bytes meant)
{
    near_add_words(text, meant);
    return true;
}

static bool nearest_name(struct text *text, struct bytes wanted, const char *const *names)
{
    struct nearest nearest = { .wanted = wanted };
    for (; *names; names++)
        near_consider(&nearest, bytes_of(*names));
    return nearest.found.data && add_did_you_mean(text, nearest.found);
}

bool hint_is_template(struct bytes text)
{
    for (uint32_t i = 0; i + 1 < text.length; i++)
        if (text.data[i + 1] == '{' && (text.data[i] == '{' || text.data[i] == '$'))
            return true;
    return text.length > 1 && text.data[0] == '$' && text.data[1] >= 'A' && text.data[1] <= 'Z';
}

/* Corrects a name with a common mistake: upper case, or underscores, spaces or dots in place of hyphens. */
static bool hint_name(struct evaluation *eval, struct text *text, const struct check *check, struct bytes value)
{
    char corrected[NEAR_BYTES];
    const struct bytes fixed = { corrected, value.length };
    if (value.length == 0 || value.length > NEAR_BYTES)
        return false;
    bool has_domain = memchr(value.data, '/', value.length) != NULL; /* its dots are correct */
    for (int step = 0; step < (has_domain ? 2 : 3); step++) {
        unsigned broken = 0;
        for (uint32_t i = 0; i < value.length; i++) {
            char c = near_lower(value.data[i]);
            corrected[i] = (step >= 1 && (c == '_' || c == ' ')) || (step >= 2 && c == '.') ? '-' : c;
        }
        if (!bytes_equal(fixed, value) && evaluation_format(eval, check->format, fixed, &broken) && !broken)
            return add_did_you_mean(text, fixed);
    }
    return false;
}

/* ---- values of a wrong type ---- */

static bool is_scalar(const struct doc_node *node)
{
    return node->type != DOC_ARRAY && node->type != DOC_OBJECT && node->type != DOC_SKIPPED;
}

/* The value as it is written, if that is one short line; else { NULL, 0 }. */
static struct bytes as_written(const struct evaluation *eval, const struct doc_node *node)
{
    struct bytes source = doc_source(eval->request->document, node);
    bool short_line = is_scalar(node) && source.length <= NEAR_BYTES && source.length && !memchr(source.data, '\n', source.length);
    return short_line ? source : (struct bytes){ NULL, 0 };
}

static bool is_integer(struct bytes text)
{
    int64_t value;
    return doc_integer(&(struct doc_node){ .text = text.data, .count = text.length }, INT64_MIN, INT64_MAX, &value);
}

/* The boolean in JSON for a word that people write for one; NULL for any other text. */
static const char *boolean_word(struct bytes text)
{
    static const char *const words[][2] = {
        { "true", "true" },   { "yes", "true" }, { "on", "true" },   { "y", "true" },
        { "false", "false" }, { "no", "false" }, { "off", "false" }, { "n", "false" },
    };
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (text.length == strlen(words[i][0]) && strncasecmp(text.data, words[i][0], text.length) == 0)
            return words[i][1];
    return NULL;
}

/* Corrects 10GB, 10 Gi, 10gi: removes spaces and B, and writes the suffix as Kubernetes does. */
static bool hint_quantity(struct text *text, struct bytes value)
{
    char meant[NEAR_BYTES];
    uint32_t length = 0;
    for (uint32_t i = 0; i < value.length && length < sizeof meant; i++)
        if (value.data[i] != ' ' && !(i + 1 == value.length && (value.data[i] | 32) == 'b'))
            meant[length++] = value.data[i];
    for (uint32_t i = 0; i < length; i++) {
        bool last = i + 1 == length, before_i = i + 2 == length && (meant[i + 1] | 32) == 'i';
        if (before_i || (last && strchr("gtpe", meant[i]) && meant[i]))
            meant[i] = (char)(meant[i] >= 'a' && meant[i] <= 'z' ? meant[i] - 'a' + 'A' : meant[i]);
        if (last && meant[i] == 'I')
            meant[i] = 'i';
    }
    const struct bytes candidate = { meant, length };
    return length && !bytes_equal(candidate, value) && !quantity_fault(candidate) && add_did_you_mean(text, candidate);
}

static bool hint_type(struct evaluation *eval, struct text *text, const struct cursor *cursor, const struct doc_node *value)
{
    enum shape_type expected = cursor->shape->type;
    struct bytes written = as_written(eval, value);
    if (expected == SHAPE_STRING && value->type != DOC_STRING && written.length) {
        text_add(text, "in quotes it is a string: ");
        text_add_quoted(text, written, NEAR_BYTES);
        return true;
    }
    if (expected == SHAPE_BOOL && value->type == DOC_STRING && boolean_word(doc_text(value))) {
        text_add(text, "without quotes it is a boolean: ");
        text_add(text, boolean_word(doc_text(value)));
        return true;
    }
    if (expected == SHAPE_QUANTITY && value->type == DOC_STRING)
        return hint_quantity(text, doc_text(value));
    if (value->type == DOC_STRING && (expected == SHAPE_INT32 || expected == SHAPE_INT64) && is_integer(doc_text(value))) {
        text_add(text, "without quotes it is a number: ");
        text_add_escaped(text, doc_text(value), NEAR_BYTES);
    } else if (expected == SHAPE_LIST && (cursor->shape->of->type == SHAPE_OBJECT ? value->type == DOC_OBJECT : is_scalar(value))) {
        text_add(text, "a list of one element is written with a hyphen before it, or in brackets");
    } else {
        return false;
    }
    return true;
}

/* ---- unknown fields ---- */

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

static bool hint_unknown(const struct evaluation *eval, struct text *text, const struct cursor *object, const struct doc_node *member)
{
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
        text_add(text, "the fields in it belong one level up");
        return true;
    }
    for (uint16_t i = 0; i < shape->field_count; i++)
        if (field_exists(eval, &shape->fields[i]))
            near_consider(&nearest, shape->fields[i].name);
    if (nearest.found.data && nearest.distance == 0) /* only upper and lower case differ */
        return add_did_you_mean(text, nearest.found);
    if (belongs_above(text, enclosing_object(object), name) || belongs_below(eval, text, shape, name))
        return true;
    return nearest.found.data && add_did_you_mean(text, nearest.found);
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

/* ---- all findings ---- */

/* Whether only the API server sets this member of metadata. */
static bool is_system_field(const struct cursor *cursor)
{
    static const char *const names[] = { "uid", "deletionTimestamp", "deletionGracePeriodSeconds", NULL };
    for (const char *const *name = names; cursor->field && *name; name++)
        if (bytes_equal_text(cursor->field->name, *name))
            return true;
    return false;
}

static bool is_template(const struct hint *about)
{
    const struct doc_node *value = about->value;
    if (!value)
        return false;
    if (value->type == DOC_STRING && hint_is_template(doc_text(value)))
        return true;
    return about->rule == RULE_UNKNOWN_FIELD && hint_is_template(doc_name(value));
}

/* A hint about the text that a check refuses. */
static bool hint_check(struct evaluation *eval, struct text *text, const struct check *check, struct bytes value)
{
    if (check->op == CHECK_NAMES_OBJECT) {
        struct bytes near = eval->request->others->near(eval->request->others, check->plus, check->name, value);
        return near.data && add_did_you_mean(text, near);
    }
    if (check->op == CHECK_ENUM)
        return nearest_name(text, value, check->names);
    return check->op == CHECK_FORMAT && check->severity == SEVERITY_ERROR && hint_name(eval, text, check, value);
}

static bool hint(struct evaluation *eval, struct text *text, const struct hint *about)
{
    const struct doc_node *value = about->value;
    if (is_template(about)) {
        text_add(text, "this looks like a template: lint its rendered output");
        return true;
    }
    if (about->rule == RULE_UNKNOWN_FIELD) {
        bool has_hint = hint_unknown(eval, text, about->cursor, value);
        return hint_other_version(eval, text, about->cursor, doc_name(value)) || has_hint;
    }
    if (about->rule == RULE_TYPE && value)
        return hint_type(eval, text, about->cursor, value);
    if (about->rule == RULE_IMMUTABLE && about->check->severity == SEVERITY_ERROR) {
        text_add(text, is_system_field(about->cursor)
                           ? "only the API server sets it: leave it out"
                           : "only a new object can have another value: delete this one and create it again");
        return true;
    }
    return value && value->type == DOC_STRING && about->check && hint_check(eval, text, about->check, doc_text(value));
}

const char *hint_text(struct evaluation *eval, const struct hint *about)
{
    struct text text;
    if (eval->findings->kept > LIMIT_HINTS)
        return NULL;
    text_init(&text, &eval->workspace->arena);
    return hint(eval, &text, about) ? evaluation_text(eval, &text) : NULL;
}

const char *hint_finding_words(struct workspace *workspace, const struct finding *finding)
{
    struct text text;
    text_init(&text, &workspace->arena);
    text_add(&text, finding->message);
    text_add(&text, finding->hint ? "; " : "");
    text_add(&text, finding->hint ? finding->hint : "");
    const char *words = text_end(&text);
    return words ? words : "";
}
