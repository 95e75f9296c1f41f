#include "value/quantity.h"

#include "base/utf8.h"
#include "value/limits.h"
#include "value/quantity_parts.h"

struct suffix {
    char letter;
    signed char tens;   /* power of 10; 0: it has no meaning without i */
    unsigned char twos; /* power of 1024 with i after it; 0: it has none */
};

static const struct suffix suffixes[] = {
    { 'n', -9, 0 }, { 'u', -6, 0 }, { 'm', -3, 0 }, { 'k', 3, 0 },  { 'K', 0, 1 },
    { 'M', 6, 2 },  { 'G', 9, 3 },  { 'T', 12, 4 }, { 'P', 15, 5 }, { 'E', 18, 6 },
};

static const char not_a_number[] = "is not a number with a suffix such as Mi, Gi, m, k or e3";

/* Go's unicode.IsSpace. */
static bool is_space(uint32_t code)
{
    return (code >= 9 && code <= 13) || code == ' ' || code == 0x85 || code == 0xA0 || code == 0x1680 ||
           (code >= 0x2000 && code <= 0x200A) || code == 0x2028 || code == 0x2029 || code == 0x202F || code == 0x205F || code == 0x3000;
}

/* Removes white space at both ends. */
static struct bytes trim(struct bytes text)
{
    uint32_t code;
    unsigned length;
    while (text.length && (length = utf8_decode((const unsigned char *)text.data, text.length, &code)) && is_space(code)) {
        text.data += length;
        text.length -= length;
    }
    for (bool found = true; found;) {
        found = false;
        for (length = 1; length <= 3 && length <= text.length && !found; length++) {
            const unsigned char *last = (const unsigned char *)text.data + text.length - length;
            found = utf8_decode(last, length, &code) == length && is_space(code);
            if (found)
                text.length -= length;
        }
    }
    return text;
}

static struct bytes take_digits(struct bytes *text)
{
    struct bytes digits = { text->data, 0 };
    while (digits.length < text->length && digits.data[digits.length] >= '0' && digits.data[digits.length] <= '9')
        digits.length++;
    text->data += digits.length;
    text->length -= digits.length;
    return digits;
}

static bool take_byte(struct bytes *text, char byte)
{
    if (text->length == 0 || *text->data != byte)
        return false;
    text->data++;
    text->length--;
    return true;
}

struct quantity_parts quantity_parts(struct bytes text)
{
    struct quantity_parts parts = { .negative = take_byte(&text, '-') };
    if (!parts.negative)
        (void)take_byte(&text, '+');
    parts.whole = take_digits(&text);
    if (take_byte(&text, '.'))
        parts.fraction = take_digits(&text);
    parts.suffix = text;
    return parts;
}

/* Reads the power of 10 after e or E: an optional sign and digits that fit int64. The API server keeps its low 32 bits. */
static const char *exponent_fault(struct bytes text, int32_t *exponent)
{
    bool negative = take_byte(&text, '-');
    if (!negative)
        (void)take_byte(&text, '+');
    struct bytes digits = take_digits(&text);
    if (digits.length == 0 || text.length)
        return not_a_number;
    uint64_t value = 0, limit = (uint64_t)INT64_MAX + negative;
    for (uint32_t i = 0; i < digits.length; i++) {
        unsigned digit = (unsigned)(digits.data[i] - '0');
        if (value > (limit - digit) / 10)
            return "has an exponent beyond 64 bits";
        value = value * 10 + digit;
    }
    uint32_t low = (uint32_t)(negative ? 0 - value : value);
    int64_t kept = low > INT32_MAX ? (int64_t)low - ((int64_t)1 << 32) : (int64_t)low;
    if (kept > LIMIT_QUANTITY_EXPONENT || kept < -LIMIT_QUANTITY_EXPONENT)
        return "has an exponent that is too large";
    *exponent = (int32_t)kept;
    return NULL;
}

const char *quantity_suffix_fault(struct bytes text, unsigned *twos, int32_t *tens)
{
    *twos = 0;
    *tens = 0;
    if (text.length == 0)
        return NULL;
    bool binary = text.length == 2 && text.data[1] == 'i';
    for (size_t i = 0; i < sizeof suffixes / sizeof *suffixes && (text.length == 1 || binary); i++) {
        if (suffixes[i].letter != text.data[0] || (binary ? suffixes[i].twos == 0 : suffixes[i].tens == 0))
            continue;
        *twos = binary ? suffixes[i].twos : 0;
        *tens = binary ? 0 : suffixes[i].tens;
        return NULL;
    }
    if (!take_byte(&text, 'e') && !take_byte(&text, 'E'))
        return not_a_number;
    return exponent_fault(text, tens);
}

