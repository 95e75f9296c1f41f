/* Functions of CEL on texts, lists and times: expressions that are true, and expressions that fail with these words. What cel-go says was
 * asked of cel-go v0.26.0 and Kubernetes 1.35. */
#include "unit.h"

#include "cel/evaluate.h"
#include "cel/limits.h"
#include "cel/zone.h"
#include "cel/zone_rule.h"
#include "rules/cel/order.h"
#include "schema/cel.h"

static struct arena compiled, evaluated;

/* The words of the error, "" for true, "false", or why it was not evaluated. */
static const char *evaluate(const char *expression)
{
    struct cel_expression made;
    const struct cel_program *program;
    struct cel_result result;
    const struct cel_value nothing = { .type = CEL_MAP };
    arena_clear(&compiled);
    arena_clear(&evaluated);
    if (cel_compile(bytes_of(expression), &cel_device_library, cel_environment(36), &compiled, &made) || (made.class != CEL_GOOD && made.class != CEL_TOO_COSTLY))
        return made.errors.count ? made.errors.list[0].text : "cannot be compiled";
    if (cel_program_new(&made, &cel_device_library, 36, &compiled, &program) ||
        cel_evaluate(program, &nothing, &evaluated, &result))
        return "failure";
    if (result.value.type == CEL_ERROR)
        return result.value.fault.words;
    return result.value.type == CEL_BOOL && result.value.boolean ? "" : "false";
}

static void expect_true(const char *const *expressions, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const char *words = evaluate(expressions[i]);
        EXPECT(*words == '\0', "%s: %s", expressions[i], words);
    }
    assert_rows();
}

struct error_row {
    const char *expression, *words;
};

static void expect_errors(const struct error_row *rows, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const char *words = evaluate(rows[i].expression);
        EXPECT(strcmp(words, rows[i].words) == 0, "%s: %s", rows[i].expression, words);
    }
    assert_rows();
}

static void test_texts(void **state)
{
    static const char *const rows[] = {
        "'hé𝄞'.charAt(1) == 'é' && 'hé𝄞'.charAt(2) == '𝄞' && 'hi'.charAt(2) == ''",
        "'héllo'.substring(1, 3) == 'él' && 'héllo'.substring(4) == 'o' && 'a'.substring(1) == ''",
        "'Straße Ä'.lowerAscii() == 'straße Ä' && 'straße ä[{@`'.upperAscii() == 'STRAßE ä[{@`'",
        "' \\t\\u00a0\\u2003 a b\\u3000\\u0085'.trim() == 'a b' && '\\u200ba\\ufeff'.trim() == '\\u200ba\\ufeff' && '  '.trim() == ''",
        "'ab'.replace('', '-') == '-a-b-' && 'ab'.replace('', '-', 2) == '-a-b' && ''.replace('', '-') == '-'",
        "'aaa'.replace('aa', 'b') == 'ba' && 'aaaa'.replace('a', 'b', 0) == 'aaaa' && 'abab'.replace('b', '', -1) == 'aa'",
        "'a,b,,c'.split(',') == ['a', 'b', '', 'c'] && ''.split(',') == [''] && ''.split('') == [] && 'é𝄞'.split('') == ['é', '𝄞']",
        "'a,b,c'.split(',', 2) == ['a', 'b,c'] && 'abc'.split('', 2) == ['a', 'bc'] && 'a'.split(',', 0) == [] && 'a,b'.split(',', -1) == ['a', 'b']",
        "['a', 'b'].join() == 'ab' && ['a', 'b', ''].join(', ') == 'a, b, ' && [].join(',') == ''",
        "strings.quote('\\a\\b\\f\\n\\r\\t\\v\\\\\"é') == '\"\\\\a\\\\b\\\\f\\\\n\\\\r\\\\t\\\\v\\\\\\\\\\\\\"é\"'",
        "'abc'.contains('') && 'abc'.contains('bc') && !'abc'.contains('ca') && !''.contains('a')",
        "'abc'.startsWith('ab') && !'abc'.startsWith('b') && 'abc'.endsWith('bc') && !'c'.endsWith('bc') && 'a'.endsWith('')",
        "'hello'.indexOf('l') == 2 && 'hello'.indexOf('l', 4) == -1 && 'hello'.indexOf('', 99) == 99 && 'é𝄞x'.indexOf('x') == 2",
        "'hello'.lastIndexOf('l') == 3 && 'hello'.lastIndexOf('l', 2) == 2 && 'hello'.lastIndexOf('') == 5 && 'a'.lastIndexOf('b') == -1",
        "'aaaa'.lastIndexOf('aa', 9) == -1 && 'aaaa'.lastIndexOf('aa', 3) == 2 && 'é𝄞é𝄞'.lastIndexOf('𝄞') == 3 && ''.lastIndexOf('a') == -1",
    };
    (void)state;
    expect_true(rows, COUNT(rows));
}

