/* The formats of rules/formats.def: their own samples, every length to the byte, what looks alike but is not the same, subjects of
 * 20 MiB, memory that fails at every call, threads that compile at once. */
#include "unit.h"

#include <pthread.h>

#include "value/format.h"

static struct formats *formats;
static struct matcher *matcher;

static int start_formats(void **state)
{
    (void)state;
    return formats_new(&memory_malloc, &formats) || matcher_new(&memory_malloc, &matcher);
}

static int end_formats(void **state)
{
    (void)state;
    formats_free(formats);
    matcher_free(matcher);
    return 0;
}

/* Also proves that what is plain breaks nothing. */
static bool accepts(enum format format, struct bytes subject)
{
    unsigned broken = 99;
    enum failure failure = format_check(formats, matcher, format, subject, &broken);
    EXPECT(failure == FAILURE_NONE, "%s on %s: failure %d", format_infos[format].rule, shown(subject), failure);
    EXPECT(!broken || !format_is_plain(format, subject), "%s on %s: plain, but %x broken", format_infos[format].rule, shown(subject), broken);
    return broken == 0;
}

static void expect_verdict(enum format format, struct bytes subject, bool good)
{
    EXPECT(accepts(format, subject) == good, "%s on %s (%u bytes): %s", format_infos[format].rule, shown(subject), subject.length,
           good ? "refused" : "accepted");
}

#define EACH_FORMAT(format) for (enum format format = 1; format < FORMAT_COUNT; format++)

/* ---- the samples ---- */

static void test_samples_of_the_table(void **state)
{
    (void)state;
    EACH_FORMAT(format) {
        expect_verdict(format, bytes_of(format_infos[format].good), true);
        expect_verdict(format, bytes_of(format_infos[format].bad), false);
    }
    assert_rows();
}

static void test_rows_are_complete(void **state)
{
    (void)state;
    EACH_FORMAT(format) {
        const struct format_info *info = &format_infos[format];
        EXPECT(info->rule && info->good && info->bad && info->what, "format %d", format);
        EXPECT(info->parts[0].kind != PART_END && info->parts[FORMAT_PARTS].kind == PART_END, "%s", info->rule);
        for (const struct format_part *part = info->parts; part->kind != PART_END; part++) {
            EXPECT(part->kind != PART_PLAIN || part == info->parts, "%s: its plain part is not the first", info->rule);
            bool matches = part->kind == PART_MATCH || part->kind == PART_MATCH_UTF || part->kind == PART_REFUSE;
            bool calls = part->kind == PART_CALL;
            EXPECT(matches == (part->pattern != NULL) && (part->kind == PART_PLAIN) == (part->plain != NULL) && calls == (part->call != NULL), "%s", info->rule);
            EXPECT((matches || calls) == (part->detail != NULL), "%s", info->rule);
        }
        for (enum format other = 1; other < format; other++)
            EXPECT(strcmp(info->rule, format_infos[other].rule) != 0, "%s", info->rule);
    }
    assert_rows();
}

/* ---- plain texts ---- */

/* The text number `number` of all those of these characters, the shortest first. */
static struct bytes text_of_number(const char *characters, unsigned long number, char buffer[16])
{
    unsigned long base = strlen(characters);
    uint32_t length = 0;
    for (; number; number = (number - 1) / base)
        buffer[length++] = characters[(number - 1) % base];
    return (struct bytes){ buffer, length };
}

/* All short texts of the characters that matter: what is plain breaks no part of its format. */
static void test_plain_texts_break_nothing(void **state)
{
    static const char characters[] = "aZ01-_./\n\xE2"; /* one of each class, and some of none */
    (void)state;
    EACH_FORMAT(format) {
        const struct plain *plain = format_infos[format].parts[0].plain;
        unsigned plain_texts = 0, broken = 0;
        for (unsigned long number = 0; plain && number < 1 + 10 + 100 + 1000 + 10000 + 100000; number++) {
            char buffer[16];
            struct bytes text = text_of_number(characters, number, buffer);
            if (!format_is_plain(format, text))
                continue;
            enum failure failure = format_check(formats, matcher, format, text, &broken);
            EXPECT(failure == FAILURE_NONE && !broken, "%s on %s: %x broken, failure %d", format_infos[format].rule, shown(text), broken, failure);
            plain_texts++;
        }
        EXPECT(!plain || plain_texts > 7, "%s: %u plain texts", format_infos[format].rule, plain_texts);
    }
    assert_rows();
}

/* Patterns are slow, so what good values look like is to be found without them: all of these are plain. */
static void test_usual_values_are_plain(void **state)
{
    static const struct {
        enum format format;
        const char *texts[8];
    } cases[] = {
        { FORMAT_DNS_LABEL, { "node-1", "a", "0", "a--b" } },
        { FORMAT_DNS_SUBDOMAIN, { "disk.csi.acme.dev", "a", "0.1", "a-b.c--d" } },
        { FORMAT_QUALIFIED_NAME, { "acme.dev/Size_1", "a.b_c-d", "A", "0/0" } },
        { FORMAT_QUALIFIED_NAME_NOCASE, { "acme.dev/Size_1", "a.b_c-d", "A", "0/0" } },
        { FORMAT_LABEL_VALUE, { "a.b_c-d", "A", "0" } },
        { FORMAT_DRIVER_NAME, { "disk.csi.acme.dev", "a" } },
        { FORMAT_DNS_SUBDOMAIN_FOLDED, { "disk.csi.acme.dev", "a" } },
        { FORMAT_SEMVER, { "0.0.0", "1.0.100", "10.200.30" } },
        { FORMAT_POOL_NAME, { "node-1", "a.b" } },
        { FORMAT_PATH_SEGMENT, { "disk.csi.acme.dev", "a" } },
        { FORMAT_PRINTABLE, { "kube-controller-manager", "unknown" } },
        { FORMAT_LOWER_CASE, { "gpu.acme.dev", "a" } },
        { FORMAT_REQUEST_REFERENCE, { "gpu", "gpu/big" } },
        { FORMAT_QUALIFIED_DEVICE_NAME, { "acme.dev/size_1", "_", "Size1", "a-b.c/_" } },
    };
    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++)
        for (const char *const *text = cases[i].texts; *text; text++) {
            expect_verdict(cases[i].format, bytes_of(*text), true);
            EXPECT(format_is_plain(cases[i].format, bytes_of(*text)), "%s on %s", format_infos[cases[i].format].rule, *text);
        }
    assert_rows();
}

/* ---- lengths ---- */

struct length_case {
    enum format format;
    const char *head, *unit, *tail; /* unit is repeated until the whole has the length */
    uint32_t longest;               /* n: accepted; n - 1 as well; n + 1 not */
};

/* `length` bytes: head, as many bytes of repeated units as it takes, tail. */
static struct bytes of_length(const struct length_case *now, uint32_t length)
{
    uint32_t head = (uint32_t)strlen(now->head), tail = (uint32_t)strlen(now->tail), unit = (uint32_t)strlen(now->unit);
    char *text = calloc(1, length + UNIT_VECTOR_BYTES);
    assert_non_null(text);
    assert_true(length >= head + tail);
    memcpy(text, now->head, head);
    for (uint32_t i = head; i < length - tail; i++)
        text[i] = now->unit[(i - head) % unit];
    memcpy(text + length - tail, now->tail, tail);
    return (struct bytes){ text, length };
}

