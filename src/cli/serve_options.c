/* The options of `serve`. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/escape.h"
#include "base/limits.h"
#include "cli/certs.h"
#include "cli/configuration.h"
#include "cli/limits.h"
#include "cli/serve.h"
#include "serve/limits.h"

enum { LISTEN, STATUS_LISTEN, CERT, KEY, KUBERNETES_VERSION, MODE, CONFIG, CHECK, MAX_BODY, SHUTDOWN_DELAY, LOG_FORMAT, CLIENT_CA, CLIENT_CN, CLIENT_MODE, CA_DIR, SERVICE, HOST, IP, CERT_HOURS };

const struct option_row serve_options[] = {
    [LISTEN] = { "listen", "HOST:PORT", "where to take reviews; port 0 is any free port (default :8443)", false },
    [STATUS_LISTEN] = { "status-listen", "HOST:PORT",
                        "where to answer /livez, /readyz, /metrics and the status page, /, without TLS (default :8080)", false },
    [CERT] = { "cert", "FILE", "certificate chain to serve with, PEM", false },
    [KEY] = { "key", "FILE", "its private key, PEM", false },
    [KUBERNETES_VERSION] = { "kubernetes-version", "V",
                             "deny what an API server of that version refuses, 1.31 to 1.36; without a version, errors only warn; "
                             "takes precedence over that of the configuration", false },
    [MODE] = { "mode", "enforce|warn|audit",
               "what would be denied is denied (enforce, the default), is a warning, or is only counted, if no policy applies; "
               "takes precedence over that of the configuration", false },
    [CONFIG] = { "config", "FILE",
                 "configuration: policies for namespaces, kinds, rules and fields; see 'drawbridge help drawbridge.yaml'", false },
    [CHECK] = { "check", NULL, "start as without it, on the same ports, take no connections, and end: 0 if all is good", false },
    [MAX_BODY] = { "max-body", "BYTES", "largest review that is taken (default 20971520, which is also the largest value)", false },
    [SHUTDOWN_DELAY] = { "shutdown-delay", "SECONDS", "how long to go on taking requests after SIGTERM, 0 to 60 (default 1)", false },
    [LOG_FORMAT] = { "log-format", "text|json", "how lines on standard error are written (default text)", false },
    [CLIENT_CA] = { "client-ca", "FILE", "CAs of clients, PEM: ask clients for a certificate and verify it", false },
    [CLIENT_CN] = { "client-cn", "NAME", "common name of a client that is allowed; may be repeated (default any)", true },
    [CLIENT_MODE] = { "client-mode", "require|observe", "refuse other clients (default), or only count them", false },
    [CA_DIR] = { "ca-dir", "DIR",
                 "instead of --cert and --key: a folder with a CA (ca.crt and ca.key, or tls.crt and tls.key) to "
                 "issue its own certificate with", false },
    [SERVICE] = { "service", "NAME.NAMESPACE", "with --ca-dir: issue for this Kubernetes service; may be repeated", true },
    [HOST] = { "host", "NAME", "with --ca-dir: issue for this DNS name; may be repeated", true },
    [IP] = { "ip", "ADDRESS", "with --ca-dir: issue for this address; may be repeated", true },
    [CERT_HOURS] = { "cert-hours", "N",
                     "with --ca-dir: how long a certificate lasts, 1 to 720; a new one is issued after two thirds of "
                     "that (default 24)", false },
    { NULL, NULL, NULL, false },
};

static bool parse_number(const char *text, unsigned min, unsigned max, unsigned *number)
{
    char *end;
    errno = 0;
    unsigned long value = strtoul(text, &end, 10);
    if (errno || *text < '0' || *text > '9' || *end || value < min || value > max)
        return false;
    *number = (unsigned)value;
    return true;
}

/* Returns 0, or the exit status. */
static int read_addresses(const struct options *options, struct plan *plan)
{
    const struct command *command = plan->command;
    const char *listen = options->values[LISTEN] ? options->values[LISTEN] : ":8443";
    const char *status = options->values[STATUS_LISTEN] ? options->values[STATUS_LISTEN] : ":8080";
    if (!listener_parse(listen, &plan->listen))
        return usage_error(command, "--listen: '%s' is no HOST:PORT", escape_text(listen).text);
    if (!listener_parse(status, &plan->status_listen))
        return usage_error(command, "--status-listen: '%s' is no HOST:PORT", escape_text(status).text);
    return EXIT_GOOD;
}

