/* What calls cost: the rules of cel-go, of its extensions and of Kubernetes. */
#include "cel/estimator.h"

static uint64_t give(struct cel_call *call, uint64_t cost, struct cel_size result)
{
    call->sized = true;
    call->result = result;
    return cost;
}

/* The argument where it is an integer literal. A negative one counts as 0 for sizes. */
static const int64_t *literal_integer(const struct cel_call *call, unsigned i)
{
    if (i >= call->count || call->arguments[i]->kind != CEL_NODE_LITERAL || call->arguments[i]->literal.type != CEL_INT)
        return NULL;
    return &call->arguments[i]->literal.integer;
}

static uint64_t natural(int64_t value)
{
    return value < 0 ? 0 : (uint64_t)value;
}

static uint64_t ceil_quotient(uint64_t value, uint64_t by)
{
    return cel_from_double(ceil((double)value / (double)by));
}

static uint64_t cost_replace(struct cel_call *call)
{
    struct cel_size text = call->sizes[0], old = call->sizes[1], new = call->sizes[2], result;
    if (old.min == 0)
        result.max = cel_sum(text.max, cel_product(cel_sum(text.max, 1), new.max));
    else if (new.max <= old.min)
        result.max = text.max;
    else
        result.max = cel_product(ceil_quotient(text.max, old.min), new.max);
    if (old.max == 0)
        result.min = cel_sum(text.min, cel_product(cel_sum(text.min, 1), new.min));
    else if (old.max <= new.min)
        result.min = text.min;
    else
        result.min = cel_product(ceil_quotient(text.min, old.max), new.min);
    return give(call, cel_factor(text.max, 0.2), result);
}

static uint64_t cost_split(struct cel_call *call)
{
    const int64_t *count = literal_integer(call, 2);
    return give(call, cel_factor(call->sizes[0].max, 0.2), (struct cel_size){ 0, count ? (uint64_t)*count : call->sizes[0].max });
}

static uint64_t cost_join(struct cel_call *call)
{
    uint64_t elements = call->sizes[0].max, total = 0;
    if (call->arguments[0]->type->parameters[0])
        total = cel_product(elements, cel_element_size(call->estimator, call->arguments[0]));
    if (call->count > 1)
        total = cel_sum(total, cel_product(elements ? elements - 1 : 0, call->sizes[1].max));
    return give(call, cel_tenth(total), (struct cel_size){ 0, total });
}

static uint64_t cost_each(struct cel_call *call)
{
    const struct cel_type *type = call->arguments[0]->type;
    if (type->kind != CEL_LIST)
        return cel_tenth(call->sizes[0].max);
    enum cel_type_kind of = type->parameters[0]->kind;
    uint64_t each = of == CEL_STRING || of == CEL_BYTES ? cel_sum(1, cel_tenth(cel_element_size(call->estimator, call->arguments[0]))) : 1;
    return cel_product(call->sizes[0].max, each);
}

static uint64_t cost_shorter(struct cel_call *call)
{
    return cel_tenth(cel_smaller(call->sizes[0].max, call->sizes[1].max));
}

/* Whether the size of an argument was worked out, even if the result is that nothing bounds it: that of url(). */
static bool has_size(const struct cel_call *call, unsigned i)
{
    return cel_facts_of(call->estimator, call->arguments[i])->sized || call->sizes[i].max != CEL_UNKNOWN;
}

static uint64_t cost_equals(struct cel_call *call)
{
    const struct cel_type *a = call->arguments[0]->type, *b = call->arguments[1]->type;
    if (!a->name || a->kind != b->kind || strcmp(a->name, b->name) != 0)
        return cost_shorter(call);
    for (const struct cel_equality *row = call->estimator->library->equalities; row->type; row++)
        if (strcmp(row->type, a->name) == 0)
            return row->cost ? row->cost : has_size(call, 1) ? cel_tenth(call->sizes[1].max) : 1;
    return cost_shorter(call);
}

static uint64_t cost_slice(struct cel_call *call)
{
    const int64_t *from = literal_integer(call, 1), *to = literal_integer(call, 2);
    uint64_t count = (to ? natural(*to) : call->sizes[0].max) - (from ? natural(*from) : 0);
    return give(call, cel_sum(cel_factor(count, 1), 11), (struct cel_size){ count, count });
}

static uint64_t cost_range(struct cel_call *call)
{
    const int64_t *literal = literal_integer(call, 0);
    if (!literal)
        return give(call, CEL_UNKNOWN, (struct cel_size){ 0, CEL_UNKNOWN });
    return give(call, cel_sum(cel_factor(natural(*literal), 1), 11), (struct cel_size){ natural(*literal), natural(*literal) });
}

static uint64_t cost_flatten(struct cel_call *call)
{
    const int64_t *depth = literal_integer(call, 1);
    double times = call->count == 1 ? 1 : depth ? (double)natural(*depth) : 18446744073709551616.0;
    return give(call, cel_sum(cel_factor(call->sizes[0].max, times), 11), call->sizes[0]);
}

static uint64_t cost_sort(struct cel_call *call, unsigned keys, double times)
{
    uint64_t count = call->sizes[keys].max;
    return give(call, cel_sum(cel_factor(cel_product(count, count), times), 11), cel_size_square(call->sizes[keys]));
}

/* A text has to be read first; null is taken as an address. */
static uint64_t cost_contains_network(struct cel_call *call, uint64_t least)
{
    enum cel_type_kind kind = call->arguments[1]->type->kind;
    return cel_sum(least, kind == CEL_OPAQUE || kind == CEL_NULL ? 0 : cel_tenth(call->sizes[1].max));
}