const char *quantity_fault(struct bytes text)
{
    unsigned twos;
    int32_t tens = 0;
    text = trim(text);
    if (text.length == 0)
        return "is empty";
    if (text.length > LIMIT_QUANTITY_BYTES)
        return "is too long for a quantity";
    struct quantity_parts parts = quantity_parts(text);
    const char *fault = quantity_suffix_fault(parts.suffix, &twos, &tens);
    /* A suffix without digits: the API server's fast path, for suffixes up to Ti and down to 10^-9, reads 0; its slow path refuses it. */
    bool has_digits = parts.whole.length || parts.fraction.length;
    return !fault && !has_digits && (twos > 4 || tens < -9) ? not_a_number : fault;
}

/* Multiplies `count` decimal digits by 1024 in place; there must be room for four more. Returns the new count. */
static uint32_t times_1024(char *digits, uint32_t count)
{
    unsigned carry = 0;
    memmove(digits + 4, digits, count);
    for (uint32_t i = count; i-- > 0;) {
        unsigned value = (unsigned)(digits[i + 4] - '0') * 1024 + carry;
        digits[i + 4] = (char)('0' + value % 10);
        carry = value / 10;
    }
    for (uint32_t i = 4; i-- > 0; carry /= 10)
        digits[i] = (char)('0' + carry % 10);
    return count + 4;
}

static void normalise(struct quantity *quantity)
{
    while (quantity->count && quantity->digits[0] == '0') {
        quantity->digits++;
        quantity->count--;
        quantity->exponent--;
    }
    while (quantity->count && quantity->digits[quantity->count - 1] == '0')
        quantity->count--;
    if (quantity->count == 0)
        *quantity = (struct quantity){ NULL, 0, 0, false };
}

struct quantity_parts quantity_split(struct bytes text, unsigned *twos, int32_t *tens)
{
    struct quantity_parts parts = quantity_parts(trim(text));
    (void)quantity_suffix_fault(parts.suffix, twos, tens); /* the caller has checked the text */
    return parts;
}

/* The digits before and after the point as one number, times 1024^twos: 4 * twos more digits than were written. NULL when the arena
 * fails. */
static char *number_digits(const struct quantity_parts *parts, unsigned twos, struct arena *arena, uint32_t *count)
{
    char *digits = arena_text(arena, (size_t)parts->whole.length + parts->fraction.length + 4 * twos + 1);
    if (!digits)
        return NULL;
    if (parts->whole.length)
        memcpy(digits, parts->whole.data, parts->whole.length);
    if (parts->fraction.length)
        memcpy(digits + parts->whole.length, parts->fraction.data, parts->fraction.length);
    *count = parts->whole.length + parts->fraction.length;
    for (unsigned i = 0; i < twos; i++)
        *count = times_1024(digits, *count);
    return digits;
}

enum failure quantity_read_capped(struct bytes text, struct arena *arena, struct quantity *quantity, bool *capped)
{
    unsigned twos = 0;
    int32_t tens = 0;
    struct quantity_parts parts = quantity_split(text, &twos, &tens);
    uint32_t count;
    char *digits = number_digits(&parts, twos, arena, &count);
    if (!digits)
        return arena->failure;
    *quantity = (struct quantity){ digits, count, (int32_t)(parts.whole.length + 4 * twos) + tens, parts.negative };
    normalise(quantity);
    enum failure failure = quantity_round_up(quantity, -9, arena);
    const struct quantity max = { "9223372036854775807", 19, 19, false };
    struct quantity size = *quantity;
    size.negative = false;
    *capped = !failure && twos && quantity_compare(&size, &max) > 0;
    if (*capped) {
        *quantity = max;
        quantity->negative = parts.negative;
    }
    return failure;
}

enum failure quantity_read(struct bytes text, struct arena *arena, struct quantity *quantity)
{
    bool capped;
    return quantity_read_capped(text, arena, quantity, &capped);
}

enum failure quantity_round_up(struct quantity *quantity, int32_t scale, struct arena *arena)
{
    int32_t kept = quantity->exponent - scale; /* digits at 10^scale and above */
    if (quantity->count == 0 || kept >= (int32_t)quantity->count)
        return FAILURE_NONE;
    if (kept < 0)
        kept = 0;
    char *digits = arena_text(arena, (size_t)kept + 1);
    if (!digits)
        return arena->failure;
    digits[0] = '0';
    memcpy(digits + 1, quantity->digits, (size_t)kept);
    int32_t i = kept; /* adds one to the last digit that is kept */
    while (digits[i] == '9')
        digits[i--] = '0';
    digits[i]++;
    bool negative = quantity->negative;
    *quantity = (struct quantity){ digits, (uint32_t)kept + 1, scale + kept + 1, negative };
    normalise(quantity);
    return FAILURE_NONE;
}

