/* The CEL environment of device selectors, as Kubernetes' dynamic-resource-allocation module declares it. */
#include "rules/cel/calls.h"
#include "rules/cel/cel.h"

#undef BYTES

#define TYPE_ROW(kind_) (&(const struct cel_type){ .kind = kind_ })
#define NAMED(kind_, name_) (&(const struct cel_type){ .kind = kind_, .name = name_ })
#define ANY_LETTER(letter) (&(const struct cel_type){ .kind = CEL_DYN, .name = letter, .open = true })
#define LETTER(number, name_) (&(const struct cel_type){ .kind = CEL_VARIABLE, .variable = number, .name = name_, .open = true })

#define BOOL      TYPE_ROW(CEL_BOOL)
#define INT       TYPE_ROW(CEL_INT)
#define UINT      TYPE_ROW(CEL_UINT)
#define DOUBLE    TYPE_ROW(CEL_DOUBLE)
#define STRING    TYPE_ROW(CEL_STRING)
#define BYTES     TYPE_ROW(CEL_BYTES)
#define NULL_TYPE TYPE_ROW(CEL_NULL)
#define TIMESTAMP TYPE_ROW(CEL_TIMESTAMP)
#define DURATION  TYPE_ROW(CEL_DURATION)
#define DYN       TYPE_ROW(CEL_DYN)
#define ANY       TYPE_ROW(CEL_ANY)
#define TYPE      TYPE_ROW(CEL_TYPE)

/* Types of the rows' own: with `open` where there is a letter in them, which the checker replaces by a variable of its own. */
#define LIST(of)     (&(const struct cel_type){ .kind = CEL_LIST, .open = true, .parameters = { of } })
#define MAP(from, to) (&(const struct cel_type){ .kind = CEL_MAP, .open = true, .parameters = { from, to } })
#define OPTIONAL(of) (&(const struct cel_type){ .kind = CEL_OPTIONAL, .open = true, .parameters = { of } })
#define TYPE_OF(of)  (&(const struct cel_type){ .kind = CEL_TYPE, .open = true, .parameters = { of } })
#define WRAPPER(of)  (&(const struct cel_type){ .kind = CEL_WRAPPER, .parameters = { of } })

#define A LETTER(0, "A")
#define B LETTER(1, "B")
#define K LETTER(2, "K")
#define T LETTER(3, "T")
#define V LETTER(4, "V")

#define IP             NAMED(CEL_OPAQUE, "net.IP")
#define CIDR           NAMED(CEL_OPAQUE, "net.CIDR")
#define QUANTITY       NAMED(CEL_STRUCT, "kubernetes.Quantity")
#define SEMVER         NAMED(CEL_STRUCT, "kubernetes.Semver")
#define URL            NAMED(CEL_STRUCT, "kubernetes.URL")
#define NAMED_FORMAT   NAMED(CEL_STRUCT, "kubernetes.NamedFormat")
#define DEVICE         NAMED(CEL_STRUCT, "kubernetes.DRADevice")
#define AUTHORIZER     NAMED(CEL_STRUCT, "kubernetes.authorization.Authorizer")
#define DECISION       NAMED(CEL_STRUCT, "kubernetes.authorization.Decision")
#define GROUP_CHECK    NAMED(CEL_STRUCT, "kubernetes.authorization.GroupCheck")
#define PATH_CHECK     NAMED(CEL_STRUCT, "kubernetes.authorization.PathCheck")
#define RESOURCE_CHECK NAMED(CEL_STRUCT, "kubernetes.authorization.ResourceCheck")

/* Scopes of rows. */
#define ALWAYS { 0, 0, CEL_FEATURE_NONE, CEL_FEATURE_NONE }
#define WITHOUT_LISTS_UNTIL_35 { 0, 35, CEL_FEATURE_NONE, CEL_FEATURE_NONE }
#define WITHOUT_LISTS { 36, 0, CEL_FEATURE_NONE, CEL_LIST_ATTRIBUTES }
#define WITH_LISTS { 36, 0, CEL_LIST_ATTRIBUTES, CEL_FEATURE_NONE }
#define WITH_MULTIPLE_ALLOCATIONS { 34, 0, CEL_MULTIPLE_ALLOCATIONS, CEL_FEATURE_NONE }

/* ---- functions ---- */

