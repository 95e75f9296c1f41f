/* The files that `serve` is given: loaded at the start, and watched after it. */
#include "base/escape.h"
#include "cli/configuration.h"
#include "cli/serve.h"

static int watch_source(struct plan *plan, const struct watch_source source)
{
    char text[LIMIT_WATCH_TEXT_BYTES];
    return watch_add(&plan->watch, &source, text) ? EXIT_GOOD : command_error(plan->command, EXIT_SETUP, "%s", text);
}

/* Says all mistakes of a configuration, not only the first, as somebody is there to read them. */
static int load_settings(struct plan *plan)
{
    struct settings_holder *holder = &plan->settings;
    struct configuration_mistakes none;
    char text[LIMIT_WATCH_TEXT_BYTES];
    enum failure failure = settings_init(holder, &plan->overrides, (struct bytes){ NULL, 0 }, &none);
    if (failure)
        return command_error(plan->command, EXIT_SETUP, "settings: %s", failure_text(failure));
    plan->config.settings = holder;
    holder->file = plan->config_file;
    const struct watch_source source = settings_source(holder);
    if (!holder->file)
        return EXIT_GOOD;
    if (watch_add(&plan->watch, &source, text)) {
        configuration_warnings(plan->command, holder->file, &holder->mistakes);
        return plan_check_gates(plan, settings_stance(holder).version);
    }
    if (holder->mistakes.count)
        return configuration_error(plan->command, EXIT_SETUP, holder->file, FAILURE_SYNTAX, &holder->mistakes);
    return command_error(plan->command, EXIT_SETUP, "%s", text);
}

static int load_certificate(struct plan *plan)
{
    const char *file = plan->tls.certificate_file;
    int status = watch_source(plan, tls_source(&plan->tls));
    if (status == EXIT_GOOD && plan->tls.weakness)
        (void)command_error(plan->command, EXIT_GOOD, "warning: the certificate in %s: %s", escape_text(file).text, plan->tls.weakness);
    plan->config.expiries[CERTIFICATE_SERVING] = &plan->tls.serving;
    if (plan->tls.issuer.folder)
        plan->config.expiries[CERTIFICATE_CA] = &plan->tls.authority;
    return status;
}

static int load_clients(struct plan *plan)
{
    if (clients_init(&plan->clients) != 0)
        return command_error(plan->command, EXIT_INTERNAL, "cannot verify clients");
    plan->config.clients = &plan->clients;
    plan->config.expiries[CERTIFICATE_CLIENT_CA] = &plan->clients.expiry;
    return watch_source(plan, clients_source(&plan->clients));
}

int plan_load(struct plan *plan)
{
    plan->config.watch = &plan->watch;
    int status = load_settings(plan);
    if (status == EXIT_GOOD)
        status = load_certificate(plan);
    if (status == EXIT_GOOD && plan->clients.file)
        status = load_clients(plan);
    return status;
}

void plan_done(struct plan *plan)
{
    tls_done(&plan->tls);
    if (plan->config.clients)
        clients_done(&plan->clients);
    if (plan->config.settings)
        settings_done(&plan->settings);
}
