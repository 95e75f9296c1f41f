/* Comparisons in expressions, whichever way they are written. */
#ifndef DRAWBRIDGE_MATCH_RELATION_H
#define DRAWBRIDGE_MATCH_RELATION_H

#include "cel/node.h"

enum match_operator { MATCH_EQUAL, MATCH_DIFFERENT, MATCH_LESS, MATCH_AT_MOST, MATCH_MORE, MATCH_AT_LEAST };

/* What of the device is compared, how it should be, and with what. */
struct match_relation {
    const struct cel_node *left, *right;
    enum match_operator operator;
};

/* Reads a == b, a < b, a.compareTo(b) >= 0, a.isLessThan(b) and so on, which should be as `asked` says. False: the part is none. */
bool match_relation_of(const struct cel_node *node, bool asked, struct match_relation *relation);

#endif
