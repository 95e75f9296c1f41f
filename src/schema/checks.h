/* The words for checks in a table: an operation, its arguments, then modifiers, as in MAX_BYTES(64, SHOULD, SINCE(34)).
 *
 * A check runs where it stands: in a field's CHECKS on the member's value, set or not; in a shape's CHECKS on every value of that
 * shape, inside an object with its members as siblings. Each word expands to a struct check with an operation of schema/ops.def and
 * the rule that it stands for. */
#ifndef DRAWBRIDGE_SCHEMA_CHECKS_H
#define DRAWBRIDGE_SCHEMA_CHECKS_H

#include "schema/predicates.h"
#include "schema/shape.h"

/* CHECKS(check...); CHECKED_BY(list), of checks that several fields share: static const struct check list[] = CHECK_LIST(check...). */
#define CHECKS(...)      .checks = (const struct check[])CHECK_LIST(__VA_ARGS__)
#define CHECKED_BY(list) .checks = (list)
#define CHECK_LIST(...)  { __VA_ARGS__, { .op = CHECK_END } }

#define NAMES(...) ((const char *const[]){ __VA_ARGS__, NULL })

/* An operation, the rule that it stands for, arguments and modifiers. */
#define CHECK_(check_op, check_rule, ...) { .op = CHECK_##check_op, .rule = RULE_##check_rule, __VA_ARGS__ }

/* ---- whether a value is set ---- */

/* REQUIRED(): set, that is not null, and for a value that is no pointer not "" or empty either. FORBIDDEN(): not set. */
#define REQUIRED(...)  CHECK_(REQUIRED, REQUIRED, __VA_ARGS__)
#define FORBIDDEN(...) CHECK_(FORBIDDEN, FORBIDDEN, __VA_ARGS__)

/* NON_EMPTY(): not "" or empty, if set. REQUIRED_IF_SET(): the same with reason Required. */
#define NON_EMPTY(...)       CHECK_(NON_EMPTY, NON_EMPTY, __VA_ARGS__)
#define REQUIRED_IF_SET(...) CHECK_(NON_EMPTY, REQUIRED, __VA_ARGS__)

/* ONLY_FIRST_OF(IF(…)): not set, because another member of its group is. NEEDS(SIBLING("other")): reports that something else is
 * required, because this value is set. */
#define ONLY_FIRST_OF(...) CHECK_(FORBIDDEN, AT_MOST_ONE_OF, __VA_ARGS__)
#define NEEDS(...)         CHECK_(NEEDS, REQUIRED, .reason = REASON_REQUIRED, __VA_ARGS__)

/* EXPLICIT(SHOULD): not left out, although an API server takes that for the zero value. RECOMMENDED(SHOULD, DETAIL(…)): should be set. */
#define EXPLICIT(...)    CHECK_(EXPLICIT, RECOMMENDED, __VA_ARGS__)
#define RECOMMENDED(...) CHECK_(REQUIRED, RECOMMENDED, __VA_ARGS__)

/* ---- texts ---- */

/* FORMAT(name): one finding for each broken part of the format; an unset pointer passes. */
#define FORMAT(...)        FORMAT_(__VA_ARGS__, )
#define FORMAT_(name, ...) CHECK_(FORMAT, FORMAT_##name, .format = FORMAT_##name, __VA_ARGS__)

/* ENUM(NAMES("a", "b")): one of the texts, byte for byte. NONE_OF(RULE, NAMES("a", "b"), DETAIL(…)): none of the texts.
 * DEPRECATED(NAMES(…)): none of the texts, a warning. */
#define ENUM(...)                         ENUM_(__VA_ARGS__, )
#define ENUM_(values, ...)                CHECK_(ENUM, ENUM, .names = (values), __VA_ARGS__)
#define NONE_OF(...)                      NONE_OF_(__VA_ARGS__, )
#define NONE_OF_(check_rule, values, ...) CHECK_(LISTED, check_rule, .names = (values), __VA_ARGS__)
#define DEPRECATED(...)                   DEPRECATED_(__VA_ARGS__, )
#define DEPRECATED_(values, ...)          CHECK_(LISTED, DEPRECATED, .names = (values), .severity = SEVERITY_WARNING, __VA_ARGS__)

