/* drawbridge explain: the constraints of one kind or field, like kubectl explain for rules. */
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "base/limits.h"
#include "base/text.h"
#include "review/limits.h"
#include "schema/explain.h"
#include "base/escape.h"
#include "cli/cli.h"
#include "cli/explain_cel.h"

struct explain_options {
    minor version; /* 0: any */
};

static const struct option_row option_rows[] = {
    OPTION_VERSION(struct explain_options, version,
                   "show what applies in that version; without it, all constraints, with the versions in which each applies"),
    { .name = NULL },
};

struct explanation {
    const struct kind *kind;
    struct arena arena;
    minor version;    /* 0: any */
    const char *path; /* asked for; "" is the object */
    const char *last, *source; /* what the last heading and the last source line said */
    uint32_t shown;            /* constraints */
};

/* ---- kinds ---- */

/* Whether `path` begins with the group, as in storageclasses.storage.k8s.io.metadata. */
static bool has_group(const struct kind *kind, const char *path)
{
    struct bytes group = kind->group;
    return group.length && strncmp(path, group.data, group.length) == 0 && (path[group.length] == '.' || path[group.length] == '\0');
}

/* By kind or plural, in any case, and by the group where one is named; without regard to the API version, but for a successor. */
static const struct kind *find_kind(const char *name, size_t length)
{
    const struct kind *found = NULL;
    for (size_t i = 0; i < kind_count; i++) {
        struct bytes kind = kinds[i].kind, resource = kinds[i].resource;
        bool same = (kind.length == length && strncasecmp(kind.data, name, length) == 0) ||
                    (resource.length == length && strncasecmp(resource.data, name, length) == 0);
        if (!same || (kinds[i].traits & KIND_CONTEXT))
            continue;
        if (name[length] && has_group(&kinds[i], name + length + 1))
            return &kinds[i];
        found = found && !found->successor ? found : &kinds[i];
    }
    return found;
}

/* "storage.k8s.io/v1, v1beta1" */
static void print_api_versions(const struct kind *kind)
{
    bool any = false;
    printf("%s%s", kind->group.data, kind->group.length ? "/" : "");
    for (size_t i = 0; i < kind_count; i++)
        if (kind_same(&kinds[i], kind)) {
            printf("%s%s", any ? ", " : "", kinds[i].version.data);
            any = true;
        }
    if (kind->role)
        printf(", with --as %s", kind->role);
}

/* The path after a group. */
static const char *after_group(const struct kind *kind, const char *path)
{
    if (!kind || !has_group(kind, path))
        return path;
    path += kind->group.length;
    return path + (*path == '.');
}

static int list_kinds(const struct command *command)
{
    for (size_t i = 0; i < kind_count; i++) {
        bool first = !(kinds[i].traits & KIND_CONTEXT);
        for (size_t before = 0; before < i; before++)
            first = first && !kind_same(&kinds[before], &kinds[i]);
        if (!first)
            continue;
        printf("%-26s ", kinds[i].kind.data);
        print_api_versions(&kinds[i]);
        puts("");
    }
    return end_output(command, EXIT_GOOD);
}

/* ---- fields ---- */

/* Whether `field` is the path asked for, or below it; an index or brackets may be left out. */
static bool is_below(const char *asked, const char *field)
{
    char wanted[LIMIT_EXPLAIN_PATH_BYTES], plain[LIMIT_EXPLAIN_PATH_BYTES];
    explain_plain_path(wanted, sizeof wanted, asked);
    explain_plain_path(plain, sizeof plain, field);
    size_t length = strlen(wanted);
    return length == 0 || (strncasecmp(plain, wanted, length) == 0 && (plain[length] == '\0' || plain[length] == '.'));
}

static void print_versions(struct versions versions)
{
    if (versions.since || versions.until)
        printf(" (%s)", versions_words(versions).text);
}

static void print_field(struct explanation *explanation, const struct constraint *constraint)
{
    const char *type = explain_type(constraint->shape, &explanation->arena);
    printf("\n  %s <%s>", *constraint->field ? constraint->field : explanation->kind->kind.data, type ? type : "");
    if (constraint->rule == RULE_TYPE)
        print_versions(constraint->versions);
    if (constraint->gate)
        printf(" (gate %s)", constraint->gate);
    puts("");
    if (constraint->default_value)
        printf("    %s: %s\n", constraint->defaulted ? "default" : "unset means", constraint->default_value);
    explanation->last = constraint->field;
}

static void print_constraint(void *self, const struct constraint *constraint)
{
    struct explanation *explanation = self;
    if (!is_below(explanation->path, constraint->field) ||
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

static int explain(const struct command *command, struct explanation *explanation)
{
    printf("%s ", explanation->kind->kind.data);
    print_api_versions(explanation->kind);
    printf("%s%s\n", *explanation->path ? ": " : "", explanation->path);
    if (explanation->kind->successor)
        printf("%s replaces it.\n", explanation->kind->successor);
    if (explanation->kind->traits & KIND_PARTIAL)
        puts("Only these fields are checked.");
    enum failure failure = explain_kind(explanation->kind, &explanation->arena, print_constraint, explanation);
    if (failure)
        return command_error(command, EXIT_USAGE, "%s", failure_text(failure));
    return end_output(command, EXIT_GOOD);
}

static void find_field(void *self, const struct constraint *constraint)
{
    struct explanation *explanation = self;
    explanation->shown += is_below(explanation->path, constraint->field);
}

static int run(const struct command *command, int argc, char **argv)
{
    struct explain_options values = { .version = 0 };
    struct options options;
    int status;
    if (!options_parse(command, argc, argv, &values, &options, &status))
        return status;
    struct explanation explanation = { .version = values.version };
    if (options.operands == options.argc)
        return list_kinds(command);
    if (strcmp(options.argv[options.operands], "cel") == 0 && options.operands + 2 >= options.argc)
        return explain_cel(command, options.argv[options.operands + 1]); /* argv ends in NULL */
    if (options.operands + 1 < options.argc)
        return usage_error(command, "takes one KIND or KIND.PATH");
    const char *asked = options.argv[options.operands], *dot = strchr(asked, '.');
    explanation.kind = find_kind(asked, dot ? (size_t)(dot - asked) : strlen(asked));
    explanation.path = dot ? after_group(explanation.kind, dot + 1) : "";
    if (!explanation.kind)
        return usage_error(command, "there are no rules for this kind; 'drawbridge explain' lists the kinds");
    arena_init(&explanation.arena, &memory_malloc, LIMIT_ARENA_BYTES);
    enum failure failure = explain_kind(explanation.kind, &explanation.arena, find_field, &explanation);
    bool known = explanation.shown;
    explanation.shown = 0;
    if (failure)
        status = command_error(command, EXIT_INTERNAL, "%s", failure_text(failure));
    else
        status = known ? explain(command, &explanation)
                       : usage_error(command, "%s has no such field; 'drawbridge explain %s' lists them", explanation.kind->kind.data,
                                     explanation.kind->kind.data);
    arena_done(&explanation.arena);
    return status;
}

const struct command explain_command = {
    .name = "explain",
    .operands = "[KIND[.PATH] | cel [FUNCTION]]",
    .summary = "show the constraints of a kind or field",
    .description =
        "Shows every constraint at a field and below it: what it asks for, when, in which versions of Kubernetes, and\n"
        "where it is from. KIND is a kind or its plural, in any case. Without KIND, the kinds are listed.\n"
        "'explain cel' lists what expressions of device selectors can use, 'explain cel FUNCTION' explains one of these.\n",
    .options = option_rows,
    .run = run,
};