static void test_text_errors(void **state)
{
    static const struct error_row rows[] = {
        { "'hi'.charAt(3) == ''", "index out of range: 3" },
        { "'hi'.charAt(-1) == ''", "index out of range: -1" },
        { "'hi'.substring(3) == ''", "index out of range: 3" },
        { "'hi'.substring(2, 1) == ''", "invalid substring range. start: 2, end: 1" },
        { "'hi'.substring(0, 3) == ''", "index out of range: 3" },
        { "'hi'.indexOf('i', -1) == 0", "index out of range: -1" },
        { "'hi'.lastIndexOf('i', -1) == 0", "index out of range: -1" },
        { "[dyn('a'), dyn(1)].join() == ''", "join: invalid input" },
    };
    (void)state;
    expect_errors(rows, COUNT(rows));
}

static void test_lists(void **state)
{
    static const char *const rows[] = {
        "[1, 2].first().value() == 1 && [1, 2].last().value() == 2 && !['a'].slice(1, 1).first().hasValue()",
        "[1, 2, 3].slice(1, 3) == [2, 3] && [1].slice(0, 0) == [] && lists.range(3) == [0, 1, 2] && lists.range(-1) == []",
        "[1, 2, 3].reverse() == [3, 2, 1] && [].reverse() == []",
        "[[1], [2]].flatten() == [1, 2] && dyn([dyn(1), dyn([dyn(2), dyn([dyn(3), dyn([4])])])].flatten(2)) == [dyn(1), dyn(2), dyn(3), dyn([4])] && dyn([[1]].flatten(0)) == [[1]]",
        "[1, 2, 1, 3, 2].distinct() == [1, 2, 3] && [dyn(1), dyn(1u), dyn('1')].distinct() == [dyn(1), dyn('1')]",
        "sets.contains([1, 2, 3], [3, 1, 1]) && !sets.contains([1], [1, 2]) && sets.contains([], []) && !sets.intersects([], [])",
        "sets.intersects([1, 2], [2, 3]) && !sets.intersects([1], [2]) && sets.equivalent([1, 1], [1]) && !sets.equivalent([1], [1, 2])",
        "[1, 2, 1].indexOf(1) == 0 && [1, 2, 1].lastIndexOf(1) == 2 && ['a'].indexOf('b') == -1",
        "[1, 3, 2].max() == 3 && [1, 3, 2].min() == 1 && ['b', 'a'].min() == 'a' && [true, false].max() && [b'a', b'b'].max() == b'b'",
        "[1.0, double('NaN')].max() == 1.0 && [1.0, double('NaN'), 0.5].isSorted() && [dyn(1), dyn('a')].max() == 1",
        "[1, 2, 3].sum() == 6 && [1u, 2u].sum() == 3u && [0.5, 0.25].sum() == 0.75 && [duration('1s'), duration('2s')].sum() == duration('3s')",
        "[].sum() == 0 && [1, 1, 2].isSorted() && ![2, 1].isSorted() && [].isSorted() && [timestamp(1), timestamp(2)].isSorted()",
        "dyn([1, 2]).includes(2) && !dyn([1, 2]).includes(3) && dyn(2).includes(2) && !dyn('a').includes(2)",
        "dyn(lists.range(48)).includes(47) && !dyn(lists.range(48)).includes(48) && dyn(lists.range(99)).includes(47)",
        "[3, 1, 2].sort() == [1, 2, 3] && ['b', 'a'].sort() == ['a', 'b'] && [].sort() == []",
        "[2.0, double('NaN'), 1.0].sort()[0] == 2.0 && ['bb', 'a'].sortBy(s, s.size()) == ['a', 'bb']",
        "lists.range(12).sortBy(x, x % 2) == [0, 2, 4, 6, 8, 10, 1, 3, 5, 7, 9, 11]",
        "[13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1].sortBy(x, x % 2) == [4, 12, 10, 8, 6, 2, 11, 9, 7, 5, 13, 3, 1]",
    };
    (void)state;
    expect_true(rows, COUNT(rows));
}

