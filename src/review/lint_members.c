/* Reads the members of a configuration that have texts and words, most of them for lint alone. */
#include <stddef.h>

#include "review/configuration_schema.h"
#include "review/limits.h"
#include "review/reading.h"

/* ---- words ---- */

/* Sets *index to that of the word; false: it is none of them. */
static bool find_word(const struct doc_node *node, const char *const *words, unsigned *index)
{
    for (unsigned i = 0; node && node->type == DOC_STRING && words[i]; i++) {
        if (bytes_equal_text(doc_text(node), words[i])) {
            *index = i;
            return true;
        }
    }
    return false;
}

static void read_words(struct reading *reading, const struct doc_node *root)
{
    struct configuration *configuration = reading->configuration;
    unsigned index = 0;
    configuration->has_fail_on = find_word(doc_member(root, "failOn"), fail_on_words, &index);
    if (configuration->has_fail_on)
        configuration->fail_on = (enum level)index;
    configuration->has_unknown_fields = find_word(doc_member(root, "unknownFields"), unknown_fields_words, &index);
    if (configuration->has_unknown_fields)
        configuration->unknown_fields = (enum unknown_fields)index;
    configuration->has_templates = find_word(doc_member(root, "templates"), templates_words, &index);
    if (configuration->has_templates)
        configuration->templates = (enum templates)index;
}

/* ---- texts ---- */

static const struct text_list {
    const char *name;
    size_t at; /* of its struct configured_texts */
} text_lists[] = {
    { "drivers", offsetof(struct configuration, drivers) },
    { "exclude", offsetof(struct configuration, exclude) },
    { "sets",    offsetof(struct configuration, sets)    },
    { "with",    offsetof(struct configuration, with)    },
    { "formats", offsetof(struct configuration, formats) },
};

static void read_text(struct reading *reading, const char *name, const struct doc_node *node, struct configured_text *text)
{
    struct position position;
    struct bytes written = node->type == DOC_STRING ? doc_text(node) : (struct bytes){ "", 0 };
    if (node->type != DOC_STRING || memchr(written.data, '\0', written.length) || memchr(written.data, '\n', written.length)) {
        reading_mistake(reading, node->offset, name, "each must be a text without line breaks");
        return;
    }
    reading->failure = reading->failure ? reading->failure : lines_find(&reading->lines, node->offset, &position);
    if (!reading->failure)
        *text = (struct configured_text){ reading_keep_text(reading, written).data, position.line, position.column };
}

static void read_texts(struct reading *reading, const struct text_list *list, const struct doc_node *node)
{
    struct configured_texts *texts = (struct configured_texts *)(void *)((char *)reading->configuration + list->at);
    uint32_t count = node && node->type == DOC_ARRAY ? node->count : 0;
    struct configured_text *kept = count ? reading_keep(reading, count * sizeof *kept) : NULL;
    if (!kept)
        return;
    doc_each(node, element)
        read_text(reading, list->name, element, &kept[texts->count++]);
    texts->list = kept;
}

void reading_lint(struct reading *reading, const struct doc_node *root)
{
    for (size_t i = 0; i < sizeof text_lists / sizeof *text_lists; i++)
        read_texts(reading, &text_lists[i], doc_member(root, text_lists[i].name));
    reading->configuration->select = reading_rules(reading, "select", doc_member(root, "select"));
    reading->configuration->ignore = reading_rules(reading, "ignore", doc_member(root, "ignore"));
    read_words(reading, root);
}
