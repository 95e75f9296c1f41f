/* drawbridge certs init, issue (rotate, show and check have files of their own): a certificate authority and serving certificates from it.
 * The main program of drawbridge-certs. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/certs.h"
#include "cli/complete.h"

/* ---- options that both commands have that make certificates ---- */

/* A folder and the beginning of two names in it. */
struct certs_files {
    char certificate[PKI_PATH_BYTES], key[PKI_PATH_BYTES];
};

/* Returns 0, or the exit status. */
static int set_place(const struct command *command, const char *directory, const char *prefix, struct certs_files *place)
{
    int status = certs_set_path(command, directory, prefix, ".crt", place->certificate);
    return status ? status : certs_set_path(command, directory, prefix, ".key", place->key);
}

/* ---- output ---- */

static int write_files(const struct command *command, const struct certs_files *place, const struct pki_pair *pair, bool force)
{
    struct error error;
    const struct pki_output outputs[] = { { place->certificate, pair->certificate, false }, { place->key, pair->key, true } };
    if (!pki_write(outputs, 2, force, &error))
        return command_failed(command, EXIT_SETUP, &error);
    printf("wrote %s\nwrote %s\n", place->certificate, place->key);
    return EXIT_GOOD;
}

/* ---- certs init ---- */

#define KEY_TYPE(type) \
    OPTION_CHOICE("key-type", "a type of key", pki_key_type_words, type, key_type, "what the key is", .default_value = "p256")

struct init_options {
    const char *directory, *name;
    struct certs_names names;
    enum pki_key_type key_type;
    unsigned days;
    bool force;
};

static bool is_common_name(const char *text)
{
    return pki_is_plain(text, PKI_COMMON_NAME);
}

static const struct option_row init_rows[] = {
    CERTS_DIR(struct init_options, "folder for the files; made if it is missing"),
    OPTION_TEXT("name", "CN", struct init_options, name, "the CA's name, at most 64 characters", .default_value = "drawbridge CA",
                .fits = is_common_name, .what = "1 to 64 characters of UTF-8, none of them a control character"),
    CERTS_NAMES(struct init_options, "let it issue for this Kubernetes service", "let it issue for this DNS name and those below it",
                "let it issue for this IPv4 or IPv6 address"),
    KEY_TYPE(struct init_options),
    CERTS_DAYS("days", struct init_options, days, CERTS_AUTHORITY_DAYS, "how long it is valid"),
    OPTION_FLAG("force", struct init_options, force, "replace files that exist"),
    { .name = NULL },
};

/* A directory that was made for nothing is removed again. */
static int write_authority(const struct command *command, const char *directory, const struct certs_files *place,
                           const struct pki_pair *pair, bool force)
{
    struct error error;
    bool made;
    char bundle[PKI_PATH_BYTES];
    int status = certs_set_path(command, directory, CERTS_BUNDLE, ".crt", bundle);
    if (status)
        return status;
    if (access(bundle, F_OK) == 0)
        return command_error(command, EXIT_SETUP,
                             "%s is there, which would not hold this CA; 'certs rotate' makes a CA in the place of another", bundle);
    if (!pki_make_directory(directory, &made, &error))
        return command_failed(command, EXIT_SETUP, &error);
    status = write_files(command, place, pair, force);
    if (status && made)
        (void)remove(directory);
    return status ? status : end_output(command, EXIT_GOOD);
}

static int run_init(const struct command *command, int argc, char **argv)
{
    struct init_options values = { .name = NULL };
    struct pki_names names;
    struct options options;
    struct certs_files place;
    struct pki_pair pair;
    struct error error;
    int status;
    if (!options_parse(command, argc, argv, &values, &options, &status))
        return status;
    if ((status = certs_read_names(command, &values.names, pki_names_add_service, &names)) ||
        (status = set_place(command, values.directory, CERTS_AUTHORITY, &place)))
        return status;
    if (!pki_authority_new(values.name, &names, (int)values.days, values.key_type, &pair, &error))
        return command_failed(command, EXIT_INTERNAL, &error);
    status = write_authority(command, values.directory, &place, &pair, values.force);
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
    .options = init_rows,
    .run = run_init,
};

/* ---- certs issue ---- */

struct issue_options {
    const char *directory, *prefix;
    struct certs_names names;
    enum pki_key_type key_type;
    unsigned days;
    bool force;
};

