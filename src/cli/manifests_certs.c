/* Certificates for the manifests: taken from a folder as `drawbridge certs` leaves it, and made there when they are missing. */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "cli/certs.h"
#include "cli/manifests.h"
#include "pki/bundle.h"
#include "pki/validate.h"

struct places {
    char authority[PKI_PATH_BYTES], authority_key[PKI_PATH_BYTES], bundle[PKI_PATH_BYTES], certificate[PKI_PATH_BYTES], key[PKI_PATH_BYTES];
};

static bool is_there(const char *path)
{
    return access(path, F_OK) == 0;
}

static int set_places(const struct command *command, const char *directory, struct places *places)
{
    const struct {
        const char *name, *ending;
        char *path;
    } files[] = {
        { CERTS_AUTHORITY, ".crt", places->authority }, { CERTS_AUTHORITY, ".key", places->authority_key },
        { CERTS_BUNDLE, ".crt", places->bundle },
        { CERTS_SERVING, ".crt", places->certificate },
        { CERTS_SERVING, ".key", places->key },
    };
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        int status = certs_set_path(command, directory, files[i].name, files[i].ending, files[i].path);
        if (status)
            return status;
    }
    if (!is_there(places->bundle)) /* only while certificates of an old CA are about */
        memcpy(places->bundle, places->authority, sizeof places->bundle);
    return EXIT_GOOD;
}

/* ---- names ---- */

/* The host of a URL that was checked: what is between "//" and the port or path, without brackets. */
static void url_host(const char *url, char host[MANIFESTS_URL_BYTES])
{
    const char *at = url + strlen("https://");
    bool brackets = *at == '[';
    size_t length = strcspn(at + brackets, brackets ? "]" : ":/");
    (void)snprintf(host, MANIFESTS_URL_BYTES, "%.*s", (int)length, at + brackets);
}

static bool add_host(const char *url, struct pki_names *names, struct error *error)
{
    char host[MANIFESTS_URL_BYTES];
    struct error no_address;
    url_host(url, host);
    return pki_names_add_address(names, host, &no_address) || pki_names_add_host(names, host, error);
}

bool manifests_called_name(const struct manifests *manifests, struct pki_names *names, struct error *error)
{
    char service[PKI_HOST_BYTES + 1];
    (void)snprintf(service, sizeof service, MANIFESTS_NAME ".%s", manifests->namespace);
    return manifests->url ? add_host(manifests->url, names, error) : pki_names_add_called(names, service, error);
}

/* All names of the service, and what --url calls. */
static bool certificate_names(const struct manifests *manifests, struct pki_names *names, struct error *error)
{
    char service[PKI_HOST_BYTES + 1];
    (void)snprintf(service, sizeof service, MANIFESTS_NAME ".%s", manifests->namespace);
    return pki_names_add_service(names, service, error) && (!manifests->url || add_host(manifests->url, names, error));
}

/* ---- making ---- */

/* Standard output is for YAML. */
static int write_pair(const struct command *command, const char *certificate, const char *key, const struct pki_pair *pair)
{
    struct error error;
    const struct pki_output outputs[] = { { certificate, pair->certificate, false }, { key, pair->key, true } };
    if (!pki_write(outputs, 2, false, &error))
        return command_failed(command, EXIT_SETUP, &error);
    fprintf(stderr, "wrote %s\nwrote %s\n", certificate, key);
    return EXIT_GOOD;
}

/* It can issue for nobody else. */
static int make_authority(const struct command *command, const struct manifests *manifests, const char *directory,
                          const struct places *places)
{
    struct pki_names names = { .count = 0 };
    struct pki_pair pair;
    struct error error;
    bool made;
    if (is_there(places->certificate))
        return command_error(command, EXIT_SETUP, "%s is there, but no %s, which is what API servers shall trust", places->certificate,
                             places->authority);
    if (!certificate_names(manifests, &names, &error) || !pki_make_directory(directory, &made, &error))
        return command_failed(command, EXIT_SETUP, &error);
    if (!pki_authority_new(MANIFESTS_NAME " CA", &names, CERTS_AUTHORITY_DAYS, PKI_KEY_P256, &pair, &error))
        return command_failed(command, EXIT_INTERNAL, &error);
    int status = write_pair(command, places->authority, places->authority_key, &pair);
    pki_pair_done(&pair);
    return status;
}

