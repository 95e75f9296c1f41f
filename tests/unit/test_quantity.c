/* Quantities: which texts are one, what they are worth, rounding and caps as the API server has them. The verdicts of the tables were
 * asked of Kubernetes 1.35.4, but for the limits of our own. */
#include "unit.h"
#include "unit_arena.h"

#include "base/limits.h"
#include "value/limits.h"
#include "value/quantity.h"

static const char not_a_number[] = "is not a number with a suffix such as Mi, Gi, m, k or e3";

/* Reads a text that must be one, from a copy that ends where its memory ends. */
static struct quantity read_quantity(struct bytes text)
{
    struct quantity quantity = { NULL, 99, 99, true };
    struct bytes copy = exact_copy(text);
    const char *fault = quantity_fault(copy);
    EXPECT(fault == NULL, "%s: %s", shown(text), fault);
    assert_int_equal(quantity_read(copy, &arena, &quantity), FAILURE_NONE);
    free_copy(copy); /* the digits are the arena's */
    EXPECT(quantity.count == 0 || (quantity.digits[0] != '0' && quantity.digits[quantity.count - 1] != '0'), "%s", shown(text));
    EXPECT(quantity.count || (!quantity.negative && quantity.exponent == 0), "%s", shown(text));
    return quantity;
}

static int compare(struct bytes left, struct bytes right)
{
    struct quantity a = read_quantity(left), b = read_quantity(right);
    int order = quantity_compare(&a, &b), back = quantity_compare(&b, &a);
    EXPECT((order > 0) == (back < 0) && (order < 0) == (back > 0), "%s and %s", shown(left), shown(right));
    EXPECT(quantity_compare(&a, &a) == 0, "%s", shown(left));
    arena_clear(&arena);
    return (order > 0) - (order < 0);
}

static void expect_order(const char *left, const char *right, int order)
{
    int got = compare(bytes_of(left), bytes_of(right));
    EXPECT(got == order, "%s and %s: %d instead of %d", left, right, got, order);
}

/* ---- which texts are quantities ---- */

static void test_texts_that_are_quantities(void **state)
{
    static const char *const texts[] = {
        "0", "1", "00", "007", "5.", ".5", "5.5", "0.0", "+1", "-1", "-0", "1n", "1u", "1m", "1k", "1M", "1G", "1T", "1P", "1E", "1Ki", "1Mi", "1Gi", "1Ti",
        "1Pi", "1Ei",
        "1e3", "1E3", "1e+3", "1e-3", "1E+03", "1e0", "1e-0", "1.5Gi", "5.Gi", ".5Ki", "123456789012345678901234567890", "1.123456789012345678901234567890",
        /* without digits: 0, up to where the API server's fast road goes */
        ".", "+", "-", "m", "n", "E", "Ki", "Mi", "Gi", "Ti", "e3", "e-9", ".Ti", "-.k", "+e5", "-E", "0Pi", "0Ei", "0e-10", ".0Ei",
        /* white space of Unicode around it */
        " 1", "1 ", "\t\n\v\f\r 1 \r\n", "\xC2\x85" "1\xC2\x85", "\xC2\xA0" "1\xC2\xA0", "\xE1\x9A\x80" "1", "1\xE2\x80\x80", "\xE2\x80\x8A" "1",
        "1\xE2\x80\xA8\xE2\x80\xA9", "1\xE2\x80\xAF",
        "\xE2\x81\x9F" "1", "\xE3\x80\x80" "1Ki", " 1Gi\xC2\xA0\xC2\x85 ",
    };
    (void)state;
    for (size_t i = 0; i < COUNT(texts); i++) {
        const char *fault = quantity_fault(bytes_of(texts[i]));
        EXPECT(fault == NULL, "%s: %s", shown(bytes_of(texts[i])), fault);
    }
    assert_rows();
}

