#include "schema/driver.h"

#include <string.h>

static bool has_name(const struct driver *driver, struct bytes name)
{
    uint32_t end = driver->name.length - 1;
    if (driver->name.data[0] != '*')
        return bytes_equal(driver->name, name);
    return name.length >= end && memcmp(driver->name.data + 1, name.data + name.length - end, end) == 0;
}

const struct driver *driver_find(const struct drivers *drivers, struct bytes name)
{
    for (uint32_t i = 0; drivers && i < drivers->count; i++)
        if (has_name(drivers->list[i], name))
            return drivers->list[i];
    return NULL;
}
