/* drawbridge upgrade --fix: manifests, rewritten for the API versions of another Kubernetes. */
#include "cli/upgrade.h"

#include <stdio.h>
#include <string.h>

#include "base/limits.h"
#include "base/text.h"
#include "cli/rewrite_file.h"
#include "validate/limits.h"
#include "validate/rewrite.h"

struct fixing {
    struct inputs *inputs;
    struct arena arena; /* of one file */
    minor to;
    bool diff;
    int status;
    size_t objects, files;
};

static void raise_status(struct fixing *fixing, int status)
{
    if (status > fixing->status)
        fixing->status = status;
}

/* ---- sources ---- */

/* Says of an object why it stays as it is. */
static void say(struct fixing *fixing, const struct item *item, const char *what, const char *reason)
{
    const int before = fixing->inputs->status;
    uint32_t offset = item->node ? item->node->offset : item->error.offset;
    inputs_say(fixing->inputs, item->source->name, &item->source->lines, offset, "%s: %s", what, reason);
    fixing->inputs->status = before;
    raise_status(fixing, EXIT_FOUND);
}

static void print_diff(struct fixing *fixing, const struct source *source, const struct rewrite *rewrite)
{
    struct text text;
    text_init(&text, &fixing->arena);
    edits_diff(&rewrite->edits, source->text, file_shown(&fixing->arena, source->name), &text);
    const char *diff = text_end(&text);
    if (diff && !fixing->arena.failure)
        fwrite(diff, 1, text.length, stdout);
}

static bool write_source(struct fixing *fixing, const struct source *source, const struct rewrite *rewrite)
{
    int error = file_rewrite(source->name, rewrite->text);
    if (error)
        raise_status(fixing, command_error(fixing->inputs->command, EXIT_SETUP, "%s: cannot be written: %s",
                                           file_shown(&fixing->arena, source->name), strerror(error)));
    else
        printf("%s: %u object%s rewritten\n", file_shown(&fixing->arena, source->name), rewrite->objects, rewrite->objects == 1 ? "" : "s");
    return !error;
}

static enum failure fix_source(struct fixing *fixing, const struct source *source)
{
    struct rewrite rewrite;
    const struct item *wrong;
    arena_clear(&fixing->arena);
    enum failure failure = rewrite_source(source, fixing->to, &fixing->inputs->workspace, &fixing->arena, &rewrite, &wrong);
    if (failure)
        return failure;
    for (const struct rewrite_refusal *refusal = rewrite.refusals; refusal; refusal = refusal->next)
        say(fixing, refusal->item, "not rewritten", refusal->reason);
    if (wrong) {
        say(fixing, wrong, "nothing is written of this file", "this object would not be what it was");
        return FAILURE_NONE;
    }
    if (!rewrite.text.data)
        return FAILURE_NONE;
    if (fixing->diff)
        print_diff(fixing, source, &rewrite);
    if (fixing->diff || write_source(fixing, source, &rewrite)) {
        fixing->objects += rewrite.objects;
        fixing->files++;
    }
    return fixing->arena.failure;
}

int upgrade_fix(struct inputs *inputs, minor to, bool diff)
{
    struct fixing fixing = { .inputs = inputs, .to = to, .diff = diff, .status = inputs->status };
    enum failure failure = FAILURE_NONE;
    arena_init(&fixing.arena, &memory_malloc, LIMIT_SOURCE_BYTES);
    for (struct source *source = inputs->sources.sources.first; source && !failure && !ferror(stdout); source = source->next)
        failure = fix_source(&fixing, source);
    if (failure)
        raise_status(&fixing, command_error(inputs->command, EXIT_USAGE, "%s", failure_text(failure)));
    arena_done(&fixing.arena);
    if (end_output(inputs->command, EXIT_GOOD) != EXIT_GOOD)
        return EXIT_INTERNAL;
    fprintf(stderr, "%zu object%s in %zu file%s %s\n", fixing.objects, fixing.objects == 1 ? "" : "s", fixing.files,
            fixing.files == 1 ? "" : "s", diff ? "to be rewritten" : "rewritten");
    return fixing.status;
}