static void test_list_errors(void **state)
{
    static const struct error_row rows[] = {
        { "[1].slice(-1, 1) == []", "cannot slice(-1, 1), negative indexes not supported" },
        { "[1].slice(1, 0) == []", "cannot slice(1, 0), start index must be less than or equal to end index" },
        { "[1].slice(0, 2) == []", "cannot slice(0, 2), list is length 1" },
        { "[1].flatten(-1) == []", "level must be non-negative" },
        { "dyn(1).flatten() == []", "no such overload" },
        { "[1].flatten(dyn('a')) == [] || true", "no such overload" },
        { "dyn(1).flatten() == [] || ['a', 'b'].flatten(9223372036854775807) == [] || true", "operation cancelled: actual cost limit exceeded" },
        { "[].max() == 1", "max called on empty list" },
        { "[].min() == 1", "min called on empty list" },
        { "[dyn(1), dyn(null)].isSorted()", "no such overload" },
        { "[dyn(1), dyn([2])].max() == 1", "no such overload" },
        { "[9223372036854775807, 1].sum() == 1", "integer overflow" },
        { "[dyn(1), dyn('a')].sum() == 1", "no such overload" },
        { "[dyn(1), dyn('a')].sort() == []", "list elements must have the same type" },
        { "dyn(lists.range(49)).includes(49)", "'includes' function cannot be applied to lists longer than 48 values" },
    };
    (void)state;
    expect_errors(rows, COUNT(rows));
}

static void test_format(void **state)
{
    static const char *const rows[] = {
        "'%s %d %%'.format(['a', 3]) == 'a 3 %' && 'x'.format([]) == 'x' && dyn('%s').format(['a', 'b']) == 'a'",
        "'%f %.2f %.0f %.0f'.format([1234567.5, 1.005, 2.5, -0.4]) == '1,234,567.500000 1.00 2 -0'",
        "'%f %f %f'.format([-0.0, double('inf'), double('NaN')]) == '0.000000 ∞ NaN' && '%f'.format(['-Infinity']) == '-∞'",
        "'%.20f %.3f'.format([0.1, 1e22]) == '0.10000000000000000555 10,000,000,000,000,000,000,000.000'",
        "'%.257f %.260f %.65536f %.32768f'.format([0.5, 5.5, 0.1, 0.1]) == '0.5 5.5000 0 0.1' && '%.10000001f'.format([0.1]).size() == 131",
        "'%.1074f'.format([4.9e-324]).endsWith('625') && '%.1074f'.format([4.9e-324]).size() == 1076 && '%.32767f'.format([4.9e-324]).size() == 1076",
        "'%.100000000f|'.format([0.1]) == '%!(NOVERB)|' && '%.100000000e|'.format([0.1]) == '%!(NOVERB)|'",
        "'%e %.2e'.format([9.9999995, -0.000012345]) == '9.999999×10⁰⁰ -1.234500×10⁻⁰⁵'",
        "'%e|%.0e|%.4e|%.16e'.format([double('inf'), double('inf'), 'NaN', 1e300]) == '     ∞|∞| NaN|  1.000000×10³⁰⁰'",
        "'%b %b %b %o %o'.format([5, -5, true, 8, -9223372036854775808]) == '101 -101 1 10 -1000000000000000000000'",
        "'%x %X %x %X'.format([255, -255, 'hi', b'\\xff']) == 'ff -FF 6869 FF' && '%x'.format([18446744073709551615u]) == 'ffffffffffffffff'",
        "'%s'.format([[dyn(1), 1.5, 'a', b'b', true, null, int, 3u]]) == '[1, 1.500000, \"a\", b\"b\", true, null, int, 3]'",
        "'%s'.format([{'b': 1, 'a': [2.0]}]) == '{\"a\":[2.000000], \"b\":1}' && '%s'.format([{dyn(1): 1, dyn('b'): 2, dyn(true): 3}]) == '{\"b\":2, 1:1, true:3}'",
        "'%s'.format([[timestamp(0)]]) == '[timestamp(\"1970-01-01T00:00:00Z\")]' && '%s'.format([timestamp(0)]) == '1970-01-01T00:00:00Z'",
        "'%s'.format([[duration('90s')]]) == '[duration(\"90s\")]' && '%s %s'.format([1.0, 1e21]) == '1 1e+21'",
        "'%s'.format([['\\u00ad\\n\\x7f\\u0378é 𝄞\\u00a0\\U000e0001']]) == r'[\"\\u00ad\\n\\x7f\\u0378é 𝄞\\u00a0\\U000e0001\"]'",
        "'%s'.format([[double('NaN'), double('-inf')]]) == '[\"NaN\", \"-Inf\"]' && '%s'.format([b'ab']) == 'ab'",
    };
    (void)state;
    expect_true(rows, COUNT(rows));
}

