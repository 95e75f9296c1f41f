/* Inside cli/: what the options of `serve` say. */
#ifndef DRAWBRIDGE_CLI_SERVE_H
#define DRAWBRIDGE_CLI_SERVE_H

#include "cli/certs.h"
#include "serve/clients.h"
#include "serve/listener.h"
#include "serve/server.h"
#include "serve/tls.h"

enum client_mode { CLIENTS_REQUIRED, CLIENTS_OBSERVED };

/* What the threads share of it lives as long as they do. */
struct plan {
    const struct command *command;
    struct server_config config;
    struct watch watch;
    struct tls tls;
    struct clients clients;
    struct settings_holder settings;
    struct review_overrides overrides;
    struct listener_address listen, status_listen;
    unsigned shutdown_delay; /* seconds */
    const char *config_file; /* NULL: none */
    bool check;              /* only check, and end */
    struct certs_names names;         /* for the certificate that it issues itself */
    struct option_list client_names;
    enum client_mode client_mode;
};

extern const struct option_row serve_options[];

/* Takes over what options say that needs more than its row. Returns 0, or the exit status after an error message. */
int plan_read(const struct options *options, struct plan *plan) MUST_USE;

/* Whether API servers of that version (0: the default) take the gates of the option. The same. */
int plan_check_gates(const struct plan *plan, minor version) MUST_USE;

/* Loads the files that the options name, and adds them to the watch. The same; plan_done is called in any case. */
int plan_load(struct plan *plan) MUST_USE;
void plan_done(struct plan *plan);

#endif
