/* Rewrites manifests for the API versions that another Kubernetes serves: apiVersion, and members that stand elsewhere there. */
#ifndef DRAWBRIDGE_VALIDATE_REWRITE_H
#define DRAWBRIDGE_VALIDATE_REWRITE_H

#include "doc/edit.h"
#include "validate/source.h"

/* An object that stays as it is although its API version is deprecated, or not served any more. */
struct rewrite_refusal {
    struct rewrite_refusal *next;
    const struct item *item;
    const char *reason; /* a clause in English */
};

struct rewrite {
    struct edits edits; /* sorted */
    uint32_t objects;   /* that are rewritten */
    struct rewrite_refusal *refusals, *last;
    struct bytes text;  /* the new text; data NULL: nothing changes */
};

/* Rewrites the objects of a source whose API version Kubernetes `to` does not serve, or deprecates, for the newest one that it serves. Then
 * reads the new text and compares each object with what it was; if one differs, *wrong says which, and the text must not be used.
 * Everything is in the arena. Clears the workspace. FAILURE_MEMORY or FAILURE_LIMIT. */
enum failure rewrite_source(const struct source *source, minor to, struct workspace *workspace, struct arena *arena,
                            struct rewrite *rewrite, const struct item **wrong) MUST_USE;

/* The changes by which one object of a source is rewritten for Kubernetes `to`, in the arena, and the new API version in *meant. Returns
 * false when it need not be or cannot be rewritten. Clears the workspace. */
bool rewrite_object(const struct item *item, minor to, struct workspace *workspace, struct edits *edits, const struct kind **meant);

/* Whether the second object is the first one, in another API version, or with values at another place. Clears the workspace. */
bool rewrite_is_same(struct workspace *workspace, minor to, const struct item *item, const struct item *fresh);

#endif
