/* The drivers whose parameters are known. */
#ifndef DRAWBRIDGE_RULES_DRIVERS_H
#define DRAWBRIDGE_RULES_DRIVERS_H

#include "schema/driver.h"

extern const struct drivers built_in_drivers;

#endif
