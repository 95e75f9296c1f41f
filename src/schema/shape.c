#include "schema/shape.h"

const struct shape shape_string = { SHAPE_OF(STRING) };
const struct shape shape_bool = { SHAPE_OF(BOOL) };
const struct shape shape_int32 = { SHAPE_OF(INT32) };
const struct shape shape_int64 = { SHAPE_OF(INT64) };
const struct shape shape_quantity = { SHAPE_OF(QUANTITY) };
const struct shape shape_time = { SHAPE_OF(TIME) };
const struct shape shape_raw = { SHAPE_OF(RAW) };

uint16_t shape_field_index(const struct shape *shape, const char *name)
{
    uint16_t i = 0;
    for (; i < shape->field_count; i++) {
        const char *candidate = shape->fields[i].name.data;
        if (candidate == name || (*candidate == *name && strcmp(candidate, name) == 0)) /* usually the very same literal */
            break;
    }
    return i;
}

/* Operations that no value which is not set can break, as bits. SKIP and RATCHET concern what is below such a value, which is nothing. */
static const uint64_t need_value = 0
#define NEEDS_VALUE 1
#define OR_NONE 0
#define OP(id, function, shapes, value, ...) | (uint64_t)(value) << CHECK_##id
#include "schema/ops.def"
#undef OP
#undef NEEDS_VALUE
#undef OR_NONE
    ;
_Static_assert(CHECK_OPS <= 64, "need_value has 64 bits");

bool checks_need_value(const struct check *checks)
{
    while (need_value >> checks->op & 1)
        checks++;
    return checks->op == CHECK_END;
}
