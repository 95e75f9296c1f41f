/* The objects as templates: what is the same in every installation stands here as YAML, what is not stands between @. */
#include <stdio.h>
#include <string.h>

#include "cli/manifests.h"
#include "review/enforcement.h"

#define LABELS "app.kubernetes.io/name: " MANIFESTS_NAME

/* ---- words ---- */

static void print_namespace(const struct manifests *manifests)
{
    fputs(manifests->namespace, stdout);
}

static void print_image(const struct manifests *manifests)
{
    yaml_print_quoted(manifests->image);
}

static void print_replicas(const struct manifests *manifests)
{
    printf("%u", manifests->replicas);
}

static void print_secret_name(const struct manifests *manifests)
{
    fputs(manifests->own_authority ? MANIFESTS_NAME "-ca" : MANIFESTS_NAME "-tls", stdout);
}

static void print_certificate(const struct manifests *manifests)
{
    yaml_print_base64(manifests->pair.certificate);
}

static void print_key(const struct manifests *manifests)
{
    yaml_print_base64(manifests->pair.key);
}

static void print_arguments(const struct manifests *manifests)
{
    if (manifests->own_authority)
        printf("            - --ca-dir=/etc/drawbridge/ca\n            - --service=" MANIFESTS_NAME ".%s\n", manifests->namespace);
    else
        fputs("            - --cert=/etc/drawbridge/tls/tls.crt\n            - --key=/etc/drawbridge/tls/tls.key\n", stdout);
}

static void print_mount(const struct manifests *manifests)
{
    fputs(manifests->own_authority ? "ca" : "tls", stdout);
}

static void print_config(const struct manifests *manifests)
{
    if (manifests->config) {
        yaml_print_block(manifests->config, 4);
        return;
    }
    puts("|\n    apiVersion: drawbridge.dev/v1alpha1\n    kind: Configuration");
    if (manifests->version_text)
        printf("    kubernetesVersion: \"%s\"\n", manifests->version_text);
    if (manifests->has_mode)
        printf("    mode: %s\n", enforcement_words[manifests->mode]);
}

/* Who may read the status port; nobody: there is no such rule. */
static void print_metrics_rule(const struct manifests *manifests)
{
    if (!manifests->metrics_namespaces.count)
        return;
    fputs("    - from:\n", stdout);
    for (unsigned i = 0; i < manifests->metrics_namespaces.count; i++) {
        fputs("        - namespaceSelector:\n            matchLabels:\n              kubernetes.io/metadata.name: ", stdout);
        yaml_print_quoted(manifests->metrics_namespaces.values[i]);
        fputc('\n', stdout);
    }
    fputs("      ports:\n        - port: 8080\n          protocol: TCP\n", stdout);
}

static const struct word {
    const char *name;
    void (*print)(const struct manifests *manifests);
} words[] = {
    { "arguments",   print_arguments },
    { "certificate", print_certificate },
    { "config",      print_config },
    { "entries",     manifests_print_entries },
    { "image",       print_image },
    { "key",         print_key },
    { "metrics",     print_metrics_rule },
    { "mount",       print_mount },
    { "namespace",   print_namespace },
    { "replicas",    print_replicas },
    { "secret-name", print_secret_name },
};
enum { WORDS = sizeof words / sizeof *words };

/* ---- templates ---- */

/* How an object of the namespace begins. */
#define MANIFEST(api_version, kind, name)   \
    "apiVersion: " api_version "\n"        \
    "kind: " kind "\n"                     \
    "metadata:\n"                         \
    "  name: " name "\n"                   \
    "  namespace: @namespace@\n"          \
    "  labels:\n"                         \
    "    " LABELS "\n"

static const char namespace_object[] =
    "apiVersion: v1\n"
    "kind: Namespace\n"
    "metadata:\n"
    "  name: @namespace@\n"
    "  labels:\n"
    "    " LABELS "\n"
    "    pod-security.kubernetes.io/enforce: restricted\n"
    "    pod-security.kubernetes.io/audit: restricted\n"
    "    pod-security.kubernetes.io/warn: restricted\n";

