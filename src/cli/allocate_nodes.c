/* drawbridge allocate --with-node: nodes that do not exist yet, as copies of a file's objects under other names. */
#include <stdio.h>

#include "allocate/result.h"
#include "base/limits.h"
#include "cli/allocate.h"

enum { NODES_MAX = 16 }; /* in one file */

/* The names that each copy changes, and how. */
struct renaming {
    struct bytes names[NODES_MAX];
    uint32_t count;
    char suffix[16];
};

static bool is_renamed(const struct renaming *renaming, struct bytes text)
{
    for (uint32_t i = 0; i < renaming->count; i++)
        if (bytes_equal(renaming->names[i], text))
            return true;
    return false;
}

static void add_text(struct text *json, struct bytes text, const char *suffix)
{
    struct text joined;
    text_init(&joined, json->arena);
    text_add_bytes(&joined, text);
    text_add(&joined, suffix);
    const char *end = text_end(&joined);
    allocate_json_add_text(json, (struct bytes){ end ? end : "", end ? (uint32_t)joined.length : 0 });
}

/* Adds a value in which every text that is the name of a node has the suffix, and the text at the path (NULL: none), too. */
static void add_renamed(struct text *json, const struct doc_node *node, const struct renaming *renaming, const char *const *path)
{
    bool object = node->type == DOC_OBJECT, named = node->type == DOC_STRING && is_renamed(renaming, doc_text(node));
    if (named || (node->type == DOC_STRING && path && !*path)) {
        add_text(json, doc_text(node), renaming->suffix);
        return;
    }
    if (!object && node->type != DOC_ARRAY) {
        allocate_json_add(json, node);
        return;
    }
    text_add(json, object ? "{" : "[");
    doc_each(node, child) { /* the readers bound how deep it goes */
        bool on_path = object && path && *path && bytes_equal_text(doc_name(child), *path);
        text_add(json, child != node->first ? "," : "");
        if (object) {
            allocate_json_add_text(json, doc_name(child));
            text_add(json, ":");
        }
        add_renamed(json, child, renaming, on_path ? path + 1 : NULL);
    }
    text_add(json, object ? "}" : "]");
}

/* A slice; its own name, and that of its pool, are others in each copy. */
static void add_slice(struct text *json, const struct doc_node *slice, const struct renaming *renaming)
{
    static const char *const name[] = { "name", NULL }, *const pool[] = { "pool", "name", NULL };
    text_add(json, "{");
    doc_each(slice, child) {
        bool metadata = bytes_equal_text(doc_name(child), "metadata"), spec = bytes_equal_text(doc_name(child), "spec");
        text_add(json, child != slice->first ? "," : "");
        allocate_json_add_text(json, doc_name(child));
        text_add(json, ":");
        add_renamed(json, child, renaming, metadata ? name : spec ? pool : NULL);
    }
    text_add(json, "}");
}

static bool is_node(const struct item *item)
{
    return match_is(item, "", "Node");
}

static void find_names(const struct source *sources, struct renaming *renaming)
{
    renaming->count = 0;
    for (const struct source *source = sources; source; source = source->next)
        for (const struct item *item = source->first; item; item = item->next)
            if (is_node(item) && item->name.length && renaming->count < NODES_MAX)
                renaming->names[renaming->count++] = item->name;
}

static void add_copy(struct text *json, const struct source *sources, const struct renaming *renaming, const char **between)
{
    for (const struct source *source = sources; source; source = source->next)
        for (const struct item *item = source->first; item && !json->failed; item = item->next) {
            if (!is_node(item) && !match_is_slice(item))
                continue;
            text_add(json, *between);
            *between = ",\n";
            if (is_node(item))
                add_renamed(json, item->node, renaming, NULL);
            else
                add_slice(json, item->node, renaming);
        }
}

/* A List of the copies. */
static const char *make_copies(const struct source *sources, struct renaming *renaming, struct arena *arena, unsigned count)
{
    struct text json;
    const char *between = "";
    text_init(&json, arena);
    text_add(&json, "{\"apiVersion\":\"v1\",\"kind\":\"List\",\"items\":[");
    for (unsigned i = 1; i <= count && json.length < LIMIT_FILE_BYTES; i++) {
        snprintf(renaming->suffix, sizeof renaming->suffix, "-new-%u", i);
        add_copy(&json, sources, renaming, &between);
    }
    text_add(&json, "]}");
    return json.length < LIMIT_FILE_BYTES ? text_end(&json) : NULL;
}

static bool say(const struct inputs *inputs, const char *why)
{
    command_error(inputs->command, EXIT_USAGE, "--with-node: %s", why);
    return false;
}

bool allocate_add_nodes(struct inputs *inputs, struct arena *arena, const char *path, unsigned count)
{
    struct source *before = inputs->sources.sources.last, *made;
    struct renaming renaming;
    inputs_add(inputs, path);
    const struct source *sources = before ? before->next : inputs->sources.sources.first;
    find_names(sources, &renaming);
    if (inputs->status)
        return false;
    if (!renaming.count)
        return say(inputs, "there is no Node in the file");
    const char *text = make_copies(sources, &renaming, arena, count);
    if (!text)
        return say(inputs, "so many copies need more memory than there is");
    while (inputs->sources.sources.last != before) /* the file itself is no node of the cluster */
        source_set_forget_last(&inputs->sources);
    enum failure failure = source_set_add(&inputs->sources, path, bytes_of(text), &made);
    return !failure || say(inputs, failure_text(failure));
}
