/* Reads CEL expressions from standard input, each as LENGTH:BYTES and a line feed, and prints what the compiler makes of each as a selector
 * of devices, as JSON:
 *
 *     {"class":"check","errors":[["1:5","undeclared reference to 'x' (in container '')"],...],"hint":"..."}
 *     {"class":"ok","type":"bool","maxCost":"5"}
 *
 *     cel_print [MINOR [DEVICES]]
 *
 * MINOR is the version of Kubernetes, 35 without it. With DEVICES, a file with devices in JSON, the expression is evaluated on each, too:
 *
 *     {"class":"ok","type":"bool","maxCost":"5","eval":["true 5","error 4"],"words":["","no such key: model"]}
 *
 * A program of its own for the conformance tests, so that they see compiler and evaluator alone. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/limits.h"
#include "cel/evaluate.h"
#include "cel/limits.h"
#include "schema/cel.h"
#include "tests/cel_devices.h"
#include "tests/conformance/print_string.h"

static struct test_device devices[TEST_DEVICES_MAX];
static unsigned device_count;

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

/* The results first, then the words of errors. */
static void print_evaluations(const struct cel_program *program, struct arena *arena)
{
    static char words[TEST_DEVICES_MAX][1024];
    for (unsigned i = 0; i < device_count; i++) {
        struct cel_result result = { .value = { .type = CEL_ERROR, .fault = { devices[i].fault, NULL } } };
        enum failure failure = FAILURE_NONE;
        arena_clear(arena);
        if (!devices[i].fault)
            failure = cel_evaluate(program, &devices[i].value, arena, &result);
        cel_result_make_bool(&result);
        bool is_bool = !failure && result.value.type == CEL_BOOL;
        printf("%s\"%s %" PRIu64 "\"", i ? "," : ",\"eval\":[", is_bool ? (result.value.boolean ? "true" : "false") : "error", result.cost);
        const char *why = failure ? failure_text(failure) : is_bool ? "" : result.value.fault.words;
        snprintf(words[i], sizeof words[i], "%s", why);
    }
    for (unsigned i = 0; i < device_count; i++) {
        printf("%s", i ? "," : "],\"words\":[");
        print_string(bytes_of(words[i]));
    }
    printf("]");
}

static void print_results(const struct cel_expression *compiled, unsigned version, struct arena *arena)
{
    static struct arena scratch;
    const struct cel_program *program;
    if (!scratch.memory)
        arena_init(&scratch, &memory_malloc, LIMIT_CEL_EVALUATION_ARENA);
    if (device_count && cel_program_new(compiled, &cel_device_library, version, arena, &program) == FAILURE_NONE)
        print_evaluations(program, &scratch);
}

static void print_expression(struct bytes expression, unsigned version, struct arena *arena)
{
    static const char *const classes[] = {
        [CEL_GOOD] = "ok", [CEL_TOO_LONG] = "too-long", [CEL_SYNTAX] = "syntax", [CEL_CHECK] = "check", [CEL_RESULT_TYPE] = "result-type",
        [CEL_TOO_COSTLY] = "too-costly", [CEL_TOO_COMPLEX] = "too-complex",
    };
    struct cel_expression compiled;
    enum failure failure = cel_compile(expression, &cel_device_library, cel_environment(version), arena, &compiled);
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
        print_results(&compiled, version, arena);
    }
    const char *hint = compiled.class == CEL_GOOD ? NULL : cel_device_library.hint(&cel_device_library, &compiled, expression, arena);
    if (hint) {
        printf(",\"hint\":");
        print_string(bytes_of(hint));
    }
    puts("}");
}

static bool read_devices(const char *path, unsigned version, struct arena *arena)
{
    static char text[1 << 16];
    FILE *file = fopen(path, "rb");
    size_t length = file ? fread(text, 1, sizeof text, file) : 0;
    if (file)
        fclose(file);
    device_count = test_devices_read((struct bytes){ text, (uint32_t)length }, version, arena, devices);
    return device_count > 0;
}

int main(int argc, char **argv)
{
    struct arena arena, kept;
    unsigned version = argc > 1 ? (unsigned)atoi(argv[1]) : 35;
    unsigned length;
    arena_init(&arena, &memory_malloc, LIMIT_ARENA_BYTES);
    arena_init(&kept, &memory_malloc, LIMIT_ARENA_BYTES);
    if (argc > 2 && !read_devices(argv[2], version, &kept))
        return 2;
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
    arena_done(&kept);
    return 0;
}