static const struct option_row issue_rows[] = {
    CERTS_DIR(struct issue_options, "folder with the CA, and for the files"),
    CERTS_OUT(struct issue_options, "the files are DIR/PREFIX.crt and DIR/PREFIX.key"),
    CERTS_NAMES(struct issue_options, "all names of this Kubernetes service", "a DNS name, also *.NAME", "an IPv4 or IPv6 address"),
    KEY_TYPE(struct issue_options),
    CERTS_DAYS("days", struct issue_options, days, CERTS_SERVER_DAYS, "how long it is valid, at most as long as the CA"),
    OPTION_FLAG("force", struct issue_options, force, "replace files that exist"),
    { .name = NULL },
};

static int read_names(const struct command *command, const struct issue_options *values, struct pki_names *names)
{
    int status = certs_read_names(command, &values->names, pki_names_add_service, names);
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

static int issue(const struct command *command, const struct issue_options *values, const struct certs_files *authority_place,
                 const struct certs_files *place, const struct pki_names *names)
{
    struct pki_authority authority;
    struct pki_validity validity;
    struct pki_pair pair;
    struct error error;
    if (!pki_authority_load(authority_place->certificate, authority_place->key, &authority, &error))
        return command_failed(command, EXIT_SETUP, &error);
    bool issued = pki_issue(&authority, names, (int64_t)values->days * PKI_DAY_SECONDS, values->key_type, &pair, &validity, &error);
    pki_authority_done(&authority);
    if (!issued)
        return command_failed(command, EXIT_SETUP, &error);
    int status = write_files(command, place, &pair, values->force);
    pki_pair_done(&pair);
    return status ? status : print_certificate(command, names, &validity);
}

static int run_issue(const struct command *command, int argc, char **argv)
{
    struct issue_options values = { .prefix = NULL };
    struct options options;
    struct certs_files authority, place;
    struct pki_names names;
    int status;
    if (!options_parse(command, argc, argv, &values, &options, &status))
        return status;
    if ((status = read_names(command, &values, &names)) || (status = set_place(command, values.directory, CERTS_AUTHORITY, &authority)) ||
        (status = set_place(command, values.directory, values.prefix, &place)))
        return status;
    return issue(command, &values, &authority, &place, &names);
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
    .options = issue_rows,
    .run = run_issue,
};

/* ---- the program ---- */

static const struct group_command commands[] = {
    { "init",   &init_command },
    { "issue",  &issue_command },
    { "rotate", &certs_rotate_command },
    { "show",   &certs_show_command },
    { "check",  &certs_check_command },
};

enum { COMMANDS = sizeof commands / sizeof *commands };

static void print_commands(FILE *out)
{
    fputs("Usage: drawbridge certs COMMAND [options]\n\nMakes and checks certificates for the webhook, without other tools.\n\nCommands:\n",
          out);
    for (int i = 0; i < COMMANDS; i++)
        fprintf(out, "  %-6s  %s\n", commands[i].name, commands[i].command->summary);
    fputs("\n'drawbridge certs COMMAND --help' shows the options of a command, 'drawbridge help certs' prints the manual page.\n", out);
}

static int unknown_command(const char *name)
{
    static const struct command certs = { .name = "certs" };
    struct nearest nearest = { .wanted = bytes_of(name) };
    for (int i = 0; i < COMMANDS; i++)
        near_consider(&nearest, bytes_of(commands[i].name));
    return usage_unknown(&certs, name, "a command", "", &nearest);
}

/* Offers the commands, or what fits the rest of the words to the command that is named. */
static int complete(int argc, char **argv)
{
    static const struct command certs = { .name = "certs" };
    const struct command *named = complete_group(commands, COMMANDS, argc, argv);
    return named ? complete_command(named, argc - 3, argv + 3) : complete_end(&certs, false);
}

/* drawbridge runs this program for both commands, and for the second with argv[0] "manifests". */
int main(int argc, char **argv)
{
    const char *name = argc > 1 ? argv[1] : "";
    certs_memory_begin();
    if (argc > 0 && strcmp(argv[0], manifests_command.name) == 0)
        return manifests_command.run(&manifests_command, argc, argv);
    for (int i = 0; i < COMMANDS; i++)
        if (strcmp(name, commands[i].name) == 0)
            return commands[i].command->run(commands[i].command, argc - 1, argv + 1);
    if (strcmp(name, COMPLETE_WORD) == 0)
        return complete(argc, argv);
    if (strcmp(name, "--help") == 0 || strcmp(name, "-h") == 0) {
        print_commands(stdout);
        return EXIT_GOOD;
    }
    if (*name)
        return unknown_command(name);
    print_commands(stderr);
    return EXIT_USAGE;
}