static void test_format_errors(void **state)
{
    static const struct error_row rows[] = {
        { "dyn('%d').format(['a']) == ''", "error during formatting: decimal clause can only be used on integers, was given string" },
        { "dyn('%f').format(['Inf']) == ''", "error during formatting: fixed-point clause can only be used on doubles, was given string" },
        { "dyn('%s %s').format(['a']) == ''", "index 1 out of range" },
        { "dyn('%').format(['a']) == ''", "unexpected end of string" },
        { "dyn('%q').format(['a']) == ''", "could not parse formatting clause: unrecognized formatting clause \"q\"" },
        { "dyn('%.3').format([1.5]) == ''", "could not parse formatting clause: error while parsing precision: could not find end of precision specifier" },
        { "dyn('%.f').format([1.5]) == ''",
          "could not parse formatting clause: error while parsing precision: error while converting precision to integer: "
          "strconv.Atoi: parsing \"\": invalid syntax" },
        { "'%s'.format([dyn([optional.of(1)])]) == ''", "error during formatting: no formatting function for optional_type" },
        { "'%s'.format([{1.5: 1}]) == ''", "error during formatting: no formatting function for map key of type double" },
        { "'%s'.format([b'\\xff']) == ''", "error during formatting: could not convert argument to string: invalid UTF-8 in bytes" },
    };
    (void)state;
    expect_errors(rows, COUNT(rows));
}

#define T "timestamp('2024-02-29T13:04:05.678Z')"

static void test_times(void **state)
{
    static const char *const rows[] = {
        T ".getFullYear() == 2024 && " T ".getMonth() == 1 && " T ".getDate() == 29 && " T ".getDayOfMonth() == 28",
        T ".getDayOfWeek() == 4 && " T ".getDayOfYear() == 59 && " T ".getHours() == 13 && " T ".getMinutes() == 4",
        T ".getSeconds() == 5 && " T ".getMilliseconds() == 678",
        "timestamp('2023-12-31T00:00:00Z').getDayOfYear() == 364 && timestamp('2024-12-31T00:00:00Z').getDayOfYear() == 365",
        "timestamp('2023-01-01T00:00:00Z').getDayOfYear() == 0 && timestamp('2023-03-01T00:00:00Z').getDayOfYear() == 59",
        T ".getHours('+02:00') == 15 && " T ".getHours('-05:30') == 7 && " T ".getMinutes('02:-30') == 34 && " T ".getHours('') == 13",
        "timestamp('2020-01-01T00:00:00Z').getHours('-02:+30') == 21 && timestamp('2020-01-01T00:00:00Z').getFullYear('123456789:00') == 2074",
        "timestamp('0001-01-01T00:00:00Z').getFullYear('-01:00') == 0 && timestamp('2020-01-01T00:00:00+05:00').getHours() == 19",
        "duration('1h30m').getMinutes() == 90 && duration('1h30m').getHours() == 1 && duration('-90s').getMinutes() == -1",
        "duration('1500ms').getMilliseconds() == 1500 && duration('1500ms').getSeconds() == 1",
        "duration('9223372036854775807ns').getSeconds() == 9223372036", /* and 0.854 */
        "duration('9223372035999999999ns').getSeconds() == 9223372036", /* a double has no more digits */
    };
    static const struct error_row errors[] = {
        { T ".getHours('++02:00') == 0", "strconv.Atoi: parsing \"++02\"" },
        { T ".getHours('1:') == 0", "strconv.Atoi: parsing \"\"" },
        { T ".getHours('Nowhere/Else') == 0", "unknown time zone \"Nowhere/Else\"" },
        { T ".getHours('../zoneinfo/UTC') == 0", "unknown time zone \"../zoneinfo/UTC\"" },
        { T ".getHours('/etc/localtime') == 0", "unknown time zone \"/etc/localtime\"" },
        { T ".getHours('UTC\\u0000') == 0", "unknown time zone \"UTC\\u0000\"" },
        { T ".getHours('Europe') == 0", "unknown time zone \"Europe\"" },
    };
    (void)state;
    expect_true(rows, COUNT(rows));
    expect_errors(errors, COUNT(errors));
}

