#include "cli/cel_complete.h"

#include <stdio.h>

#include "cli/limits.h"
#include "schema/cel.h"

static const struct cel_library *const library = &cel_device_library;

/* A text that is completed. */
struct completion {
    const struct cel_devices *devices;
    struct bytes part; /* what candidates begin with */
    char after[4];     /* what they end with */
    struct bytes offered[LIMIT_CEL_CANDIDATES];
    unsigned count;
    void (*add)(const char *candidate);
};

static bool ends(struct bytes text, const char *with)
{
    size_t length = strlen(with);
    return text.length >= length && memcmp(text.data + text.length - length, with, length) == 0;
}

static struct bytes without_end(struct bytes text, uint32_t length)
{
    return (struct bytes){ text.data, text.length - length };
}

static struct bytes rest_from(struct bytes text, uint32_t start)
{
    return (struct bytes){ text.data + start, text.length - start };
}

static bool is_name(char c)
{
    return c == '_' || (c >= '0' && c <= '9') || ((c | 32) >= 'a' && (c | 32) <= 'z');
}

/* Offers a name that begins with the part, once. */
static void offer(struct completion *completion, struct bytes name)
{
    char candidate[LIMIT_QUOTE_BYTES + sizeof completion->after];
    struct bytes part = completion->part;
    if (name.length < part.length || name.length >= LIMIT_QUOTE_BYTES || memcmp(name.data, part.data, part.length) != 0)
        return;
    for (unsigned i = 0; i < completion->count; i++)
        if (bytes_equal(completion->offered[i], name))
            return;
    if (completion->count == LIMIT_CEL_CANDIDATES)
        return;
    completion->offered[completion->count++] = name;
    snprintf(candidate, sizeof candidate, "%.*s%s", (int)name.length, name.data, completion->after);
    completion->add(candidate);
}

/* ---- what devices have ---- */

static const struct cel_table *table_of(const struct cel_value *value)
{
    return value && value->type == CEL_MAP ? value->map.table : NULL;
}

static const struct cel_table *table_at(const struct cel_table *table, struct bytes key)
{
    struct cel_value text = cel_string(key);
    struct cel_pair *pair = table ? cel_table_find(table, &text) : NULL;
    return pair ? table_of(&pair->value) : NULL;
}

static void offer_keys(struct completion *completion, const struct cel_table *table)
{
    for (uint32_t i = 0; table && i < table->count; i++)
        if (table->pairs[i].key.type == CEL_STRING)
            offer(completion, table->pairs[i].key.text);
}

/* Domains of a member of the devices, "attributes" or "capacity"; or, with a domain, the names in it. */
static void offer_published(struct completion *completion, const char *member, const struct bytes *domain)
{
    for (const struct cel_named_device *device = completion->devices->first; device; device = device->next) {
        const struct cel_table *domains = table_at(device->fault ? NULL : table_of(&device->value), bytes_of(member));
        offer_keys(completion, domain ? table_at(domains, *domain) : domains);
    }
}

/* The member that is indexed at the end of the text. NULL: none. */
static const char *indexed_member(struct bytes text)
{
    return ends(text, "attributes[") ? "attributes" : ends(text, "capacity[") ? "capacity" : NULL;
}

/* Whether the text ends with a domain of attributes or capacities, ["gpu.acme.dev"]. */
static bool find_domain(struct bytes text, const char **member, struct bytes *domain)
{
    if (!ends(text, "\"]") && !ends(text, "']"))
        return false;
    char quote = text.data[text.length - 2];
    uint32_t end = text.length - 2, start = end;
    while (start > 0 && text.data[start - 1] != quote)
        start--;
    *domain = (struct bytes){ text.data + start, end - start };
    *member = start ? indexed_member((struct bytes){ text.data, start - 1 }) : NULL;
    return *member;
}

/* ---- what the library has ---- */

static bool is_there(unsigned since, unsigned version)
{
    return since <= version;
}

