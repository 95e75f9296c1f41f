/* drawbridge allocate: status.allocation of claims as YAML. */
#include <strings.h>

#include "allocate/result.h"
#include "base/limits.h"
#include "cli/allocate.h"

/* Whether YAML reads the text as that text without quotes. */
static bool is_plain(struct bytes text)
{
    static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
    static const char *const words[] = { "true", "false", "yes", "no", "on", "off", "null", "y", "n" };
    if (!text.length || !strchr(letters, text.data[0]))
        return false;
    for (uint32_t i = 0; i < text.length; i++)
        if (!strchr(letters, text.data[i]) && !strchr("0123456789-_./", text.data[i]))
            return false;
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (strlen(words[i]) == text.length && strncasecmp(words[i], text.data, text.length) == 0)
            return false;
    return true;
}

/* Quoted as JSON does it, which YAML reads, too. */
static void add_text(struct text *yaml, struct bytes text)
{
    if (is_plain(text))
        text_add_bytes(yaml, text);
    else
        allocate_json_add_text(yaml, text);
}

static void indent(struct text *yaml, unsigned depth)
{
    text_add(yaml, "\n");
    for (unsigned i = 0; i < depth; i++)
        text_add(yaml, "  ");
}

/* Adds a value after "name:" or "-". What it contains begins in a new line, but for the first member of an object in a list. The readers
 * bound how deep it goes. */
static void add_value(struct text *yaml, const struct doc_node *node, unsigned depth, bool in_list)
{
    if (!doc_first(node)) {
        text_add(yaml, " ");
        if (node->type == DOC_STRING)
            add_text(yaml, doc_text(node));
        else
            allocate_json_add(yaml, node);
        return;
    }
    doc_each(node, child) {
        bool same_line = in_list && child == node->first && node->type == DOC_OBJECT;
        if (same_line)
            text_add(yaml, " ");
        else
            indent(yaml, depth);
        if (node->type == DOC_ARRAY) {
            text_add(yaml, "-");
        } else {
            add_text(yaml, doc_name(child));
            text_add(yaml, ":");
        }
        add_value(yaml, child, depth + 1, node->type == DOC_ARRAY);
    }
}

/* The claim's document: a patch of its status. */
static void add_claim(struct text *yaml, const struct allocate_report *report, const struct doc_node *claim,
                      const struct allocate_node *node)
{
    struct bytes space = doc_member_text(claim, "namespace");
    text_add(yaml, "---\n# ");
    allocate_report_add_subject(yaml, report);
    text_add(yaml, ", on ");
    text_add_escaped(yaml, node->given.name, LIMIT_ALLOCATE_NAME_BYTES);
    text_add(yaml, "\napiVersion: resource.k8s.io/v1\nkind: ResourceClaim\nmetadata:\n  name: ");
    add_text(yaml, doc_member_text(claim, "claim"));
    if (space.data) {
        text_add(yaml, "\n  namespace: ");
        add_text(yaml, space);
    }
    text_add(yaml, "\nstatus:\n  allocation:");
    add_value(yaml, doc_member(claim, "allocation"), 2, false);
    text_add(yaml, "\n");
}

enum failure allocate_report_add_yaml(struct text *yaml, const struct allocate_report *report, struct map_key key)
{
    struct document document;
    uint32_t i = 0;
    while (i < report->count && !report->replies[i].fits)
        i++;
    if (i == report->count) {
        text_add(yaml, "# ");
        allocate_report_add_subject(yaml, report);
        text_add(yaml, " fits on no node\n");
        return FAILURE_NONE;
    }
    enum failure failure = allocate_reply_read(&report->replies[i], report->arena, key, &document);
    if (failure)
        return failure;
    doc_each(document.root, claim)
        add_claim(yaml, report, claim, report->replies[i].node);
    return FAILURE_NONE;
}
