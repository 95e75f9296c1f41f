/* Charts and kustomizations, which other programs render: helm, and kustomize or kubectl. */
#ifndef DRAWBRIDGE_CLI_RENDERED_H
#define DRAWBRIDGE_CLI_RENDERED_H

#include "base/folders.h"
#include "cli/option.h"

struct rendered {
    struct rendered_settings {
        bool helm, kustomize;            /* what is looked for */
        const struct option_list *values; /* files for helm */
        minor version;                   /* of Kubernetes */
    } settings;
    struct rendered_folder {
        char *path;
        bool is_chart; /* otherwise a kustomization */
    } *list;
    unsigned count, capacity;
};

void rendered_done(struct rendered *rendered);

/* Keeps a folder if it is a chart or a kustomization that is looked for, and says what else is to be read of it. FOLDER_WHOLE: it is none;
 * or it cannot be kept, and error->code is set. */
enum folder_use rendered_find(struct rendered *rendered, const char *path, struct error *error) MUST_USE;

/* Renders a folder. `take` gets each file of the result, until it returns false: its name is that of a template of the chart, if helm says
 * it, or of the kustomization; lines count within the result. The network is closed to the programs, as far as they keep to the variables
 * for proxies. */
bool rendered_read(const struct rendered *rendered, unsigned index, bool (*take)(void *self, const char *name, struct bytes text),
                   void *self, struct error *error) MUST_USE;

#endif