static void test_lengths(void **state)
{
    static const struct length_case cases[] = {
        { FORMAT_DNS_LABEL, "", "a", "", 63 },
        { FORMAT_DNS_LABEL, "a", "-", "9", 63 },
        { FORMAT_DNS_SUBDOMAIN, "", "a", "", 253 }, /* labels have no length of their own */
        { FORMAT_DNS_SUBDOMAIN, "aa", ".a", "b", 253 },
        { FORMAT_DNS_SUBDOMAIN, "a", "-", "b.c", 253 },
        { FORMAT_DNS_SUBDOMAIN_PREFIX, "", "a", "", 253 },
        { FORMAT_DNS_SUBDOMAIN_PREFIX, "", "a", "-", 254 }, /* the last two bytes become one letter */
        { FORMAT_DNS_SUBDOMAIN_PREFIX, "", "a", "Z-", 254 },
        { FORMAT_DNS_SUBDOMAIN_PREFIX, "", "a", "--", 254 },
        { FORMAT_DNS_SUBDOMAIN_PREFIX, "a", ".a", "\n-", 254 },
        { FORMAT_QUALIFIED_NAME, "", "a", "", 63 },
        { FORMAT_QUALIFIED_NAME, "A", "_", "z", 63 },
        { FORMAT_QUALIFIED_NAME, "a/", "a", "", 65 },
        { FORMAT_QUALIFIED_NAME, "", "a", "/b", 255 },
        { FORMAT_QUALIFIED_NAME, "aa", ".a", "b/B", 255 },
        { FORMAT_QUALIFIED_NAME_NOCASE, "", "A", "", 63 },
        { FORMAT_QUALIFIED_NAME_NOCASE, "A/", "A", "", 65 },
        { FORMAT_QUALIFIED_NAME_NOCASE, "", "A", "/b", 255 },
        { FORMAT_LABEL_VALUE, "", "a", "", 63 },
        { FORMAT_LABEL_VALUE, "0", "._-", "0", 63 },
        { FORMAT_DRIVER_NAME, "", "a", "", 63 },
        { FORMAT_DRIVER_NAME, "a", ".A", "b", 63 },
        { FORMAT_HOST_PORTS, "", "a", ":1", 2048 },
        { FORMAT_HOST_PORTS, "a", "a:1,", ":1", 2048 },
        { FORMAT_ISCSI_NAME, "iqn.2000-01.a:", "a", "", 2048 },
        { FORMAT_ISCSI_NAME, "iqn.2000-01.", "a", ":a", 2048 },
        { FORMAT_QUOBYTE_TENANT, "", "a", "", 64 },
        { FORMAT_QUOBYTE_TENANT, "", "\xFF", "", 64 },
        { FORMAT_SEMVER, "1.0.0-", "a", "", 64 },
        { FORMAT_SEMVER, "1.", "1", ".0", 64 },
        { FORMAT_CONDITION_REASON, "", "a", "", 1024 },
        { FORMAT_CONDITION_REASON, "a", ":,", "_", 1024 },
        { FORMAT_POOL_NAME, "", "a", "", 253 },
        { FORMAT_POOL_NAME, "aa", "/a", "b", 253 },
        { FORMAT_EXTENDED_RESOURCE_NAME, "", "a", "/b", 246 },
        { FORMAT_EXTENDED_RESOURCE_NAME, "a/", "B", "", 65 },
        { FORMAT_REQUEST_REFERENCE, "", "a", "", 63 },
        { FORMAT_REQUEST_REFERENCE, "", "a", "/b", 65 },
        { FORMAT_REQUEST_REFERENCE, "a/", "b", "", 65 },
        { FORMAT_QUALIFIED_DEVICE_NAME, "", "_", "", 32 },
        { FORMAT_QUALIFIED_DEVICE_NAME, "a/", "a", "", 34 },
        { FORMAT_QUALIFIED_DEVICE_NAME, "", "A", "/b", 65 },
        { FORMAT_FULLY_QUALIFIED_DEVICE_NAME, "a/", "a", "", 34 },
        { FORMAT_FULLY_QUALIFIED_DEVICE_NAME, "", "A", "/b", 65 },
        { FORMAT_VOLUME_LIMIT_KEY, "attachable-volumes-csi-", "a", "", 63 },
    };
    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++)
        for (uint32_t length = cases[i].longest - 1; length <= cases[i].longest + 1; length++) {
            struct bytes subject = of_length(&cases[i], length);
            bool even = strlen(cases[i].unit) > 1 && length != cases[i].longest; /* units cut in the middle say nothing */
            if (!even || length > cases[i].longest)
                expect_verdict(cases[i].format, subject, length <= cases[i].longest);
            free_copy(subject);
        }
    assert_rows();
}

