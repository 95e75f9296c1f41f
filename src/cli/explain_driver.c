/* drawbridge explain DRIVER: the parameters that a driver knows. */
#include <inttypes.h>
#include <stdio.h>

#include "base/escape.h"
#include "cli/explain.h"
#include "validate/driver_file.h"

/* Words, each quoted. */
static void print_words(const char *const *words, const char *between)
{
    for (const char *const *word = words; *word; word++)
        printf("%s\"%s\"", word == words ? "" : between, *word);
}

static void print_needs(const struct parameter_need *needs)
{
    for (const struct parameter_need *need = needs; need->name; need++) {
        printf("; needs %s", need->name);
        const char *before = need->values ? " to be " : "";
        for (const char *const *value = need->values; value && *value; value++) {
            const char *quote = **value ? "\"" : "";
            printf("%s%s%s%s", before, quote, **value ? *value : "left out", quote);
            before = " or ";
        }
    }
}

static void print_bounds(const struct parameter *row)
{
    if (row->type == PARAMETER_INTEGER && (row->low || row->high))
        printf(" from %" PRId64 " to %" PRId64, row->low, row->high);
}

static void print_row(const struct parameter *row)
{
    printf("  %s <%s%s>", row->name.data, row->list ? "list of " : "", driver_file_types[row->type]);
    print_bounds(row);
    if (row->values) {
        printf(" ");
        print_words(row->values, ", ");
    }
    if (row->pattern)
        printf(" matches %s", row->pattern);
    if (row->required)
        printf("; required");
    if (row->required && row->unless) {
        printf(" without ");
        print_words(row->unless, " or ");
    }
    if (row->needs)
        print_needs(row->needs);
    if (row->since)
        printf("; since %s", row->since);
    if (row->deprecated)
        printf("; deprecated: %s", row->deprecated);
    puts("");
}

int explain_driver(const struct command *command, const struct driver *driver, const char *name)
{
    printf("%s: a driver\nSource: %s\n", escape_text(name).text, driver->source);
    for (uint32_t i = 0; i < driver->count; i++) {
        const struct parameters *table = &driver->tables[i];
        if (table->of)
            printf("\n%s parameters", table->of);
        else
            printf("\nConfiguration of devices%s%s%s%s", table->kind ? ", " : "", table->kind ? table->api_version : "",
                   table->kind ? " " : "", table->kind ? table->kind : "");
        puts(table->ignores_case ? ", in any case:" : ":");
        for (uint32_t row = 0; row < table->count; row++)
            print_row(&table->rows[row]);
    }
    return end_output(command, EXIT_GOOD);
}
