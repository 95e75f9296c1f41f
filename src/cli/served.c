/* Beta and alpha API versions are off by default, but for those of before 1.24, which no API server of the versions known here has.
 * Source: k8s.io/kubernetes v1.32.13 to v1.37.1 pkg/controlplane/instance.go. */
#include "cli/served.h"

#include <stdio.h>

void served_note(struct served_notes *notes, const struct kind *kind, minor version)
{
    const struct kind *newest = kind && !kind->role && !kind->successor ? kind_newest(kind->group, kind->kind, version) : NULL;
    if (!newest || api_is_stable(newest->version) || !versions_include(kind->served, version))
        return;
    for (unsigned i = 0; i < notes->count; i++)
        if (bytes_equal(notes->kinds[i]->group, kind->group) && bytes_equal(notes->kinds[i]->version, kind->version))
            return;
    if (notes->count < SERVED_NOTES)
        notes->kinds[notes->count++] = kind;
}

void served_print(const struct served_notes *notes, const struct gate_settings *settings, minor version)
{
    bool resources_off = gates_off(settings, version) & gate_bit("DynamicResourceAllocation");
    for (unsigned i = 0; i < notes->count; i++) {
        const char *group = notes->kinds[i]->group.data, *api = notes->kinds[i]->version.data;
        bool gated = resources_off && bytes_equal_text(notes->kinds[i]->group, "resource.k8s.io");
        fprintf(stderr, "drawbridge lint: %s/%s is off by default in Kubernetes 1.%u: its API server needs --runtime-config=%s/%s=true%s\n",
                group, api, version, group, api, gated ? " and --feature-gates=DynamicResourceAllocation=true" : "");
    }
}
