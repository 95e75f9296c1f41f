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

/* ---- types ---- */

/* On attributes: one type wherever the name is the same.
 * Source: k8s.io/api v0.35.4 resource/v1/types.go DeviceConstraint.matchAttribute. */
void cross_attribute_types(struct cross *cross)
{
    struct bytes driver = driver_of(cross);
    value_each(cross_value(cross), entry) {
        const struct indexed *first = published_attribute(cross, driver, value_name(entry));
        const char *type = attribute_member(entry), *other = attribute_member(indexed_value(first));
        if (type && other && type != other)
            cross_report(cross, (struct cross_report){ .at = entry, .other = first });
    }
}