static const char service_account[] =
    MANIFEST("v1", "ServiceAccount", MANIFESTS_NAME)
    "automountServiceAccountToken: false\n";

static const char secret[] =
    MANIFEST("v1", "Secret", "@secret-name@")
    "type: kubernetes.io/tls\n"
    "data:\n"
    "  tls.crt: @certificate@\n"
    "  tls.key: @key@\n";

static const char config_map[] =
    MANIFEST("v1", "ConfigMap", MANIFESTS_NAME)
    "data:\n"
    "  config.yaml: @config@";

/* 40 s until a kill: 10 s in which endpoints notice, 24 s for requests under way, and some to spare. 1536Mi of memory: bodies in
 * flight 128, three large reviews of 224 each, others 240, connections 256, the status port 64, the program 16, which is 1,376
 * together, and some to spare; serve/limits.h has the arithmetic. */
static const char deployment[] =
    MANIFEST("apps/v1", "Deployment", MANIFESTS_NAME)
    "spec:\n"
    "  replicas: @replicas@\n"
    "  revisionHistoryLimit: 3\n"
    "  strategy:\n"
    "    type: RollingUpdate\n"
    "    rollingUpdate:\n"
    "      maxSurge: 1\n"
    "      maxUnavailable: 0\n"
    "  selector:\n"
    "    matchLabels:\n"
    "      " LABELS "\n"
    "  template:\n"
    "    metadata:\n"
    "      labels:\n"
    "        " LABELS "\n"
    "    spec:\n"
    "      serviceAccountName: " MANIFESTS_NAME "\n"
    "      automountServiceAccountToken: false\n"
    "      enableServiceLinks: false\n"
    "      terminationGracePeriodSeconds: 40\n"
    "      securityContext:\n"
    "        runAsNonRoot: true\n"
    "        runAsUser: 65532\n"
    "        runAsGroup: 65532\n"
    "        fsGroup: 65532\n"
    "        seccompProfile:\n"
    "          type: RuntimeDefault\n"
    "      topologySpreadConstraints:\n"
    "        - maxSkew: 1\n"
    "          topologyKey: kubernetes.io/hostname\n"
    "          whenUnsatisfiable: ScheduleAnyway\n"
    "          labelSelector:\n"
    "            matchLabels:\n"
    "              " LABELS "\n"
    "        - maxSkew: 1\n"
    "          topologyKey: topology.kubernetes.io/zone\n"
    "          whenUnsatisfiable: ScheduleAnyway\n"
    "          labelSelector:\n"
    "            matchLabels:\n"
    "              " LABELS "\n"
    "      containers:\n"
    "        - name: " MANIFESTS_NAME "\n"
    "          image: @image@\n"
    "          imagePullPolicy: IfNotPresent\n"
    "          args:\n"
    "            - serve\n"
    "@arguments@"
    "            - --config=/etc/drawbridge/config/config.yaml\n"
    "            - --shutdown-delay=10\n"
    "          ports:\n"
    "            - name: https\n"
    "              containerPort: 8443\n"
    "              protocol: TCP\n"
    "            - name: status\n"
    "              containerPort: 8080\n"
    "              protocol: TCP\n"
    "          livenessProbe:\n"
    "            httpGet:\n"
    "              path: /livez\n"
    "              port: status\n"
    "            periodSeconds: 10\n"
    "            timeoutSeconds: 5\n"
    "            failureThreshold: 6\n"
    "          readinessProbe:\n"
    "            httpGet:\n"
    "              path: /readyz\n"
    "              port: status\n"
    "            periodSeconds: 2\n"
    "            timeoutSeconds: 2\n"
    "            failureThreshold: 2\n"
    "          resources:\n"
    "            requests:\n"
    "              cpu: 50m\n"
    "              memory: 64Mi\n"
    "            limits:\n"
    "              memory: 1536Mi\n"
    "          securityContext:\n"
    "            allowPrivilegeEscalation: false\n"
    "            readOnlyRootFilesystem: true\n"
    "            capabilities:\n"
    "              drop: [ALL]\n"
    "          volumeMounts:\n"
    "            - name: @mount@\n"
    "              mountPath: /etc/drawbridge/@mount@\n"
    "              readOnly: true\n"
    "            - name: config\n"
    "              mountPath: /etc/drawbridge/config\n"
    "              readOnly: true\n"
    "      volumes:\n"
    "        - name: @mount@\n"
    "          secret:\n"
    "            secretName: @secret-name@\n"
    "            defaultMode: 288 # 0440\n"
    "        - name: config\n"
    "          configMap:\n"
    "            name: " MANIFESTS_NAME "\n";

