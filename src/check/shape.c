#include "check/shape.h"

const struct shape shape_string = { .fits = DOC_BIT(NULL) | DOC_BIT(STRING), .type = SHAPE_STRING };
const struct shape shape_bool = { .fits = DOC_BIT(NULL) | DOC_BIT(FALSE) | DOC_BIT(TRUE), .type = SHAPE_BOOL };
const struct shape shape_int32 = { .fits = DOC_BIT(NULL) | DOC_BIT_SHORT, .type = SHAPE_INT32 };
const struct shape shape_int64 = { .fits = DOC_BIT(NULL) | DOC_BIT_SHORT, .type = SHAPE_INT64 };
const struct shape shape_quantity = { .type = SHAPE_QUANTITY };
const struct shape shape_time = { .type = SHAPE_TIME };
const struct shape shape_raw = { .type = SHAPE_RAW };
