/* Names of attributes and capacities. One without a domain is in the domain of the driver, so `model` and `gpu.acme.dev/model` are
 * one name for gpu.acme.dev. Source: k8s.io/api v0.35.4 resource/v1/types.go QualifiedName. */
#include "check/cross.h"
#include "rules/tables.h"

/* Names that several drivers publish, so that claims can compare their devices. The newest is of 1.36.
 * Source: k8s.io/dynamic-resource-allocation v0.36.3 deviceattribute. */
#define WELL_KNOWN_DOMAIN "resource.kubernetes.io"
static const char *const well_known[] = { "pcieRoot", "pciBusID", NULL };

struct name {
    struct bytes domain, id; /* the domain is empty where none is written */
};

static struct name split(struct bytes key)
{
    const char *slash = key.length ? memchr(key.data, '/', key.length) : NULL;
    uint32_t domain = slash ? (uint32_t)(slash - key.data) : 0, from = slash ? domain + 1 : 0;
    return (struct name){ { key.data, domain }, { key.data + from, key.length - from } };
}

static struct bytes driver_of(struct cross *cross)
{
    const struct doc_node *driver = cross_at(cross, cross_root_shape(cross), cross_root(cross), "spec.driver");
    return driver ? doc_text(driver) : (struct bytes){ NULL, 0 };
}

void cross_unique_device_name(struct cross *cross)
{
    const struct doc_node *map = cross_value(cross);
    struct bytes driver = { NULL, 0 };
    struct set without = { 0 };
    for (const struct doc_node *entry = map->first; entry && !cross_failed(cross); entry = entry->next) {
        struct name name = split(doc_name(entry));
        if (!name.domain.length)
            continue;
        if (!driver.data)
            driver = driver_of(cross);
        if (!bytes_equal(name.domain, driver))
            continue;
        if (!without.slots) { /* seldom needed: drivers leave their own domain out */
            enum failure failure = set_init(&without, cross_arena(cross), map->count, cross_key(cross));
            if (failure) {
                cross_fail(cross, failure);
                return;
            }
            doc_each(map, other)
                (void)set_add(&without, doc_name(other), other);
        }
        if (set_find(&without, name.id))
            cross_report(cross, &(struct cross_report){ .element = entry, .detail = "is there without the domain of the driver, too: both are one name" });
    }
}

void cross_well_known_attribute(struct cross *cross)
{
    doc_each(cross_value(cross), entry) {
        struct name name = split(doc_name(entry));
        for (const char *const *known = well_known; *known; known++)
            if (bytes_equal_text(name.id, *known) && (!name.domain.length || bytes_equal(name.domain, driver_of(cross))))
                cross_report(cross, &(struct cross_report){ .element = entry, .detail = "is a copy of the driver's own: publish it in the domain " WELL_KNOWN_DOMAIN ", where claims look for it" });
    }
}
