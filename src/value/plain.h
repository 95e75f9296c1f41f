/* Plain texts: the usual form of a format's valid values, recognised without a regular expression. */
#ifndef DRAWBRIDGE_VALUE_PLAIN_H
#define DRAWBRIDGE_VALUE_PLAIN_H

#include <stdbool.h>

#include "base/bytes.h"

/* Classes of bytes, as bits. Every byte is in exactly one. */
enum plain_class {
    PLAIN_LOWER = 1,
    PLAIN_UPPER = 2,
    PLAIN_ZERO = 4,
    PLAIN_NONZERO = 8, /* the other digits */
    PLAIN_HYPHEN = 16,
    PLAIN_UNDERSCORE = 32,
    PLAIN_DOT = 64,
    PLAIN_OTHER = 128, /* in no word */

    PLAIN_DIGIT = PLAIN_ZERO | PLAIN_NONZERO,
    PLAIN_SMALL = PLAIN_LOWER | PLAIN_DIGIT,
    PLAIN_ANY = PLAIN_SMALL | PLAIN_UPPER, /* letters and digits */
};

/* Words with a separator (joint) between them. All members but `joints` are bits of enum plain_class. */
struct plain_words {
    uint8_t first, last, all; /* classes of a word's first byte, its last one, and all after the first */
    uint8_t alone;            /* a word that begins with one of these is one byte long */
    uint8_t joint;            /* classes of the separator; 0: there is only one word */
    uint8_t joints;           /* number of separators; 0: any number */
};

/* The form `name`; if domain_max is not 0, also `domain/name`, or only that. Neither may be empty. */
struct plain {
    struct plain_words name, domain;
    uint32_t name_max, domain_max; /* bytes */
    bool with_domain;
};

bool plain_fits(const struct plain *plain, struct bytes text);

#endif