static void offer_functions(struct completion *completion, bool member)
{
    unsigned version = completion->devices->version;
    snprintf(completion->after, sizeof completion->after, "(");
    for (unsigned i = 0; i < library->function_count; i++) {
        const struct cel_function *function = &library->functions[i];
        bool fits = false;
        for (unsigned j = 0; j < function->count; j++)
            fits |= function->overloads[j].member == member && is_there(function->overloads[j].since, version);
        if (fits && cel_is_written(function->name) && cel_in_scope(&function->scope, cel_environment_by_default((minor)version)))
            offer(completion, bytes_of(function->name));
    }
    for (const struct cel_macro *macro = library->macros; macro->name; macro++)
        if ((macro->member && !macro->receiver) == member && !macro->receiver && is_there(macro->since, version))
            offer(completion, bytes_of(macro->name));
}

static void offer_fields(struct completion *completion)
{
    unsigned version = completion->devices->version;
    const struct cel_name *variable = cel_name_find(library, bytes_of(library->variable));
    const struct cel_message *message = cel_message_find(library, bytes_of(variable->type->name));
    for (const struct cel_field *field = message->fields; field->name; field++)
        if (cel_in_scope(&field->scope, cel_environment_by_default((minor)version)))
            offer(completion, bytes_of(field->name));
}

/* ---- where the text ends ---- */

/* The place of the quote that is open at the end; the length: there is none. */
static uint32_t find_quote(struct bytes line)
{
    uint32_t open = line.length;
    for (uint32_t i = 0; i < line.length; i++) {
        char c = line.data[i];
        if (open == line.length)
            open = c == '"' || c == '\'' ? i : open;
        else if (c == '\\')
            i++;
        else if (c == line.data[open])
            open = line.length;
    }
    return open;
}

static void complete_text(struct completion *completion, struct bytes line, uint32_t quote)
{
    struct bytes before = { line.data, quote }, domain;
    const char *member = indexed_member(before);
    completion->part = rest_from(line, quote + 1);
    snprintf(completion->after, sizeof completion->after, "%c]", line.data[quote]);
    if (member)
        offer_published(completion, member, NULL);
    else if (ends(before, "[") && find_domain(without_end(before, 1), &member, &domain))
        offer_published(completion, member, &domain);
}

/* After a dot: of the device, of a domain, of anything. */
static void complete_member(struct completion *completion, struct bytes base)
{
    struct bytes domain;
    const char *member;
    size_t variable = strlen(library->variable);
    if (ends(base, library->variable) && (base.length == variable || !is_name(base.data[base.length - variable - 1]))) {
        offer_fields(completion);
        return;
    }
    if (find_domain(base, &member, &domain))
        offer_published(completion, member, &domain);
    offer_functions(completion, true);
}

void cel_complete(void *self, struct bytes line, uint32_t *start, void (*add)(const char *candidate))
{
    struct completion completion = { .devices = self, .add = add };
    uint32_t quote = find_quote(line), name = line.length, path;
    if (quote < line.length) {
        *start = quote + 1;
        complete_text(&completion, line, quote);
        return;
    }
    while (name > 0 && is_name(line.data[name - 1]))
        name--;
    for (path = name; path > 0 && (is_name(line.data[path - 1]) || line.data[path - 1] == '.'); path--)
        ;
    struct bytes base = { line.data, name };
    bool member = ends(base, ".") || ends(base, ".?");
    *start = path;
    completion.part = rest_from(line, path);
    if (!member)
        offer(&completion, bytes_of(library->variable));
    if (completion.part.length) /* sets.contains, optional.of, lists.range, too */
        offer_functions(&completion, false);
    if (!member || completion.count)
        return;
    *start = name;
    completion.part = rest_from(line, name);
    completion.after[0] = '\0';
    complete_member(&completion, without_end(base, ends(base, ".") ? 1 : 2));
}
