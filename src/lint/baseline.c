#include "lint/baseline.h"

#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/text.h"
#include "base/utf8.h"
#include "check/context.h"
#include "doc/json.h"
#include "doc/lines.h"

void baseline_init(struct baseline *baseline)
{
    *baseline = (struct baseline){ .list = NULL };
    arena_init(&baseline->arena, &memory_malloc, 4 * (size_t)LIMIT_BASELINE_BYTES);
}

void baseline_done(struct baseline *baseline)
{
    arena_done(&baseline->arena);
    free(baseline->list);
    baseline->list = NULL;
}

/* ---- entries ---- */

static int compare(const struct baseline_entry *a, const struct baseline_entry *b)
{
    int order = bytes_compare(a->file, b->file);
    order = order ? order : bytes_compare(a->object, b->object);
    order = order ? order : bytes_compare(a->path, b->path);
    order = order ? order : bytes_compare(a->rule, b->rule);
    return order ? order : bytes_compare(a->message, b->message);
}

static int by_words(const void *a, const void *b)
{
    return compare(a, b);
}

/* Sorts, and makes one of those that are alike. */
static void sort(struct baseline *baseline)
{
    uint32_t kept = 0;
    if (baseline->count)
        qsort(baseline->list, baseline->count, sizeof *baseline->list, by_words);
    for (uint32_t i = 0; i < baseline->count; i++) {
        if (kept && compare(&baseline->list[kept - 1], &baseline->list[i]) == 0)
            baseline->list[kept - 1].count += baseline->list[i].count;
        else
            baseline->list[kept++] = baseline->list[i];
    }
    baseline->count = kept;
}

static enum failure add(struct baseline *baseline, const struct baseline_entry *entry)
{
    bool full = baseline->count == baseline->capacity;
    if (full)
        sort(baseline); /* those that are alike make room */
    if (full && baseline->count >= LIMIT_BASELINE_ENTRIES)
        return FAILURE_LIMIT;
    if (full && 2 * baseline->count >= baseline->capacity) {
        uint32_t more = baseline->capacity ? 2 * baseline->capacity : 256;
        struct baseline_entry *grown = reallocarray(baseline->list, more, sizeof *grown);
        if (!grown)
            return FAILURE_MEMORY;
        baseline->list = grown;
        baseline->capacity = more;
    }
    baseline->list[baseline->count++] = *entry;
    return FAILURE_NONE;
}

/* "StorageClass.storage.k8s.io default/fast"; without a kind that can be read, "". */
static struct bytes object_of(struct arena *arena, const struct item *item)
{
    struct text text;
    const struct api_version api = api_version_split(item->api_version);
    text_init(&text, arena);
    text_add_bytes(&text, item->kind_name);
    text_add(&text, api.group.length ? "." : "");
    text_add_bytes(&text, api.group);
    text_add(&text, item->name.length ? " " : "");
    text_add_bytes(&text, item->space);
    text_add(&text, item->space.length ? "/" : "");
    text_add_bytes(&text, item->name);
    const char *end = text_end(&text);
    return end ? (struct bytes){ end, (uint32_t)text.length } : (struct bytes){ "", 0 };
}

static struct bytes kept(struct arena *arena, struct bytes text)
{
    char *copy = arena_text(arena, text.length + 1u);
    if (!copy)
        return (struct bytes){ "", 0 };
    if (text.length)
        memcpy(copy, text.data, text.length);
    copy[text.length] = '\0';
    return (struct bytes){ copy, text.length };
}

enum failure baseline_add(struct baseline *baseline, struct bytes file, const struct report *report)
{
    struct bytes name = kept(&baseline->arena, file);
    enum failure failure = counts_findings(&report->counts) > report->count ? FAILURE_LIMIT : baseline->arena.failure;
    for (uint32_t i = 0; i < report->count && !failure; i++) {
        const struct problem *problem = &report->problems[i];
        const struct baseline_entry entry = {
            .file = name,
            .rule = bytes_of(rule_info(problem->rule)->id),
            .object = object_of(&baseline->arena, problem->item),
            .path = kept(&baseline->arena, bytes_of(problem->path)),
            .message = kept(&baseline->arena, bytes_of(problem->message)),
            .count = 1,
        };
        failure = baseline->arena.failure ? baseline->arena.failure : add(baseline, &entry);
    }
    return failure;
}

