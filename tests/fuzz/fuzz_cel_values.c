/* libFuzzer target: the texts of Kubernetes' own types in CEL. A NUL is between two texts: each is read as a quantity, a version, an address,
 * a network, a URL, and compared with the other. Whatever the bytes are: no crash, an order that is the same from both sides, and what is
 * written is read as the same. */
#include <stdlib.h>

#include "base/limits.h"
#include "rules/cel/calls.h"
#include "rules/cel/objects.h"
#include "value/ip.h"
#include "value/quantity.h"
#include "value/semver.h"
#include "value/url.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static struct arena arena;

static void require(bool condition)
{
    if (!condition)
        abort();
}

static void quantities(struct bytes a, struct bytes b)
{
    const char *error;
    struct quantity_small small;
    struct quantity exact, read;
    char digits[QUANTITY_SMALL_DIGITS];
    if (quantity_read_small(a, &small)) {
        quantity_of_small(&small, digits, &exact);
        require(!quantity_fault(a) && !quantity_is_big(a) && !quantity_read(a, &arena, &read) && quantity_compare(&exact, &read) == 0);
    }
    struct cel_object *left = quantity_object(&arena, a, false, &error), *right = quantity_object(&arena, b, false, &error);
    if (!left || !right)
        return;
    struct cel_evaluation evaluation = { .arena = &arena };
    struct cel_value arguments[] = { cel_object_value(left), cel_object_value(right) }, sum;
    struct cel_invocation call = { .evaluation = &evaluation, .arguments = arguments, .count = 2 };
    int order, back;
    require(quantity_order(&evaluation, left, right, &order) && quantity_order(&evaluation, right, left, &back) && order == -back);
    require((quantity_class.equal(left, right) == CEL_EQUAL) == (order == 0));
    sum = call_quantity_add(&call);
    struct text text;
    text_init(&text, &arena);
    cel_value_print(&text, &sum, 1000);
    (void)call_as_approximate_float(&call);
    (void)call_as_integer(&call);
}

static void versions(struct bytes a, struct bytes b)
{
    struct semver left, right;
    if (semver_read(a, &left) || semver_read(b, &right))
        return;
    int order = semver_compare(&left, &right);
    require(order == -semver_compare(&right, &left) && semver_equal(&left, &right) == (order == 0));
}

static void addresses(struct bytes text)
{
    struct ip_address address, again;
    unsigned bits;
    char written[IP_TEXT_BYTES];
    if (!ip_read(text, &address) && !ip_read_network(text, &address, &bits))
        return;
    ip_write(&address, written);
    require(ip_read(bytes_of(written), &again) && ip_same_prefix(&address, &again, ip_bits(&address)));
}

static void urls(struct bytes text)
{
    struct url url;
    struct url_error error;
    struct bytes name, port, decoded;
    require(!url_read_request(text, &arena, &url, &error));
    require(!url_read(text, &arena, &url, &error));
    require(url_decode_query(text, &arena, &decoded) ? decoded.length <= text.length : memchr(text.data, '%', text.length) != NULL);
    if (error.words)
        return;
    struct text whole;
    text_init(&whole, &arena);
    url_add(&url, &whole);
    url_split_host(url.host, &name, &port);
    require(name.length + port.length <= url.host.length && text_end(&whole));
}

static void formats(struct bytes text)
{
    static const char *const names[] = { "byte", "date", "datetime", "dns1035LabelPrefix", "dns1123LabelPrefix", "dns1123SubdomainPrefix",
                                         "labelValue", "qualifiedName", "uri", "uuid" };
    struct cel_evaluation evaluation = { .arena = &arena };
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        struct cel_value arguments[] = { cel_string(bytes_of(names[i])), cel_string(text) };
        struct cel_invocation call = { .evaluation = &evaluation, .arguments = arguments, .count = 2 };
        struct cel_value format = call_format_named(&call);
        require(format.type == CEL_OPTIONAL && format.content);
        arguments[0] = *format.content;
        require(call_validate(&call).type == CEL_OPTIONAL);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct bytes a = { (const char *)data, (uint32_t)size }, b = a;
    const char *zero = size ? memchr(data, 0, size) : NULL;
    if (zero) {
        a.length = (uint32_t)(zero - a.data);
        b = (struct bytes){ zero + 1, (uint32_t)size - a.length - 1 };
    }
    arena_init(&arena, &memory_malloc, LIMIT_ARENA_BYTES);
    quantities(a, b);
    versions(a, b);
    addresses(a);
    urls(a);
    formats(a);
    arena_done(&arena);
    return 0;
}
