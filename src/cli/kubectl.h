/* Asks a cluster, through the program kubectl: how to reach it, and as whom, is as its user has set it up. */
#ifndef DRAWBRIDGE_CLI_KUBECTL_H
#define DRAWBRIDGE_CLI_KUBECTL_H

#include "base/buffer.h"
#include "base/error.h"
#include "schema/kind.h"

struct kubectl {
    const char *program; /* its name in PATH, or its path */
    const char *kubeconfig, *context; /* its options; NULL: it has defaults */
    const char *space;   /* the namespace to read; NULL: all */
    unsigned seconds;    /* each call may take */
};

/* What came of asking for the objects of a kind. */
enum kubectl_answer {
    KUBECTL_READ,
    KUBECTL_MISSING, /* the server has no such API version */
    KUBECTL_REFUSED, /* the user may not read them */
    KUBECTL_FAILED,  /* *error is set */
};

/* The minor of the server's version, whether it is known here or not. False with *error set. */
bool kubectl_version(const struct kubectl *kubectl, unsigned *number, struct error *error) MUST_USE;

/* The API versions that the server has, each on a line: "storage.k8s.io/v1". The caller frees the text. False with *error set. */
bool kubectl_api_versions(const struct kubectl *kubectl, struct buffer *lines, struct error *error) MUST_USE;

/* All objects of a kind, a List in JSON, which the caller frees. *error is set with each other answer. */
enum kubectl_answer kubectl_get(const struct kubectl *kubectl, const struct kind *kind, struct buffer *list, struct error *error) MUST_USE;

#endif