/* The same. */
static int read_clients(const struct options *options, struct plan *plan)
{
    static const char *const modes[] = { "require", "observe", NULL };
    const struct command *command = plan->command;
    struct clients *clients = &plan->clients;
    const char *name;
    clients->file = options->values[CLIENT_CA];
    if (!clients->file && (options->values[CLIENT_CN] || options->values[CLIENT_MODE]))
        return usage_error(command, "--client-cn and --client-mode need --client-ca");
    int mode = choose(command, "client-mode", options->values[CLIENT_MODE], modes);
    for (int i = 0; (name = options_next(command, options, CLIENT_CN, i)); i++) {
        if (clients->name_count == LIMIT_CLIENT_NAMES || !pki_is_plain(name, PKI_COMMON_NAME))
            return usage_error(command, "--client-cn must be at most %u names of 1 to %d characters without control characters", LIMIT_CLIENT_NAMES, PKI_COMMON_NAME);
        clients->names[clients->name_count++] = name;
    }
    clients->observe = mode == 1;
    return mode < 0 ? EXIT_USAGE : EXIT_GOOD;
}

/* The same. */
static int read_issuer(const struct options *options, struct plan *plan)
{
    static const int rows[] = { SERVICE, HOST, IP };
    struct issuer *issuer = &plan->tls.issuer;
    const struct command *command = plan->command;
    const char *hours = options->values[CERT_HOURS];
    issuer->folder = options->values[CA_DIR];
    issuer->hours = LIMIT_CERT_HOURS_DEFAULT;
    if (!issuer->folder && (options->values[SERVICE] || options->values[HOST] || options->values[IP] || hours))
        return usage_error(command, "--service, --host, --ip and --cert-hours are for --ca-dir");
    if (!issuer->folder)
        return EXIT_GOOD;
    if (options->values[CERT] || options->values[KEY])
        return usage_error(command, "--ca-dir comes instead of --cert and --key");
    if (hours && !parse_number(hours, 1, LIMIT_CERT_HOURS, &issuer->hours))
        return usage_error(command, "--cert-hours must be a number from 1 to %u", LIMIT_CERT_HOURS);
    if (!issuer_init(issuer))
        return usage_error(command, "--ca-dir is too long");
    int status = certs_read_names(command, options, rows, pki_names_add_service, &issuer->names);
    if (status == EXIT_GOOD && issuer->names.count == 0)
        status = usage_error(command, "--ca-dir needs a name to issue for: --service, --host or --ip");
    return status;
}

int plan_read(const struct options *options, struct plan *plan)
{
    const struct command *command = plan->command;
    const char *max_body = options->values[MAX_BODY], *delay = options->values[SHUTDOWN_DELAY], *format = options->values[LOG_FORMAT];
    if (options->operands < options->argc)
        return usage_error(command, "unexpected argument '%s'", escape_text(options->argv[options->operands]).text);
    int status = overrides_read(command, options->values[MODE], options->values[KUBERNETES_VERSION], &plan->overrides);
    if (status != EXIT_GOOD)
        return status;
    if (max_body && !parse_number(max_body, 1, LIMIT_BODY_BYTES, &plan->config.max_body))
        return usage_error(command, "--max-body must be a number from 1 to %u", LIMIT_BODY_BYTES);
    if (delay && !parse_number(delay, 0, LIMIT_SHUTDOWN_DELAY, &plan->shutdown_delay))
        return usage_error(command, "--shutdown-delay must be a number from 0 to %u", LIMIT_SHUTDOWN_DELAY);
    if (format && strcmp(format, "json") != 0 && strcmp(format, "text") != 0)
        return usage_error(command, "--log-format must be text or json, not '%s'", escape_text(format).text);
    plan->config.log_format = format && strcmp(format, "json") == 0 ? LOG_JSON : LOG_TEXT;
    plan->config_file = options->values[CONFIG];
    plan->check = options->values[CHECK] != NULL;
    plan->tls.certificate_file = options->values[CERT];
    plan->tls.key_file = options->values[KEY];
    if ((status = read_issuer(options, plan)) != EXIT_GOOD)
        return status;
    if (!plan->tls.issuer.folder && (!options->values[CERT] || !options->values[KEY]))
        return usage_error(command, "--cert and --key are needed, or --ca-dir; 'drawbridge certs' makes them");
    status = read_clients(options, plan);
    return status ? status : read_addresses(options, plan);
}
