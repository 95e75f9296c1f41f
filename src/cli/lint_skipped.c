/* What lint does not validate, and why, for --verbose. */
#include <stdio.h>

#include "base/escape.h"
#include "cli/lint.h"

static const char *reason_of(const struct item *item, bool skips_templates)
{
    if (skips_templates && item->is_template)
        return item->type == ITEM_UNREADABLE ? "a template, which cannot be read before it is rendered"
                                             : "a template, whose apiVersion or kind is still to be filled in";
    switch (item->type) {
    case ITEM_OTHER_KIND: return item->kind ? "a kind without rules, which others refer to" : "a kind without rules";
    case ITEM_NO_OBJECT:  return "no apiVersion and kind";
    case ITEM_OBJECT:
    case ITEM_UNREADABLE: break;
    }
    return NULL;
}

void lint_say_skipped_items(const struct lint_options *options, struct source *source, bool skips_templates)
{
    for (const struct item *item = source->first; item && options->verbose; item = item->next) {
        struct position position = { .line = 1 };
        const char *why = reason_of(item, skips_templates);
        uint32_t offset = item->node ? item->node->offset : item->error.offset;
        if (!why || lines_find(&source->lines, offset, &position))
            continue;
        char object[LIMIT_QUOTE_BYTES];
        snprintf(object, sizeof object, "%.*s%s%.*s", (int)item->kind_name.length, item->kind_name.data ? item->kind_name.data : "",
                 item->name.length ? " " : "", (int)item->name.length, item->name.data ? item->name.data : "");
        fprintf(stderr, "drawbridge %s: %s:%u: skipped%s%s: %s\n", options->supply ? "scan" : "lint", escape_text(source->name).text,
                position.line, *object ? " " : "", escape_text(object).text, why);
    }
}
