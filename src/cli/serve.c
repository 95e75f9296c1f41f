/* drawbridge serve: the webhook. A program of its own, because it brings libmicrohttpd and GnuTLS along. */
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/limits.h"
#include "base/show.h"
#include "cli/configuration.h"
#include "drawbridge.h"
#include "serve/listener.h"
#include "serve/server.h"

enum { LISTEN, STATUS_LISTEN, CERT, KEY, KUBERNETES_VERSION, MODE, CONFIG, CHECK, MAX_BODY, SHUTDOWN_DELAY, LOG_FORMAT };

static const struct option_row option_rows[] = {
    [LISTEN] = { "listen", "HOST:PORT", "where to take reviews; port 0 is any free one (default :8443)", false },
    [STATUS_LISTEN] = { "status-listen", "HOST:PORT", "where to answer /livez, /readyz and /metrics, without TLS (default :8080)", false },
    [CERT] = { "cert", "FILE", "certificate chain, PEM", false },
    [KEY] = { "key", "FILE", "its private key, PEM", false },
    [KUBERNETES_VERSION] = { "kubernetes-version", "V",
                             "deny what an API server of that version refuses, 1.31 to 1.36; without it, nothing is denied, only warned of "
                             "and counted; comes before the configuration's", false },
    [MODE] = { "mode", "enforce|warn|audit", "what becomes of what would be denied, where no policy of the configuration fits: it is denied (default), only warned of, or only "
               "counted; comes before the configuration's", false },
    [CONFIG] = { "config", "FILE", "configuration: policies for namespaces, kinds, rules and fields; README says what stands in it", false },
    [CHECK] = { "check", NULL, "only look whether the options and the files they name are good, and end", false },
    [MAX_BODY] = { "max-body", "BYTES", "largest review that is taken (default 8388608, which is also the most)", false },
    [SHUTDOWN_DELAY] = { "shutdown-delay", "SECONDS", "how long to go on taking requests after SIGTERM, 0 to 60 (default 1)", false },
    [LOG_FORMAT] = { "log-format", "text|json", "how lines on standard error are written (default text)", false },
    { NULL, NULL, NULL, false },
};

/* What the options say. */
struct plan {
    struct server_config config;
    struct listener_address listen, status_listen;
    unsigned shutdown_delay; /* seconds */
    struct review_overrides overrides;
    struct settings_holder settings;
};

/* ---- options ---- */

static bool parse_number(const char *text, unsigned least, unsigned most, unsigned *number)
{
    char *end;
    errno = 0;
    unsigned long value = strtoul(text, &end, 10);
    if (errno || *text < '0' || *text > '9' || *end || value < least || value > most)
        return false;
    *number = (unsigned)value;
    return true;
}

/* Returns 0, or the exit status. */
static int read_addresses(const struct command *command, const struct options *options, struct plan *plan)
{
    const char *listen = options->values[LISTEN] ? options->values[LISTEN] : ":8443";
    const char *status = options->values[STATUS_LISTEN] ? options->values[STATUS_LISTEN] : ":8080";
    if (!listener_parse(listen, &plan->listen))
        return usage_error(command, "--listen: '%s' is no HOST:PORT", show_text(listen).text);
    if (!listener_parse(status, &plan->status_listen))
        return usage_error(command, "--status-listen: '%s' is no HOST:PORT", show_text(status).text);
    return EXIT_GOOD;
}

