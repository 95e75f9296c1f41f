/* Reads the policies of a configuration: looks up the names of kinds, rules and fields in them. */
#include <stdio.h>
#include <stdlib.h>

#include "base/near.h"
#include "base/text.h"
#include "review/limits.h"
#include "review/reading.h"
#include "schema/explain.h"

/* ---- mistakes ---- */

static const uint32_t NO_POLICY = UINT32_MAX;

/* A word in a list of a policy, or of the configuration itself. */
struct word {
    const struct doc_node *node;
    const char *list;
    uint32_t policy, index; /* the policy's number, or NO_POLICY, and the word's in the list */
};

/* policies[0].rules[1]; NULL: out of memory. */
static const char *path_of_word(struct reading *reading, const struct word *word)
{
    struct text path;
    text_init(&path, &reading->workspace->arena);
    if (word->policy != NO_POLICY) {
        text_add(&path, "policies[");
        text_add_integer(&path, word->policy);
        text_add(&path, "].");
    }
    text_add(&path, word->list);
    text_add(&path, "[");
    text_add_integer(&path, word->index);
    text_add(&path, "]");
    return text_end(&path);
}

/* "x": why; did you mean "y"? */
static const char *words_about(struct reading *reading, const struct word *word, const char *why, struct bytes meant)
{
    struct text text;
    text_init(&text, &reading->workspace->arena);
    text_add_quoted(&text, word->node->type == DOC_STRING ? doc_text(word->node) : (struct bytes){ "", 0 }, LIMIT_HINT_BYTES);
    text_add(&text, ": ");
    text_add(&text, why);
    if (meant.length) {
        text_add(&text, "; ");
        near_add_words(&text, meant);
    }
    return text_end(&text);
}

static void refuse(struct reading *reading, const struct word *word, const char *why, struct bytes meant)
{
    if (reading_is_full(reading)) {
        reading->mistakes->count++;
        return;
    }
    const char *where = path_of_word(reading, word), *words = words_about(reading, word, why, meant);
    if (where && words)
        reading_mistake(reading, word->node->offset, where, words);
    else
        reading->failure = reading->workspace->arena.failure;
}

static const struct bytes nothing = { "", 0 };

/* ---- namespaces ---- */

/* Whether the text is a name of a namespace (DNS label), or a prefix of one, which may be empty and may end in a hyphen. */
static bool is_namespace(struct bytes text, bool is_prefix)
{
    if (text.length > 63 || (text.length == 0 && !is_prefix))
        return false;
    for (uint32_t i = 0; i < text.length; i++) {
        char c = text.data[i];
        bool inside = i > 0 && (is_prefix || i + 1 < text.length);
        if (!(c >= 'a' && c <= 'z') && !(c >= '0' && c <= '9') && !(c == '-' && inside))
            return false;
    }
    return true;
}

static void read_namespace(struct reading *reading, struct policy *policy, const struct word *word, void *at)
{
    struct bytes text = doc_text(word->node);
    bool is_prefix = text.length && text.data[text.length - 1] == '*';
    (void)policy;
    text.length -= is_prefix;
    if (!is_namespace(text, is_prefix))
        refuse(reading, word, "must be the name of a namespace, or the beginning of one and *", nothing);
    else
        *(struct namespace_pattern *)at = (struct namespace_pattern){ reading_keep_text(reading, text), is_prefix };
}

/* ---- kinds ---- */

/* Whether reviews of the kind are validated. */
static bool has_rules(const struct kind *kind)
{
    return kind_is_reviewed(kind) && !kind->role;
}

static bool is_meant(const struct policy_kind *wanted, const struct kind *kind)
{
    return has_rules(kind) && bytes_equal(wanted->kind, kind->kind) && (wanted->any_group || bytes_equal(wanted->group, kind->group));
}

static struct bytes near_kind(struct bytes wanted)
{
    for (size_t i = 0; i < kind_count; i++)
        if (has_rules(&kinds[i]) && (near_is_typo(kinds[i].kind, wanted) || near_is_typo(kinds[i].resource, wanted)))
            return kinds[i].kind;
    return nothing;
}

