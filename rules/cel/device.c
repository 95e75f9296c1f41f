/* A device as the variable of expressions. Source: k8s.io/dynamic-resource-allocation v0.35.4 cel/compile.go. */
#include "rules/cel/objects.h"
#include "schema/cel.h"

void cel_device_init(struct cel_device *device, struct arena *arena, struct bytes driver)
{
    *device = (struct cel_device){ .arena = arena, .driver = driver };
    device->attributes = cel_table_new(arena, 0);
    device->capacities = cel_table_new(arena, 0);
    device->failed = !device->attributes || !device->capacities;
}

/* The table of the domain, and the name without it. NULL: the arena failed. */
static struct cel_table *domain_of(struct cel_device *device, struct cel_table *domains, struct bytes *name)
{
    const char *slash = name->length ? memchr(name->data, '/', name->length) : NULL;
    struct bytes domain = device->driver;
    if (slash) {
        domain = (struct bytes){ name->data, (uint32_t)(slash - name->data) };
        *name = (struct bytes){ slash + 1, name->length - domain.length - 1 };
    }
    struct cel_pair pair = { .key = cel_string(domain) }, *there = cel_table_exact(domains, &pair.key);
    if (there)
        return there->value.map.table;
    struct cel_table *table = cel_table_new(device->arena, 0);
    pair.value = (struct cel_value){ .type = CEL_MAP, .map = { .table = table, .input = true } };
    return table && cel_table_add(domains, device->arena, &pair) ? table : NULL;
}

/* The name with and without the driver's domain is the same: the last one counts. Kubernetes leaves it to chance. */
static void add(struct cel_device *device, struct cel_table *domains, struct bytes name, struct cel_value value)
{
    struct cel_table *table = device->failed ? NULL : domain_of(device, domains, &name);
    struct cel_pair pair = { cel_string(name), value }, *there = table ? cel_table_exact(table, &pair.key) : NULL;
    if (there)
        there->value = value;
    else
        device->failed |= !table || !cel_table_add(table, device->arena, &pair);
}

void cel_device_add_attribute(struct cel_device *device, struct bytes name, const struct cel_value *value)
{
    if (!value || value->type == CEL_ERROR)
        device->fault = value ? value->fault.words : "an attribute has no value";
    else
        add(device, device->attributes, name, *value);
}

struct cel_value cel_device_version(struct cel_device *device, struct bytes text)
{
    const char *error = NULL;
    struct cel_object *object = semver_object(device->arena, text, true, &error);
    device->failed |= !object && !error;
    return object ? cel_object_value(object) : (struct cel_value){ .type = CEL_ERROR, .fault = { error ? error : "", NULL } };
}

void cel_device_add_version(struct cel_device *device, struct bytes name, struct bytes text)
{
    struct cel_value value = cel_device_version(device, text);
    cel_device_add_attribute(device, name, &value);
}

void cel_device_add_capacity(struct cel_device *device, struct bytes name, struct bytes quantity)
{
    const char *error = NULL;
    struct cel_object *object = quantity_object(device->arena, quantity, true, &error);
    if (object)
        add(device, device->capacities, name, cel_object_value(object));
    else if (error)
        device->fault = error;
    device->failed |= !object && !error;
}

enum failure cel_device_value(struct cel_device *device, bool multiple_allocations, unsigned version, struct cel_value *value)
{
    enum { MULTIPLE_SINCE = 34 };
    struct cel_table *table = device->failed ? NULL : cel_table_new(device->arena, 4);
    struct cel_pair pairs[] = {
        { cel_string((struct bytes)BYTES("driver")), cel_string(device->driver) },
        { cel_string((struct bytes)BYTES("attributes")), { .type = CEL_MAP, .map = { device->attributes, true, true } } },
        { cel_string((struct bytes)BYTES("capacity")), { .type = CEL_MAP, .map = { device->capacities, true, true } } },
        { cel_string((struct bytes)BYTES("allowMultipleAllocations")), cel_boolean(multiple_allocations) },
    };
    for (unsigned i = 0; table && i < (version >= MULTIPLE_SINCE ? 4 : 3); i++)
        if (!cel_table_add(table, device->arena, &pairs[i]))
            table = NULL;
    if (!table)
        return device->arena->failure ? device->arena->failure : FAILURE_MEMORY;
    *value = (struct cel_value){ .type = CEL_MAP, .map = { .table = table, .input = true } };
    return FAILURE_NONE;
}
