/* StorageClass.allowedTopologies: no term may select what an earlier one selects. A term is the map from its keys to the sets
 * of their values (the last expression of a key counts); the API server's list of earlier terms wrongly begins with empty
 * maps, so that a term without expressions is always a repetition.
 * Source: k8s.io/kubernetes v1.35.4 pkg/apis/storage/validation/validation.go validateAllowedTopologies. */
#include <stdlib.h>

#include "rules/cross/common.h"

struct expression {
    struct bytes key;
    struct value values;
    uint32_t index;
};

/* Sorts by key, the later of two expressions with one key first. */
static int compare_expressions(const void *a, const void *b)
{
    const struct expression *x = a, *y = b;
    int order = bytes_compare(x->key, y->key);
    return order ? order : (x->index < y->index) - (x->index > y->index);
}

static int compare_values(const void *a, const void *b)
{
    const struct bytes *x = a, *y = b;
    return bytes_compare(*x, *y);
}

/* Lengths make the encoding unambiguous. */
static void add_counted(struct text *text, struct bytes bytes)
{
    text_add_integer(text, bytes.length);
    text_add(text, ":");
    text_add_bytes(text, bytes);
}

static void add_values(struct cross *cross, struct text *text, struct value list)
{
    struct bytes *values = cross_alloc(cross, cross_scratch(cross), (value_count(list) + 1) * sizeof *values);
    if (!values)
        return;
    value_each(list, value)
        values[value.index] = value_text(value);
    qsort(values, value_count(list), sizeof *values, compare_values);
    text_add(text, "[");
    for (uint32_t i = 0; i < value_count(list); i++)
        if (i == 0 || !bytes_equal(values[i], values[i - 1]))
            add_counted(text, values[i]);
    text_add(text, "]");
}

/* What a term with expressions selects, as text that is equal for equal terms. */
static void add_term(struct cross *cross, struct text *text, struct value list)
{
    struct expression *expressions = cross_alloc(cross, cross_scratch(cross), value_count(list) * sizeof *expressions);
    if (!expressions)
        return;
    value_each(list, each)
        expressions[each.index] = (struct expression){ value_text_at(cross, each, "key"), value_at(cross, each, "values"), each.index };
    qsort(expressions, value_count(list), sizeof *expressions, compare_expressions);
    for (uint32_t i = 0; i < value_count(list); i++) {
        if (i && bytes_equal(expressions[i].key, expressions[i - 1].key))
            continue;
        add_counted(text, expressions[i].key);
        add_values(cross, text, expressions[i].values);
    }
}

/* Whether one of the terms before it selects the same. */
static bool is_repeated(struct cross *cross, struct map *seen, struct value list)
{
    if (!value_count(list))
        return true;
    struct text text = cross_text(cross);
    add_term(cross, &text, list);
    struct bytes selected = { cross_end_text(cross, &text), (uint32_t)text.length };
    return selected.data && map_add(seen, selected, list.node);
}

void cross_unique_topology_terms(struct cross *cross)
{
    struct map seen;
    if (!cross_map(cross, &seen, cross_scratch(cross), value_count(cross_value(cross))))
        return;
    value_each(cross_value(cross), term)
        if (is_repeated(cross, &seen, value_at(cross, term, "matchLabelExpressions")))
            cross_report(cross, (struct cross_report){ .at = term, .below = "matchLabelExpressions" });
}
