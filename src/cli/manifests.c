/* drawbridge manifests: YAML for a cluster. Part of drawbridge-certs, as it makes certificates. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/memory.h"
#include "cli/certs.h"
#include "cli/configuration.h"
#include "cli/manifests.h"
#include "drawbridge.h"

enum { NAMESPACE, IMAGE, REPLICAS, CERTS, OWN_CA, WITHOUT_CERTIFICATES, KUBERNETES_VERSION, MODE, CONFIG, CONTROLLERS, FAILURE_POLICY, URL,
       METRICS_NAMESPACE, ONLY };

static const struct option_row rows[] = {
    [NAMESPACE] = { "namespace", "NAME",
                    "namespace of all objects; printed, too, but not default and kube-* (default drawbridge-system)", false },
    [IMAGE] = { "image", "IMAGE", "container image (default drawbridge:" DRAWBRIDGE_VERSION ")", false },
    [REPLICAS] = { "replicas", "N", "number of pods, 1 to 100 (default 2)", false },
    [CERTS] = { "certs", "DIR", "folder with ca.crt, tls.crt and their keys; what is missing is made there (default certs)", false },
    [OWN_CA] = { "own-ca", NULL, "give the pods the CA and its key: they issue and renew their certificates themselves", false },
    [WITHOUT_CERTIFICATES] = { "without-certificates", NULL,
                               "print no Secret, and a placeholder for the caBundle, which API servers refuse", false },
    [KUBERNETES_VERSION] = { "kubernetes-version", "V",
                             "deny what an API server of that version refuses, 1.31 to 1.36; without it, only warn", false },
    [MODE] = { "mode", "MODE", "enforce, warn or audit (default enforce)", false },
    [CONFIG] = { "config", "FILE", "the webhook's configuration, in place of the two options above", false },
    [CONTROLLERS] = { "controllers", NULL, "also register for what nodes and controllers write, and for status", false },
    [FAILURE_POLICY] = { "failure-policy", "POLICY",
                         "Ignore, or Fail: refuse everything while no webhook answers (default Ignore)", false },
    [URL] = { "url", "URL", "have API servers call https://HOST[:PORT][/PATH], not the service", false },
    [METRICS_NAMESPACE] = { "metrics-namespace", "NAME",
                            "whose pods may read metrics, as Prometheus does, or none; may be repeated (default monitoring)", true },
    [ONLY] = { "only", "KIND,...", "print only objects of these kinds; 'webhook' is short for the last one", false },
    { NULL, NULL, NULL, false },
};

static const char *const kind_names[] = {
    [PART_NAMESPACE] = "Namespace",
    [PART_SERVICE_ACCOUNT] = "ServiceAccount",
    [PART_SECRET] = "Secret",
    [PART_CONFIG_MAP] = "ConfigMap",
    [PART_DEPLOYMENT] = "Deployment",
    [PART_SERVICE] = "Service",
    [PART_DISRUPTION_BUDGET] = "PodDisruptionBudget",
    [PART_NETWORK_POLICY] = "NetworkPolicy",
    [PART_WEBHOOK] = "ValidatingWebhookConfiguration",
};
_Static_assert(sizeof kind_names / sizeof *kind_names == PART_COUNT, "a name for each part");

/* ---- options; each returns 0, or the exit status after a message ---- */

#define DIGITS "0123456789"
#define LOWER "abcdefghijklmnopqrstuvwxyz"
#define LETTERS LOWER "ABCDEFGHIJKLMNOPQRSTUVWXYZ"

static bool is_label(const char *text)
{
    size_t length = strlen(text);
    return length && length <= PKI_LABEL_BYTES && text[strspn(text, LOWER DIGITS "-")] == '\0' && *text != '-' && text[length - 1] != '-';
}

static int read_namespace(const struct command *command, const char *value, struct manifests *manifests)
{
    manifests->namespace = value ? value : "drawbridge-system";
    if (is_label(manifests->namespace))
        return EXIT_GOOD;
    return usage_error(command, "--namespace must be a DNS label, not '%s'", escape_text(manifests->namespace).text);
}

static int read_metrics_namespaces(const struct command *command, const struct options *options, struct manifests *manifests)
{
    const char *name = options->values[METRICS_NAMESPACE];
    manifests->metrics_namespaces[0] = "monitoring";
    manifests->metrics_namespace_count = !name;
    if (name && strcmp(name, "none") == 0 && !options_next(command, options, METRICS_NAMESPACE, 1))
        return EXIT_GOOD;
    for (int i = 0; (name = options_next(command, options, METRICS_NAMESPACE, i)); i++) {
        if (i == MANIFESTS_METRICS_NAMESPACES)
            return usage_error(command, "--metrics-namespace may be given %d times", MANIFESTS_METRICS_NAMESPACES);
        if (!is_label(name) || strcmp(name, "none") == 0)
            return usage_error(command, "--metrics-namespace must be a DNS label, or none alone, not '%s'", escape_text(name).text);
        manifests->metrics_namespaces[manifests->metrics_namespace_count++] = name;
    }
    return EXIT_GOOD;
}

