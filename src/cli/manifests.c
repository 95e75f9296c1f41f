/* drawbridge manifests: YAML for a cluster. Part of drawbridge-certs, as it makes certificates. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/memory.h"
#include "cli/certs.h"
#include "cli/configuration.h"
#include "cli/manifests.h"
#include "drawbridge.h"
#include "review/enforcement.h"
#include "review/limits.h"

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

/* ---- options ---- */

/* Adds the part of that kind. */
static bool find_kind(struct bytes name, unsigned *parts)
{
    for (int part = 0; part < PART_COUNT; part++) {
        bool is_short = part == PART_WEBHOOK && name.length == strlen("webhook") && strncasecmp(name.data, "webhook", name.length) == 0;
        if (is_short || (name.length == strlen(kind_names[part]) && strncasecmp(name.data, kind_names[part], name.length) == 0)) {
            *parts |= 1u << part;
            return true;
        }
    }
    return false;
}

static bool unknown_kind(struct bytes name, struct error *error)
{
    char text[2 * LIMIT_QUOTE_BYTES]; /* more is cut when it is quoted */
    struct nearest nearest = { .wanted = name };
    for (int part = 0; part < PART_COUNT; part++)
        near_consider(&nearest, bytes_of(kind_names[part]));
    snprintf(text, sizeof text, "%.*s", (int)(name.length < sizeof text ? name.length : sizeof text - 1), name.data);
    return option_unknown(error, text, "a kind that is printed", "", &nearest);
}

#define DIGITS "0123456789"
#define LOWER "abcdefghijklmnopqrstuvwxyz"
#define LETTERS LOWER "ABCDEFGHIJKLMNOPQRSTUVWXYZ"

static bool is_label(const char *text)
{
    size_t length = strlen(text);
    return length && length <= PKI_LABEL_BYTES && text[strspn(text, LOWER DIGITS "-")] == '\0' && *text != '-' && text[length - 1] != '-';
}

