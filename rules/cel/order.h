/* Sorting as Go's sort.Slice does it: where elements count as equal, their order is not kept, but it is the same on each machine. */
#ifndef DRAWBRIDGE_RULES_CEL_ORDER_H
#define DRAWBRIDGE_RULES_CEL_ORDER_H

#include <stdbool.h>
#include <stdint.h>

/* Sorts numbers. Any `less` is safe, also one that is no order. */
void order_sort(uint32_t *numbers, uint32_t count, bool (*less)(void *context, uint32_t a, uint32_t b), void *context);

#endif