/* As far as it matters here: nothing that YAML could take for something else. The rest is up to the registry. */
static int read_image(const struct command *command, const char *value, struct manifests *manifests)
{
    manifests->image = value ? value : "drawbridge:" DRAWBRIDGE_VERSION;
    const char *text = manifests->image;
    if (*text && strlen(text) <= MANIFESTS_IMAGE_BYTES && strspn(text, LETTERS DIGITS) && text[strspn(text, LETTERS DIGITS "._-/:@")] == '\0')
        return EXIT_GOOD;
    return usage_error(command, "--image must be the name of a container image, not '%s'", escape_text(text).text);
}

static int read_replicas(const struct command *command, const char *value, struct manifests *manifests)
{
    char *end = NULL;
    errno = 0;
    long number = value ? strtol(value, &end, 10) : 2;
    if (value && (errno || *value < '0' || *value > '9' || *end || number < 1 || number > MANIFESTS_REPLICAS))
        return usage_error(command, "--replicas must be a number from 1 to %d, not '%s'", MANIFESTS_REPLICAS, escape_text(value).text);
    manifests->replicas = (int)number;
    return EXIT_GOOD;
}

static int read_directory(const struct command *command, const char *value, struct manifests *manifests)
{
    if (value && !pki_is_plain(value, PKI_PATH_BYTES))
        return usage_error(command, "--certs must be a path in UTF-8 without control characters, not '%s'", escape_text(value).text);
    manifests->directory = value ? value : "certs";
    return EXIT_GOOD;
}

/* Printed in quotes, so that 1.3 is no number; the version's own characters need no escape. */
static int read_version(const struct command *command, const char *value, struct manifests *manifests)
{
    minor version;
    if (value && !version_read(value, &version))
        return usage_error(command, "'%s' is no Kubernetes version from 1.31 to 1.36", escape_text(value).text);
    manifests->version = value;
    return EXIT_GOOD;
}

static int read_words(const struct command *command, const struct options *options, struct manifests *manifests)
{
    static const char *const modes[] = { "enforce", "warn", "audit", NULL }, *const policies[] = { "Ignore", "Fail", NULL };
    int mode = choose(command, "mode", options->values[MODE], modes), policy = choose(command, "failure-policy", options->values[FAILURE_POLICY], policies);
    if (mode < 0 || policy < 0)
        return EXIT_USAGE;
    manifests->mode = options->values[MODE];
    manifests->fail = policy == 1;
    return EXIT_GOOD;
}

/* Whether it is ":PORT" and a path, each of them or none. */
static bool is_url_rest(const char *text)
{
    char *end;
    if (*text == ':') {
        unsigned long port = strtoul(text + 1, &end, 10);
        if (text[1] < '0' || text[1] > '9' || port < 1 || port > 65535)
            return false;
        text = end;
    }
    return *text == '\0' || (*text == '/' && text[strspn(text, LETTERS DIGITS "/._~-")] == '\0');
}

/* The host is asked about once more when the certificate is looked at. */
static int read_url(const struct command *command, const char *value, struct manifests *manifests)
{
    static const char scheme[] = "https://";
    struct pki_names names = { .count = 0 };
    struct error error;
    manifests->url = value;
    if (!value)
        return EXIT_GOOD;
    if (strlen(value) >= MANIFESTS_URL_BYTES || strncmp(value, scheme, strlen(scheme)) != 0)
        return usage_error(command, "--url must begin with https:// and have less than %d bytes, not be '%s'", MANIFESTS_URL_BYTES, escape_text(value).text);
    const char *host = value + strlen(scheme), *end = *host == '[' ? strchr(host, ']') : NULL;
    const char *rest = end ? end + 1 : host + strcspn(host, ":/");
    if (*host == '*' || (*host == '[' && !end))
        return usage_error(command, "--url: '%s' is no host that can be called", escape_text(host).text);
    if (!is_url_rest(rest))
        return usage_error(command, "--url: '%s' is no port and path", escape_text(rest).text);
    if (!manifests_called_name(manifests, &names, &error))
        return usage_error(command, "--url: %s", error.text);
    return EXIT_GOOD;
}

/* Labels of restricted pod security would keep the cluster's own pods from starting there. */
static bool is_clusters_own(const char *namespace)
{
    return strcmp(namespace, "default") == 0 || strncmp(namespace, "kube-", strlen("kube-")) == 0;
}

static bool find_kind(const char *name, unsigned *parts)
{
    for (int part = 0; part < PART_COUNT; part++)
        if (strcasecmp(name, kind_names[part]) == 0 || (part == PART_WEBHOOK && strcasecmp(name, "webhook") == 0)) {
            *parts |= 1u << part;
            return true;
        }
    return false;
}

