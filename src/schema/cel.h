/* The environments of CEL expressions, as rows: rules/cel/ holds them. */
#ifndef DRAWBRIDGE_SCHEMA_CEL_H
#define DRAWBRIDGE_SCHEMA_CEL_H

#include "cel/library.h"

/* Of expressions in device selectors. Source: k8s.io/dynamic-resource-allocation v0.35.4 cel/compile.go. */
extern const struct cel_library cel_device_library;

#endif
