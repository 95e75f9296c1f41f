/* What the commands of drawbridge-certs have in common. */
#ifndef DRAWBRIDGE_CLI_CERTS_H
#define DRAWBRIDGE_CLI_CERTS_H

#include <cjson/cJSON.h>

#include "cli/cli.h"
#include "pki/pki.h"

/* Those that read an option return EXIT_GOOD, or the exit status after a message. */

/* 1 to PKI_DAYS; `standard` without the option. */
int certs_read_days(const struct command *command, const char *value, int standard, int *days);

/* "text" (the default) or "json". */
int certs_read_format(const struct command *command, const char *value, bool *json);

/* The values of three rows: services (added by `add_service`), hosts, addresses, in this order; at most PKI_NAMES in all, even if
 * they repeat each other. May be none. */
int certs_read_names(const struct command *command, const struct options *options, const int rows[3],
                     bool (*add_service)(struct pki_names *names, const char *text, struct pki_error *error), struct pki_names *names);

int certs_no_operands(const struct command *command, const struct options *options);

/* Prints the object as one line and deletes it; false when memory ran out, also for NULL. */
bool certs_print_json(cJSON *object);

extern const struct command certs_show_command, certs_check_command, manifests_command;

#endif