static void test_texts_that_are_none(void **state)
{
    static const struct {
        const char *text, *fault;
    } cases[] = {
        { "", "is empty" }, { " ", "is empty" }, { "\t\xC2\xA0 ", "is empty" },
        { "5K", not_a_number }, { "1g", not_a_number }, { "5gi", not_a_number }, { "1ki", not_a_number }, { "1KI", not_a_number }, { "1Zi", not_a_number },
          { "1Y", not_a_number },
        { "1ni", not_a_number }, { "1mi", not_a_number }, { "1i", not_a_number }, { "1Kii", not_a_number }, { "1KiB", not_a_number }, { "1GB", not_a_number },
          { "1kk", not_a_number },
        { "5e", not_a_number }, { "1e+", not_a_number }, { "1e-", not_a_number }, { "1E+", not_a_number }, { "1ee3", not_a_number }, { "1e3Ki", not_a_number },
          { "1e3e3", not_a_number },
        { "1e1.5", not_a_number }, { "1e 3", not_a_number }, { "1e--3", not_a_number }, { "1Mi5", not_a_number }, { "1k3", not_a_number }, { "1e0x1",
          not_a_number },
        { "1,000", not_a_number }, { "1_000", not_a_number }, { "0x10", not_a_number }, { "--5", not_a_number }, { "+-5", not_a_number }, { "-+5",
          not_a_number }, { "1-", not_a_number },
        { "1.2.3", not_a_number }, { "..", not_a_number }, { "1 Ki", not_a_number }, { "1 2", not_a_number }, { "- 1", not_a_number }, { "null", not_a_number },
          { "true", not_a_number },
        { "\\u0031", not_a_number }, { "\"1\"", not_a_number }, { "1%", not_a_number }, { "Inf", not_a_number }, { "NaN", not_a_number }, { "infinity",
          not_a_number },
        { "\xD9\xA1", not_a_number }, { "\xEF\xBC\x91", not_a_number }, { "1\xFF", not_a_number }, { "\xFF" "1", not_a_number }, { "1\xC2", not_a_number },
          { "1\xA0", not_a_number },
        { "\xE2\x80\x8B" "1", not_a_number }, { "1\xEF\xBB\xBF", not_a_number }, { "\xE1\xA0\x8E" "1", not_a_number }, /* no white space: U+200B, U+FEFF,
          U+180E */
        { "Pi", not_a_number }, { "Ei", not_a_number }, { ".Ei", not_a_number }, { "-Pi", not_a_number }, { "e-10", not_a_number }, { ".e-10", not_a_number },
          { "+e-11", not_a_number },
        { "1e9223372036854775808", "has an exponent beyond 64 bits" }, { "1e-9223372036854775809", "has an exponent beyond 64 bits" },
          { "1e99999999999999999999999", "has an exponent beyond 64 bits" },
    };
    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct bytes copy = exact_copy(bytes_of(cases[i].text));
        const char *fault = quantity_fault(copy);
        EXPECT(fault && strcmp(fault, cases[i].fault) == 0, "%s: %s", shown(copy), fault ? fault : "accepted");
        free_copy(copy);
    }
    EXPECT(quantity_fault((struct bytes)BYTES("1\0")) != NULL, "%s", "NUL behind");
    EXPECT(quantity_fault((struct bytes)BYTES("\0" "1")) != NULL, "%s", "NUL before");
    EXPECT(quantity_fault((struct bytes)BYTES("1e3\0")) != NULL, "%s", "NUL behind an exponent");
    EXPECT(quantity_fault((struct bytes){ NULL, 0 }) != NULL, "%s", "NULL");
    assert_rows();
}

static void test_length_of_a_text(void **state)
{
    (void)state;
    for (size_t length = LIMIT_QUANTITY_BYTES - 1; length <= LIMIT_QUANTITY_BYTES + 1; length++) {
        struct bytes digits = repeated("9", length, ""), padded = repeated("9", length, "   \n");
        const char *fault = quantity_fault(digits), *padded_fault = quantity_fault(padded);
        bool good = length <= LIMIT_QUANTITY_BYTES;
        EXPECT((fault == NULL) == good, "%zu digits", length);
        EXPECT(good || strcmp(fault, "is too long for a quantity") == 0, "%zu digits", length);
        EXPECT((padded_fault == NULL) == good, "%zu digits and blanks", length);
        free_copy(digits);
        free_copy(padded);
    }
    assert_rows();
}

static void test_exponents_have_a_limit(void **state)
{
    static const char *const heads[] = { "1e", "1E", "0e", "1.5e" };
    (void)state;
    for (size_t i = 0; i < COUNT(heads); i++)
        for (long long sign = -1; sign <= 1; sign += 2)
            for (long long size = LIMIT_QUANTITY_EXPONENT - 1; size <= LIMIT_QUANTITY_EXPONENT + 1; size++) {
                char text[32];
                snprintf(text, sizeof text, "%s%lld", heads[i], sign * size);
                const char *fault = quantity_fault(bytes_of(text));
                EXPECT((fault == NULL) == (size <= LIMIT_QUANTITY_EXPONENT), "%s", text);
                EXPECT(size <= LIMIT_QUANTITY_EXPONENT || strcmp(fault, "has an exponent that is too large") == 0, "%s", text);
            }
    assert_rows();
}

/* ---- what they are worth ---- */

struct pair {
    const char *left, *right;
};