static void read_kind(struct reading *reading, struct policy *policy, const struct word *word, void *at)
{
    struct bytes text = doc_text(word->node);
    const char *dot = text.length ? memchr(text.data, '.', text.length) : NULL;
    uint32_t length = dot ? (uint32_t)(dot - text.data) : text.length;
    const struct policy_kind wanted = {
        .kind = { text.data, length },
        .group = { dot ? dot + 1 : "", dot ? text.length - length - 1 : 0 },
        .any_group = !dot,
    };
    (void)policy;
    for (size_t i = 0; i < kind_count; i++) {
        if (is_meant(&wanted, &kinds[i])) {
            *(struct policy_kind *)at = (struct policy_kind){ kinds[i].kind, dot ? kinds[i].group : nothing, !dot };
            return;
        }
    }
    refuse(reading, word, "there are no rules for such a kind; 'drawbridge explain' lists the kinds",
           reading_is_full(reading) ? nothing : near_kind(wanted.kind));
}

/* ---- rules ---- */

static struct bytes near_rule(struct bytes wanted)
{
    struct nearest nearest = { .wanted = wanted };
    rules_consider(&nearest);
    return nearest.found;
}

/* Says of an old id which one to use. */
static void warn_renamed(struct reading *reading, const struct word *word, enum rule rule)
{
    char why[LIMIT_HINT_BYTES * 2];
    const char *where = path_of_word(reading, word);
    snprintf(why, sizeof why, "this rule is now called \"%s\"", rule_info(rule)->id);
    const char *words = words_about(reading, word, why, nothing);
    if (where && words)
        reading_warning(reading, word->node->offset, where, words);
    else
        reading->failure = reading->workspace->arena.failure;
}

static void read_rule(struct reading *reading, struct policy *policy, const struct word *word, void *at)
{
    struct bytes text = doc_text(word->node);
    enum rule rule = rule_find(text);
    bool *rules = at;
    (void)policy;
    if (bytes_equal_text(text, "*") || bytes_equal_text(text, "all"))
        memset(rules, true, RULE_COUNT * sizeof *rules);
    else if (rule == RULE_COUNT)
        refuse(reading, word, "no rule has this id; 'drawbridge rules' lists them", reading_is_full(reading) ? nothing : near_rule(text));
    else
        rules[rule] = true;
    if (rule < RULE_COUNT && !bytes_equal_text(text, rule_info(rule)->id))
        warn_renamed(reading, word, rule);
}

/* ---- fields ---- */

struct known_field {
    struct known_field *next;
    struct bytes key; /* the number of the kind, a space, the field */
};

struct field_visit {
    struct reading *reading;
    size_t kind;
    uint32_t count;
};

static struct bytes field_key(struct arena *arena, size_t kind, const char *field)
{
    char plain[LIMIT_EXPLAIN_PATH_BYTES];
    struct text text;
    explain_plain_path(plain, sizeof plain, field);
    text_init(&text, arena);
    text_add_integer(&text, (int64_t)kind);
    text_add(&text, " ");
    text_add(&text, plain);
    const char *key = text_end(&text);
    return (struct bytes){ key, key ? (uint32_t)text.length : 0 };
}

static void take_field(void *self, const struct constraint *constraint)
{
    struct field_visit *visit = self;
    struct arena *arena = &visit->reading->workspace->arena;
    struct known_field *field = arena_alloc(arena, sizeof *field);
    if (!field)
        return;
    *field = (struct known_field){ visit->reading->fields, field_key(arena, visit->kind, constraint->field) };
    visit->reading->fields = field;
    visit->count++;
}

/* Lists and indexes the fields of all kinds, the first time. Returns false on a failure. */
static bool load_fields(struct reading *reading)
{
    struct arena *arena = &reading->workspace->arena;
    struct field_visit visit = { .reading = reading };
    if (reading->fields || reading->failure)
        return !reading->failure;
    for (; visit.kind < kind_count && !reading->failure; visit.kind++)
        reading->failure = has_rules(&kinds[visit.kind]) ? explain_kind(&kinds[visit.kind], arena, take_field, &visit) : FAILURE_NONE;
    if (!reading->failure)
        reading->failure = map_init(&reading->field_map, arena, visit.count, reading->workspace->context->key);
    if (!reading->failure)
        for (struct known_field *field = reading->fields; field; field = field->next)
            (void)map_add(&reading->field_map, field->key, field);
    return !reading->failure;
}

/* Whether the policy matches the kind. */
static bool matches_kind(const struct policy *policy, const struct kind *kind)
{
    for (uint32_t i = 0; i < policy->kind_count; i++)
        if (is_meant(&policy->kinds[i], kind))
            return true;
    return has_rules(kind) && policy->kind_count == 0;
}

