/* Reads CEL expressions from standard input, each as LENGTH:BYTES and a line feed, and prints what the compiler makes of each as a selector
 * of devices, as JSON:
 *
 *     {"class":"check","errors":[["1:5","undeclared reference to 'x' (in container '')"],...],"hint":"..."}
 *     {"class":"ok","type":"bool","maxCost":"5"}
 *
 * An argument is the minor version of Kubernetes, 35 without one. A program of its own for the conformance tests, so that they see the
 * compiler alone. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/limits.h"
#include "cel/compile.h"
#include "schema/cel.h"
#include "tests/conformance/print_string.h"

static void print_errors(struct bytes expression, const struct cel_errors *errors)
{
    printf(",\"errors\":[");
    for (uint32_t i = 0; i < errors->count; i++) {
        int line, column;
        cel_place(expression, errors->list[i].offset, &line, &column);
        printf("%s[\"%d:%d\",", i ? "," : "", line, column);
        print_string(bytes_of(errors->list[i].text));
        putchar(']');
    }
    putchar(']');
}

static void print_type(struct arena *arena, const struct cel_type *type)
{
    struct text text;
    text_init(&text, arena);
    cel_type_text(&text, type, true);
    const char *words = text_end(&text);
    printf(",\"type\":");
    print_string(bytes_of(words ? words : ""));
}

static void print_expression(struct bytes expression, unsigned version, struct arena *arena)
{
    static const char *const classes[] = {
        [CEL_GOOD] = "ok", [CEL_TOO_LONG] = "too-long", [CEL_SYNTAX] = "syntax", [CEL_CHECK] = "check", [CEL_RESULT_TYPE] = "result-type",
        [CEL_TOO_COSTLY] = "too-costly", [CEL_TOO_COMPLEX] = "too-complex",
    };
    struct cel_expression compiled;
    enum failure failure = cel_compile(expression, &cel_device_library, version, arena, &compiled);
    if (failure) {
        printf("{\"failure\":\"%s\"}\n", failure_text(failure));
        return;
    }
    printf("{\"class\":\"%s\"", classes[compiled.class]);
    if (compiled.errors.count)
        print_errors(expression, &compiled.errors);
    if (compiled.class == CEL_GOOD || compiled.class == CEL_TOO_COSTLY) {
        print_type(arena, compiled.tree.root->type);
        printf(",\"maxCost\":\"%" PRIu64 "\"", compiled.estimate.cost);
    }
    const char *hint = compiled.class == CEL_GOOD ? NULL : cel_device_library.hint(&cel_device_library, &compiled, expression, arena);
    if (hint) {
        printf(",\"hint\":");
        print_string(bytes_of(hint));
    }
    puts("}");
}

int main(int argc, char **argv)
{
    struct arena arena;
    unsigned version = argc > 1 ? (unsigned)atoi(argv[1]) : 35;
    unsigned length;
    arena_init(&arena, &memory_malloc, LIMIT_ARENA_BYTES);
    while (scanf("%u", &length) == 1) {
        char *text = malloc(length + 1u);
        if (!text || getchar() != ':' || fread(text, 1, length, stdin) != length)
            return 2;
        print_expression((struct bytes){ text, length }, version, &arena);
        fflush(stdout);
        arena_clear(&arena);
        free(text);
    }
    arena_done(&arena);
    return 0;
}
