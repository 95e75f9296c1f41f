#include "schema/driver.h"

#define DRIVER(name) extern const struct driver driver_##name;
#include "rules/drivers/drivers.def"
#undef DRIVER

static const struct driver *const list[] = {
#define DRIVER(name) &driver_##name,
#include "rules/drivers/drivers.def"
#undef DRIVER
};
const struct drivers built_in_drivers = { list, sizeof list / sizeof *list };
