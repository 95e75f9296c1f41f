/* The webhook entries: which requests an API server sends. The resources come from rules/kinds.def. */
#include <stdio.h>
#include <string.h>

#include "cli/manifests.h"
#include "schema/kind.h"
#include "schema/shape.h"

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

/* An entry of the registration. The second one is about what the system itself writes, so it cannot leave the system out. */
static const struct entry_row {
    const char *name;
    struct condition conditions[3]; /* NULL ends them */
} entry_rows[] = {
    [WRITER_PEOPLE] = {
        "people.drawbridge.dev", { { "not-by-the-system", system_condition }, { "not-only-finalizers", finalizers_condition } },
    },
    [WRITER_CONTROLLERS] = { "controllers.drawbridge.dev", { { "not-only-finalizers", finalizers_condition } } },
};

/* ---- resources ---- */

/* What is written: objects of a kind, or their status. */
struct resource {
    const struct kind *kind;
    bool status;
};

/* Resources are numbered: of each row of the kind table its objects, then their status. */
static size_t resource_count(void)
{
    return 2 * kind_count;
}

static struct resource resource_at(size_t index)
{
    return (struct resource){ &kinds[index / 2], index % 2 };
}

static const struct kind_writes *resource_writes(struct resource resource)
{
    return resource.status ? &resource.kind->status_written : &resource.kind->written;
}

/* Whether b's kind has every API version that a's has. */
static bool has_versions_of(const struct kind *a, const struct kind *b)
{
    for (size_t i = 0; i < kind_count; i++)
        if (kind_same(&kinds[i], a) && !kind_find(b->group, kinds[i].version, b->kind))
            return false;
    return true;
}

/* Whether one rule of the entry can name both. */
static bool share_rule(struct resource a, struct resource b)
{
    bool same_scope = (a.kind->traits & KIND_NAMESPACED) == (b.kind->traits & KIND_NAMESPACED);
    return resource_writes(a)->by == resource_writes(b)->by && same_scope && bytes_equal(a.kind->group, b.kind->group) &&
           has_versions_of(a.kind, b.kind) && has_versions_of(b.kind, a.kind);
}

/* The first resource from `index` on that shares a rule with that one; resource_count(): none. */
static size_t next_in_rule(struct resource resource, size_t index)
{
    while (index < resource_count() && !share_rule(resource, resource_at(index)))
        index++;
    return index;
}

/* ---- printing ---- */

static void print_condition(const struct condition *condition)
{
    printf("      - name: %s\n        expression: ", condition->name);
    yaml_print_block(condition->expression, 10);
}

static void print_versions(const struct kind *kind)
{
    const char *separator = "";
    for (size_t i = 0; i < kind_count; i++)
        if (kind_same(&kinds[i], kind)) {
            printf("%s%s", separator, kinds[i].version.data);
            separator = ", ";
        }
}

/* The rule with that resource and all that share it. */
static void print_rule(size_t index)
{
    struct resource first = resource_at(index);
    const char *separator = "";
    printf("      - apiGroups: [%s]\n        apiVersions: [", first.kind->group.data);
    print_versions(first.kind);
    printf("]\n        operations: [CREATE, UPDATE]\n        resources: [");
    for (; index < resource_count(); index = next_in_rule(first, index + 1)) {
        struct resource resource = resource_at(index);
        printf("%s%s%s", separator, resource.kind->resource.data, resource.status ? "/status" : "");
        separator = ", ";
    }
    printf("]\n        scope: %s\n", first.kind->traits & KIND_NAMESPACED ? "Namespaced" : "Cluster");
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

static void print_entry(const struct manifests *manifests, enum writer entry)
{
    printf("  - name: %s\n    admissionReviewVersions: [v1]\n    sideEffects: None\n    timeoutSeconds: 5\n    failurePolicy: %s\n"
           "    matchPolicy: Equivalent\n", entry_rows[entry].name, manifests->failure_policy == FAILURE_POLICY_FAIL ? "Fail" : "Ignore");
    print_client(manifests);
    print_selector(manifests);
    puts("    matchConditions:");
    for (const struct condition *condition = entry_rows[entry].conditions; condition->name; condition++)
        print_condition(condition);
    puts("    rules:");
    for (size_t i = 0; i < resource_count(); i++)
        if (resource_writes(resource_at(i))->by == entry && next_in_rule(resource_at(i), 0) == i)
            print_rule(i);
}

void manifests_print_entries(const struct manifests *manifests)
{
    print_entry(manifests, WRITER_PEOPLE);
    if (manifests->controllers)
        print_entry(manifests, WRITER_CONTROLLERS);
}

void manifests_print_risks(const struct manifests *manifests)
{
    fputs("drawbridge manifests: warning: with failurePolicy Fail, while no webhook answers:\n", stderr);
    for (size_t i = 0; i < resource_count(); i++) {
        const struct kind_writes *writes = resource_writes(resource_at(i));
        if (writes->by == WRITER_PEOPLE || (writes->by == WRITER_CONTROLLERS && manifests->controllers))
            fprintf(stderr, "  * %s\n", writes->outage);
    }
    fputs("The way out: kubectl delete validatingwebhookconfiguration " MANIFESTS_NAME "\n", stderr);
}
