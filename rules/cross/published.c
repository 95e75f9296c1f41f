#include "rules/cross/published.h"

#include "rules/cross/attribute_type.h"
#include "rules/cross/common.h"
#include "rules/cross/outcome.h"

enum { DRIVER_BYTES = 63 }; /* of a name */

static const struct bytes attribute_sort = BYTES("attribute"), capacity_sort = BYTES("capacity"), driver_sort = BYTES("driver"),
                          domain_sort = BYTES("domain");

/* A name as a slice of the driver writes it: its domain, and what follows. */
struct name {
    struct bytes domain, name;
};

static struct name split_name(struct bytes driver, struct bytes written)
{
    const char *slash = written.length ? memchr(written.data, '/', written.length) : NULL;
    struct bytes domain = slash ? (struct bytes){ written.data, (uint32_t)(slash - written.data) } : driver;
    uint32_t from = slash ? domain.length + 1 : 0;
    return (struct name){ domain, { written.data + from, written.length - from } };
}

/* The name of an attribute or a capacity: whoever publishes it, and for its driver. */
static void index_name(struct cross *cross, struct bytes driver, struct bytes sort, struct value entry)
{
    struct name name = split_name(driver, value_name(entry));
    if (name.domain.data != driver.data)
        cross_index_add(cross, cross_key(cross, domain_sort, name.domain), entry);
    cross_index_add(cross, cross_key(cross, sort, name.domain, name.name), entry);
    cross_index_add(cross, cross_key(cross, sort, driver, name.domain, name.name), entry);
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
            struct name split = split_name(name, value_name(attribute));
            index_name(cross, name, attribute_sort, attribute);
            if (type.length)
                cross_index_add(cross, cross_key(cross, type, split.domain, split.name), attribute);
        }
        value_each(value_at(cross, device, "capacity"), capacity)
            index_name(cross, name, capacity_sort, capacity);
    }
}

static const struct index_definition published = { "resource.k8s.io", "ResourceSlice", index_published, true };

/* All devices of a driver. */
static void index_devices(struct cross *cross, struct value root)
{
    struct bytes driver = value_text_at(cross, root, "spec.driver");
    if (driver.length && driver.length <= DRIVER_BYTES && !cross_is_template(cross, root))
        value_each(value_at(cross, root, "spec.devices"), device)
            cross_index_add(cross, driver, device);
}

static const struct index_definition devices_of_driver = { "resource.k8s.io", "ResourceSlice", index_devices, false };

const struct indexed *published_driver(struct cross *cross, struct bytes driver)
{
    return cross_find(cross, &published, cross_key(cross, driver_sort, driver));
}

const struct indexed *published_name(struct cross *cross, struct bytes domain, struct bytes name, bool capacity)
{
    return cross_find(cross, &published, cross_key(cross, capacity ? capacity_sort : attribute_sort, domain, name));
}

bool published_by(struct cross *cross, struct bytes driver, const struct lookup_use *use)
{
    return cross_find(cross, &published, cross_key(cross, use->capacity ? capacity_sort : attribute_sort, driver, use->domain, use->name));
}

/* ---- domains ---- */

enum { MAX_DOMAINS = 64, MAX_DOMAINS_OF_SLICE = 8 }; /* that are compared with what may be a slip */

struct domains {
    uint32_t count;
    const struct indexed *at[MAX_DOMAINS];
    struct bytes names[MAX_DOMAINS];
};

static bool has_domain(const struct bytes *domains, uint32_t count, struct bytes domain)
{
    for (uint32_t i = 0; i < count; i++)
        if (bytes_equal(domains[i], domain))
            return true;
    return false;
}

/* The domain of a value in the index of domains: a driver, or an attribute with a domain. */
static struct bytes domain_of(struct value value)
{
    struct bytes driver = value_text(value);
    return driver.length ? driver : split_name(driver, value_name(value)).domain;
}

/* All domains of a slice, once each, under one key. */
static void index_domains(struct cross *cross, struct value root)
{
    struct value driver = value_at(cross, root, "spec.driver");
    struct bytes known[MAX_DOMAINS_OF_SLICE] = { value_text(driver) };
    uint32_t count = 1;
    if (!known[0].length || cross_is_template(cross, root))
        return;
    cross_index_add(cross, domain_sort, driver);
    value_each(value_at(cross, root, "spec.devices"), device)
        value_each(value_at(cross, device, "attributes"), attribute) {
            struct bytes domain = split_name(known[0], value_name(attribute)).domain;
            if (count == MAX_DOMAINS_OF_SLICE || has_domain(known, count, domain))
                continue;
            known[count++] = domain;
            cross_index_add(cross, domain_sort, attribute);
        }
}

