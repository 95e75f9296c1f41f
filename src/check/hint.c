/* What to write instead: guesses for people, made only when the caller asks for them. */
#include "check/run.h"

#include <strings.h>

#include "value/quantity.h"

enum { NEAR = 2 }; /* edits between a slip and what was meant */

static unsigned char lower(char c)
{
    return (unsigned char)(c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c);
}

/* Edits that turn one text into the other, letters of either case alike; NEAR + 1 for anything more, or for long texts. */
static unsigned distance(struct bytes a, struct bytes b)
{
    unsigned row[LIMIT_HINT_BYTES + 1];
    uint32_t longer = a.length > b.length ? a.length : b.length, shorter = a.length + b.length - longer;
    if (longer > LIMIT_HINT_BYTES || longer - shorter > NEAR)
        return NEAR + 1;
    for (unsigned j = 0; j <= b.length; j++)
        row[j] = j;
    for (uint32_t i = 0; i < a.length; i++) {
        unsigned diagonal = row[0], least = row[0] = i + 1;
        for (uint32_t j = 0; j < b.length; j++) {
            unsigned change = diagonal + (lower(a.data[i]) != lower(b.data[j]));
            diagonal = row[j + 1];
            unsigned insert = row[j] + 1, drop = row[j + 1] + 1;
            row[j + 1] = change < insert ? (change < drop ? change : drop) : insert < drop ? insert : drop;
            least = row[j + 1] < least ? row[j + 1] : least;
        }
        if (least > NEAR)
            return NEAR + 1;
    }
    return row[b.length] > NEAR ? NEAR + 1 : row[b.length];
}

/* The nearest candidate so far. A short text is near to nothing: every edit needs two letters that are right. */
struct nearest {
    struct bytes wanted, found;
    unsigned distance;
};

static void consider(struct nearest *nearest, struct bytes candidate)
{
    unsigned edits = distance(nearest->wanted, candidate);
    if (candidate.length && edits <= NEAR && 3 * edits <= candidate.length && (!nearest->found.data || edits < nearest->distance)) {
        nearest->found = candidate;
        nearest->distance = edits;
    }
}

bool hint_is_near(struct bytes a, struct bytes b)
{
    struct nearest nearest = { .wanted = a };
    consider(&nearest, b);
    return nearest.found.data != NULL;
}

static bool ask(struct text *text, struct bytes meant)
{
    text_add(text, "did you mean ");
    text_add_quoted(text, meant, LIMIT_HINT_BYTES);
    text_add(text, "?");
    return true;
}

static bool nearest_name(struct text *text, struct bytes wanted, const char *const *names)
{
    struct nearest nearest = { .wanted = wanted };
    for (; *names; names++)
        consider(&nearest, bytes_of(*names));
    return nearest.found.data && ask(text, nearest.found);
}

bool hint_is_template(struct bytes text)
{
    for (uint32_t i = 0; i + 1 < text.length; i++)
        if (text.data[i + 1] == '{' && (text.data[i] == '{' || text.data[i] == '$'))
            return true;
    return text.length > 1 && text.data[0] == '$' && text.data[1] >= 'A' && text.data[1] <= 'Z';
}

/* A name in the usual wrong form: upper case, or underscores, spaces and dots where hyphens belong. */
static bool proper_name(struct run *run, struct text *text, const struct check *check, struct bytes value)
{
    char proper[LIMIT_HINT_BYTES];
    const struct bytes fixed = { proper, value.length };
    if (value.length == 0 || value.length > LIMIT_HINT_BYTES)
        return false;
    bool has_domain = memchr(value.data, '/', value.length) != NULL; /* whose dots are no slip */
    for (int step = 0; step < (has_domain ? 2 : 3); step++) {
        unsigned broken = 0;
        for (uint32_t i = 0; i < value.length; i++) {
            char c = (char)lower(value.data[i]);
            proper[i] = (step >= 1 && (c == '_' || c == ' ')) || (step >= 2 && c == '.') ? '-' : c;
        }
        if (!bytes_equal(fixed, value) && run_format(run, check->format, fixed, &broken) && !broken)
            return ask(text, fixed);
    }
    return false;
}

/* ---- values of a wrong type ---- */

static bool scalar(const struct doc_node *node)
{
    return node->type != DOC_ARRAY && node->type != DOC_OBJECT && node->type != DOC_SKIPPED;
}