static struct bytes near_field(const struct reading *reading, const struct policy *policy, struct bytes wanted)
{
    for (const struct known_field *field = reading->fields; field; field = field->next) {
        const char *space = memchr(field->key.data, ' ', field->key.length);
        struct bytes name = { space + 1, field->key.length - (uint32_t)(space + 1 - field->key.data) };
        if (near_is_typo(name, wanted) && matches_kind(policy, &kinds[strtoul(field->key.data, NULL, 10)]))
            return name;
    }
    return nothing;
}

/* Sets `plain` to the path without indexes. Returns false when the text cannot be a path. */
static bool plain_path(struct bytes written, char plain[LIMIT_EXPLAIN_PATH_BYTES])
{
    char whole[LIMIT_EXPLAIN_PATH_BYTES];
    if (!written.length || written.length >= sizeof whole || memchr(written.data, '\0', written.length))
        return false;
    memcpy(whole, written.data, written.length);
    whole[written.length] = '\0';
    explain_plain_path(plain, LIMIT_EXPLAIN_PATH_BYTES, whole);
    return true;
}

/* Whether some kind that the policy matches has the field. */
static bool has_field(struct reading *reading, const struct policy *policy, const char *field)
{
    struct arena *arena = &reading->workspace->arena;
    bool found = false;
    for (size_t i = 0; i < kind_count && !found && !arena->failure; i++) {
        struct bytes key = matches_kind(policy, &kinds[i]) ? field_key(arena, i, field) : nothing;
        found = key.length && *field && map_find(&reading->field_map, key);
        if (key.length)
            arena_take_back(arena, key.data);
    }
    return found;
}

static void read_field(struct reading *reading, struct policy *policy, const struct word *word, void *at)
{
    struct bytes written = doc_text(word->node);
    char plain[LIMIT_EXPLAIN_PATH_BYTES];
    bool found = plain_path(written, plain) && load_fields(reading) && has_field(reading, policy, plain);
    reading->failure = reading->failure ? reading->failure : reading->workspace->arena.failure;
    if (reading->failure)
        return;
    if (found)
        *(struct bytes *)at = reading_keep_text(reading, bytes_of(plain));
    else
        refuse(reading, word, "no kind of this policy has such a field; 'drawbridge explain KIND' lists them",
               reading_is_full(reading) ? nothing : near_field(reading, policy, written));
    reading->configuration->policies.have_fields = true;
}

/* ---- paths ---- */

static void read_path(struct reading *reading, struct policy *policy, const struct word *word, void *at)
{
    struct bytes text = doc_text(word->node);
    (void)policy;
    if (text.length && (memchr(text.data, '\0', text.length) || memchr(text.data, '\n', text.length)))
        refuse(reading, word, "must be a pattern without line breaks", nothing);
    else
        *(struct bytes *)at = reading_keep_text(reading, text);
}

/* ---- policies ---- */

/* The lists of a policy. They are read in this order: fields depend on kinds. */
static const struct list {
    const char *name;
    size_t size; /* of an entry; 0: all words set flags in one array */
    void (*read)(struct reading *reading, struct policy *policy, const struct word *word, void *at);
} lists[] = {
    { "namespaces", sizeof(struct namespace_pattern), read_namespace },
    { "kinds",      sizeof(struct policy_kind),       read_kind      },
    { "rules",      0,                                read_rule      },
    { "fields",     sizeof(struct bytes),             read_field     },
    { "paths",      sizeof(struct bytes),             read_path      },
};
enum { NAMESPACES, KINDS, RULES, FIELDS, PATHS };

static void set_list(struct policy *policy, int which, void *entries, uint32_t count)
{
    switch (which) {
    case NAMESPACES: policy->namespaces = entries; policy->namespace_count = count; break;
    case KINDS:      policy->kinds = entries;      policy->kind_count = count;      break;
    case RULES:      policy->rules = entries;                                       break;
    case FIELDS:     policy->fields = entries;     policy->field_count = count;     break;
    case PATHS:      policy->paths = entries;      policy->path_count = count;      break;
    }
}