static void test_equal_quantities(void **state)
{
    static const struct pair pairs[] = {
        { "1", "1.0" }, { "1", "01" }, { "1", "+1" }, { "1", "1e0" }, { "1", "1000m" }, { "1", "1000000u" }, { "1", "1000000000n" }, { "1", " 1 " }, { "1",
          "1E0" }, { "1", "1." },
        { "1k", "1000" }, { "1M", "1000k" }, { "1G", "1000M" }, { "1T", "1000G" }, { "1P", "1000T" }, { "1E", "1000P" }, { "1E", "1e18" }, { "1k", "1e3" },
          { "1m", "1e-3" },
        { "1Ki", "1024" }, { "1Mi", "1024Ki" }, { "1Gi", "1024Mi" }, { "1Ti", "1024Gi" }, { "1Pi", "1024Ti" }, { "1Ei", "1024Pi" }, { "1Ei",
          "1152921504606846976" },
        { "1Mi", "1048576" }, { "1Gi", "1073741824" }, { "1Ti", "1099511627776" }, { "1Pi", "1125899906842624" }, { "7Ei", "8070450532247928832" },
        { "1.5Gi", "1536Mi" }, { "0.5Ki", "512" }, { ".5", "500m" }, { "0.001", "1m" }, { "1.50", "1500m" }, { "1500m", "1.5" }, { "100e-2", "1" }, { "0.1e1",
          "1" },
        { "0", "-0" }, { "0", "0Ei" }, { "0", "." }, { "0", "m" }, { "0", "-" }, { "0", "0e5" }, { "0", "0.000" }, { "0", "-0.0e-9" }, { "e3", "0" },
        { "-1", "-1000m" }, { "-1Ki", "-1024" }, { "9223372036854775807", "9223372036854775.807k" }, { "123456789012345678901234567890",
          "123456789012345678901234567.890k" },
        { "10000000000000000000000000000000000000000", "1e40" }, { "0.000000001", "1n" },
    };
    (void)state;
    for (size_t i = 0; i < COUNT(pairs); i++)
        expect_order(pairs[i].left, pairs[i].right, 0);
    assert_rows();
}

/* Each is less than the next. */
static void test_order_of_quantities(void **state)
{
    static const char *const ascending[] = {
        "-1e1000000", "-9223372036854775808", "-16Ei", "-1Ei", "-1E", "-1Pi", "-1025", "-1Ki", "-1023.000000001", "-2", "-1.5", "-1001m", "-1", "-999m", "-2n",
        "-1n",
        "0", "1n", "2n", "999n", "1u", "1m", "2m", "10m", "0.1", "0.10000001", "999m", "0.999999999", "1", "1.000000001", "1001m", "1.5", "2", "9", "10", "11",
        "99", "100", "999", "1k", "1001", "1023",
        "1Ki", "1025", "1.1Ki", "9.9k", "10k", "1M", "1Mi", "1G", "1Gi", "1T", "1Ti", "1P", "1Pi", "9007199254740992", "9007199254740993", "1E", "1Ei", "7.9Ei",
        "9223372036854775806",
        "9223372036854775807", "9223372036854775808", "10E", "18446744073709551616", "1e20", "1e21", "999e999", "1e1002", "1e999999", "1e1000000",
    };
    (void)state;
    for (size_t i = 0; i < COUNT(ascending); i++)
        for (size_t j = 0; j < COUNT(ascending); j++)
            expect_order(ascending[i], ascending[j], (i > j) - (i < j));
    assert_rows();
}

/* Nothing is smaller than a nano: what is left rounds up, away from zero. */
static void test_rounding_to_nano(void **state)
{
    static const struct pair pairs[] = {
        { "0.1n", "1n" }, { "-0.1n", "-1n" }, { "1.1n", "2n" }, { "-1.1n", "-2n" }, { "1.000000001n", "2n" }, { "1e-20", "1n" }, { "-1e-20", "-1n" },
          { "1e-1000000", "1n" }, { "-1e-1000000", "-1n" },
        { "1e-10", "1n" }, { "9e-10", "1n" }, { "10e-10", "1n" }, { "11e-10", "2n" }, { "0.9999999999", "1" }, { "0.9999999991", "1" }, { "0.999999999",
          "999999999n" }, { "1.0000000001", "1000000001n" },
        { "1.000000001", "1000000001n" }, { "999.9999999999", "1k" }, { "-999.9999999999", "-1k" }, { "0.0000000000", "0" }, { "-0.0000000000", "0" },
          { "0e-20", "0" }, { "123.4567891234", "123.456789124" },
        { "0.00000000000000000000000000000000001Ki", "1n" }, { "0.0000000009765625Ki", "1u" }, { "0.00000000097656251Ki", "1001n" },
          { "99999999999999999999.99999999999", "1e20" }, { "0.0000000001E", "1e8" },
    };
    (void)state;
    for (size_t i = 0; i < COUNT(pairs); i++)
        expect_order(pairs[i].left, pairs[i].right, 0);
    assert_rows();
}

