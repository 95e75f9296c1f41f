/* The webhook entries: which requests an API server sends. Which API versions there are comes from rules/kinds.def. */
#include <stdio.h>
#include <string.h>

#include "cli/manifests.h"

/* What people write, and what nodes and controllers write. */
enum entry { PEOPLE, CONTROLLERS, ENTRY_COUNT };

enum { RULE_RESOURCES = 4 };

struct rule_row {
    enum entry entry;
    const char *group, *scope;
    const char *resources[RULE_RESOURCES]; /* all with the same API versions; NULL ends them */
    const char *stops; /* with failurePolicy Fail and no webhook that answers, a sentence without its stop */
};

static const struct rule_row rule_rows[] = {
    { PEOPLE,      "resource.k8s.io", "Cluster",    { "deviceclasses" },                            "no DeviceClass can be made or changed" },
    { PEOPLE,      "resource.k8s.io", "Cluster",    { "devicetaintrules" },                         "no DeviceTaintRule can be made or changed, so no device be taken out of use by one" },
    { PEOPLE,      "resource.k8s.io", "Namespaced", { "resourceclaims", "resourceclaimtemplates" }, "no ResourceClaim can be made: the controller manager makes them for pods, and no pod that needs a new one starts" },
    { PEOPLE,      "storage.k8s.io",  "Cluster",    { "csidrivers", "storageclasses" },             "no CSIDriver or StorageClass can be made or changed, so no storage driver be installed or upgraded" },
    { PEOPLE,      "storage.k8s.io",  "Cluster",    { "volumeattributesclasses" },                  "no VolumeAttributesClass can be made or changed" },
    { CONTROLLERS, "resource.k8s.io", "Cluster",    { "resourceslices" },                           "no device driver can publish devices: new nodes offer none" },
    { CONTROLLERS, "resource.k8s.io", "Cluster",    { "devicetaintrules/status" },                  "no controller can say what a DeviceTaintRule has done" },
    { CONTROLLERS, "resource.k8s.io", "Namespaced", { "resourceclaims/status" },                    "the scheduler cannot allocate devices: no pod with a new claim starts" },
    { CONTROLLERS, "storage.k8s.io",  "Cluster",    { "csinodes", "volumeattachments", "volumeattachments/status" }, "nodes cannot register storage drivers, and no volume is attached or detached: pods with such volumes do not start or move" },
    { CONTROLLERS, "storage.k8s.io",  "Namespaced", { "csistoragecapacities" },                     "storage capacity is not published, and the scheduler places volumes by what it knew" },
};
enum { RULE_ROWS = sizeof rule_rows / sizeof *rule_rows };

static const struct {
    const char *group, *version, *resource;
} served[] = {
#define KIND(group, version, kind, resource, ...) { group, version, resource },
#include "rules/kinds.def"
#undef KIND
};

/* ---- conditions ---- */

/* In CEL, evaluated by the API server before it calls; lines are indented when printed. None can fail on any object: a field that
 * may be missing is asked for before it is read, and `object` and `oldObject` are both there on an update. A request is left
 * out by the first condition that is false. */

static const char system_condition[] =
    "has(request.namespace) ||\n"
    "!(has(request.userInfo.username) && (request.userInfo.username.startsWith('system:node:') ||\n"
    "    request.userInfo.username in ['system:kube-scheduler', 'system:kube-controller-manager'])) &&\n"
    "!(has(request.userInfo.groups) && request.userInfo.groups.exists(group,\n"
    "    group in ['system:nodes', 'system:serviceaccounts:kube-system']))\n";

/* Finalizers are the last thing that a deletion waits for. The cheap comparison comes first; the rest says "something else changes,
 * too": beside metadata, or in it, where the API server itself moves three fields with every update. */
static const char finalizers_condition[] =
    "request.operation != 'UPDATE' || !has(object.metadata) || !has(oldObject.metadata) ||\n"
    "(has(object.metadata.finalizers) ? object.metadata.finalizers : []) ==\n"
    "    (has(oldObject.metadata.finalizers) ? oldObject.metadata.finalizers : []) ||\n"
    "object.exists(key, key != 'metadata' && (!(key in oldObject) || object[key] != oldObject[key])) ||\n"
    "oldObject.exists(key, !(key in object)) ||\n"
    "object.metadata.exists(key, !(key in ['finalizers', 'generation', 'managedFields', 'resourceVersion']) &&\n"
    "    (!(key in oldObject.metadata) || object.metadata[key] != oldObject.metadata[key])) ||\n"
    "oldObject.metadata.exists(key, !(key in ['finalizers', 'generation', 'managedFields', 'resourceVersion']) &&\n"
    "    !(key in object.metadata))\n";