/* As far as it matters here: nothing that YAML could take for something else. The rest is up to the registry. */
static bool is_image(const char *text)
{
    return *text && strlen(text) <= MANIFESTS_IMAGE_BYTES && strspn(text, LETTERS DIGITS) &&
           text[strspn(text, LETTERS DIGITS "._-/:@")] == '\0';
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

/* The host itself is checked as the name that API servers call. */
static bool is_url(const char *text)
{
    static const char scheme[] = "https://";
    if (strlen(text) >= MANIFESTS_URL_BYTES || strncmp(text, scheme, strlen(scheme)) != 0)
        return false;
    const char *host = text + strlen(scheme), *end = *host == '[' ? strchr(host, ']') : NULL;
    return *host != '*' && (*host != '[' || end) && is_url_rest(end ? end + 1 : host + strcspn(host, ":/"));
}

/* The parts are those of the last --only. */
static bool parse_only(const char *text, void *value, struct error *error)
{
    unsigned *parts = value;
    *parts = 0;
    for (const char *at = text; at;) {
        size_t length = strcspn(at, ",");
        const struct bytes name = { at, (uint32_t)length };
        if (!find_kind(name, parts))
            return unknown_kind(name, error);
        at = at[length] ? at + length + 1 : NULL;
    }
    return true;
}

static const char *const failure_policies[] = { [FAILURE_POLICY_IGNORE] = "Ignore", [FAILURE_POLICY_FAIL] = "Fail", NULL };

static const struct option_row rows[] = {
    OPTION_TEXT("namespace", "NAME", struct manifests, namespace, "namespace of all objects; printed, too, but not default and kube-*",
                .default_value = "drawbridge-system", .fits = is_label, .what = "a DNS label"),
    OPTION_TEXT("image", "IMAGE", struct manifests, image, "container image", .default_value = "drawbridge:" DRAWBRIDGE_VERSION,
                .fits = is_image, .what = "the name of a container image"),
    OPTION_NUMBER("replicas", "N", OPTION_COUNT, 1, MANIFESTS_REPLICAS, struct manifests, replicas, "number of pods",
                  .default_value = "2"),
    OPTION_TEXT("certs", "DIR", struct manifests, directory,
                "folder with ca.crt, tls.crt and their keys; what is missing is made there", .default_value = "certs",
                .fits = certs_is_path, .what = CERTS_PATH),
    OPTION_FLAG("own-ca", struct manifests, own_authority,
                "give the pods the CA and its key: they issue and renew their certificates themselves"),
    OPTION_FLAG("without-certificates", struct manifests, no_certificates,
                "print no Secret, and a placeholder for the caBundle, which API servers refuse"),
    OPTION_VERSION(struct manifests, version, "deny what an API server of that version refuses; without it, only warn",
                   .excludes = "config"),
    OPTION_CHOICE("mode", "a mode", enforcement_words, struct manifests, mode,
                  "what the webhook does with what would be denied; without it, enforce", .excludes = "config"),
    OPTION_TEXT("config", "FILE", struct manifests, config_file, "the webhook's configuration, in place of the two options above"),
    OPTION_FLAG("controllers", struct manifests, controllers, "also register for what nodes and controllers write, and for status"),
    OPTION_CHOICE("failure-policy", "a failure policy", failure_policies, struct manifests, failure_policy,
                  "whether to let everything pass, or refuse everything, while no webhook answers", .default_value = "Ignore"),
    OPTION_TEXT("url", "URL", struct manifests, url, "have API servers call https://HOST[:PORT][/PATH], not the service", .fits = is_url,
                .what = "https://HOST[:PORT][/PATH] of less than 1024 bytes"),
    OPTION_LIST("metrics-namespace", "NAME", struct manifests, metrics_namespaces,
                "whose pods may read metrics, as Prometheus does, or none", .default_value = "monitoring",
                .max = MANIFESTS_METRICS_NAMESPACES, .fits = is_label, .what = "a DNS label"),
    OPTION_PARSED("only", "KIND,...", struct manifests, parts, parse_only,
                  "print only objects of these kinds; 'webhook' is short for the last one"),
    { .name = NULL },
};

/* Labels of restricted pod security would keep the cluster's own pods from starting there. */
static bool is_clusters_own(const char *namespace)
{
    return strcmp(namespace, "default") == 0 || strncmp(namespace, "kube-", strlen("kube-")) == 0;
}

/* "none" is no namespace, and stands alone. */
static int check_metrics_namespaces(const struct command *command, struct option_list *list)
{
    bool none = false;
    for (unsigned i = 0; i < list->count; i++)
        none = none || strcmp(list->values[i], "none") == 0;
    if (none && list->count > 1)
        return usage_error(command, "--metrics-namespace: none stands alone");
    list->count = none ? 0 : list->count;
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

static int read_config(const struct command *command, struct manifests *manifests)
{
    struct buffer text = { NULL, 0 };
    if (!manifests->config_file)
        return EXIT_GOOD;
    int status = configuration_text(command, EXIT_USAGE, manifests->config_file, MANIFESTS_CONFIG_BYTES, &text);
    if (!status)
        status = keep_config(command, manifests->config_file, buffer_bytes(&text), manifests);
    buffer_free(&text);
    return status;
}

/* ---- the command ---- */

static int read_options(const struct command *command, const struct options *options, struct manifests *manifests)
{
    struct pki_names names = { .count = 0 };
    struct error error;
    manifests->version_text = options_text(options, "kubernetes-version");
    manifests->has_mode = options_text(options, "mode") != NULL;
    if (manifests->url && !manifests_called_name(manifests, &names, &error))
        return usage_error(command, "--url: %s", error.text);
    if (manifests->no_certificates)
        manifests->parts &= ~(1u << PART_SECRET);
    if (is_clusters_own(manifests->namespace))
        manifests->parts &= ~(1u << PART_NAMESPACE);
    int status = check_metrics_namespaces(command, &manifests->metrics_namespaces);
    return status ? status : read_config(command, manifests);
}

static int print(const struct command *command, struct manifests *manifests)
{
    int status = manifests_read_certificates(command, manifests);
    if (status)
        return status;
    if (manifests->failure_policy == FAILURE_POLICY_FAIL && manifests_want(manifests, PART_WEBHOOK))
        manifests_print_risks(manifests);
    manifests_print(manifests);
    return end_output(command, EXIT_GOOD);
}

static int run(const struct command *command, int argc, char **argv)
{
    struct manifests manifests = { .parts = (1u << PART_COUNT) - 1 };
    struct options options;
    int status;
    if (!options_parse(command, argc, argv, &manifests, &options, &status))
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
    .options = rows,
    .run = run,
};
