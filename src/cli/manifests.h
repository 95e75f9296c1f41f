/* drawbridge manifests: what its files share. */
#ifndef DRAWBRIDGE_CLI_MANIFESTS_H
#define DRAWBRIDGE_CLI_MANIFESTS_H

#include <stdbool.h>
#include <stddef.h>

#include "cli/cli.h"
#include "pki/pki.h"
#include "review/review.h"

enum {
    MANIFESTS_REPLICAS = 100,    /* more make no webhook faster: three serve the largest clusters */
    MANIFESTS_IMAGE_BYTES = 500, /* name (255), tag (128) and digest (71) with what is between them, and some room for a registry's port */
    MANIFESTS_URL_BYTES = 1024,  /* host (253), port, and a path */
    MANIFESTS_CONFIG_BYTES = 256 << 10, /* a ConfigMap holds 1 MiB with all that is in it */
    MANIFESTS_METRICS_NAMESPACES = 16,
};

/* Everything is named so: this makes one installation in a cluster, as the webhook configuration is in no namespace. */
#define MANIFESTS_NAME "drawbridge"

/* The objects, in the order in which they are printed: each can be applied when those before it are there. */
enum manifest_part {
    PART_NAMESPACE,
    PART_SERVICE_ACCOUNT,
    PART_SECRET,
    PART_CONFIG_MAP,
    PART_DEPLOYMENT,
    PART_SERVICE,
    PART_DISRUPTION_BUDGET,
    PART_NETWORK_POLICY,
    PART_WEBHOOK,
    PART_COUNT,
};

enum failure_policy { FAILURE_POLICY_IGNORE, FAILURE_POLICY_FAIL };

/* What goes into the YAML. Texts are checked: what is not escaped when printed cannot break out of its place. */
struct manifests {
    const char *namespace;  /* a DNS label */
    const char *image;      /* printable ASCII without quotes or spaces */
    const char *version_text; /* as it was typed; NULL: none */
    minor version;
    bool has_mode;
    enum enforcement mode;  /* if has_mode */
    const char *url;        /* NULL: none; printable ASCII without quotes or spaces */
    const char *directory;  /* of the certificates */
    const char *config_file; /* NULL: none */
    struct option_list metrics_namespaces; /* whose pods may read the status port; DNS labels */
    unsigned replicas;
    bool own_authority;     /* serve has the CA, and issues its certificate itself */
    bool no_certificates;   /* no Secret, and a placeholder for the caBundle */
    bool controllers;       /* the second webhook entry, too */
    enum failure_policy failure_policy;
    unsigned parts;         /* a bit for each manifest_part that is wanted */
    char *config;           /* of --config: UTF-8, from malloc; NULL: made from version and mode */
    char *authority;        /* PEM of the caBundle; NULL unless the webhook is printed with it; pki_text_free */
    struct pki_pair pair;   /* of the Secret; NULLs unless that is printed */
};

static inline bool manifests_want(const struct manifests *manifests, enum manifest_part part)
{
    return manifests->parts & 1u << part;
}

/* Reads what Secret and caBundle need from the folder, and makes what is missing. Returns 0, or the exit status after a message. */
int manifests_read_certificates(const struct command *command, struct manifests *manifests) MUST_USE;

/* The name by which the API server calls, for --url or the service. False with *error set when --url is none that can be called. */
bool manifests_called_name(const struct manifests *manifests, struct pki_names *names, struct error *error) MUST_USE;

/* Prints the wanted objects. */
void manifests_print(const struct manifests *manifests);

/* The entries of the ValidatingWebhookConfiguration. */
void manifests_print_entries(const struct manifests *manifests);

/* On standard error: what stops with failurePolicy Fail when no webhook answers. */
void manifests_print_risks(const struct manifests *manifests);

/* ---- YAML ---- */

/* A double-quoted scalar of UTF-8 text. */
void yaml_print_quoted(const char *text);

/* The value of a key: as a literal block, indented so, when that can say it, else double-quoted. Ends the line. */
void yaml_print_block(const char *text, int indent);

/* A double-quoted scalar: the base64 of the text. */
void yaml_print_base64(const char *text);

/* Whether it is UTF-8 throughout. */
bool yaml_is_text(const char *text);

#endif
