#include "doc/scalar.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "doc/timestamp.h"

/* ---- words ---- */

static const struct word {
    char text[6];
    struct scalar scalar;
} words[] = {
#define WORDS(lower, capital, upper, ...) { lower, { __VA_ARGS__ } }, { capital, { __VA_ARGS__ } }, { upper, { __VA_ARGS__ } }
    { "", { .type = SCALAR_NULL } },
    { "~", { .type = SCALAR_NULL } },
    WORDS("null", "Null", "NULL", .type = SCALAR_NULL),
    { "y", { .type = SCALAR_BOOLEAN, .truth = true } },
    { "Y", { .type = SCALAR_BOOLEAN, .truth = true } },
    WORDS("yes", "Yes", "YES", .type = SCALAR_BOOLEAN, .truth = true),
    WORDS("true", "True", "TRUE", .type = SCALAR_BOOLEAN, .truth = true),
    WORDS("on", "On", "ON", .type = SCALAR_BOOLEAN, .truth = true),
    { "n", { .type = SCALAR_BOOLEAN } },
    { "N", { .type = SCALAR_BOOLEAN } },
    WORDS("no", "No", "NO", .type = SCALAR_BOOLEAN),
    WORDS("false", "False", "FALSE", .type = SCALAR_BOOLEAN),
    WORDS("off", "Off", "OFF", .type = SCALAR_BOOLEAN),
    WORDS(".nan", ".NaN", ".NAN", .type = SCALAR_FLOAT, .number = NAN),
    WORDS(".inf", ".Inf", ".INF", .type = SCALAR_FLOAT, .number = INFINITY),
    WORDS("+.inf", "+.Inf", "+.INF", .type = SCALAR_FLOAT, .number = INFINITY),
    WORDS("-.inf", "-.Inf", "-.INF", .type = SCALAR_FLOAT, .number = -INFINITY),
#undef WORDS
};

static bool find_word(struct bytes text, struct scalar *scalar)
{
    if (text.length >= sizeof words[0].text || (text.length && !memchr("~nNyYtToOfF.+-", text.data[0], 14)))
        return false;
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (bytes_equal_text(text, words[i].text)) {
            *scalar = words[i].scalar;
            return true;
        }
    return false;
}

/* ---- numbers ---- */

/* The characters of a number; underscores are skipped. */
struct digits {
    const char *at, *end;
};

static char peek(struct digits *d)
{
    while (d->at < d->end && *d->at == '_')
        d->at++;
    return (char)(d->at < d->end ? *d->at : '\0');
}

static bool take(struct digits *d, char character)
{
    bool there = peek(d) == character;
    d->at += there;
    return there;
}

static bool take_either(struct digits *d, char one, char other)
{
    return take(d, one) || take(d, other);
}

static unsigned digit_value(char character)
{
    char letter = (char)(character | 0x20);
    if (character >= '0' && character <= '9')
        return (unsigned)(character - '0');
    return letter >= 'a' && letter <= 'f' ? (unsigned)(letter - 'a' + 10) : 99;
}

/* Reads the digits of an integer: at least one, and nothing else up to the end. */
static bool read_magnitude(struct digits *d, unsigned base, uint64_t *magnitude)
{
    uint64_t value = 0;
    if (!peek(d))
        return false;
    for (; peek(d); d->at++) {
        unsigned digit = digit_value(*d->at);
        if (digit >= base || value > (UINT64_MAX - digit) / base)
            return false;
        value = value * base + digit;
    }
    *magnitude = value;
    return true;
}

/* Reads an integer that fits uint64; with a sign, int64. */
static bool read_integer(struct digits d, struct scalar *scalar)
{
    bool negative = take(&d, '-'), sign = negative || take(&d, '+');
    unsigned base = 10;
    uint64_t magnitude = 0;
    bool zero = take(&d, '0');
    if (zero && peek(&d)) {
        zero = false;
        base = take_either(&d, 'x', 'X') ? 16 : take_either(&d, 'b', 'B') ? 2 : 8;
        if (base == 8)
            (void)take_either(&d, 'o', 'O');
        if (base == 2 && d.at[-1] == 'b' && !sign && (peek(&d) == '-' || peek(&d) == '+')) { /* 0b-1: the Go library takes it */
            sign = true;
            negative = take(&d, '-') || !take(&d, '+');
        }
    }
    if (!zero && !read_magnitude(&d, base, &magnitude))
        return false;
    if (sign && magnitude > (uint64_t)INT64_MAX + negative)
        return false;
    *scalar = (struct scalar){ .type = SCALAR_INTEGER, .negative = negative && magnitude, .magnitude = magnitude };
    return true;
}

