/* drawbridge serve: the webhook. A program of its own, because it brings libmicrohttpd and GnuTLS along. */
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "cli/serve.h"
#include "base/limits.h"
#include "drawbridge.h"
#include "review/enforcement.h"
#include "serve/limits.h"

/* ---- the process ---- */

/* A socket must not get the number of a standard stream, or a message for people would go to a client. */
static bool open_standard_streams(void)
{
    int descriptor;
    do
        descriptor = open("/dev/null", O_RDWR);
    while (descriptor >= 0 && descriptor <= STDERR_FILENO);
    if (descriptor >= 0)
        close(descriptor);
    else
        perror("drawbridge serve: /dev/null");
    return descriptor >= 0;
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

/* Waits for a signal to end, and has the files checked at each SIGHUP. False: cannot wait. */
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
    char https[LISTENER_NAME], status[LISTENER_NAME];
    listener_name(config->https_socket, https);
    listener_name(config->status_socket, status);
    return printf("listening https=%s status=%s\n", https, status) > 0 && fflush(stdout) == 0;
}

/* Returns 0, or the exit status after a message. */
static int open_sockets(struct plan *plan)
{
    struct error error;
    if (listener_open(&plan->listen, &plan->config.https_socket, &error) &&
        listener_open(&plan->status_listen, &plan->config.status_socket, &error))
        return EXIT_GOOD;
    return command_failed(plan->command, EXIT_SETUP, &error);
}

static int serve(struct plan *plan)
{
    const struct command *command = plan->command;
    struct error error;
    int status = open_sockets(plan);
    if (status != EXIT_GOOD)
        return status;
    struct server *server = server_start(&plan->config, &error);
    if (!server)
        return command_failed(command, EXIT_SETUP, &error);
    if (!print_ready(&plan->config))
        status = command_error(command, EXIT_INTERNAL, "cannot write to standard output: %s", strerror(errno));
    else if (!wait_for_end(&plan->watch))
        status = command_error(command, EXIT_INTERNAL, "cannot wait for signals");
    else
        server_drain(server, plan->shutdown_delay * 1000, signalled_again);
    server_stop(server);
    return status;
}

/* For --check: all that serve does before it takes connections, and then what is in force. */
static int check(struct plan *plan)
{
    struct error error;
    int status = open_sockets(plan);
    if (status != EXIT_GOOD)
        return status;
    if (!server_check(&plan->config, &error))
        return command_failed(plan->command, EXIT_SETUP, &error);
    const struct review_settings *review = &plan->settings.current->review;
    printf("good: mode %s, ", enforcement_words[review->mode]);
    if (review->profile == PROFILE_UNKNOWN_VERSION)
        printf("no Kubernetes version, so that errors only warn, ");
    else
        printf("Kubernetes 1.%d, ", review->version);
    printf("policies: %u\n", review->policies ? review->policies->count : 0);
    return end_output(plan->command, EXIT_GOOD);
}

static int run(const struct command *command, int argc, char **argv)
{
    static struct plan plan;
    plan = (struct plan){
        .command = command,
        .config = { .max_body = LIMIT_BODY_BYTES, .threads = thread_count(), .program_version = DRAWBRIDGE_VERSION },
    };
    struct options options;
    int status;
    if (!options_parse(command, argc, argv, &plan, &options, &status))
        return status;
    status = plan_read(&options, &plan);
    if (status != EXIT_GOOD)
        return status;
    if (!prepare_signals())
        return command_error(command, EXIT_INTERNAL, "cannot set signals up: %s", strerror(errno));
    certs_memory_begin();
    status = plan_load(&plan);
    certs_memory_done();
    if (status == EXIT_GOOD)
        status = plan.check ? check(&plan) : serve(&plan);
    plan_done(&plan);
    return status;
}

static const struct command serve_command = {
    .name = "serve",
    .operands = "",
    .summary = "validate admission reviews over HTTPS: the webhook",
    .description =
        "Answers POST /validate with the verdict on the AdmissionReview in the body. When it is ready, it prints\n"
        "'listening https=HOST:PORT status=HOST:PORT'.\n\n"
        "After SIGTERM or SIGINT, /readyz fails and every answer ends its connection, but all requests are taken for\n"
        "--shutdown-delay more; then the requests under way have 24 s to end. A second signal ends the server at once.\n"
        "All files are read again when they change; SIGHUP checks them now. SIGUSR1 and SIGUSR2 are ignored.\n",
    .options = serve_options,
    .run = run,
};

int main(int argc, char **argv)
{
    if (!open_standard_streams())
        return EXIT_INTERNAL;
    return run(&serve_command, argc, argv);
}
