#include "cli/report_part.h"

#include <stdlib.h>
#include <string.h>

#include "base/limits.h"
#include "base/utf8.h"
#include "review/limits.h"

/* ---- regions ---- */

static bool continues(struct bytes text, uint32_t at)
{
    return at < text.length && ((unsigned char)text.data[at] & 0xC0) == 0x80;
}

/* Whole lines; of long ones, the part in which the region begins, in whole characters. */
static void set_excerpt(struct region *region, struct bytes source)
{
    uint32_t from = region->offset - region->from.at, end = region->offset + region->size - region->to.at + region->to.text.length;
    if (end - from > LIMIT_EXCERPT_BYTES) {
        if (region->from.at > LIMIT_EXCERPT_BYTES / 4)
            from = region->offset - LIMIT_EXCERPT_BYTES / 4;
        while (continues(source, from))
            from++;
        if (end - from > LIMIT_EXCERPT_BYTES)
            end = from + LIMIT_EXCERPT_BYTES;
        while (continues(source, end))
            end--;
    }
    region->excerpt = (struct bytes){ source.data + from, end - from };
    region->marked = region->offset - from;
    uint32_t room = end - region->offset;
    region->marked_size = region->size < room ? region->size : room;
}

enum failure region_find(struct source *source, uint32_t offset, uint32_t size, struct region *region)
{
    if (size > source->text.length - offset)
        size = source->text.length - offset;
    *region = (struct region){ .offset = offset, .size = size };
    enum failure failure = lines_find(&source->lines, offset, &region->from);
    if (!failure)
        failure = lines_find(&source->lines, offset + size, &region->to);
    if (!failure)
        set_excerpt(region, source->text);
    return failure;
}

/* ---- texts ---- */

void text_add_object(struct text *text, const struct item *item)
{
    text_add_escaped(text, item->kind_name, LIMIT_QUOTE_BYTES);
    if (!item->kind_name.length || !item->name.length)
        return;
    text_add(text, " ");
    if (item->space.length) {
        text_add_escaped(text, item->space, LIMIT_QUOTE_BYTES);
        text_add(text, "/");
    }
    text_add_escaped(text, item->name, LIMIT_QUOTE_BYTES);
}

const char *object_name(struct text *text, const struct item *item)
{
    struct text object;
    text_init(&object, text->arena);
    text_add_object(&object, item);
    const char *name = text_end(&object);
    text->failed |= !name;
    return name && *name ? name : "document";
}

void text_add_message(struct text *text, const struct problem *problem)
{
    text_add_escaped(text, bytes_of(problem->path), LIMIT_MESSAGE_BYTES);
    text_add(text, *problem->path ? ": " : "");
    text_add(text, problem->message);
}

void text_add_finding(struct text *text, const struct problem *problem)
{
    text_add_object(text, problem->item);
    text_add(text, problem->item->kind_name.length ? ": " : "");
    text_add_message(text, problem);
}

static bool is_plain(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || (unsigned char)c >= 0x80 ||
           (c && strchr(" .,-/()", c));
}

void text_add_markup(struct text *text, struct bytes bytes, size_t limit)
{
    struct text safe;
    text_init(&safe, text->arena);
    text_add_escaped(&safe, bytes, limit);
    const char *end = text_end(&safe);
    text->failed |= !end;
    for (const char *at = end ? end : ""; *at; at++) {
        char code[8];
        snprintf(code, sizeof code, "&#%d;", *at);
        text_add_bytes(text, is_plain(*at) ? (struct bytes){ at, 1 } : bytes_of(code));
    }
}

void text_add_uri(struct text *text, const char *path)
{
    if (*path == '/')
        text_add(text, "file://");
    while (strncmp(path, "./", 2) == 0)
        path += 2;
    text_add_uri_path(text, path);
}

enum failure text_print_each(struct reporter *reporter, struct workspace *workspace, const struct report *report, FILE *out,
                             enum failure (*add)(struct reporter *reporter, struct text *text, const struct problem *problem))
{
    for (uint32_t i = 0; i < report->count; i++) {
        struct text text;
        workspace_clear(workspace);
        text_init(&text, &workspace->arena);
        enum failure failure = add(reporter, &text, &report->problems[i]);
        const char *printed = text_end(&text);
        if (failure || !printed)
            return failure ? failure : workspace->arena.failure;
        fputs(printed, out);
    }
    return FAILURE_NONE;
}

/* ---- fingerprints ---- */