#define LONG_TEXT(expression) "cel.bind(s, lists.range(20000).map(x, 'aaaaaaaaaa').join(''), " expression ")"

/* What cel-go would not end, or not soon. */
static void test_hostile(void **state)
{
    static const char memory[] = "the evaluation needs too much memory", time[] = "the evaluation takes too long",
                      limit[] = "operation cancelled: actual cost limit exceeded";
    static const struct error_row rows[] = {
        { "lists.range(9223372036854775807).size() == 0", memory },
        { "lists.range(20000).map(x, 'abcdefghij').join('').replace('', lists.range(20000).map(x, 'abcdefghij').join('')) == ''", memory },
        { "lists.range(100000).distinct().size() == 0", time },
        { "cel.bind(a, [[], []], cel.bind(b, [a, a, a, a, a, a, a, a], cel.bind(c, [b, b, b, b, b, b, b, b], cel.bind(d, [c, c, c, c, c, c, c, c], "
          "cel.bind(e, [d, d, d, d, d, d, d, d], cel.bind(f, [e, e, e, e, e, e, e, e], cel.bind(g, [f, f, f, f, f, f, f, f], "
          "cel.bind(h, [g, g, g, g, g, g, g, g], dyn([h, h, h, h, h, h, h, h]).flatten(99) == []))))))))", time },
        { "cel.bind(a, [[], []], cel.bind(b, [a, a, a, a, a, a, a, a], cel.bind(c, [b, b, b, b, b, b, b, b], cel.bind(d, [c, c, c, c, c, c, c, c], "
          "cel.bind(e, [d, d, d, d, d, d, d, d], cel.bind(f, [e, e, e, e, e, e, e, e], cel.bind(g, [f, f, f, f, f, f, f, f], "
          "cel.bind(h, [g, g, g, g, g, g, g, g], '%s'.format([[h, h, h, h, h, h, h, h]]) == ''))))))))", time },
        { LONG_TEXT("lists.range(30000).all(i, s.charAt(1) == 'a')"), time },
        { LONG_TEXT("lists.range(30000).all(i, s.size() == 200000)"), time },
        { LONG_TEXT("lists.range(30000).all(i, dyn(s) != 1)"), time },
        { LONG_TEXT("lists.range(30000).all(i, int('1' + s.replace('a', '')) == 1)"), limit },
        { LONG_TEXT("cel.bind(z, s.replace('a', '0'), lists.range(30000).all(i, int(z) == 0))"), time },
        { LONG_TEXT("cel.bind(m, {'a': s}, lists.range(30000).all(i, [m] == [m]))"), time },
        { LONG_TEXT("cel.bind(m, lists.range(50).transformMapEntry(i, v, {string(v): 1}), lists.range(40000).all(i, !(s in m)))"), time },
        { LONG_TEXT("cel.bind(m, lists.range(50).transformMapEntry(i, v, {string(v): 1}), lists.range(40000).all(i, m[?s] == optional.none()))"), time },
        { LONG_TEXT("cel.bind(m, {s: 1}, lists.range(30000).all(i, m == m))"), time },
        { LONG_TEXT("lists.range(20000).all(i, {s: 1} != {})"), time },
        { LONG_TEXT("cel.bind(m, {s: 1}, lists.range(20000).all(i, m.transformMap(k, v, v) != {}))"), time },
        { LONG_TEXT("lists.range(9000).map(i, s).max() == ''"), time },
        { LONG_TEXT("lists.range(9000).map(i, s).isSorted()"), time },
        { "cel.bind(a, lists.range(20000).map(x, 'aaaaaaaaaa').join(''), a.lastIndexOf('b' + a.substring(100000)) == -1)", "" },
    };
    (void)state;
    expect_errors(rows, COUNT(rows));
}

/* ---- sorting and zones, apart from expressions ---- */

enum { KEYS_MAX = 5000 };
static uint32_t keys[KEYS_MAX];