#define MAX_BYTES(...)       MAX_BYTES_(__VA_ARGS__, )
#define MAX_BYTES_(max, ...) CHECK_(MAX_BYTES, MAX_BYTES, .high = (max), __VA_ARGS__)

/* REFERENCE(&reference): the text names something in the same object. */
#define REFERENCE(...)      REFERENCE_(__VA_ARGS__, )
#define REFERENCE_(to, ...) CHECK_(REFERENCE, REFERENCE, .reference = (to), __VA_ARGS__)

/* ---- numbers and quantities ---- */

/* RANGE(low, high): an integer or quantity within bounds, both included. AT_LEAST(low). MORE_THAN(low): not low itself. */
#define RANGE(...)            RANGE_(__VA_ARGS__, )
#define RANGE_(min, max, ...) CHECK_(RANGE, RANGE, .low = (min), .high = (max), __VA_ARGS__)
#define MORE_THAN(...)        MORE_THAN_(__VA_ARGS__, )
#define MORE_THAN_(min, ...)  CHECK_(RANGE, RANGE, .low = (min), .high = INT64_MAX, .strict = true, __VA_ARGS__)
#define AT_LEAST(...)         AT_LEAST_(__VA_ARGS__, )
#define AT_LEAST_(min, ...)   CHECK_(RANGE, RANGE, .low = (min), .high = INT64_MAX, __VA_ARGS__)

/* INTEGER(): a quantity without a fraction. */
#define INTEGER(...) CHECK_(INTEGER, INTEGER, __VA_ARGS__)

/* A quantity against siblings, exactly: AT_MOST("member"), NOT_LESS("member"), AT_MOST_WITH("addend", "member"), which takes the sum;
 * none is broken where one of them is unset. DETAIL says it in words. */
#define AT_MOST(...)                       AT_MOST_(__VA_ARGS__, )
#define AT_MOST_(member, ...)              CHECK_(COMPARE, COMPARISON, .name = (member), .high = 1, __VA_ARGS__)
#define AT_MOST_WITH(...)                  AT_MOST_WITH_(__VA_ARGS__, )
#define AT_MOST_WITH_(addend, member, ...) CHECK_(COMPARE, COMPARISON, .name = (member), .plus = (addend), .high = 1, __VA_ARGS__)
#define NOT_LESS(...)                      NOT_LESS_(__VA_ARGS__, )
#define NOT_LESS_(member, ...)             CHECK_(COMPARE, COMPARISON, .name = (member), .high = -1, __VA_ARGS__)

/* ON_GRID("value", "base", NAMES("other")): value - base is a multiple of it, in int64 as the API server computes after it compared the
 * base with the others, of which the value may be one. DETAIL says it in words. */
#define ON_GRID(...)                      ON_GRID_(__VA_ARGS__, )
#define ON_GRID_(value, base, other, ...) CHECK_(ON_GRID, MULTIPLE_OF, .name = (value), .plus = (base), .names = (other), __VA_ARGS__)

/* ---- lists and maps: how many ---- */

/* MAX_ITEMS(n): of a list or map; ends the row where it is broken, which MAX_ITEMS_CONTINUE(n) does not. EXACT_ITEMS(n). */
#define MAX_ITEMS(...)                MAX_ITEMS_(__VA_ARGS__, )
#define MAX_ITEMS_(max, ...)          CHECK_(MAX_ITEMS, MAX_ITEMS, .high = (max), .stop = true, __VA_ARGS__)
#define MAX_ITEMS_CONTINUE(...)       MAX_ITEMS_CONTINUE_(__VA_ARGS__, )
#define MAX_ITEMS_CONTINUE_(max, ...) CHECK_(MAX_ITEMS, MAX_ITEMS, .high = (max), __VA_ARGS__)
#define EXACT_ITEMS(...)              EXACT_ITEMS_(__VA_ARGS__, )
#define EXACT_ITEMS_(number, ...)     CHECK_(EXACT_ITEMS, EXACT_ITEMS, .low = (number), .high = (number), __VA_ARGS__)

/* SUM_ITEMS(NAMES("a", "b"), n): in a shape's checks; so many entries in these members together. */
#define SUM_ITEMS(...)                SUM_ITEMS_(__VA_ARGS__, )
#define SUM_ITEMS_(members, max, ...) CHECK_(SUM_ITEMS, SUM_ITEMS, .names = (members), .high = (max), __VA_ARGS__)

