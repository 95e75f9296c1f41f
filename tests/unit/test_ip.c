/* IP addresses and networks; addresses of interfaces: which texts are canonical. The verdicts of the tables were asked of Kubernetes 1.35.4. */
#include "unit.h"

#include <arpa/inet.h>

#include "value/ip.h"

static bool is_cidr(struct bytes text)
{
    struct bytes copy = exact_copy(text);
    bool good = ip_is_interface_cidr(copy);
    free_copy(copy);
    return good;
}

static const char *const good_texts[] = {
    "10.0.0.1/24", "0.0.0.0/0", "255.255.255.255/32", "1.2.3.4/9", "::/0", "::1/128", "::/128", "1::/16", "2001:db8::1/64",
    "ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff/128", "1:2:3:4:5:6:7:8/1", "64:ff9b::102:304/96",
    /* few groups behind many zeros are no IPv4 address */
    "::1:2/64", "::abcd:ef/9", "::102:304/128", "::fffe:102:304/128", "::ffff:0:102:304/120", "::1:0:0/3",
    /* the longest run of zeros, the first on a tie, never a single group */
    "1::2:0:0:3/64", "1:0:0:2::3/64", "1::2:3:0:0:4/64", "0:1:2:3:4:5:6:7/1", "1:2:3:4:5:6:7:0/1", "1:2:3:4:5:6::/1", "::2:3:4:5:6:7/1", "1:0:2:3:4:5:0:6/1",
    "0:0:1::/64",
};

static const char *const bad_texts[] = {
    "", "/", "/24", "10.0.0.1", "::1", "10.0.0.1/", "::1/", "10.0.0.1//24", "10.0.0.1/24/", "10.0.0.1/24\n", " 10.0.0.1/24", "10.0.0.1 /24", "10.0.0.1/ 24", "a",
    /* the prefix */
    "10.0.0.1/33", "::1/129", "10.0.0.1/024", "10.0.0.1/00", "::1/064", "10.0.0.1/+24", "10.0.0.1/-1", "10.0.0.1/a", "10.0.0.1/2a", "10.0.0.1/255.0.0.0",
    "10.0.0.1/4294967296", "::/18446744073709551616", "::/99999999999999999999999999999999",
    /* the address */
    "10.0.0.01/24", "010.0.0.1/24", "10.0.0.256/24", "10.0.0/24", "10.0.0.1.2/24", "10.0.0./24", "0x1.2.3.4/8", "2001:DB8::1/64", "::0001/9", "1:2:3:4:5:6:7/1",
    "1:2:3:4:5:6:7:8:9/1", ":::/1", "1:::2/1", "1::2::3/1", ":1::/1", "g::/1", "::10000/1", "fe80::1%eth0/64", "fe80::1%0/64",
    /* IPv4 in IPv6 */
    "::ffff:1.2.3.4/120", "::ffff:102:304/120", "::ffff:0:0/96", "::ffff:0/96/", "::1.2.3.4/64", "64:ff9b::1.2.3.4/96", "::ffff:1.2.3.4/24",
    /* zeros written otherwise */
    "0:0:0:0:0:0:0:0/0", "::0/0", "0::/0", "1:2:3:4:5:6::8/64", "1:0:0:2:0:0:0:3/64", "1:0:0:2:3::4/64", "1::2:0:0:0:3/64", "::1:2:3:4:5:6:7/1", "1:2:3:4:5:6:7::/1",
    "1:2:3:4:5:6:0:0/1", "0:0:2:3:4:5:6:7/1", "1:0::/9",
};

static void test_canonical_texts(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(good_texts); i++)
        EXPECT(is_cidr(bytes_of(good_texts[i])), "%s", good_texts[i]);
    assert_rows();
}

static void test_other_texts(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(bad_texts); i++)
        EXPECT(!is_cidr(bytes_of(bad_texts[i])), "%s", bad_texts[i]);
    assert_false(is_cidr((struct bytes){ NULL, 0 }));
    assert_rows();
}