/* The value as it is written, if that is one short line. */
static struct bytes as_written(const struct run *run, const struct doc_node *node)
{
    struct bytes source = doc_source(run->request->document, node);
    bool short_line = scalar(node) && source.length <= LIMIT_HINT_BYTES && source.length && !memchr(source.data, '\n', source.length);
    return short_line ? source : (struct bytes){ NULL, 0 };
}

static bool is_integer(struct bytes text)
{
    int64_t value;
    return doc_integer(&(struct doc_node){ .text = text.data, .count = text.length }, INT64_MIN, INT64_MAX, &value);
}

/* What people write for booleans, as JSON has it; NULL for anything else. */
static const char *boolean_word(struct bytes text)
{
    static const char *const words[][2] = { { "true", "true" }, { "yes", "true" }, { "on", "true" }, { "y", "true" }, { "false", "false" }, { "no", "false" }, { "off", "false" }, { "n", "false" } };
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (text.length == strlen(words[i][0]) && strncasecmp(text.data, words[i][0], text.length) == 0)
            return words[i][1];
    return NULL;
}

/* 10GB, 10 Gi, 10gi: without blanks and B, the suffix as Kubernetes spells it. */
static bool hint_quantity(struct text *text, struct bytes value)
{
    char meant[LIMIT_HINT_BYTES];
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
    return length && !bytes_equal(candidate, value) && !quantity_fault(candidate) && ask(text, candidate);
}

static bool hint_type(struct run *run, struct text *text, const struct place *place, const struct doc_node *value)
{
    enum shape_type wanted = place->shape->type;
    struct bytes written = as_written(run, value);
    if (wanted == SHAPE_STRING && value->type != DOC_STRING && written.length) {
        text_add(text, "in quotes it is a string: ");
        text_add_quoted(text, written, LIMIT_HINT_BYTES);
        return true;
    }
    if (wanted == SHAPE_BOOL && value->type == DOC_STRING && boolean_word(doc_text(value))) {
        text_add(text, "without quotes it is a boolean: ");
        text_add(text, boolean_word(doc_text(value)));
        return true;
    }
    if (wanted == SHAPE_QUANTITY && value->type == DOC_STRING)
        return hint_quantity(text, doc_text(value));
    if (value->type == DOC_STRING && (wanted == SHAPE_INT32 || wanted == SHAPE_INT64) && is_integer(doc_text(value))) {
        text_add(text, "without quotes it is a number: ");
        text_add_echo(text, doc_text(value), LIMIT_HINT_BYTES);
    } else if (wanted == SHAPE_LIST && (place->shape->of->type == SHAPE_OBJECT ? value->type == DOC_OBJECT : scalar(value))) {
        text_add(text, "a list of one is written with a hyphen in front, or in brackets");
    } else {
        return false;
    }
    return true;
}

/* ---- unknown fields ---- */

static const char *other_version(const struct run *run, const struct field *field, struct text *text)
{
    bool later = run->request->version < field->versions.since;
    text_add(text, later ? "known since Kubernetes 1." : "known until Kubernetes 1.");
    text_add_integer(text, later ? field->versions.since : field->versions.until);
    return text->data;
}

static const struct field *named_field(const struct shape *shape, struct bytes name)
{
    for (uint16_t i = 0; shape && shape->type == SHAPE_OBJECT && i < shape->field_count; i++)
        if (bytes_equal(shape->fields[i].name, name))
            return &shape->fields[i];
    return NULL;
}

/* The object around the one at `place`, past lists and maps. */
static const struct place *object_around(const struct place *place)
{
    for (place = place->up; place && place->shape->type != SHAPE_OBJECT; place = place->up)
        ;
    return place;
}

static bool belongs_below(const struct run *run, struct text *text, const struct shape *shape, struct bytes name)
{
    for (uint16_t i = 0; i < shape->field_count; i++) {
        const struct field *field = &shape->fields[i];
        if (!place_knows(run, field) || !named_field(field->shape, name))
            continue;
        text_add(text, "belongs one level down, in ");
        text_add_quoted(text, field->name, LIMIT_HINT_BYTES);
        return true;
    }
    return false;
}

/* An object around fields that belong into the one it stands in: a spec where the kind has none. */
static bool is_needless_wrapper(const struct shape *shape, const struct doc_node *member)
{
    uint32_t known = 0;
    doc_each(member->type == DOC_OBJECT ? member : NULL, inner)
        known += named_field(shape, doc_name(inner)) != NULL;
    return known && 2 * known >= member->count;
}

