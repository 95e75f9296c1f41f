/* drawbridge explain "cannot allocate all claims": what the scheduler says about devices. Sources: pkg/scheduler/framework/plugins/
 * dynamicresources and k8s.io/dynamic-resource-allocation structured of Kubernetes v1.35.4, v1.36.3 and v1.37.1. */
#include <stdio.h>
#include <string.h>

#include "base/escape.h"
#include "base/limits.h"
#include "cli/explain.h"

#define WORD_PARTS 3

/* What it says, in parts: between them is what differs. Whole lines of events contain them. */
struct words {
    const char *parts[WORD_PARTS];
    const char *means, *advice, *command;
};

static const char allocate[] = "drawbridge allocate --pod NAMESPACE/POD nodes.yaml pods.yaml";
static const char lint[] = "drawbridge lint FILE";

static const struct words rows[] = {
    { { "cannot allocate all claims" },
      "On so many nodes there is no set of free devices that fits all claims of the pod. Which device is missing is not said.",
      "Ask which request lacks devices, and what keeps each device from it.", allocate },
    { { "resourceclaim not available on the node" },
      "A claim of the pod is allocated already, to devices that cannot be used on these nodes, or binding one of them has failed.",
      "Look at status.allocation.nodeSelector of the claim. Delete the pod that has it, or make a template of the claim.", allocate },
    { { "timed out trying to allocate devices" },
      "The search on a node took longer than 10 seconds: there are too many combinations of devices.",
      "Ask for fewer devices, with fewer alternatives and constraints, or make selectors narrower. Look at the steps of the search.",
      "drawbridge allocate --output json --pod NAMESPACE/POD nodes.yaml pods.yaml" },
    { { "still not schedulable" },
      "The claims of the pod hold nothing that could be given back, so nothing has changed. What comes before it is the reason.",
      "Look that up.", allocate },
    { { "deallocation of ResourceClaim completed" },
      "A claim was allocated to devices that no node can use for this pod. It has been given back, and the pod is tried again.",
      "Wait. If it repeats, the claims of the pod do not fit together.", allocate },
    { { "no new claims to deallocate" },
      "No claim of the pod can be given back to help it. What comes before it is the reason.", "Look that up.", allocate },
    { { "ResourceClaim not created yet" },
      "The claim that is to be made of a template is not there yet. kube-controller-manager makes it.",
      "Wait. If it stays so, look at the events of the pod: the template is missing, or the claim was refused.", lint },
    { { "could not find resource claim" },
      "The pod names a ResourceClaim that its namespace does not have.", "Create it, or correct resourceClaimName.", lint },
    { { "resourceclaim \"", "\" is being deleted" },
      "The claim has a deletion timestamp, and pods that still use it.", "Wait until they end, and create it anew.", NULL },
    { { "was not created for ", "is not owner" },
      "A ResourceClaim of the name that was to be generated for the pod exists, and belongs to something else.",
      "Delete or rename that claim.", NULL },
    { { "resource claim ", " is in the process of being allocated" },
      "Another pod with the same claim is being scheduled.", "Wait: the pod is tried again.", NULL },
    { { ": device class ", " does not exist" },
      "The request names a DeviceClass that the cluster does not have.",
      "Correct deviceClassName, or install the driver that brings the class.", lint },
    { { ": could not retrieve device class " },
      "The request names a DeviceClass that the cluster does not have.",
      "Correct deviceClassName, or install the driver that brings the class.", lint },
    { { ": has subrequests, but the DRAPrioritizedList feature is disabled" },
      "The request has alternatives (firstAvailable), and the scheduler has that feature gate off.",
      "Switch the gate on in kube-scheduler, or write the request with exactly.", "drawbridge explain DRAPrioritizedList" },
    { { "admin access is requested, but the feature is disabled" },
      "The request has adminAccess, and the scheduler has the feature gate off.",
      "Switch the gate on in kube-scheduler.", "drawbridge explain DRAAdminAccess" },
    { { "has capacity requests, but the DRAConsumableCapacity feature is disabled" },
      "The request asks for capacity of shared devices, and the scheduler has the feature gate off.",
      "Switch the gate on in kube-scheduler, or take capacity out of the request.", "drawbridge explain DRAConsumableCapacity" },
    { { "asks for all devices, but resource pool ", " is currently being updated" },
      "A request with allocationMode All needs every pool that it can use, and slices of one are missing.",
      "Wait for the driver to publish them. If it stays so, resourceSliceCount of the slices is wrong, or the driver has failed.",
      allocate },
    { { "asks for all devices, but resource pool ", " is currently invalid" },
      "A request with allocationMode All needs every pool that it can use, and one contradicts itself, as with two devices of one name.",
      "Mend what the driver publishes.", "drawbridge lint slices.yaml" },
    { { "CEL runtime error" },
      "A selector fails on a device, mostly as it has no such attribute or capacity. The pod cannot use the node at all then.",
      "Ask whether it is there first: 'key' in device.attributes['driver'], or orValue of an optional field.",
      "drawbridge cel eval EXPRESSION slices.yaml" },
    { { "exceeds the claim limit of" },
      "A claim can have 32 devices, and its requests ask for more.", "Ask for fewer, or make several claims.", allocate },
    { { "claim ", " binding timeout" },
      "The binding conditions of a device have not become true in 10 minutes.",
      "Look at status.devices of the claim, and at the driver that sets its conditions.", NULL },
    { { "device binding timeout" },
      "The binding conditions of a device have not become true in 10 minutes.",
      "Look at status.devices of the claim, and at the driver that sets its conditions.", NULL },
    { { "claim ", " binding failed: reason=" },
      "The driver has set a binding failure condition of a device: reason and message are its own.", "Look at the driver.", NULL },
    { { "add reservation to claim " },
      "The claim cannot be reserved for the pod, mostly as 256 pods have it already.", "Make more claims, or a template.", NULL },
    { { "number of allocations ", " is smaller than number of claims" },
      "A fault of the scheduler: some claims of the pod are allocated already, others are not, and several nodes fit.",
      "Take a release without it, or let the pod fit on one node only.", allocate },
};

/* Whether the text has the parts, one after the other. */
static bool contains(const char *text, const char *const *parts)
{
    for (unsigned i = 0; i < WORD_PARTS && parts[i]; i++) {
        text = strstr(text, parts[i]);
        if (!text)
            return false;
        text += strlen(parts[i]);
    }
    return true;
}

static void print_row(const struct words *row, bool first)
{
    printf("%s\"", first ? "" : "\n");
    for (unsigned i = 0; i < WORD_PARTS && row->parts[i]; i++)
        printf("%s%s", i ? "..." : "", row->parts[i]);
    printf("\"\n  %s\n  = %s\n", row->means, row->advice);
    if (row->command)
        printf("  More: %s\n", row->command);
}

int explain_words(const struct command *command, const char *asked)
{
    struct nearest nearest = { .wanted = bytes_of(asked) };
    bool any = false;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        near_consider(&nearest, bytes_of(rows[i].parts[0]));
        if (!contains(asked, rows[i].parts))
            continue;
        print_row(&rows[i], !any);
        any = true;
    }
    if (any)
        return EXIT_GOOD;
    return usage_unknown(command, asked, "what the scheduler says about devices, nor anything else to explain", "", &nearest);
}
