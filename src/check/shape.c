#include "check/shape.h"

const struct shape shape_string = { .type = SHAPE_STRING };
const struct shape shape_bool = { .type = SHAPE_BOOL };
const struct shape shape_int32 = { .type = SHAPE_INT32 };
const struct shape shape_int64 = { .type = SHAPE_INT64 };
const struct shape shape_quantity = { .type = SHAPE_QUANTITY };
const struct shape shape_time = { .type = SHAPE_TIME };
const struct shape shape_raw = { .type = SHAPE_RAW };
