/* What a finding does to the request. A webhook must not stand in the way of what the cluster has to do: an object that is being
 * deleted would hang for ever, and so would what owns it or waits for it; and what is stored must stay writable. */
#include "review/policy.h"

#include "base/limits.h"
#include "review/stored.h"

/* What a finding weighs: whether it denies where the mode lets it. */
enum weight { WEIGHT_ERROR, WEIGHT_RAISED, WEIGHT_WARNING, WEIGHT_INFO, WEIGHTS };

/* The answer, by mode and weight. A denial is still held back where no version is known (errors only), and by the ratchets. */
static const uint8_t actions[REVIEW_MODES][WEIGHTS] = {
    /*                   error         raised        warning       info */
    [MODE_ENFORCE] = { ACTION_DENY,  ACTION_DENY,  ACTION_WARN,  ACTION_NONE },
    [MODE_WARN]    = { ACTION_WARN,  ACTION_WARN,  ACTION_WARN,  ACTION_NONE },
    [MODE_AUDIT]   = { ACTION_AUDIT, ACTION_AUDIT, ACTION_AUDIT, ACTION_NONE },
};

/* The answers to one request in the making. */
struct decider {
    const struct review_settings *settings;
    const struct check_request *request;
    const struct policy *fitting[LIMIT_POLICIES]; /* the object, in their order */
    uint32_t count;
    bool raised[RULE_COUNT]; /* rules that one of them names */
    bool denying_errors[RULE_COUNT], denying_warnings[RULE_COUNT]; /* rules whose errors, whose warnings may deny */
    struct review *review;
};

/* ---- which policy decides ---- */

static bool fits_namespace(const struct policy *policy, struct bytes space)
{
    for (uint32_t i = 0; i < policy->namespace_count; i++) {
        const struct namespace_pattern *pattern = &policy->namespaces[i];
        bool long_enough = pattern->begins ? space.length >= pattern->text.length : space.length == pattern->text.length;
        if (space.length && long_enough && memcmp(space.data, pattern->text.data, pattern->text.length) == 0)
            return true;
    }
    return policy->namespace_count == 0;
}

static bool fits_kind(const struct policy *policy, const struct kind *kind)
{
    for (uint32_t i = 0; i < policy->kind_count; i++)
        if (bytes_equal(policy->kinds[i].kind, kind->kind) && (policy->kinds[i].any_group || bytes_equal(policy->kinds[i].group, kind->group)))
            return true;
    return policy->kind_count == 0;
}

static bool fits_field(const struct policy *policy, const char *field)
{
    for (uint32_t i = 0; i < policy->field_count; i++) {
        struct bytes wanted = policy->fields[i];
        if (strncmp(field, wanted.data, wanted.length) == 0 && (field[wanted.length] == '\0' || field[wanted.length] == '.'))
            return true;
    }
    return policy->field_count == 0;
}

static void find_fitting(struct decider *decider, struct bytes space)
{
    const struct policies *policies = decider->settings->policies;
    if (decider->settings->policy == REVIEW_EXACT || !policies)
        return;
    for (uint32_t i = 0; i < policies->count; i++)
        if (fits_namespace(&policies->list[i], space) && fits_kind(&policies->list[i], decider->request->kind))
            decider->fitting[decider->count++] = &policies->list[i];
    for (uint32_t i = 0; i < decider->count; i++)
        for (int rule = 0; rule < RULE_COUNT && decider->fitting[i]->rules; rule++)
            decider->raised[rule] |= decider->fitting[i]->rules[rule];
}

/* Whether some finding of the rule may deny: as an error, or as a warning that is raised. In which field it is does not count. */
static bool may_deny(const struct decider *decider, int rule, bool error)
{
    if (error && decider->settings->policy == REVIEW_OBSERVE)
        return false;
    for (uint32_t i = 0; i < decider->count; i++) {
        const struct policy *policy = decider->fitting[i];
        if (policy->rules && !policy->rules[rule])
            continue;
        if (policy->mode == MODE_ENFORCE && (error || policy->rules))
            return true;
        if (!policy->field_count)
            return false;
    }
    return error && decider->settings->mode == MODE_ENFORCE;
}

static void find_denying(struct decider *decider)
{
    for (int rule = 0; rule < RULE_COUNT; rule++) {
        decider->denying_errors[rule] = may_deny(decider, rule, true);
        decider->denying_warnings[rule] = may_deny(decider, rule, false);
    }
}

/* The first policy that fits the finding; NULL: none does. */
static const struct policy *policy_for(const struct decider *decider, const struct finding *finding)
{
    for (uint32_t i = 0; i < decider->count; i++) {
        const struct policy *policy = decider->fitting[i];
        if ((!policy->rules || policy->rules[finding->rule]) && (!policy->field_count || fits_field(policy, finding->field)))
            return policy;
    }
    return NULL;
}

/* ---- what it says ---- */

static enum weight weight_of(const struct finding *finding, const struct policy *policy)
{
    switch (finding->severity) {
    case SEVERITY_ERROR:   return WEIGHT_ERROR;
    case SEVERITY_WARNING: return policy && policy->rules ? WEIGHT_RAISED : WEIGHT_WARNING;
    case SEVERITY_INFO:    break;
    }
    return WEIGHT_INFO;
}

