/* Reports of `match` for people. */
#include <stdio.h>

#include "base/limits.h"
#include "cli/match.h"

enum { SHOWN = 3 }; /* lines of a group, without --all */

const char *match_escaped(struct arena *arena, struct bytes text)
{
    struct text escaped;
    text_init(&escaped, arena);
    text_add_escaped(&escaped, text, LIMIT_FILE_NAME_BYTES);
    return text_end(&escaped);
}

const char *match_outcome_text(struct match_output *output, const struct match_request *request)
{
    struct text text;
    text_init(&text, &output->arena);
    match_outcome_add(request, &text);
    return text_end(&text);
}

/* ---- tables ---- */

struct table {
    struct match_output *output;
    struct match_report *report;
    const struct match_request *request;
    struct match_groups groups;
    struct arena words; /* what is said of devices */
    enum failure failure;
};

/* driver/pool/device */
static const char *device_name(struct arena *arena, const struct match_device *device)
{
    struct text text;
    text_init(&text, arena);
    text_add_escaped(&text, device->slice->driver, LIMIT_FILE_NAME_BYTES);
    text_add(&text, "/");
    text_add_escaped(&text, device->slice->pool->name, LIMIT_FILE_NAME_BYTES);
    text_add(&text, "/");
    text_add_escaped(&text, device->name, LIMIT_FILE_NAME_BYTES);
    return text_end(&text);
}

static const char *name_of(struct table *table, uint32_t device)
{
    return device_name(&table->output->arena, &table->report->world->devices[device]);
}

/* Devices one after the other of which the same is said. */
struct alike {
    uint32_t first, count;
    const char *words; /* in the arena of the table */
};

static void print_alike(struct table *table, const struct alike *alike)
{
    char more[32] = "";
    const char *name = name_of(table, alike->first);
    if (alike->count > 1)
        snprintf(more, sizeof more, " and %u more", alike->count - 1);
    printf("      %s%s%s%s\n", name ? name : "", more, *alike->words ? ": " : "", alike->words);
}

/* What is said of a device, kept until the arena of the table is cleared. NULL: a failure. */
static const char *explain(struct table *table, uint32_t device)
{
    struct text text;
    text_init(&text, &table->words);
    table->failure = match_explain(table->report, table->request, device, &text);
    const char *words = text_end(&text);
    if (!words && !table->failure)
        table->failure = table->words.failure;
    return table->failure ? NULL : words;
}

/* The next device of a group from that one on; all of the world: there is none. */
static uint32_t next_of(const struct table *table, uint32_t group, uint32_t device)
{
    while (device < table->report->world->device_count && table->groups.of_device[device] != group)
        device++;
    return device;
}

/* Lines of a group: one for devices that follow each other and are alike, or with --all one for each. */
static void print_group(struct table *table, uint32_t group)
{
    struct alike alike = { .count = 0 };
    uint32_t left = table->groups.list[group].count, lines = 0, device = 0;
    bool all = table->output->all, fits = table->groups.list[group].reason == MATCH_FITS;
    printf("    %s\n", table->groups.list[group].label);
    while (left && (all || lines < SHOWN) && !table->failure) {
        device = next_of(table, group, device);
        arena_clear(&table->words);
        arena_clear(&table->output->arena);
        alike = (struct alike){ device, 1, explain(table, device) };
        for (uint32_t next = next_of(table, group, device + 1); alike.words && !all && !fits && alike.count < left;
             next = next_of(table, group, next + 1)) {
            const char *words = explain(table, next);
            if (!words || strcmp(words, alike.words) != 0)
                break;
            arena_take_back(&table->words, words);
            alike.count++;
            device = next;
        }
        if (alike.words)
            print_alike(table, &alike);
        left -= alike.count;
        device++;
        lines++;
    }
    if (left)
        printf("      and %u more\n", left);
}

static void print_counts(const struct table *table)
{
    uint32_t count = table->report->world->device_count;
    bool fits = table->groups.count && table->groups.list[0].reason == MATCH_FITS;
    printf("    %u device%s: ", count, count == 1 ? "" : "s");
    if (!fits)
        printf("none matches%s", table->groups.count ? ", " : "");
    for (uint32_t i = 0; i < table->groups.count; i++)
        printf("%s%u %s", i ? ", " : "", table->groups.list[i].count,
               fits && i == 0 && table->groups.list[i].count == 1 ? "matches" : table->groups.list[i].label);
    putchar('\n');
}

static enum failure print_table(struct table *table)
{
    table->failure = match_groups_of(table->report, table->request, &table->groups);
    if (!table->failure)
        print_counts(table);
    for (uint32_t i = 0; i < table->groups.count && !table->failure; i++)
        if (table->output->all || !i || !table->groups.list[i].apart)
            print_group(table, i);
    return table->failure;
}

/* ---- the whole ---- */

static void add_wanted(struct text *text, const struct match_request *request)
{
    if (request->all) {
        text_add(text, "all devices");
    } else {
        text_add_integer(text, request->wanted);
        text_add(text, request->wanted == 1 ? " device" : " devices");
    }
    text_add(text, " of class ");
    text_add_quoted(text, request->class_name, LIMIT_QUOTE_BYTES);
    text_add(text, request->admin ? ", with admin access" : "");
}

static enum failure print_request(struct match_output *output, struct match_report *report, const struct match_request *request)
{
    struct table table = { .output = output, .report = report, .request = request };
    struct text text;
    arena_clear(&output->arena);
    text_init(&text, &output->arena);
    if (request->name.data) {
        text_add(&text, "  request ");
        text_add_quoted(&text, request->name, LIMIT_QUOTE_BYTES);
        if (request->choice.data) {
            text_add(&text, ", choice ");
            text_add_quoted(&text, request->choice, LIMIT_QUOTE_BYTES);
        }
        text_add(&text, ": ");
        add_wanted(&text, request);
        text_add(&text, ": ");
    } else {
        text_add(&text, "  ");
    }
    const char *head = text_end(&text), *words = match_outcome_text(output, request);
    if (!head || !words)
        return output->arena.failure;
    printf("%s%s\n", head, words);
    if (!request->verdicts)
        return FAILURE_NONE;
    arena_init(&table.words, &memory_malloc, LIMIT_ARENA_BYTES);
    enum failure failure = print_table(&table);
    arena_done(&table.words);
    return failure;
}

enum failure match_print_text(struct match_output *output, struct match_report *report, uint32_t line)
{
    const struct item *item = report->item;
    struct text text;
    enum failure failure = FAILURE_NONE;
    text_init(&text, &output->arena);
    text_add_escaped(&text, item->kind_name, LIMIT_QUOTE_BYTES);
    text_add(&text, " ");
    text_add_quoted(&text, item->name, LIMIT_QUOTE_BYTES);
    const char *head = text_end(&text), *file = match_escaped(&output->arena, bytes_of(item->source->name));
    if (!head || !file)
        return output->arena.failure;
    printf("%s, %s:%u%s%s\n", head, file, line, report->fault ? ": " : "", report->fault ? report->fault : "");
    for (uint32_t i = 0; i < report->count && !report->fault && !failure; i++)
        failure = print_request(output, report, &report->requests[i]);
    if (!report->count && !report->fault)
        puts("  it asks for no devices");
    return failure;
}
