/* drawbridge explain KIND: the constraints of one kind or field, like kubectl explain for rules. */
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "base/escape.h"
#include "base/limits.h"
#include "base/text.h"
#include "cli/explain.h"
#include "review/limits.h"
#include "schema/explain.h"

struct explanation {
    const struct kind *kind;
    struct arena arena;
    minor version;    /* 0: any */
    const char *path; /* asked for; "" is the object */
    const char *last, *source; /* what the last heading and the last source line said */
    uint32_t shown;            /* constraints */
    bool metadata;             /* only what is below metadata is printed, or all but that */
};

/* ---- which fields ---- */

/* Whether `field` is the path asked for, or below it; an index or brackets may be left out. */
static bool is_below(const char *asked, const char *field)
{
    char wanted[LIMIT_EXPLAIN_PATH_BYTES], plain[LIMIT_EXPLAIN_PATH_BYTES];
    explain_plain_path(wanted, sizeof wanted, asked);
    explain_plain_path(plain, sizeof plain, field);
    size_t length = strlen(wanted);
    return length == 0 || (strncasecmp(plain, wanted, length) == 0 && (plain[length] == '\0' || plain[length] == '.'));
}

static void find_field(void *self, const struct constraint *constraint)
{
    struct explanation *explanation = self;
    explanation->shown += is_below(explanation->path, constraint->field);
}

/* Whether the kind has the field; *failure when that cannot be said. */
static bool has_field(struct explanation *explanation, enum failure *failure)
{
    explanation->shown = 0;
    *failure = explain_kind(explanation->kind, &explanation->arena, find_field, explanation);
    bool found = explanation->shown != 0;
    explanation->shown = 0;
    return found;
}

/* What a member could have been meant to be, of those of the longest part of the path that is right. */
struct mistaken {
    struct nearest nearest;
    size_t right; /* bytes of the path before the member */
    const char *path;
    char plain[LIMIT_EXPLAIN_PATH_BYTES]; /* holds what was found */
};

static void consider_field(void *self, const struct constraint *constraint)
{
    struct mistaken *mistaken = self;
    char plain[LIMIT_EXPLAIN_PATH_BYTES];
    explain_plain_path(plain, sizeof plain, constraint->field);
    size_t right = mistaken->right;
    if (constraint->rule != RULE_TYPE || (right && (strncasecmp(plain, mistaken->path, right) != 0)) || strlen(plain) <= right)
        return;
    const char *member = plain + right;
    struct nearest nearest = mistaken->nearest;
    near_consider(&nearest, (struct bytes){ member, (uint32_t)strcspn(member, ".") });
    if (nearest.found.data == member) {
        memcpy(mistaken->plain, plain, sizeof plain);
        nearest.found.data = mistaken->plain + right;
        mistaken->nearest = nearest;
    }
}

/* Cuts the path from its end until the kind has it, and compares the member after that with those that are there. */
static int unknown_field(const struct command *command, struct explanation *explanation)
{
    char path[LIMIT_EXPLAIN_PATH_BYTES], cut[LIMIT_EXPLAIN_PATH_BYTES];
    const char *kind = explanation->kind->kind.data;
    enum failure failure = FAILURE_NONE;
    explain_plain_path(path, sizeof path, explanation->path);
    memcpy(cut, path, sizeof cut);
    explanation->path = cut;
    do {
        char *dot = strrchr(cut, '.');
        *(dot ? dot : cut) = '\0';
    } while (!failure && *cut && !has_field(explanation, &failure));
    size_t right = *cut ? strlen(cut) + 1 : 0;
    struct mistaken mistaken = {
        .nearest.wanted = { path + right, (uint32_t)strcspn(path + right, ".") }, .right = right, .path = path
    };
    failure = failure ? failure : explain_kind(explanation->kind, &explanation->arena, consider_field, &mistaken);
    if (failure)
        return command_error(command, EXIT_INTERNAL, "%s", failure_text(failure));
    if (mistaken.nearest.found.data) {
        mistaken.plain[right + mistaken.nearest.found.length] = '\0';
        return usage_error(command, "%s has no field \"%s\"; did you mean \"%s\"?", kind, escape_text(path).text, mistaken.plain);
    }
    return usage_error(command, "%s has no field \"%s\"; 'drawbridge explain %s' lists them", kind, escape_text(path).text, kind);
}

/* ---- what is printed of them ---- */

static void print_versions(struct versions versions)
{
    if (versions.since || versions.until)
        printf(" (%s)", versions_words(versions).text);
}