/* TOTAL_BYTES(n): keys and values of a map of texts. */
#define TOTAL_BYTES(...)       TOTAL_BYTES_(__VA_ARGS__, )
#define TOTAL_BYTES_(max, ...) CHECK_(TOTAL_BYTES, TOTAL_BYTES, .high = (max), __VA_ARGS__)

/* ---- lists: elements ---- */

/* UNIQUE("member") or UNIQUE(ITSELF): a text that no earlier element has; every later one is reported.
 * UNIQUE_BY(NAMES("a", "b")): no two elements have the same texts in all these members, unset being "". */
#define ITSELF                   NULL
#define UNIQUE(...)              UNIQUE_(__VA_ARGS__, )
#define UNIQUE_(member, ...)     CHECK_(UNIQUE, UNIQUE, .name = (member), __VA_ARGS__)
#define UNIQUE_BY(...)           UNIQUE_BY_(__VA_ARGS__, )
#define UNIQUE_BY_(members, ...) CHECK_(UNIQUE, UNIQUE, .names = (members), __VA_ARGS__)

/* Lists of quantities. UNIQUE_NUMBERS(): no two are the same int64, as the API server makes them one.
 * UNIQUE_QUANTITIES(n): no two are the same quantity, in a list of at most n. SORTED(): each at least as large
 * as the one before it. CONTAINS("member", n): one of them is that member, and there are at most n. */
#define UNIQUE_NUMBERS(...)         CHECK_(UNIQUE_NUMBERS, UNIQUE, __VA_ARGS__)
#define UNIQUE_QUANTITIES(...)      UNIQUE_QUANTITIES_(__VA_ARGS__, )
#define UNIQUE_QUANTITIES_(max, ...) CHECK_(UNIQUE_QUANTITIES, UNIQUE, .high = (max), __VA_ARGS__)
#define SORTED(...)                 CHECK_(SORTED, SORTED, __VA_ARGS__)
#define CONTAINS(...)               CONTAINS_(__VA_ARGS__, )
#define CONTAINS_(member, max, ...) CHECK_(CONTAINS, DEFAULT_LISTED, .name = (member), .high = (max), __VA_ARGS__)

/* Lists of texts. DISJOINT("member"): no text of the list is in that other list. EXCLUSIVE(NAMES("a", "b")): it does not hold both. */
#define DISJOINT(...)           DISJOINT_(__VA_ARGS__, )
#define DISJOINT_(member, ...)  CHECK_(DISJOINT, DISJOINT, .name = (member), __VA_ARGS__)
#define EXCLUSIVE(...)          EXCLUSIVE_(__VA_ARGS__, )
#define EXCLUSIVE_(values, ...) CHECK_(EXCLUSIVE, MUTUALLY_EXCLUSIVE, .names = (values), __VA_ARGS__)

/* AT_MOST_ONE("member"): at most one element of a list has that member set to true; every later one is reported. */
#define AT_MOST_ONE(...)          AT_MOST_ONE_(__VA_ARGS__, )
#define AT_MOST_ONE_(member, ...) CHECK_(AT_MOST_ONE, AT_MOST_ONE, .name = (member), __VA_ARGS__)

/* ---- maps: keys ---- */

/* KEYS(check...): the checks on every key of a map, as on a text at [key]. */
#define KEYS(...) { .op = CHECK_KEYS, .each = (const struct check[])CHECK_LIST(__VA_ARGS__) }

/* KEYS_IN("member", NAMES("prefix")): keys with one of these prefixes are keys of that other map, too. */
#define KEYS_IN(...)                    KEYS_IN_(__VA_ARGS__, )
#define KEYS_IN_(member, prefixes, ...) CHECK_(KEYS_IN, MATCHING_KEYS, .name = (member), .names = (prefixes), __VA_ARGS__)

/* ---- objects ---- */

/* ONE_OF(NAMES("a", "b"), NONE(reason), MANY(reason)): in a shape's checks; how many of the members are set. */
#define ONE_OF(...)           ONE_OF_(__VA_ARGS__, )
#define ONE_OF_(members, ...) CHECK_(ONE_OF, EXACTLY_ONE_OF, .names = (members), __VA_ARGS__)
#define NONE(id)              .none_reason = REASON_##id
#define MANY(id)              .many_reason = REASON_##id

