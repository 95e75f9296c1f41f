/* Reads texts from standard input, each as LENGTH:BYTES and a line feed, and prints what is made of each as a quantity, a line of JSON:
 *
 *     {"refused":"has an exponent that is too large"}
 *     {"value":"15e-1","milli":"15e-1","big":false,"int64":2,"int64Big":2,"order":1,"sum":-1}
 *
 * value: exactly, without zeros at its end; milli: rounded up to thousandths; big: whether the API server holds it as a decimal; int64, int64Big:
 * what it makes of the number as it is held, and as a decimal; order: against the quantity before it; sum: of the two before it against this one.
 * The last two are there when there were so many. A program of its own for the conformance tests, so that they see the numbers and nothing else. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/limits.h"
#include "value/limits.h"
#include "value/quantity.h"

enum { MAX_BYTES = 2 * LIMIT_QUANTITY_BYTES };

struct sample {
    char text[MAX_BYTES];
    struct arena arena;
    struct quantity quantity;
};

static void need(enum failure failure)
{
    if (failure)
        exit(2);
}

static void print_quantity(const char *name, const struct quantity *quantity)
{
    printf("\"%s\":\"%s%.*s", name, quantity->negative ? "-" : "", (int)quantity->count, quantity->count ? quantity->digits : "");
    if (quantity->count)
        printf("e%" PRId32 "\",", quantity->exponent - (int32_t)quantity->count);
    else
        printf("0\",");
}

static int64_t as_int64(struct bytes text, bool big, struct arena *arena)
{
    int64_t value = 0;
    need(quantity_int64(text, big, arena, &value));
    return value;
}

static int sign(int order)
{
    return (order > 0) - (order < 0);
}

static void print_sample(struct sample *sample, struct bytes text, const struct sample *before, const struct sample *before_that)
{
    int order = 0;
    bool big = quantity_is_big(text);
    need(quantity_read(text, &sample->arena, &sample->quantity));
    struct quantity milli = sample->quantity;
    need(quantity_round_up(&milli, -3, &sample->arena));
    putchar('{');
    print_quantity("value", &sample->quantity);
    print_quantity("milli", &milli);
    printf("\"big\":%s,\"int64\":%" PRId64 ",\"int64Big\":%" PRId64, big ? "true" : "false", as_int64(text, big, &sample->arena),
           as_int64(text, true, &sample->arena));
    if (before)
        printf(",\"order\":%d", sign(quantity_compare(&sample->quantity, &before->quantity)));
    if (before_that) {
        need(quantity_compare_sum(&before_that->quantity, &before->quantity, &sample->quantity, &sample->arena, &order));
        printf(",\"sum\":%d", sign(order));
    }
    puts("}");
}

int main(void)
{
    static struct sample samples[3];
    uint64_t quantities = 0;
    unsigned length;
    for (unsigned i = 0; i < 3; i++)
        arena_init(&samples[i].arena, &memory_malloc, LIMIT_ARENA_BYTES);
    while (scanf("%u", &length) == 1) {
        struct sample *sample = &samples[quantities % 3];
        arena_clear(&sample->arena);
        if (length > MAX_BYTES || getchar() != ':' || fread(sample->text, 1, length, stdin) != length || getchar() != '\n')
            return 2;
        struct bytes text = { sample->text, length };
        const char *fault = quantity_fault(text);
        if (fault) {
            printf("{\"refused\":\"%s\"}\n", fault);
            continue;
        }
        print_sample(sample, text, quantities > 0 ? &samples[(quantities + 2) % 3] : NULL, quantities > 1 ? &samples[(quantities + 1) % 3] : NULL);
        quantities++;
    }
    for (unsigned i = 0; i < 3; i++)
        arena_done(&samples[i].arena);
    return 0;
}
