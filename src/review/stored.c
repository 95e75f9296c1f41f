#include "review/stored.h"

#include "base/limits.h"
#include "base/text.h"
#include "value/time.h"

/* ---- situations of an update in which nothing denies, or no warning ---- */

/* What a controller changes to let an object go, and what changes by itself with every write. */
static const char *const housekeeping[] = { "finalizers", "ownerReferences", "managedFields", "resourceVersion", "generation", NULL };

/* Where the new object cannot be read, the old one has not been looked at: both, when an API server knows a type that we do not. */
static enum failure object_unreadable_before(const struct stored *stored, bool *is)
{
    const struct check_request *request = stored->request;
    struct check_result old = { .undecodable = stored->result->old_undecodable };
    enum failure failure = stored->result->undecodable ? check_types(request->worker, request->old_document, request->old_kind->shape, request->old, &old) : FAILURE_NONE;
    *is = old.undecodable;
    return failure;
}

static enum failure being_deleted(const struct stored *stored, bool *is)
{
    const struct doc_node *timestamp = doc_member(doc_member(stored->request->old, "metadata"), "deletionTimestamp");
    struct instant instant;
    *is = timestamp && timestamp->type == DOC_STRING && instant_read(doc_text(timestamp), &instant) && !instant_is_zero(&instant);
    return FAILURE_NONE;
}

static enum failure housekeeping_only(const struct stored *stored, bool *is)
{
    *is = false;
    return stored->result->undecodable ? FAILURE_NONE : check_changes_only(stored->request, housekeeping, is);
}

static enum failure metadata_only(const struct stored *stored, bool *is)
{
    *is = false;
    return stored->result->undecodable ? FAILURE_NONE : check_changes_only(stored->request, NULL, is);
}

/* Tried in this order. */
static const struct situation {
    enum failure (*holds)(const struct stored *stored, bool *is);
    bool warnings_only;
} situations[] = {
    { object_unreadable_before, false },
    { being_deleted,            false },
    { housekeeping_only,        false },
    { metadata_only,            true },
};

static enum failure look(struct stored *stored)
{
    enum failure failure = FAILURE_NONE;
    bool is = false;
    for (size_t i = 0; i < sizeof situations / sizeof *situations && !is && !failure; i++) {
        failure = situations[i].holds(stored, &is);
        stored->any = is && !situations[i].warnings_only;
        stored->warnings = is;
    }
    stored->looked = true;
    return failure;
}

/* ---- the same finding in the old object ---- */

/* Appends a path without the indexes in it, so that an element that moves in its list stays the same. */
static void add_without_indexes(struct text *text, const char *path)
{
    while (*path) {
        size_t plain = strcspn(path, "["), digits = path[plain] ? strspn(path + plain + 1, "0123456789") : 0;
        bool index = digits && path[plain + 1 + digits] == ']';
        size_t kept = index || !path[plain] ? plain : plain + 1;
        text_add_bytes(text, (struct bytes){ path, (uint32_t)kept });
        path += index ? plain + digits + 2 : kept;
    }
}

/* Two findings are the same by rule and path, or by rule, path without indexes, and message. Which of the two a key is begins it. */
enum sameness { SAME_PATH, SAME_MESSAGE, SAMENESSES };

static enum failure make_key(struct arena *arena, enum sameness sameness, const struct finding *finding, struct bytes *key)
{
    struct text text;
    text_init(&text, arena);
    text_add_integer(&text, (int64_t)sameness);
    text_add(&text, " ");
    text_add(&text, rule_info(finding->rule)->id);
    text_add(&text, " ");
    if (sameness == SAME_PATH) {
        text_add(&text, finding->path);
    } else {
        add_without_indexes(&text, finding->path);
        text_add(&text, "\n");
        text_add(&text, finding->message);
    }
    *key = (struct bytes){ text_end(&text), (uint32_t)text.length };
    return text.failed ? arena->failure : FAILURE_NONE;
}

static enum failure add_findings(struct stored_findings *old, struct arena *arena, const struct findings *findings)
{
    for (const struct finding *finding = findings->first; finding; finding = finding->next) {
        for (int sameness = 0; sameness < SAMENESSES; sameness++) {
            struct bytes key;
            enum failure failure = make_key(arena, (enum sameness)sameness, finding, &key);
            if (failure)
                return failure;
            (void)set_add(&old->found, key, finding);
        }
    }
    old->unknown |= findings->kept == LIMIT_FINDINGS;
    return FAILURE_NONE;
}

/* Judges the old object twice: as an update of itself, which says what stands in it for this operation, status and all; and as a new
 * one, for rules that look only at what changes. */
static enum failure judge_old(const struct stored *stored, struct stored_findings *old)
{
    struct check_request request = *stored->request;
    struct check_result as_update, as_new;
    request.kind = request.old_kind;
    request.document = request.old_document;
    request.object = request.old;
    request.fields = false;
    request.only = request.only_errors = old->rules;
    old->judged = true;
    enum failure failure = check_object(&request, &as_update);
    request.operation = CREATE;
    request.old = NULL;
    request.old_kind = NULL;
    request.old_document = NULL;
    failure = failure ? failure : check_object(&request, &as_new);
    old->unknown = failure == FAILURE_PATTERN;
    if (failure)
        return failure == FAILURE_PATTERN ? FAILURE_NONE : failure;
    uint32_t capacity = SAMENESSES * (as_update.findings.kept + as_new.findings.kept);
    failure = set_init(&old->found, &request.worker->arena, capacity, request.worker->context->key);
    failure = failure ? failure : add_findings(old, &request.worker->arena, &as_update.findings);
    return failure ? failure : add_findings(old, &request.worker->arena, &as_new.findings);
}

/* Whether the finding is one of the old object's, too, or may be. */
static enum failure was_found(const struct stored *stored, struct stored_findings *old, const struct finding *finding, bool *was)
{
    enum failure unjudged = old->judged ? FAILURE_NONE : judge_old(stored, old);
    *was = old->unknown;
    if (unjudged)
        return unjudged;
    for (int sameness = 0; sameness < SAMENESSES && !*was; sameness++) {
        struct arena *arena = &stored->request->worker->arena;
        struct bytes key;
        enum failure failure = make_key(arena, (enum sameness)sameness, finding, &key);
        if (failure)
            return failure;
        *was = set_find(&old->found, key) != NULL;
        arena_take_back(arena, key.data);
    }
    return FAILURE_NONE;
}

enum failure stored_excuses(struct stored *stored, const struct finding *finding, bool *excused)
{
    bool warning = finding->severity == SEVERITY_WARNING;
    enum failure failure = stored->looked ? FAILURE_NONE : look(stored);
    *excused = stored->any || (warning && stored->warnings);
    if (failure || *excused || !warning)
        return failure;
    failure = was_found(stored, &stored->raised, finding, excused);
    bool ask_again = stored->raised.unknown && stored->denying.rules[finding->rule];
    return failure || !ask_again ? failure : was_found(stored, &stored->denying, finding, excused);
}
