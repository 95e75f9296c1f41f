/* What the selectors and the configuration of a class say about it: kept, as many claims may name one class. */
#include "rules/cross/common.h"
#include "rules/cross/lookup.h"
#include "rules/cross/outcome.h"

/* What is known of a class, from its selectors and configuration. */
struct class_facts {
    bool one_driver;
    bool takes_all;      /* of that driver; or of every one */
    struct bytes driver; /* where there is one: for which all selectors are */
    struct map mentions; /* texts in selectors, and drivers of the configuration */
};

/* A text of an expression, in memory as long as the set: most are parts of the expression itself; those with escapes are copied. */
static struct bytes keep_text(struct cross *cross, struct bytes expression, struct bytes text)
{
    uintptr_t at = (uintptr_t)text.data, start = (uintptr_t)expression.data;
    if (at >= start && at < start + expression.length)
        return text;
    char *copy = cross_alloc(cross, cross_kept_arena(cross), text.length);
    if (!copy)
        return (struct bytes)BYTES("");
    memcpy(copy, text.data, text.length);
    return (struct bytes){ copy, text.length };
}

struct mentions {
    struct cross *cross;
    struct map *map; /* NULL: they are only counted */
    struct bytes expression;
    uint32_t count;
};

static bool add_mention(const struct cel_node *node, void *self)
{
    struct mentions *mentions = self;
    if (node->kind != CEL_NODE_LITERAL || node->literal.type != CEL_STRING || node->literal.text.length == 0)
        return true;
    mentions->count++;
    if (mentions->map) {
        struct bytes text = keep_text(mentions->cross, mentions->expression, node->literal.text);
        (void)map_add(mentions->map, text, text.data);
    }
    return true;
}

/* Goes through the texts of an expression: counts them, or adds them where there is a map. Returns the tree. */
static const struct cel_node *find_mentions(struct mentions *mentions, struct value selector)
{
    mentions->expression = value_text_at(mentions->cross, selector, "cel.expression");
    const struct cel_node *root = lookup_tree(mentions->cross, mentions->expression);
    if (root)
        (void)lookup_walk(root, add_mention, mentions);
    return root;
}

/* One expression is compiled at a time, so each is compiled twice: to count its texts, and to keep them. */
static void find_facts(struct cross *cross, struct value class, struct class_facts *facts)
{
    struct value selectors = value_at(cross, class, "spec.selectors"), configs = value_at(cross, class, "spec.config");
    struct mentions mentions = { .cross = cross, .count = value_count(configs) };
    if (value_count(selectors) > MAX_SELECTORS || value_count(configs) > MAX_SELECTORS)
        return; /* no class that can be */
    value_each(selectors, counted)
        (void)find_mentions(&mentions, counted);
    if (!cross_map(cross, &facts->mentions, cross_kept_arena(cross), mentions.count))
        return;
    mentions.map = &facts->mentions;
    value_each(selectors, selector) {
        const struct cel_node *root = find_mentions(&mentions, selector);
        if (root && !facts->one_driver && lookup_one_driver(root, &facts->driver)) {
            facts->one_driver = true;
            facts->driver = keep_text(cross, mentions.expression, facts->driver);
        }
    }
    struct outcome_device device = { .cross = cross, .driver = facts->driver };
    facts->takes_all = outcome_of_selectors(&device, selectors, &(struct value){ .shape = NULL }) == OUTCOME_TRUE;
    value_each(configs, config) {
        struct value driver = value_at(cross, config, "opaque.driver");
        if (value_is_set(driver))
            (void)map_add(&facts->mentions, value_text(driver), driver.node);
    }
}

/* NULL: there is no memory. */
static const struct class_facts *facts_of(struct cross *cross, struct indexed *class)
{
    if (class->memo)
        return class->memo;
    struct class_facts *facts = cross_alloc(cross, cross_kept_arena(cross), sizeof *facts);
    if (facts)
        find_facts(cross, indexed_root(class), facts);
    if (cross_failed(cross))
        return NULL;
    class->memo = facts;
    return facts;
}

bool cross_class_driver(struct cross *cross, struct indexed *class, struct bytes *driver)
{
    const struct class_facts *facts = facts_of(cross, class);
    if (facts && facts->one_driver)
        *driver = facts->driver;
    return facts && facts->one_driver;
}

bool cross_class_mentions(struct cross *cross, struct indexed *class, struct bytes driver)
{
    const struct class_facts *facts = facts_of(cross, class);
    return facts && facts->mentions.slots && map_find(&facts->mentions, driver);
}

bool cross_class_takes_all(struct cross *cross, struct indexed *class, struct bytes *driver)
{
    const struct class_facts *facts = facts_of(cross, class);
    if (facts && facts->takes_all)
        *driver = facts->driver;
    return facts && facts->takes_all;
}
