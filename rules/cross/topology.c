/* StorageClass.allowedTopologies: no term may select what an earlier one selects. A term is the map from its keys to the sets
 * of their values (the last expression of a key counts); the API server's list of earlier terms wrongly begins with empty
 * maps, so that a term without expressions is always a repetition.
 * Source: k8s.io/kubernetes v1.35.4 pkg/apis/storage/validation/validation.go validateAllowedTopologies. */
#include <stdlib.h>

#include "check/cross.h"
#include "rules/tables.h"

struct expression {
    struct bytes key;
    const struct doc_node *values;
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

static void add_values(struct cross *cross, struct text *text, const struct doc_node *list)
{
    struct bytes *values = arena_alloc(cross_scratch(cross), (list->count + 1) * sizeof *values);
    uint32_t count = 0;
    if (!values) {
        text->failed = true;
        return;
    }
    doc_each(list, value)
        values[count++] = value->type == DOC_STRING ? doc_text(value) : (struct bytes){ "", 0 };
    qsort(values, count, sizeof *values, compare_values);
    text_add(text, "[");
    for (uint32_t i = 0; i < count; i++)
        if (i == 0 || !bytes_equal(values[i], values[i - 1]))
            add_counted(text, values[i]);
    text_add(text, "]");
}

/* What `term` selects, as text that is equal for equal terms. text->failed when memory is short. */
static void add_term(struct cross *cross, struct text *text, const struct shape *requirement, const struct doc_node *list)
{
    struct expression *expressions = arena_alloc(cross_scratch(cross), (list->count + 1) * sizeof *expressions);
    uint32_t count = 0;
    if (!expressions) {
        text->failed = true;
        return;
    }
    doc_each(list, expression) {
        const struct doc_node *key = cross_member(cross, requirement, expression, "key");
        expressions[count] = (struct expression){ doc_text(key), cross_member(cross, requirement, expression, "values"), count };
        count++;
    }
    qsort(expressions, count, sizeof *expressions, compare_expressions);
    for (uint32_t i = 0; i < count; i++) {
        if (i && bytes_equal(expressions[i].key, expressions[i - 1].key))
            continue;
        add_counted(text, expressions[i].key);
        add_values(cross, text, expressions[i].values);
    }
}

void cross_unique_topology_terms(struct cross *cross)
{
    const struct doc_node *terms = cross_value(cross);
    const struct shape *term_shape = cross_shape(cross)->of;
    struct map seen;
    enum failure failure = FAILURE_NONE;
    uint32_t index = 0;
    if (!cross_map(cross, &seen, cross_scratch(cross), terms->count))
        return;
    for (const struct doc_node *term = doc_first(terms); term && !failure; term = term->next, index++) {
        const struct doc_node *list = cross_member(cross, term_shape, term, "matchLabelExpressions");
        struct text text;
        text_init(&text, cross_scratch(cross));
        add_term(cross, &text, cross_member_shape(term_shape, "matchLabelExpressions")->of, list);
        if (text.failed)
            failure = cross_scratch(cross)->failure;
        else if (list->count == 0 || map_add(&seen, (struct bytes){ text.data, (uint32_t)text.length }, term))
            cross_report(cross, &(struct cross_report){ .element = term, .index = index, .below = "matchLabelExpressions", .detail = "selects what an earlier term selects" });
    }
    if (failure)
        cross_fail(cross, failure);
}