static bool hint_unknown(const struct run *run, struct text *text, const struct place *object, const struct doc_node *member)
{
    struct bytes name = doc_name(member);
    const struct shape *shape = object->shape;
    const struct place *around = object_around(object);
    const struct field *elsewhere = named_field(shape, name);
    struct nearest nearest = { .wanted = name };
    if (elsewhere)
        return other_version(run, elsewhere, text) != NULL;
    if (name.length && name.data[0] == '$') {
        text_add(text, "this looks like a patch for kustomize: lint what kustomize builds");
        return true;
    }
    if (is_needless_wrapper(shape, member)) {
        text_add(text, "the fields in it belong one level up");
        return true;
    }
    for (uint16_t i = 0; i < shape->field_count; i++)
        if (place_knows(run, &shape->fields[i]))
            consider(&nearest, shape->fields[i].name);
    if (nearest.found.data && nearest.distance == 0)
        return ask(text, nearest.found); /* but for upper and lower case */
    if (around && named_field(around->shape, name)) {
        text_add(text, "belongs one level up");
        if (around->field) {
            text_add(text, ", in ");
            text_add_quoted(text, around->field->name, LIMIT_HINT_BYTES);
        }
        return true;
    }
    return belongs_below(run, text, shape, name) || (nearest.found.data && ask(text, nearest.found));
}

/* The shape at that place in another API version of the kind; NULL: there is none. */
static const struct shape *shape_in(const struct shape *root, const struct place *place)
{
    const struct shape *around = place->up ? shape_in(root, place->up) : root; /* as deep as shapes nest */
    if (!place->up || !around)
        return around;
    if (!place->field)
        return around->of;
    const struct field *field = named_field(around, place->field->name);
    return field ? field->shape : NULL;
}

/* Whether the member stands here in another API version, so that the object may be written for that one; says so. */
static bool stands_elsewhere(const struct run *run, struct text *text, const struct place *object, struct bytes name)
{
    for (size_t i = 0; i < kind_count; i++) {
        const struct kind *kind = &kinds[i];
        if (!kind_same(kind, run->request->kind) || kind->shape == run->request->kind->shape || !named_field(shape_in(kind->shape, object), name))
            continue;
        text_add(text, text->length ? "; " : "");
        text_add(text, "it stands here in ");
        text_add_bytes(text, kind->version);
        return true;
    }
    return false;
}

/* ---- all of them ---- */

/* A member of metadata that people cannot choose. */
static bool is_system_field(const struct place *place)
{
    static const char *const names[] = { "uid", "deletionTimestamp", "deletionGracePeriodSeconds", NULL };
    for (const char *const *name = names; place->field && *name; name++)
        if (bytes_equal_text(place->field->name, *name))
            return true;
    return false;
}

static bool hint(struct run *run, struct text *text, const struct hint *about)
{
    const struct doc_node *value = about->value;
    bool is_template = value && ((value->type == DOC_STRING && hint_is_template(doc_text(value))) || (about->rule == RULE_UNKNOWN_FIELD && hint_is_template(doc_name(value))));
    if (is_template) {
        text_add(text, "this looks like a template: lint what it renders to");
        return true;
    }
    if (about->rule == RULE_UNKNOWN_FIELD) {
        bool said = hint_unknown(run, text, about->place, value);
        return stands_elsewhere(run, text, about->place, doc_name(value)) || said;
    }
    if (about->rule == RULE_TYPE && value)
        return hint_type(run, text, about->place, value);
    if (about->rule == RULE_IMMUTABLE && about->check->severity == SEVERITY_ERROR) {
        text_add(text, is_system_field(about->place) ? "nobody but the API server sets it: leave it out" : "only a new object can have another value: delete this one and create it again");
        return true;
    }
    if (!value || value->type != DOC_STRING || !about->check)
        return false;
    if (about->check->op == CHECK_NAMES_OBJECT) {
        struct bytes near = objects_near(run->request->objects, about->check->plus, about->check->name, doc_text(value));
        return near.data && ask(text, near);
    }
    if (about->check->op == CHECK_ENUM)
        return nearest_name(text, doc_text(value), about->check->names);
    return about->check->op == CHECK_FORMAT && about->check->severity == SEVERITY_ERROR && proper_name(run, text, about->check, doc_text(value));
}

const char *hint_text(struct run *run, const struct hint *about)
{
    struct text text;
    if (!run->request->hints || run->findings->kept > LIMIT_HINTS)
        return NULL;
    text_init(&text, &run->worker->arena);
    return hint(run, &text, about) ? run_text(run, &text) : NULL;
}