/* A length may be broken together with the form; the two bits are told apart. */
static void test_parts_are_told_apart(void **state)
{
    static const struct {
        enum format format;
        const char *head, *unit, *tail;
        uint32_t length;
        unsigned broken;
    } cases[] = {
        { FORMAT_DNS_LABEL, "", "a", "", 64, 1u << 0 },
        { FORMAT_DNS_LABEL, "", "_", "", 64, 1u << 0 }, /* the form is not looked at */
        { FORMAT_DNS_LABEL, "", "_", "", 63, 1u << 2 },
        { FORMAT_DNS_SUBDOMAIN, "", "_", "", 254, 1u << 0 },
        { FORMAT_DRIVER_NAME, "", "a", "", 64, 1u << 0 },
        { FORMAT_DRIVER_NAME, "", "_", "", 64, 1u << 0 | 1u << 1 },
        { FORMAT_DRIVER_NAME, "a", ".", "a", 64, 1u << 0 | 1u << 2 },
        { FORMAT_DRIVER_NAME, "a", ".", "a", 4, 1u << 2 },
        { FORMAT_DRIVER_NAME, "", "a", "", 253, 1u << 0 },
        { FORMAT_DRIVER_NAME, "", "a", "", 254, 1u << 0 | 1u << 3 },
        { FORMAT_DRIVER_NAME, "", "_", "", 254, 1u << 0 | 1u << 1 | 1u << 3 },
        { FORMAT_DRIVER_NAME, "", "\xE2\x84\xAA", "", 255, 1u << 0 }, /* 85 characters */
        { FORMAT_DRIVER_NAME, "", "", "", 0, 1u << 1 },
        { FORMAT_DNS_SUBDOMAIN_PREFIX, "", "", "", 0, 1u << 2 },
        { FORMAT_DNS_SUBDOMAIN_PREFIX, "", "_", "", 254, 1u << 0 },
        { FORMAT_DNS_SUBDOMAIN_PREFIX, "", "_", "", 253, 1u << 2 },
        { FORMAT_QUALIFIED_NAME_NOCASE, "", "a/", "b", 5, 1u << 0 },
        { FORMAT_QUALIFIED_NAME_NOCASE, "", "/", "", 1, 1u << 2 | 1u << 3 },
        { FORMAT_QUALIFIED_NAME_NOCASE, "", "A", "/b", 256, 1u << 2 },
        { FORMAT_QUALIFIED_NAME, "", "/", "", 2, 1u << 0 },
        { FORMAT_QUALIFIED_NAME, "", "/", "", 1, 1u << 2 | 1u << 3 },
        { FORMAT_QUALIFIED_NAME, "/", "a", "", 5, 1u << 2 },
        { FORMAT_QUALIFIED_NAME, "", "a", "/", 5, 1u << 3 },
        { FORMAT_QUALIFIED_NAME, "", "a", "/b", 256, 1u << 2 },
        { FORMAT_QUALIFIED_NAME, "a/", "a", "", 66, 1u << 3 },
        { FORMAT_QUALIFIED_NAME, "", "", "", 0, 1u << 3 },
        { FORMAT_SEMVER, "1.0.0-", "a", "", 65, 1u << 0 },
        { FORMAT_SEMVER, "1.0.0_", "a", "", 65, 1u << 0 | 1u << 1 },
        { FORMAT_SEMVER, "1.0.0-a", ".", "a", 10, 1u << 2 },
        { FORMAT_SEMVER, "1.0.0-a", ".", "a", 65, 1u << 0 | 1u << 2 },
        { FORMAT_SEMVER, "1.0.0-", "0", "", 8, 1u << 3 },
        { FORMAT_SEMVER, "1.0.0-", "0", "", 65, 1u << 0 | 1u << 3 },
        { FORMAT_SEMVER, "", "0", ".0.0", 6, 1u << 3 },
        { FORMAT_CONDITION_REASON, "", "a", "", 1025, 1u << 0 },
        { FORMAT_CONDITION_REASON, "", "a", ":", 1025, 1u << 0 | 1u << 1 },
        { FORMAT_CONDITION_REASON, "", "a", ":", 1024, 1u << 1 },
        { FORMAT_POOL_NAME, "a", "/a", "/a", 255, 1u << 0 },
        { FORMAT_POOL_NAME, "b/", "a", "", 255, 1u << 0 },
        { FORMAT_POOL_NAME, "", "a", "/b", 255, 1u << 0 },
        { FORMAT_POOL_NAME, "", "a", "", 254, 1u << 0 | 1u << 3 },
        { FORMAT_POOL_NAME, "b/", "a", "", 256, 1u << 0 | 1u << 3 },
        { FORMAT_POOL_NAME, "", "_", "", 253, 1u << 1 },
        { FORMAT_POOL_NAME, "a", "/", "b", 4, 1u << 2 },
        { FORMAT_POOL_NAME, "", "", "", 0, 1u << 1 },
        { FORMAT_EXTENDED_RESOURCE_NAME, "", "a", "", 5, 1u << 0 },
        { FORMAT_EXTENDED_RESOURCE_NAME, "", "a", "/b", 247, 1u << 2 },
        { FORMAT_EXTENDED_RESOURCE_NAME, "requests.", "a", "/b", 13, 1u << 4 },
        { FORMAT_EXTENDED_RESOURCE_NAME, "a/", "a", "", 66, 1u << 6 },
        { FORMAT_EXTENDED_RESOURCE_NAME, "", "_", "/_", 5, 1u << 2 }, /* one finding, as the API server has it */
        { FORMAT_REQUEST_REFERENCE, "", "a/", "b", 5, 1u << 0 },
        { FORMAT_REQUEST_REFERENCE, "", "/", "", 1, 1u << 2 | 1u << 3 },
        { FORMAT_REQUEST_REFERENCE, "", "a", "", 64, 1u << 2 },
        { FORMAT_REQUEST_REFERENCE, "b/", "a", "", 66, 1u << 3 },
        { FORMAT_QUALIFIED_DEVICE_NAME, "", "a", "", 33, 1u << 6 },
        { FORMAT_QUALIFIED_DEVICE_NAME, "", "1", "", 33, 1u << 6 | 1u << 7 },
        { FORMAT_QUALIFIED_DEVICE_NAME, "", "", "", 0, 1u << 7 },
        { FORMAT_QUALIFIED_DEVICE_NAME, "", "/", "", 1, 1u << 2 | 1u << 7 },
        { FORMAT_QUALIFIED_DEVICE_NAME, "", "a", "/b", 66, 1u << 1 },
        { FORMAT_QUALIFIED_DEVICE_NAME, "", "_", "/1", 66, 1u << 1 | 1u << 2 | 1u << 7 },
        { FORMAT_QUALIFIED_DEVICE_NAME, "a", ".", "a/b", 5, 0 },
        { FORMAT_QUALIFIED_DEVICE_NAME, "a", ".", "a/b", 6, 1u << 3 },
        { FORMAT_QUALIFIED_DEVICE_NAME, "", "a", "/b", 256, 1u << 1 | 1u << 4 },
        { FORMAT_QUALIFIED_DEVICE_NAME, "a/", "a", "", 35, 1u << 6 },
        { FORMAT_QUALIFIED_DEVICE_NAME, "/", "/", "/", 99, 0 },
        { FORMAT_FULLY_QUALIFIED_DEVICE_NAME, "", "a", "", 32, 1u << 0 },
        { FORMAT_FULLY_QUALIFIED_DEVICE_NAME, "", "a", "", 33, 1u << 0 | 1u << 7 },
        { FORMAT_FULLY_QUALIFIED_DEVICE_NAME, "", "", "", 0, 1u << 0 | 1u << 8 },
        { FORMAT_FULLY_QUALIFIED_DEVICE_NAME, "", "a", "/b", 66, 1u << 2 },
        { FORMAT_FULLY_QUALIFIED_DEVICE_NAME, "/", "/", "/", 99, 0 },
    };
    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        const struct length_case shape = { cases[i].format, cases[i].head, *cases[i].unit ? cases[i].unit : "a", cases[i].tail, 0 };
        struct bytes subject = of_length(&shape, cases[i].length);
        unsigned broken = 0;
        assert_int_equal(format_check(formats, matcher, cases[i].format, subject, &broken), FAILURE_NONE);
        broken >>= format_infos[cases[i].format].parts[0].kind == PART_PLAIN; /* parts that can be broken, from 0 */
        EXPECT(broken == cases[i].broken, "%s on %s: %x", format_infos[cases[i].format].rule, shown(subject), broken);
        free_copy(subject);
    }
    assert_rows();
}

/* Only the head of a generated name counts: 58 bytes, to which the API server adds five. */
static void test_generated_names_are_cut(void **state)
{
    static const struct length_case shapes[] = { { FORMAT_GENERATED_NAME, "", "a", "_", 0 }, { FORMAT_GENERATED_NAME, "", "a", ".-", 0 } };
    (void)state;
    for (uint32_t length = 57; length <= 62; length++) {
        struct bytes bad = of_length(&shapes[0], length), worse = of_length(&shapes[1], length);
        expect_verdict(FORMAT_GENERATED_NAME, bad, length > 58);
        expect_verdict(FORMAT_GENERATED_NAME, worse, length > 58); /* with the point last, a letter follows it */
        free_copy(bad);
        free_copy(worse);
    }
    assert_rows();
}