struct condition {
    const char *name, *expression;
};

/* The second entry is about what the system itself writes, so it cannot leave the system out. */
static const struct entry_row {
    const char *name;
    struct condition conditions[3]; /* NULL ends them */
} entry_rows[] = {
    [PEOPLE]      = { "people.drawbridge.dev",      { { "not-by-the-system", system_condition }, { "not-only-finalizers", finalizers_condition } } },
    [CONTROLLERS] = { "controllers.drawbridge.dev", { { "not-only-finalizers", finalizers_condition } } },
};
_Static_assert(sizeof entry_rows / sizeof *entry_rows == ENTRY_COUNT, "a row for each entry");

/* ---- printing ---- */

static void print_condition(const struct condition *condition)
{
    printf("      - name: %s\n        expression: ", condition->name);
    yaml_print_block(condition->expression, 10);
}

static void print_versions(const struct rule_row *row)
{
    size_t length = strcspn(row->resources[0], "/");
    const char *separator = "";
    for (size_t i = 0; i < sizeof served / sizeof *served; i++)
        if (strcmp(served[i].group, row->group) == 0 && strlen(served[i].resource) == length &&
            memcmp(served[i].resource, row->resources[0], length) == 0) {
            printf("%s%s", separator, served[i].version);
            separator = ", ";
        }
}

static void print_rule(const struct rule_row *row)
{
    printf("      - apiGroups: [%s]\n        apiVersions: [", row->group);
    print_versions(row);
    printf("]\n        operations: [CREATE, UPDATE]\n        resources: [");
    for (int i = 0; i < RULE_RESOURCES && row->resources[i]; i++)
        printf("%s%s", i ? ", " : "", row->resources[i]);
    printf("]\n        scope: %s\n", row->scope);
}

/* Without a caBundle an API server would trust the public CAs, and fail every call; the placeholder is no base64, so that it
 * refuses the object until something takes its place. */
static void print_client(const struct manifests *manifests)
{
    puts("    clientConfig:");
    if (manifests->url)
        printf("      url: \"%s\"\n", manifests->url);
    else
        printf("      service:\n        name: " MANIFESTS_NAME "\n        namespace: %s\n        path: /validate\n        port: 443\n",
               manifests->namespace);
    fputs("      caBundle: ", stdout);
    if (manifests->authority)
        yaml_print_base64(manifests->authority);
    else
        fputs("\"<base64 of ca.crt>\"", stdout);
    putchar('\n');
}

static void print_selector(const struct manifests *manifests)
{
    fputs("    namespaceSelector:\n      matchExpressions:\n        - key: kubernetes.io/metadata.name\n          operator: NotIn\n"
          "          values: [kube-system", stdout);
    if (strcmp(manifests->namespace, "kube-system") != 0)
        printf(", %s", manifests->namespace);
    puts("]");
}

static void print_entry(const struct manifests *manifests, enum entry entry)
{
    printf("  - name: %s\n    admissionReviewVersions: [v1]\n    sideEffects: None\n    timeoutSeconds: 5\n    failurePolicy: %s\n"
           "    matchPolicy: Equivalent\n", entry_rows[entry].name, manifests->fail ? "Fail" : "Ignore");
    print_client(manifests);
    print_selector(manifests);
    puts("    matchConditions:");
    for (const struct condition *condition = entry_rows[entry].conditions; condition->name; condition++)
        print_condition(condition);
    puts("    rules:");
    for (int i = 0; i < RULE_ROWS; i++)
        if (rule_rows[i].entry == entry)
            print_rule(&rule_rows[i]);
}

void manifests_print_entries(const struct manifests *manifests)
{
    print_entry(manifests, PEOPLE);
    if (manifests->controllers)
        print_entry(manifests, CONTROLLERS);
}

void manifests_print_risks(const struct manifests *manifests)
{
    fputs("drawbridge manifests: warning: with failurePolicy Fail, while no webhook answers:\n", stderr);
    for (int i = 0; i < RULE_ROWS; i++)
        if (rule_rows[i].entry == PEOPLE || manifests->controllers)
            fprintf(stderr, "  * %s\n", rule_rows[i].stops);
    fputs("The way out: kubectl delete validatingwebhookconfiguration " MANIFESTS_NAME "\n", stderr);
}