#define COUNT(...) (sizeof((const struct cel_type *const[]){ __VA_ARGS__ }) / sizeof(const struct cel_type *))
#define MEMBER(id_, cost_, result_, ...) { id_, 0, true, COUNT(__VA_ARGS__), CEL_COST_##cost_, result_, { __VA_ARGS__ } }
#define GLOBAL(id_, cost_, result_, ...) { id_, 0, false, COUNT(__VA_ARGS__), CEL_COST_##cost_, result_, { __VA_ARGS__ } }
#define CONSTANT(id_, cost_, result_) { id_, 0, false, 0, CEL_COST_##cost_, result_, { NULL } }
#define OVERLOADS(...) sizeof((const struct cel_overload[]){ __VA_ARGS__ }) / sizeof(struct cel_overload), \
                       (const struct cel_overload[]){ __VA_ARGS__ }
#define GLOBAL_SINCE(since_, id_, cost_, result_, ...)                                                                                     \
    {                                                                                                                                      \
        id_, since_, false, COUNT(__VA_ARGS__), CEL_COST_##cost_, result_,                                                                 \
        {                                                                                                                                  \
            __VA_ARGS__                                                                                                                    \
        }                                                                                                                                  \
    }
#define FUNCTION(name_, check_, call_, words_, ...) { name_, CEL_##check_, CEL_FORM_TESTED, call_, words_, ALWAYS, OVERLOADS(__VA_ARGS__) },
#define FUNCTION_OF(form_, name_, check_, call_, words_, ...)                                                                              \
    { name_, CEL_##check_, CEL_FORM_##form_, call_, words_, ALWAYS, OVERLOADS(__VA_ARGS__) },
#define FUNCTION_SINCE(since_, form_, name_, call_, words_, ...)                                                                           \
    { name_, CEL_LITERAL_ANY, CEL_FORM_##form_, call_, words_, { since_, 0, CEL_FEATURE_NONE, CEL_FEATURE_NONE }, OVERLOADS(__VA_ARGS__) },

#define FUNCTION_WITH(scope_, form_, name_, call_, words_, ...)                                                                            \
    { name_, CEL_LITERAL_ANY, CEL_FORM_##form_, call_, words_, scope_, OVERLOADS(__VA_ARGS__) },

static const struct cel_function functions[] = {
#include "rules/cel/operators.def"
#include "rules/cel/functions.def"
};

/* ---- variables and types ---- */

#define PROTOBUF(name) "google.protobuf." name

static const struct cel_name names[] = { /* sorted by name */
    { "bool", TYPE_OF(BOOL), false },
    { "bytes", TYPE_OF(BYTES), false },
    { "device", DEVICE, false },
    { "double", TYPE_OF(DOUBLE), false },
    { "duration", TYPE_OF(DURATION), true },
    { PROTOBUF("Any"), TYPE_OF(ANY), true },
    { PROTOBUF("BoolValue"), TYPE_OF(WRAPPER(BOOL)), true },
    { PROTOBUF("BytesValue"), TYPE_OF(WRAPPER(BYTES)), true },
    { PROTOBUF("DoubleValue"), TYPE_OF(WRAPPER(DOUBLE)), true },
    { PROTOBUF("Duration"), TYPE_OF(DURATION), false },
    { PROTOBUF("Empty"), TYPE_OF(NAMED(CEL_STRUCT, PROTOBUF("Empty"))), false },
    { PROTOBUF("FloatValue"), TYPE_OF(WRAPPER(DOUBLE)), true },
    { PROTOBUF("Int32Value"), TYPE_OF(WRAPPER(INT)), true },
    { PROTOBUF("Int64Value"), TYPE_OF(WRAPPER(INT)), true },
    { PROTOBUF("ListValue"), TYPE_OF(LIST(DYN)), true },
    { PROTOBUF("NullValue.NULL_VALUE"), INT, false },
    { PROTOBUF("StringValue"), TYPE_OF(WRAPPER(STRING)), true },
    { PROTOBUF("Struct"), TYPE_OF(MAP(STRING, DYN)), true },
    { PROTOBUF("Struct.FieldsEntry"), TYPE_OF(NAMED(CEL_STRUCT, PROTOBUF("Struct.FieldsEntry"))), false },
    { PROTOBUF("Timestamp"), TYPE_OF(TIMESTAMP), false },
    { PROTOBUF("UInt32Value"), TYPE_OF(WRAPPER(UINT)), true },
    { PROTOBUF("UInt64Value"), TYPE_OF(WRAPPER(UINT)), true },
    { PROTOBUF("Value"), TYPE_OF(DYN), true },
    { "int", TYPE_OF(INT), false },
    { "kubernetes.DRADevice", TYPE_OF(DEVICE), true },
    { "list", TYPE_OF(LIST(ANY_LETTER("A"))), false },
    { "map", TYPE_OF(MAP(ANY_LETTER("A"), ANY_LETTER("B"))), false },
    { "net.CIDR", TYPE_OF(CIDR), false },
    { "net.IP", TYPE_OF(IP), false },
    { "null_type", TYPE_OF(NULL_TYPE), false },
    { "optional_type", TYPE_OF(TYPE_ROW(CEL_OPTIONAL)), false },
    { "string", TYPE_OF(STRING), false },
    { "timestamp", TYPE_OF(TIMESTAMP), true },
    { "type", TYPE_OF(TYPE), false },
    { "uint", TYPE_OF(UINT), false },
};

#define FIELDS(...) (const struct cel_field[]){ __VA_ARGS__, { NULL, NULL, ALWAYS } }
#define LITERAL_OF(name_, type_, ...) { PROTOBUF(name_), type_, FIELDS(__VA_ARGS__), true, false, make_message }
#define NO_FIELDS (const struct cel_field[]){ { NULL, NULL, ALWAYS } }
#define UNNAMED(name_, type_) { name_, type_, NULL, true, false, NULL } /* the check passes for a variable of the type */
#define SIMPLE(name_, type_) { name_, type_, NO_FIELDS, false, false, NULL } /* no message, but fields are looked for */

static const struct cel_message messages[] = { /* sorted by name */
    SIMPLE("bool", BOOL),
    SIMPLE("bytes", BYTES),
    SIMPLE("double", DOUBLE),
    LITERAL_OF("Any", ANY, { "type_url", STRING, ALWAYS }, { "value", BYTES, ALWAYS }),
    LITERAL_OF("BoolValue", WRAPPER(BOOL), { "value", BOOL, ALWAYS }),
    LITERAL_OF("BytesValue", WRAPPER(BYTES), { "value", BYTES, ALWAYS }),
    LITERAL_OF("DoubleValue", WRAPPER(DOUBLE), { "value", DOUBLE, ALWAYS }),
    LITERAL_OF("Duration", DURATION, { "seconds", INT, ALWAYS }, { "nanos", INT, ALWAYS }),
    { PROTOBUF("Empty"), NAMED(CEL_STRUCT, PROTOBUF("Empty")), NO_FIELDS, true, false, make_message },
    LITERAL_OF("FloatValue", WRAPPER(DOUBLE), { "value", DOUBLE, ALWAYS }),
    LITERAL_OF("Int32Value", WRAPPER(INT), { "value", INT, ALWAYS }),
    LITERAL_OF("Int64Value", WRAPPER(INT), { "value", INT, ALWAYS }),
    LITERAL_OF("ListValue", LIST(DYN), { "values", LIST(DYN), ALWAYS }),
    { PROTOBUF("NullValue"), NULL_TYPE, NULL, true, false, NULL },
    LITERAL_OF("StringValue", WRAPPER(STRING), { "value", STRING, ALWAYS }),
    LITERAL_OF("Struct", MAP(STRING, DYN), { "fields", MAP(STRING, DYN), ALWAYS }),
    { PROTOBUF("Struct.FieldsEntry"), NAMED(CEL_STRUCT, PROTOBUF("Struct.FieldsEntry")),
      FIELDS({ "key", STRING, ALWAYS }, { "value", DYN, ALWAYS }), true, false, NULL },
    LITERAL_OF("Timestamp", TIMESTAMP, { "seconds", INT, ALWAYS }, { "nanos", INT, ALWAYS }),
    LITERAL_OF("UInt32Value", WRAPPER(UINT), { "value", UINT, ALWAYS }),
    LITERAL_OF("UInt64Value", WRAPPER(UINT), { "value", UINT, ALWAYS }),
    LITERAL_OF("Value", DYN, { "null_value", INT, ALWAYS }, { "number_value", DOUBLE, ALWAYS }, { "string_value", STRING, ALWAYS },
            { "bool_value", BOOL, ALWAYS }, { "struct_value", MAP(STRING, DYN), ALWAYS }, { "list_value", LIST(DYN), ALWAYS }),
    SIMPLE("int", INT),
    { "kubernetes.DRADevice", DEVICE,
      FIELDS({ "driver", STRING, ALWAYS },
             { "attributes", MAP(STRING, MAP(STRING, ANY)), WITHOUT_LISTS_UNTIL_35 },
             { "attributes", MAP(STRING, MAP(STRING, ANY)), WITHOUT_LISTS }, { "attributes", MAP(STRING, MAP(STRING, DYN)), WITH_LISTS },
             { "capacity", MAP(STRING, MAP(STRING, QUANTITY)), ALWAYS },
             { "allowMultipleAllocations", BOOL, WITH_MULTIPLE_ALLOCATIONS }),
      true, false, NULL },
    UNNAMED("kubernetes.NamedFormat", NAMED_FORMAT),
    UNNAMED("kubernetes.Quantity", QUANTITY),
    UNNAMED("kubernetes.Semver", SEMVER),
    UNNAMED("kubernetes.URL", URL),
    SIMPLE("list", LIST(DYN)),
    { "map", MAP(DYN, DYN), NO_FIELDS, false, true, NULL },
    SIMPLE("string", STRING),
    SIMPLE("uint", UINT),
};

/* ---- sizes ---- */

enum {
    UNKNOWN,
    DEVICE_PLACE,
    DRIVER,
    MULTIPLE,
    ATTRIBUTES,
    CAPACITIES,
    DOMAIN,
    DOMAIN_ATTRIBUTES,
    DOMAIN_CAPACITIES,
    NAME,
    ATTRIBUTE,
    CAPACITY
};

static const struct cel_place_field device_fields[] = {
    { "driver", DRIVER }, { "attributes", ATTRIBUTES }, { "capacity", CAPACITIES }, { "allowMultipleAllocations", MULTIPLE }, { NULL, 0 },
};

static const struct cel_place_size places[] = {
    [DEVICE_PLACE] = { .size = 0, .fields = device_fields },
    [DRIVER] = { .size = 63 },
    [MULTIPLE] = { .size = 1 },
    [ATTRIBUTES] = { .size = 32, .keys = DOMAIN, .values = DOMAIN_ATTRIBUTES, .items = DOMAIN_ATTRIBUTES },
    [CAPACITIES] = { .size = 32, .keys = DOMAIN, .values = DOMAIN_CAPACITIES, .items = DOMAIN_CAPACITIES },
    [DOMAIN] = { .size = 63 },
    [DOMAIN_ATTRIBUTES] = { .size = 32, .keys = NAME, .values = ATTRIBUTE, .items = ATTRIBUTE, .any_field = ATTRIBUTE },
    [DOMAIN_CAPACITIES] = { .size = 32, .keys = NAME, .values = CAPACITY, .items = CAPACITY },
    [NAME] = { .size = 32 },
    [ATTRIBUTE] = { .size = 64 },
    [CAPACITY] = { .size = 0 },
};

static const struct cel_equality equalities[] = {
    { "kubernetes.Quantity", 1 },
    { "kubernetes.Semver", 1 },
    { "net.IP", 1 },
    { "net.CIDR", 1 },
    { "kubernetes.authorization.Authorizer", 1 },
    { "kubernetes.authorization.Decision", 1 },
    { "kubernetes.authorization.GroupCheck", 1 },
    { "kubernetes.authorization.PathCheck", 1 },
    { "kubernetes.authorization.ResourceCheck", 1 },
    { "kubernetes.NamedFormat", 7 },
    { "kubernetes.URL", 0 },
    { NULL, 0 },
};

/* ---- results ---- */

static const struct cel_result_type selector_results[] = {
    { BOOL, ALWAYS }, { ANY, WITHOUT_LISTS_UNTIL_35 }, { ANY, WITHOUT_LISTS }, { DYN, WITH_LISTS }, { NULL, ALWAYS },
};

/* What an attribute can be, and a list of that; of an attribute nothing is known before it is looked up. */
static const struct cel_result_type attribute_results[] = {
    { BOOL, ALWAYS }, { INT, ALWAYS }, { STRING, ALWAYS }, { SEMVER, ALWAYS }, { ANY, ALWAYS }, { DYN, ALWAYS },
    { LIST(BOOL), WITH_LISTS }, { LIST(INT), WITH_LISTS }, { LIST(STRING), WITH_LISTS }, { LIST(SEMVER), WITH_LISTS },
    { LIST(ANY), WITH_LISTS }, { LIST(DYN), WITH_LISTS },
    { NULL, ALWAYS },
};

#define DEVICE_LIBRARY(results_, words_)                                                                                                   \
    {                                                                                                                                      \
        .functions = functions, .function_count = sizeof functions / sizeof *functions, .macros = cel_macros, .names = names,              \
        .name_count = sizeof names / sizeof *names, .messages = messages, .message_count = sizeof messages / sizeof *messages,             \
        .results = results_, .results_words = words_, .equalities = equalities, .variable = "device", .places = places,                    \
        .hint = cel_device_hint,                                                                                                           \
    }

const struct cel_library cel_device_library = DEVICE_LIBRARY(selector_results, "bool or the unknown type");

const struct cel_library cel_attribute_library =
    DEVICE_LIBRARY(attribute_results, "a primitive scalar (string, integer, boolean, semver) or a list of these scalars");
