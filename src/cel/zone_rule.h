/* The end of a TZif file: "CET-1CEST,M3.5.0,M10.5.0/3", what POSIX has in TZ. */
#ifndef DRAWBRIDGE_CEL_ZONE_RULE_H
#define DRAWBRIDGE_CEL_ZONE_RULE_H

#include "cel/zone.h"

/* False: Go does not understand it, and uses the last transition. */
bool cel_zone_rule_read(struct bytes text, struct cel_zone_rule *rule);

int32_t cel_zone_rule_offset(const struct cel_zone_rule *rule, int64_t time);

#endif
