/* Devices for tests of CEL: a list in JSON, [{"name": …, "driver": …, "device": {"attributes": …, "capacity": …}}, …], as values. */
#ifndef DRAWBRIDGE_TESTS_CEL_DEVICES_H
#define DRAWBRIDGE_TESTS_CEL_DEVICES_H

#include "cel/evaluate.h"
#include "doc/json.h"
#include "schema/cel.h"

enum { TEST_DEVICES_MAX = 64 };

struct test_device {
    struct cel_value value;
    const char *fault; /* why it has no value; NULL: it has one */
};

static inline void test_device_attribute(struct cel_device *device, struct bytes name, const struct doc_node *typed)
{
    const struct doc_node *node = doc_first(typed);
    struct cel_value value = { .type = CEL_ERROR };
    int64_t number;
    if (!node)
        cel_device_add_attribute(device, name, NULL);
    else if (bytes_equal_text(doc_name(node), "version"))
        cel_device_add_version(device, name, doc_text(node));
    else {
        if (node->type == DOC_STRING)
            value = cel_string(doc_text(node));
        else if (node->type == DOC_NUMBER && doc_integer(node, INT64_MIN, INT64_MAX, &number))
            value = cel_integer(number);
        else
            value = cel_boolean(node->type == DOC_TRUE);
        cel_device_add_attribute(device, name, &value);
    }
}

/* Reads the list; the text must live as long as the arena, which holds the devices. Returns how many, 0 if the text is no such list. */
static inline unsigned test_devices_read(struct bytes text, unsigned version, struct arena *arena, struct test_device *devices)
{
    const struct json_input input = { .source = text, .alone = true, .profile = JSON_STRICT, .arena = arena };
    struct document document;
    struct doc_error error;
    uint32_t end;
    unsigned count = 0;
    if (json_read(&input, &document, &end, &error))
        return 0;
    doc_each(document.root, listed) {
        const struct doc_node *node = doc_member(listed, "device"), *multiple = doc_member(node, "allowMultipleAllocations");
        struct cel_device device;
        if (count == TEST_DEVICES_MAX)
            return 0;
        cel_device_init(&device, arena, doc_member_text(listed, "driver"));
        doc_each(doc_member(node, "attributes"), attribute)
            test_device_attribute(&device, doc_name(attribute), attribute);
        doc_each(doc_member(node, "capacity"), capacity)
            cel_device_add_capacity(&device, doc_name(capacity), doc_member_text(capacity, "value"));
        if (cel_device_value(&device, multiple && multiple->type == DOC_TRUE, version, &devices[count].value))
            return 0;
        devices[count++].fault = device.fault;
    }
    return count;
}

#endif
