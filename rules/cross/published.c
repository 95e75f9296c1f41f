#include "rules/cross/published.h"

#include "rules/cross/attribute_type.h"
#include "rules/cross/common.h"

static const struct bytes attribute_sort = BYTES("attribute"), capacity_sort = BYTES("capacity"), driver_sort = BYTES("driver");

/* A name in a slice of the driver, with the domain that it has. */
static struct bytes name_key(struct cross *cross, struct bytes driver, struct bytes name, struct bytes sort)
{
    const char *slash = name.length ? memchr(name.data, '/', name.length) : NULL;
    struct bytes domain = slash ? (struct bytes){ name.data, (uint32_t)(slash - name.data) } : driver;
    uint32_t from = slash ? domain.length + 1 : 0;
    return cross_key(cross, sort, domain, { name.data + from, name.length - from });
}

/* The type as a part of keys; empty: the attribute has none. */
static struct bytes type_sort(unsigned type)
{
    return bytes_of(type == TYPE_NUMBER    ? "number"
                    : type == TYPE_BOOL    ? "bool"
                    : type == TYPE_TEXT    ? "text"
                    : type == TYPE_VERSION ? "version"
                    : type == TYPE_LIST    ? "list"
                                           : "");
}

static void index_published(struct cross *cross, struct value root)
{
    struct value driver = value_at(cross, root, "spec.driver"), devices = value_at(cross, root, "spec.devices");
    struct bytes name = value_text(driver);
    if (!value_is_set(devices) || cross_is_template(cross, root))
        return;
    cross_index_add(cross, cross_key(cross, driver_sort, name), driver);
    value_each(devices, device) {
        value_each(value_at(cross, device, "attributes"), attribute) {
            struct bytes type = type_sort(type_of_attribute(attribute));
            cross_index_add(cross, name_key(cross, name, value_name(attribute), attribute_sort), attribute);
            if (type.length)
                cross_index_add(cross, name_key(cross, name, value_name(attribute), type), attribute);
        }
        value_each(value_at(cross, device, "capacity"), capacity)
            cross_index_add(cross, name_key(cross, name, value_name(capacity), capacity_sort), capacity);
    }
}

static const struct index_definition published = { "resource.k8s.io", "ResourceSlice", index_published, true };

const struct indexed *published_driver(struct cross *cross, struct bytes driver)
{
    return cross_find(cross, &published, cross_key(cross, driver_sort, driver));
}

const struct indexed *published_name(struct cross *cross, struct bytes domain, struct bytes name, bool capacity)
{
    return cross_find(cross, &published, cross_key(cross, capacity ? capacity_sort : attribute_sort, domain, name));
}

unsigned published_types(struct cross *cross, struct bytes domain, struct bytes name, const struct indexed **first)
{
    unsigned types = 0;
    for (unsigned type = 1; type & TYPES_OF_ATTRIBUTES; type <<= 1) {
        const struct indexed *found = cross_find(cross, &published, cross_key(cross, type_sort(type), domain, name));
        types |= found ? type : 0;
        *first = found && !*first ? found : *first;
    }
    return types;
}

const struct indexed *published_attribute(struct cross *cross, struct bytes driver, struct bytes name)
{
    return cross_find(cross, &published, name_key(cross, driver, name, attribute_sort));
}