/* "(gate X, beta, off by default)", of the version asked for; else since when it is on. */
static void print_gate(const struct gate *gate, minor version)
{
    printf(" (gate %s, ", gate->name);
    if (version)
        fputs(version < gate->alpha ? "not yet there" : explain_gate_state(gate, version), stdout);
    else if (gate->on)
        printf("on by default since 1.%u", gate->on);
    else
        fputs("off by default", stdout);
    fputs(")", stdout);
}

static void print_field(struct explanation *explanation, const struct constraint *constraint)
{
    const char *type = explain_type(constraint->shape, &explanation->arena);
    const struct gate *gate = constraint->gate ? gate_find(constraint->gate) : NULL;
    printf("\n  %s <%s>", *constraint->field ? constraint->field : explanation->kind->kind.data, type ? type : "");
    if (constraint->rule == RULE_TYPE)
        print_versions(constraint->versions);
    if (gate)
        print_gate(gate, explanation->version);
    puts("");
    if (constraint->default_value)
        printf("    %s: %s\n", constraint->defaulted ? "default" : "unset means", constraint->default_value);
    explanation->last = constraint->field;
}

static void print_constraint(void *self, const struct constraint *constraint)
{
    struct explanation *explanation = self;
    if (!is_below(explanation->path, constraint->field) || is_below("metadata", constraint->field) != explanation->metadata ||
        (explanation->version && !versions_include(constraint->versions, explanation->version)))
        return;
    const char *own_source = constraint->check ? constraint->check->source : NULL;
    if (!own_source && (!explanation->source || strcmp(explanation->source, constraint->source) != 0)) {
        printf("%sSource: %s\n", explanation->shown ? "\n" : "", constraint->source);
        explanation->source = constraint->source;
    }
    explanation->shown++;
    if (!explanation->last || strcmp(explanation->last, constraint->field) != 0)
        print_field(explanation, constraint);
    if (constraint->rule == RULE_TYPE)
        return;
    printf("    %s%s%s%s%s [%s]", constraint->severity == SEVERITY_ERROR ? "" : severity_word(constraint->severity),
           constraint->severity == SEVERITY_ERROR ? "" : ": ", constraint->asks, *constraint->when ? ", " : "", constraint->when,
           rule_info(constraint->rule)->id);
    print_versions(constraint->versions);
    puts("");
    if (own_source)
        printf("      source: %s\n", own_source);
}

/* What is special to the kind comes first, and metadata, which all kinds have alike, last. */
static int print_fields(const struct command *command, struct explanation *explanation, bool one_version)
{
    const struct kind *kind = explanation->kind;
    printf("%s ", kind->kind.data);
    explain_print_versions(kind, one_version);
    printf("%s%s\n", *explanation->path ? ": " : "", explanation->path);
    if (kind->successor)
        printf("%s replaces it.\n", kind->successor);
    if (kind->traits & KIND_PARTIAL)
        puts("Only these fields are checked.");
    enum failure failure = explain_kind(kind, &explanation->arena, print_constraint, explanation);
    explanation->metadata = true;
    failure = failure ? failure : explain_kind(kind, &explanation->arena, print_constraint, explanation);
    return failure ? command_error(command, EXIT_INTERNAL, "%s", failure_text(failure)) : end_output(command, EXIT_GOOD);
}

/* The next row with rules for the same kind in a role; NULL: none. */
static const struct kind *next_role(const struct kind *kind)
{
    for (const struct kind *row = kind + 1; row < kinds + kind_count; row++)
        if (kind_same(row, kind) && row->role)
            return row;
    return NULL;
}

/* Also of the kind in a role, where that has such a field. */
static int print_roles(const struct command *command, struct explanation *explanation, bool one_version)
{
    const struct kind *first = explanation->kind;
    enum failure failure = FAILURE_NONE;
    int status = EXIT_GOOD;
    bool any = false;
    for (const struct kind *kind = first; kind && !failure && status == EXIT_GOOD; kind = next_role(kind)) {
        explanation->kind = kind;
        if (!has_field(explanation, &failure))
            continue;
        fputs(any ? "\n" : "", stdout);
        any = true;
        status = print_fields(command, explanation, one_version);
        explanation->last = explanation->source = NULL;
        explanation->metadata = false;
        explanation->shown = 0;
    }
    explanation->kind = first;
    if (failure)
        return command_error(command, EXIT_INTERNAL, "%s", failure_text(failure));
    return any ? status : unknown_field(command, explanation);
}

int explain_fields(const struct command *command, const struct kind_name *name, minor version)
{
    struct explanation explanation = { .kind = name->kind, .path = name->path, .version = version };
    arena_init(&explanation.arena, &memory_malloc, LIMIT_ARENA_BYTES);
    int status = print_roles(command, &explanation, name->has_version);
    arena_done(&explanation.arena);
    return status;
}
