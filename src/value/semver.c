#include "value/semver.h"

#include "value/limits.h"

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

const char *semver_read(struct bytes text, struct semver *version)
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
    if (text.length > LIMIT_SEMVER_BYTES)
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

int semver_compare(const struct semver *a, const struct semver *b)
{
    for (int i = 0; i < 3; i++)
        if (a->numbers[i] != b->numbers[i])
            return a->numbers[i] < b->numbers[i] ? -1 : 1;
    return pre_order(a->pre, b->pre);
}

bool semver_equal(const struct semver *a, const struct semver *b)
{
    /* Numbers have no zeros before them: equal versions are written alike. */
    return memcmp(a->numbers, b->numbers, sizeof a->numbers) == 0 && bytes_equal(a->pre, b->pre);
}
