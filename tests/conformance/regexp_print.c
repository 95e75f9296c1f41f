/* Reads regular expressions from standard input, one a line, in hexadecimal digits, each with texts behind it in the same form with a
 * point behind, and prints the expression and why Go refuses it, in hexadecimal digits; or "valid", and for each text all that matches, 3-5,7-9,
 * or "none"; "limit" if that cannot be told. Options: 1.24 reads names of classes as Go 1.24 does; threads goes all ways at the same time. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/limits.h"
#include "cel/regexp_program.h"

static struct arena arena;
static bool threads;

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

static void require(bool condition)
{
    if (!condition)
        exit(2);
}

static void print_matches(struct cel_matcher *matcher, const struct cel_regexp_program *find, const struct cel_regexp_program *test,
                          struct bytes text)
{
    struct cel_match_all all = { .from = 0 };
    struct cel_match any;
    const char *before = " ";
    while (!cel_regexp_next(matcher, find, text, &all) && all.match.found) {
        printf("%s%u-%u", before, all.match.start, all.match.end);
        before = ",";
    }
    require(!cel_regexp_find(matcher, test, text, 0, &any));
    if (*before == ' ')
        printf(" none");
    if (any.found != (*before == ','))
        printf("!");
}

/* The first match only. */
static void print_by_threads(const struct cel_regexp_program *program, struct bytes text)
{
    struct cel_match match = { .found = false };
    uint64_t steps = 1000000;
    void *memory = arena_alloc(&arena, regexp_threads_bytes(program));
    require(memory);
    regexp_run_threads(program, text, 0, memory, &steps, &match);
    if (match.found)
        printf(" %u-%u", match.start, match.end);
    else
        printf(" none");
}

static void print_line(char *line, enum cel_regexp_dialect dialect)
{
    const struct cel_regexp_program *find, *test;
    const char *error;
    char *texts = line + strcspn(line, " ");
    printf("%.*s ", (int)(texts - line), line);
    texts += *texts ? (*texts = 0, 1) : 0;
    struct bytes pattern = decode(line);
    enum failure failure = cel_regexp_compile(pattern, dialect, CEL_REGEXP_FIND, &arena, &find, &error);
    for (const char *at = error; !failure && error && *at; at++)
        printf("%02x", (unsigned char)*at);
    if (failure || !error) {
        struct cel_matcher matcher;
        printf("valid");
        require(failure == FAILURE_LIMIT || !cel_regexp_compile(pattern, dialect, CEL_REGEXP_TEST, &arena, &test, &error));
        cel_matcher_init(&matcher, &arena);
        for (char *text = strtok(texts, " \n"); text; text = strtok(NULL, " \n"))
            if (failure)
                printf(" limit");
            else if (threads)
                print_by_threads(find, decode(text));
            else
                print_matches(&matcher, find, test, decode(text));
    }
    putchar('\n');
    arena_clear(&arena);
}

int main(int count, char **arguments)
{
    char *line = NULL;
    size_t capacity = 0;
    enum cel_regexp_dialect dialect = CEL_REGEXP_GO_1_25;
    for (int i = 1; i < count; i++) {
        threads |= !strcmp(arguments[i], "threads");
        if (!strcmp(arguments[i], "1.24"))
            dialect = CEL_REGEXP_GO_1_24;
    }
    arena_init(&arena, &memory_malloc, LIMIT_ARENA_BYTES);
    while (getline(&line, &capacity, stdin) > 0) {
        line[strcspn(line, "\n")] = 0;
        print_line(line, dialect);
    }
    free(line);
    arena_done(&arena);
    return 0;
}
