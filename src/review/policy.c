/* Decides what a finding does to the request. A webhook must not block what the cluster has to do: if updates of an object that is being
 * deleted were denied, it would hang for ever, with its owners and dependents; and stored objects must stay writable. */
#include "review/policy.h"

#include "check/limits.h"
#include "review/limits.h"
#include "review/stored.h"

/* The weight of a finding: an error, a warning that a policy raises by naming its rule, another warning, an info. */
enum weight { WEIGHT_ERROR, WEIGHT_RAISED, WEIGHT_WARNING, WEIGHT_INFO, WEIGHTS };

/* The action, by mode and weight. demotion() may still turn a denial into a warning. */
static const uint8_t actions[ENFORCEMENTS][WEIGHTS] = {
    /*                      error         raised        warning       info */
    [ENFORCEMENT_DENY]  = { ACTION_DENY,  ACTION_DENY,  ACTION_WARN,  ACTION_NONE },
    [ENFORCEMENT_WARN]  = { ACTION_WARN,  ACTION_WARN,  ACTION_WARN,  ACTION_NONE },
    [ENFORCEMENT_AUDIT] = { ACTION_AUDIT, ACTION_AUDIT, ACTION_AUDIT, ACTION_NONE },
};

/* The state of a decision about one request. */
struct decider {
    const struct review_settings *settings;
    const struct check_request *request;
    const struct policy *matching[LIMIT_POLICIES]; /* policies for the object's namespace and kind, in order */
    uint32_t count;
    bool raised[RULE_COUNT]; /* rules that one of these policies names */
    bool denying_errors[RULE_COUNT], denying_warnings[RULE_COUNT]; /* rules of which an error, a warning may deny */
    struct review *review;
};

/* ---- which policy decides ---- */

bool policy_matches_namespace(const struct policy *policy, struct bytes space)
{
    for (uint32_t i = 0; i < policy->namespace_count; i++) {
        const struct namespace_pattern *pattern = &policy->namespaces[i];
        bool length_matches = pattern->is_prefix ? space.length >= pattern->text.length : space.length == pattern->text.length;
        if (space.length && length_matches && memcmp(space.data, pattern->text.data, pattern->text.length) == 0)
            return true;
    }
    return policy->namespace_count == 0;
}

bool policy_matches_kind(const struct policy *policy, const struct kind *kind)
{
    for (uint32_t i = 0; i < policy->kind_count; i++) {
        const struct policy_kind *wanted = &policy->kinds[i];
        if (bytes_equal(wanted->kind, kind->kind) && (wanted->any_group || bytes_equal(wanted->group, kind->group)))
            return true;
    }
    return policy->kind_count == 0;
}

bool policy_matches_field(const struct policy *policy, const char *field)
{
    for (uint32_t i = 0; i < policy->field_count; i++) {
        struct bytes wanted = policy->fields[i];
        if (strncmp(field, wanted.data, wanted.length) == 0 && (field[wanted.length] == '\0' || field[wanted.length] == '.'))
            return true;
    }
    return policy->field_count == 0;
}

static void find_matching(struct decider *decider, struct bytes space)
{
    const struct policies *policies = decider->settings->policies;
    if (decider->settings->profile == PROFILE_API_SERVER || !policies)
        return;
    for (uint32_t i = 0; i < policies->count; i++)
        if (policies->list[i].has_mode && policy_matches_namespace(&policies->list[i], space) &&
            policy_matches_kind(&policies->list[i], decider->request->kind))
            decider->matching[decider->count++] = &policies->list[i];
    for (uint32_t i = 0; i < decider->count; i++)
        for (int rule = 0; rule < RULE_COUNT && decider->matching[i]->rules; rule++)
            decider->raised[rule] |= decider->matching[i]->rules[rule];
}

/* Whether some error of the rule may deny or, if not `error`, some warning that is raised. Any field is assumed. */
static bool may_deny(const struct decider *decider, int rule, bool error)
{
    if (error && decider->settings->profile == PROFILE_UNKNOWN_VERSION)
        return false;
    for (uint32_t i = 0; i < decider->count; i++) {
        const struct policy *policy = decider->matching[i];
        if (policy->rules && !policy->rules[rule])
            continue;
        if (policy->mode == ENFORCEMENT_DENY && (error || policy->rules))
            return true;
        if (!policy->field_count)
            return false;
    }
    return error && decider->settings->mode == ENFORCEMENT_DENY;
}

static void find_denying(struct decider *decider)
{
    for (int rule = 0; rule < RULE_COUNT; rule++) {
        decider->denying_errors[rule] = may_deny(decider, rule, true);
        decider->denying_warnings[rule] = may_deny(decider, rule, false);
    }
}

/* The first policy that matches the finding; NULL: none. */
static const struct policy *policy_for(const struct decider *decider, const struct finding *finding)
{
    for (uint32_t i = 0; i < decider->count; i++) {
        const struct policy *policy = decider->matching[i];
        if ((!policy->rules || policy->rules[finding->rule]) && (!policy->field_count || policy_matches_field(policy, finding->field)))
            return policy;
    }
    return NULL;
}

/* ---- decisions ---- */

static enum weight weight_of(const struct finding *finding, const struct policy *policy)
{
    switch (finding->severity) {
    case SEVERITY_ERROR:   return WEIGHT_ERROR;
    case SEVERITY_WARNING: return policy && policy->rules ? WEIGHT_RAISED : WEIGHT_WARNING;
    case SEVERITY_INFO:    break;
    }
    return WEIGHT_INFO;
}

