/* drawbridge certs check: would an API server take this certificate? */
#include <stdio.h>

#include "cli/certs.h"
#include "pki/validate.h"

enum { DAYS = 30 };

enum { CERT, KEY, CA, SERVICE, HOST, IP, DAYS_LEFT, FORMAT };

static const struct option_row rows[] = {
    [CERT]      = { "cert", "FILE", "the certificate chain of the server, PEM", false },
    [KEY]       = { "key", "FILE", "its private key, PEM", false },
    [CA]        = { "ca", "FILE", "the CA's certificates, PEM: what the caBundle holds", false },
    [SERVICE]   = { "service", "NAME.NAMESPACE", "the Kubernetes service that the API server calls; may be repeated", true },
    [HOST]      = { "host", "NAME", "a DNS name that clients call; may be repeated", true },
    [IP]        = { "ip", "ADDRESS", "an IPv4 or IPv6 address that clients call; may be repeated", true },
    [DAYS_LEFT] = { "days", "N", "warn of a certificate that ends in less than this, 1 to 36500 (default 30)", false },
    [FORMAT]    = { "format", "FORMAT", "text for people, or json: one object a line for each problem (default text)", false },
    { NULL, NULL, NULL, false },
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
        return command_error(command, EXIT_SETUP, "%s", error.text);
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
            return usage_error(command, "'%s' is no name that a client can call", names->list[i].text);
    return EXIT_GOOD;
}

static int run(const struct command *command, int argc, char **argv)
{
    static const int name_rows[3] = { SERVICE, HOST, IP };
    struct options options;
    struct pki_names names;
    bool json = false;
    int status, days = 0;
    if (!options_parse(command, argc, argv, &options, &status))
        return status;
    if ((status = certs_no_operands(command, &options)) || (status = certs_read_days(command, "days", options.values[DAYS_LEFT], DAYS, &days)) ||
        (status = certs_read_format(command, options.values[FORMAT], &json)) ||
        (status = certs_read_names(command, &options, name_rows, pki_names_add_called, &names)) || (status = refuse_patterns(command, &names)))
        return status;
    if (!options.values[CERT])
        return usage_error(command, "--cert is needed");
    struct pki_question question = { options.values[CERT], options.values[KEY], options.values[CA], &names, days };
    return check(command, &question, json);
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
    .exits = {
        [EXIT_GOOD] = "an API server would take it",
        [EXIT_FOUND] = "an API server would refuse it",
        [EXIT_USAGE] = "a wrong option",
        [EXIT_SETUP] = "a file cannot be read",
        [EXIT_INTERNAL] = "standard output cannot be written, or the system failed",
    },
    .options = rows,
    .run = run,
};
