/* What the commands of drawbridge-certs have in common. */
#ifndef DRAWBRIDGE_CLI_CERTS_H
#define DRAWBRIDGE_CLI_CERTS_H

#include <cjson/cJSON.h>

#include "cli/cli.h"
#include "pki/pki.h"

/* The names of files, without .crt and .key, and how long certificates last. */
#define CERTS_AUTHORITY "ca"
#define CERTS_BUNDLE "ca-bundle" /* what clients shall trust, when that is more than the CA */

enum { CERTS_AUTHORITY_DAYS = 3650, CERTS_SERVER_DAYS = 365 };

/* Those that read an option return EXIT_GOOD, or the exit status after a message. */

/* The value of --dir. Paths are printed as they are, so they must be fit to print. */
int certs_read_directory(const struct command *command, const char *value, const char **directory);

/* The value of --out: the beginning of a file's name, and none of the CA's own, which must not be overwritten, not even with --force. */
int certs_read_prefix(const struct command *command, const char *value, const char **prefix);

/* DIRECTORY/NAME and an ending. */
int certs_set_path(const struct command *command, const char *directory, const char *name, const char *ending, char path[PKI_PATH_BYTES]);

/* The value of an option for days, 1 to LIMIT_CERTIFICATE_DAYS; `standard` without it. */
int certs_read_days(const struct command *command, const char *option, const char *value, int default_value, int *days);

/* "text" (the default) or "json". */
int certs_read_format(const struct command *command, const char *value, bool *json);

/* The values of three rows: services (added by `add_service`), hosts, addresses, in this order; at most LIMIT_CERTIFICATE_NAMES in all, even if
 * they repeat each other. May be none. */
int certs_read_names(const struct command *command, const struct options *options, const int rows[3],
                     bool (*add_service)(struct pki_names *names, const char *text, struct error *error), struct pki_names *names);

int certs_no_operands(const struct command *command, const struct options *options);

/* Prints the object as one line and deletes it; false when memory ran out, also for NULL. */
bool certs_print_json(cJSON *object);

extern const struct command certs_rotate_command, certs_show_command, certs_check_command, manifests_command;

#endif