/* ---- forms ---- */

struct form_case {
    enum format format;
    const char *good[14], *bad[20]; /* ended by NULL */
};

static const struct form_case forms[] = {
    { FORMAT_DNS_LABEL, { "a", "0", "a-b", "a--b", "0-0" }, { "", "-", "-a", "a-", "A", "a.b", "a_b", "a b", "a\n", "\xC3\xA9", "a/b" } },
    { FORMAT_DNS_SUBDOMAIN, { "a", "a.b", "0.1", "a-b.c--d", "kubernetes.io" },
      { "", ".", "a.", ".a", "a..b", "-", "a-.b", "a.-b", "A", "a.B", "a_b", "a\n", "a.b\n", "a/b" } },
    { FORMAT_DNS_SUBDOMAIN_PREFIX, { "a", "a-", "a--", "a.-", "A-", "a.b-", "--", "_-", "\n-", "a-b.--", "a.b-c", "a..-", "\xFF-" },
      { "", "-", ".", "a.", "A", "A_", "Aa-", ".a-", "a.-b", "a..b-", "-a-", "a\n", "a...-", "a-.a-" } },
    { FORMAT_GENERATED_NAME, { "", "a", "a-", "a--", "a.", "a.b-", "a-b.c." },
      { "-", ".", "a.-", "a-.b", "A", "a_", "a\n", "..", "a..", "\xC3\xA9" } },
    { FORMAT_QUALIFIED_NAME, { "a", "A", "0", "a.b_c-d", "a/b", "a.b/C.D", "a--b/c__d" },
      { "", "/", "a/", "/a", "a/b/c", "//", "A/b", "a_b/c", "a/-", "a/b-", "a/.b", "-a", "_", "a b", "a\n", "a/b\n", "a\n/b", "a..b/c",
        "\xC3\xA9" } },
    { FORMAT_QUALIFIED_NAME_NOCASE, { "A/b", "ACME.dev/C", "a", "\xE2\x84\xAA/b", "a.\xC4\xB0o/b", "a/\xE2\x84\xAA", "\xC4\xB0" },
      { "", "/", "a/", "/a", "a/b/c", "A_B/c", "a/-", "\xC3\xA9/a", "\xC5\xBF/a", "a\n", "\xC4\xB1", "A..B/c" } },
    { FORMAT_LABEL_VALUE, { "", "a", "A", "0", "a.b", "a__b", "a-.-b" }, { "-", "a-", ".a", "_", "a b", "a/b", "\n", "a\n", "\xE2\x84\xAA" } },
    { FORMAT_DRIVER_NAME, { "a", "A", "a.b", "A-b.C", "0", "\xE2\x84\xAA.io", "csi.\xC4\xB0o", "a--b" },
      { "", ".", "-", "a.", ".a", "a..b", "a-.b", "a.-b", "-a", "a-", "a_b", "a/b", "a b", "a\n", "\xC3\xA9", "\xC5\xBF" } },
    { FORMAT_DNS_SUBDOMAIN_FOLDED, { "a", "A", "a.b", "A-b.C", "0", "\xE2\x84\xAA.io", "\xC5\xBF", "a--b" },
      { "", ".", "-", "a.", ".a", "a..b", "a-.b", "a.-b", "-a", "a-", "a_b", "a/b", "a b", "a\n", "\xC3\xA9", "\xC4\xB0" } },
    { FORMAT_PATH_SEGMENT, { "", "a", "...", "a..", "..a", ".a", "A b", "a\n", ".\n", "..\n" }, { ".", "..", "/", "a/b", "%", "a%20b", "a/" } },
    { FORMAT_PATH_SEGMENT_PREFIX, { "", ".", "..", "a", "a\n" }, { "/", "a/b", "%", "a%", "/a" } },
    { FORMAT_GROUP_VERSION, { "v1", "a/v1", "/v1", "A/B", "a b/c" }, { "", "/", "a/", "a/b/c", "//", "/a/", "a//b" } },
    { FORMAT_FINALIZER, { "a/b", "/", "kubernetes", "orphan", "foregroundDeletion", "a/b/c", "orphan/" },
      { "", "a", "Kubernetes", "orphan ", "orphan\n", "kubernetes\n", "xorphan", "orphanx", "kubernetesx", "foregroundDeletionx" } },
    { FORMAT_PRINTABLE, { "\xE0\xB3\xB3", "\xF0\xB1\x8D\x90", "", " ", "a b", "~!@#$%^&*()", "\xC3\xA9", "\xE4\xBD\xA0", "a\xCC\x81", "\xE2\x82\xAC", "\xF0\x9F\x98\x80", "\xC2\xBD",
        "\xEF\xBF\xBD" },
      { "\t", "\n", "a\n", "\r", "\x7F", "\xC2\x85", "\xC2\xA0", "\xC2\xAD", "\xE2\x80\x8B", "\xE2\x80\x8D", "\xE2\x80\xA8", "\xE3\x80\x80",
        "\xEF\xBB\xBF", "\xEE\x80\x80", "\xEF\xBF\xBF", "\xCD\xB8" } },
    { FORMAT_NO_SLASH, { "", "a", "\\", "a\n" }, { "/", "a/", "/a", "a\n/" } },
    { FORMAT_ABSOLUTE_PATH, { "/", "/a", "//", "/..", "/\n" }, { "", "a", "a/", "./a", "\\a", " /a", "\n/a" } },
    { FORMAT_NO_BACKSTEPS, { "", "a", "/", "...", "..a", "a..", "a..b", "/..a/b..", ". .", "..\n", "\n..", "\\..\\" },
      { "..", "../a", "a/..", "a/../b", "/..", "/../", "//..//" } },
    { FORMAT_HOST_PORTS, { "a:1", ":", "a:", ":1", "a:1,b:2", "[::1]:2", "[]:", "[a]:1,b:2", "a:1,[1:2:3]:4", "a b:c", ":,:", "a\n:1", "a:1\n" },
      { "", ",", "a", "a:1,", ",a:1", "a:1,,b:2", "a:1:2", "::1", "[::1]", "[::1:2", "::1]:2", "a:1,b", "[a]b:1", "x[a]:1", "[[a]]:1", "[a,b]:1",
        "a:[1]", "a:1,\n", "[::1]:2:3" } },
    { FORMAT_UNRESERVED_KEY, { "", "a", "k8s.iox", "a/kubernetes.io", "acme.dev/a", "xkubernetes.io/a", "kubernetes.iox/a", "xk8s.io/a",
        "kubernetesxio/a", "k8s.io.acme.dev/a", "/k8s.io", "k8s/io" },
      { "kubernetes.io", "k8s.io", "x.K8S.IO", "kubernetes.io/", "kubernetes.io/a", "a.kubernetes.io/a", "k8s.io/a", "a.b.k8s.io/a", ".k8s.io/a",
        "KUBERNETES.IO/a", "K8S.Io/a", "\xE2\x84\xAA" "8s.io/a", "k8s.\xC4\xB0o/a", "a.\xE2\x84\xAAubernetes.\xC4\xB0o/x", "k8s.io/a/b",
        "k8s.io//" } },
    { FORMAT_NODE_ALLOCATABLE, { "cpu", "memory", "hugepages-", "hugepages-1Gi", "hugepages-x/y" },
      { "", "pods", "CPU", "cpu\n", "cpus", "ephemeral-storage", "hugepages", "kubernetes.io/cpu", "a/hugepages-2Mi" } },
    { FORMAT_NATIVE_RESOURCE, { "", "cpu", "kubernetes.io", "kubernetes.io/cpu", "a.kubernetes.io/b", "xkubernetes.io/b", "a/kubernetes.io/b", "/kubernetes.io/", "a\nkubernetes.io/b" },
      { "/", "a/", "/a", "acme.dev/gpu", "k8s.io/a", "kubernetes.iox/a", "a/kubernetes.io", "a\n/b", "KUBERNETES.IO/a" } },
    { FORMAT_ISCSI_NAME, { "iqn.2001-04.com.example:a", "eui.0123456789abcdef", "eui-0123456789ABCDEF", "naa.0123456789abcdef0123456789ABCDEF",
        "iqnxiqn.2001-04.a:b", "iqn iqn.2001-04.-:!", "iqn.2001-04.a:b:c", "iqn.iqn.2001-04.a:b" },
      { "", "iqn", "iqn.2001-04.a", "iqn.2001-04.a:", "iqn.2001-4.a:b", "iqn.201-04.a:b", "iqn.2001-04.:b", "iqn.2001-04.a:b c", "iqn.2001-04.a:b,c",
        "iqn.2001-04.a:b\n", "IQN.2001-04.a:b", "eui.0123456789abcde", "eui.0123456789abcdef0", "eui.0123456789abcdeg_", "eui.0123456789abcdef\n",
        "naa.0123456789abcdef", "xiqn.2001-04.a:b", "eui\n0123456789abcdef", "iqn.2001-04.a_b:c" } },
    { FORMAT_QUOBYTE_TENANT, { "", "a", "\n" }, { NULL } },
    { FORMAT_AZURE_MANAGED_URI, { "/subscriptions/", "/subscriptions/a/b" },
      { "", "/subscriptions", "subscriptions/", "/Subscriptions/a", "\n/subscriptions/", "https://x" } },
    { FORMAT_AZURE_BLOB_URI, { "https://", "https://x" }, { "", "https:/x", "http://x", "HTTPS://x", " https://x", "\nhttps://x" } },
    { FORMAT_NO_SECRETS, { "", "no token", "tokens: 1", "secretary = x", "password:" },
      { "password=x", "Password : x", "the token: x", "api_key=x", "apikey=x", "-----BEGIN PRIVATE KEY-----", "-----BEGIN RSA PRIVATE KEY-----", "a\nsecret=b" } },
    { FORMAT_FILE_SYSTEM, { "", "ext4", "xfs", "fuse.gluster_fs", "9p", "NTFS", "ntfs", "ReFS", "${type}", "{{ .Values.fs }}" },
      { "EXT4", "NTFS4", "XFS", "ext 4", "-a", "ext4\n", "a/b", "{" } },
    { FORMAT_IN_TREE_PLUGIN, { "kubernetes.io/", "kubernetes.io/a" }, { "", "kubernetes.io", "a.kubernetes.io/a", "\nkubernetes.io/a" } },
    { FORMAT_RESERVED_PLUGIN, { "", "kubernetes.io/gce-pd", "acme.dev/a", "a.kubernetes.io/a" }, { "kubernetes.io/", "kubernetes.io/gce-pd2", "kubernetes.io/nfs" } },
    { FORMAT_CSI_PARAMETER, { "", "fstype", "csi.storage.k8s.io/secret-name", "csi.storage.k8s.io/node-stage-secret-namespace",
        "x.csi.storage.k8s.io/a", "csi.storage.k8s.io/controller-modify-secret-name", "csi.storage.k8s.io/controller-modify-secret-namespace" },
      { "csi.storage.k8s.io/", "csi.storage.k8s.io/fsType", "csi.storage.k8s.io/provisioner-secret",
        "csi.storage.k8s.io/controller-modify-secret", "csi.storage.k8s.io/fstype\n" } },
    { FORMAT_LOWER_CASE, { "", "a.b/c-1", "\xC3\x84" }, { "A", "aZ" } },
    { FORMAT_SEMVER, { "0.0.0", "1.0.0--", "1.0.0-a-.b", "1.0.0-a-01", "1.0.0-0.0", "1.0.0-01a", "1.0.0-a.01b", "1.0.0+01", "1.0.0+0.01", "1.0.0-a+01.01",
        "1.0.0+-", "1.0.0-0+00", "10.20.30-rc.1" },
      { "", "1", "1.0", "1.0.0.0", "01.0.0", "1.00.0", "1.0.01", "1.0.01-a", "1.0.0-01", "1.0.0-a.01", "1.0.0-x.00+y", "1.0.0-", "1.0.0+", "1.0.0-+b",
        "1.0.0-.a", "1.0.0+a..b", "1.0.0+a+b", "1.0.0-a.", "v1.0.0", "1.0.0\n" } },
    { FORMAT_UUID, { "00000000-0000-0000-0000-000000000000", "ffffffff-ffff-ffff-ffff-ffffffffffff" },
      { "", "0F8fad5b-d9cb-469f-a165-70867728950e", "{0f8fad5b-d9cb-469f-a165-70867728950e}", "urn:uuid:0f8fad5b-d9cb-469f-a165-70867728950e",
        "0f8fad5bd9cb469fa16570867728950e", "0f8fad5b-d9cb-469f-a165-70867728950", "0f8fad5b-d9cb-469f-a165-70867728950ee",
        "0g8fad5b-d9cb-469f-a165-70867728950e", "0f8fad5bd-9cb-469f-a165-70867728950e", "0f8fad5b-d9cb-469f-a165-70867728950e\n" } },
    { FORMAT_INTERFACE_CIDR, { "10.9.8.7/24", "2001:db8::1/64" }, { "", "10.9.8.7", "2001:DB8::1/64" } }, /* more in test_ip.c */
    { FORMAT_CONDITION_REASON, { "A", "a1", "A_", "A,_", "A:b,c", "a::b" }, { "", "_", "1", "A,", "A:", "A:,", "A-b", "A b", "A\n", "\xE2\x84\xAA", ":A" } },
    { FORMAT_POOL_NAME, { "a", "a/b/c", "a.b/c-d", "0/0", "a--b" },
      { "", "/", "a/", "/a", "a//b", "-", "a/-b", "a-/b", "a./b", "a/.b", "a..b", "a.-b", "A", "a_b", "a\n", "a/B", "\xE2\x84\xAA" } },
    { FORMAT_EXTENDED_RESOURCE_NAME, { "a/b", "a.b/C_d", "requests/a", "requestsx.a/b", "kubernetes.iox/a", "a/kubernetes.io", "a/requests.a" },
      { "", "a", "/", "a/", "/a", "a/b/c", "A/b", "a/_b", "a/b-", "requests.a/b", "requests./a", "kubernetes.io/a", "a.kubernetes.io/a", "notkubernetes.io/x",
        "Requests.a/b", "a/b\n", "a\n/b", "a_b/c" } },
    { FORMAT_REQUEST_REFERENCE, { "a", "a/b", "a-b/c--d", "0/0" },
      { "", "/", "a/", "/a", "//", "a/b/c", "a.b", "a/b.c", "A", "a/B", "-/a", "a-/b", "a/-b", "a/b-", "a\n", "a/b\n", "a\n/b" } },
    { FORMAT_QUALIFIED_DEVICE_NAME, { "a", "_", "A_1", "a/b", "D.IO/X", "\xE2\x84\xAA/a", "a.\xC4\xB0o/b", "a/b/c", "//", "A_/-/1", "a-b/_" },
      { "", "1", "a.b", "a-b", "/", "a/", "/a", "a/1", "a/b.c", "-/a", "a./b", "a..b/c", "a.-b/c", "a_b/c", "a/\xE2\x84\xAA", "\xC5\xBF/a", "a\n", "a\n/b",
        "a/b\n", "\xE2\x84\xAA" } },
    { FORMAT_FULLY_QUALIFIED_DEVICE_NAME, { "a/b", "D.IO/X", "\xE2\x84\xAA/a", "a/b/c", "//" },
      { "", "a", "_", "1", "a.b", "/", "a/", "/a", "a/1", "a/b.c", "-/a", "a..b/c", "a/\xE2\x84\xAA", "a/b\n", "a\n/b" } },
    { FORMAT_LOWER_CASE_DOMAIN, { "", "a", "A", "a/b", "a/B", "a.b-1/C_D", "A/b/c", "/A", "/", "a/\xE2\x84\xAA", "\xC5\xBF/a", "_ /a" },
      { "A/b", "aB.c/d", "\xE2\x84\xAA/a", "a\xC4\xB0/a", "A/", "a\nB/c" } },
    { FORMAT_SLOPPY_CIDR, { "10.0.0.1/24", "010.0.0.001/024", "0000.0.0.0/000", "2001:0DB8::00001/064", "::ffff:01.2.3.4/128", "::/0" },
      { "", "/", "10.0.0.1", "10.0.0.1/", "10.0.0.1/33", "10.0.0/8", "256.0.0.1/8", "::1/129", "10.0.0.1/8/8", "a/8", "::ffff:1.2.3.4/129" } },
    { FORMAT_DEVICE_NAME_PARTS, { "a", "1", "a/b", "a/b/c", "a//", "//", "_/-", "\n" }, { "", "/", "a/", "/a" } },
    { FORMAT_DEVICE_DOMAIN, { "", "a", "1", "a/b", "a/1", "a-b.c/_", "/", "a/" }, { "a./b", "a..b/c", "a_b/c", "-/a" } },
    { FORMAT_DEVICE_DOMAIN_AND_NAME, { "", "a/b", "a/1", "a-b.c/_" }, { "a", "1", "a.b", "a./b", "a..b/c", "a_b/c", "-/a" } },
    { FORMAT_DEVICE_IDENTIFIER, { "", "a", "_", "A_1", "a/b", "a../b", "a/" }, { "1", "a.b", "a-b", "a/1", "a/b.c", "a\n", "a/b\n" } },
    { FORMAT_PLUGIN_NAME, { "a/b", "k8s/nfs", "Acme.dev/My_volume-1.0", "kubernetes.iox/a", "xkubernetes.io/a", "kubernetes.io.acme.dev/a" },
      { "", "a", "/", "a/", "/a", "a/b/c", "a//b", "a b/c", "a/b c", "a/b\n", "kubernetes.io/a", "a.kubernetes.io/b", "flexvolume-kubernetes.io" } },
    { FORMAT_VOLUME_LIMIT_KEY, { "attachable-volumes-", "attachable-volumes-x" }, { "", "attachable-volumes", "Attachable-volumes-x", "storage-limits-x", "x-attachable-volumes-x" } },
    { FORMAT_KNOWN_VOLUME_LIMIT, { "attachable-volumes-aws-ebs", "attachable-volumes-azure-disk", "attachable-volumes-cinder", "attachable-volumes-gce-pd", "storage-limits-aws-ebs", "attachable-volumes-csi-a" },
      { "", "attachable-volumes-", "attachable-volumes-csi", "attachable-volumes-csi-", "attachable-volumes-aws-ebsx", "attachable-volumes-xaws-ebs", "attachable-volumes-nfs", "aws-ebs" } },
};

