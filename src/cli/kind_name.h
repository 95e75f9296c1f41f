/* Kinds by the names that kubectl takes: storageclass, sc, storageclasses.storage.k8s.io, resourceclaims.v1beta1.resource.k8s.io,
 * deviceclass/v1. A path of fields may follow after a dot. */
#ifndef DRAWBRIDGE_CLI_KIND_NAME_H
#define DRAWBRIDGE_CLI_KIND_NAME_H

#include "base/near.h"
#include "schema/kind.h"

struct kind_name {
    const struct kind *kind; /* NULL: there is none of that name, or not in that API version */
    const struct kind *other; /* then: a kind of that name in another API version; NULL: none */
    bool has_version;        /* that API version is meant, not all of the kind */
    const char *path;        /* what follows, "" for nothing; into the text */
};

/* Reads the name, in any case. Of two kinds of the same name the current one is meant, where no group is named; without an API version, the
 * newest that `version` serves, and with version 0 the first in the table. */
struct kind_name kind_name_read(const char *text, minor version);

/* Considers the names of all kinds. */
void kind_names_near(struct nearest *nearest);

#endif