static void test_nul_bytes(void **state)
{
    static const struct bytes texts[] = { BYTES("10.0.0.1\0/24"), BYTES("10.0.0.1/24\0"), BYTES("10.0.0.1/2\0004"), BYTES("\00010.0.0.1/24"), BYTES("::1\0/64"), BYTES("10.0.0.1/24\0x") };
    (void)state;
    for (size_t i = 0; i < COUNT(texts); i++)
        EXPECT(!is_cidr(texts[i]), "%s", shown(texts[i]));
    assert_rows();
}

static void test_every_prefix(void **state)
{
    (void)state;
    for (int bits = 0; bits < 1000; bits++) {
        char v4[32], v6[32];
        sprintf(v4, "10.9.8.7/%d", bits);
        sprintf(v6, "2001:db8::1/%d", bits);
        EXPECT(is_cidr(bytes_of(v4)) == (bits <= 32), "%s", v4);
        EXPECT(is_cidr(bytes_of(v6)) == (bits <= 128), "%s", v6);
    }
    assert_rows();
}

/* Every choice of zero groups: of all ways to shorten the address exactly one is canonical, and the library's where it writes no IPv4. */
static void test_every_pattern_of_zeros(void **state)
{
    (void)state;
    for (unsigned zeros = 0; zeros < 256; zeros++) {
        struct in6_addr address = { 0 };
        char known[INET6_ADDRSTRLEN + 4];
        unsigned canonical = 0;
        for (int i = 0; i < 8; i++)
            address.s6_addr[2 * i] = zeros >> i & 1 ? 0 : 0xab;
        for (int from = 0; from < 8; from++)
            for (int to = from; to <= 8; to++) { /* groups from..to-1 are left out */
                char text[64] = "";
                bool all_zero = true, none = from == to;
                for (int i = from; i < to; i++)
                    all_zero &= zeros >> i & 1;
                if (!all_zero || (none && from))
                    continue;
                for (int i = 0; i < 8; i++)
                    if (i < from || i >= to)
                        sprintf(text + strlen(text), "%s%s", i && (none || i != to) ? ":" : "", zeros >> i & 1 ? "0" : "ab00");
                    else if (i == from)
                        strcat(text, "::");
                strcat(text, "/64");
                canonical += is_cidr(bytes_of(text));
            }
        EXPECT(canonical == 1, "%02x: %u", zeros, canonical);
        assert_non_null(inet_ntop(AF_INET6, &address, known, INET6_ADDRSTRLEN));
        strcat(known, "/64");
        EXPECT(is_cidr(bytes_of(known)) == !strchr(known, '.'), "%s", known);
    }
    assert_rows();
}

/* ---- addresses and networks ---- */

/* How a text is written as an address; NULL: it is none. */
static const char *address(struct bytes text, unsigned *bits)
{
    static char written[IP_TEXT_BYTES];
    struct ip_address read;
    struct bytes copy = exact_copy(text);
    bool good = bits ? ip_read_network(copy, &read, bits) : ip_read(copy, &read);
    free_copy(copy);
    if (!good)
        return NULL;
    ip_write(&read, written);
    return written;
}

