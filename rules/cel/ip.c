/* IP addresses and networks in expressions. Source: k8s.io/apiserver v0.35.4 pkg/cel/library/ip.go and cidr.go, Go's net/netip. */
#include "value/ip.h"

#include "rules/cel/calls.h"
#include "rules/cel/objects.h"

struct ip_object {
    struct cel_object head;
    struct ip_address address;
    unsigned bits; /* of a network: the length of its prefix */
};

static struct cel_value make(struct cel_evaluation *evaluation, const struct cel_object_class *class, const struct ip_address *address,
                             unsigned bits)
{
    struct ip_object *object = cel_evaluation_alloc(evaluation, 1, sizeof *object);
    if (!object)
        return cel_stopped(evaluation);
    *object = (struct ip_object){ .head = { class, false }, .address = *address, .bits = bits };
    return cel_object_value(&object->head);
}

/* ---- reading ---- */

static struct cel_value make_address(struct cel_evaluation *evaluation, struct bytes text)
{
    struct ip_address address;
    if (ip_read(text, &address))
        return make(evaluation, &ip_class, &address, 0);
    return object_fail(evaluation, "IP Address parse error during conversion from string", text);
}

static struct cel_value make_network(struct cel_evaluation *evaluation, struct bytes text)
{
    struct ip_address address;
    unsigned bits;
    if (ip_read_network(text, &address, &bits))
        return make(evaluation, &cidr_class, &address, bits);
    return object_fail(evaluation, "network address parse error during conversion from string", text);
}

static struct cel_value address_of(struct cel_evaluation *evaluation, const struct cel_value *value)
{
    if (value->type == CEL_STRING)
        return make_address(evaluation, value->text);
    return cel_is_object(value, &ip_class) ? *value : cel_no_overload(evaluation);
}

static struct cel_value network_of(struct cel_evaluation *evaluation, const struct cel_value *value)
{
    if (value->type == CEL_STRING)
        return make_network(evaluation, value->text);
    return cel_is_object(value, &cidr_class) ? *value : cel_no_overload(evaluation);
}

/* What is called on; NULL: it is none of that class. */
static const struct ip_object *receiver(const struct cel_invocation *call, const struct cel_object_class *class)
{
    const struct cel_value *value = &call->arguments[0];
    return cel_is_object(value, class) ? (const struct ip_object *)value->object : NULL;
}

/* ip("10.0.0.1"), or that of a network. */
struct cel_value call_ip(const struct cel_invocation *call)
{
    const struct ip_object *network = receiver(call, &cidr_class);
    return network ? make(call->evaluation, &ip_class, &network->address, 0) : address_of(call->evaluation, call->arguments);
}

struct cel_value call_is_ip(const struct cel_invocation *call)
{
    struct ip_address address;
    return cel_boolean(ip_read(call->arguments->text, &address));
}

struct cel_value call_ip_is_canonical(const struct cel_invocation *call)
{
    struct ip_address address;
    char canonical[IP_TEXT_BYTES];
    struct bytes text = call->arguments->text;
    if (!ip_read(text, &address))
        return make_address(call->evaluation, text);
    ip_write(&address, canonical);
    return cel_boolean(bytes_equal_text(text, canonical));
}

struct cel_value call_cidr(const struct cel_invocation *call)
{
    return network_of(call->evaluation, call->arguments);
}

struct cel_value call_is_cidr(const struct cel_invocation *call)
{
    struct ip_address address;
    unsigned bits;
    return cel_boolean(ip_read_network(call->arguments->text, &address, &bits));
}

/* ---- addresses ---- */

static bool is_unspecified(const struct ip_address *address)
{
    static const struct ip_address none;
    struct ip_address zero = none;
    zero.six = address->six;
    return ip_same_prefix(address, &zero, ip_bits(address));
}

static bool is_broadcast(const struct ip_address *address)
{
    static const struct ip_address all = { false, { 255, 255, 255, 255 } };
    return ip_same_prefix(address, &all, 32);
}

static bool is_loopback(const struct ip_address *address)
{
    static const struct ip_address one = { true, { [15] = 1 } };
    return address->six ? ip_same_prefix(address, &one, 128) : address->bytes[0] == 127;
}

static bool is_multicast(const struct ip_address *address)
{
    return address->six ? address->bytes[0] == 0xFF : (address->bytes[0] & 0xF0) == 0xE0;
}

static bool is_link_local_unicast(const struct ip_address *address)
{
    const unsigned char *bytes = address->bytes;
    return address->six ? bytes[0] == 0xFE && (bytes[1] & 0xC0) == 0x80 : bytes[0] == 169 && bytes[1] == 254;
}

