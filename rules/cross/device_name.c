/* Names of attributes and capacities. One without a domain is in the domain of the driver, so `model` and `gpu.acme.dev/model` are
 * one name for gpu.acme.dev. Source: k8s.io/api v0.35.4 resource/v1/types.go QualifiedName. */
#include "rules/cross/attribute_type.h"
#include "rules/cross/common.h"
#include "rules/cross/published.h"

/* Names that several drivers publish, so that claims can compare their devices. The newest is of 1.36.
 * Source: k8s.io/dynamic-resource-allocation v0.36.3 deviceattribute. */
#define WELL_KNOWN(id) { BYTES(id), "resource.kubernetes.io/" id }
static const struct {
    struct bytes id;
    const char *name;
} well_known[] = { WELL_KNOWN("pcieRoot"), WELL_KNOWN("pciBusID") };
enum { WELL_KNOWN_NAMES = sizeof well_known / sizeof *well_known };

/* What comes after "driver/" in a name; empty where the name is not in the domain of that driver. */
static struct bytes without_domain(struct bytes driver, struct bytes name)
{
    if (name.length <= driver.length + 1 || name.data[driver.length] != '/' || memcmp(name.data, driver.data, driver.length) != 0)
        return (struct bytes)BYTES("");
    return (struct bytes){ name.data + driver.length + 1, name.length - driver.length - 1 };
}

/* The slice's driver; the map is in a device, which is in the slice's spec. */
static struct bytes driver_of(struct cross *cross)
{
    return value_text(cross_sibling(cross, "../driver"));
}

void cross_unique_device_name(struct cross *cross)
{
    struct value map = cross_value(cross);
    struct bytes driver = driver_of(cross);
    struct lookup names = { .of = NULL };
    value_each(map, entry) {
        struct bytes name = without_domain(driver, value_name(entry));
        if (!name.length)
            continue;
        if (!names.of) /* seldom needed: drivers leave their own domain out */
            lookup_init(cross, &names, map, NULL);
        if (value_is_set(lookup_find(&names, name)))
            cross_report(cross, (struct cross_report){ .at = entry });
    }
}

void cross_well_known_attribute(struct cross *cross)
{
    struct bytes driver = driver_of(cross);
    value_each(cross_value(cross), entry) {
        struct bytes key = value_name(entry), own = without_domain(driver, key), id = own.length ? own : key;
        int i = 0;
        while (i < WELL_KNOWN_NAMES && !bytes_equal(id, well_known[i].id))
            i++;
        if (i == WELL_KNOWN_NAMES)
            continue;
        bool is_there = value_is_set(value_entry(cross_value(cross), well_known[i].name));
        cross_report(cross, (struct cross_report){
            .at = entry,
            .detail = is_there
                ? "is a copy of the driver's own: claims look for the one in the domain resource.kubernetes.io, which is there, too"
                : "is a copy of the driver's own: publish it in the domain resource.kubernetes.io, where claims look for it",
        });
    }
}

/* ---- values of well-known attributes ---- */

enum { NUMA_NODES = 1024, DOMAIN_DIGITS = 4, MAX_DOMAIN_DIGITS = 8 }; /* of Linux */

static bool is_hexadecimal(char c)
{
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f');
}

/* Whether the text is of this form: "dddd" stands for a PCI domain, of four digits or, where there are many, up to eight; another 'd' for
 * a hexadecimal digit; everything else for itself. */
static bool has_form(struct bytes text, const char *form)
{
    uint32_t i = 0;
    for (uint32_t digits = 0; *form; form++) {
        if (i == text.length || (*form == 'd' ? !is_hexadecimal(text.data[i]) : text.data[i] != *form))
            return false;
        i++;
        digits = *form == 'd' ? digits + 1 : 0;
        for (; digits >= DOMAIN_DIGITS && digits < MAX_DOMAIN_DIGITS && i < text.length && is_hexadecimal(text.data[i]); i++)
            digits++;
    }
    return i == text.length;
}

static bool is_node(struct value number)
{
    int64_t node = value_integer(number);
    return node >= 0 && node < NUMA_NODES;
}

static const struct well_known_value {
    struct bytes name;
    const char *form;    /* NULL: it is the number of a node */
    const char *single, *list; /* members that may hold it */
    const char *detail;
} well_known_values[] = {
    { BYTES("resource.kubernetes.io/pcieRoot"), "pcidddd:dd", "string", "strings",
      "should be a string like pci0000:00, the name of the PCIe root complex below /sys/devices" },
    { BYTES("resource.kubernetes.io/pciBusID"), "dddd:dd:dd.d", "string", "strings",
      "should be a string like 0000:04:1f.0: domain, bus, device and function, in lower case" },
    { BYTES("resource.kubernetes.io/numaNode"), NULL, "int", "ints",
      "should be an int from 0 to 1023; a device that is near no node does not have it" },
};
enum { WELL_KNOWN_VALUES = sizeof well_known_values / sizeof *well_known_values };

/* Whether a text was left for a template to fill. */
static bool is_open(struct bytes text)
{
    return text.length && (memchr(text.data, '{', text.length) || memchr(text.data, '$', text.length));
}

static bool is_value_of(const struct well_known_value *known, struct value value)
{
    return known->form ? has_form(value_text(value), known->form) || is_open(value_text(value)) : is_node(value);
}

/* What nearly all are: the one member that it should have, with a right value. */
static bool is_plainly_right(const struct well_known_value *known, struct value attribute)
{
    const struct doc_node *only = doc_first(attribute.node);
    return only && !only->next && bytes_equal_text(doc_name(only), known->single) && is_value_of(known, (struct value){ .node = only });
}

static void check_value(struct cross *cross, const struct well_known_value *known, struct value attribute)
{
    const char *member = is_plainly_right(known, attribute) ? NULL : attribute_member(attribute);
    if (!member)
        return;
    struct value value = value_at(cross, attribute, member);
    bool is_list = strcmp(member, known->list) == 0, right = is_list;
    if (strcmp(member, known->single) == 0)
        right = is_value_of(known, value);
    if (is_list)
        value_each(value, element)
            right &= is_value_of(known, element);
    if (!right)
        cross_report(cross, (struct cross_report){
            .at = attribute, .below = member, .quoted = known->form && !is_list, .detail = known->detail,
        });
}

/* On attributes. */
void cross_well_known_value(struct cross *cross)
{
    value_each(cross_value(cross), attribute)
        for (unsigned i = 0; i < WELL_KNOWN_VALUES; i++)
            if (bytes_equal(value_name(attribute), well_known_values[i].name))
                check_value(cross, &well_known_values[i], attribute);
}

/* ---- types ---- */

/* Whether a constraint can compare them: lists are compared with single values as sets. */
static bool is_comparable(const char *member, const char *other)
{
    return strncmp(member, other, strlen(member) < strlen(other) ? strlen(member) : strlen(other)) == 0;
}

/* On attributes: one type wherever the name is the same.
 * Source: k8s.io/api v0.35.4 resource/v1/types.go DeviceConstraint.matchAttribute. */
void cross_attribute_types(struct cross *cross)
{
    struct bytes driver = driver_of(cross);
    value_each(cross_value(cross), entry) {
        const struct indexed *first = published_attribute(cross, driver, value_name(entry));
        const char *type = attribute_member(entry), *other = attribute_member(indexed_value(first));
        if (type && other && !is_comparable(type, other))
            cross_report(cross, (struct cross_report){ .at = entry, .other = first });
    }
}
