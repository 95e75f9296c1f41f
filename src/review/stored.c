#include "review/stored.h"

#include "base/text.h"
#include "check/limits.h"

/* ---- updates that excuse every finding, or every warning ---- */

/* What a controller changes to release an object, and what the API server changes with every write. */
static const char *const housekeeping[] = { "finalizers", "ownerReferences", "managedFields", "resourceVersion", "generation", NULL };

/* Whether the types of the old object are wrong, too: the API server may know types that are not known here. If the types of the new
 * object are wrong, those of the old one have not been checked yet. */
static enum failure object_unreadable_before(const struct stored *stored, bool *is)
{
    const struct check_request *request = stored->request;
    struct check_result old = { .undecodable = stored->result->old_undecodable || !request->old_kind };
    enum failure failure = FAILURE_NONE;
    if (stored->result->undecodable && request->old_kind)
        failure = validate_types(request->workspace, request->old_document, request->old_kind->shape, request->old, request->version, &old);
    *is = old.undecodable;
    return failure;
}

static enum failure being_deleted(const struct stored *stored, bool *is)
{
    const struct doc_node *timestamp = doc_member(doc_member(stored->request->old, "metadata"), "deletionTimestamp");
    *is = timestamp && timestamp->type == DOC_STRING;
    return FAILURE_NONE;
}

static enum failure housekeeping_only(const struct stored *stored, bool *is)
{
    *is = false;
    return stored->result->undecodable ? FAILURE_NONE : validate_changes_only(stored->request, housekeeping, is);
}

static enum failure metadata_only(const struct stored *stored, bool *is)
{
    *is = false;
    return stored->result->undecodable ? FAILURE_NONE : validate_changes_only(stored->request, NULL, is);
}

/* In this order. */
static const struct excuse {
    enum failure (*applies)(const struct stored *stored, bool *is);
    bool warnings_only;
} excuses[] = {
    { object_unreadable_before, false },
    { being_deleted,            false },
    { housekeeping_only,        false },
    { metadata_only,            true },
};

static enum failure classify(struct stored *stored)
{
    enum failure failure = FAILURE_NONE;
    bool is = false;
    for (size_t i = 0; i < sizeof excuses / sizeof *excuses && !is && !failure; i++) {
        failure = excuses[i].applies(stored, &is);
        stored->excuses_all = is && !excuses[i].warnings_only;
        stored->excuses_warnings = is;
    }
    stored->classified = true;
    return failure;
}

/* ---- the same finding in the old object ---- */

/* Appends a path without its indexes: findings of an element that moves in its list stay the same. */
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

/* Two findings are the same if rule and path are equal, or rule, path without indexes, and message. A key begins with which of the two it
 * is. */
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
            (void)map_add(&old->found, key, finding);
        }
    }
    old->unknown |= findings->kept == LIMIT_FINDINGS;
    return FAILURE_NONE;
}

/* Validates the old object twice: as an update of itself, for rules of this operation, as those of a status; and as a new object, for
 * rules that check only what has changed. */
static enum failure validate_old(const struct stored *stored, struct stored_findings *old)
{
    struct check_request request = *stored->request;
    struct check_result as_update, as_new;
    request.kind = request.old_kind;
    request.document = request.old_document;
    request.object = request.old;
    request.fields = false;
    request.warnings_wanted = request.errors_wanted = old->rules;
    old->validated = true;
    enum failure failure = validate_object(&request, &as_update);
    request.operation = CREATE;
    request.old = NULL;
    request.old_kind = NULL;
    request.old_document = NULL;
    failure = failure ? failure : validate_object(&request, &as_new);
    old->unknown = failure == FAILURE_PATTERN;
    if (failure)
        return failure == FAILURE_PATTERN ? FAILURE_NONE : failure;
    uint32_t capacity = SAMENESSES * (as_update.findings.kept + as_new.findings.kept);
    failure = map_init(&old->found, &request.workspace->arena, capacity, request.workspace->context->key);
    failure = failure ? failure : add_findings(old, &request.workspace->arena, &as_update.findings);
    return failure ? failure : add_findings(old, &request.workspace->arena, &as_new.findings);
}

/* Sets *was to whether the old object has the finding, too, or may have it. */
static enum failure was_found(const struct stored *stored, struct stored_findings *old, const struct finding *finding, bool *was)
{
    enum failure old_failure = old->validated ? FAILURE_NONE : validate_old(stored, old);
    *was = old->unknown;
    if (old_failure)
        return old_failure;
    for (int sameness = 0; sameness < SAMENESSES && !*was; sameness++) {
        struct arena *arena = &stored->request->workspace->arena;
        struct bytes key;
        enum failure failure = make_key(arena, (enum sameness)sameness, finding, &key);
        if (failure)
            return failure;
        *was = map_find(&old->found, key) != NULL;
        arena_take_back(arena, key.data);
    }
    return FAILURE_NONE;
}

enum failure stored_excuses(struct stored *stored, const struct finding *finding, bool *excused)
{
    bool warning = finding->severity == SEVERITY_WARNING;
    enum failure failure = stored->classified ? FAILURE_NONE : classify(stored);
    *excused = stored->excuses_all || (warning && stored->excuses_warnings);
    if (failure || *excused || !warning)
        return failure;
    failure = was_found(stored, &stored->raised, finding, excused);
    bool ask_again = stored->raised.unknown && stored->denying.rules[finding->rule];
    return failure || !ask_again ? failure : was_found(stored, &stored->denying, finding, excused);
}