static bool key_is_less(void *context, uint32_t a, uint32_t b)
{
    (void)context;
    return keys[a] < keys[b];
}

/* A sort's worst enemy (McIlroy 1999): keys are chosen while they are compared, so that pivots are bad. */
struct adversary {
    uint32_t solid, gas, candidate;
};

static bool adversary_is_less(void *context, uint32_t a, uint32_t b)
{
    struct adversary *adversary = context;
    if (keys[a] == adversary->gas && keys[b] == adversary->gas)
        keys[a == adversary->candidate ? a : b] = adversary->solid++;
    if (keys[a] == adversary->gas)
        adversary->candidate = a;
    else if (keys[b] == adversary->gas)
        adversary->candidate = b;
    return keys[a] < keys[b];
}

enum { RANDOM, FEW, RISING, FALLING, PIPE, REPEATED, NEARLY, ADVERSARY, KINDS };

static uint32_t random_key(uint32_t *state)
{
    return (*state = *state * 1664525 + 1013904223) >> 8;
}

static void make_keys(unsigned kind, uint32_t count)
{
    uint32_t state = count * 8 + kind;
    for (uint32_t i = 0; i < count; i++)
        keys[i] = kind == RANDOM ? random_key(&state) % 1000 : kind == FEW ? random_key(&state) % 3 : kind == FALLING ? count - i / 4
                : kind == PIPE && count - i < i ? count - i : kind == REPEATED ? i % 7 : kind == NEARLY ? i / 3 : kind == ADVERSARY ? count : i;
    for (unsigned i = 0; kind == NEARLY && count && i < 3; i++) {
        uint32_t a = random_key(&state) % count, b = random_key(&state) % count, key = keys[a];
        keys[a] = keys[b];
        keys[b] = key;
    }
}

/* Hashes (FNV-1a) of the orders that Go's sort.Slice makes of the same keys. */
static void test_order(void **state)
{
    static const uint32_t sizes[] = { 0, 1, 2, 12, 13, 20, 49, 50, 51, 64, 100, 200, 299, 300, 1000, KEYS_MAX };
    static const uint32_t hashes[KINDS][COUNT(sizes)] = {
        { 0x811c9dc5, 0x050c5d1f, 0xeb741d64, 0x90c8d8e1, 0xa8e83ba9, 0xa51ee6ff, 0xb2bb1aaf, 0x4561d6ae, 0xdee514c8, 0x6732f9dd, 0xcf8a120b, 0x629b1799, 0xf3f10b02, 0x7b9ffa1d, 0xb099b43d, 0x7a799d23 },
        { 0x811c9dc5, 0x050c5d1f, 0xeb741d64, 0x2a40f805, 0xd0135d1f, 0xdcf3b1a5, 0xe037cdcb, 0xf2a7ac0a, 0xf4809540, 0xe5bdd541, 0x4aa15591, 0x97e1be61, 0xde211820, 0x27ecb17d, 0x87d7e2e5, 0x664cd065 },
        { 0x811c9dc5, 0x050c5d1f, 0x1076963a, 0x4a509959, 0x51e160cf, 0x783b3501, 0x1f6c285f, 0xe543a52a, 0x017ce4c8, 0x6d3a0905, 0xde239011, 0x2306fb5d, 0xb32054e8, 0xbee701f9, 0xa06ae7fd, 0x8c7ca59d },
        { 0x811c9dc5, 0x050c5d1f, 0x1076963a, 0xb2c787b9, 0xc3de2fe1, 0x7b202d7f, 0x62affafb, 0x8248610a, 0xc1cac62a, 0x931a9311, 0x7469a5cb, 0x508575b1, 0xfca8edf2, 0xfc94fc9f, 0x2ed0fc75, 0x895d846d },
        { 0x811c9dc5, 0x050c5d1f, 0x1076963a, 0xee93ce8f, 0x2bf3a64b, 0x9fedabd7, 0xc9968eff, 0xdf199bd2, 0xe81095ae, 0x462aac0d, 0x0dc6bc3f, 0xf72c1c7d, 0x2884cc4c, 0x21f8a793, 0x864d36d1, 0x064000b1 },
        { 0x811c9dc5, 0x050c5d1f, 0x1076963a, 0xdf0a5897, 0xb17a2e4b, 0x91621b45, 0xf0bb5ad1, 0xbd4a5f3a, 0x0d0c5906, 0x8e90ccb7, 0x4e3f7d91, 0x82fb8513, 0x81947872, 0x4c804f2f, 0x0183ff93, 0xf28695e3 },
        { 0x811c9dc5, 0x050c5d1f, 0x1076963a, 0x39fd7393, 0x149b60bd, 0x8416ed39, 0xbd95467f, 0x11ddc2bc, 0x1fe0b2ec, 0x74e21cf1, 0xd5ecaf6d, 0xee6bbf0b, 0x5713beb4, 0xbb291acf, 0x4a012169, 0xd1c60df9 },
        { 0x811c9dc5, 0x050c5d1f, 0x1076963a, 0x4a509959, 0xc643dc3b, 0x552125b9, 0xd1c2d17b, 0xf10fb51e, 0x38e08542, 0xdce3fe11, 0x019dba83, 0x19c47b03, 0x10d1b656, 0x76e7bf09, 0xf1abbc7f, 0xb27715fb },
    };
    static uint32_t numbers[KEYS_MAX];
    (void)state;
    for (unsigned kind = 0; kind < KINDS; kind++)
        for (size_t size = 0; size < COUNT(sizes); size++) {
            struct adversary adversary = { .gas = sizes[size] };
            uint32_t hash = UINT32_C(2166136261);
            make_keys(kind, sizes[size]);
            for (uint32_t i = 0; i < sizes[size]; i++)
                numbers[i] = i;
            order_sort(numbers, sizes[size], kind == ADVERSARY ? adversary_is_less : key_is_less, &adversary);
            for (uint32_t i = 0; i < sizes[size]; i++)
                hash = (hash ^ numbers[i]) * 16777619u;
            EXPECT(hash == hashes[kind][size], "kind %u, %u keys", kind, (unsigned)sizes[size]);
        }
    assert_rows();
}

