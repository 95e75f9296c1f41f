#include "rules/drivers/drivers.h"

extern const struct driver driver_aws_ebs;

static const struct driver *const list[] = {
    &driver_aws_ebs,
};
const struct drivers built_in_drivers = { list, sizeof list / sizeof *list };
