#include "cli/lint_fix.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/limits.h"
#include "base/text.h"
#include "cli/limits.h"
#include "cli/rewrite_file.h"
#include "validate/apply.h"
#include "validate/limits.h"

/* A file and what becomes of it. */
struct fixed_file {
    struct kept_file *kept;
    struct buffer first; /* its text before all rounds; empty: nothing is fixed */
    struct buffer fresh; /* its text after this round; empty: nothing was fixed */
    struct edits edits;  /* from the first text to the newest one */
    uint32_t fixes;
    bool wrong;          /* it was said that an object cannot be fixed */
};

struct fixing {
    struct lint_fix *fix;
    struct source_set *set;
    struct workspace *workspace;
    struct fixed_file *files;
    uint32_t count;
    struct arena arena; /* edits of all files */
    struct arena round; /* edits of one file in one round */
};

/* ---- one round ---- */

static void say_wrong(struct fixing *fixing, struct fixed_file *file, const struct item *item)
{
    struct position position = { .line = 1 };
    const char *name = file_shown(&fixing->round, file->kept->name);
    if (!file->wrong && !lines_find(&item->source->lines, item->node ? item->node->offset : 0, &position))
        (void)command_error(fixing->fix->command, EXIT_FOUND, "%s:%u:%u: not fixed: the object would not be what it was", name,
                            position.line, position.column);
    file->wrong = true;
}

static enum failure fix_file(struct fixing *fixing, struct fixed_file *file)
{
    struct report report;
    struct applied applied;
    struct source *source = file->kept->source;
    arena_clear(&fixing->round);
    workspace_clear(fixing->workspace);
    enum failure failure = source_set_validate(fixing->set, fixing->workspace, source, &report);
    if (failure == FAILURE_LIMIT) /* it is said when the files are validated for the report */
        return FAILURE_NONE;
    if (!failure)
        failure = fixing->fix->hide(fixing->fix->self, source, &report);
    if (!failure)
        failure = fixes_apply(source, &report, fixing->workspace, &fixing->round, &applied);
    if (failure)
        return failure;
    if (applied.wrong)
        say_wrong(fixing, file, applied.wrong);
    if (!applied.text.data)
        return FAILURE_NONE;
    if (applied.text.length > LIMIT_FILE_BYTES)
        return FAILURE_LIMIT;
    if (!buffer_copy(applied.text, &file->fresh))
        return FAILURE_MEMORY;
    file->fixes += applied.fixes;
    edits_then(&file->edits, &applied.edits);
    for (uint32_t i = 0; i < file->edits.count && !fixing->arena.failure; i++) { /* the texts of this round end with it */
        struct bytes *text = &file->edits.list[i].text;
        char *data = arena_text(&fixing->arena, text->length + 1);
        if (data && text->length)
            memcpy(data, text->data, text->length);
        text->data = data;
    }
    return fixing->arena.failure;
}

/* Reads the new texts in place of the old ones. */
static enum failure take_fresh(struct fixing *fixing)
{
    enum failure failure = FAILURE_NONE;
    source_set_clear(fixing->set);
    for (uint32_t i = 0; i < fixing->count && !failure; i++) {
        struct fixed_file *file = &fixing->files[i];
        if (file->fresh.data) {
            struct buffer *old = &file->kept->text;
            if (!file->first.data)
                file->first = *old;
            else
                buffer_free(old);
            *old = file->fresh;
            file->fresh = (struct buffer){ NULL, 0 };
        }
        failure = source_set_add(fixing->set, file->kept->name, buffer_bytes(&file->kept->text), &file->kept->source);
    }
    return failure;
}

/* Sets *more if any file was changed. */
static enum failure run_round(struct fixing *fixing, bool *more)
{
    enum failure failure = source_set_prepare(fixing->set);
    *more = false;
    for (uint32_t i = 0; i < fixing->count && !failure; i++) {
        failure = fix_file(fixing, &fixing->files[i]);
        *more |= fixing->files[i].fresh.data != NULL;
    }
    return failure || !*more ? failure : take_fresh(fixing);
}

/* ---- the files ---- */

static void print_diff(struct fixing *fixing, const struct fixed_file *file)
{
    struct text text;
    text_init(&text, &fixing->round);
    const char *name = file_shown(&fixing->round, file->kept->name);
    edits_diff(&file->edits, buffer_bytes(&file->first), name, &text);
    const char *diff = text_end(&text);
    if (diff && !fixing->arena.failure)
        fwrite(diff, 1, text.length, stdout);
}

static bool write_file(struct fixing *fixing, const struct fixed_file *file)
{
    const struct kept_file *kept = file->kept;
    bool standard = strcmp(kept->name, "-") == 0;
    if (standard && !fixing->fix->diff)
        fwrite(kept->text.data, 1, kept->text.length, stdout);
    if (!file->fixes || standard || fixing->fix->diff)
        return file->fixes;
    int error = file_rewrite(kept->name, buffer_bytes(&kept->text));
    if (error)
        fixing->fix->status = command_error(fixing->fix->command, EXIT_SETUP, "%s: cannot be written: %s",
                                            file_shown(&fixing->round, kept->name), strerror(error));
    return !error;
}

static void write_files(struct fixing *fixing)
{
    for (uint32_t i = 0; i < fixing->count && !ferror(stdout); i++) {
        struct fixed_file *file = &fixing->files[i];
        arena_clear(&fixing->round);
        if (fixing->fix->diff && file->fixes)
            print_diff(fixing, file);
        if (!write_file(fixing, file))
            continue;
        fixing->fix->fixes += file->fixes;
        fixing->fix->files++;
    }
}

static enum failure fix_all(struct fixing *fixing)
{
    enum failure failure = FAILURE_NONE;
    bool more = true;
    for (unsigned round = 0; round < LIMIT_FIX_ROUNDS && more && !failure; round++)
        failure = run_round(fixing, &more);
    if (!failure)
        write_files(fixing);
    for (uint32_t i = 0; i < fixing->count; i++) {
        buffer_free(&fixing->files[i].first);
        buffer_free(&fixing->files[i].fresh);
    }
    return failure;
}

enum failure lint_fix(struct lint_fix *fix, struct source_set *set, struct workspace *workspace, struct kept_files *files)
{
    struct fixing fixing = { .fix = fix, .set = set, .workspace = workspace };
    size_t count = 0;
    for (const struct kept_file *kept = files->first; kept; kept = kept->next)
        count++;
    fixing.files = calloc(count + 1, sizeof *fixing.files);
    if (!fixing.files)
        return FAILURE_MEMORY;
    arena_init(&fixing.arena, &memory_malloc, LIMIT_SOURCE_BYTES);
    arena_init(&fixing.round, &memory_malloc, LIMIT_SOURCE_BYTES);
    for (struct kept_file *kept = files->first; kept; kept = kept->next)
        fixing.files[fixing.count++] = (struct fixed_file){ .kept = kept, .edits = { .arena = &fixing.arena } };
    enum failure failure = fix_all(&fixing);
    arena_done(&fixing.round);
    arena_done(&fixing.arena);
    free(fixing.files);
    return failure;
}
