/* drawbridge rules: every constraint there is, from the tables. */
#include <cjson/cJSON.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/limits.h"
#include "base/text.h"
#include "schema/explain.h"
#include "cli/cli.h"

enum rules_format { RULES_TEXT, RULES_MARKDOWN, RULES_JSON };

struct rules_options {
    enum rules_format format;
};

static const char *const formats[] = { [RULES_TEXT] = "text", [RULES_MARKDOWN] = "markdown", [RULES_JSON] = "json", NULL };

static const struct option_row option_rows[] = {
    OPTION_CHOICE("format", "a format", formats, struct rules_options, format,
                  "one constraint a line, a table for each kind, or one JSON object a line", .default_value = "text"),
    { .name = NULL },
};

/* What is printed at a time: a kind, in all API versions that share its tables. */
struct listing {
    const struct kind *kind;
    cJSON *versions;     /* names of API versions, for JSON */
    const char *names;   /* the same for people */
    bool failed;
};

/* ---- JSON ---- */

static bool add_names(cJSON *object, const char *name, const char *const *names)
{
    cJSON *array = cJSON_AddArrayToObject(object, name);
    for (; array && *names; names++) {
        cJSON *text = cJSON_CreateString(*names);
        if (!text || !cJSON_AddItemToArray(array, text)) {
            cJSON_Delete(text);
            return false;
        }
    }
    return array != NULL;
}

/* Numbers beyond 2^53 are texts, so that no reader rounds them. */
static bool add_number(cJSON *object, const char *name, int64_t number)
{
    char digits[24];
    snprintf(digits, sizeof digits, "%lld", (long long)number);
    return number > (INT64_C(1) << 53) || number < -(INT64_C(1) << 53) ? cJSON_AddStringToObject(object, name, digits) != NULL
                                                                       : cJSON_AddRawToObject(object, name, digits) != NULL;
}

static bool add_arguments(cJSON *args, const struct constraint *constraint)
{
    const struct constraint_arguments arguments = explain_arguments(constraint);
    bool good = (!arguments.values || add_names(args, "values", arguments.values)) &&
                (!arguments.members || add_names(args, "members", arguments.members));
    good = good && (!arguments.has_min || add_number(args, "min", arguments.min)) &&
           (!arguments.has_max || add_number(args, "max", arguments.max));
    return good && (!arguments.key || cJSON_AddStringToObject(args, "key", arguments.key));
}

static bool add_minor(cJSON *object, const char *name, minor value)
{
    char version[8];
    snprintf(version, sizeof version, "1.%d", value);
    return value ? cJSON_AddStringToObject(object, name, version) != NULL : cJSON_AddNullToObject(object, name) != NULL;
}

static bool fill(cJSON *object, const struct listing *listing, const struct constraint *constraint)
{
    cJSON *args;
    return cJSON_AddStringToObject(object, "group", listing->kind->group.data) &&
           cJSON_AddStringToObject(object, "kind", listing->kind->kind.data) &&
           cJSON_AddItemReferenceToObject(object, "versions", listing->versions) &&
           cJSON_AddStringToObject(object, "field", constraint->field) &&
           cJSON_AddStringToObject(object, "rule", rule_info(constraint->rule)->id) &&
           cJSON_AddStringToObject(object, "severity", severity_word(constraint->severity)) &&
           cJSON_AddStringToObject(object, "reason", reason_info(constraint->reason)->cause) &&
           (args = cJSON_AddObjectToObject(object, "args")) && add_arguments(args, constraint) &&
           cJSON_AddStringToObject(object, "asks", constraint->asks) && cJSON_AddStringToObject(object, "when", constraint->when) &&
           add_minor(object, "since", constraint->versions.since) && add_minor(object, "until", constraint->versions.until) &&
           (constraint->gate ? cJSON_AddStringToObject(object, "gate", constraint->gate) : cJSON_AddNullToObject(object, "gate")) &&
           cJSON_AddStringToObject(object, "source", constraint->source) &&
           (!listing->kind->role || cJSON_AddStringToObject(object, "role", listing->kind->role));
}

static void print_json(void *self, const struct constraint *constraint)
{
    struct listing *listing = self;
    cJSON *object = cJSON_CreateObject();
    char *json = object && fill(object, listing, constraint) ? cJSON_PrintUnformatted(object) : NULL;
    cJSON_Delete(object);
    listing->failed |= !json;
    if (json)
        puts(json);
    free(json);
}

/* ---- text and tables ---- */

static bool has_bounds(struct versions versions)
{
    return versions.since || versions.until;
}

