/* The objects in what kubectl prints as a List in JSON. */
#ifndef DRAWBRIDGE_CLI_STORED_LIST_H
#define DRAWBRIDGE_CLI_STORED_LIST_H

#include <stdbool.h>

#include "base/buffer.h"
#include "base/failure.h"

/* Gives each item of the List to `take`, until that returns false, which sets *more to false. Items lose the indentation that the List
 * gives them, in place: the text is then the one that kubectl prints of that object alone, and its lines and columns are those that people
 * find there. False: the text is no List. Nothing is said of the items themselves: whoever takes them reads them. */
bool stored_list_each(struct buffer *list, bool (*take)(void *self, struct bytes text), void *self, bool *more) MUST_USE;

#endif
