/* Prints what the rows of each object shape look at, as check/looks.c finds it in the tables, for people who read it. A line for each:
 *
 *     PATH [unknown] [own: always old values=NAME,... counts=NAME,...] [always=NAME,...] [old=NAME,...] [gated=NAME,...] [NAME->NAME,...]... */
#include <stdio.h>
#include <string.h>

#include "schema/kind.h"
#include "schema/shape.h"
#include "validate/context.h"

static struct context context;

static const struct shape *printed[LIMIT_SHAPES];
static unsigned count;

static bool is_printed(const struct shape *shape)
{
    for (unsigned i = 0; i < count; i++)
        if (printed[i] == shape)
            return true;
    return false;
}

static void print_set(const char *what, const struct shape *shape, uint64_t members)
{
    const char *before = what;
    for (uint16_t i = 0; i < shape->field_count; i++)
        if (members >> i & 1) {
            printf("%s%s", before, shape->fields[i].name.data);
            before = ",";
        }
}

static void print_looks(const char *path, const struct shape *shape)
{
    struct shape_summary scratch;
    const struct looks *looks = &shape_summary_of(&context.shape_summaries, shape, &scratch)->looks;
    printf("%s%s", path, looks->known ? "" : " unknown");
    if (looks->own_always || looks->own_old || looks->own_values || looks->own_counts)
        printf(" own:%s%s", looks->own_always ? " always" : "", looks->own_old ? " old" : "");
    print_set(" values=", shape, looks->own_values);
    print_set(" counts=", shape, looks->own_counts);
    print_set(" always=", shape, looks->always);
    print_set(" old=", shape, looks->old);
    print_set(" gated=", shape, looks->gated | looks->gated_by_value);
    for (uint16_t i = 0; i < shape->field_count; i++)
        if (looks->watchers >> i & 1) {
            printf(" %s", shape->fields[i].name.data);
            print_set("->", shape, looks->watched[i]);
        }
    printf("\n");
}

/* Recursion is as deep as shapes nest. */
static void print_shapes(const char *path, const struct shape *shape)
{
    char below[512];
    if (shape->of) {
        snprintf(below, sizeof below, "%s%s", path, shape->type == SHAPE_MAP ? ".*" : "[]");
        print_shapes(below, shape->of);
    }
    if (shape->type != SHAPE_OBJECT || is_printed(shape))
        return;
    printed[count++] = shape;
    print_looks(path, shape);
    for (uint16_t i = 0; i < shape->field_count; i++) {
        snprintf(below, sizeof below, "%s.%s", path, shape->fields[i].name.data);
        print_shapes(below, shape->fields[i].shape);
    }
}

int main(void)
{
    if (context_init(&context, &memory_malloc))
        return 2;
    for (size_t i = 0; i < kind_count; i++)
        print_shapes(kinds[i].kind.data, kinds[i].shape);
    context_done(&context);
}
