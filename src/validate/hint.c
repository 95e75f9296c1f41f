/* Hints: guesses what to write instead. Made only when the caller asks for them. */
#include "validate/hint.h"

#include <strings.h>

#include "base/near.h"
#include "check/name_index.h"
#include "check/others.h"
#include "validate/hint_names.h"
#include "validate/hint_unknown.h"
#include "validate/limits.h"
#include "validate/template.h"
#include "value/quantity.h"

/* ---- what was meant ---- */

static bool add_did_you_mean(struct guess *guess, struct bytes meant)
{
    near_add_words(&guess->text, meant);
    return true;
}

/* Whether nothing but upper and lower case differs: then no other name can be meant. */
static bool same_letters(struct bytes a, struct bytes b)
{
    return a.length == b.length && strncasecmp(a.data, b.data, a.length) == 0;
}

/* The same about a string, with a fix if only case differs. */
static bool add_meant_string(struct guess *guess, const struct doc_node *string, struct bytes meant)
{
    if (same_letters(doc_text(string), meant))
        fix_string(guess, string, meant);
    return add_did_you_mean(guess, meant);
}

static bool nearest_name(struct guess *guess, const struct doc_node *string, const char *const *names)
{
    struct nearest nearest = { .wanted = doc_text(string) };
    for (; *names; names++)
        near_consider(&nearest, bytes_of(*names));
    return nearest.found.data && add_meant_string(guess, string, nearest.found);
}

/* Corrects a name with a common mistake: upper case, or underscores, spaces or dots in place of hyphens. */
static bool hint_name(struct guess *guess, const struct check *check, struct bytes value)
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
        if (!bytes_equal(fixed, value) && evaluation_format(guess->eval, check->format, fixed, &broken) && !broken)
            return add_did_you_mean(guess, fixed);
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
static bool hint_quantity(struct guess *guess, const struct doc_node *string)
{
    const struct bytes value = doc_text(string);
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
    if (!length || bytes_equal(candidate, value) || quantity_fault(candidate))
        return false;
    if ((value.data[value.length - 1] | 32) != 'b') /* GB may mean GiB */
        fix_string(guess, string, candidate);
    return add_did_you_mean(guess, candidate);
}

/* Whether YAML and JSON both read the text as that number: 010 would be eight. */
static bool is_decimal(struct bytes text, enum shape_type type)
{
    const struct doc_node number = { .text = text.data, .count = text.length };
    const bool wide = type == SHAPE_INT64;
    uint32_t sign = text.length > 1 && text.data[0] == '-';
    int64_t value;
    return doc_integer(&number, wide ? INT64_MIN : INT32_MIN, wide ? INT64_MAX : INT32_MAX, &value) &&
           (text.data[sign] != '0' || text.length == 1);
}

static bool hint_type(struct guess *guess, const struct cursor *cursor, const struct doc_node *value)
{
    struct evaluation *eval = guess->eval;
    struct text *text = &guess->text;
    enum shape_type expected = cursor->shape->type;
    struct bytes written = as_written(eval, value);
    if (expected == SHAPE_STRING && value->type != DOC_STRING && written.length) {
        text_add(text, "in quotes it is a string: ");
        text_add_quoted(text, written, NEAR_BYTES);
        fix_quote(guess, value);
        return true;
    }
    if (expected == SHAPE_BOOL && value->type == DOC_STRING && boolean_word(doc_text(value))) {
        fix_unquote(guess, value, bytes_of(boolean_word(doc_text(value))));
        text_add(text, "without quotes it is a boolean: ");
        text_add(text, boolean_word(doc_text(value)));
        return true;
    }
    if (expected == SHAPE_QUANTITY && value->type == DOC_STRING)
        return hint_quantity(guess, value);
    if (value->type == DOC_STRING && (expected == SHAPE_INT32 || expected == SHAPE_INT64) && is_integer(doc_text(value))) {
        text_add(text, "without quotes it is a number: ");
        text_add_escaped(text, doc_text(value), NEAR_BYTES);
        if (is_decimal(doc_text(value), expected))
            fix_unquote(guess, value, doc_text(value));
    } else if (expected == SHAPE_LIST && (cursor->shape->of->type == SHAPE_OBJECT ? value->type == DOC_OBJECT : is_scalar(value))) {
        text_add(text, "a list of one element is written with a hyphen before it, or in brackets");
    } else {
        return false;
    }
    return true;
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

const char hint_of_template[] = "this looks like a template: lint its rendered output";

static bool is_template(const struct hint *about)
{
    const struct doc_node *value = about->value;
    if (!value)
        return false;
    if (value->type == DOC_STRING && template_in_string(doc_text(value)))
        return true;
    return about->rule == RULE_UNKNOWN_FIELD && template_in_string(doc_name(value));
}

/* A hint about the text that a check refuses. */
static bool hint_check(struct guess *guess, const struct check *check, const struct doc_node *value)
{
    const struct cursor *cursor = guess->about->cursor;
    struct others *others = guess->eval->request->others;
    struct wanted wanted;
    struct bytes near = { NULL, 0 };
    if (check->op == CHECK_NAMES_OBJECT && check_wanted(guess->eval, cursor, check, doc_text(value), &wanted))
        near = others->near(others, &wanted);
    if (check->op == CHECK_REFERENCE)
        near = name_index_near(guess->eval, cursor, check->reference, doc_text(value));
    if (near.data)
        return add_meant_string(guess, value, near);
    if (check->op == CHECK_REFERENCE)
        return hint_reference(guess, check->reference, value);
    if (check->op == CHECK_ENUM)
        return nearest_name(guess, value, check->names);
    return check->op == CHECK_FORMAT && check->severity == SEVERITY_ERROR && hint_name(guess, check, doc_text(value));
}

static bool hint(struct guess *guess, struct finding *finding)
{
    const struct hint *about = guess->about;
    struct text *text = &guess->text;
    const struct doc_node *value = about->value;
    if (about->rule == RULE_UNKNOWN_FIELD)
        return hint_unknown_field(guess);
    if (about->rule == RULE_TYPE && value)
        return hint_type(guess, about->cursor, value);
    if (about->rule == RULE_IMMUTABLE && about->check->severity == SEVERITY_ERROR) {
        if (!is_system_field(about->cursor) && !finding->in_old)
            hint_changes(guess, finding);
        text_add(text, is_system_field(about->cursor)
                           ? "only the API server sets it: leave it out"
                           : "only a new object can have another value: delete this one and create it again");
        return true;
    }
    return value && value->type == DOC_STRING && about->check && hint_check(guess, about->check, value);
}

void hint_add(struct evaluation *eval, const struct hint *about, struct finding *finding)
{
    struct guess guess = { .eval = eval, .about = about };
    finding->of_template = is_template(about);
    if (finding->of_template) {
        finding->hint = hint_of_template;
        return;
    }
    if (eval->findings->kept > LIMIT_HINTS)
        return;
    text_init(&guess.text, &eval->workspace->arena);
    finding->hint = hint(&guess, finding) ? evaluation_text(eval, &guess.text) : NULL;
    finding->fix = finding->in_old ? NULL : guess.fix;
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