/* FNV-1a, with a byte after each part so that parts cannot run together. Not for secrets: whoever writes a manifest may know it. */
static uint64_t hash_part(uint64_t hash, struct bytes part)
{
    for (uint32_t i = 0; i < part.length; i++)
        hash = (hash ^ (unsigned char)part.data[i]) * UINT64_C(0x100000001B3);
    return (hash ^ 0xFF) * UINT64_C(0x100000001B3);
}

struct fingerprint fingerprint_of(const struct problem *problem, bool with_message)
{
    const struct item *item = problem->item;
    const struct bytes parts[] = {
        bytes_of(problem->source->name), bytes_of(rule_info(problem->rule)->id), bytes_of(reason_info(problem->reason)->cause),
        bytes_of(problem->path), api_version_split(item->api_version).group, item->kind_name, item->space, item->name,
        bytes_of(with_message ? problem->message : ""),
    };
    uint64_t one = UINT64_C(0xCBF29CE484222325), other = UINT64_C(0x84222325CBF29CE4);
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        one = hash_part(one, parts[i]);
        other = hash_part(other, parts[i]);
    }
    struct fingerprint fingerprint;
    snprintf(fingerprint.text, sizeof fingerprint.text, "%016llx%016llx", (unsigned long long)one, (unsigned long long)other);
    return fingerprint;
}

/* ---- by item ---- */

static int by_address(const void *left, const void *right)
{
    const struct problem *a = *(const struct problem *const *)left, *b = *(const struct problem *const *)right;
    uintptr_t one = (uintptr_t)a->item, other = (uintptr_t)b->item;
    if (one != other)
        return one < other ? -1 : 1;
    return a < b ? -1 : a > b;
}

enum failure by_item_make(struct arena *arena, const struct report *report, struct by_item *by_item)
{
    *by_item = (struct by_item){ .count = report->count };
    if (!report->count)
        return FAILURE_NONE;
    by_item->list = arena_alloc(arena, report->count * sizeof *by_item->list);
    if (!by_item->list)
        return arena->failure;
    for (uint32_t i = 0; i < report->count; i++)
        by_item->list[i] = &report->problems[i];
    qsort(by_item->list, by_item->count, sizeof *by_item->list, by_address);
    return FAILURE_NONE;
}

const struct problem *const *by_item_find(const struct by_item *by_item, const struct item *item, uint32_t *count)
{
    uint32_t from = 0, to = by_item->count;
    while (from < to) {
        uint32_t middle = from + (to - from) / 2;
        if ((uintptr_t)by_item->list[middle]->item < (uintptr_t)item)
            from = middle + 1;
        else
            to = middle;
    }
    for (to = from; to < by_item->count && by_item->list[to]->item == item;)
        to++;
    *count = to - from;
    return by_item->list + from;
}

/* ---- JSON ---- */

bool json_add_text(cJSON *object, const char *name, const char *value)
{
    return object && value && cJSON_AddStringToObject(object, name, value);
}

bool json_add_bytes(struct workspace *workspace, cJSON *object, const char *name, struct bytes bytes)
{
    struct text text;
    uint32_t code;
    text_init(&text, &workspace->arena);
    for (uint32_t at = 0, length; at < bytes.length; at += length) {
        unsigned character = utf8_decode((const unsigned char *)bytes.data + at, bytes.length - at, &code);
        length = character ? character : 1;
        text_add_bytes(&text, character ? (struct bytes){ bytes.data + at, length } : bytes_of(UTF8_REPLACEMENT));
    }
    return json_add_text(object, name, text_end(&text));
}

enum failure json_print(FILE *out, const char *before, bool good, cJSON *object)
{
    char *json = good ? cJSON_PrintUnformatted(object) : NULL;
    cJSON_Delete(object);
    if (!json)
        return FAILURE_MEMORY;
    fprintf(out, "%s%s\n", before, json);
    free(json);
    return FAILURE_NONE;
}

enum failure json_print_each(struct reporter *reporter, struct workspace *workspace, const struct report *report, const char *between,
                             bool (*fill)(struct reporter *reporter, struct workspace *workspace, cJSON *object,
                                          const struct problem *problem))
{
    enum failure failure = FAILURE_NONE;
    for (uint32_t i = 0; i < report->count && !failure; i++) {
        cJSON *object = cJSON_CreateObject();
        workspace_clear(workspace);
        bool good = object && fill(reporter, workspace, object, &report->problems[i]);
        failure = json_print(reporter->out, reporter->any ? between : "", good, object);
        reporter->any = true;
    }
    return failure;
}