enum { DECIMAL_DIGITS = 800, EXPONENT_MAX = 100000000 };

/* A decimal number as strtod gets it: significant digits and a power of ten, but no point, because another locale has another one. Rounding
 * to a double needs at most 767 digits, and to know whether anything follows them. */
struct decimal {
    char text[DECIMAL_DIGITS + 32]; /* the digits; then the exponent is appended */
    unsigned count;                 /* of digits */
    long exponent;
    bool has_digit; /* perhaps only 0, which is not among the significant ones */
};

static void add_digit(struct decimal *n, char digit, bool fraction)
{
    n->has_digit = true;
    if (n->count < DECIMAL_DIGITS && (n->count || digit != '0')) {
        n->text[n->count++] = digit;
        n->exponent -= fraction;
        return;
    }
    if (n->count == DECIMAL_DIGITS && digit != '0')
        n->text[DECIMAL_DIGITS - 1] = (char)(n->text[DECIMAL_DIGITS - 1] | 1); /* a digit was cut off: no longer a tie */
    n->exponent += n->count ? !fraction : -(long)fraction;
}

/* [eE][-+]?[0-9]+ or nothing, added to the exponent. */
static bool read_exponent(struct digits *d, struct decimal *n)
{
    if (!take_either(d, 'e', 'E'))
        return true;
    bool negative = take(d, '-');
    long exponent = 0;
    if (!negative)
        (void)take(d, '+');
    if (digit_value(peek(d)) >= 10)
        return false;
    for (; digit_value(peek(d)) < 10; d->at++)
        exponent = exponent < EXPONENT_MAX ? exponent * 10 + (long)digit_value(*d->at) : exponent;
    n->exponent += negative ? -exponent : exponent;
    return true;
}

/* Reads [-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)? unless it is too large for a double. */
static bool read_float(struct digits d, struct scalar *scalar)
{
    struct decimal n = { .count = 0 };
    bool negative = take(&d, '-');
    if (!negative)
        (void)take(&d, '+');
    for (; digit_value(peek(&d)) < 10; d.at++)
        add_digit(&n, *d.at, false);
    if (take(&d, '.'))
        for (; digit_value(peek(&d)) < 10; d.at++)
            add_digit(&n, *d.at, true);
    if (!n.has_digit || !read_exponent(&d, &n) || peek(&d))
        return false;
    double number = 0;
    if (n.count) {
        snprintf(n.text + n.count, sizeof n.text - n.count, "e%ld", n.exponent);
        number = strtod(n.text, NULL);
    }
    *scalar = (struct scalar){ .type = SCALAR_FLOAT, .number = negative ? -number : number };
    return !isinf(number);
}

/* ---- resolving ---- */

/* Whether every underscore is between two digits. After a leading dot the Go library calls ParseFloat, which takes no others. */
static bool good_underscores(struct bytes text)
{
    for (uint32_t i = 0; i < text.length; i++) {
        if (text.data[i] != '_')
            continue;
        if (i == 0 || i + 1 == text.length || digit_value(text.data[i - 1]) > 9 || digit_value(text.data[i + 1]) > 9)
            return false;
    }
    return true;
}

static void resolve_plain(struct bytes text, struct scalar *scalar)
{
    char first = (char)(text.length ? text.data[0] : '\0');
    struct digits digits = { text.data, text.data + text.length };
    bool number = digit_value(first) < 10 || first == '-' || first == '+';
    if (find_word(text, scalar))
        return;
    if (number && read_integer(digits, scalar))
        return;
    if ((number || (first == '.' && good_underscores(text))) && read_float(digits, scalar))
        return;
    *scalar = (struct scalar){ .type = SCALAR_STRING, .text = text };
}

