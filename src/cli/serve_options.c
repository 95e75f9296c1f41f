/* The options of `serve`. */
#include <string.h>

#include "base/escape.h"
#include "base/limits.h"
#include "cli/certs.h"
#include "cli/limits.h"
#include "cli/serve.h"
#include "review/enforcement.h"
#include "serve/limits.h"

static bool parse_address(const char *text, void *value, struct error *error)
{
    return listener_parse(text, value) || error_set(error, FAILURE_INPUT, "\"%s\" is not HOST:PORT", escape_text(text).text);
}

static bool is_client_name(const char *text)
{
    return pki_is_plain(text, PKI_COMMON_NAME);
}

static const char *const log_formats[] = { [LOG_TEXT] = "text", [LOG_JSON] = "json", NULL };
static const char *const client_modes[] = { [CLIENTS_REQUIRED] = "require", [CLIENTS_OBSERVED] = "observe", NULL };

_Static_assert(LIMIT_BODY_BYTES == 20971520, "the default of --max-body is the largest that is taken");

const struct option_row serve_options[] = {
    OPTION_PARSED("listen", "HOST:PORT", struct plan, listen, parse_address, "where to take reviews; port 0 is any free port",
                  .default_value = ":8443"),
    OPTION_PARSED("status-listen", "HOST:PORT", struct plan, status_listen, parse_address,
                  "where to answer /livez, /readyz, /metrics and the status page, /, without TLS", .default_value = ":8080"),
    OPTION_TEXT("cert", "FILE", struct plan, tls.certificate_file, "certificate chain to serve with, PEM", .excludes = "ca-dir"),
    OPTION_TEXT("key", "FILE", struct plan, tls.key_file, "its private key, PEM", .excludes = "ca-dir"),
    OPTION_VERSION(struct plan, overrides.version,
                   "deny what an API server of that version refuses; without a version, errors only warn; "
                   "takes precedence over that of the configuration"),
    OPTION_GATES(struct plan, overrides.gates,
                 "feature gates of the API server, others as that version has them; without it, every field that is there is taken for one "
                 "whose gate is on; takes precedence over the configuration"),
    OPTION_CHOICE("mode", "a mode", enforcement_words, struct plan, overrides.mode,
                  "what would be denied is denied (enforce, the default), is a warning, or is only counted, if no policy applies; "
                  "takes precedence over that of the configuration"),
    OPTION_TEXT("config", "FILE", struct plan, config_file,
                "configuration: policies for namespaces, kinds, rules and fields; see 'drawbridge help drawbridge.yaml'"),
    OPTION_FLAG("check", struct plan, check, "start as without it, on the same ports, take no connections, and end: 0 if all is good"),
    OPTION_NUMBER("max-body", "BYTES", OPTION_BYTES, 1, LIMIT_BODY_BYTES, struct plan, config.max_body, "largest review that is taken",
                  .default_value = "20971520"),
    OPTION_NUMBER("shutdown-delay", "SECONDS", OPTION_SECONDS, 0, LIMIT_SHUTDOWN_DELAY, struct plan, shutdown_delay,
                  "how long to go on taking requests after SIGTERM", .default_value = "1"),
    OPTION_CHOICE("log-format", "a format", log_formats, struct plan, config.log_format, "how lines on standard error are written",
                  .default_value = "text"),
    OPTION_FLAG("log-objects", struct plan, config.log_objects, "lines about requests also have the namespace and name of the object"),
    OPTION_TEXT("client-ca", "FILE", struct plan, clients.file, "CAs of clients, PEM: ask clients for a certificate and verify it"),
    OPTION_LIST("client-cn", "NAME", struct plan, client_names, "common name of a client that is allowed, 64 at most; without it, any",
                .max = LIMIT_CLIENT_NAMES, .fits = is_client_name, .what = "a common name: 1 to 64 characters without control characters",
                .needs = "client-ca"),
    OPTION_CHOICE("client-mode", "a mode", client_modes, struct plan, client_mode, "refuse other clients, or only count them",
                  .default_value = "require", .needs = "client-ca"),
    OPTION_TEXT("ca-dir", "DIR", struct plan, tls.issuer.folder,
                "instead of --cert and --key: a folder with a CA (ca.crt and ca.key, or tls.crt and tls.key) "
                "to issue its own certificate with"),
    OPTION_LIST("service", "NAME.NAMESPACE", struct plan, names.services, "with --ca-dir: issue for this Kubernetes service",
                .needs = "ca-dir"),
    OPTION_LIST("host", "NAME", struct plan, names.hosts, "with --ca-dir: issue for this DNS name", .needs = "ca-dir"),
    OPTION_LIST("ip", "ADDRESS", struct plan, names.addresses, "with --ca-dir: issue for this address", .needs = "ca-dir"),
    OPTION_NUMBER("cert-hours", "N", OPTION_HOURS, 1, LIMIT_CERT_HOURS, struct plan, tls.issuer.hours,
                  "with --ca-dir: how long a certificate lasts; a new one is issued after two thirds of that", .default_value = "24",
                  .needs = "ca-dir"),
    { .name = NULL },
};

/* Returns 0, or the exit status. */
static int read_issuer(struct plan *plan)
{
    struct issuer *issuer = &plan->tls.issuer;
    const struct command *command = plan->command;
    if (!issuer_init(issuer))
        return usage_error(command, "--ca-dir: the path is too long");
    int status = certs_read_names(command, &plan->names, pki_names_add_service, &issuer->names);
    if (status == EXIT_GOOD && issuer->names.count == 0)
        status = usage_error(command, "--ca-dir: needs a name to issue for: --service, --host or --ip");
    return status;
}

int plan_check_gates(const struct plan *plan, minor version)
{
    struct error error;
    if (gate_settings_check(&plan->overrides.gates, version ? version : MINOR_DEFAULT, &error))
        return EXIT_GOOD;
    return usage_error(plan->command, "--feature-gates: %s", error.text);
}

int plan_read(const struct options *options, struct plan *plan)
{
    struct clients *clients = &plan->clients;
    plan->overrides.has_mode = options_text(options, "mode") != NULL;
    plan->overrides.has_gates = options_text(options, "feature-gates") != NULL;
    int status = plan->overrides.version || !plan->config_file ? plan_check_gates(plan, plan->overrides.version) : EXIT_GOOD;
    if (status != EXIT_GOOD)
        return status;
    clients->observe = plan->client_mode == CLIENTS_OBSERVED;
    for (clients->name_count = 0; clients->name_count < plan->client_names.count; clients->name_count++)
        clients->names[clients->name_count] = plan->client_names.values[clients->name_count];
    if (plan->tls.issuer.folder)
        return read_issuer(plan);
    if (!plan->tls.certificate_file || !plan->tls.key_file)
        return usage_error(plan->command, "--cert and --key are needed, or --ca-dir; 'drawbridge certs' makes them");
    return EXIT_GOOD;
}