static int compare_size(const struct quantity *a, const struct quantity *b)
{
    if (a->count == 0 || b->count == 0)
        return (a->count != 0) - (b->count != 0);
    if (a->exponent != b->exponent)
        return a->exponent < b->exponent ? -1 : 1;
    uint32_t common = a->count < b->count ? a->count : b->count;
    int order = memcmp(a->digits, b->digits, common);
    return order ? order : (a->count > common) - (b->count > common);
}

int quantity_compare(const struct quantity *a, const struct quantity *b)
{
    if (a->negative != b->negative)
        return a->negative ? -1 : 1;
    return a->negative ? -compare_size(a, b) : compare_size(a, b);
}

/* ---- sums ---- */

/* Adds the digits of a quantity to places, of which places[0] counts 10^low. */
static void add_places(int *places, int32_t low, const struct quantity *quantity)
{
    int32_t top = quantity->exponent - 1 - low;
    for (uint32_t i = 0; i < quantity->count; i++)
        places[top - (int32_t)i] += (quantity->digits[i] - '0') * (quantity->negative ? -1 : 1);
}

/* Carries until every place but the highest is 0 to 9. Returns whether the number is negative. */
static bool carry(int *places, uint32_t count)
{
    for (uint32_t i = 0; i + 1 < count; i++) {
        int over = places[i] >= 0 ? places[i] / 10 : -((9 - places[i]) / 10);
        places[i] -= 10 * over;
        places[i + 1] += over;
    }
    return places[count - 1] < 0;
}

/* The places of a sum, with two for what is carried, and the power of ten of the lowest. */
static uint32_t sum_digits(const struct quantity *a, const struct quantity *b, int32_t *low)
{
    int32_t low_a = a->exponent - (int32_t)a->count, low_b = b->exponent - (int32_t)b->count;
    *low = low_a < low_b ? low_a : low_b;
    return (uint32_t)((a->exponent > b->exponent ? a->exponent : b->exponent) - *low) + 2;
}

uint32_t quantity_sum_digits(const struct quantity *a, const struct quantity *b)
{
    int32_t low;
    return a->count && b->count ? sum_digits(a, b, &low) : 0;
}

enum failure quantity_add(const struct quantity *a, const struct quantity *b, struct arena *arena, struct quantity *sum)
{
    if (a->count == 0 || b->count == 0) {
        *sum = a->count ? *a : *b;
        return FAILURE_NONE;
    }
    int32_t low;
    uint32_t count = sum_digits(a, b, &low);
    if (count > LIMIT_QUANTITY_SUM_DIGITS)
        return FAILURE_LIMIT;
    int *places = arena_alloc(arena, count * sizeof *places);
    char *digits = arena_text(arena, count);
    if (!places || !digits)
        return arena->failure;
    memset(places, 0, count * sizeof *places);
    add_places(places, low, a);
    add_places(places, low, b);
    bool negative = carry(places, count);
    for (uint32_t i = 0; i < count && negative; i++)
        places[i] = -places[i];
    if (negative)
        (void)carry(places, count);
    for (uint32_t i = 0; i < count; i++)
        digits[i] = (char)('0' + places[count - 1 - i]);
    *sum = (struct quantity){ digits, count, low + (int32_t)count, negative };
    normalise(sum);
    return FAILURE_NONE;
}

enum failure quantity_compare_sum(const struct quantity *a, const struct quantity *b, const struct quantity *c, struct arena *arena,
                                  int *order)
{
    const struct quantity *large = a->exponent >= b->exponent ? a : b, *small = large == a ? b : a;
    struct quantity sum;
    if (a->count == 0 || b->count == 0) {
        *order = quantity_compare(a->count ? a : b, c);
        return FAILURE_NONE;
    }
    /* So far below the large one that no number has digits there: the small one matters only when the large one equals c. */
    if (large->exponent - small->exponent > 2 * (int32_t)LIMIT_QUANTITY_BYTES) {
        int without_small = quantity_compare(large, c);
        *order = without_small ? without_small : small->negative ? -1 : 1;
        return FAILURE_NONE;
    }
    enum failure failure = quantity_add(a, b, arena, &sum);
    if (!failure)
        *order = quantity_compare(&sum, c);
    return failure;
}
