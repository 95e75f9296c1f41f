/* URLs: which texts a client may request, which are references, and their parts. The verdicts of the table are Go 1.26's, with the setting
 * that programs of Go 1.25 have (urlstrictcolons=0). */
#include "unit.h"
#include "unit_arena.h"

#include "value/limits.h"
#include "value/url.h"

struct row {
    const char *text;
    const char *request, *reference;                   /* why it is none; "": it is one */
    const char *whole, *host, *name, *port, *path; /* of the reference */
};

/* Of a wrong address in brackets, Go says more. */
static const struct row rows[] = {
    { "http://a", "", "", "http://a", "a", "a", "", "" },
    { "HTTP://A/", "", "", "http://A/", "A", "A", "", "/" },
    { "http://a/b c", "", "", "http://a/b%20c", "a", "a", "", "/b%20c" },
    { "/a", "", "", "/a", "", "", "", "/a" },
    { "/", "", "", "/", "", "", "", "/" },
    { "*", "", "", "*", "", "", "", "*" },
    { "//a/b", "", "", "//a/b", "a", "a", "", "/b" },
    { "///a", "", "", "///a", "", "", "", "///a" },
    { "x:", "", "", "x:", "", "", "", "" },
    { "x:a", "", "", "x:a", "", "", "", "" },
    { "x:/a", "", "", "x:/a", "", "", "", "/a" },
    { "x://", "", "", "x:", "", "", "", "" },
    { "x:///a", "", "", "x:///a", "", "", "", "/a" },
    { "mailto:a@b?c", "", "", "mailto:a@b?c", "", "", "", "" },
    { "http://a?", "", "", "http://a?", "a", "a", "", "" },
    { "http://a?b", "", "", "http://a?b", "a", "a", "", "" },
    { "http://a/?b?", "", "", "http://a/?b?", "a", "a", "", "/" },
    { "http://a/??", "", "", "http://a/??", "a", "a", "", "/" },
    { "http://a#b", "invalid character \"#\" in host name", "", "http://a#b", "a", "a", "", "" },
    { "http://a/#b", "", "", "http://a/#b", "a", "a", "", "/" },
    { "http://a/#", "", "", "http://a/", "a", "a", "", "/" },
    { "http://a/b#c d", "", "", "http://a/b#c%20d", "a", "a", "", "/b" },
    { "/a#b%zz", "invalid URL escape \"%zz\"", "invalid URL escape \"%zz\"", "", "", "", "", "" },
    { "/?#%zz", "", "invalid URL escape \"%zz\"", "", "", "", "", "" },
    { "#a", "invalid URI for request", "", "#a", "", "", "", "" },
    { "a", "invalid URI for request", "", "a", "", "", "", "a" },
    { "a/b:c", "invalid URI for request", "", "a/b:c", "", "", "", "a/b:c" },
    { "a:b/c", "", "", "a:b/c", "", "", "", "" },
    { "1a:b", "invalid URI for request", "first path segment in URL cannot contain colon", "", "", "", "", "" },
    { "+a:b", "invalid URI for request", "first path segment in URL cannot contain colon", "", "", "", "", "" },
    { ":a", "missing protocol scheme", "missing protocol scheme", "", "", "", "", "" },
    { "", "empty url", "", "", "", "", "", "" },
    { "a b", "invalid URI for request", "", "a%20b", "", "", "", "a%20b" },
    { "?x", "invalid URI for request", "", "?x", "", "", "", "" },
    { "/a%2Fb", "", "", "/a%2Fb", "", "", "", "/a%2Fb" },
    { "/a%2fb c", "", "", "/a/b%20c", "", "", "", "/a/b%20c" },
    { "/a%", "invalid URL escape \"%\"", "invalid URL escape \"%\"", "", "", "", "", "" },
    { "/a%4", "invalid URL escape \"%4\"", "invalid URL escape \"%4\"", "", "", "", "", "" },
    { "/a%zz", "invalid URL escape \"%zz\"", "invalid URL escape \"%zz\"", "", "", "", "", "" },
    { "/%00", "", "", "/%00", "", "", "", "/%00" },
    { "/a*b(c)'d'!", "", "", "/a*b(c)'d'!", "", "", "", "/a*b(c)'d'!" },
    { "/a[b]", "", "", "/a[b]", "", "", "", "/a[b]" },
    { "/a{b}", "", "", "/a%7Bb%7D", "", "", "", "/a%7Bb%7D" },
    { "/\303\251", "", "", "/%C3%A9", "", "", "", "/%C3%A9" },
    { "/%C3%A9\303\251", "", "", "/%C3%A9%C3%A9", "", "", "", "/%C3%A9%C3%A9" },
    { "/a;b,c:d@e=f&g$h+i", "", "", "/a;b,c:d@e=f&g$h+i", "", "", "", "/a;b,c:d@e=f&g$h+i" },
    { "//a b/", "", "invalid character \" \" in host name", "", "", "", "", "" },
    { "http://a b/", "invalid character \" \" in host name", "invalid character \" \" in host name", "", "", "", "", "" },
    { "http://a%20b/", "invalid URL escape \"%20\"", "invalid URL escape \"%20\"", "", "", "", "", "" },
    { "http://a%41/", "invalid URL escape \"%41\"", "invalid URL escape \"%41\"", "", "", "", "", "" },
    { "http://%C3%A9/", "", "", "http://%C3%A9/", "\303\251", "\303\251", "", "/" },
    { "http://\303\251/", "", "", "http://%C3%A9/", "\303\251", "\303\251", "", "/" },
    { "http://%ff/", "", "", "http://%FF/", "\377", "\377", "", "/" },
    { "http://a%25b/", "", "", "http://a%25b/", "a%b", "a%b", "", "/" },
    { "http://a<b>\"c/", "", "", "http://a<b>\"c/", "a<b>\"c", "a<b>\"c", "", "/" },
    { "http://a'b!/", "", "", "http://a'b!/", "a'b!", "a'b!", "", "/" },
    { "http://a|b/", "invalid character \"|\" in host name", "invalid character \"|\" in host name", "", "", "", "", "" },
    { "http://a:80", "", "", "http://a:80", "a:80", "a", "80", "" },
    { "http://a:", "", "", "http://a:", "a:", "a", "", "" },
    { "http://a:b", "invalid port \":b\" after host", "invalid port \":b\" after host", "", "", "", "", "" },
    { "http://a:80:90/", "", "", "http://a:80:90/", "a:80:90", "a:80", "90", "/" },
    { "http://a:80:x/", "invalid port \":x\" after host", "invalid port \":x\" after host", "", "", "", "", "" },
    { "http://:80/", "", "", "http://:80/", ":80", "", "80", "/" },
    { "http://[::1]", "", "", "http://[::1]", "[::1]", "::1", "", "" },
    { "http://[::1]:80/", "", "", "http://[::1]:80/", "[::1]:80", "::1", "80", "/" },
    { "http://[::1]:", "", "", "http://[::1]:", "[::1]:", "::1", "", "" },
    { "http://[::1]x", "invalid port \"x\" after host", "invalid port \"x\" after host", "", "", "", "", "" },
    { "http://[::1", "missing ']' in host", "missing ']' in host", "", "", "", "", "" },
    { "http://a[::1]", "invalid IP-literal", "invalid IP-literal", "", "", "", "", "" },
    { "http://[1.2.3.4]/", "invalid IP-literal", "invalid IP-literal", "", "", "", "", "" },
    { "http://[::ffff:1.2.3.4]/", "", "", "http://[::ffff:1.2.3.4]/", "[::ffff:1.2.3.4]", "::ffff:1.2.3.4", "", "/" },
    { "http://[x]/", "invalid host", "invalid host", "", "", "", "", "" },
    { "http://[]/", "invalid host", "invalid host", "", "", "", "", "" },
    { "http://[fe80::1%25en0]/", "", "", "http://[fe80::1%25en0]/", "[fe80::1%en0]", "fe80::1%en0", "", "/" },
    { "http://[fe80::1%25]/", "invalid host", "invalid host", "", "", "", "", "" },
    { "http://[fe80::1%en0]/", "invalid URL escape \"%en\"", "invalid URL escape \"%en\"", "", "", "", "", "" },
    { "http://[fe80::1%25%65%20]:8/", "", "", "http://[fe80::1%25e%20]:8/", "[fe80::1%e ]:8", "fe80::1%e ", "8", "/" },
    { "http://[fe80::1%25%2f]/", "invalid URL escape \"%2f\"", "invalid URL escape \"%2f\"", "", "", "", "", "" },
    { "http://[fe80::1%25a%25b]/", "", "", "http://[fe80::1%25a%25b]/", "[fe80::1%a%b]", "fe80::1%a%b", "", "/" },
    { "http://[::1%41]/", "invalid URL escape \"%41\"", "invalid URL escape \"%41\"", "", "", "", "", "" },
    { "http://]/", "", "", "http://]/", "]", "]", "", "/" },
    { "http://u@a/", "", "", "http://u@a/", "a", "a", "", "/" },
    { "http://u:@a/", "", "", "http://u:@a/", "a", "a", "", "/" },
    { "http://:@a/", "", "", "http://:@a/", "a", "a", "", "/" },
    { "http://@a/", "", "", "http://@a/", "a", "a", "", "/" },
    { "http://u:p:q@a/", "", "", "http://u:p%3Aq@a/", "a", "a", "", "/" },
    { "http://u@v@a/", "", "", "http://u%40v@a/", "a", "a", "", "/" },
    { "http://u%40:%2f@a/", "", "", "http://u%40:%2F@a/", "a", "a", "", "/" },
    { "http://u%zz@a/", "invalid URL escape \"%zz\"", "invalid URL escape \"%zz\"", "", "", "", "", "" },
    { "http://u p@a/", "net/url: invalid userinfo", "net/url: invalid userinfo", "", "", "", "", "" },
    { "http://\303\251@a/", "net/url: invalid userinfo", "net/url: invalid userinfo", "", "", "", "", "" },
    { "http://u;=$,&+:x@a/", "", "", "http://u;=$,&+:x@a/", "a", "a", "", "/" },
    { "http://u@/", "", "", "http://u@/", "", "", "", "/" },
    { "http://a\012", "net/url: invalid control character in URL", "net/url: invalid control character in URL", "", "", "", "", "" },
    { "http://a\177/", "net/url: invalid control character in URL", "net/url: invalid control character in URL", "", "", "", "", "" },
    { "http://a/\001", "net/url: invalid control character in URL", "net/url: invalid control character in URL", "", "", "", "", "" },
    { "http://a/\302\200", "", "", "http://a/%C2%80", "a", "a", "", "/%C2%80" },
    { "http://a?\011", "net/url: invalid control character in URL", "net/url: invalid control character in URL", "", "", "", "", "" },
    { "http://a/?\303\251", "", "", "http://a/?\303\251", "a", "a", "", "/" },
    { "http://a/?%zz", "", "", "http://a/?%zz", "a", "a", "", "/" },
    { "x:a b?c d#e f", "", "", "x:a b?c d#e%20f", "", "", "", "" },
    { "x:%zz", "", "", "x:%zz", "", "", "", "" },
    { "http://?x", "", "", "http:?x", "", "", "", "" },
    { "http:/a", "", "", "http:/a", "", "", "", "/a" },
    { "http:?a", "", "", "http:?a", "", "", "", "" },
    { "HtTp+x-1.y://a", "", "", "http+x-1.y://a", "a", "a", "", "" },
    { "http://a/#!()*'[]^", "", "", "http://a/#!()*%27%5B%5D%5E", "a", "a", "", "/" },
};

