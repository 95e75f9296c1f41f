/* The values of options, by type, and the help that their rows give. */
#include "cli/option.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/escape.h"

static const struct versions known_versions = { MINOR_OLDEST, MINOR_NEWEST };

/* ---- values ---- */

/* '"x" is not a format'. What may follow says what is allowed. */
static bool refuse(struct error *error, const char *text, const char *what, const char *allowed)
{
    return error_set(error, FAILURE_INPUT, "\"%s\" is not %s%s", escape_text(text).text, what, allowed);
}

bool option_unknown(struct error *error, const char *typed, const char *what, const char *prefix, const struct nearest *nearest)
{
    char meant[NEAR_BYTES + 32] = "";
    if (nearest->found.data)
        snprintf(meant, sizeof meant, "; did you mean \"%s%.*s\"?", prefix, (int)nearest->found.length, nearest->found.data);
    return refuse(error, typed, what, meant);
}

static bool store_text(const struct option_row *row, const char *text, const char **value, struct error *error)
{
    if (row->fits && !row->fits(text))
        return refuse(error, text, row->what, "");
    *value = text;
    return true;
}

/* Digits only: strtoul takes white space and signs, too. */
static bool store_number(const struct option_row *row, const char *text, unsigned *value, struct error *error)
{
    char range[64];
    errno = 0;
    unsigned long number = strtoul(text, NULL, 10);
    if (!*text || text[strspn(text, "0123456789")] || errno || number < row->min || number > row->max) {
        snprintf(range, sizeof range, " from %u to %u", row->min, row->max);
        return refuse(error, text, row->what, range);
    }
    *value = (unsigned)number;
    return true;
}

static bool store_choice(const struct option_row *row, const char *text, unsigned *value, struct error *error)
{
    char allowed[LIMIT_OPTION_WORDS_BYTES] = "; one of ";
    size_t length = strlen(allowed);
    struct nearest nearest = { .wanted = bytes_of(text) };
    for (unsigned i = 0; row->words[i]; i++) {
        near_consider(&nearest, bytes_of(row->words[i]));
        if (strcmp(text, row->words[i]) == 0) {
            *value = i;
            return true;
        }
        if (length < sizeof allowed)
            length += (size_t)snprintf(allowed + length, sizeof allowed - length, "%s%s", i ? ", " : "", row->words[i]);
    }
    if (nearest.found.data) /* one word says more than all */
        return option_unknown(error, text, row->what, "", &nearest);
    return refuse(error, text, row->what, allowed);
}

static bool refuse_version(struct error *error, const char *text, const char *or_range)
{
    char range[96];
    snprintf(range, sizeof range, " from %s%s", versions_words(known_versions).text, or_range);
    return refuse(error, text, "a Kubernetes version", range);
}

static bool store_version(const char *text, minor *value, struct error *error)
{
    struct versions versions;
    if (version_read(text, value))
        return true;
    if (versions_read(text, &versions))
        return refuse(error, text, "one version", ": a range is for lint and review");
    return refuse_version(error, text, "");
}

static bool store_versions(const char *text, struct versions *value, struct error *error)
{
    return versions_read(text, value) || refuse_version(error, text, ", nor a range of them, such as 1.34..1.37");
}

static bool add_value(const struct option_row *row, const char *text, struct option_list *list, struct error *error)
{
    if (row->fits && !row->fits(text))
        return refuse(error, text, row->what, "");
    unsigned max = row->max ? row->max : LIMIT_OPTION_VALUES;
    if (list->count == max)
        return error_set(error, FAILURE_LIMIT, "is given more than %u times", max);
    list->values[list->count++] = text;
    return true;
}

bool option_gates(const char *text, void *value, struct error *error)
{
    return gate_settings_read(text, value, error);
}

bool option_store(const struct option_row *row, const char *text, void *values, struct error *error)
{
    void *value = (char *)values + row->at;
    switch (row->type) {
    case OPTION_TYPE_FLAG:    *(bool *)value = true; return true;
    case OPTION_TYPE_TEXT:    return store_text(row, text, value, error);
    case OPTION_TYPE_NUMBER:  return store_number(row, text, value, error);
    case OPTION_TYPE_CHOICE:  return store_choice(row, text, value, error);
    case OPTION_TYPE_VERSION: return store_version(text, value, error);
    case OPTION_TYPE_VERSIONS: return store_versions(text, value, error);
    case OPTION_TYPE_LIST:    return add_value(row, text, value, error);
    case OPTION_TYPE_PARSED:  return row->parse(text, value, error);
    }
    return false;
}

/* ---- help ---- */

/* "text|json" for a choice. Returns the characters printed; `out` NULL only counts them. */
static int print_argument(FILE *out, const struct option_row *row)
{
    int length = 0;
    if (row->argument)
        return out ? fprintf(out, " %s", row->argument) : 1 + (int)strlen(row->argument);
    for (int i = 0; row->words && row->words[i]; i++)
        length += out ? fprintf(out, "%c%s", i ? '|' : ' ', row->words[i]) : 1 + (int)strlen(row->words[i]);
    return length;
}

static int width_of(const struct option_row *row)
{
    return (int)strlen(row->name) + print_argument(NULL, row) + (row->letter ? (int)strlen("-q, ") : 0);
}

/* "(1 to 60, default 1)", or what of it there is. */
static void print_bounds(const struct option_row *row)
{
    bool versions = row->type == OPTION_TYPE_VERSION || row->type == OPTION_TYPE_VERSIONS;
    bool bounds = row->type == OPTION_TYPE_NUMBER || versions;
    if (row->type == OPTION_TYPE_NUMBER)
        printf(" (%u to %u", row->min, row->max);
    if (versions)
        printf(" (%s", versions_words(known_versions).text);
    if (row->default_value)
        printf("%sdefault %s", bounds ? ", " : " (", row->default_value);
    fputs(bounds || row->default_value ? ")" : "", stdout);
    if (row->letter)
        printf("; -%c for short", row->letter);
}

static void print_row(const struct option_row *row, int width)
{
    fputs("  ", stdout);
    if (row->letter)
        printf("-%c, ", row->letter);
    printf("--%s", row->name);
    print_argument(stdout, row);
    printf("%*s  %s%s", width - width_of(row), "", row->help, row->type == OPTION_TYPE_LIST ? "; may be repeated" : "");
    print_bounds(row);
    puts("");
}

void options_print(const struct option_row *rows)
{
    int width = (int)strlen("help");
    for (const struct option_row *row = rows; row->name; row++)
        width = width_of(row) > width ? width_of(row) : width;
    for (const struct option_row *row = rows; row->name; row++)
        print_row(row, width);
    printf("  --%-*s  show this help\n", width, "help");
}
