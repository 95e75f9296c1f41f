/* Reads regular expressions from standard input, one a line, in hexadecimal digits, each with texts behind it in the same form with a
 * point behind, and prints the expression and why Go refuses it, in hexadecimal digits; or "valid", and for each text where it matches first, 3-5,
 * or "none", or "limit" if PCRE2 cannot tell. With an argument, names of classes are read as Go 1.24 does. */
#define PCRE2_CODE_UNIT_WIDTH 8
#include <pcre2.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/limits.h"
#include "cel/regexp.h"
#include "value/limits.h"

static struct arena arena;

/* Two digits a byte, in place. */
static struct bytes decode(char *digits)
{
    size_t length = 0;
    for (; digits[2 * length] && digits[2 * length + 1]; length++) {
        char pair[] = { digits[2 * length], digits[2 * length + 1], 0 };
        digits[length] = (char)strtoul(pair, NULL, 16);
    }
    return (struct bytes){ digits, (uint32_t)length };
}

static pcre2_code *compile(struct bytes pattern)
{
    pcre2_compile_context *context = pcre2_compile_context_create(NULL);
    int error;
    PCRE2_SIZE where;
    if (!context)
        return NULL;
    pcre2_set_parens_nest_limit(context, LIMIT_PATTERN_NEST);
    pcre2_code *code = pcre2_compile((PCRE2_SPTR)pattern.data, pattern.length, PCRE2_UTF | PCRE2_DOTALL, &error, &where, context);
    pcre2_compile_context_free(context);
    return code;
}

static void print_match(const pcre2_code *code, pcre2_match_data *data, struct bytes text)
{
    int result = pcre2_match(code, (PCRE2_SPTR)text.data, text.length, 0, 0, data, NULL);
    PCRE2_SIZE *where = pcre2_get_ovector_pointer(data);
    if (result >= 0)
        printf(" %zu-%zu", where[0], where[1]);
    else
        printf(result == PCRE2_ERROR_NOMATCH ? " none" : " limit");
}

static void print_line(char *line, enum cel_regexp_dialect dialect)
{
    struct cel_regexp regexp;
    struct cel_regexp_classes classes;
    struct bytes translation = { NULL, 0 };
    char *texts = line + strcspn(line, " ");
    printf("%.*s ", (int)(texts - line), line);
    texts += *texts ? (*texts = 0, 1) : 0;
    cel_regexp_classes_init(&classes, dialect, &arena);
    if (cel_regexp_read(decode(line), &classes, &arena, &regexp))
        exit(2);
    if (!regexp.error.length && cel_regexp_translate(&regexp, &arena, &translation))
        exit(2);
    for (uint32_t i = 0; i < regexp.error.length; i++)
        printf("%02x", (unsigned char)regexp.error.data[i]);
    if (regexp.error.length == 0) {
        pcre2_code *code = translation.data ? compile(translation) : NULL;
        pcre2_match_data *data = pcre2_match_data_create(1, NULL);
        printf("valid");
        if (!data)
            exit(2);
        for (char *text = strtok(texts, " \n"); text; text = strtok(NULL, " \n"))
            if (code)
                print_match(code, data, decode(text));
            else
                printf(" limit");
        pcre2_match_data_free(data);
        pcre2_code_free(code);
    }
    putchar('\n');
    arena_clear(&arena);
}

int main(int count, char **arguments)
{
    char *line = NULL;
    size_t capacity = 0;
    (void)arguments;
    arena_init(&arena, &memory_malloc, LIMIT_ARENA_BYTES);
    while (getline(&line, &capacity, stdin) > 0) {
        line[strcspn(line, "\n")] = 0;
        print_line(line, count > 1 ? CEL_REGEXP_GO_1_24 : CEL_REGEXP_GO_1_25);
    }
    free(line);
    arena_done(&arena);
    return 0;
}
