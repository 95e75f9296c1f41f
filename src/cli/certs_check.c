/* drawbridge certs check: would an API server take this certificate? */
#include <stdio.h>

#include "cli/certs.h"
#include "pki/validate.h"

struct check_options {
    const char *certificate, *key, *authority;
    struct certs_names names;
    unsigned days;
    enum certs_format format;
};

static const struct option_row rows[] = {
    OPTION_TEXT("cert", "FILE", struct check_options, certificate, "the certificate chain of the server, PEM", .required = true),
    OPTION_TEXT("key", "FILE", struct check_options, key, "its private key, PEM"),
    OPTION_TEXT("ca", "FILE", struct check_options, authority, "the CA's certificates, PEM: what the caBundle holds"),
    CERTS_NAMES(struct check_options, "the Kubernetes service that the API server calls", "a DNS name that clients call",
                "an IPv4 or IPv6 address that clients call"),
    CERTS_DAYS("days", struct check_options, days, CERTS_WARN_DAYS, "warn of a certificate that ends in less than this"),
    CERTS_FORMAT(struct check_options, "one object a line for each problem"),
    { .name = NULL },
};

static const char *level_name(const struct pki_problem *problem)
{
    return pki_problem_level(problem->id) == PKI_ERROR ? "error" : "warning";
}

/* ---- text ---- */

static void print_problem(const struct pki_problem *problem)
{
    printf("%s: ", escape_text(problem->file).text);
    if (problem->certificate)
        printf("certificate %u: ", problem->certificate);
    printf("%s: %s; %s [%s]\n", level_name(problem), problem->text, pki_problem_advice(problem->id), pki_problem_name(problem->id));
}

static void print_verdict(const struct pki_question *question, const struct pki_report *report, const char *end)
{
    if (report->more)
        printf("and %zu more\n", report->more);
    if (report->refused)
        return;
    printf("%s: an API server takes it", escape_text(question->certificate_file).text);
    for (size_t i = 0; i < question->names->count; i++)
        printf("%s%s", i ? ", " : " for ", question->names->list[i].text);
    printf(", until %s%s\n", end, question->authority_file ? "" : " (if it trusts who signed it: no --ca was given)");
}

/* ---- JSON ---- */

static bool print_json(const struct pki_problem *problem)
{
    cJSON *object = cJSON_CreateObject();
    bool good = object && cJSON_AddStringToObject(object, "level", level_name(problem)) &&
                cJSON_AddStringToObject(object, "problem", pki_problem_name(problem->id)) &&
                cJSON_AddStringToObject(object, "file", escape_text(problem->file).text) &&
                (!problem->certificate || cJSON_AddNumberToObject(object, "certificate", problem->certificate)) &&
                cJSON_AddStringToObject(object, "message", problem->text) &&
                cJSON_AddStringToObject(object, "advice", pki_problem_advice(problem->id));
    if (good)
        return certs_print_json(object);
    cJSON_Delete(object);
    return false;
}

/* ---- the command ---- */

static int check(const struct command *command, const struct pki_question *question, bool json)
{
    struct pki_report report = { .count = 0 };
    struct error error;
    char end[PKI_TIME_BYTES];
    if (!pki_validate(question, &report, end, &error))
        return command_failed(command, EXIT_SETUP, &error);
    bool good = !report.failed;
    for (size_t i = 0; i < report.count && good; i++)
        if (json)
            good = print_json(&report.list[i]);
        else
            print_problem(&report.list[i]);
    if (!good)
        return command_error(command, EXIT_INTERNAL, "cannot check %s: out of memory", escape_text(question->certificate_file).text);
    if (!json)
        print_verdict(question, &report, end);
    return end_output(command, report.refused ? EXIT_FOUND : EXIT_GOOD);
}

/* A pattern is nothing that a client asks for. */
static int refuse_patterns(const struct command *command, const struct pki_names *names)
{
    for (size_t i = 0; i < names->count; i++)
        if (names->list[i].text[0] == '*')
            return usage_error(command, "--host: \"%s\" is not a name that a client can call", names->list[i].text);
    return EXIT_GOOD;
}

static int run(const struct command *command, int argc, char **argv)
{
    struct check_options values = { .key = NULL };
    struct options options;
    struct pki_names names;
    int status;
    if (!options_parse(command, argc, argv, &values, &options, &status))
        return status;
    if ((status = certs_read_names(command, &values.names, pki_names_add_called, &names)) || (status = refuse_patterns(command, &names)))
        return status;
    const struct pki_question question = { values.certificate, values.key, values.authority, &names, (int)values.days };
    return check(command, &question, values.format == CERTS_JSON);
}

const struct command certs_check_command = {
    .name = "certs check",
    .operands = "",
    .summary = "say what an API server would refuse in a certificate, and what to do",
    .description =
        "Checks the files of a webhook as a Kubernetes API server does, which trusts only the caBundle and calls the\n"
        "webhook NAME.NAMESPACE.svc. Prints one line for each problem, with what to do. A warning is nothing that is\n"
        "refused now. Without --ca, whoever signed the end of the chain is trusted. Revocation is not checked, as API\n"
        "servers do not check it.\n",
    .options = rows,
    .run = run,
};
