/* drawbridge certs init, issue (rotate, show and check have files of their own): a certificate authority and serving certificates from it. The main program of drawbridge-certs. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/certs.h"


/* ---- options that both commands have that make certificates ---- */

/* A folder and the beginning of two names in it. */
struct place {
    char certificate[PKI_PATH_BYTES], key[PKI_PATH_BYTES];
};

/* Returns 0, or the exit status. */
static int set_place(const struct command *command, const char *directory, const char *prefix, struct place *place)
{
    int status = certs_set_path(command, directory, prefix, ".crt", place->certificate);
    return status ? status : certs_set_path(command, directory, prefix, ".key", place->key);
}

static int read_key_type(const struct command *command, const char *value, enum pki_key_type *type)
{
    *type = PKI_KEY_P256;
    if (!value || pki_key_type_parse(value, type))
        return EXIT_GOOD;
    return usage_error(command, "--key-type must be " PKI_KEY_TYPES ", not '%s'", escape_text(value).text);
}

/* ---- output ---- */

static int write_files(const struct command *command, const struct place *place, const struct pki_pair *pair, bool force)
{
    struct error error;
    const struct pki_output outputs[] = { { place->certificate, pair->certificate, false }, { place->key, pair->key, true } };
    if (!pki_write(outputs, 2, force, &error))
        return command_error(command, EXIT_SETUP, "%s", error.text);
    printf("wrote %s\nwrote %s\n", place->certificate, place->key);
    return EXIT_GOOD;
}

/* ---- certs init ---- */

#define KEY_TYPE_ROW { "key-type", "TYPE", PKI_KEY_TYPES " (default p256)", false }

enum { INIT_DIR, INIT_NAME, INIT_SERVICE, INIT_HOST, INIT_IP, INIT_KEY_TYPE, INIT_DAYS, INIT_FORCE };

static const struct option_row init_rows[] = {
    [INIT_DIR]      = { "dir", "DIR", "folder for the files; made if it is missing (default certs)", false },
    [INIT_NAME]     = { "name", "CN", "the CA's name, at most 64 characters (default drawbridge CA)", false },
    [INIT_SERVICE]  = { "service", "NAME.NAMESPACE", "let it issue for this Kubernetes service; may be repeated", true },
    [INIT_HOST]     = { "host", "NAME", "let it issue for this DNS name and those below it; may be repeated", true },
    [INIT_IP]       = { "ip", "ADDRESS", "let it issue for this IPv4 or IPv6 address; may be repeated", true },
    [INIT_KEY_TYPE] = KEY_TYPE_ROW,
    [INIT_DAYS]     = { "days", "N", "how long it is valid, 1 to 36500 (default 3650)", false },
    [INIT_FORCE]    = { "force", NULL, "replace files that exist", false },
    { NULL, NULL, NULL, false },
};

/* A directory that was made for nothing is removed again. */
static int write_authority(const struct command *command, const char *directory, const struct place *place, const struct pki_pair *pair, bool force)
{
    struct error error;
    bool made;
    char bundle[PKI_PATH_BYTES];
    int status = certs_set_path(command, directory, CERTS_BUNDLE, ".crt", bundle);
    if (status)
        return status;
    if (access(bundle, F_OK) == 0)
        return command_error(command, EXIT_SETUP, "%s is there, which would not hold this CA; 'certs rotate' makes a CA in the place of another", bundle);
    if (!pki_make_directory(directory, &made, &error))
        return command_error(command, EXIT_SETUP, "%s", error.text);
    status = write_files(command, place, pair, force);
    if (status && made)
        (void)remove(directory);
    return status ? status : end_output(command, EXIT_GOOD);
}