static int read_only(const struct command *command, const char *value, struct manifests *manifests)
{
    char name[MANIFESTS_KIND_BYTES];
    manifests->parts = value ? 0 : (1u << PART_COUNT) - 1;
    for (const char *at = value; at; at = *at ? at + 1 : NULL) {
        size_t length = strcspn(at, ",");
        (void)snprintf(name, sizeof name, "%.*s", (int)(length < sizeof name ? length : sizeof name - 1), at);
        if (!find_kind(name, &manifests->parts))
            return usage_error(command, "--only: '%s' is no kind that is printed", escape_text(name).text);
        at += length;
    }
    if (manifests->no_certificates)
        manifests->parts &= ~(1u << PART_SECRET);
    if (is_clusters_own(manifests->namespace))
        manifests->parts &= ~(1u << PART_NAMESPACE);
    return EXIT_GOOD;
}

/* ---- the configuration ---- */

/* As `serve` would say it, before it gets into a cluster. */
static int validate_config(const struct command *command, const char *path, struct bytes text)
{
    struct configuration configuration;
    struct configuration_mistakes mistakes;
    enum failure failure = configuration_read(&memory_malloc, text, &configuration, &mistakes);
    if (failure)
        return configuration_error(command, EXIT_USAGE, path, failure, &mistakes);
    configuration_warnings(command, path, &mistakes);
    configuration_done(&configuration);
    return EXIT_GOOD;
}

/* A NUL would cut it off, and YAML has none. */
static int keep_config(const struct command *command, const char *path, struct bytes text, struct manifests *manifests)
{
    manifests->config = strndup(text.data, text.length);
    if (!manifests->config)
        return command_error(command, EXIT_INTERNAL, "out of memory");
    if (strlen(manifests->config) != text.length || !yaml_is_text(manifests->config))
        return command_error(command, EXIT_USAGE, "%s is no text in UTF-8", escape_text(path).text);
    return validate_config(command, path, text);
}

static int read_config(const struct command *command, const struct options *options, struct manifests *manifests)
{
    const char *path = options->values[CONFIG];
    struct buffer text = { NULL, 0 };
    if (!path)
        return EXIT_GOOD;
    if (manifests->mode || manifests->version)
        return usage_error(command, "--config is in place of --mode and --kubernetes-version; write them into the file");
    int status = configuration_text(command, EXIT_USAGE, path, MANIFESTS_CONFIG_BYTES, &text);
    if (!status)
        status = keep_config(command, path, buffer_bytes(&text), manifests);
    buffer_free(&text);
    return status;
}

/* ---- the command ---- */

static int read_options(const struct command *command, const struct options *options, struct manifests *manifests)
{
    int status;
    manifests->own_authority = options->values[OWN_CA] != NULL;
    manifests->no_certificates = options->values[WITHOUT_CERTIFICATES] != NULL;
    manifests->controllers = options->values[CONTROLLERS] != NULL;
    if ((status = certs_no_operands(command, options)) || (status = read_namespace(command, options->values[NAMESPACE], manifests)) ||
        (status = read_image(command, options->values[IMAGE], manifests)) || (status = read_replicas(command, options->values[REPLICAS], manifests)) ||
        (status = read_directory(command, options->values[CERTS], manifests)) ||
        (status = read_version(command, options->values[KUBERNETES_VERSION], manifests)) || (status = read_words(command, options, manifests)) ||
        (status = read_url(command, options->values[URL], manifests)) ||
        (status = read_metrics_namespaces(command, options, manifests)) || (status = read_only(command, options->values[ONLY], manifests)))
        return status;
    return read_config(command, options, manifests);
}

static int print(const struct command *command, struct manifests *manifests)
{
    int status = manifests_read_certificates(command, manifests);
    if (status)
        return status;
    if (manifests->fail && manifests_want(manifests, PART_WEBHOOK))
        manifests_print_risks(manifests);
    manifests_print(manifests);
    return end_output(command, EXIT_GOOD);
}

static int run(const struct command *command, int argc, char **argv)
{
    struct manifests manifests = { .parts = 0 };
    struct options options;
    int status;
    if (!options_parse(command, argc, argv, &options, &status))
        return status;
    status = read_options(command, &options, &manifests);
    if (!status)
        status = print(command, &manifests);
    free(manifests.config);
    pki_text_free(manifests.authority);
    pki_pair_done(&manifests.pair);
    return status;
}

const struct command manifests_command = {
    .name = "manifests",
    .operands = "",
    .summary = "print YAML for a cluster",
    .description =
        "Prints what a cluster needs, for 'kubectl apply -f -': Namespace, ServiceAccount, Secret, ConfigMap, Deployment,\n"
        "Service, PodDisruptionBudget, NetworkPolicy, and ValidatingWebhookConfiguration with the caBundle. The Secret holds\n"
        "a private key, so the output is as secret as that. The caBundle is ca-bundle.crt if 'drawbridge certs rotate' left\n"
        "one, otherwise ca.crt.\n\n"
        "In an emergency: kubectl delete validatingwebhookconfiguration drawbridge\n",
    .exits = {
        [EXIT_GOOD] = "done",
        [EXIT_USAGE] = "a wrong option, or a configuration with mistakes",
        [EXIT_SETUP] = "certificates cannot be used or written",
        [EXIT_INTERNAL] = "standard output cannot be written, or the system failed",
    },
    .options = rows,
    .run = run,
};