/* The same. */
static int read_options(const struct command *command, const struct options *options, struct plan *plan)
{
    const char *max_body = options->values[MAX_BODY], *delay = options->values[SHUTDOWN_DELAY];
    const char *format = options->values[LOG_FORMAT];
    if (options->operands < options->argc)
        return usage_error(command, "unexpected argument '%s'", show_text(options->argv[options->operands]).text);
    int status = overrides_read(command, options->values[MODE], options->values[KUBERNETES_VERSION], &plan->overrides);
    if (status != EXIT_GOOD)
        return status;
    if (max_body && !parse_number(max_body, 1, LIMIT_BODY_BYTES, &plan->config.max_body))
        return usage_error(command, "--max-body must be a number from 1 to %u", LIMIT_BODY_BYTES);
    if (delay && !parse_number(delay, 0, LIMIT_SHUTDOWN_DELAY, &plan->shutdown_delay))
        return usage_error(command, "--shutdown-delay must be a number from 0 to %u", LIMIT_SHUTDOWN_DELAY);
    if (format && strcmp(format, "json") != 0 && strcmp(format, "text") != 0)
        return usage_error(command, "--log-format must be text or json, not '%s'", show_text(format).text);
    plan->config.log_format = format && strcmp(format, "json") == 0 ? LOG_JSON : LOG_TEXT;
    bool may_lack = options->values[CHECK] && !options->values[CERT] == !options->values[KEY];
    if (!may_lack && (!options->values[CERT] || !options->values[KEY]))
        return usage_error(command, "--cert and --key are needed; 'drawbridge certs' makes them");
    return read_addresses(command, options, plan);
}

/* ---- the process ---- */

/* A socket must not get the number of a standard stream, or a message for people would go to a client. */
static bool open_standard_streams(void)
{
    int descriptor;
    do
        descriptor = open("/dev/null", O_RDWR);
    while (descriptor >= 0 && descriptor <= STDERR_FILENO);
    return descriptor >= 0 && close(descriptor) == 0;
}

static sigset_t end_signals(void)
{
    sigset_t ends;
    sigemptyset(&ends);
    sigaddset(&ends, SIGTERM);
    sigaddset(&ends, SIGINT);
    return ends;
}

/* Blocked in all threads: main waits for them. The ignored ones mean "read your files again" to other servers, and must not end
 * this one. */
static bool prepare_signals(void)
{
    static const int ignored[] = { SIGPIPE, SIGHUP, SIGUSR1, SIGUSR2 };
    const sigset_t ends = end_signals();
    for (size_t i = 0; i < sizeof ignored / sizeof *ignored; i++)
        if (signal(ignored[i], SIG_IGN) == SIG_ERR)
            return false;
    return pthread_sigmask(SIG_BLOCK, &ends, NULL) == 0;
}

/* Whether another signal to end has come since the first. */
static bool signalled_again(void)
{
    static bool again;
    const struct timespec now = { 0, 0 };
    const sigset_t ends = end_signals();
    again = again || sigtimedwait(&ends, NULL, &now) > 0;
    return again;
}

/* As many as processors that we may use. */
static unsigned thread_count(void)
{
    cpu_set_t allowed;
    if (sched_getaffinity(0, sizeof allowed, &allowed) != 0)
        return LIMIT_THREADS; /* more than CPU_SETSIZE processors */
    unsigned count = (unsigned)CPU_COUNT(&allowed);
    return count < 1 ? 1 : count > LIMIT_THREADS ? LIMIT_THREADS : count;
}

/* ---- serving ---- */

static bool print_ready(const struct server_config *config)
{
    char https[160], status[160];
    listener_name(config->https_socket, https, sizeof https);
    listener_name(config->status_socket, status, sizeof status);
    return printf("listening https=%s status=%s\n", https, status) > 0 && fflush(stdout) == 0;
}

static int serve(const struct command *command, struct plan *plan)
{
    char error[512];
    int which, status = EXIT_GOOD;
    const sigset_t ends = end_signals();
    if (!listener_open(&plan->listen, &plan->config.https_socket, error, sizeof error) ||
        !listener_open(&plan->status_listen, &plan->config.status_socket, error, sizeof error))
        return command_error(command, EXIT_SETUP, "%s", error);
    struct server *server = server_start(&plan->config, error, sizeof error);
    if (!server)
        return command_error(command, EXIT_SETUP, "%s", error);
    if (!print_ready(&plan->config))
        status = command_error(command, EXIT_INTERNAL, "cannot write to standard output: %s", strerror(errno));
    else if (sigwait(&ends, &which) != 0)
        status = command_error(command, EXIT_INTERNAL, "cannot wait for signals");
    else
        server_drain(server, plan->shutdown_delay * 1000, signalled_again);
    server_stop(server);
    return status;
}