/* MATCHES("path of a list", NAMES("a", "b")): some object in that list has the same texts in these members. */
#define MATCHES(...)                 MATCHES_(__VA_ARGS__, )
#define MATCHES_(path, members, ...) CHECK_(MATCHES, REFERENCE, .name = (path), .names = (members), __VA_ARGS__)

/* Of a value that may be anything. JSON_OBJECT(n): an object in JSON of at most n bytes. JSON_PAIR(NAMES("a", "b")): an object that has
 * both members or neither; where it was read at all. */
/* EXPRESSION(&library): a CEL expression with the functions and variables of that library, as the API server compiles it. */
#define EXPRESSION(...)           EXPRESSION_(__VA_ARGS__, )
#define EXPRESSION_(of, ...)      CHECK_(EXPRESSION, EXPRESSION, .library = &(of), __VA_ARGS__)

#define JSON_OBJECT(...)         JSON_OBJECT_(__VA_ARGS__, )
#define JSON_OBJECT_(max, ...)   CHECK_(JSON_OBJECT, JSON_OBJECT, .high = (max), __VA_ARGS__)
#define JSON_PAIR(...)           JSON_PAIR_(__VA_ARGS__, )
#define JSON_PAIR_(members, ...) CHECK_(JSON_PAIR, ALL_OR_NONE, .names = (members), __VA_ARGS__)

/* ---- updates ---- */

/* IMMUTABLE(): equal to the old value by meaning: with defaults filled in, unset and empty lists alike, quantities by value.
 * IMMUTABLE(STRICT): an unset map or list differs from an empty one.
 * IMMUTABLE_BY_KEY("name", NAMES("left out")): elements of a list with the same key, but for some members; reported there. */
#define IMMUTABLE(...)                     CHECK_(IMMUTABLE, IMMUTABLE, ON_ANY_UPDATE, __VA_ARGS__)
#define IMMUTABLE_BY_KEY(...)              IMMUTABLE_BY_KEY_(__VA_ARGS__, )
#define IMMUTABLE_BY_KEY_(key, other, ...) CHECK_(IMMUTABLE_BY_KEY, IMMUTABLE, ON_ANY_UPDATE, .name = (key), .names = (other), __VA_ARGS__)

/* UNCHANGEABLE_IF(IF(…)): an update that changes the value, as its condition says. */
#define UNCHANGEABLE_IF(...) CHECK_(UNCHANGEABLE, IMMUTABLE, ON_ANY_UPDATE, .detail = "field is immutable", __VA_ARGS__)

/* NO_ADDITIONS(): every text of the list was in the old one; new ones are reported. NO_ADDITIONS_BY(NAMES("a", "b")): the same for
 * objects, by the texts of these members. */
#define NO_ADDITIONS(...)              CHECK_(NO_ADDITIONS, NO_NEW_ITEMS, ON_ANY_UPDATE, __VA_ARGS__)
#define NO_ADDITIONS_BY(...)           NO_ADDITIONS_BY_(__VA_ARGS__, )
#define NO_ADDITIONS_BY_(members, ...) CHECK_(NO_ADDITIONS, NO_NEW_ITEMS, ON_ANY_UPDATE, .names = (members), __VA_ARGS__)

/* ---- broken whenever a condition holds ---- */

/* BROKEN_IF(RULE, IF(…), DETAIL(…)): of that rule. REFUSED_IF(IF(…), DETAIL(…)): a value that is not allowed. ALL_OR_NONE(IF(…)): a list
 * that must be filled or empty like another. */
#define BROKEN_IF(...)              BROKEN_IF_(__VA_ARGS__, )
#define BROKEN_IF_(check_rule, ...) CHECK_(REFUSE, check_rule, __VA_ARGS__)
#define REFUSED_IF(...)             CHECK_(REFUSE, DISALLOWED_VALUE, __VA_ARGS__)
#define ALL_OR_NONE(...)            CHECK_(REFUSE, ALL_OR_NONE, __VA_ARGS__)

/* ADVICE_IF(SHOULD, IF(…), DETAIL(…)): documents ask for something else. NO_EFFECT(IF(…), DETAIL(…)): nothing reads the value, an info. */
#define ADVICE_IF(...) CHECK_(REFUSE, RECOMMENDED, __VA_ARGS__)
#define NO_EFFECT(...) CHECK_(REFUSE, NO_EFFECT, INFO, __VA_ARGS__)