enum scalar_tag scalar_tag_of(const char *tag)
{
    static const char prefix[] = "tag:yaml.org,2002:";
    static const struct {
        const char *name;
        enum scalar_tag tag;
    } names[] = {
        { "bool", SCALAR_TAG_BOOL }, { "int", SCALAR_TAG_INT }, { "float", SCALAR_TAG_FLOAT }, { "null", SCALAR_TAG_NULL },
        { "timestamp", SCALAR_TAG_TIMESTAMP }, { "binary", SCALAR_TAG_BINARY },
    };
    if (strncmp(tag, prefix, sizeof prefix - 1) != 0)
        return SCALAR_TAG_OTHER;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcmp(tag + sizeof prefix - 1, names[i].name) == 0)
            return names[i].tag;
    return SCALAR_TAG_OTHER;
}

bool scalar_resolve(struct bytes text, enum scalar_tag tag, struct scalar *scalar)
{
    *scalar = (struct scalar){ .type = SCALAR_STRING, .text = text };
    if (tag == SCALAR_TAG_BINARY || tag == SCALAR_TAG_OTHER)
        return true;
    if (tag == SCALAR_TAG_TIMESTAMP)
        return timestamp_valid(text);
    resolve_plain(text, scalar);
    switch (tag) {
    case SCALAR_TAG_BOOL: return scalar->type == SCALAR_BOOLEAN;
    case SCALAR_TAG_INT: return scalar->type == SCALAR_INTEGER;
    case SCALAR_TAG_NULL: return scalar->type == SCALAR_NULL;
    case SCALAR_TAG_FLOAT:
        if (scalar->type == SCALAR_INTEGER && scalar->magnitude <= (uint64_t)INT64_MAX + scalar->negative) {
            double number = (double)scalar->magnitude;
            *scalar = (struct scalar){ .type = SCALAR_FLOAT, .number = scalar->negative ? -number : number };
        }
        return scalar->type == SCALAR_FLOAT;
    case SCALAR_PLAIN:
    case SCALAR_TAG_TIMESTAMP:
    case SCALAR_TAG_BINARY:
    case SCALAR_TAG_OTHER: break;
    }
    return true;
}

/* ---- writing ---- */

/* The fewest digits that read back as the same number, which is above zero: 0.d1d2d3... times ten to the power of `point`. */
struct shortest {
    char digits[20];
    int count, point;
};

/* Writes the number with `count` digits. Returns whether they read back as the same number. In every locale printf writes one digit, a
 * decimal sign, the other digits and the exponent; only the digits are taken. */
static bool try_digits(double number, bool single, int count, struct shortest *out)
{
    char text[64], again[64];
    int length = snprintf(text, sizeof text, "%.*e", count - 1, number);
    const char *exponent = memchr(text, 'e', (size_t)length);
    out->count = 0;
    for (const char *at = text; at < exponent; at++)
        if (*at >= '0' && *at <= '9')
            out->digits[out->count++] = *at;
    out->point = (int)strtol(exponent + 1, NULL, 10) + 1;
    snprintf(again, sizeof again, "%.*se%d", out->count, out->digits, out->point - out->count);
    while (out->count > 1 && out->digits[out->count - 1] == '0')
        out->count--;
    return single ? strtof(again, NULL) == (float)number : strtod(again, NULL) == number;
}

/* A decimal of up to 15 digits (6 for a float) comes back unchanged from its double. So 15 digits without final zeros are the shortest
 * text, if they read back as the number. */
static void find_shortest(double number, bool single, struct shortest *out)
{
    int count = single ? 6 : 15, max = single ? 9 : 17;
    while (!try_digits(number, single, count, out) && count < max)
        count++;
}

static size_t write_plain(const struct shortest *s, char *out)
{
    char *at = out;
    for (int i = s->point > 0 ? 0 : s->point - 1; i < s->point || i < s->count; i++) {
        if (i == s->point)
            *at++ = '.';
        *at++ = (char)(i >= 0 && i < s->count ? s->digits[i] : '0');
    }
    return (size_t)(at - out);
}