/* ---- what options name ---- */

static int load_settings(const struct command *command, const struct options *options, struct plan *plan)
{
    const char *file = options->values[CONFIG];
    struct configuration_mistakes mistakes;
    struct bytes text = { NULL, 0 };
    int status = file ? configuration_text(command, EXIT_SETUP, file, &text) : EXIT_GOOD;
    if (status != EXIT_GOOD)
        return status;
    enum failure failure = settings_init(&plan->settings, &plan->overrides, text, &mistakes);
    free((void *)(uintptr_t)text.data);
    return failure ? configuration_error(command, EXIT_SETUP, file ? file : "settings", failure, &mistakes) : EXIT_GOOD;
}

static int load_pair(const struct command *command, const struct options *options, struct plan *plan)
{
    struct pki_error error;
    if (!options->values[CERT])
        return EXIT_GOOD; /* only with --check */
    if (!pki_pair_load(options->values[CERT], options->values[KEY], &plan->config.pair, &error))
        return command_error(command, EXIT_SETUP, "%s", error.text);
    if (plan->config.pair.weakness)
        command_error(command, EXIT_GOOD, "warning: the certificate in %s: %s", show_text(options->values[CERT]).text, plan->config.pair.weakness);
    return EXIT_GOOD;
}

/* For --check: what is in force. */
static int print_settings(const struct command *command, const struct plan *plan)
{
    const struct review_settings *review = &plan->settings.current->review;
    printf("good: mode %s, ", mode_word(review->mode));
    if (review->policy == REVIEW_OBSERVE)
        printf("no Kubernetes version, so that errors only warn, ");
    else
        printf("Kubernetes 1.%d, ", review->version);
    printf("policies: %u\n", review->policies ? review->policies->count : 0);
    return end_output(command, EXIT_GOOD);
}

static int run(const struct command *command, int argc, char **argv)
{
    struct plan plan = { .config = { .max_body = LIMIT_BODY_BYTES, .threads = thread_count(), .program_version = DRAWBRIDGE_VERSION }, .shutdown_delay = 1 };
    struct options options;
    int status;
    if (!options_parse(command, argc, argv, &options, &status))
        return status;
    status = read_options(command, &options, &plan);
    if (status != EXIT_GOOD)
        return status;
    if (!prepare_signals())
        return command_error(command, EXIT_INTERNAL, "cannot set signals up: %s", strerror(errno));
    status = load_settings(command, &options, &plan);
    if (status != EXIT_GOOD)
        return status;
    plan.config.settings = &plan.settings;
    status = load_pair(command, &options, &plan);
    if (status == EXIT_GOOD)
        status = options.values[CHECK] ? print_settings(command, &plan) : serve(command, &plan);
    pki_pair_done(&plan.config.pair);
    settings_done(&plan.settings);
    return status;
}

static const struct command serve_command = {
    .name = "serve",
    .operands = "",
    .summary = "judge admission reviews over HTTPS: the webhook",
    .description =
        "Answers POST /validate with the verdict on the AdmissionReview in the body. Prints one line when it is\n"
        "ready, 'listening https=HOST:PORT status=HOST:PORT'.\n\n"
        "On SIGTERM or SIGINT, /readyz fails and every answer ends its connection, while all requests are taken for\n"
        "another --shutdown-delay; then the requests under way have 24 s to end. A second signal ends it at once.\n"
        "SIGHUP, SIGUSR1 and SIGUSR2 are ignored: a new certificate needs a restart.\n\n"
        "Exit status: 0 after a signal, 2 a wrong option, 3 a certificate, configuration, port or limit of the system that cannot be\n"
        "used, 4 standard output cannot be written, or the system failed.\n",
    .options = option_rows,
    .run = run,
};

int main(int argc, char **argv)
{
    if (!open_standard_streams())
        return EXIT_INTERNAL;
    return run(&serve_command, argc, argv);
}
