#include "base/utf8.h"

struct lead {
    unsigned char low, high;      /* lead byte */
    unsigned char low2, high2;    /* second byte */
    unsigned char length, mask;
};

/* Table 3-7 of the Unicode standard: well-formed UTF-8 byte sequences. */
static const struct lead leads[] = {
    { 0x00, 0x7F, 0x00, 0x00, 1, 0x7F },
    { 0xC2, 0xDF, 0x80, 0xBF, 2, 0x1F },
    { 0xE0, 0xE0, 0xA0, 0xBF, 3, 0x0F },
    { 0xE1, 0xEC, 0x80, 0xBF, 3, 0x0F },
    { 0xED, 0xED, 0x80, 0x9F, 3, 0x0F },
    { 0xEE, 0xEF, 0x80, 0xBF, 3, 0x0F },
    { 0xF0, 0xF0, 0x90, 0xBF, 4, 0x07 },
    { 0xF1, 0xF3, 0x80, 0xBF, 4, 0x07 },
    { 0xF4, 0xF4, 0x80, 0x8F, 4, 0x07 },
};

static const struct lead *find_lead(unsigned char byte)
{
    for (size_t i = 0; i < sizeof leads / sizeof *leads; i++)
        if (byte >= leads[i].low && byte <= leads[i].high)
            return &leads[i];
    return NULL;
}

/* How many bytes from `at` on are valid in a character that begins with `lead`; at most its length. */
static unsigned valid_bytes(const struct lead *lead, const unsigned char *at, size_t left)
{
    unsigned n = 1;
    while (n < lead->length && n < left) {
        unsigned char low = n == 1 ? lead->low2 : 0x80, high = n == 1 ? lead->high2 : 0xBF;
        if (at[n] < low || at[n] > high)
            break;
        n++;
    }
    return n;
}

unsigned utf8_decode(const unsigned char *at, size_t left, uint32_t *code)
{
    const struct lead *lead = left ? find_lead(*at) : NULL;
    if (!lead || valid_bytes(lead, at, left) < lead->length)
        return 0;
    uint32_t value = *at & lead->mask;
    for (unsigned i = 1; i < lead->length; i++)
        value = value << 6 | (at[i] & 0x3F);
    *code = value;
    return lead->length;
}

unsigned utf8_units(const unsigned char *at, size_t left, uint32_t *length)
{
    uint32_t code = 0;
    unsigned bytes = utf8_decode(at, left, &code);
    *length = bytes ? bytes : 1;
    return bytes && code > 0xFFFF ? 2 : 1;
}

bool utf8_is_valid(struct bytes text)
{
    uint32_t code;
    for (uint32_t at = 0, length; at < text.length; at += length)
        if (!(length = utf8_decode((const unsigned char *)text.data + at, text.length - at, &code)))
            return false;
    return true;
}

bool utf8_truncated(const unsigned char *at, size_t left)
{
    const struct lead *lead = left ? find_lead(*at) : NULL;
    return lead && left < lead->length && valid_bytes(lead, at, left) == left;
}

unsigned utf8_encode(uint32_t code, char *out)
{
    if (code < 0x80) {
        out[0] = (char)code;
        return 1;
    }
    unsigned length = code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
    for (unsigned i = length - 1; i > 0; i--) {
        out[i] = (char)(0x80 | (code & 0x3F));
        code >>= 6;
    }
    static const unsigned char marks[] = { 0, 0, 0xC0, 0xE0, 0xF0 };
    out[0] = (char)(marks[length] | code);
    return length;
}

struct range {
    uint32_t low, high;
};

static const struct range unsafe_ranges[] = {
    { 0x0000, 0x001F }, { 0x007F, 0x009F }, { 0x00AD, 0x00AD }, { 0x061C, 0x061C }, { 0x180E, 0x180E }, { 0x200B, 0x200F },
    { 0x2028, 0x202E }, { 0x2060, 0x206F }, { 0xFEFF, 0xFEFF }, { 0xFFF9, 0xFFFB }, { 0xE0000, 0xE01EF },
};

bool utf8_unsafe(uint32_t code)
{
    for (size_t i = 0; i < sizeof unsafe_ranges / sizeof *unsafe_ranges; i++)
        if (code >= unsafe_ranges[i].low && code <= unsafe_ranges[i].high)
            return true;
    return false;
}
