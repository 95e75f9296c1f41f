#include "value/plain.h"

#define LETTER(small) [small] = PLAIN_LOWER, [small - 'a' + 'A'] = PLAIN_UPPER

static const uint8_t classes[256] = {
    LETTER('a'), LETTER('b'), LETTER('c'), LETTER('d'), LETTER('e'), LETTER('f'), LETTER('g'), LETTER('h'), LETTER('i'),
    LETTER('j'), LETTER('k'), LETTER('l'), LETTER('m'), LETTER('n'), LETTER('o'), LETTER('p'), LETTER('q'), LETTER('r'),
    LETTER('s'), LETTER('t'), LETTER('u'), LETTER('v'), LETTER('w'), LETTER('x'), LETTER('y'), LETTER('z'),
    ['0'] = PLAIN_ZERO, ['1'] = PLAIN_NONZERO, ['2'] = PLAIN_NONZERO, ['3'] = PLAIN_NONZERO, ['4'] = PLAIN_NONZERO, ['5'] = PLAIN_NONZERO,
    ['6'] = PLAIN_NONZERO, ['7'] = PLAIN_NONZERO, ['8'] = PLAIN_NONZERO, ['9'] = PLAIN_NONZERO,
    ['-'] = PLAIN_HYPHEN, ['_'] = PLAIN_UNDERSCORE, ['.'] = PLAIN_DOT,
};

static bool are_words(const struct plain_words *words, uint32_t most, const char *at, const char *end)
{
    unsigned joints = 0;
    if (end - at > most)
        return false;
    while (at < end) {
        unsigned last = classes[(unsigned char)*at++], next;
        if (!(last & words->first))
            return false;
        if (!(last & words->alone))
            for (; at < end && (next = classes[(unsigned char)*at]) & words->all; at++)
                last = next;
        if (!(last & words->last))
            return false;
        if (at == end)
            return !words->joints || joints == words->joints;
        if (!(classes[(unsigned char)*at++] & words->joint))
            return false;
        joints++;
    }
    return false; /* there is no word, or none behind a joint */
}

bool plain_fits(const struct plain *plain, struct bytes text)
{
    if (!text.length)
        return false;
    const char *end = text.data + text.length, *slash = plain->domain_most ? memchr(text.data, '/', text.length) : NULL;
    if (!slash)
        return are_words(&plain->name, plain->name_most, text.data, end);
    return are_words(&plain->domain, plain->domain_most, text.data, slash) && are_words(&plain->name, plain->name_most, slash + 1, end);
}