static void test_forms(void **state)
{
    bool seen[FORMAT_COUNT] = { false };
    (void)state;
    for (size_t i = 0; i < COUNT(forms); i++) {
        seen[forms[i].format] = true;
        for (size_t j = 0; j < COUNT(forms[i].good) && forms[i].good[j]; j++)
            expect_verdict(forms[i].format, bytes_of(forms[i].good[j]), true);
        for (size_t j = 0; j < COUNT(forms[i].bad) && forms[i].bad[j]; j++)
            expect_verdict(forms[i].format, bytes_of(forms[i].bad[j]), false);
    }
    EACH_FORMAT(format)
        EXPECT(seen[format], "%s has no forms here", format_infos[format].rule);
    assert_rows();
}

/* A NUL byte is no end: what follows it counts, and formats of few characters refuse it. */
static void test_nul_bytes(void **state)
{
    static const bool any_byte[FORMAT_COUNT] = {
        [FORMAT_PATH_SEGMENT] = true, [FORMAT_PATH_SEGMENT_PREFIX] = true, [FORMAT_GROUP_VERSION] = true,
        [FORMAT_FINALIZER] = true, [FORMAT_NO_SLASH] = true, [FORMAT_ABSOLUTE_PATH] = true, [FORMAT_NO_BACKSTEPS] = true,
        [FORMAT_HOST_PORTS] = true, [FORMAT_UNRESERVED_KEY] = true, [FORMAT_ISCSI_NAME] = true, [FORMAT_QUOBYTE_TENANT] = true,
        [FORMAT_AZURE_MANAGED_URI] = true, [FORMAT_AZURE_BLOB_URI] = true, [FORMAT_NO_SECRETS] = true, [FORMAT_IN_TREE_PLUGIN] = true,
        [FORMAT_DEVICE_NAME_PARTS] = true, [FORMAT_DEVICE_DOMAIN] = true, [FORMAT_DEVICE_DOMAIN_AND_NAME] = true,
        [FORMAT_NATIVE_RESOURCE] = true, [FORMAT_NODE_ALLOCATABLE] = true, [FORMAT_LOWER_CASE] = true,
        [FORMAT_LOWER_CASE_DOMAIN] = true,
    };
    (void)state;
    EACH_FORMAT(format) {
        char subject[128] = { 0 };
        uint32_t length = (uint32_t)strlen(format_infos[format].good);
        memcpy(subject, format_infos[format].good, length);
        if (length) {
            expect_verdict(format, (struct bytes){ subject, length }, true);
            expect_verdict(format, (struct bytes){ subject, length + 1 }, any_byte[format]);
        }
    }
    expect_verdict(FORMAT_PATH_SEGMENT, (struct bytes)BYTES("a\0/"), false);
    expect_verdict(FORMAT_NO_SLASH, (struct bytes)BYTES("\0/"), false);
    expect_verdict(FORMAT_LABEL_VALUE, (struct bytes)BYTES("\0"), false);
    expect_verdict(FORMAT_GENERATED_NAME, (struct bytes)BYTES("a\0"), false);
    expect_verdict(FORMAT_DNS_LABEL, (struct bytes)BYTES("a\0b"), false);
    expect_verdict(FORMAT_FINALIZER, (struct bytes)BYTES("orphan\0"), false);
    assert_rows();
}