/* ---- other objects, and code ---- */

/* NAMES_OBJECT("group", "Kind"): where objects of that kind are validated together with this one, the text is the name of one of them.
 * Reported as info, because the object may be somewhere else; as a warning where one of them has nearly that name. TYPOS_ONLY: not
 * reported otherwise, as such objects need not exist. AFTER("prefix"): the name is what follows that, and no other text is meant. */
#define NAMES_OBJECT(...)                     NAMES_OBJECT_(__VA_ARGS__, )
#define NAMES_OBJECT_(in_group, of_kind, ...) CHECK_(NAMES_OBJECT, MISSING_OBJECT, OF_KIND_(in_group, of_kind), NEEDS_SET, __VA_ARGS__)
#define OF_KIND_(in_group, of_kind)           .plus = (in_group), .name = (of_kind), INFO
#define TYPOS_ONLY                            .strict = true
#define AFTER(prefix)                         .names = NAMES(prefix)

/* CALL(RULE, function): the last resort, a function in rules/cross/. ARGUMENT("…"): what the function gets. NEEDS_SET: it asks about
 * other objects, so it is only called where there are any. */
#define CALL(...)                        CALL_(__VA_ARGS__, )
#define CALL_(check_rule, function, ...) CHECK_(CALL, check_rule, .call = (function), __VA_ARGS__)
#define ARGUMENT(text)                   .name = (text)
#define NEEDS_SET                        .needs_set = true
/* What the function looks at, so that it need not be called again where that is the same: only the value, or only its keys; besides, what
 * is around the object in a list, and members beside the value: BESIDE("name", "../name"). */
#define VALUE_ONLY  .looks = LOOKS_AT_VALUE
#define KEYS_ONLY   .looks = LOOKS_AT_KEYS
#define BESIDE(...) .names = NAMES(__VA_ARGS__)

/* ---- how a row goes on ---- */

/* SKIP(IF(…)): neither the checks after it nor anything below, without a finding. */
#define SKIP(...) { .op = CHECK_SKIP, .stop = true, __VA_ARGS__ }

/* RATCHET(option, IF(…)): turns the option on for everything below, where UNLESS(option) asks for it. */
#define RATCHET(...)       RATCHET_(__VA_ARGS__, )
#define RATCHET_(bit, ...) { .op = CHECK_RATCHET, .option = (bit), __VA_ARGS__ }

/* ---- modifiers ---- */

/* When it runs: operations as CREATE or UPDATE | STATUS, versions as SINCE(34) and UNTIL(35), conditions that must all hold. */
#define WHEN(operations) .when = (operations)
#define ON_ANY_UPDATE    WHEN(UPDATE | STATUS)
#define IF(...)          .only_if = (const struct predicate[])PREDICATE_LIST(__VA_ARGS__)

/* What is reported: Kubernetes' reason where it is not the rule's own; why, for people. */
#define REASON(id)   .reason = REASON_##id
#define DETAIL(text) .detail = (text)

/* What no API server refuses: documented, but accepted without a word; or without effect. */
#define SHOULD .severity = SEVERITY_WARNING
#define INFO   .severity = SEVERITY_INFO

/* Where a finding is reported: UP(1) at the list or object around the value; AT(segment) below that; SIBLING(segment). */
#define UP(segments)     .up = (segments)
#define AT(segment)      .below = (segment)
#define SIBLING(segment) .up = 1, .below = (segment)

/* What does not run after it: STOP, where it is broken, neither the checks after it in its row nor anything below, or STOP_SINCE(minor), if
 * the version is that or later; REST_SKIPPED, of UNIQUE, no other check on an element that is reported. */
#define STOP         .stop = true
#define STOP_SINCE(minor) .stop = true, .stop_since = (minor)
#define REST_SKIPPED .rest_skipped = true

/* What counts as set: NONZERO, of ONE_OF, only what is not zero, pointers, too; UNION, of ONE_OF, as in Kubernetes' declarative validation:
 * not empty lists; EMPTY_COUNTS, of FORBIDDEN, also an empty list and
 * the time zero. STRICT, of IMMUTABLE: an unset list or map differs from an empty one. */
#define NONZERO      .nonzero = true
#define UNION        .is_union = true
#define EMPTY_COUNTS .empty_counts = true
#define STRICT       .strict = true

#endif
