/* libFuzzer target: a baseline. Whatever the bytes are: it is read, and what is written from it reads as the same again; or it is refused
 * with words fit to print. */
#include <stdlib.h>
#include <string.h>

#include "lint/baseline.h"
#include "validate/context.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool condition)
{
    if (!condition)
        abort();
}

/* What is written from the text: from malloc, NULL when it is refused. */
static char *rewrite(struct workspace *workspace, struct bytes text)
{
    struct baseline baseline;
    struct error error;
    char *copy = NULL;
    baseline_init(&baseline);
    if (baseline_read(&baseline, workspace, text, &error)) {
        const char *written = baseline_text(&baseline);
        require(written && baseline_gone(&baseline) == 0);
        copy = strdup(written);
    } else {
        require(*error.text);
        for (const char *c = error.text; *c; c++)
            require((unsigned char)*c >= ' ' && *c != 127);
    }
    baseline_done(&baseline);
    return copy;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static struct context context;
    static struct workspace workspace;
    static bool ready;
    if (!ready)
        ready = context_init(&context, &memory_malloc) == FAILURE_NONE && workspace_init(&workspace, &context) == FAILURE_NONE;
    require(ready);
    char *once = rewrite(&workspace, (struct bytes){ (const char *)data, (uint32_t)size });
    char *twice = once ? rewrite(&workspace, bytes_of(once)) : NULL;
    require(!once || (twice && strcmp(once, twice) == 0));
    free(once);
    free(twice);
    return 0;
}