/* Why a finding that would deny does not; REVIEW_DEMOTIONS: it does. The mode comes last, so that it is counted where nothing but
 * the mode is in the way. */
static enum failure hold_back(const struct decider *decider, struct stored *stored, enum weight weight, enum review_mode mode,
                              const struct finding *finding, enum review_demotion *why)
{
    bool kept = false;
    enum failure failure = decider->request->old ? stored_excuses(stored, finding, &kept) : FAILURE_NONE;
    bool no_version = weight == WEIGHT_ERROR && decider->settings->policy == REVIEW_OBSERVE;
    *why = kept ? DEMOTED_BY_RATCHET : no_version ? DEMOTED_BY_VERSION : mode != MODE_ENFORCE ? DEMOTED_BY_MODE : REVIEW_DEMOTIONS;
    return failure;
}

static enum failure decide(const struct decider *decider, struct stored *stored, const struct finding *finding, enum review_action *action)
{
    const struct policy *policy = policy_for(decider, finding);
    enum review_mode mode = policy ? policy->mode : decider->settings->mode;
    enum weight weight = weight_of(finding, policy);
    enum review_demotion why = REVIEW_DEMOTIONS;
    enum failure failure = FAILURE_NONE;
    *action = actions[mode][weight];
    if (weight <= WEIGHT_RAISED && decider->settings->policy != REVIEW_EXACT)
        failure = hold_back(decider, stored, weight, mode, finding, &why);
    if (why == REVIEW_DEMOTIONS)
        return failure;
    decider->review->demoted[why]++;
    *action = *action == ACTION_DENY ? ACTION_WARN : *action;
    return failure;
}

/* Findings that are only counted go with those that are kept: no policy can be asked about them. */
static void count_others(const struct decider *decider, const struct findings *findings, uint32_t errors, uint32_t warnings)
{
    uint32_t *counts = decider->review->actions, more_errors = findings->errors - errors, more_warnings = findings->warnings - warnings;
    bool exact = decider->settings->policy == REVIEW_EXACT;
    enum review_action quiet = counts[ACTION_WARN] || exact ? ACTION_WARN : ACTION_AUDIT;
    counts[counts[ACTION_DENY] || exact ? ACTION_DENY : quiet] += more_errors;
    counts[quiet] += more_warnings;
}

static enum failure answer(const struct decider *decider, struct stored *stored, const struct check_result *result)
{
    struct review *review = decider->review;
    const struct findings *findings = &result->findings;
    struct arena *arena = &decider->request->worker->arena;
    struct review_answer *answers = arena_alloc(arena, findings->kept * sizeof *answers);
    uint32_t count = 0, kept[SEVERITY_INFO + 1] = { 0 };
    memset(review->actions, 0, sizeof review->actions);
    memset(review->demoted, 0, sizeof review->demoted);
    if (!answers)
        return arena->failure;
    for (const struct finding *finding = findings->first; finding; finding = finding->next) {
        struct review_answer *now = &answers[count++];
        now->finding = finding;
        enum failure failure = decide(decider, stored, finding, &now->action);
        if (failure)
            return failure;
        kept[finding->severity]++;
        review->actions[now->action]++;
    }
    count_others(decider, findings, kept[SEVERITY_ERROR], kept[SEVERITY_WARNING]);
    review->findings = *findings;
    review->answers = answers;
    review->answer_count = count;
    review->outcome = review->actions[ACTION_DENY] ? REVIEW_DENIED : REVIEW_ALLOWED;
    return FAILURE_NONE;
}

/* Where there are more findings than are kept, those that may deny could be among the others: judges again, and keeps only them. */
static enum failure judge_again(const struct decider *decider, struct check_result *again)
{
    struct check_request request = *decider->request;
    request.only_errors = decider->denying_errors;
    request.only = decider->denying_warnings;
    return check_object(&request, again);
}

static enum failure answer_all(const struct decider *decider, const struct check_result *result)
{
    struct check_result again;
    struct stored stored = { .request = decider->request, .result = result, .raised.rules = decider->raised, .denying.rules = decider->denying_warnings };
    if (decider->settings->policy != REVIEW_EXACT && result->findings.kept == LIMIT_FINDINGS) {
        enum failure failure = judge_again(decider, &again);
        failure = failure ? failure : answer(decider, &stored, &again);
        if (failure || decider->review->outcome == REVIEW_DENIED)
            return failure;
    }
    return answer(decider, &stored, result);
}

static enum failure answer_findings(const struct review_settings *settings, struct bytes space, const struct check_request *request,
                                    const struct check_result *result, struct review *review)
{
    struct decider decider = { .settings = settings, .request = request, .review = review };
    find_fitting(&decider, space);
    find_denying(&decider);
    return answer_all(&decider, result);
}

enum failure policy_answer(const struct review_settings *settings, struct bytes space, const struct check_request *request,
                           const struct check_result *result, struct review *review)
{
    if (result->findings.kept) {
        struct review made = *review;
        enum failure failure = answer_findings(settings, space, request, result, &made);
        if (!failure)
            *review = made;
        return failure;
    }
    review->outcome = REVIEW_ALLOWED;
    return FAILURE_NONE;
}