static const char service[] =
    MANIFEST("v1", "Service", MANIFESTS_NAME)
    "spec:\n"
    "  selector:\n"
    "    " LABELS "\n"
    "  ports:\n"
    "    - name: https\n"
    "      port: 443\n"
    "      targetPort: https\n"
    "      protocol: TCP\n"
    "    - name: status\n"
    "      port: 8080\n"
    "      targetPort: status\n"
    "      protocol: TCP\n";

/* One at a time, also when there is only one: a node that is drained must not wait for it. */
static const char disruption_budget[] =
    MANIFEST("policy/v1", "PodDisruptionBudget", MANIFESTS_NAME)
    "spec:\n"
    "  maxUnavailable: 1\n"
    "  unhealthyPodEvictionPolicy: AlwaysAllow\n"
    "  selector:\n"
    "    matchLabels:\n"
    "      " LABELS "\n";

/* API servers call from addresses that no selector names, so 8443 is open to all. 8080 is open to named namespaces only; the probes of a
 * kubelet come from the pod's own node, which no NetworkPolicy keeps out (the documentation of NetworkPolicy says so). Nothing goes out. */
static const char network_policy[] =
    MANIFEST("networking.k8s.io/v1", "NetworkPolicy", MANIFESTS_NAME)
    "spec:\n"
    "  podSelector:\n"
    "    matchLabels:\n"
    "      " LABELS "\n"
    "  policyTypes: [Ingress, Egress]\n"
    "  ingress:\n"
    "    # Reviews. API servers call from addresses that no selector names.\n"
    "    - ports:\n"
    "        - port: 8443\n"
    "          protocol: TCP\n"
    "    # Metrics. Probes need no rule: they come from the pod's own node, which is always let in.\n"
    "@metrics@"
    "  egress: []\n";

static const char webhook[] =
    "apiVersion: admissionregistration.k8s.io/v1\n"
    "kind: ValidatingWebhookConfiguration\n"
    "metadata:\n"
    "  name: " MANIFESTS_NAME "\n"
    "  labels:\n"
    "    " LABELS "\n"
    "webhooks:\n"
    "@entries@";

static const char *const templates[] = {
    [PART_NAMESPACE] = namespace_object,
    [PART_SERVICE_ACCOUNT] = service_account,
    [PART_SECRET] = secret,
    [PART_CONFIG_MAP] = config_map,
    [PART_DEPLOYMENT] = deployment,
    [PART_SERVICE] = service,
    [PART_DISRUPTION_BUDGET] = disruption_budget,
    [PART_NETWORK_POLICY] = network_policy,
    [PART_WEBHOOK] = webhook,
};
_Static_assert(sizeof templates / sizeof *templates == PART_COUNT, "a template for each part");

/* ---- printing ---- */

static void print_word(const char *name, size_t length, const struct manifests *manifests)
{
    for (int i = 0; i < WORDS; i++)
        if (strlen(words[i].name) == length && memcmp(words[i].name, name, length) == 0)
            words[i].print(manifests);
}

/* Every @ of a template has a partner; what foreign text holds is not replaced. */
static void expand(const char *text, const struct manifests *manifests)
{
    for (const char *at; (at = strchr(text, '@')); text = at + 1) {
        const char *name = at + 1;
        fwrite(text, 1, (size_t)(at - text), stdout);
        at = name + strcspn(name, "@");
        print_word(name, (size_t)(at - name), manifests);
    }
    fputs(text, stdout);
}

void manifests_print(const struct manifests *manifests)
{
    const char *separator = "";
    for (enum manifest_part part = 0; part < PART_COUNT; part++)
        if (manifests_want(manifests, part)) {
            fputs(separator, stdout);
            expand(templates[part], manifests);
            separator = "---\n";
        }
}