static void print_text(void *self, const struct constraint *constraint)
{
    const struct listing *listing = self;
    printf("%s %s: ", listing->kind->kind.data, *constraint->field ? constraint->field : "(object)");
    if (constraint->severity != SEVERITY_ERROR)
        printf("%s: ", severity_word(constraint->severity));
    printf("%s%s%s", constraint->asks, *constraint->when ? ", " : "", constraint->when);
    if (has_bounds(constraint->versions))
        printf("; %s", versions_words(constraint->versions).text);
    if (constraint->gate)
        printf("; gate %s", constraint->gate);
    printf(" [%s]\n", rule_info(constraint->rule)->id);
}

static void print_cell(const char *text)
{
    for (; *text; text++)
        printf(*text == '|' ? "\\|" : "%c", *text);
}

static void print_row(void *self, const struct constraint *constraint)
{
    (void)self;
    printf("| `%s` | %s | %s | ", *constraint->field ? constraint->field : ".", rule_info(constraint->rule)->id,
           severity_word(constraint->severity));
    print_cell(constraint->asks);
    print_cell(*constraint->when ? ", " : "");
    print_cell(constraint->when);
    printf(" | %s%s%s |\n", versions_words(constraint->versions).text, has_bounds(constraint->versions) && constraint->gate ? ", " : "",
           constraint->gate ? constraint->gate : "");
}

static void print_heading(const struct listing *listing)
{
    printf("\n## %s (%s%s%s%s%s)\n\nSource: %s\n\n| field | rule | severity | asks | Kubernetes |\n|---|---|---|---|---|\n",
           listing->kind->kind.data, listing->kind->group.data, listing->kind->group.length ? "/" : "", listing->names,
           listing->kind->role ? ", with --as " : "", listing->kind->role ? listing->kind->role : "", listing->kind->shape->source);
}

/* ---- all kinds ---- */

static bool same_tables(const struct kind *a, const struct kind *b)
{
    return kind_same(a, b) && a->shape == b->shape && a->traits == b->traits;
}

/* The first row of a kind stands for all that share its tables. */
static bool is_first(size_t index)
{
    for (size_t i = 0; i < index; i++)
        if (same_tables(&kinds[i], &kinds[index]))
            return false;
    return true;
}

static bool name_versions(struct listing *listing, struct text *names)
{
    listing->versions = cJSON_CreateArray();
    for (size_t i = 0; listing->versions && i < kind_count; i++) {
        if (!same_tables(&kinds[i], listing->kind))
            continue;
        cJSON *version = cJSON_CreateString(kinds[i].version.data);
        if (!version || !cJSON_AddItemToArray(listing->versions, version)) {
            cJSON_Delete(version);
            return false;
        }
        text_add(names, names->length ? ", " : "");
        text_add_bytes(names, kinds[i].version);
    }
    listing->names = text_end(names);
    return listing->versions && listing->names;
}

static bool list_kind(const struct kind *kind, struct arena *arena, enum rules_format format)
{
    static constraint_visitor *const visitors[] = { [RULES_TEXT] = print_text, [RULES_MARKDOWN] = print_row, [RULES_JSON] = print_json };
    struct listing listing = { .kind = kind };
    struct text names;
    text_init(&names, arena);
    bool good = name_versions(&listing, &names);
    if (good && format == RULES_MARKDOWN)
        print_heading(&listing);
    good = good && !explain_kind(kind, arena, visitors[format], &listing) && !listing.failed;
    cJSON_Delete(listing.versions);
    return good;
}

static int run(const struct command *command, int argc, char **argv)
{
    struct rules_options values = { .format = RULES_TEXT };
    struct options options;
    int status;
    if (!options_parse(command, argc, argv, &values, &options, &status))
        return status;
    struct arena arena;
    bool good = true;
    if (values.format == RULES_MARKDOWN)
        puts("# Rules");
    for (size_t i = 0; i < kind_count && good; i++) {
        arena_init(&arena, &memory_malloc, LIMIT_ARENA_BYTES);
        good = !is_first(i) || (kinds[i].traits & KIND_CONTEXT) || list_kind(&kinds[i], &arena, values.format);
        arena_done(&arena);
    }
    return good ? end_output(command, EXIT_GOOD) : command_error(command, EXIT_USAGE, "out of memory");
}

const struct command rules_command = {
    .name = "rules",
    .operands = "",
    .summary = "list every rule",
    .description =
        "Lists every constraint on every field of every kind: what it asks for, when, with which reason it is refused,\n"
        "in which versions of Kubernetes, and where it is from.\n",
    .options = option_rows,
    .run = run,
};
