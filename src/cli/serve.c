/* drawbridge serve: the webhook. A program of its own, because it brings libmicrohttpd and GnuTLS along. */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/limits.h"
#include "cli/cli.h"
#include "serve/listener.h"
#include "serve/server.h"

enum { LISTEN, STATUS_LISTEN, CERT, KEY, KUBERNETES_VERSION, MAX_BODY };

static const struct option_row option_rows[] = {
    [LISTEN] = { "listen", "HOST:PORT", "where to take reviews; port 0 is any free one (default :8443)", false },
    [STATUS_LISTEN] = { "status-listen", "HOST:PORT", "where to answer /livez, /readyz and /metrics, without TLS (default :8080)", false },
    [CERT] = { "cert", "FILE", "certificate chain, PEM", false },
    [KEY] = { "key", "FILE", "its private key, PEM", false },
    [KUBERNETES_VERSION] = { "kubernetes-version", "V", "deny what an API server of that version refuses, 1.31 to 1.36; without it, nothing is denied, only warned of and counted", false },
    [MAX_BODY] = { "max-body", "BYTES", "largest review that is taken (default 8388608, which is also the most)", false },
    { NULL, NULL, NULL, false },
};

static bool parse_bytes(const char *text, unsigned *bytes)
{
    char *end;
    unsigned long value = strtoul(text, &end, 10);
    if (*text < '0' || *text > '9' || *end || value == 0 || value > LIMIT_BODY_BYTES)
        return false;
    *bytes = (unsigned)value;
    return true;
}

static void block_signals(sigset_t *ends)
{
    sigemptyset(ends);
    sigaddset(ends, SIGTERM);
    sigaddset(ends, SIGINT);
    pthread_sigmask(SIG_BLOCK, ends, NULL); /* in all threads: main waits for them */
    signal(SIGPIPE, SIG_IGN);
}

/* A second signal ends the wait for requests in flight. */
static bool signalled_again(void)
{
    const struct timespec now = { 0, 0 };
    sigset_t ends;
    sigemptyset(&ends);
    sigaddset(&ends, SIGTERM);
    sigaddset(&ends, SIGINT);
    return sigtimedwait(&ends, NULL, &now) > 0;
}

static unsigned thread_count(void)
{
    long processors = sysconf(_SC_NPROCESSORS_ONLN);
    return processors < 1 ? 1 : processors > 16 ? 16 : (unsigned)processors;
}

static int serve(const struct command *command, const struct options *options, struct server_config *config)
{
    const char *listen = options->values[LISTEN] ? options->values[LISTEN] : ":8443";
    const char *status = options->values[STATUS_LISTEN] ? options->values[STATUS_LISTEN] : ":8080";
    char error[512], https_address[160], status_address[160];
    sigset_t ends;
    int which;
    block_signals(&ends);
    if (!listener_open(listen, &config->https_socket, error, sizeof error) || !listener_open(status, &config->status_socket, error, sizeof error))
        return command_error(command, EXIT_SETUP, "%s", error);
    listener_address(config->https_socket, https_address, sizeof https_address);
    listener_address(config->status_socket, status_address, sizeof status_address);
    struct server *server = server_start(config, error, sizeof error);
    if (!server)
        return command_error(command, EXIT_SETUP, "%s", error);
    printf("listening https=%s status=%s\n", https_address, status_address);
    fflush(stdout);
    sigwait(&ends, &which);
    server_drain(server, signalled_again);
    server_stop(server);
    return EXIT_GOOD;
}

static int run(const struct command *command, int argc, char **argv)
{
    struct server_config config = { .settings = { .version = MINOR_DEFAULT, .policy = REVIEW_OBSERVE }, .max_body = LIMIT_BODY_BYTES, .threads = thread_count() };
    struct options options;
    struct pki_error error;
    int status;
    if (!options_parse(command, argc, argv, &options, &status))
        return status;
    const char *version = options.values[KUBERNETES_VERSION], *max_body = options.values[MAX_BODY];
    if (options.operands < options.argc)
        return usage_error(command, "unexpected argument '%s'", options.argv[options.operands]);
    if (version && !version_read(version, &config.settings.version))
        return usage_error(command, "'%s' is no Kubernetes version from 1.31 to 1.36", version);
    if (version)
        config.settings.policy = REVIEW_ENFORCE;
    if (max_body && !parse_bytes(max_body, &config.max_body))
        return usage_error(command, "--max-body must be a number from 1 to %u", LIMIT_BODY_BYTES);
    if (!options.values[CERT] || !options.values[KEY])
        return usage_error(command, "--cert and --key are needed; 'drawbridge certs' makes them");
    if (!pki_pair_load(options.values[CERT], options.values[KEY], &config.pair, &error))
        return command_error(command, EXIT_SETUP, "%s", error.text);
    status = serve(command, &options, &config);
    pki_pair_done(&config.pair);
    return status;
}

static const struct command serve_command = {
    .name = "serve",
    .operands = "",
    .summary = "judge admission reviews over HTTPS: the webhook",
    .description =
        "Answers POST /validate with the verdict on the AdmissionReview in the body. Prints one line when it is\n"
        "ready, 'listening https=HOST:PORT status=HOST:PORT', and ends on SIGTERM when the requests in flight\n"
        "have been answered.\n\n"
        "Exit status: 0 after that, 2 a wrong option, 3 a certificate or port that cannot be used.\n",
    .options = option_rows,
    .run = run,
};

int main(int argc, char **argv)
{
    return run(&serve_command, argc, argv);
}