/* The Kelvin sign is three bytes and one letter k, dotted capital I two bytes and one i: where letters are lowered first, bytes or
 * characters are counted as the API server counts them. */
static void test_letters_whose_lower_case_is_ascii(void **state)
{
    static const struct {
        enum format format;
        const char *unit, *tail;
        size_t longest; /* units */
    } cases[] = {
        { FORMAT_DRIVER_NAME, "\xE2\x84\xAA", "", 21 }, /* 63 bytes before they are lowered */
        { FORMAT_DRIVER_NAME, "\xC4\xB0", "", 31 },
        { FORMAT_QUALIFIED_NAME_NOCASE, "\xE2\x84\xAA", "", 63 }, /* 63 bytes after that */
        { FORMAT_QUALIFIED_NAME_NOCASE, "\xC4\xB0", "", 63 },
        { FORMAT_QUALIFIED_NAME_NOCASE, "\xE2\x84\xAA", "/a", 253 },
        { FORMAT_QUALIFIED_NAME_NOCASE, "\xC4\xB0", "/a", 253 },
    };
    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++)
        for (size_t count = cases[i].longest - 1; count <= cases[i].longest + 1; count++) {
            struct bytes subject = repeated(cases[i].unit, count, cases[i].tail);
            expect_verdict(cases[i].format, subject, count <= cases[i].longest);
            free_copy(subject);
        }
    EACH_FORMAT(format)
        if (format <= FORMAT_LABEL_VALUE && format != FORMAT_QUALIFIED_NAME_NOCASE) {
            expect_verdict(format, (struct bytes)BYTES("\xE2\x84\xAA"), false);
            expect_verdict(format, (struct bytes)BYTES("a\xC4\xB0"), false);
        }
    assert_rows();
}