static const struct index_definition all_domains = { "resource.k8s.io", "ResourceSlice", index_domains, false };

/* The different domains of all slices. NULL: no slice is given, or there is no memory. */
static const struct domains *find_domains(struct cross *cross)
{
    struct indexed *first = cross_find(cross, &all_domains, domain_sort);
    if (!first || first->memo)
        return first ? first->memo : NULL;
    struct domains *domains = cross_alloc(cross, cross_kept_arena(cross), sizeof *domains);
    for (const struct indexed *found = first; domains && found && domains->count < MAX_DOMAINS; found = found->next) {
        struct bytes domain = domain_of(indexed_value(found));
        if (has_domain(domains->names, domains->count, domain))
            continue;
        domains->at[domains->count] = found;
        domains->names[domains->count++] = domain;
    }
    if (!cross_failed(cross))
        first->memo = domains;
    return domains;
}

bool published_domain(struct cross *cross, struct bytes domain)
{
    return published_driver(cross, domain) || cross_find(cross, &published, cross_key(cross, domain_sort, domain));
}

static bool is_alike_but_case(struct bytes a, struct bytes b)
{
    for (uint32_t i = 0; a.length == b.length && i < a.length; i++)
        if (near_lower(a.data[i]) != near_lower(b.data[i]))
            return false;
    return a.length == b.length;
}

const struct indexed *published_near(struct cross *cross, struct bytes domain, struct bytes *near)
{
    const struct domains *domains = find_domains(cross);
    for (uint32_t i = 0; domains && i < domains->count; i++) {
        *near = domains->names[i];
        if (near_is_name_typo(domain, *near) || is_alike_but_case(domain, *near))
            return domains->at[i];
    }
    return NULL;
}

/* ---- names that are nearly the same ---- */

enum { MAX_NEAR_DEVICES = 2, MAX_ATTRIBUTES = 32 }; /* whose names are compared; a device with more is refused */

/* "domain/name" in scratch memory. */
static struct bytes join_name(struct cross *cross, struct name name)
{
    uint32_t length = name.domain.length + 1 + name.name.length;
    char *joined = cross_alloc(cross, cross_scratch(cross), length);
    if (!joined)
        return (struct bytes){ NULL, 0 };
    memcpy(joined, name.domain.data, name.domain.length);
    joined[name.domain.length] = '/';
    memcpy(joined + name.domain.length + 1, name.name.data, name.name.length);
    return (struct bytes){ joined, length };
}

bool published_near_name(struct cross *cross, struct bytes driver, const struct lookup_use *use, struct bytes *near)
{
    struct nearest nearest = { .wanted = use->name };
    struct name found = { { NULL, 0 }, { NULL, 0 } };
    const struct indexed *device = cross_find(cross, &devices_of_driver, driver);
    for (uint32_t seen = 0; device && seen < MAX_NEAR_DEVICES; device = device->next, seen++) {
        struct value attributes = value_at(cross, indexed_value(device), "attributes");
        if (value_count(attributes) > MAX_ATTRIBUTES)
            continue;
        value_each(attributes, attribute) {
            struct name name = split_name(driver, value_name(attribute));
            near_consider(&nearest, name.name);
            if (nearest.found.data && nearest.found.data == name.name.data)
                found = name;
        }
    }
    *near = found.name.data ? join_name(cross, found) : found.name;
    return near->data;
}

/* ---- types, and devices without a name ---- */

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

static const struct indexed *find_lacking(struct cross *cross, struct bytes driver, const struct lookup_use *use)
{
    for (const struct indexed *found = cross_find(cross, &devices_of_driver, driver); found; found = found->next) {
        struct outcome_device device = { .cross = cross, .driver = driver, .device = indexed_value(found) };
        if (outcome_of_presence(&device, use) == OUTCOME_FALSE && cross_pool_is_newest(cross, indexed_root(found)))
            return found;
    }
    return NULL;
}

/* A device has few names, so few names are in many devices: to search for each name once takes no longer than to read all devices a few
 * times. */
const struct indexed *published_lacking(struct cross *cross, struct bytes driver, const struct lookup_use *use)
{
    static const struct indexed none;
    struct bytes sort = use->capacity ? capacity_sort : attribute_sort;
    struct indexed *name = cross_find(cross, &published, cross_key(cross, sort, driver, use->domain, use->name));
    if (name && name->memo)
        return name->memo == &none ? NULL : name->memo;
    const struct indexed *lacking = find_lacking(cross, driver, use);
    if (name && !cross_failed(cross))
        name->memo = lacking ? lacking : &none;
    return lacking;
}

const struct indexed *published_attribute(struct cross *cross, struct bytes driver, struct bytes name)
{
    struct name split = split_name(driver, name);
    return published_name(cross, split.domain, split.name, false);
}