static bool never_the_same(void *context, uint32_t a, uint32_t b)
{
    unsigned *turn = context;
    return (a * 7 + b * 13 + ++*turn) % 3 == 0;
}

/* Any answers are safe: all numbers are still there. */
static void test_no_order(void **state)
{
    enum { NUMBERS = 3000 };
    static uint32_t numbers[NUMBERS];
    static bool seen[NUMBERS];
    (void)state;
    for (unsigned turn = 0; turn < 200; turn++) {
        unsigned calls = turn;
        memset(seen, 0, sizeof seen);
        for (uint32_t i = 0; i < NUMBERS; i++)
            numbers[i] = i;
        order_sort(numbers, NUMBERS - turn, never_the_same, &calls);
        for (uint32_t i = 0; i < NUMBERS; i++)
            seen[numbers[i]] = true;
        for (uint32_t i = 0; i < NUMBERS; i++)
            assert_true(seen[i]);
    }
}

static void test_zone_rules(void **state)
{
    static const struct { const char *rule; bool good; int64_t time; int32_t offset; } rows[] = {
        { "CET-1CEST,M3.5.0,M10.5.0/3", true, 1711846799, 3600 }, /* 2024-03-31T00:59:59Z */
        { "CET-1CEST,M3.5.0,M10.5.0/3", true, 1711846800, 7200 },
        { "CET-1CEST,M3.5.0,M10.5.0/3", true, 1729990799, 7200 }, /* 2024-10-27T00:59:59Z */
        { "CET-1CEST,M3.5.0,M10.5.0/3", true, 1729990800, 3600 },
        { "AEST-10AEDT,M10.1.0,M4.1.0/3", true, 1704067200, 39600 }, /* January: summer */
        { "AEST-10AEDT,M10.1.0,M4.1.0/3", true, 1719792000, 36000 },
        { "EST5EDT", true, 1719792000, -14400 },
        { "<+1030>-10:30<+11>-11,M10.1.0,M4.1.0", true, 1719792000, 37800 },
        { "XXX3YYY,J60/0,J300/25:30:10", true, 1719792000, -7200 },
        { "XXX3YYY,J60/0,J300/25:30:10", true, 1709208000, -10800 }, /* 29 February is before day 60 */
        { "XXX3YYY,59,300", true, 1704067200, -10800 },
        { "IST-2", true, 0, 7200 },
        { "A3", false, 0, 0 }, { "", false, 0, 0 }, { "<>3", true, 0, -10800 }, { "XXX169", false, 0, 0 }, { "XXX3:60", false, 0, 0 },
        { "XXX3YYY,M3.2.0", false, 0, 0 }, { "XXX3YYY,J0,J1", false, 0, 0 }, { "XXX3YYY,M13.1.0,M1.1.0", false, 0, 0 }, { "XXX3YYY,1,2,", false, 0, 0 },
    };
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct cel_zone_rule rule = { .given = false };
        bool good = cel_zone_rule_read(bytes_of(rows[i].rule), &rule);
        EXPECT(good == rows[i].good, "%s", rows[i].rule);
        if (good)
            EXPECT(cel_zone_rule_offset(&rule, rows[i].time) == rows[i].offset, "%s", rows[i].rule);
    }
    assert_rows();
}