static int run_init(const struct command *command, int argc, char **argv)
{
    static const int rows[3] = { INIT_SERVICE, INIT_HOST, INIT_IP };
    struct pki_names names;
    struct options options;
    struct place place;
    struct pki_pair pair;
    struct error error;
    enum pki_key_type type;
    const char *directory = NULL;
    int status, days = 0;
    if (!options_parse(command, argc, argv, &options, &status))
        return status;
    const char *name = options.values[INIT_NAME] ? options.values[INIT_NAME] : "drawbridge CA";
    if ((status = certs_no_operands(command, &options)) || (status = certs_read_directory(command, options.values[INIT_DIR], &directory)) ||
        (status = certs_read_days(command, "days", options.values[INIT_DAYS], CERTS_AUTHORITY_DAYS, &days)) ||
        (status = read_key_type(command, options.values[INIT_KEY_TYPE], &type)) ||
        (status = certs_read_names(command, &options, rows, pki_names_add_service, &names)) ||
        (status = set_place(command, directory, CERTS_AUTHORITY, &place)))
        return status;
    if (!pki_is_plain(name, PKI_COMMON_NAME))
        return usage_error(command, "--name must be 1 to %d characters of UTF-8, none of them a control character, not '%s'", PKI_COMMON_NAME,
                           escape_text(name).text);
    if (!pki_authority_new(name, &names, days, type, &pair, &error))
        return command_error(command, EXIT_INTERNAL, "%s", error.text);
    status = write_authority(command, directory, &place, &pair, options.values[INIT_FORCE] != NULL);
    pki_pair_done(&pair);
    return status;
}

static const struct command init_command = {
    .name = "certs init",
    .operands = "",
    .summary = "make a certificate authority",
    .description =
        "Makes a certificate authority (CA): DIR/ca.crt, which clients need to trust it, and DIR/ca.key, which signs\n"
        "and stays secret. It signs serving certificates only, no further CAs. With names, it signs for these names and\n"
        "those below them only, so that whoever gets its key can pose as nobody else. 'drawbridge serve' and API servers\n"
        "take every type of key; RSA costs the server most.\n",
    .exits = {
        [EXIT_GOOD] = "done",
        [EXIT_USAGE] = "a wrong option",
        [EXIT_SETUP] = "files cannot be written",
        [EXIT_INTERNAL] = "standard output cannot be written, or the system failed",
    },
    .options = init_rows,
    .run = run_init,
};

/* ---- certs issue ---- */

enum { ISSUE_DIR, ISSUE_OUT, ISSUE_SERVICE, ISSUE_HOST, ISSUE_IP, ISSUE_KEY_TYPE, ISSUE_DAYS, ISSUE_FORCE };

static const struct option_row issue_rows[] = {
    [ISSUE_DIR]      = { "dir", "DIR", "folder with the CA, and for the files (default certs)", false },
    [ISSUE_OUT]      = { "out", "PREFIX", "the files are DIR/PREFIX.crt and DIR/PREFIX.key (default tls)", false },
    [ISSUE_SERVICE]  = { "service", "NAME.NAMESPACE", "all names of this Kubernetes service; may be repeated", true },
    [ISSUE_HOST]     = { "host", "NAME", "a DNS name, also *.NAME; may be repeated", true },
    [ISSUE_IP]       = { "ip", "ADDRESS", "an IPv4 or IPv6 address; may be repeated", true },
    [ISSUE_KEY_TYPE] = KEY_TYPE_ROW,
    [ISSUE_DAYS]     = { "days", "N", "how long it is valid, 1 to 36500, at most as long as the CA (default 365)", false },
    [ISSUE_FORCE]    = { "force", NULL, "replace files that exist", false },
    { NULL, NULL, NULL, false },
};

static int read_names(const struct command *command, const struct options *options, struct pki_names *names)
{
    static const int rows[3] = { ISSUE_SERVICE, ISSUE_HOST, ISSUE_IP };
    int status = certs_read_names(command, options, rows, pki_names_add_service, names);
    if (!status && names->count == 0)
        status = usage_error(command, "no name given: --service, --host or --ip is needed");
    return status;
}

static int print_certificate(const struct command *command, const struct pki_names *names, const struct pki_validity *validity)
{
    for (size_t i = 0; i < names->count; i++)
        printf("%s%s", i == 0 ? "names " : ", ", names->list[i].text);
    printf("\nvalid until %s\n", validity->end);
    if (validity->cut)
        (void)command_error(command, EXIT_GOOD, "the certificate ends with its CA on %s, earlier than asked for", validity->end);
    return end_output(command, EXIT_GOOD);
}