/* The error in Go's words. */
static const char *words(const struct url_error *error)
{
    struct text text;
    text_init(&text, &arena);
    text_add(&text, error->words ? error->words : "");
    if (error->after && strncmp(error->words, "invalid host", strlen("invalid host")) != 0) {
        text_add_quoted(&text, error->about, 1000);
        text_add(&text, error->after);
    }
    return text_end(&text);
}

static bool is_error(const char *got, const char *wanted)
{
    return strcmp(wanted, "invalid host") == 0 ? strncmp(got, wanted, strlen(wanted)) == 0 : strcmp(got, wanted) == 0;
}

static const char *written(const struct url *url, void (*add)(const struct url *, struct text *))
{
    struct text text;
    text_init(&text, &arena);
    add(url, &text);
    return text_end(&text);
}

static void test_texts(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct url url;
        struct url_error error;
        struct bytes copy = exact_copy(bytes_of(rows[i].text)), name, port;
        assert_int_equal(url_read_request(copy, &arena, &url, &error), FAILURE_NONE);
        EXPECT(is_error(words(&error), rows[i].request), "%s: %s", shown(copy), words(&error));
        assert_int_equal(url_read(copy, &arena, &url, &error), FAILURE_NONE);
        EXPECT(is_error(words(&error), rows[i].reference), "%s: %s", shown(copy), words(&error));
        if (!error.words) {
            url_split_host(url.host, &name, &port);
            EXPECT(strcmp(written(&url, url_add), rows[i].whole) == 0, "%s: %s", shown(copy), written(&url, url_add));
            EXPECT(strcmp(written(&url, url_add_path), rows[i].path) == 0, "%s: %s", shown(copy), written(&url, url_add_path));
            EXPECT(bytes_equal_text(url.host, rows[i].host), "%s: %s", shown(copy), shown(url.host));
            EXPECT(bytes_equal_text(name, rows[i].name) && bytes_equal_text(port, rows[i].port), "%s: %s, %s", shown(copy), shown(name), shown(port));
        }
        free_copy(copy);
        arena_clear(&arena);
    }
    assert_rows();
}