/* A format that counts characters cannot validate what is no UTF-8, and says so. */
static void test_subjects_that_are_not_utf8(void **state)
{
    (void)state;
    EACH_FORMAT(format) {
        bool utf = false;
        unsigned broken = 0;
        for (const struct format_part *part = format_infos[format].parts; part->kind != PART_END; part++)
            utf |= part->kind == PART_MATCH_UTF;
        enum failure failure = format_check(formats, matcher, format, (struct bytes)BYTES("a\xFF/a"), &broken);
        EXPECT(failure == (utf ? FAILURE_PATTERN : FAILURE_NONE), "%s: failure %d", format_infos[format].rule, failure);
    }
    assert_rows();
}

/* ---- large subjects ---- */

static void test_8_mib_of_anything_gets_a_verdict(void **state)
{
    static const char *const units[] = { "a", "a-", "a.", "-", "a/", "..", "_", "\xE2\x84\xAA", "iqn.2000-01.a", "a:1,", "1.0.0-0.", ".0", "+" };
    static const char *const ends[] = { "", "!", "\n", "/a", "-" };
    (void)state;
    for (size_t i = 0; i < COUNT(units); i++) {
        struct bytes subject = repeated(units[i], (LIMIT_BODY_BYTES - 4) / strlen(units[i]), ends[i % COUNT(ends)]);
        EACH_FORMAT(format) {
            unsigned broken = 0;
            double before = cpu_seconds();
            enum failure failure = format_check(formats, matcher, format, subject, &broken);
            double used = cpu_seconds() - before;
            EXPECT(failure == FAILURE_NONE, "%s on %s...: failure %d", format_infos[format].rule, units[i], failure);
            EXPECT(used < 1.0 * slowness(), "%s on %s...: %.3f s", format_infos[format].rule, units[i], used);
        }
        free_copy(subject);
    }
    assert_rows();
}

/* The subjects that take a match the most steps and depth, and that are right. */
struct worst_case {
    enum format format;
    const char *unit, *tail;
    size_t count;
};

static const struct worst_case worst_cases[] = {
    { FORMAT_DNS_LABEL, "a-", "a", 31 },
    { FORMAT_DNS_SUBDOMAIN, "a.", "a", 126 },
    { FORMAT_DNS_SUBDOMAIN, "a-", "a", 126 },
    { FORMAT_DNS_SUBDOMAIN_PREFIX, "a.", "a-", 126 },
    { FORMAT_DNS_SUBDOMAIN_PREFIX, "a.", "Z-", 126 },
    { FORMAT_GENERATED_NAME, "a.", "", 1000 },
    { FORMAT_QUALIFIED_NAME, "a.", "a/a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a", 126 },
    { FORMAT_QUALIFIED_NAME_NOCASE, "A.", "A/A-A-A-A-A-A-A-A-A-A-A-A-A-A-A-A-A-A-A-A-A-A-A-A-A-A-A-A-A-A-A-A", 126 },
    { FORMAT_LABEL_VALUE, "a-", "a", 31 },
    { FORMAT_DRIVER_NAME, "A.", "A", 31 },
    { FORMAT_PATH_SEGMENT, "..", "a", 4000 },
    { FORMAT_PATH_SEGMENT_PREFIX, "..", "", 4000 },
    { FORMAT_GROUP_VERSION, "a.", "/v1", 4000 },
    { FORMAT_FINALIZER, "a.", "/a", 4000 },
    { FORMAT_PRINTABLE, "\xC3\xA9 ", "", 4000 },
    { FORMAT_NO_SLASH, "..", "", 4000 },
    { FORMAT_ABSOLUTE_PATH, "/..", "", 4000 },
    { FORMAT_NO_BACKSTEPS, "/..a", "", 4000 },
    { FORMAT_HOST_PORTS, "a:1,", "a:1", 511 },
    { FORMAT_HOST_PORTS, ":,", ":", 1023 },
    { FORMAT_HOST_PORTS, "[]:,", ":", 511 },
    { FORMAT_UNRESERVED_KEY, "k8s.io.", "a/b", 4000 },
    { FORMAT_ISCSI_NAME, "iqn.2000-01.a", ":a", 157 },
    { FORMAT_ISCSI_NAME, "iqn.2000-01.a,", "iqn.2000-01.a:a", 145 },
    { FORMAT_ISCSI_NAME, "iqn", "iqn.2000-01.a:a", 670 },
    { FORMAT_QUOBYTE_TENANT, "a-", "", 32 },
    { FORMAT_AZURE_MANAGED_URI, "/subscriptions/", "", 400 },
    { FORMAT_AZURE_BLOB_URI, "https://", "", 400 },
    { FORMAT_SEMVER, "1.", "0.0-a.0.0+00.00", 1 },
    { FORMAT_UUID, "0f8fad5b-d9cb-469f-a165-70867728950e", "", 1 },
    { FORMAT_INTERFACE_CIDR, "1:", ":/64", 5 },
    { FORMAT_CONDITION_REASON, "a:", "a", 511 },
    { FORMAT_POOL_NAME, "a/", "a", 126 },
    { FORMAT_POOL_NAME, "a.", "a", 126 },
    { FORMAT_EXTENDED_RESOURCE_NAME, "a.", "aa/a", 121 },
    { FORMAT_REQUEST_REFERENCE, "a-", "a/a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a", 31 },
    { FORMAT_QUALIFIED_DEVICE_NAME, "A.", "A/a", 31 },
    { FORMAT_QUALIFIED_DEVICE_NAME, "a/", "/", 4000 },
    { FORMAT_FULLY_QUALIFIED_DEVICE_NAME, "A.", "A/a", 31 },
};