static int issue(const struct command *command, const struct place *authority_place, const struct place *place, const struct pki_names *names,
                 int days, enum pki_key_type type, bool force)
{
    struct pki_authority authority;
    struct pki_validity validity;
    struct pki_pair pair;
    struct error error;
    if (!pki_authority_load(authority_place->certificate, authority_place->key, &authority, &error))
        return command_error(command, EXIT_SETUP, "%s", error.text);
    bool issued = pki_issue(&authority, names, (int64_t)days * PKI_DAY_SECONDS, type, &pair, &validity, &error);
    pki_authority_done(&authority);
    if (!issued)
        return command_error(command, EXIT_SETUP, "%s", error.text);
    int status = write_files(command, place, &pair, force);
    pki_pair_done(&pair);
    return status ? status : print_certificate(command, names, &validity);
}

static int run_issue(const struct command *command, int argc, char **argv)
{
    struct options options;
    struct place authority, place;
    struct pki_names names;
    enum pki_key_type type;
    const char *directory = NULL, *prefix = NULL;
    int status, days = 0;
    if (!options_parse(command, argc, argv, &options, &status))
        return status;
    if ((status = certs_no_operands(command, &options)) || (status = certs_read_directory(command, options.values[ISSUE_DIR], &directory)) ||
        (status = certs_read_prefix(command, options.values[ISSUE_OUT], &prefix)) ||
        (status = certs_read_days(command, "days", options.values[ISSUE_DAYS], CERTS_SERVER_DAYS, &days)) ||
        (status = read_key_type(command, options.values[ISSUE_KEY_TYPE], &type)) || (status = read_names(command, &options, &names)) ||
        (status = set_place(command, directory, CERTS_AUTHORITY, &authority)) || (status = set_place(command, directory, prefix, &place)))
        return status;
    return issue(command, &authority, &place, &names, days, type, options.values[ISSUE_FORCE] != NULL);
}

static const struct command issue_command = {
    .name = "certs issue",
    .operands = "",
    .summary = "make a serving certificate, signed by the certificate authority",
    .description =
        "Makes a key and a serving certificate, signed by the certificate authority that 'drawbridge certs init' made\n"
        "in DIR. At least one name is needed, and 100 are the most. --service web.prod stands for the names\n"
        "web.prod.svc, which the API server calls, web.prod.svc.cluster.local, web.prod and web. 'drawbridge serve' and\n"
        "API servers take every type of key; RSA costs the server most.\n",
    .exits = {
        [EXIT_GOOD] = "done",
        [EXIT_USAGE] = "a wrong option",
        [EXIT_SETUP] = "the CA cannot be used, or files cannot be written",
        [EXIT_INTERNAL] = "standard output cannot be written, or the system failed",
    },
    .options = issue_rows,
    .run = run_issue,
};

/* ---- the program ---- */

static const struct {
    const char *name; /* behind "certs" */
    const struct command *command;
} commands[] = {
    { "init",   &init_command },
    { "issue",  &issue_command },
    { "rotate", &certs_rotate_command },
    { "show",   &certs_show_command },
    { "check",  &certs_check_command },
};

enum { COMMANDS = sizeof commands / sizeof *commands };

static void print_commands(FILE *out)
{
    fputs("Usage: drawbridge certs COMMAND [options]\n\nMakes and checks certificates for the webhook, without other tools.\n\nCommands:\n", out);
    for (int i = 0; i < COMMANDS; i++)
        fprintf(out, "  %-6s  %s\n", commands[i].name, commands[i].command->summary);
    fputs("\n'drawbridge certs COMMAND --help' shows the options of a command, 'drawbridge help certs' prints the manual page.\n", out);
}

/* drawbridge runs this program for both commands, and for the second with argv[0] "manifests". */
int main(int argc, char **argv)
{
    const char *name = argc > 1 ? argv[1] : "";
    if (argc > 0 && strcmp(argv[0], manifests_command.name) == 0)
        return manifests_command.run(&manifests_command, argc, argv);
    for (int i = 0; i < COMMANDS; i++)
        if (strcmp(name, commands[i].name) == 0)
            return commands[i].command->run(commands[i].command, argc - 1, argv + 1);
    if (strcmp(name, "--help") == 0 || strcmp(name, "-h") == 0) {
        print_commands(stdout);
        return EXIT_GOOD;
    }
    if (*name)
        fprintf(stderr, "drawbridge certs: unknown command '%s'\nTry 'drawbridge certs --help'.\n", escape_text(name).text);
    else
        print_commands(stderr);
    return EXIT_USAGE;
}