/* Suffixes that are powers of two are capped at the largest int64 in size; others grow as they like. */
static void test_caps_of_binary_suffixes(void **state)
{
    static const struct pair pairs[] = {
        { "8Ei", "9223372036854775807" }, { "16Ei", "9223372036854775807" }, { "-8Ei", "-9223372036854775807" }, { "-16Ei", "-9223372036854775807" },
          { "8191.9999999999999999Pi", "9223372036854775807" },
        { "9007199254740992Ki", "9223372036854775807" }, { "9007199254740991Ki", "9223372036854774784" }, { "99999999999999999999999999Ki",
          "9223372036854775807" }, { "7.9999999999999999999Ei", "9223372036854775807" },
        { "9007199254740991.9990234375Ki", "9223372036854775807" }, { "8589934592Gi", "8Ei" },
    };
    (void)state;
    for (size_t i = 0; i < COUNT(pairs); i++)
        expect_order(pairs[i].left, pairs[i].right, 0);
    expect_order("8Ei", "9223372036854775808", -1);
    expect_order("7.99999999Ei", "9223372036854775807", -1);
    expect_order("9007199254740991.9Ki", "9223372036854775807", -1);
    expect_order("10E", "16Ei", 1);
    expect_order("-10E", "-16Ei", -1);
    assert_rows();
}

/* The API server keeps the low 32 bits of an exponent. */
static void test_exponents_are_cut_to_32_bits(void **state)
{
    static const struct pair pairs[] = {
        { "1e4294967296", "1" }, { "1e4294967297", "10" }, { "1e4294967299", "1k" }, { "1e4294967295", "100m" }, { "1e-4294967296", "1" }, { "1e-4294967297",
          "100m" }, { "1e-4294967295", "10" },
        { "1e8589934593", "10" }, { "1e9223372036854775807", "100m" }, { "1e-9223372036854775807", "10" }, { "1e-9223372036854775808", "1" }, { "1e6442450947",
          "0" },
    };
    (void)state;
    for (size_t i = 0; i + 1 < COUNT(pairs); i++)
        expect_order(pairs[i].left, pairs[i].right, 0);
    EXPECT(quantity_fault(bytes_of(pairs[COUNT(pairs) - 1].left)) != NULL, "%s", "2^31 + 2^32 + 3 is negative and far too large");
    EXPECT(quantity_fault(bytes_of("1e2147483647")) != NULL, "%s", "2^31 - 1");
    EXPECT(quantity_fault(bytes_of("1e2147483648")) != NULL, "%s", "2^31");
    EXPECT(quantity_fault(bytes_of("1e-2147483648")) != NULL, "%s", "-2^31");
    assert_rows();
}

static void test_signs(void **state)
{
    static const struct {
        const char *text;
        bool negative;
    } cases[] = { { "1", false }, { "-1", true }, { "-0", false }, { "-0.0", false }, { "-", false }, { "-.", false }, { "-0Ei", false }, { "-0.1n", true },
    { "-1e-20", true }, { "-1Ei", true }, { "-99Ei", true }, { "+1", false } };
    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++)
        EXPECT(read_quantity(bytes_of(cases[i].text)).negative == cases[i].negative, "%s", cases[i].text);
    arena_clear(&arena);
    assert_rows();
}

/* ---- rounding ---- */