/* The entries of a list; NULL when it has a mistake. */
static void *read_entries(struct reading *reading, struct policy *policy, struct word word, const struct list *list,
                          const struct doc_node *node)
{
    size_t bytes = list->size ? list->size * node->count : RULE_COUNT * sizeof(bool);
    char *entries = reading_keep(reading, bytes);
    uint32_t mistakes = reading->mistakes->count;
    if (!entries)
        return NULL;
    memset(entries, 0, bytes);
    doc_each(node, element) {
        word.node = element;
        if (element->type != DOC_STRING)
            refuse(reading, &word, "must be a string", nothing);
        else
            list->read(reading, policy, &word, entries + list->size * word.index);
        word.index++;
        if (reading->failure)
            return NULL;
    }
    return reading->mistakes->count == mistakes ? entries : NULL;
}

const bool *reading_rules(struct reading *reading, const char *name, const struct doc_node *list)
{
    const struct word word = { .list = name, .policy = NO_POLICY };
    return list && list->type == DOC_ARRAY ? read_entries(reading, NULL, word, &lists[RULES], list) : NULL;
}

static void read_list(struct reading *reading, struct policy *policy, uint32_t index, int which, const struct doc_node *node)
{
    const struct word word = { .list = lists[which].name, .policy = index };
    void *entries = read_entries(reading, policy, word, &lists[which], node);
    if (entries)
        set_list(policy, which, entries, node->count);
}

/* Whether the policy can match nothing: it lists namespaces, but only cluster-scoped kinds. */
static bool matches_nothing(const struct policy *policy)
{
    for (size_t i = 0; i < kind_count; i++)
        if (matches_kind(policy, &kinds[i]) && kinds[i].traits & KIND_NAMESPACED)
            return false;
    return policy->namespace_count;
}

/* A mistake of a policy as a whole, or of one of its members. */
static void refuse_policy(struct reading *reading, uint32_t index, const char *member, uint32_t offset, const char *why)
{
    char path[64];
    snprintf(path, sizeof path, "policies[%u]%s", index, member);
    reading_mistake(reading, offset, path, why);
}

/* What the policy does: to reviews, to findings of lint. */
static void read_effects(struct reading *reading, struct policy *policy, uint32_t index, const struct doc_node *node)
{
    const struct doc_node *mode = doc_member(node, "mode"), *severity = doc_member(node, "severity"), *locked = doc_member(node, "locked");
    policy->has_mode = mode && mode->type == DOC_STRING;
    if (policy->has_mode && !enforcement_read(doc_text(mode), &policy->mode))
        refuse_policy(reading, index, ".mode", mode->offset, "must be enforce, warn or audit");
    policy->has_severity = severity && severity->type != DOC_NULL;
    if (policy->has_severity && !reading_level(severity, &policy->severity))
        refuse_policy(reading, index, ".severity", severity->offset, "must be error, warning, info or off");
    policy->locked = locked && locked->type == DOC_TRUE;
    if (!policy->has_mode && !policy->has_severity && !policy->locked)
        refuse_policy(reading, index, "", node->offset,
                      "does nothing: it needs a mode (enforce, warn, audit: for serve and review), a severity (for lint) or locked: true");
    else if (policy->has_mode && policy->path_count)
        refuse_policy(reading, index, ".mode", mode->offset, "is for reviews, which have no paths: use severity, or another policy");
}

static void read_policy(struct reading *reading, struct policy *policy, uint32_t index, const struct doc_node *node)
{
    *policy = (struct policy){ .mode = ENFORCEMENT_DENY };
    for (int i = 0; i < (int)(sizeof lists / sizeof *lists) && !reading->failure; i++) {
        const struct doc_node *list = doc_member(node, lists[i].name);
        if (list && list->type == DOC_ARRAY)
            read_list(reading, policy, index, i, list);
    }
    read_effects(reading, policy, index, node);
    if (matches_nothing(policy))
        reading_mistake(reading, node->offset, "policies", "a policy lists namespaces, but only kinds without a namespace");
}

void reading_policies(struct reading *reading, const struct doc_node *list)
{
    uint32_t count = list && list->type == DOC_ARRAY ? list->count : 0, index = 0;
    struct policy *policies = count ? reading_keep(reading, count * sizeof *policies) : NULL;
    if (!policies)
        return;
    doc_each(list, node) {
        if (node->type != DOC_OBJECT)
            refuse_policy(reading, index, "", node->offset, "must be an object");
        else
            read_policy(reading, &policies[index], index, node);
        index++;
        if (reading->failure)
            return;
    }
    reading->configuration->policies.list = policies;
    reading->configuration->policies.count = count;
}
