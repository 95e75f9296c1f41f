#include "check/rule.h"

static const struct rule_info rules[] = {
#define RULE(id, name, reason, asks) [RULE_##id] = { name, REASON_##reason, asks },
#include "rules/rules.def"
#undef RULE
#define FORMAT(id, name, good, bad, what, ...) [RULE_FORMAT_##id] = { name, REASON_INVALID, "the value is " what },
#include "rules/formats.def"
#undef FORMAT
};
_Static_assert(sizeof rules / sizeof *rules == RULE_COUNT, "a row for each rule");

static const struct reason_info reasons[] = {
    [REASON_OF_RULE] = { "", "", false },
#define REASON_ROW(id, cause, words, says_value) [REASON_##id] = { cause, words, says_value },
    CHECK_REASONS(REASON_ROW)
#undef REASON_ROW
};

const struct rule_info *rule_info(enum rule rule)
{
    return &rules[rule];
}

const struct reason_info *reason_info(enum reason reason)
{
    return &reasons[reason];
}