static void test_addresses(void **state)
{
    static const struct { const char *text, *written; } rows[] = {
        { "0.0.0.0", "0.0.0.0" }, { "255.255.255.255", "255.255.255.255" }, { "::", "::" }, { "2001:DB8::0:1", "2001:db8::1" }, { "1:0:0:2:0:0:0:3", "1:0:0:2::3" },
        { "::1.2.3.4", "::102:304" }, { "1:2:3:4:5:6:1.2.3.4", "1:2:3:4:5:6:102:304" }, { "1:2:3:4:5:6:7::", "1:2:3:4:5:6:7:0" }, { "::ffff:0:1.2.3.4", "::ffff:0:102:304" },
        { "ffff:ffff:ffff:ffff:ffff:ffff:255.255.255.255", "ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff" },
        { "", NULL }, { "1.2.3", NULL }, { "1.2.3.4.5", NULL }, { "1.2.3.04", NULL }, { "1.2.3.256", NULL }, { "1.2.3.", NULL }, { "1.2.3.4 ", NULL }, { "::ffff:1.2.3.4", NULL },
        { "::ffff:102:304", NULL }, { "1:2:3:4:5:6:7::8", NULL }, { "::1::", NULL }, { ":::", NULL }, { "12345::", NULL }, { "fe80::1%eth0", NULL }, { "1:2:3:4:5:6:7:1.2.3.4", NULL },
        { "::1.2.3.04", NULL }, { "1.2.3.4::", NULL }, { "[::1]", NULL }, { "00000:00000:00000:00000:00000:00000:00000:00000", NULL },
    };
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        const char *written = address(bytes_of(rows[i].text), NULL);
        EXPECT(rows[i].written ? written && strcmp(written, rows[i].written) == 0 : !written, "%s: %s", rows[i].text, written);
    }
    EXPECT(!address((struct bytes)BYTES("1.2.3.4\0"), NULL), "NUL");
    assert_rows();
}

static void test_networks(void **state)
{
    static const struct { const char *text, *written; unsigned bits; } rows[] = {
        { "10.1.2.3/8", "10.1.2.3", 8 }, { "::/0", "::", 0 }, { "2001:DB8::1/128", "2001:db8::1", 128 }, { "1.2.3.4/32", "1.2.3.4", 32 }, { "1.2.3.4/33", NULL, 0 },
        { "::/129", NULL, 0 }, { "1.2.3.4", NULL, 0 }, { "1.2.3.4/", NULL, 0 }, { "1.2.3.4/08", NULL, 0 }, { "1.2.3.4/00", NULL, 0 }, { "1.2.3.4/+8", NULL, 0 }, { "1.2.3.4/8/8", NULL, 0 },
        { "::ffff:1.2.3.4/100", NULL, 0 }, { "/8", NULL, 0 }, { "1.2.3.4/4294967296", NULL, 0 }, { "1.2.3.4/8 ", NULL, 0 },
    };
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        unsigned bits = 999;
        const char *written = address(bytes_of(rows[i].text), &bits);
        EXPECT(rows[i].written ? written && strcmp(written, rows[i].written) == 0 && bits == rows[i].bits : !written, "%s: %s/%u", rows[i].text, written, bits);
    }
    assert_rows();
}

static void test_prefixes(void **state)
{
    struct ip_address a, b;
    (void)state;
    assert_true(ip_read(bytes_of("10.128.0.1"), &a) && ip_read(bytes_of("10.192.0.1"), &b));
    for (unsigned bits = 0; bits <= 32; bits++)
        EXPECT(ip_same_prefix(&a, &b, bits) == (bits <= 9), "%u", bits);
    assert_true(ip_read(bytes_of("::"), &b));
    assert_false(ip_same_prefix(&a, &b, 0));
    assert_true(ip_same_prefix(&b, &b, 128) && ip_bits(&a) == 32 && ip_bits(&b) == 128);
    assert_rows();
}

static void test_8_mib(void **state)
{
    static const char *const units[] = { "1", ":", "1:", "1.", "/", "10.0.0.1/24" };
    (void)state;
    for (size_t i = 0; i < COUNT(units); i++) {
        struct bytes text = repeated(units[i], LIMIT_BODY_BYTES / strlen(units[i]), "/24");
        EXPECT(!ip_is_interface_cidr(text), "%s", units[i]);
        free_copy(text);
    }
    assert_rows();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_canonical_texts),
        cmocka_unit_test(test_other_texts),
        cmocka_unit_test(test_nul_bytes),
        cmocka_unit_test(test_every_prefix),
        cmocka_unit_test(test_every_pattern_of_zeros),
        cmocka_unit_test(test_addresses),
        cmocka_unit_test(test_networks),
        cmocka_unit_test(test_prefixes),
        cmocka_unit_test(test_8_mib),
    };
    return cmocka_run_group_tests_name("ip", tests, NULL, NULL);
}