static size_t write_scientific(const struct shortest *s, int exponent_digits, char *out)
{
    int exponent = s->point - 1;
    return (size_t)snprintf(out, SCALAR_NUMBER_BYTES - 1, "%c%s%.*se%c%0*d", s->digits[0], s->count > 1 ? "." : "", s->count - 1,
                            s->digits + 1, exponent < 0 ? '-' : '+', exponent_digits, abs(exponent));
}

/* Writes a number as encoding/json does: from 1e-6 to below 1e21 without an exponent. */
static size_t write_float(double number, char *out)
{
    struct shortest s;
    size_t sign = signbit(number) != 0;
    double size = fabs(number);
    out[0] = '-';
    if (size == 0) {
        out[sign] = '0';
        return sign + 1;
    }
    find_shortest(size, false, &s);
    return sign + (size < 1e-6 || size >= 1e21 ? write_scientific(&s, 1, out + sign) : write_plain(&s, out + sign));
}

static size_t write_integer(const struct scalar *scalar, char *out)
{
    return (size_t)snprintf(out, SCALAR_NUMBER_BYTES, "%s%" PRIu64, scalar->negative ? "-" : "", scalar->magnitude);
}

size_t scalar_write_number(const struct scalar *scalar, char *out)
{
    return scalar->type == SCALAR_INTEGER ? write_integer(scalar, out) : write_float(scalar->number, out);
}

/* Writes a number as strconv.FormatFloat(number, 'g', -1, 32) does. */
static size_t write_float_name(double number, char *out)
{
    struct shortest s;
    float narrow = (float)number;
    if (isnan(narrow) || isinf(narrow))
        return (size_t)snprintf(out, SCALAR_NUMBER_BYTES, "%s", isnan(narrow) ? ".nan" : narrow < 0 ? "-.inf" : ".inf");
    size_t sign = signbit(narrow) != 0;
    double size = fabs((double)narrow);
    out[0] = '-';
    if (size == 0) {
        out[sign] = '0';
        return sign + 1;
    }
    find_shortest(size, true, &s);
    int exponent = s.point - 1;
    return sign + (exponent < -4 || exponent >= 6 ? write_scientific(&s, 2, out + sign) : write_plain(&s, out + sign));
}

bool scalar_name(const struct scalar *scalar, char *out, struct bytes *name)
{
    size_t length = 0;
    switch (scalar->type) {
    case SCALAR_STRING: *name = scalar->text; return true;
    case SCALAR_NULL: return false;
    case SCALAR_BOOLEAN: *name = bytes_of(scalar->truth ? "true" : "false"); return true;
    case SCALAR_INTEGER:
        if (!scalar->negative && scalar->magnitude > INT64_MAX)
            return false;
        length = write_integer(scalar, out);
        break;
    case SCALAR_FLOAT: length = write_float_name(scalar->number, out); break;
    }
    *name = (struct bytes){ out, (uint32_t)length };
    return true;
}

/* ---- base64 ---- */

static int sextet(char character)
{
    static const char alphabet[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    const char *found = character ? memchr(alphabet, character, sizeof alphabet - 1) : NULL;
    return found ? (int)(found - alphabet) : -1;
}

/* RFC 4648 with padding, as encoding/base64 does it: line ends are skipped, and unused bits of the last sextet may be anything. */
bool scalar_decode_binary(struct bytes text, char *out, size_t *length)
{
    uint32_t group = 0;
    unsigned in_group = 0, padding = 0;
    size_t count = 0;
    for (uint32_t i = 0; i < text.length; i++) {
        char character = text.data[i];
        if (character == '\n' || character == '\r')
            continue;
        bool pad = character == '=';
        int value = pad ? 0 : sextet(character);
        if (value < 0 || (padding && (!pad || in_group == 0)) || (pad && in_group < 2))
            return false;
        padding += pad;
        group = group << 6 | (uint32_t)value;
        if (++in_group < 4)
            continue;
        for (unsigned byte = 0; byte < 3 - padding; byte++)
            out[count++] = (char)(group >> (16 - 8 * byte));
        in_group = 0;
        group = 0;
    }
    *length = count;
    return in_group == 0;
}
