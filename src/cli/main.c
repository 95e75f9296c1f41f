#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/escape.h"
#include "cli/cli.h"
#include "cli/complete.h"
#include "validate/row_report.h"
#include "drawbridge.h"

/* The server and the certificate tools bring libraries along that nothing else needs; they are programs of their own beside
 * this one, drawbridge-serve and drawbridge-certs. `title` is what the program sees as argv[0]; NULL: its path. */
static int run_program(const struct command *command, const char *program, char *title, char **argv)
{
    char path[PATH_MAX];
    ssize_t length = readlink("/proc/self/exe", path, sizeof path - 1);
    if (length < 0)
        return command_error(command, EXIT_INTERNAL, "cannot find this program's folder: %s", strerror(errno));
    path[length] = '\0';
    size_t room = sizeof path - (size_t)length;
    if ((size_t)snprintf(path + length, room, "-%s", program) >= room)
        return command_error(command, EXIT_INTERNAL, "the path of this program is too long");
    argv[0] = title ? title : path;
    execv(path, argv);
    return command_error(command, EXIT_INTERNAL, "cannot run %s: %s", escape_text(path).text, strerror(errno));
}

static int run_beside(const struct command *command, int argc, char **argv)
{
    (void)argc;
    return run_program(command, command->name, NULL, argv);
}

/* Needs OpenSSL, as certs does; that program knows it by argv[0]. */
static int run_manifests(const struct command *command, int argc, char **argv)
{
    char title[] = "manifests";
    (void)argc;
    return run_program(command, "certs", title, argv);
}

static const struct command serve_beside = {
    .name = "serve", .summary = "validate admission reviews over HTTPS: the webhook", .run = run_beside,
};
static const struct command certs_beside = {
    .name = "certs", .summary = "make and check certificates: a CA, serving certificates", .run = run_beside,
};
static const struct command manifests_beside = {
    .name = "manifests", .summary = "print YAML for a cluster: deployment, service, webhook", .run = run_manifests,
};

static const struct command *const commands[] = {
    &lint_command, &scan_command, &upgrade_command, &review_command, &cel_command, &match_command, &allocate_command, &explain_command,
    &rules_command, &config_command, &lsp_command, &serve_beside, &certs_beside, &manifests_beside, &completion_command, &version_command,
};
enum { COMMANDS = sizeof commands / sizeof *commands };

static void print_help(FILE *out)
{
    fputs("drawbridge validates Kubernetes storage and device objects as the API server does.\n\n"
          "Usage: drawbridge COMMAND [options] ...\n\nCommands:\n", out);
    for (int i = 0; i < COMMANDS; i++)
        fprintf(out, "  %-10s  %s\n", commands[i]->name, commands[i]->summary);
    fputs("  help        print a manual page: of a command, drawbridge, drawbridge.yaml, drivers or libdrawbridge\n"
          "\n'drawbridge COMMAND --help' shows the options of a command, 'drawbridge --version' the version.\n", out);
}

static int help(int argc, char **argv)
{
    if (argc > 3) {
        fputs("drawbridge help: takes one topic\nTry 'drawbridge help'.\n", stderr);
        return EXIT_USAGE;
    }
    if (argc == 3)
        return help_print(argv[2]);
    print_help(stdout);
    return EXIT_GOOD;
}

static int unknown_command(const char *name)
{
    static const struct command program = { .name = "" };
    struct nearest nearest = { .wanted = bytes_of(name) };
    for (int i = 0; i < COMMANDS; i++)
        near_consider(&nearest, bytes_of(commands[i]->name));
    return usage_unknown(&program, name, "a command", "", &nearest);
}

static const struct command *find_command(const char *name)
{
    for (int i = 0; i < COMMANDS; i++)
        if (strcmp(name, commands[i]->name) == 0)
            return commands[i];
    return NULL;
}

/* argv[1] is COMPLETE_WORD. A command gets it after its own name, so that the programs beside this one answer for theirs. */
static int complete(int argc, char **argv)
{
    const char *typed = argc > 2 ? argv[2] : "";
    const struct command *command = argc > 3 ? find_command(typed) : NULL;
    if (command) {
        argv[1] = argv[2];
        argv[2] = (char[]){ COMPLETE_WORD };
        return command->run(command, argc - 1, argv + 1);
    }
    bool topic = argc > 3 && strcmp(typed, "help") == 0;
    for (int i = 0; i < COMMANDS && (topic || argc <= 3); i++)
        complete_word(topic ? argv[argc - 1] : typed, commands[i]->name, commands[i]->summary);
    if (argc <= 3) {
        complete_word(typed, "help", "print a manual page");
        complete_word(typed, "--help", "list the commands");
        complete_word(typed, "--version", "print the version");
    }
    return complete_end(&version_command, false);
}

int main(int argc, char **argv)
{
    const char *name = argc > 1 ? argv[1] : "";
    row_report_at_exit();
    if (strcmp(name, COMPLETE_WORD) == 0)
        return complete(argc, argv);
    if (strcmp(name, "--version") == 0) {
        puts("drawbridge " DRAWBRIDGE_VERSION);
        return EXIT_GOOD;
    }
    if (strcmp(name, "help") == 0)
        return help(argc, argv);
    if (strcmp(name, "--help") == 0 || strcmp(name, "-h") == 0)
        return help(2, argv);
    const struct command *command = find_command(name);
    if (command)
        return command->run(command, argc - 1, argv + 1);
    if (*name)
        return unknown_command(name);
    print_help(stderr);
    return EXIT_USAGE;
}
