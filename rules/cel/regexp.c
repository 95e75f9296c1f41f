/* Regular expressions in expressions. Source: cel-go v0.26.0 common/stdlib, k8s.io/apiserver v0.35.4 pkg/cel/library/regex.go. */
#include "rules/cel/calls.h"

/* The evaluation ends: there is no memory, or a limit was reached. */
static struct cel_value stop(struct cel_evaluation *evaluation, enum failure failure)
{
    if (failure == FAILURE_MEMORY)
        evaluation->failure = FAILURE_MEMORY;
    if (evaluation->arena->failure)
        return cel_stop(evaluation, "the evaluation needs too much memory");
    return cel_stop(evaluation, "a regular expression is too large, or takes too many steps");
}

/* The pattern as a program. NULL: *result says why there is none. */
static const struct cel_regexp_program *pattern_of(const struct cel_invocation *call, enum cel_regexp_purpose purpose, const char *before,
                                                   struct cel_value *result)
{
    struct cel_evaluation *evaluation = call->evaluation;
    const struct cel_regexp_program *program = NULL;
    const char *error;
    struct text text;
    if (call->pattern)
        return call->pattern;
    enum cel_regexp_dialect dialect = cel_regexp_dialect(evaluation->version);
    enum failure failure = cel_matcher_compile(&evaluation->matcher, call->arguments[1].text, dialect, purpose, &program, &error);
    if (failure) {
        *result = stop(evaluation, failure);
        return NULL;
    }
    if (!error)
        return program;
    text_init(&text, evaluation->arena);
    text_add(&text, before);
    text_add(&text, error);
    const char *words = text_end(&text);
    *result = cel_fail(evaluation, words ? words : error);
    return NULL;
}

struct cel_value call_matches(const struct cel_invocation *call)
{
    struct cel_value result;
    struct cel_match match;
    const struct cel_regexp_program *program = pattern_of(call, CEL_REGEXP_TEST, "", &result);
    if (!program)
        return result;
    enum failure failure = cel_regexp_find(&call->evaluation->matcher, program, call->arguments[0].text, 0, &match);
    return failure ? stop(call->evaluation, failure) : cel_boolean(match.found);
}

static struct bytes part(struct bytes text, const struct cel_match *match)
{
    return match->found ? (struct bytes){ text.data + match->start, match->end - match->start } : (struct bytes){ "", 0 };
}

struct cel_value call_find(const struct cel_invocation *call)
{
    struct cel_value result;
    struct cel_match match;
    struct bytes text = call->arguments[0].text;
    const struct cel_regexp_program *program = pattern_of(call, CEL_REGEXP_FIND, "Illegal regex: ", &result);
    if (!program)
        return result;
    enum failure failure = cel_regexp_find(&call->evaluation->matcher, program, text, 0, &match);
    return failure ? stop(call->evaluation, failure) : cel_string(part(text, &match));
}

struct cel_value call_find_all(const struct cel_invocation *call)
{
    struct cel_evaluation *evaluation = call->evaluation;
    struct cel_value result, *items = NULL;
    struct bytes text = call->arguments[0].text;
    struct cel_match_all all = { .from = 0 };
    int64_t most = call->count == 3 ? call->arguments[2].integer : -1; /* negative: all */
    uint32_t count = 0, capacity = 0;
    const struct cel_regexp_program *program = pattern_of(call, CEL_REGEXP_FIND, "Illegal regex: ", &result);
    if (!program)
        return result;
    while (most < 0 || count < most) {
        enum failure failure = cel_regexp_next(&evaluation->matcher, program, text, &all);
        if (failure)
            return stop(evaluation, failure);
        if (!all.match.found)
            break;
        if (count == capacity) {
            struct cel_value *more = cel_evaluation_alloc(evaluation, capacity * 2 + 8, sizeof *more);
            if (!more)
                return cel_stopped(evaluation);
            if (count)
                memcpy(more, items, count * sizeof *more);
            items = more;
            capacity = capacity * 2 + 8;
        }
        items[count++] = cel_string(part(text, &all.match));
    }
    return cel_list_of(items, count);
}
