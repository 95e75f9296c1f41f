/* What the commands of drawbridge-certs have in common. */
#ifndef DRAWBRIDGE_CLI_CERTS_H
#define DRAWBRIDGE_CLI_CERTS_H

#include <cjson/cJSON.h>

#include "cli/cli.h"
#include "pki/pki.h"

/* The names of files, without .crt and .key. */
#define CERTS_AUTHORITY "ca"
#define CERTS_BUNDLE "ca-bundle" /* what clients shall trust, when that is more than the CA */
#define CERTS_SERVING "tls"

/* How long certificates last, and how early a check warns of an end. */
#define CERTS_AUTHORITY_DAYS 3650
#define CERTS_SERVER_DAYS 365
#define CERTS_WARN_DAYS 30

/* ---- options that commands share ---- */

enum certs_format { CERTS_TEXT, CERTS_JSON };

/* "text", "json"; ended by NULL. */
extern const char *const certs_formats[];

/* Whether the text can be a path, or the beginning of a file's name and none of the CA's own, which must not be overwritten, not even with
 * --force. Both are printed as they are, so they must be fit to print. */
bool certs_is_path(const char *text) MUST_USE;
bool certs_is_prefix(const char *text) MUST_USE;

#define CERTS_PATH "a path in UTF-8 without control characters"
#define CERTS_PREFIX "a beginning of file names: 1 to 200 characters without /, no . in front, and not ca or ca-bundle, which are the CA's"

/* The values of --service, --host and --ip. */
struct certs_names {
    struct option_list services, hosts, addresses;
};

#define CERTS_DIR(type, help) \
    OPTION_TEXT("dir", "DIR", type, directory, help, .default_value = "certs", .fits = certs_is_path, .what = CERTS_PATH)
#define CERTS_OUT(type, help) \
    OPTION_TEXT("out", "PREFIX", type, prefix, help, .default_value = CERTS_SERVING, .fits = certs_is_prefix, .what = CERTS_PREFIX)
#define CERTS_NAMES(type, service_help, host_help, address_help)                       \
    OPTION_LIST("service", "NAME.NAMESPACE", type, names.services, service_help),     \
    OPTION_LIST("host", "NAME", type, names.hosts, host_help),                         \
    OPTION_LIST("ip", "ADDRESS", type, names.addresses, address_help)
#define CERTS_DAYS(option, type, member, days, help) \
    OPTION_NUMBER(option, "N", OPTION_DAYS, 1, LIMIT_CERTIFICATE_DAYS, type, member, help, .default_value = OPTION_DIGITS(days))
#define CERTS_FORMAT(type, json_help) \
    OPTION_CHOICE("format", "a format", certs_formats, type, format, "text for people, or json: " json_help, .default_value = "text")

/* Adds the values, services (by `add_service`) before hosts and addresses; at most LIMIT_CERTIFICATE_NAMES in all, even if they repeat each
 * other. May be none. Returns 0, or the exit status after a message. */
int certs_read_names(const struct command *command, const struct certs_names *given,
                     bool (*add_service)(struct pki_names *names, const char *text, struct error *error), struct pki_names *names) MUST_USE;

/* DIRECTORY/NAME and an ending. Returns 0, or the exit status after a message. */
int certs_set_path(const struct command *command, const char *directory, const char *name, const char *ending,
                   char path[PKI_PATH_BYTES]) MUST_USE;

/* Prints the object as one line and deletes it; false when memory ran out, also for NULL. */
bool certs_print_json(cJSON *object);

/* From here on the process ends, and says so, when OpenSSL cannot have memory; until certs_memory_done. Before OpenSSL is called. */
void certs_memory_begin(void);
void certs_memory_done(void);

extern const struct command certs_rotate_command, certs_show_command, certs_check_command, manifests_command;

#endif