static int make_certificate(const struct command *command, const struct manifests *manifests, const struct places *places)
{
    struct pki_names names = { .count = 0 };
    struct pki_authority authority;
    struct pki_validity validity;
    struct pki_pair pair;
    struct error error;
    if (!certificate_names(manifests, &names, &error) || !pki_authority_load(places->authority, places->authority_key, &authority, &error))
        return command_failed(command, EXIT_SETUP, &error);
    bool issued = pki_issue(&authority, &names, (int64_t)CERTS_SERVER_DAYS * PKI_DAY_SECONDS, PKI_KEY_P256, &pair, &validity, &error);
    pki_authority_done(&authority);
    if (!issued)
        return command_failed(command, EXIT_SETUP, &error);
    int status = write_pair(command, places->certificate, places->key, &pair);
    pki_pair_done(&pair);
    return status;
}

/* ---- reading ---- */

static void print_problems(const struct pki_report *report)
{
    for (size_t i = 0; i < report->count; i++) {
        const struct pki_problem *problem = &report->list[i];
        fprintf(stderr, "%s: %s: %s; %s [%s]\n", escape_text(problem->file).text,
                pki_problem_level(problem->id) == PKI_ERROR ? "error" : "warning", problem->text, pki_problem_advice(problem->id),
                pki_problem_name(problem->id));
    }
}

/* What `drawbridge certs check` would say; an error is one here, too. */
static int validate_certificate(const struct command *command, const struct manifests *manifests, const struct places *places)
{
    struct pki_names names = { .count = 0 };
    struct pki_report report = { .count = 0 };
    struct error error;
    char end[PKI_TIME_BYTES];
    const struct pki_question question = { places->certificate, places->key, places->bundle, &names, CERTS_WARN_DAYS };
    if (!manifests_called_name(manifests, &names, &error) || !pki_validate(&question, &report, end, &error))
        return command_failed(command, EXIT_SETUP, &error);
    print_problems(&report);
    if (report.failed)
        return command_error(command, EXIT_INTERNAL, "cannot check %s: out of memory", places->certificate);
    return report.refused ? command_error(command, EXIT_SETUP, "API servers would refuse the certificate in %s", places->certificate)
                          : EXIT_GOOD;
}

static int read_serving_pair(const struct command *command, const struct places *places, struct manifests *manifests)
{
    struct error error;
    int status = is_there(places->certificate) ? EXIT_GOOD : make_certificate(command, manifests, places);
    if (status || (status = validate_certificate(command, manifests, places)))
        return status;
    if (!pki_pair_load(places->certificate, places->key, &manifests->pair, &error))
        return command_failed(command, EXIT_SETUP, &error);
    return EXIT_GOOD;
}

/* The texts as they are, once they have been seen to be a CA that can sign. */
static int read_authority_pair(const struct command *command, const struct places *places, struct manifests *manifests)
{
    struct pki_authority authority;
    struct error error;
    if (!pki_authority_load(places->authority, places->authority_key, &authority, &error))
        return command_failed(command, EXIT_SETUP, &error);
    pki_authority_done(&authority);
    if (!pki_read(places->authority, &manifests->pair.certificate, &error) ||
        !pki_read(places->authority_key, &manifests->pair.key, &error))
        return command_failed(command, EXIT_SETUP, &error);
    return EXIT_GOOD;
}

/* It is shown to everybody who may read the webhook's configuration, so nothing but certificates may be in it. */
static int read_bundle(const struct command *command, const struct places *places, struct manifests *manifests)
{
    struct pki_bundle bundle = { .count = 0 };
    struct error error;
    bool good = pki_read(places->bundle, &manifests->authority, &error) &&
                pki_bundle_parse(manifests->authority, places->bundle, &bundle, &error);
    if (good && bundle.count == 0)
        good = pki_fail(&error, "there is no certificate in %s", escape_text(places->bundle).text);
    for (size_t i = 0; i < bundle.count && good; i++)
        if (bundle.blocks[i].kind != PKI_BLOCK_CERTIFICATE)
            good = pki_fail(&error, "%s holds more than certificates; it must not, as everybody can read the caBundle",
                            escape_text(places->bundle).text);
    pki_bundle_done(&bundle);
    return good ? EXIT_GOOD : command_failed(command, EXIT_SETUP, &error);
}

int manifests_read_certificates(const struct command *command, struct manifests *manifests)
{
    struct places places;
    bool secret = manifests_want(manifests, PART_SECRET), webhook = manifests_want(manifests, PART_WEBHOOK);
    if (manifests->no_certificates || (!secret && !webhook))
        return EXIT_GOOD;
    int status = set_places(command, manifests->directory, &places);
    if (!status && !is_there(places.authority))
        status = make_authority(command, manifests, manifests->directory, &places);
    if (!status && secret)
        status = manifests->own_authority ? read_authority_pair(command, &places, manifests)
                                          : read_serving_pair(command, &places, manifests);
    return !status && webhook ? read_bundle(command, &places, manifests) : status;
}
