/* Inside cli/: what the options of `serve` say. */
#ifndef DRAWBRIDGE_CLI_SERVE_H
#define DRAWBRIDGE_CLI_SERVE_H

#include "cli/cli.h"
#include "serve/clients.h"
#include "serve/listener.h"
#include "serve/server.h"
#include "serve/tls.h"

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
    bool check;              /* only look, and end */
};

extern const struct option_row serve_options[];

/* Fills the plan from options. Returns 0, or the exit status after an error message. */
int plan_read(const struct options *options, struct plan *plan);

/* Loads the files that the options name, and has the watch look after them. The same; plan_done is called in any case. */
int plan_load(struct plan *plan);
void plan_done(struct plan *plan);

#endif
