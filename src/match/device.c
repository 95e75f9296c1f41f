#include "match/device.h"

#include "base/text.h"
#include "match/limits.h"
#include "object/object.h"
#include "schema/kind.h"

/* ---- objects ---- */

static const struct bytes group = BYTES("resource.k8s.io"), slice_kind = BYTES("ResourceSlice");

static bool is_alpha(const struct item *item)
{
    return bytes_equal_text(item->api_version, "resource.k8s.io/v1alpha3") && bytes_equal(item->kind_name, slice_kind);
}

bool match_is_slice(const struct item *item)
{
    return is_alpha(item) || (item->kind && bytes_equal(item->kind->group, group) && bytes_equal(item->kind->kind, slice_kind));
}

enum failure match_canonical(struct workspace *workspace, const struct document *document, const struct shape *shape,
                             const struct doc_node *node, minor version, struct check_result *result, struct value *value)
{
    const struct kind kind = { .group = group, .shape = shape };
    const struct check_request request = {
        .operation = CREATE, .version = version, .kind = &kind, .document = document, .workspace = workspace,
    };
    struct evaluation eval = { .request = &request, .workspace = workspace, .findings = &result->findings };
    enum failure failure = validate_types(workspace, document, shape, node, version, result);
    *value = (struct value){ object_canonical_shape(shape), NULL, 0 };
    if (!failure && !result->undecodable) {
        value->node = object_canonical(&eval, shape, node);
        failure = eval.failure;
    }
    return failure;
}

/* v1alpha3 is v1beta1, but that a capacity is a quantity alone. The node of an object with that quantity as its value. */
static struct doc_node *wrap_capacity(struct arena *arena, const struct doc_node *quantity)
{
    struct doc_node *value = arena_alloc(arena, sizeof *value), *capacity = arena_alloc(arena, sizeof *capacity);
    if (!value || !capacity)
        return NULL;
    *value = *quantity;
    value->next = NULL;
    value->name = "value";
    value->name_length = 5;
    *capacity = *quantity;
    capacity->type = DOC_OBJECT;
    capacity->flags = 0;
    capacity->first = value;
    capacity->count = 1;
    return capacity;
}

/* A copy in which the capacities at the path are wrapped; the path ends in NULL, and * is each element or entry. NULL: the arena failed. */
static const struct doc_node *wrap_capacities(struct arena *arena, const struct doc_node *node, const char *const *path)
{
    if (!*path)
        return node->type == DOC_STRING || node->type == DOC_NUMBER ? wrap_capacity(arena, node) : node;
    if (!doc_first(node))
        return node;
    struct doc_builder copy = doc_build(arena, node);
    doc_each(node, child) {
        bool on_path = strcmp(*path, "*") == 0 || (node->type == DOC_OBJECT && bytes_equal_text(doc_name(child), *path));
        const struct doc_node *changed = on_path ? wrap_capacities(arena, child, path + 1) : child;
        if (!copy.container || !changed || !doc_append(&copy, arena, changed))
            return NULL;
    }
    return copy.container;
}

enum failure match_slice(struct workspace *workspace, const struct item *item, minor version, struct check_result *result,
                         struct value *slice)
{
    static const char *const capacities[] = { "spec", "devices", "*", "basic", "capacity", "*", NULL };
    if (!is_alpha(item))
        return match_canonical(workspace, item->document, item->kind->shape, item->node, version, result, slice);
    const struct kind *kind = kind_find(group, (struct bytes)BYTES("v1beta1"), slice_kind);
    const struct doc_node *node = wrap_capacities(&workspace->arena, item->node, capacities);
    if (!kind || !node)
        return kind ? workspace->arena.failure : FAILURE_INTERNAL;
    object_bind(version, kind->shape, node);
    return match_canonical(workspace, item->document, kind->shape, node, version, result, slice);
}

/* A member by its name of `length` bytes; the last one counts. */
static struct value member(struct value object, const char *name, size_t length)
{
    struct value found = { NULL, NULL, 0 };
    uint16_t field = 0, count = object.shape ? object.shape->field_count : 0;
    while (field < count && !bytes_equal(object.shape->fields[field].name, (struct bytes){ name, (uint32_t)length }))
        field++;
    if (field == count)
        return found;
    found.shape = object.shape->fields[field].shape;
    doc_each(object.node, child)
        if (child->field == field)
            found.node = child->type == DOC_NULL ? NULL : child;
    return found;
}

struct value match_at(struct value value, const char *path)
{
    while (*path) {
        size_t length = strcspn(path, ".");
        value = member(value, path, length);
        path += length + (path[length] == '.');
    }
    return value;
}

const struct shape *match_device_shape(void)
{
    const struct kind *kind = kind_find(group, (struct bytes)BYTES("v1"), slice_kind);
    struct value devices = match_at((struct value){ kind ? kind->shape : NULL, NULL, 0 }, "spec.devices");
    return devices.shape ? devices.shape->of : NULL;
}