static struct baseline_entry *find(const struct baseline *baseline, const struct baseline_entry *wanted)
{
    return baseline->count ? bsearch(wanted, baseline->list, baseline->count, sizeof *baseline->list, by_words) : NULL;
}

/* The first of the file's entries, which come one after another; or where they would be. */
static uint32_t first_of(const struct baseline *baseline, struct bytes file)
{
    uint32_t low = 0, high = baseline->count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (bytes_compare(baseline->list[middle].file, file) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* The file's entries are for this run. */
static void note_file(struct baseline *baseline, struct bytes file)
{
    for (uint32_t i = first_of(baseline, file); i < baseline->count && bytes_equal(baseline->list[i].file, file); i++)
        baseline->list[i].read = true;
}

void baseline_forget(struct baseline *baseline, struct bytes file)
{
    for (uint32_t i = first_of(baseline, file); i < baseline->count && bytes_equal(baseline->list[i].file, file); i++)
        baseline->list[i].seen = 0;
}

enum failure baseline_apply(struct baseline *baseline, struct bytes file, const struct suppression_lock *lock, struct arena *arena,
                            struct report *report, size_t *known)
{
    enum failure failure = FAILURE_NONE;
    uint32_t left = 0;
    note_file(baseline, file);
    for (uint32_t i = 0; i < report->count && !failure; i++) {
        const struct problem *problem = &report->problems[i];
        const struct baseline_entry wanted = {
            .file = file,
            .rule = bytes_of(rule_info(problem->rule)->id),
            .object = object_of(&baseline->arena, problem->item),
            .path = bytes_of(problem->path),
            .message = bytes_of(problem->message),
        };
        struct baseline_entry *entry = find(baseline, &wanted);
        if (wanted.object.length)
            arena_take_back(&baseline->arena, wanted.object.data);
        if (entry && entry->seen < entry->count && !lock->locks(lock->self, problem)) {
            entry->seen++;
            (*known)++;
            failure = report_hide(report, problem, arena);
        } else {
            report->problems[left++] = *problem;
        }
    }
    report->count = left;
    return failure ? failure : baseline->arena.failure;
}

size_t baseline_gone(const struct baseline *baseline)
{
    size_t gone = 0;
    for (uint32_t i = 0; i < baseline->count; i++)
        gone += baseline->list[i].read ? baseline->list[i].count - baseline->list[i].seen : 0;
    return gone;
}

/* ---- JSON ---- */

/* What JSON cannot hold is U+FFFD. */
static void add_string(struct text *text, struct bytes value)
{
    uint32_t code;
    text_add(text, "\"");
    for (uint32_t at = 0, length; at < value.length; at += length) {
        char escape[8];
        unsigned known = utf8_decode((const unsigned char *)value.data + at, value.length - at, &code);
        length = known ? known : 1;
        snprintf(escape, sizeof escape, "\\u%04x", (unsigned char)value.data[at]);
        if (!known)
            text_add(text, UTF8_REPLACEMENT);
        else if (code < 0x20 || code == '"' || code == '\\')
            text_add(text, escape);
        else
            text_add_bytes(text, (struct bytes){ value.data + at, length });
    }
    text_add(text, "\"");
}

static const struct member {
    const char *name;
    size_t at;
} members[] = {
    { "file",    offsetof(struct baseline_entry, file)    },
    { "object",  offsetof(struct baseline_entry, object)  },
    { "path",    offsetof(struct baseline_entry, path)    },
    { "rule",    offsetof(struct baseline_entry, rule)    },
    { "message", offsetof(struct baseline_entry, message) },
};
enum { MEMBERS = sizeof members / sizeof *members };

static struct bytes *member_of(struct baseline_entry *entry, int member)
{
    return (struct bytes *)(void *)((char *)entry + members[member].at);
}

const char *baseline_text(struct baseline *baseline)
{
    struct text text;
    sort(baseline);
    text_init(&text, &baseline->arena);
    text_add(&text, "{\"apiVersion\": \"drawbridge.dev/v1alpha1\", \"kind\": \"Baseline\", \"findings\": [");
    for (uint32_t i = 0; i < baseline->count; i++) {
        text_add(&text, i ? ",\n{" : "\n{");
        for (int member = 0; member < MEMBERS; member++) {
            add_string(&text, bytes_of(members[member].name));
            text_add(&text, ": ");
            add_string(&text, *member_of(&baseline->list[i], member));
            text_add(&text, ", ");
        }
        text_add(&text, "\"count\": ");
        text_add_integer(&text, baseline->list[i].count);
        text_add(&text, "}");
    }
    text_add(&text, baseline->count ? "\n]}\n" : "]}\n");
    return text_end(&text);
}

/* ---- reading ---- */

static bool refuse(struct bytes text, uint32_t offset, const char *why, struct error *error)
{
    struct lines lines;
    struct position position = { .line = 1, .column = 1 };
    lines_init(&lines, &memory_malloc, text);
    bool found = !lines_find(&lines, offset, &position);
    lines_done(&lines);
    return found ? error_set(error, FAILURE_SYNTAX, "%u:%u: %s", position.line, position.column, why)
                 : error_set(error, FAILURE_MEMORY, "%s", failure_text(FAILURE_MEMORY));
}

static bool read_entry(struct baseline *baseline, struct bytes text, const struct doc_node *node, struct error *error)
{
    struct baseline_entry entry = { .count = 0 };
    int64_t count;
    const struct doc_node *number = doc_member(node, "count");
    for (int member = 0; member < MEMBERS; member++) {
        const struct doc_node *value = doc_member(node, members[member].name);
        if (!value || value->type != DOC_STRING)
            return refuse(text, node->offset, "a finding has the texts file, object, path, rule and message, and a count", error);
        *member_of(&entry, member) = kept(&baseline->arena, doc_text(value));
    }
    if (!number || number->type != DOC_NUMBER || !doc_integer(number, 1, INT32_MAX, &count))
        return refuse(text, number ? number->offset : node->offset, "a count is a number from 1 on", error);
    entry.count = (uint32_t)count;
    enum failure failure = baseline->arena.failure ? baseline->arena.failure : add(baseline, &entry);
    return !failure || error_set(error, failure, "%s", failure == FAILURE_LIMIT ? "more than 65,536 findings" : failure_text(failure));
}

bool baseline_read(struct baseline *baseline, struct workspace *workspace, struct bytes text, struct error *error)
{
    struct document document;
    struct doc_error wrong = { .message = NULL };
    uint32_t end;
    const struct json_input input = {
        .source = text, .alone = true, .profile = JSON_STRICT, .arena = &workspace->arena, .key = workspace->context->key,
    };
    workspace_clear(workspace);
    enum failure failure = json_read(&input, &document, &end, &wrong);
    if (failure && !wrong.message)
        return error_set(error, failure, "%s", failure_text(failure));
    if (failure)
        return refuse(text, wrong.offset, wrong.message, error);
    const struct doc_node *findings = doc_member(document.root, "findings");
    if (!bytes_equal_text(doc_member_text(document.root, "kind"), "Baseline") ||
        !bytes_equal_text(doc_member_text(document.root, "apiVersion"), "drawbridge.dev/v1alpha1") || !findings ||
        findings->type != DOC_ARRAY)
        return refuse(text, document.root->offset, "is no baseline, which --write-baseline writes", error);
    bool good = true;
    for (const struct doc_node *node = findings->first; node && good; node = node->next)
        good = read_entry(baseline, text, node, error);
    sort(baseline);
    workspace_clear(workspace);
    return good;
}
