/* Fills in the words of ops.def and predicates.def. Words in braces stand for members of the row:
 *
 *   {must}          must or, of a warning, should
 *   {names}         .names with commas; {names and}, {names or}: with that word before the last one
 *   {name} {plus} {below} {high} {rule}     that member; what the rule asks for
 *   {entries}       .high with "entry" or "entries"
 *   {range}         "from LOW to HIGH", or "at least LOW" or "more than LOW" where there is no upper bound
 *   {key}           what UNIQUE compares: .names, .name, or "value"
 *   {bound}         "at most" or "at least", as COMPARE does
 *   {choice}        how many ONE_OF wants
 *   {format} {format bytes}  what the format is; its greatest length
 *   {paths or}      where a reference leads to
 *   {if given}      when NAMES_OBJECT reports
 *   {member} {entry} {option}  of a predicate: its subject; a key, perhaps with its text; the option in words
 *
 * What stands in brackets is left out when a word in it is empty. */
#include "schema/words.h"

/* The row that is put into words; one of both. */
struct subject {
    const struct check *check;
    const struct predicate *predicate;
};

/* ---- lists and numbers ---- */

static void add_names(struct text *text, const char *const *names, const char *last)
{
    for (const char *const *name = names; name && *name; name++) {
        text_add(text, name == names ? "" : name[1] ? ", " : last);
        text_add(text, **name ? *name : "\"\"");
    }
}

/* A greatest value; nothing where there is none. */
static void add_bound(struct text *text, int64_t bound)
{
    if (bound && bound != INT64_MAX)
        text_add_integer(text, bound);
}

static void add_range(struct text *text, const struct check *check)
{
    bool bounded = check->high != INT64_MAX;
    text_add(text, bounded ? "from " : check->strict ? "more than " : "at least ");
    text_add_integer(text, check->low);
    text_add(text, bounded ? " to " : "");
    if (bounded)
        text_add_integer(text, check->high);
}

static void add_entries(struct text *text, const struct check *check)
{
    text_add_integer(text, check->high);
    text_add(text, check->high == 1 ? " entry" : " entries");
}

int64_t words_format_bytes(enum format format)
{
    for (const struct format_part *part = format_infos[format].parts; part->kind != PART_END && !format_part_narrows(part); part++)
        if (part->kind == PART_TOO_LONG || part->kind == PART_LONGEST)
            return part->max;
    return 0;
}

/* ---- members of rows ---- */

static void add_key(struct text *text, const struct check *check)
{
    if (check->names)
        add_names(text, check->names, " and ");
    else
        text_add(text, check->name ? check->name : "value");
}

static void add_choice(struct text *text, const struct check *check)
{
    text_add(text, !check->many_reason ? "must set one of" : !check->none_reason ? "may set only one of" : "must set exactly one of");
}

static void add_if_given(struct text *text, const struct check *check)
{
    text_add(text, check->strict ? "not nearly" : "if there are any");
}

static void add_option(struct text *text, const struct predicate *predicate, bool negated)
{
    if (predicate->names)
        text_add(text, predicate->names[0]);
    else if (predicate->bits == OLD_FROM_SERVER)
        text_add(text, "the old object is a stored one");
    else
        text_add(text, negated ? "the old object did not have it already" : "the old object had it already");
}

static void add_entry(struct text *text, const struct predicate *predicate)
{
    text_add(text, predicate->names[0]);
    text_add(text, predicate->names[1] ? ": " : "");
    text_add(text, predicate->names[1] ? predicate->names[1] : "");
}

static void add_optional(struct text *text, const char *string)
{
    text_add(text, string ? string : "");
}

/* ---- words in braces ---- */

static bool is(struct bytes word, const char *name)
{
    return bytes_equal_text(word, name);
}

static void add_check_word(struct text *text, struct bytes word, const struct check *check)
{
    if (is(word, "must"))
        text_add(text, check->severity == SEVERITY_ERROR ? "must" : "should");
    else if (is(word, "names") || is(word, "names or") || is(word, "names and"))
        add_names(text, check->names, is(word, "names") ? ", " : is(word, "names or") ? " or " : " and ");
    else if (is(word, "name"))
        add_optional(text, check->name);
    else if (is(word, "plus"))
        add_optional(text, check->plus);
    else if (is(word, "below"))
        add_optional(text, check->below);
    else if (is(word, "high"))
        add_bound(text, check->high);
    else if (is(word, "entries"))
        add_entries(text, check);
    else if (is(word, "range"))
        add_range(text, check);
    else if (is(word, "key"))
        add_key(text, check);
    else if (is(word, "bound"))
        text_add(text, check->high > 0 ? "at most" : "at least");
    else if (is(word, "choice"))
        add_choice(text, check);
    else if (is(word, "format"))
        text_add(text, format_infos[check->format].what);
    else if (is(word, "format bytes"))
        add_bound(text, words_format_bytes(check->format));
    else if (is(word, "paths or"))
        add_names(text, check->reference->paths, " or ");
    else if (is(word, "if given"))
        add_if_given(text, check);
    else if (is(word, "rule"))
        text_add(text, rule_info(check->rule)->asks);
}

static void add_predicate_word(struct text *text, struct bytes word, const struct predicate *predicate, bool negated)
{
    if (is(word, "member"))
        text_add(text, predicate->member ? predicate->member : "it");
    else if (is(word, "names"))
        add_names(text, predicate->names, ", ");
    else if (is(word, "names or"))
        add_names(text, predicate->names, " or ");
    else if (is(word, "format"))
        text_add(text, format_infos[predicate->format].what);
    else if (is(word, "entry"))
        add_entry(text, predicate);
    else if (is(word, "option"))
        add_option(text, predicate, negated);
}

/* ---- templates ---- */

/* Adds the template up to its end or a closing bracket. Returns whether every word had something to say. */
static bool add_template(struct text *text, const char **at, const struct subject *subject, bool negated)
{
    bool complete = true;
    for (; **at && **at != ']'; ++*at) {
        size_t before = text->length;
        if (**at == '{') {
            struct bytes word = { *at + 1, (uint32_t)strcspn(*at + 1, "}") };
            if (subject->check)
                add_check_word(text, word, subject->check);
            else
                add_predicate_word(text, word, subject->predicate, negated);
            complete &= text->length > before;
            *at += word.length + 1;
        } else if (**at == '[') {
            ++*at;
            if (!add_template(text, at, subject, negated)) /* as deep as brackets nest in the tables: once */
                text->length = before;
        } else {
            text_add_bytes(text, (struct bytes){ *at, 1 });
        }
    }
    return complete;
}

void words_add_check(struct text *text, const struct check *check)
{
    static const char *const templates[CHECK_OPS] = {
#define OP(id, function, shapes, value, bounds, name, names, words) [CHECK_##id] = words,
#include "schema/ops.def"
#undef OP
    };
    const char *at = templates[check->op];
    if (at)
        (void)add_template(text, &at, &(struct subject){ .check = check }, false);
}

void words_add_predicate(struct text *text, const struct predicate *predicate, bool negated)
{
    static const char *const templates[PREDICATES][2] = {
#define PREDICATE(id, function, member, names, words, contrary) [PREDICATE_##id] = { words, contrary },
#include "schema/predicates.def"
#undef PREDICATE
    };
    const char *at = templates[predicate->op][negated];
    if (at)
        (void)add_template(text, &at, &(struct subject){ .predicate = predicate }, negated);
}
