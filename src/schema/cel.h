/* The environments of CEL expressions, as rows: rules/cel/ holds them. */
#ifndef DRAWBRIDGE_SCHEMA_CEL_H
#define DRAWBRIDGE_SCHEMA_CEL_H

#include "cel/library.h"
#include "cel/value.h"
#include "schema/gate.h"

/* Of expressions in device selectors. Source: k8s.io/dynamic-resource-allocation v0.35.4 cel/compile.go. */
extern const struct cel_library cel_device_library;

/* Of expressions that make an attribute of a device: the same, but for what they may end in. Source: v0.37.1 of that file. */
extern const struct cel_library cel_attribute_library;

/* A device that is made the value of that library's variable. Texts are borrowed. Failure is sticky: init, add, add, take the value. */
struct cel_device {
    struct arena *arena;
    struct bytes driver;
    struct cel_table *attributes, *capacities; /* by domain; each holds a map by name */
    const char *fault; /* why every evaluation on the device fails before it begins; NULL: none */
    bool failed;
};

/* An empty device. The arena must live as long as the value. */
void cel_device_init(struct cel_device *device, struct arena *arena, struct bytes driver);

/* Adds an attribute, "name" of the driver's own domain or "domain/name": a bool, int or string, or a list of one of them. NULL: the
 * attribute has no value, which is a fault of the device. */
void cel_device_add_attribute(struct cel_device *device, struct bytes name, const struct cel_value *value);

/* Adds an attribute that is a version; a fault if the text is no semantic version. */
void cel_device_add_version(struct cel_device *device, struct bytes name, struct bytes text);

/* A version as an element of a list; CEL_ERROR: it is none. */
struct cel_value cel_device_version(struct cel_device *device, struct bytes text);

/* Adds a capacity; a fault if the text is no quantity. */
void cel_device_add_capacity(struct cel_device *device, struct bytes name, struct bytes quantity);

/* Sets *value to the device for an evaluation as that version of Kubernetes does it. FAILURE_MEMORY or FAILURE_LIMIT: the arena failed. */
enum failure cel_device_value(struct cel_device *device, bool multiple_allocations, unsigned version, struct cel_value *value) MUST_USE;

/* The environment of expressions in that version where these gates are off; and where gates are as it has them by default. */
struct cel_environment cel_environment_of(minor version, gate_set off);
struct cel_environment cel_environment_by_default(minor version);

#endif
