/* The files that `serve` is given: loaded at the start, and looked after from then on. */
#include <stdint.h>
#include <stdlib.h>

#include "base/show.h"
#include "cli/configuration.h"
#include "cli/serve.h"

/* All mistakes of a configuration, not only the first, as somebody is there to read them. */
static int load_settings(struct plan *plan)
{
    const char *file = plan->config_file;
    struct configuration_mistakes mistakes;
    struct bytes text = { NULL, 0 };
    const char *why = file ? settings_file_trouble(file) : NULL;
    if (why)
        return command_error(plan->command, EXIT_SETUP, "%s: %s", show_text(file).text, why);
    int status = file ? configuration_text(plan->command, EXIT_SETUP, file, &text) : EXIT_GOOD;
    if (status != EXIT_GOOD)
        return status;
    enum failure failure = settings_init(&plan->settings, &plan->overrides, text, &mistakes);
    free((void *)(uintptr_t)text.data);
    if (failure)
        return configuration_error(plan->command, EXIT_SETUP, file ? file : "settings", failure, &mistakes);
    plan->settings.file = file;
    plan->config.settings = &plan->settings;
    return EXIT_GOOD;
}

static int look_after(struct plan *plan, const struct watch_source source)
{
    char text[WATCH_TEXT];
    return watch_add(&plan->watch, &source, text) ? EXIT_GOOD : command_error(plan->command, EXIT_SETUP, "%s", text);
}

static int load_certificate(struct plan *plan)
{
    const char *file = plan->tls.certificate_file;
    int status = look_after(plan, tls_source(&plan->tls));
    if (status == EXIT_GOOD && plan->tls.weakness)
        (void)command_error(plan->command, EXIT_GOOD, "warning: the certificate in %s: %s", show_text(file).text, plan->tls.weakness);
    plan->config.expiries[CERTIFICATE_SERVING] = &plan->tls.serving;
    if (plan->tls.issuer.folder)
        plan->config.expiries[CERTIFICATE_CA] = &plan->tls.authority;
    return status;
}

static int load_clients(struct plan *plan)
{
    if (clients_init(&plan->clients) != 0)
        return command_error(plan->command, EXIT_INTERNAL, "cannot look after clients");
    plan->config.clients = &plan->clients;
    plan->config.expiries[CERTIFICATE_CLIENT_CA] = &plan->clients.expiry;
    return look_after(plan, clients_source(&plan->clients));
}

int plan_load(struct plan *plan)
{
    if (watch_init(&plan->watch) != 0)
        return command_error(plan->command, EXIT_INTERNAL, "cannot watch files");
    plan->config.watch = &plan->watch;
    int status = load_settings(plan);
    if (status == EXIT_GOOD && plan->config_file)
        status = look_after(plan, settings_source(&plan->settings));
    if (status == EXIT_GOOD && (plan->tls.certificate_file || plan->tls.issuer.folder)) /* there is none only with --check */
        status = load_certificate(plan);
    if (status == EXIT_GOOD && plan->clients.file)
        status = load_clients(plan);
    return status;
}

void plan_done(struct plan *plan)
{
    if (plan->config.watch)
        watch_done(&plan->watch);
    tls_done(&plan->tls);
    if (plan->config.clients)
        clients_done(&plan->clients);
    if (plan->config.settings)
        settings_done(&plan->settings);
}
