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
#include "cli/cli.h"
#include "drawbridge.h"
#include "serve/listener.h"
#include "serve/server.h"
#include "serve/tls.h"

enum { LISTEN, STATUS_LISTEN, CERT, KEY, KUBERNETES_VERSION, MAX_BODY, SHUTDOWN_DELAY };

static const struct option_row option_rows[] = {
    [LISTEN] = { "listen", "HOST:PORT", "where to take reviews; port 0 is any free one (default :8443)", false },
    [STATUS_LISTEN] = { "status-listen", "HOST:PORT", "where to answer /livez, /readyz and /metrics, without TLS (default :8080)", false },
    [CERT] = { "cert", "FILE", "certificate chain, PEM", false },
    [KEY] = { "key", "FILE", "its private key, PEM", false },
    [KUBERNETES_VERSION] = { "kubernetes-version", "V",
                             "deny what an API server of that version refuses, 1.31 to 1.36; without it, nothing is denied, only warned of "
                             "and counted", false },
    [MAX_BODY] = { "max-body", "BYTES", "largest review that is taken (default 8388608, which is also the most)", false },
    [SHUTDOWN_DELAY] = { "shutdown-delay", "SECONDS", "how long to go on taking requests after SIGTERM, 0 to 60 (default 1)", false },
    { NULL, NULL, NULL, false },
};

/* What the options say. */
struct plan {
    const struct command *command;
    struct server_config config;
    struct watch watch;
    struct tls tls;
    struct listener_address listen, status_listen;
    unsigned shutdown_delay; /* seconds */
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
    const char *version = options->values[KUBERNETES_VERSION], *max_body = options->values[MAX_BODY], *delay = options->values[SHUTDOWN_DELAY];
    if (options->operands < options->argc)
        return usage_error(command, "unexpected argument '%s'", show_text(options->argv[options->operands]).text);
    if (version && !version_read(version, &plan->config.settings.version))
        return usage_error(command, "'%s' is no Kubernetes version from 1.31 to 1.36", show_text(version).text);
    if (version)
        plan->config.settings.policy = REVIEW_ENFORCE;
    if (max_body && !parse_number(max_body, 1, LIMIT_BODY_BYTES, &plan->config.max_body))
        return usage_error(command, "--max-body must be a number from 1 to %u", LIMIT_BODY_BYTES);
    if (delay && !parse_number(delay, 0, LIMIT_SHUTDOWN_DELAY, &plan->shutdown_delay))
        return usage_error(command, "--shutdown-delay must be a number from 0 to %u", LIMIT_SHUTDOWN_DELAY);
    plan->tls.certificate_file = options->values[CERT];
    plan->tls.key_file = options->values[KEY];
    if (!options->values[CERT] || !options->values[KEY])
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

/* Those that main waits for: SIGHUP, too. */
static sigset_t all_signals(void)
{
    sigset_t all = end_signals();
    sigaddset(&all, SIGHUP);
    return all;
}

/* Blocked in all threads: main waits for them. The ignored ones have a meaning to other servers, and must not end this one. */
static bool prepare_signals(void)
{
    static const int ignored[] = { SIGPIPE, SIGUSR1, SIGUSR2 };
    const sigset_t all = all_signals();
    for (size_t i = 0; i < sizeof ignored / sizeof *ignored; i++)
        if (signal(ignored[i], SIG_IGN) == SIG_ERR)
            return false;
    return pthread_sigmask(SIG_BLOCK, &all, NULL) == 0;
}

/* Waits for a signal to end, and has the files looked at for each SIGHUP. False: cannot wait. */
static bool wait_for_end(struct watch *watch)
{
    const sigset_t all = all_signals();
    int which = SIGHUP;
    while (which == SIGHUP) {
        if (sigwait(&all, &which) != 0)
            return false;
        if (which == SIGHUP)
            watch_now(watch);
    }
    return true;
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
    int status = EXIT_GOOD;
    if (!listener_open(&plan->listen, &plan->config.https_socket, error, sizeof error) ||
        !listener_open(&plan->status_listen, &plan->config.status_socket, error, sizeof error))
        return command_error(command, EXIT_SETUP, "%s", error);
    struct server *server = server_start(&plan->config, error, sizeof error);
    if (!server)
        return command_error(command, EXIT_SETUP, "%s", error);
    if (!print_ready(&plan->config))
        status = command_error(command, EXIT_INTERNAL, "cannot write to standard output: %s", strerror(errno));
    else if (!wait_for_end(&plan->watch))
        status = command_error(command, EXIT_INTERNAL, "cannot wait for signals");
    else
        server_drain(server, plan->shutdown_delay * 1000, signalled_again);
    server_stop(server);
    return status;
}

/* ---- files that are loaded again when they change ---- */

/* Stands in for a log. */
static void report(void *closure, const char *what, enum watch_news news, const char *text)
{
    static const char *const words[] = { [WATCH_LOADED] = "", [WATCH_REFUSED] = "what was there stays in use: ", [WATCH_WARNING] = "warning: " };
    const struct plan *plan = closure;
    (void)command_error(plan->command, EXIT_GOOD, "%s: %s%s", what, words[news], text);
}

/* Returns 0, or the exit status. */
static int load_files(const struct command *command, struct plan *plan)
{
    char text[WATCH_TEXT];
    const struct watch_source certificate = tls_source(&plan->tls);
    if (!watch_add(&plan->watch, &certificate, text))
        return command_error(command, EXIT_SETUP, "%s", text);
    if (plan->tls.weakness)
        (void)command_error(command, EXIT_GOOD, "warning: the certificate in %s: %s", show_text(plan->tls.certificate_file).text, plan->tls.weakness);
    return EXIT_GOOD;
}

static int run(const struct command *command, int argc, char **argv)
{
    static struct plan plan; /* what the threads share of it lives as long as they do */
    plan = (struct plan){
        .command = command,
        .config = { .settings = { .version = MINOR_DEFAULT, .policy = REVIEW_OBSERVE }, .max_body = LIMIT_BODY_BYTES, .threads = thread_count(), .program_version = DRAWBRIDGE_VERSION },
        .shutdown_delay = 1,
    };
    struct options options;
    int status;
    if (!options_parse(command, argc, argv, &options, &status))
        return status;
    status = read_options(command, &options, &plan);
    if (status != EXIT_GOOD)
        return status;
    if (!prepare_signals() || watch_init(&plan.watch, report, &plan) != 0)
        return command_error(command, EXIT_INTERNAL, "cannot set signals up: %s", strerror(errno));
    plan.config.watch = &plan.watch;
    plan.config.expiries[CERTIFICATE_SERVING] = &plan.tls.serving;
    status = load_files(command, &plan);
    if (status == EXIT_GOOD)
        status = serve(command, &plan);
    watch_done(&plan.watch);
    tls_done(&plan.tls);
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
        "Certificate and key are read again when they change; SIGHUP has them looked at now. SIGUSR1 and SIGUSR2 are ignored.\n\n"
        "Exit status: 0 after a signal, 2 a wrong option, 3 a certificate, port or limit of the system that cannot be used,\n"
        "4 standard output cannot be written, or the system failed.\n",
    .options = option_rows,
    .run = run,
};

int main(int argc, char **argv)
{
    if (!open_standard_streams())
        return EXIT_INTERNAL;
    return run(&serve_command, argc, argv);
}
