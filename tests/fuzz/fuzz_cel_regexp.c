/* libFuzzer target: regular expressions of CEL. The first byte says which Go reads them; a NUL is between the expression and a text to
 * find it in. Whatever the bytes are: no crash, errors in Go's form, and translations that PCRE2 compiles unless they are too large for it. */
#define PCRE2_CODE_UNIT_WIDTH 8
#include <pcre2.h>
#include <stdlib.h>

#include "base/limits.h"
#include "cel/limits.h"
#include "cel/regexp.h"
#include "value/limits.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool condition)
{
    if (!condition)
        abort();
}

/* Errors 114, 120 and 121: no memory, or a program of over 64 KiB; 148 and 149: too many names. */
static bool is_too_large(int error)
{
    return error == 114 || error == 120 || error == 121 || error == 148 || error == 149;
}

static void match(struct bytes pattern, struct bytes text)
{
    int error = 0;
    PCRE2_SIZE where = 0;
    pcre2_compile_context *context = pcre2_compile_context_create(NULL);
    pcre2_match_context *limits = pcre2_match_context_create(NULL);
    pcre2_match_data *matched = pcre2_match_data_create(1, NULL);
    require(context && limits && matched);
    pcre2_set_parens_nest_limit(context, LIMIT_PATTERN_NEST);
    pcre2_set_match_limit(limits, 1000);
    pcre2_code *code = pcre2_compile((PCRE2_SPTR)pattern.data, pattern.length, PCRE2_UTF | PCRE2_DOTALL, &error, &where, context);
    require(code || is_too_large(error));
    if (code) {
        int result = pcre2_match(code, (PCRE2_SPTR)(text.length ? text.data : ""), text.length, 0, 0, matched, limits);
        require(result >= 0 || result == PCRE2_ERROR_NOMATCH || result == PCRE2_ERROR_MATCHLIMIT || result == PCRE2_ERROR_DEPTHLIMIT ||
                result == PCRE2_ERROR_HEAPLIMIT || (result <= PCRE2_ERROR_UTF8_ERR1 && result >= PCRE2_ERROR_UTF8_ERR21));
    }
    pcre2_code_free(code);
    pcre2_match_data_free(matched);
    pcre2_match_context_free(limits);
    pcre2_compile_context_free(context);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const char begin[] = "error parsing regexp: ";
    struct arena arena;
    struct cel_regexp regexp;
    struct cel_regexp_classes classes;
    struct bytes translation = { NULL, 0 };
    if (size < 1 || size > LIMIT_CEL_BYTES)
        return 0;
    const uint8_t *nul = memchr(data + 1, 0, size - 1), *end = nul ? nul : data + size;
    struct bytes pattern = { (const char *)data + 1, (uint32_t)(end - data - 1) };
    struct bytes text = nul ? (struct bytes){ (const char *)nul + 1, (uint32_t)(data + size - nul - 1) } : (struct bytes){ NULL, 0 };
    arena_init(&arena, &memory_malloc, LIMIT_ARENA_BYTES);
    cel_regexp_classes_init(&classes, *data & 1 ? CEL_REGEXP_GO_1_25 : CEL_REGEXP_GO_1_24, &arena);
    require(cel_regexp_read(pattern, &classes, &arena, &regexp) == FAILURE_NONE);
    if (regexp.error.length)
        require(regexp.error.length > sizeof begin && memcmp(regexp.error.data, begin, sizeof begin - 1) == 0);
    else
        require(cel_regexp_translate(&regexp, &arena, &translation) == FAILURE_NONE);
    if (translation.data)
        match(translation, text);
    arena_done(&arena);
    return 0;
}