static void test_worst_cases(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(worst_cases); i++) {
        struct bytes subject = repeated(worst_cases[i].unit, worst_cases[i].count, worst_cases[i].tail);
        expect_verdict(worst_cases[i].format, subject, true);
        free_copy(subject);
    }
    assert_rows();
}

/* ---- memory ---- */

/* One check from nothing, with the allocation number `failing` failing. Returns whether that number was reached. */
static bool check_with_failure(const struct worst_case *now, struct bytes subject, size_t failing)
{
    struct counted_memory counted;
    struct formats *own_formats = NULL;
    struct matcher *own_matcher = NULL;
    unsigned broken = 0;
    counted_init(&counted, failing);
    enum failure failure = formats_new(&counted.memory, &own_formats);
    if (!failure)
        failure = matcher_new(&counted.memory, &own_matcher);
    if (!failure)
        failure = format_check(own_formats, own_matcher, now->format, subject, &broken);
    bool good = failure == FAILURE_MEMORY || (failure == FAILURE_NONE && broken == 0);
    EXPECT(good, "%s, call %zu: failure %d, %x broken", format_infos[now->format].rule, failing, failure, broken);
    if (failure == FAILURE_MEMORY && own_matcher) { /* nothing half made stays behind */
        failure = format_check(own_formats, own_matcher, now->format, subject, &broken);
        EXPECT(failure == FAILURE_NONE && broken == 0, "%s, behind call %zu: failure %d", format_infos[now->format].rule, failing, failure);
    }
    matcher_free(own_matcher);
    formats_free(own_formats);
    EXPECT(counted.live == 0, "%s, call %zu: %zu blocks left", format_infos[now->format].rule, failing, (size_t)counted.live);
    return counted.calls >= failing;
}

/* Memory may fail at any call, also where PCRE2 makes machine code and then does without: the verdict stays or there is none. */
static void test_every_allocation_may_fail(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(worst_cases); i++) {
        struct bytes subject = repeated(worst_cases[i].unit, worst_cases[i].count, worst_cases[i].tail);
        size_t failing = 1;
        while (check_with_failure(&worst_cases[i], subject, failing))
            failing++;
        free_copy(subject);
    }
    assert_rows();
}

static void test_no_memory_at_all(void **state)
{
    struct counted_memory counted;
    struct formats *none = NULL;
    (void)state;
    counted_init(&counted, (size_t)UNIT_ALWAYS);
    assert_int_equal(formats_new(&counted.memory, &none), FAILURE_MEMORY);
    assert_null(none);
    formats_free(NULL);
}

/* Patterns are compiled once, when they are first needed. */
static void test_patterns_are_compiled_once(void **state)
{
    struct counted_memory counted;
    struct formats *own_formats = NULL;
    unsigned broken = 0;
    (void)state;
    counted_init(&counted, 0);
    assert_int_equal(formats_new(&counted.memory, &own_formats), FAILURE_NONE);
    assert_int_equal(counted.calls, 1);
    for (int round = 0; round < 3; round++) {
        size_t calls = counted.calls;
        EACH_FORMAT(format)
            assert_int_equal(format_check(own_formats, matcher, format, bytes_of(format_infos[format].good), &broken), FAILURE_NONE);
        assert_true((counted.calls > calls) == (round == 0));
    }
    formats_free(own_formats);
    assert_int_equal(counted.live, 0);
}

/* ---- threads ---- */

enum { THREADS = 4 };

struct race {
    struct counted_memory counted;
    struct formats *formats;
    pthread_barrier_t start;
};

static void *race_in_thread(void *data)
{
    struct race *race = data;
    struct matcher *own_matcher = NULL;
    unsigned long wrong = matcher_new(&race->counted.memory, &own_matcher) != FAILURE_NONE;
    pthread_barrier_wait(&race->start);
    for (size_t i = 0; i < COUNT(forms) && !wrong; i++) {
        unsigned good = 1, bad = 0;
        const struct form_case *now = &forms[i];
        wrong += format_check(race->formats, own_matcher, now->format, bytes_of(now->good[0]), &good) != FAILURE_NONE || good;
        wrong += now->bad[0] && (format_check(race->formats, own_matcher, now->format, bytes_of(now->bad[0]), &bad) != FAILURE_NONE || !bad);
    }
    matcher_free(own_matcher);
    return wrong ? data : NULL;
}

static void test_threads_compile_at_once(void **state)
{
    (void)state;
    for (int round = 0; round < 20; round++) {
        pthread_t threads[THREADS];
        struct race race;
        counted_init(&race.counted, 0);
        assert_int_equal(formats_new(&race.counted.memory, &race.formats), FAILURE_NONE);
        assert_int_equal(pthread_barrier_init(&race.start, NULL, THREADS), 0);
        for (int i = 0; i < THREADS; i++)
            assert_int_equal(pthread_create(&threads[i], NULL, race_in_thread, &race), 0);
        for (int i = 0; i < THREADS; i++) {
            void *wrong = NULL;
            assert_int_equal(pthread_join(threads[i], &wrong), 0);
            EXPECT(wrong == NULL, "round %d, thread %d", round, i);
        }
        pthread_barrier_destroy(&race.start);
        formats_free(race.formats);
        EXPECT(race.counted.live == 0, "round %d: %zu blocks left", round, (size_t)race.counted.live);
    }
    assert_rows();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_samples_of_the_table),
        cmocka_unit_test(test_rows_are_complete),
        cmocka_unit_test(test_plain_texts_break_nothing),
        cmocka_unit_test(test_usual_values_are_plain),
        cmocka_unit_test(test_lengths),
        cmocka_unit_test(test_parts_are_told_apart),
        cmocka_unit_test(test_generated_names_are_cut),
        cmocka_unit_test(test_forms),
        cmocka_unit_test(test_nul_bytes),
        cmocka_unit_test(test_letters_whose_lower_case_is_ascii),
        cmocka_unit_test(test_subjects_that_are_not_utf8),
        cmocka_unit_test(test_8_mib_of_anything_gets_a_verdict),
        cmocka_unit_test(test_worst_cases),
        cmocka_unit_test(test_every_allocation_may_fail),
        cmocka_unit_test(test_no_memory_at_all),
        cmocka_unit_test(test_patterns_are_compiled_once),
        cmocka_unit_test(test_threads_compile_at_once),
    };
    return cmocka_run_group_tests_name("format", tests, start_formats, end_formats);
}