/* ---- devices ---- */

/* What an element of an attribute is, or an attribute that is no list; null is the zero of its type. CEL_ERROR: no value of that type. */
typedef struct cel_value read_function(struct cel_device *device, const struct doc_node *node);

static struct cel_value read_int(struct cel_device *device, const struct doc_node *node)
{
    int64_t number = 0;
    (void)device;
    bool read = node->type == DOC_NULL || doc_integer(node, INT64_MIN, INT64_MAX, &number);
    return read ? cel_integer(number) : (struct cel_value){ .type = CEL_ERROR, .fault = { "not an integer", NULL } };
}

static struct cel_value read_bool(struct cel_device *device, const struct doc_node *node)
{
    (void)device;
    return cel_boolean(node->type == DOC_TRUE);
}

static struct bytes text_of(const struct doc_node *node)
{
    return node->type == DOC_STRING ? doc_text(node) : (struct bytes)BYTES("");
}

static struct cel_value read_string(struct cel_device *device, const struct doc_node *node)
{
    (void)device;
    return cel_string(text_of(node));
}

static struct cel_value read_version(struct cel_device *device, const struct doc_node *node)
{
    return cel_device_version(device, text_of(node));
}

/* The members of an attribute; the first that is set is the value. Source: k8s.io/dynamic-resource-allocation v0.36.3 cel/compile.go
 * getAttributeValue. */
static const struct attribute_member {
    const char *name;
    read_function *read;
} members[] = {
    { "ints", read_int }, { "bools", read_bool }, { "strings", read_string }, { "versions", read_version },
    { "int", read_int },  { "bool", read_bool },  { "string", read_string },  { "version", read_version },
};

enum { LISTS = 4, MEMBERS = sizeof members / sizeof *members };

static struct cel_value read_list(struct cel_device *device, const struct doc_node *list, read_function *read)
{
    uint32_t count = 0;
    struct cel_value *items = arena_alloc(device->arena, list->count ? list->count * sizeof *items : 1);
    if (!items) {
        device->failed = true;
        return (struct cel_value){ .type = CEL_ERROR, .fault = { "no memory", NULL } };
    }
    doc_each(list, element) {
        items[count] = read(device, element);
        if (items[count++].type == CEL_ERROR)
            return items[count - 1];
    }
    return cel_list_of(items, count);
}

/* Puts before the device's fault what it is a fault of, as Kubernetes does. */
static void name_fault(struct cel_device *device, struct bytes name)
{
    struct text text;
    text_init(&text, device->arena);
    text_add(&text, "attribute ");
    text_add_escaped(&text, name, LIMIT_MATCH_NAME_BYTES);
    text_add(&text, ": ");
    text_add(&text, device->fault);
    const char *words = text_end(&text);
    device->fault = words ? words : device->fault;
}

/* The number in members[] of a member of an attribute that is set; MEMBERS: it is none of them in this version of Kubernetes. */
static unsigned member_of(const struct shape *shape, const struct doc_node *node)
{
    unsigned number = 0;
    if (node->type == DOC_NULL || node->field >= shape->field_count)
        return MEMBERS;
    while (number < MEMBERS && !bytes_equal_text(shape->fields[node->field].name, members[number].name))
        number++;
    return number;
}

static void add_attribute(struct cel_device *device, struct bytes name, struct value attribute, bool lists)
{
    const struct doc_node *set = NULL;
    struct cel_value value = { .type = CEL_ERROR, .fault = { "unsupported attribute value", NULL } };
    unsigned first = MEMBERS, number;
    doc_each(attribute.node, node)
        if ((number = member_of(attribute.shape, node)) < MEMBERS && number <= first && (lists || number >= LISTS)) {
            first = number;
            set = node; /* of a repeated member the last one counts */
        }
    if (set)
        value = set->type == DOC_ARRAY ? read_list(device, set, members[first].read) : members[first].read(device, set);
    cel_device_add_attribute(device, name, &value);
    if (device->fault)
        name_fault(device, name);
}

/* A capacity whose value is not written is zero. */
static void add_capacity(struct cel_device *device, struct bytes name, struct value capacity)
{
    struct value quantity = match_at(capacity, "value");
    cel_device_add_capacity(device, name, value_is_set(quantity) ? value_text(quantity) : (struct bytes)BYTES("0"));
}

bool match_is_multiple(struct value device)
{
    return value_is_true(match_at(device, "allowMultipleAllocations"));
}

enum failure match_device_value(struct arena *arena, struct bytes driver, struct value device, bool multiple, bool lists, minor version,
                                struct cel_device *made, struct cel_value *value)
{
    cel_device_init(made, arena, driver);
    value_each(match_at(device, "attributes"), attribute)
        if (!made->fault) /* the first one is the device's */
            add_attribute(made, value_name(attribute), attribute, lists);
    value_each(match_at(device, "capacity"), capacity)
        add_capacity(made, value_name(capacity), capacity);
    return cel_device_value(made, multiple, version, value);
}
