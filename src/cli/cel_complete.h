/* What a half-written expression can go on with. */
#ifndef DRAWBRIDGE_CLI_CEL_COMPLETE_H
#define DRAWBRIDGE_CLI_CEL_COMPLETE_H

#include "cli/cel_devices.h"

/* Calls `add` with candidates in place of what begins at *start: domains and names of the devices' attributes and capacities, fields of
 * the device, functions and macros of the version. `self` is a struct cel_devices. */
void cel_complete(void *self, struct bytes line, uint32_t *start, void (*add)(const char *candidate));

#endif