static void test_round_up(void **state)
{
    static const struct {
        const char *text;
        int32_t scale;
        const char *rounded;
    } cases[] = {
        { "1.5", -3, "1500m" }, { "1.0005", -3, "1001m" }, { "1.0001", -3, "1001m" }, { "1.001", -3, "1001m" }, { "-1.0001", -3, "-1001m" }, { "1n", -3, "1m" },
          { "-1n", -3, "-1m" }, { "0", -3, "0" },
        { "0.9991", -3, "1" }, { "0.9999", -3, "1" }, { "999.9999", -3, "1k" }, { "0.5", 0, "1" }, { "1.5", 0, "2" }, { "-0.5", 0, "-1" }, { "-1.5", 0, "-2" },
          { "9.1", 0, "10" }, { "99.000000001", 0, "100" },
        { "1", 0, "1" }, { "1001", 3, "2k" }, { "1000", 3, "1k" }, { "1", 3, "1k" }, { "0.001", 3, "1k" }, { "999999", 3, "1M" }, { "-1001", 3, "-2k" },
          { "1e20", -9, "1e20" }, { "123456789012345678901234567890.5", 0, "123456789012345678901234567891" },
        { "1", 1000, "1e1000" }, { "1Ki", 2, "1100" }, { "1100", 2, "1100" }, { "1n", -9, "1n" }, { "1n", -8, "10n" },
    };
    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct quantity rounded = read_quantity(bytes_of(cases[i].text)), expected = read_quantity(bytes_of(cases[i].rounded));
        assert_int_equal(quantity_round_up(&rounded, cases[i].scale, &arena), FAILURE_NONE);
        EXPECT(quantity_compare(&rounded, &expected) == 0, "%s to 10^%d", cases[i].text, cases[i].scale);
        assert_int_equal(quantity_round_up(&rounded, cases[i].scale, &arena), FAILURE_NONE);
        EXPECT(quantity_compare(&rounded, &expected) == 0, "%s to 10^%d, twice", cases[i].text, cases[i].scale);
        arena_clear(&arena);
    }
    assert_rows();
}

/* ---- as int64 ---- */

/* How the API server holds a number, and what it makes of it as it is held and as a decimal: wrong for many, so nothing here follows from arithmetic. */
static void test_int64(void **state)
{
    static const struct {
        const char *text;
        bool big;
        int64_t value, as_decimal;
    } cases[] = {
        { "0", false, 0, 0 }, { "1", false, 1, 1 }, { "1.5", false, 2, 2 }, { "-1.5", false, -2, 0 }, { "-1500m", false, -2, 0 }, { "-1n", false, -1, 1 },
        { "1n", false, 1, 1 }, { "5.Ki", false, 5120, 5120 }, { "0Pi", true, 0, 0 }, { "-0.5Ki", true, -512, -512 }, { "1e-9", false, 1, 1 },
        { "-1e-10", true, 1, 1 }, { "0.9999999999999999999", true, 1, 1 },
        /* a missing digit before the point counts as one of 18 */
        { "0.123456789012345678e10", true, 1234567891, 1234567891 }, { "-0.123456789012345678e10", true, -1234567889, -1234567889 },
        { "-.12345678901234567e9", false, -123456790, -123456788 }, { "00.12345678901234567e9", false, 123456790, 123456790 },
        /* decimals: an integer of 10^-9, of which the low 64 bits are divided when it is negative; not so when it was capped */
        { "9223372036854775807", true, INT64_MAX, INT64_MAX }, { "9223372036854775808", true, INT64_MIN, INT64_MIN }, { "-9223372036854775807", true, 1, 1 },
        { "-9223372036854775808", true, 0, 0 }, { "-1234567890123456789", true, -7888470987, -7888470987 }, { "-16Ei", true, -INT64_MAX, -INT64_MAX },
        { "-9007199254740991.9990234375Ki", true, 1, 1 },
        /* int64 and a power of ten: wraps at 10^1, 10^2, 10^3, 10^6 and 10^9, and is 0 elsewhere */
        { "922337203685477580e1", false, 9223372036854775800, 9223372036854775800 }, { "922337203685477581e1", false, -9223372036854775806, -9223372036854775806 },
        { "92233720368547758e3", false, -80, -80 }, { "-92233720368547758e3", false, 80, 80 }, { "92233720368547758e4", false, 0, -800 },
        { "99999999999e9", false, 7766279630452241920, 7766279630452241920 }, { "10E", false, 0, -8446744073709551616 }, { "-10E", false, 0, 8446744073709551616 },
        { "9e18", false, 9000000000000000000, 9000000000000000000 }, { "1e19", false, 0, INT64_MIN }, { "2e19", false, 0, 0 }, { "-3e30", false, 0, INT64_MIN },
        { "1e1000000", false, 0, INT64_MIN },
    };
    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        int64_t value = 99, as_decimal = 99;
        struct bytes copy = exact_copy(bytes_of(cases[i].text));
        EXPECT(quantity_is_big(copy) == cases[i].big, "%s", cases[i].text);
        assert_int_equal(quantity_int64(copy, cases[i].big, &arena, &value), FAILURE_NONE);
        assert_int_equal(quantity_int64(copy, true, &arena, &as_decimal), FAILURE_NONE);
        EXPECT(value == cases[i].value, "%s: %lld", cases[i].text, (long long)value);
        EXPECT(as_decimal == cases[i].as_decimal, "%s: %lld", cases[i].text, (long long)as_decimal);
        free_copy(copy);
        arena_clear(&arena);
    }
    assert_rows();
}