/* Sets *why to the reason for which a finding that would deny does not; to REVIEW_DEMOTIONS if it does deny. The mode comes last, so that
 * it is counted only if nothing else prevents the denial. */
static enum failure demotion(const struct decider *decider, struct stored *stored, enum weight weight, enum enforcement mode,
                             const struct finding *finding, enum review_demotion *why)
{
    bool excused = false;
    enum failure failure = decider->request->old ? stored_excuses(stored, finding, &excused) : FAILURE_NONE;
    bool no_version = weight == WEIGHT_ERROR && decider->settings->profile == PROFILE_UNKNOWN_VERSION;
    *why = excused ? DEMOTED_BY_RATCHET : no_version ? DEMOTED_BY_VERSION : mode != ENFORCEMENT_DENY ? DEMOTED_BY_MODE : REVIEW_DEMOTIONS;
    return failure;
}

static enum failure decide(const struct decider *decider, struct stored *stored, const struct finding *finding, enum finding_action *action)
{
    const struct policy *policy = policy_for(decider, finding);
    enum enforcement mode = policy ? policy->mode : decider->settings->mode;
    enum weight weight = weight_of(finding, policy);
    enum review_demotion why = REVIEW_DEMOTIONS;
    enum failure failure = FAILURE_NONE;
    *action = actions[mode][weight];
    if (weight <= WEIGHT_RAISED && decider->settings->profile != PROFILE_API_SERVER)
        failure = demotion(decider, stored, weight, mode, finding, &why);
    if (why == REVIEW_DEMOTIONS)
        return failure;
    decider->review->demoted[why]++;
    *action = *action == ACTION_DENY ? ACTION_WARN : *action;
    return failure;
}

/* Findings that are only counted cannot be matched with policies: they are assumed to do what the kept ones do. */
static void count_others(const struct decider *decider, const struct findings *findings, uint32_t errors, uint32_t warnings)
{
    uint32_t *counts = decider->review->actions, more_errors = findings->errors - errors, more_warnings = findings->warnings - warnings;
    bool exact = decider->settings->profile == PROFILE_API_SERVER;
    enum finding_action milder = counts[ACTION_WARN] || exact ? ACTION_WARN : ACTION_AUDIT;
    counts[counts[ACTION_DENY] || exact ? ACTION_DENY : milder] += more_errors;
    counts[milder] += more_warnings;
}

static enum failure answer(const struct decider *decider, struct stored *stored, const struct check_result *result)
{
    struct review *review = decider->review;
    const struct findings *findings = &result->findings;
    struct arena *arena = &decider->request->workspace->arena;
    struct review_answer *answers = arena_alloc(arena, findings->kept * sizeof *answers);
    uint32_t count = 0, kept[SEVERITY_INFO + 1] = { 0 };
    memset(review->actions, 0, sizeof review->actions);
    memset(review->demoted, 0, sizeof review->demoted);
    if (!answers)
        return arena->failure;
    for (const struct finding *finding = findings->first; finding; finding = finding->next) {
        struct review_answer *decision = &answers[count++];
        decision->finding = finding;
        enum failure failure = decide(decider, stored, finding, &decision->action);
        if (failure)
            return failure;
        kept[finding->severity]++;
        review->actions[decision->action]++;
    }
    count_others(decider, findings, kept[SEVERITY_ERROR], kept[SEVERITY_WARNING]);
    review->findings = *findings;
    review->answers = answers;
    review->answer_count = count;
    review->outcome = review->actions[ACTION_DENY] ? REVIEW_DENIED : REVIEW_ALLOWED;
    return FAILURE_NONE;
}

/* Validates again, and keeps only findings that may deny: if there are more findings than are kept, they could be among the others. */
static enum failure validate_again(const struct decider *decider, struct check_result *again)
{
    struct check_request request = *decider->request;
    request.errors_wanted = decider->denying_errors;
    request.warnings_wanted = decider->denying_warnings;
    return validate_object(&request, again);
}

static enum failure answer_all(const struct decider *decider, const struct check_result *result)
{
    struct check_result again;
    struct stored stored = {
        .request = decider->request,
        .result = result,
        .raised.rules = decider->raised,
        .denying.rules = decider->denying_warnings,
    };
    if (decider->settings->profile != PROFILE_API_SERVER && result->findings.kept == LIMIT_FINDINGS) {
        enum failure failure = validate_again(decider, &again);
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
    find_matching(&decider, space);
    find_denying(&decider);
    return answer_all(&decider, result);
}

struct check_request policy_request(const struct review_settings *settings, struct workspace *workspace)
{
    return (struct check_request){
        .version = settings->version,
        .gates_off = gates_off(&settings->gates, settings->version),
        .expression_gates_off = gates_off_in_expressions(&settings->gates, settings->version),
        .drivers = settings->drivers,
        .workspace = workspace,
        .fields = settings->policies && settings->policies->have_fields,
    };
}

enum failure policy_answer(const struct review_settings *settings, struct bytes space, const struct check_request *request,
                           const struct check_result *result, struct review *review)
{
    if (result->findings.kept == 0) {
        review->outcome = REVIEW_ALLOWED;
        return FAILURE_NONE;
    }
    struct review answered = *review;
    enum failure failure = answer_findings(settings, space, request, result, &answered);
    if (!failure)
        *review = answered;
    return failure;
}
