/* The devices on which `drawbridge cel` evaluates: of ResourceSlices, and of lists in JSON. */
#ifndef DRAWBRIDGE_CLI_CEL_DEVICES_H
#define DRAWBRIDGE_CLI_CEL_DEVICES_H

#include "cli/inputs.h"
#include "match/device.h"

struct cel_named_device {
    struct cel_named_device *next;
    const char *name;       /* "driver/pool/device", or what a list calls it */
    struct value device;    /* in the terms in which rules are written */
    struct bytes driver;
    struct cel_value value; /* for evaluations */
    const char *fault;      /* why there is no value; NULL: there is one */
};

struct cel_devices {
    struct inputs inputs;
    struct arena arena; /* of the devices */
    minor version;
    struct cel_named_device *first, *last;
    uint32_t count;
};

/* Reads the devices of all paths as that version of Kubernetes sees them; with `only`, keeps those of that name: the whole of it, or
 * what is after a slash. Returns EXIT_GOOD, or EXIT_USAGE after it was said what is wrong. Call cel_devices_done in the end. */
int cel_devices_read(struct cel_devices *devices, const struct command *command, const struct option_list *paths, const char *only,
                     minor version) MUST_USE;

/* Considers the domains and names of attributes and capacities that devices have. */
void cel_devices_near(const struct cel_devices *devices, struct nearest *nearest);

/* Does nothing to what is zeroed. */
void cel_devices_done(struct cel_devices *devices);

#endif