/* Small numbers in thousandths, compared with arithmetic in 64 bits. */
static void test_values_agree_with_integers(void **state)
{
    static const struct {
        const char *suffix;
        int64_t thousandths;
    } units[] = { { "m", 1 }, { "", 1000 }, { "k", 1000000 }, { "Ki", 1024000 }, { "e2", 100000 }, { "M", 1000000000 }, { "Mi", 1048576000 } };
    uint64_t chance = 88172645463325252;
    (void)state;
    for (unsigned i = 0; i < 20000 / slowness(); i++) {
        char text[2][64];
        int64_t value[2];
        for (unsigned j = 0; j < 2; j++) {
            size_t unit = next_random(&chance) % COUNT(units);
            int64_t number = (int64_t)(next_random(&chance) % (next_random(&chance) % 2 ? 20 : 3000000)) - 10;
            value[j] = number * units[unit].thousandths;
            snprintf(text[j], sizeof text[j], "%lld%s", (long long)number, units[unit].suffix);
        }
        expect_order(text[0], text[1], (value[0] > value[1]) - (value[0] < value[1]));
    }
    assert_rows();
}

/* Which texts Go keeps beside the number; those of binary suffixes if 1024 does not divide, nearly. */
static void test_kept_texts(void **state)
{
    static const char *const kept[] = { "0", "1", "1500", "1500m", "15k", "1Gi", "1537Mi", "9Ki", "2e3", "120", "1.500", "0100", "+1" };
    static const char *const others[] = { "", "00", "0Gi", "1000", "1.000", "0.5", "1.5", "2e4", "1536Mi", "8Gi", "2048Mi", "2147483648000", "100Ti", " 1" };
    (void)state;
    for (size_t i = 0; i < COUNT(kept); i++)
        EXPECT(quantity_is_kept(bytes_of(kept[i])), "%s", kept[i]);
    for (size_t i = 0; i < COUNT(others); i++)
        EXPECT(!quantity_is_kept(bytes_of(others[i])), "%s", others[i]);
}

/* What is not big is read into 64 bits, and is worth the same. */
static void test_small_numbers(void **state)
{
    static const struct { const char *text; bool small; int64_t mantissa; int32_t scale; } rows[] = {
        { "40Gi", true, 42949672960, 0 }, { "-1Ki", true, -1024, 0 }, { "1500m", true, 1500, -3 }, { "1.50", true, 150, -2 }, { "2e5", true, 2, 5 }, { "+007k", true, 7, 3 },
        { "999999999999999999", true, 999999999999999999, 0 }, { "1234567890123456789", false, 0, 0 }, { "99999999999Ki", true, 102399999998976, 0 },
        { "100000000000Ki", false, 0, 0 }, { "99Ti", true, 108851651149824, 0 }, { "100Ti", false, 0, 0 }, { "1Pi", false, 0, 0 }, { "0Ei", false, 0, 0 }, { "1.0Ki", false, 0, 0 },
        { "0.123456789", true, 123456789, -9 }, { "0.1234567890", false, 0, 0 }, { "1n", true, 1, -9 }, { "0.1n", false, 0, 0 }, { "000", true, 0, 0 }, { ".", true, 0, 0 }, { "e3", true, 0, 3 },
        { "1e1000000", true, 1, 1000000 }, { "1e-1000000", false, 0, 0 }, { "", false, 0, 0 }, { " 1", false, 0, 0 }, { "1 ", false, 0, 0 }, { "1K", false, 0, 0 }, { "1.2.3", false, 0, 0 },
    };
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct quantity_small small = { 99, 99 };
        struct quantity quantity, whole;
        char digits[QUANTITY_SMALL_DIGITS];
        struct bytes copy = exact_copy(bytes_of(rows[i].text));
        bool read = quantity_read_small(copy, &small);
        EXPECT(read == rows[i].small && (!read || (small.mantissa == rows[i].mantissa && small.scale == rows[i].scale)), "%s: %lld, %d", rows[i].text,
               (long long)small.mantissa, small.scale);
        free_copy(copy);
        if (!read)
            continue;
        quantity_of_small(&small, digits, &quantity);
        whole = read_quantity(bytes_of(rows[i].text));
        EXPECT(quantity_compare(&quantity, &whole) == 0 && quantity.count == whole.count && quantity.exponent == whole.exponent, "%s", rows[i].text);
        EXPECT(!quantity_is_big(bytes_of(rows[i].text)), "%s", rows[i].text);
        arena_clear(&arena);
    }
    struct quantity least;
    char digits[QUANTITY_SMALL_DIGITS];
    quantity_of_small(&(struct quantity_small){ INT64_MIN, 2 }, digits, &least);
    assert_true(least.negative && least.exponent == 21 && least.count == 19 && memcmp(least.digits, "9223372036854775808", 19) == 0);
    assert_rows();
}

