/* Semantic versions in expressions. Source: github.com/blang/semver v4.0.0, k8s.io/apiserver v0.35.4 pkg/cel/library/semverlib.go. */
#include "cel/limits.h"
#include "rules/cel/calls.h"
#include "rules/cel/objects.h"

struct semver_object {
    struct cel_object head;
    uint64_t numbers[3]; /* major, minor, patch */
    struct bytes pre;    /* identifiers with dots between them; empty: none */
    struct bytes text;   /* the whole */
};

/* ---- reading ---- */

static bool is_digit(char byte)
{
    return byte >= '0' && byte <= '9';
}

static bool is_word(char byte)
{
    return is_digit(byte) || (byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z') || byte == '-';
}

/* Cuts off what is before the first of that byte, and the byte. False: there is none. */
static bool cut(struct bytes *rest, char byte, struct bytes *before)
{
    const char *at = rest->length ? memchr(rest->data, byte, rest->length) : NULL;
    *before = at ? (struct bytes){ rest->data, (uint32_t)(at - rest->data) } : *rest;
    if (!at)
        return false;
    rest->data = at + 1;
    rest->length -= before->length + 1;
    return true;
}

/* What a number breaks, as an index into the words for it. */
enum number_fault { NUMBER_GOOD, NUMBER_CHARACTERS, NUMBER_ZEROS, NUMBER_RANGE };

static enum number_fault read_number(struct bytes digits, uint64_t *number)
{
    *number = 0;
    bool overflow = false;
    for (uint32_t i = 0; i < digits.length; i++) {
        if (!is_digit(digits.data[i]))
            return NUMBER_CHARACTERS;
        overflow = overflow || __builtin_mul_overflow(*number, 10, number) ||
                   __builtin_add_overflow(*number, (uint64_t)(digits.data[i] - '0'), number);
    }
    if (digits.length == 0)
        return NUMBER_CHARACTERS;
    return digits.length > 1 && digits.data[0] == '0' ? NUMBER_ZEROS : overflow ? NUMBER_RANGE : NUMBER_GOOD;
}

/* Whether identifiers have the right characters; in a pre-release, those of digits alone are numbers. */
static const char *identifiers_fault(struct bytes rest, bool pre)
{
    for (bool more = true; more;) {
        struct bytes identifier;
        uint64_t number;
        uint32_t i = 0, digits = 0;
        more = cut(&rest, '.', &identifier);
        for (; i < identifier.length && is_word(identifier.data[i]); i++)
            digits += is_digit(identifier.data[i]);
        if (identifier.length == 0)
            return pre ? "Prerelease is empty" : "Build meta data is empty";
        if (i < identifier.length)
            return pre ? "Invalid character(s) found in prerelease" : "Invalid character(s) found in build meta data";
        enum number_fault fault = pre && digits == identifier.length ? read_number(identifier, &number) : NUMBER_GOOD;
        if (fault)
            return fault == NUMBER_ZEROS ? "Numeric PreRelease version must not contain leading zeroes" : "value out of range";
    }
    return NULL;
}

static const char *read_version(struct bytes text, struct semver_object *version)
{
    static const char *const words[3][4] = {
        { NULL, "Invalid character(s) found in major number", "Major number must not contain leading zeroes", "value out of range" },
        { NULL, "Invalid character(s) found in minor number", "Minor number must not contain leading zeroes", "value out of range" },
        { NULL, "Invalid character(s) found in patch number", "Patch number must not contain leading zeroes", "value out of range" },
    };
    struct bytes parts[3], rest = text, build;
    version->text = text;
    if (text.length == 0)
        return "Version string empty";
    if (text.length > LIMIT_CEL_OBJECT_TEXT)
        return "the version is too long";
    if (!cut(&rest, '.', &parts[0]) || !cut(&rest, '.', &parts[1]))
        return "No Major.Minor.Patch elements found";
    struct bytes before_build, after = rest;
    bool has_build = cut(&after, '+', &before_build);
    build = after;
    rest = before_build;
    bool has_pre = cut(&rest, '-', &parts[2]);
    version->pre = has_pre ? rest : (struct bytes){ NULL, 0 };
    for (int i = 0; i < 3; i++) {
        enum number_fault fault = read_number(parts[i], &version->numbers[i]);
        if (fault)
            return words[i][fault];
    }
    const char *fault = has_pre ? identifiers_fault(rest, true) : NULL;
    return fault || !has_build ? fault : identifiers_fault(build, false);
}

struct cel_object *semver_object(struct arena *arena, struct bytes text, bool input, const char **error)
{
    *error = NULL;
    struct semver_object *version = arena_alloc(arena, sizeof *version);
    if (!version)
        return NULL;
    version->head = (struct cel_object){ &semver_class, input };
    *error = read_version(text, version);
    return *error ? NULL : &version->head;
}

/* Appends a number without zeros before it; what is left begins with a digit. */
static void add_trimmed(struct text *text, struct bytes part)
{
    if (part.length > 1) {
        while (part.length && part.data[0] == '0') {
            part.data++;
            part.length--;
        }
        if (part.length == 0 || !is_digit(part.data[0]))
            text_add(text, "0");
    }
    text_add_bytes(text, part);
}

/* Makes a version of "v1.02": without v and zeros before numbers, with zeros for numbers that are not there. */
static const char *normalize(struct arena *arena, struct bytes *version)
{
    struct text text;
    struct bytes rest = *version, part;
    int parts = 1;
    text_init(&text, arena);
    if (rest.length && rest.data[0] == 'v') {
        rest.data++;
        rest.length--;
    }
    for (; parts < 3 && cut(&rest, '.', &part); parts++) {
        add_trimmed(&text, part);
        text_add(&text, ".");
    }
    if (parts < 3 && rest.length && (memchr(rest.data, '+', rest.length) || memchr(rest.data, '-', rest.length)))
        return "short version cannot contain PreRelease/Build meta data";
    add_trimmed(&text, rest);
    for (; parts < 3; parts++)
        text_add(&text, ".0");
    const char *data = text_end(&text);
    *version = (struct bytes){ data, data ? (uint32_t)text.length : 0 };
    return NULL;
}

/* NULL: *error says why, or the arena failed. */
static struct cel_object *version_of(const struct cel_invocation *call, const char **error)
{
    struct bytes text = call->arguments[0].text;
    struct arena *arena = call->evaluation->arena;
    *error = call->count > 1 && call->arguments[1].boolean ? normalize(arena, &text) : NULL;
    return *error || arena->failure ? NULL : semver_object(arena, text, false, error);
}

struct cel_value call_semver(const struct cel_invocation *call)
{
    const char *error;
    struct cel_object *version = version_of(call, &error);
    return version ? cel_object_value(version) : object_fail(call->evaluation, error, call->arguments[0].text);
}

struct cel_value call_is_semver(const struct cel_invocation *call)
{
    const char *error;
    bool is = version_of(call, &error) != NULL;
    return is || error ? cel_boolean(is) : object_fail(call->evaluation, error, call->arguments[0].text);
}

/* ---- comparing ---- */

/* Numbers are below words. */
static int identifier_order(struct bytes a, struct bytes b)
{
    bool number_a = true, number_b = true;
    for (uint32_t i = 0; i < a.length; i++)
        number_a = number_a && is_digit(a.data[i]);
    for (uint32_t i = 0; i < b.length; i++)
        number_b = number_b && is_digit(b.data[i]);
    if (number_a != number_b)
        return number_a ? -1 : 1;
    if (number_a && a.length != b.length) /* there are no zeros before them */
        return a.length < b.length ? -1 : 1;
    int order = bytes_compare(a, b);
    return (order > 0) - (order < 0);
}

static int pre_order(struct bytes a, struct bytes b)
{
    if (a.length == 0 || b.length == 0)
        return (a.length == 0) - (b.length == 0);
    for (;;) {
        struct bytes left, right;
        bool more_a = cut(&a, '.', &left), more_b = cut(&b, '.', &right);
        int order = identifier_order(left, right);
        if (order || !more_a || !more_b)
            return order ? order : more_a - more_b;
    }
}

bool semver_order(struct cel_evaluation *evaluation, const struct cel_object *a, const struct cel_object *b, int *order)
{
    const struct semver_object *left = (const struct semver_object *)a, *right = (const struct semver_object *)b;
    *order = 0;
    for (int i = 0; i < 3 && !*order; i++)
        *order = (left->numbers[i] > right->numbers[i]) - (left->numbers[i] < right->numbers[i]);
    if (!*order)
        *order = pre_order(left->pre, right->pre);
    return cel_steps(evaluation, left->pre.length + right->pre.length);
}

/* Numbers have no zeros before them, so that equal versions are written alike, up to the +. */
static enum cel_equality_result equal(const struct cel_object *a, const struct cel_object *b)
{
    const struct semver_object *left = (const struct semver_object *)a, *right = (const struct semver_object *)b;
    bool same = memcmp(left->numbers, right->numbers, sizeof left->numbers) == 0 && bytes_equal(left->pre, right->pre);
    return same ? CEL_EQUAL : CEL_DIFFERENT;
}

/* ---- other functions ---- */

/* As an int, into which large numbers wrap. */
static struct cel_value number_at(const struct cel_invocation *call, int index)
{
    const struct cel_value *value = &call->arguments[0];
    if (!cel_is_object(value, &semver_class))
        return cel_no_overload(call->evaluation);
    return cel_integer((int64_t)((const struct semver_object *)value->object)->numbers[index]);
}

struct cel_value call_major(const struct cel_invocation *call)
{
    return number_at(call, 0);
}

struct cel_value call_minor(const struct cel_invocation *call)
{
    return number_at(call, 1);
}

struct cel_value call_patch(const struct cel_invocation *call)
{
    return number_at(call, 2);
}

static void print(const struct cel_object *object, struct text *text)
{
    text_add_bytes(text, ((const struct semver_object *)object)->text);
}

const struct cel_object_class semver_class = {
    .type = "kubernetes.Semver", .equal = equal, .print = print, .no_key = true
};
