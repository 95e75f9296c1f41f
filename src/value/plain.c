#include "value/plain.h"

#define CLASS(c)                                                                                             \
    ((c) >= 'a' && (c) <= 'z' ? PLAIN_LOWER : (c) >= 'A' && (c) <= 'Z' ? PLAIN_UPPER : (c) == '0' ? PLAIN_ZERO : \
     (c) >= '1' && (c) <= '9' ? PLAIN_NONZERO : (c) == '-' ? PLAIN_HYPHEN : (c) == '_' ? PLAIN_UNDERSCORE :      \
     (c) == '.' ? PLAIN_DOT : PLAIN_OTHER)
#define CLASSES_4(c)  CLASS(c), CLASS((c) + 1), CLASS((c) + 2), CLASS((c) + 3)
#define CLASSES_16(c) CLASSES_4(c), CLASSES_4((c) + 4), CLASSES_4((c) + 8), CLASSES_4((c) + 12)
#define CLASSES_64(c) CLASSES_16(c), CLASSES_16((c) + 16), CLASSES_16((c) + 32), CLASSES_16((c) + 48)

static const uint8_t classes[256] = { CLASSES_64(0), CLASSES_64(64), CLASSES_64(128), CLASSES_64(192) };

static inline unsigned class_of(char byte)
{
    return classes[(unsigned char)byte];
}

/* The first byte whose class is not among `all`. Compares four bytes at a time. */
static inline const char *skip_all(unsigned all, const char *at, const char *end)
{
    const unsigned others = ~all;
    while (end - at >= 4 && !((class_of(at[0]) | class_of(at[1]) | class_of(at[2]) | class_of(at[3])) & others))
        at += 4;
    while (at < end && !(class_of(*at) & others))
        at++;
    return at;
}

static bool are_words(const struct plain_words *words, uint32_t max, const char *at, const char *end)
{
    unsigned joints = 0;
    if (end - at > max)
        return false;
    while (at < end) {
        unsigned first = class_of(*at++);
        if (!(first & words->first))
            return false;
        if (!(first & words->alone))
            at = skip_all(words->all, at, end);
        if (!(class_of(at[-1]) & words->last))
            return false;
        if (at == end)
            return !words->joints || joints == words->joints;
        if (!(class_of(*at++) & words->joint))
            return false;
        joints++;
    }
    return false; /* no word at all, or none after a separator */
}

bool plain_fits(const struct plain *plain, struct bytes text)
{
    if (!text.length)
        return false;
    const char *end = text.data + text.length, *slash = plain->domain_max ? memchr(text.data, '/', text.length) : NULL;
    if (!slash)
        return !plain->with_domain && are_words(&plain->name, plain->name_max, text.data, end);
    return are_words(&plain->domain, plain->domain_max, text.data, slash) && are_words(&plain->name, plain->name_max, slash + 1, end);
}