static void test_queries(void **state)
{
    static const struct { const char *text, *decoded; } texts[] = {
        { "", "" }, { "a+b", "a b" }, { "a%2Bb%20c", "a+b c" }, { "%C3%A9", "\303\251" }, { "%", NULL }, { "%4", NULL }, { "%4g", NULL }, { "a%zz", NULL },
    };
    (void)state;
    for (size_t i = 0; i < COUNT(texts); i++) {
        struct bytes decoded;
        bool good = url_decode_query(bytes_of(texts[i].text), &arena, &decoded);
        EXPECT(good == (texts[i].decoded != NULL) && (!good || bytes_equal_text(decoded, texts[i].decoded)), "%s", texts[i].text);
    }
    assert_rows();
}

/* Everything of a URL at the bound, in no time. */
static void test_long_texts(void **state)
{
    static const char *const units[] = { "a", ":", "@", "%41", "[", "]", "?", "#", "&", "/", "x:", "%25", "http://" };
    double before = cpu_seconds();
    (void)state;
    for (size_t i = 0; i < COUNT(units); i++) {
        struct bytes text = repeated(units[i], LIMIT_URL_BYTES / strlen(units[i]), ""), long_text = repeated(units[i], LIMIT_URL_BYTES, "ab");
        for (int round = 0; round < 20; round++) {
            struct url url;
            struct url_error error;
            assert_int_equal(url_read(text, &arena, &url, &error), FAILURE_NONE);
            if (!error.words)
                assert_non_null(written(&url, url_add));
            assert_int_equal(url_read_request(long_text, &arena, &url, &error), FAILURE_NONE);
            EXPECT(error.words && strcmp(error.words, "the URL is too long") == 0, "%s", units[i]);
            arena_clear(&arena);
        }
        free_copy(text);
        free_copy(long_text);
    }
    assert_true(cpu_seconds() - before < 0.2 * slowness());
    assert_rows();
}

static void test_every_allocation_may_fail(void **state)
{
    static const char *const texts[] = { "HTTP://%C3%A9/", "http://u%20:p%20@a/", "http://[::1%25a]:80/" };
    (void)state;
    for (size_t i = 0; i < COUNT(texts); i++) {
        unsigned good = 0;
        for (size_t limit = 0; limit < 200; limit++) {
            struct arena failing;
            struct url url;
            struct url_error error;
            arena_init(&failing, &memory_malloc, limit);
            enum failure failure = url_read(bytes_of(texts[i]), &failing, &url, &error);
            EXPECT((failure == FAILURE_NONE || failure == FAILURE_LIMIT) && !error.words, "%s, %zu bytes: %d", texts[i], limit, failure);
            good += failure == FAILURE_NONE;
            arena_done(&failing);
        }
        EXPECT(good > 0 && good < 200, "%s: %u", texts[i], good);
    }
    assert_rows();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_texts),
        cmocka_unit_test(test_queries),
        cmocka_unit_test(test_long_texts),
        cmocka_unit_test(test_every_allocation_may_fail),
    };
    return cmocka_run_group_tests_name("url", tests, start_arena, end_arena);
}