static void test_sums(void **state)
{
    static const struct { const char *a, *b, *sum; } rows[] = {
        { "1", "2", "3" }, { "0", "-5", "-5" }, { "7", "0", "7" }, { "5", "-5", "0" }, { "999999999999999999999", "1", "1e21" }, { "1e21", "-1", "999999999999999999999" },
        { "1n", "1e20", "100000000000000000000.000000001" }, { "-1.5", "-2.5", "-4" }, { "0.5", "-1", "-0.5" }, { "1Gi", "-1Mi", "1023Mi" },
    };
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct quantity a = read_quantity(bytes_of(rows[i].a)), b = read_quantity(bytes_of(rows[i].b)), wanted = read_quantity(bytes_of(rows[i].sum)), sum;
        assert_int_equal(quantity_add(&a, &b, &arena, &sum), FAILURE_NONE);
        EXPECT(quantity_compare(&sum, &wanted) == 0, "%s + %s", rows[i].a, rows[i].b);
        arena_clear(&arena);
    }
    struct quantity one = read_quantity(bytes_of("1")), large = read_quantity(bytes_of("1e16381")), larger = read_quantity(bytes_of("1e16383")), sum;
    assert_int_equal(quantity_sum_digits(&one, &large), LIMIT_QUANTITY_SUM_DIGITS);
    assert_int_equal(quantity_add(&one, &large, &arena, &sum), FAILURE_NONE);
    assert_int_equal(quantity_add(&one, &larger, &arena, &sum), FAILURE_LIMIT);
    assert_rows();
}

/* ---- bounds ---- */

/* The longest texts, in every direction, in no time: an exponent is never expanded. */
static void test_hostile_texts_take_no_time(void **state)
{
    static const struct {
        const char *unit, *tail;
    } cases[] = { { "9", "Ei" }, { "0", "1Ei" }, { "9", "e1000000" }, { "9", "e-1000000" }, { "0", "e-1000000" }, { "9", "n" }, { "9", "." } };
    double before = cpu_seconds();
    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct bytes text = repeated(cases[i].unit, LIMIT_QUANTITY_BYTES - strlen(cases[i].tail), cases[i].tail);
        for (int round = 0; round < 50; round++)
            (void)compare(text, text);
        free_copy(text);
    }
    assert_true(cpu_seconds() - before < 0.2 * slowness());
    assert_rows();
}

/* Everything that is ever asked of a quantity. */
static void use(struct bytes text, const struct quantity *other)
{
    struct quantity quantity, rounded;
    int64_t value;
    int order;
    assert_int_equal(quantity_read(text, &arena, &quantity), FAILURE_NONE);
    rounded = quantity;
    assert_int_equal(quantity_round_up(&rounded, -3, &arena), FAILURE_NONE);
    assert_int_equal(quantity_int64(text, quantity_is_big(text), &arena, &value), FAILURE_NONE);
    assert_int_equal(quantity_int64(text, true, &arena, &value), FAILURE_NONE);
    assert_true(quantity_compare(&quantity, &quantity) == 0);
    assert_int_equal(quantity_compare_sum(&quantity, &quantity, other, &arena, &order), FAILURE_NONE);
    assert_int_equal(quantity_compare_sum(&quantity, other, &quantity, &arena, &order), FAILURE_NONE);
    assert_int_equal(quantity_compare_sum(other, &quantity, &rounded, &arena, &order), FAILURE_NONE);
}

