/* Plain texts: what the usual good value of a format looks like, found without a regular expression. */
#ifndef DRAWBRIDGE_VALUE_PLAIN_H
#define DRAWBRIDGE_VALUE_PLAIN_H

#include <stdbool.h>

#include "base/bytes.h"

/* Classes of bytes, as bits; each is in one. */
enum plain_class {
    PLAIN_LOWER = 1,
    PLAIN_UPPER = 2,
    PLAIN_ZERO = 4,
    PLAIN_NONZERO = 8, /* the other digits */
    PLAIN_HYPHEN = 16,
    PLAIN_UNDERSCORE = 32,
    PLAIN_DOT = 64,
    PLAIN_OTHER = 128, /* no words have any of these */

    PLAIN_DIGIT = PLAIN_ZERO | PLAIN_NONZERO,
    PLAIN_SMALL = PLAIN_LOWER | PLAIN_DIGIT,
    PLAIN_ANY = PLAIN_SMALL | PLAIN_UPPER, /* letters and digits */
};

/* Words with a joint between each two of them. The first, the last and each of the other characters of a word are of these classes. */
struct plain_words {
    uint8_t first, last, all; /* bits of enum plain_class */
    uint8_t alone;            /* a word that begins with one of these has no other character */
    uint8_t joint;            /* 0: there is one word */
    uint8_t joints;           /* how many there are; 0: any number */
};

/* `name`, or, where domain_most is not 0, also `domain`, a slash and `name`; each of at least one byte. */
struct plain {
    struct plain_words name, domain;
    uint32_t name_most, domain_most; /* bytes */
};

bool plain_fits(const struct plain *plain, struct bytes text);

#endif
