/* What `drawbridge explain` prints, by subject. Each function returns the exit status. */
#ifndef DRAWBRIDGE_CLI_EXPLAIN_H
#define DRAWBRIDGE_CLI_EXPLAIN_H

#include "cli/cli.h"
#include "cli/kind_name.h"
#include "schema/driver.h"
#include "schema/gate.h"

/* Explains a function or macro; NULL: lists all of them, and what is known of the device. */
int explain_cel(const struct command *command, const char *name);

/* All kinds with their API versions and short names. */
int explain_list_kinds(const struct command *command);

/* The constraints at a field and below it. `version` 0: of all versions. */
int explain_fields(const struct command *command, const struct kind_name *name, minor version);

/* The parameters that a driver knows. `name`: as it was asked for. */
int explain_driver(const struct command *command, const struct driver *driver, const char *name);

/* A feature gate: what it is in which version, and the fields that it brought. */
int explain_gate(const struct command *command, const struct gate *gate, minor version);

/* What the scheduler says about devices, or a line with it: what it means, and what to do. */
int explain_words(const struct command *command, const char *asked);

/* A rule: what it asks for, of which fields, and where that is from. */
int explain_rule(const struct command *command, enum rule rule);

/* What the rule means, how to mend what it finds, and an object that breaks it beside one that does not: rules/examples/. Returns
 * whether there are such objects. */
bool explain_print_example(const char *id);

/* "storage.k8s.io/v1, v1beta1": the API versions of a kind; `one`: only that of the row. */
void explain_print_versions(const struct kind *kind, bool one);

/* Whether both rows are of one kind, and of one role or none. Whether no earlier row is such. */
bool explain_same_rules(const struct kind *a, const struct kind *b);
bool explain_is_first(const struct kind *kind);

/* "alpha, off by default": what a gate is in a version that has it. In static memory. */
const char *explain_gate_state(const struct gate *gate, minor version);

#endif