static bool is_link_local_multicast(const struct ip_address *address)
{
    const unsigned char *bytes = address->bytes;
    return address->six ? bytes[0] == 0xFF && (bytes[1] & 0x0F) == 2 : bytes[0] == 224 && bytes[1] == 0 && bytes[2] == 0;
}

/* Private addresses count as global. */
static bool is_global_unicast(const struct ip_address *address)
{
    return !is_unspecified(address) && !is_broadcast(address) && !is_loopback(address) && !is_multicast(address) &&
           !is_link_local_unicast(address);
}

static struct cel_value whether(const struct cel_invocation *call, bool (*is)(const struct ip_address *))
{
    const struct ip_object *object = receiver(call, &ip_class);
    return object ? cel_boolean(is(&object->address)) : cel_no_overload(call->evaluation);
}

struct cel_value call_is_unspecified(const struct cel_invocation *call)
{
    return whether(call, is_unspecified);
}

struct cel_value call_is_loopback(const struct cel_invocation *call)
{
    return whether(call, is_loopback);
}

struct cel_value call_is_link_local_unicast(const struct cel_invocation *call)
{
    return whether(call, is_link_local_unicast);
}

struct cel_value call_is_link_local_multicast(const struct cel_invocation *call)
{
    return whether(call, is_link_local_multicast);
}

struct cel_value call_is_global_unicast(const struct cel_invocation *call)
{
    return whether(call, is_global_unicast);
}

struct cel_value call_family(const struct cel_invocation *call)
{
    const struct ip_object *object = receiver(call, &ip_class);
    return object ? cel_integer(object->address.six ? 6 : 4) : cel_no_overload(call->evaluation);
}

/* ---- networks ---- */

struct cel_value call_prefix_length(const struct cel_invocation *call)
{
    const struct ip_object *network = receiver(call, &cidr_class);
    return network ? cel_integer(network->bits) : cel_no_overload(call->evaluation);
}

struct cel_value call_masked(const struct cel_invocation *call)
{
    const struct ip_object *network = receiver(call, &cidr_class);
    if (!network)
        return cel_no_overload(call->evaluation);
    struct ip_address masked = network->address;
    for (unsigned bit = network->bits; bit < ip_bits(&masked); bit++)
        masked.bytes[bit / 8] &= (unsigned char)~(0x80 >> bit % 8);
    return make(call->evaluation, &cidr_class, &masked, network->bits);
}

static struct cel_value contains(const struct cel_invocation *call, struct cel_value inner)
{
    const struct ip_object *network = receiver(call, &cidr_class);
    if (inner.type != CEL_STRUCT)
        return inner;
    if (!network)
        return cel_no_overload(call->evaluation);
    const struct ip_object *part = (const struct ip_object *)inner.object;
    unsigned bits = part->head.class == &cidr_class ? part->bits : ip_bits(&part->address);
    return cel_boolean(network->bits <= bits && ip_same_prefix(&network->address, &part->address, network->bits));
}

struct cel_value call_contains_ip(const struct cel_invocation *call)
{
    return contains(call, address_of(call->evaluation, &call->arguments[1]));
}

struct cel_value call_contains_cidr(const struct cel_invocation *call)
{
    return contains(call, network_of(call->evaluation, &call->arguments[1]));
}

/* ---- as values ---- */

static enum cel_equality_result equal(const struct cel_object *a, const struct cel_object *b)
{
    const struct ip_object *left = (const struct ip_object *)a, *right = (const struct ip_object *)b;
    bool same = left->bits == right->bits && ip_same_prefix(&left->address, &right->address, ip_bits(&left->address));
    return same ? CEL_EQUAL : CEL_DIFFERENT;
}

static uint64_t address_size(const struct cel_object *object)
{
    return ip_bits(&((const struct ip_object *)object)->address) / 8;
}

static uint64_t network_size(const struct cel_object *object)
{
    return (((const struct ip_object *)object)->bits + 7) / 8;
}

static void print_address(const struct cel_object *object, struct text *text)
{
    char canonical[IP_TEXT_BYTES];
    ip_write(&((const struct ip_object *)object)->address, canonical);
    text_add(text, canonical);
}

static void print_network(const struct cel_object *object, struct text *text)
{
    print_address(object, text);
    text_add(text, "/");
    text_add_integer(text, ((const struct ip_object *)object)->bits);
}

static struct bytes address_key(const struct cel_object *object)
{
    const struct ip_address *address = &((const struct ip_object *)object)->address;
    return (struct bytes){ (const char *)address->bytes, ip_bits(address) / 8 };
}

const struct cel_object_class ip_class = {
    .type = "net.IP", .equal = equal, .size = address_size, .print = print_address, .key = address_key
};
const struct cel_object_class cidr_class = {
    .type = "net.CIDR", .equal = equal, .size = network_size, .print = print_network, .key = address_key
};