/* Version 1: transitions at 1000, to type 1, and at 2000, to type 0; offsets 3600 and 7200. */
#define ZONE_HEAD "TZif\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0" "\0\0\0\0" "\0\0\0\0" "\0\0\0\0" "\0\0\0\2" "\0\0\0\2" "\0\0\0\4"
#define ZONE_BODY "\0\0\3\350" "\0\0\7\320" "\1\0" "\0\0\16\20\0\0" "\0\0\34\40\1\0" "ABC\0"

static void test_zone_files(void **state)
{
    static const char good[] = ZONE_HEAD ZONE_BODY;
    struct cel_zone zone = { .name = { NULL, 0 } };
    (void)state;
    arena_clear(&evaluated);
    assert_true(cel_zone_parse((struct bytes){ good, sizeof good - 1 }, &evaluated, &zone));
    assert_int_equal(cel_zone_offset(&zone, 999), 3600);
    assert_int_equal(cel_zone_offset(&zone, 1000), 7200);
    assert_int_equal(cel_zone_offset(&zone, 2000), 3600);
    for (uint32_t length = 0; length < sizeof good - 1; length++) {
        char *copy = malloc(length + 1); /* so that sanitizers see what is read beyond */
        memcpy(copy, good, length);
        assert_false(cel_zone_parse((struct bytes){ copy, length }, &evaluated, &zone));
        free(copy);
    }
    char bad[sizeof good];
    static const struct { unsigned at; char byte; } changes[] = { { 0, 'X' }, { 4, '9' }, { 39, 0 }, { 43, 0 }, { 52, 2 }, { 32, 127 } };
    for (size_t i = 0; i < COUNT(changes); i++) {
        memcpy(bad, good, sizeof good);
        bad[changes[i].at] = changes[i].byte;
        assert_false(cel_zone_parse((struct bytes){ bad, sizeof good - 1 }, &evaluated, &zone));
    }
    assert_true(cel_zone_read(bytes_of("UTC"), &evaluated, &zone) && cel_zone_offset(&zone, 0) == 0);
    setenv("TZ", "Nowhere/Else", 1);
    assert_true(cel_zone_read(bytes_of("Local"), &evaluated, &zone) && cel_zone_offset(&zone, 0) == 0);
    if (cel_zone_read(bytes_of("Europe/Berlin"), &evaluated, &zone)) { /* the machine may have no database */
        assert_int_equal(cel_zone_offset(&zone, 1719792000), 7200);
        assert_int_equal(cel_zone_offset(&zone, 4102444800), 3600); /* 2100: by the rule */
        setenv("TZ", ":Europe/Berlin", 1);
        assert_true(cel_zone_read(bytes_of("Local"), &evaluated, &zone) && cel_zone_offset(&zone, 1719792000) == 7200);
    }
}

int main(void)
{
    arena_init(&compiled, &memory_malloc, 64u << 20);
    arena_init(&evaluated, &memory_malloc, LIMIT_CEL_EVALUATION_ARENA);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_texts), cmocka_unit_test(test_text_errors), cmocka_unit_test(test_lists), cmocka_unit_test(test_list_errors),
        cmocka_unit_test(test_format), cmocka_unit_test(test_format_errors), cmocka_unit_test(test_times), cmocka_unit_test(test_hostile),
        cmocka_unit_test(test_order), cmocka_unit_test(test_no_order), cmocka_unit_test(test_zone_rules), cmocka_unit_test(test_zone_files),
    };
    int failed = cmocka_run_group_tests_name("cel_functions", tests, NULL, NULL);
    arena_done(&compiled);
    arena_done(&evaluated);
    return failed;
}