static uint64_t cost_find(struct cel_call *call)
{
    uint64_t cost = cel_product(cel_tenth(cel_sum(call->sizes[0].max, 1)), cel_factor(call->sizes[1].max, 0.25));
    return give(call, cost, (struct cel_size){ 0, call->sizes[0].max });
}

static uint64_t cost_add_list(struct cel_call *call)
{
    const struct cel_content *a = cel_content_of(call->estimator, call->arguments[0]),
                             *b = cel_content_of(call->estimator, call->arguments[1]);
    if (a && b)
        cel_keep_content(call->estimator, call->node,
                         &(struct cel_content){ cel_size_either(a->keys, b->keys), cel_size_either(a->values, b->values), a->list });
    return give(call, 1, cel_size_sum(call->sizes[0], call->sizes[1]));
}

static uint64_t cost_index(struct cel_call *call)
{
    const struct cel_content *content = cel_content_of(call->estimator, call->arguments[0]);
    return content ? give(call, 1, content->values) : 1;
}

static uint64_t cost_of_sets(struct cel_call *call, double times)
{
    return cel_sum(cel_factor(cel_product(call->sizes[0].max, call->sizes[1].max), times), 1);
}

/* Lists, networks, formats and permissions. */
static uint64_t cost_of_other(struct cel_call *call, enum cel_cost cost)
{
    struct cel_size first = call->sizes[0], second = call->sizes[1];
    switch (cost) {
    case CEL_COST_EACH:          return cost_each(call);
    case CEL_COST_SETS:          return cost_of_sets(call, 1);
    case CEL_COST_SETS_TWICE:    return cost_of_sets(call, 2);
    case CEL_COST_SLICE:         return cost_slice(call);
    case CEL_COST_RANGE:         return cost_range(call);
    case CEL_COST_REVERSE:       return give(call, cel_sum(cel_factor(first.max, 1), 11), first);
    case CEL_COST_FLATTEN:       return cost_flatten(call);
    case CEL_COST_DISTINCT: case CEL_COST_SORT: return cost_sort(call, 0, 2);
    case CEL_COST_SORT_TEXT:     return cost_sort(call, 0, 2.1);
    case CEL_COST_SORT_BY:       return cost_sort(call, 1, 2);
    case CEL_COST_SORT_BY_TEXT:  return cost_sort(call, 1, 2.1);
    case CEL_COST_CONTAINS_IP:   return cost_contains_network(call, 4);
    case CEL_COST_CONTAINS_CIDR: return cost_contains_network(call, 7);
    case CEL_COST_VALIDATE:      return cel_product(cel_tenth(second.max), 32);
    case CEL_COST_INCLUDES:      return 48;
    case CEL_COST_AUTHORIZE:     return 350000;
    case CEL_COST_AUTHORIZE_SELECTOR: return cel_sum(cel_sum(10, cel_tenth(second.max)), cel_product(cel_factor(second.max, 0.5), 50));
    default:                     return 1;
    }
}

uint64_t cel_cost_of_overload(struct cel_call *call, enum cel_cost cost)
{
    struct cel_size first = call->sizes[0], second = call->sizes[1];
    switch (cost) {
    case CEL_COST_ONE: case CEL_COST_CONDITIONAL: return 1;
    case CEL_COST_NONE:          return 0;
    case CEL_COST_TENTH:         return cel_tenth(first.max);
    case CEL_COST_FIFTH:         return cel_factor(first.max, 0.2);
    case CEL_COST_TEXT:          return give(call, cel_tenth(first.max), first);
    case CEL_COST_QUOTE:         return give(call, cel_tenth(first.max), (struct cel_size){ cel_sum(first.min, 2), 2 * first.max + 2 });
    case CEL_COST_ENCODE:        return give(call, cel_tenth(first.max), (struct cel_size){ first.min, 4 * first.max });
    case CEL_COST_DECODE:        return give(call, cel_tenth(first.max), (struct cel_size){ first.min / 4, first.max });
    case CEL_COST_AFFIX:         return cel_tenth(second.max);
    case CEL_COST_CONTAINS:      return cel_product(cel_tenth(first.max), cel_tenth(second.max));
    case CEL_COST_MATCHES:       return cel_product(cel_tenth(cel_sum(first.max, 1)), cel_factor(second.max, 0.25));
    case CEL_COST_FIND:          return cost_find(call);
    case CEL_COST_REPLACE:       return cost_replace(call);
    case CEL_COST_SPLIT:         return cost_split(call);
    case CEL_COST_JOIN:          return cost_join(call);
    case CEL_COST_EQUALS:        return cost_equals(call);
    case CEL_COST_SHORTER:       return cost_shorter(call);
    case CEL_COST_ADD_TEXT:      return give(call, cel_tenth(cel_sum(first.max, second.max)), cel_size_sum(first, second));
    case CEL_COST_ADD_LIST:      return cost_add_list(call);
    case CEL_COST_IN_LIST:       return cel_factor(second.max, 1);
    case CEL_COST_INDEX_LIST: case CEL_COST_INDEX_MAP: return cost_index(call);
    case CEL_COST_DYN:
        cel_keep_content(call->estimator, call->node, cel_content_of(call->estimator, call->arguments[0]));
        return give(call, 1, first);
    default:                     return cost_of_other(call, cost);
    }
}
