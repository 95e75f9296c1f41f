#define PCRE2_CODE_UNIT_WIDTH 8
#include "value/pattern.h"

#include <pcre2.h>

#include "value/limits.h"

struct pattern {
    pcre2_code *code;
    bool has_fast_match; /* pcre2_jit_match is possible: there is machine code, and subjects need no check for UTF-8 */
    pcre2_general_context *general;
    const struct memory *memory;
};

struct matcher {
    pcre2_match_data *data;
    pcre2_match_context *context;
    pcre2_general_context *general;
    const struct memory *memory;
};

static void *allocate(PCRE2_SIZE bytes, void *memory)
{
    const struct memory *from = memory;
    return from->allocate(bytes, from->data);
}

static void release(void *pointer, void *memory)
{
    const struct memory *from = memory;
    from->release(pointer, from->data);
}

static pcre2_general_context *new_general(const struct memory *memory)
{
    union {
        const struct memory *constant;
        void *plain; /* PCRE2 passes it to allocate and release, which only read it */
    } data = { memory };
    return pcre2_general_context_create(allocate, release, data.plain);
}

enum failure pattern_new(const char *source, bool utf, const struct memory *memory, struct pattern **result)
{
    struct pattern *pattern = memory->allocate(sizeof *pattern, memory->data);
    if (!pattern)
        return FAILURE_MEMORY;
    *pattern = (struct pattern){ .memory = memory, .general = new_general(memory) };
    pcre2_compile_context *context = pattern->general ? pcre2_compile_context_create(pattern->general) : NULL;
    uint32_t options = PCRE2_DOTALL | PCRE2_DOLLAR_ENDONLY | PCRE2_NEVER_BACKSLASH_C | (utf ? PCRE2_UTF : 0);
    int error = PCRE2_ERROR_HEAP_FAILED;
    PCRE2_SIZE where;
    if (context)
        pcre2_set_parens_nest_limit(context, LIMIT_PATTERN_NEST);
    if (context)
        pattern->code = pcre2_compile((PCRE2_SPTR)source, PCRE2_ZERO_TERMINATED, options, &error, &where, context);
    pcre2_compile_context_free(context);
    if (!pattern->code) {
        bool memory_failed = !context || error == PCRE2_ERROR_HEAP_FAILED;
        pattern_free(pattern);
        return memory_failed ? FAILURE_MEMORY : FAILURE_PATTERN;
    }
    /* The JIT compiler may fail or be missing: then PCRE2 interprets the same code. */
    size_t machine_code = 0;
    (void)pcre2_jit_compile(pattern->code, PCRE2_JIT_COMPLETE);
    pattern->has_fast_match = !utf && pcre2_pattern_info(pattern->code, PCRE2_INFO_JITSIZE, &machine_code) == 0 && machine_code;
    *result = pattern;
    return FAILURE_NONE;
}

void pattern_free(struct pattern *pattern)
{
    if (!pattern)
        return;
    pcre2_code_free(pattern->code);
    pcre2_general_context_free(pattern->general);
    pattern->memory->release(pattern, pattern->memory->data);
}

enum failure matcher_new(const struct memory *memory, struct matcher **result)
{
    struct matcher *matcher = memory->allocate(sizeof *matcher, memory->data);
    if (!matcher)
        return FAILURE_MEMORY;
    *matcher = (struct matcher){ .memory = memory, .general = new_general(memory) };
    if (matcher->general) {
        matcher->data = pcre2_match_data_create(1, matcher->general);
        matcher->context = pcre2_match_context_create(matcher->general);
    }
    if (!matcher->data || !matcher->context) {
        matcher_free(matcher);
        return FAILURE_MEMORY;
    }
    pcre2_set_match_limit(matcher->context, LIMIT_MATCH_STEPS);
    pcre2_set_heap_limit(matcher->context, LIMIT_MATCH_HEAP_KIB);
    pcre2_set_depth_limit(matcher->context, LIMIT_MATCH_DEPTH);
    *result = matcher;
    return FAILURE_NONE;
}

void matcher_free(struct matcher *matcher)
{
    if (!matcher)
        return;
    pcre2_match_data_free(matcher->data);
    pcre2_match_context_free(matcher->context);
    pcre2_general_context_free(matcher->general);
    matcher->memory->release(matcher, matcher->memory->data);
}

enum failure pattern_match(struct matcher *matcher, const struct pattern *pattern, struct bytes subject, bool *matched)
{
    static const char empty[1] = "";
    PCRE2_SPTR text = (PCRE2_SPTR)(subject.length ? subject.data : empty);
    int result = pattern->has_fast_match ? pcre2_jit_match(pattern->code, text, subject.length, 0, 0, matcher->data, matcher->context)
                                         : pcre2_match(pattern->code, text, subject.length, 0, 0, matcher->data, matcher->context);
    if (result < 0 && result != PCRE2_ERROR_NOMATCH)
        return result == PCRE2_ERROR_NOMEMORY ? FAILURE_MEMORY : FAILURE_PATTERN;
    *matched = result >= 0;
    return FAILURE_NONE;
}