/* None of them takes 10 ms, whatever is done with it: where the API server hangs, the text is refused. */
static void test_each_hostile_text_takes_no_time(void **state)
{
    static const char *const refused[] = {
        "1e999999999", "1E-2147483648", "1e2147483647", "1e2147483648", "-1e-2147483647", "0e999999999", "1.5e3000000000", "1e99999999999999999999",
        "1e-99999999999999999999", "1e1000001", "1e-1000001",
    };
    static const struct {
        const char *head, *unit, *tail;
    } long_texts[] = {
        { "", "9", "" }, { "-", "9", "" }, { "", "0", "" }, { "", "0", "1" }, { "", "9", "Ei" }, { "-", "9", "Ki" }, { "0.", "9", "" }, { "-0.", "9", "Ei" }, { ".", "0", "1Pi" },
        { "", "9", "e1000000" }, { "-", "9", "e1000000" }, { "", "9", "e-1000000" }, { "1.", "0", "1e1000000" }, { "-.", "0", "1e-1000000" }, { "", "9", "n" }, { "1e", "0", "1" },
        { "1e", "9", "" }, { "1e-", "9", "" }, { "", ".", "" }, { "", "-", "" }, { "", " ", "1" }, { "1", " ", "" }, { "", "e", "" }, { "1", "Ki", "" },
    };
    static const char *const others[] = { "1n", "-1n", "1e1000000", "-1e1000000", "0.123456789" };
    struct arena kept;
    (void)state;
    arena_init(&kept, &memory_malloc, LIMIT_ARENA_BYTES);
    for (size_t i = 0; i < COUNT(refused); i++) {
        double before = cpu_seconds();
        EXPECT(quantity_fault(bytes_of(refused[i])) != NULL, "%s", refused[i]);
        EXPECT(cpu_seconds() - before < 0.01 * slowness(), "%s", refused[i]);
    }
    for (size_t i = 0; i < COUNT(long_texts); i++)
        for (size_t j = 0; j < COUNT(others); j++) {
            size_t rest = LIMIT_QUANTITY_BYTES - strlen(long_texts[i].head);
            struct bytes tail = repeated(long_texts[i].unit, (rest - strlen(long_texts[i].tail)) / strlen(long_texts[i].unit), long_texts[i].tail);
            char text[LIMIT_QUANTITY_BYTES + 1];
            snprintf(text, sizeof text, "%s%.*s", long_texts[i].head, (int)tail.length, tail.data);
            struct quantity other;
            assert_int_equal(quantity_read(bytes_of(others[j]), &kept, &other), FAILURE_NONE);
            double before = cpu_seconds();
            if (!quantity_fault(bytes_of(text)))
                use(bytes_of(text), &other);
            EXPECT(cpu_seconds() - before < 0.01 * slowness(), "%s%s...%s with %s", long_texts[i].head, long_texts[i].unit, long_texts[i].tail, others[j]);
            free_copy(tail);
            arena_clear(&arena);
        }
    arena_done(&kept);
    assert_rows();
}

static void test_every_allocation_may_fail(void **state)
{
    static const char *const texts[] = { "1.5Gi", "1.00000000001", "99999999999999999999Ei", "1e-20" };
    (void)state;
    for (size_t i = 0; i < COUNT(texts); i++) {
        struct counted_memory counted;
        struct arena failing;
        struct quantity quantity;
        counted_init(&counted, 1);
        arena_init(&failing, &counted.memory, LIMIT_ARENA_BYTES);
        EXPECT(quantity_read(bytes_of(texts[i]), &failing, &quantity) == FAILURE_MEMORY, "%s", texts[i]);
        arena_done(&failing);
        unsigned good = 0;
        for (size_t limit = 0; limit < 96; limit++) { /* either of its two pieces may be one too many */
            arena_init(&failing, &memory_malloc, limit);
            enum failure failure = quantity_read(bytes_of(texts[i]), &failing, &quantity);
            EXPECT(failure == FAILURE_LIMIT || failure == FAILURE_NONE, "%s, %zu bytes: %d", texts[i], limit, failure);
            EXPECT(failure == FAILURE_NONE || good == 0, "%s, %zu bytes", texts[i], limit);
            good += failure == FAILURE_NONE;
            arena_done(&failing);
        }
        EXPECT(good > 10, "%s", texts[i]);
    }
    assert_rows();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_texts_that_are_quantities),
        cmocka_unit_test(test_texts_that_are_none),
        cmocka_unit_test(test_length_of_a_text),
        cmocka_unit_test(test_exponents_have_a_limit),
        cmocka_unit_test(test_equal_quantities),
        cmocka_unit_test(test_order_of_quantities),
        cmocka_unit_test(test_rounding_to_nano),
        cmocka_unit_test(test_caps_of_binary_suffixes),
        cmocka_unit_test(test_exponents_are_cut_to_32_bits),
        cmocka_unit_test(test_signs),
        cmocka_unit_test(test_round_up),
        cmocka_unit_test(test_int64),
        cmocka_unit_test(test_values_agree_with_integers),
        cmocka_unit_test(test_kept_texts),
        cmocka_unit_test(test_small_numbers),
        cmocka_unit_test(test_sums),
        cmocka_unit_test(test_hostile_texts_take_no_time),
        cmocka_unit_test(test_each_hostile_text_takes_no_time),
        cmocka_unit_test(test_every_allocation_may_fail),
    };
    return cmocka_run_group_tests_name("quantity", tests, start_arena, end_arena);
}
