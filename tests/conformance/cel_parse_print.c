/* Reads CEL expressions from standard input, each as LENGTH:BYTES and a line feed, and prints what the parser makes of each, as JSON:
 *
 *     {"errors":[["1:5","Syntax error: ..."],...]}
 *     {"tree":["call","1:3","_+_",null,[["int","1:1","1"],["ident","1:5","x"]]]}
 *
 * A node is its kind, its place and its contents: int, uint, bool, null and double (as %a writes it) their value; string and bytes theirs
 * in hexadecimal digits; ident its name; select operand, field and whether it is a test for presence; call name, what it is called on (or
 * null) and arguments; list [value, optional]s; map [key, value, optional, place]s; message name and [field, value, optional, place]s; loop
 * variables, accumulator, range, init, condition, step and result. A program of its own for the conformance tests, so that they see the
 * parser alone. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/limits.h"
#include "cel/limits.h"
#include "cel/parse.h"
#include "rules/cel/cel.h"
#include "tests/conformance/print_string.h"

static void print_node(struct bytes expression, const struct cel_node *node);

static void print_place(struct bytes expression, uint32_t offset)
{
    int line, column;
    cel_place(expression, offset, &line, &column);
    printf("\"%d:%d\"", line, column);
}

static const char *boolean(bool value)
{
    return value ? "true" : "false";
}

static void print_literal(struct bytes expression, const struct cel_node *node)
{
    static const char *const names[] = {
        [CEL_NULL] = "null", [CEL_BOOL] = "bool", [CEL_INT] = "int", [CEL_UINT] = "uint", [CEL_DOUBLE] = "double", [CEL_STRING] = "string",
        [CEL_BYTES] = "bytes",
    };
    const struct cel_literal *literal = &node->literal;
    printf("[\"%s\",", names[literal->type]);
    print_place(expression, node->offset);
    if (literal->type == CEL_BOOL) {
        printf(",%s", boolean(literal->boolean));
    } else if (literal->type == CEL_INT) {
        printf(",\"%" PRId64 "\"", literal->integer);
    } else if (literal->type == CEL_UINT) {
        printf(",\"%" PRIu64 "\"", literal->unsigned_integer);
    } else if (literal->type == CEL_DOUBLE) {
        printf(",\"%a\"", literal->number);
    } else if (literal->type == CEL_STRING || literal->type == CEL_BYTES) {
        printf(",\"");
        for (uint32_t i = 0; i < literal->text.length; i++)
            printf("%02x", (unsigned char)literal->text.data[i]);
        putchar('"');
    }
}

static void print_name(const struct cel_node *node, struct bytes name)
{
    char dotted[LIMIT_CEL_BYTES + 1] = ".";
    memcpy(dotted + 1, name.data, name.length);
    print_string(node->dotted ? (struct bytes){ dotted, name.length + 1 } : name);
}

static void print_call(struct bytes expression, const struct cel_node *node)
{
    print_name(node, node->call.name);
    putchar(',');
    if (node->call.receiver)
        print_node(expression, node->call.receiver);
    else
        printf("null");
    printf(",[");
    for (uint32_t i = 0; i < node->call.count; i++) {
        printf("%s", i ? "," : "");
        print_node(expression, node->call.arguments[i]);
    }
    putchar(']');
}

static void print_entries(struct bytes expression, const struct cel_node *node)
{
    putchar('[');
    for (uint32_t i = 0; i < node->literals.count; i++) {
        const struct cel_entry *entry = &node->literals.entries[i];
        printf("%s[", i ? "," : "");
        if (node->kind == CEL_NODE_MAP)
            print_node(expression, entry->key);
        else if (node->kind == CEL_NODE_MESSAGE)
            print_string(entry->field);
        printf("%s", node->kind == CEL_NODE_LIST ? "" : ",");
        print_node(expression, entry->value);
        printf(",%s", boolean(entry->optional));
        if (node->kind != CEL_NODE_LIST) {
            putchar(',');
            print_place(expression, entry->offset);
        }
        putchar(']');
    }
    putchar(']');
}

static void print_loop(struct bytes expression, const struct cel_node *node)
{
    const struct cel_node *parts[] = { node->loop.range, node->loop.init, node->loop.condition, node->loop.step, node->loop.result };
    print_string(node->loop.variables[0]);
    putchar(',');
    print_string(node->loop.variables[1]);
    putchar(',');
    print_string(node->loop.accumulator);
    for (unsigned i = 0; i < sizeof parts / sizeof *parts; i++) {
        putchar(',');
        print_node(expression, parts[i]);
    }
}

static void print_node(struct bytes expression, const struct cel_node *node)
{
    static const char *const names[] = { "absent", "", "ident", "select", "call", "list", "map", "message", "loop" };
    if (node->kind == CEL_NODE_LITERAL) {
        print_literal(expression, node);
    } else {
        printf("[\"%s\",", names[node->kind]);
        print_place(expression, node->offset);
        putchar(',');
    }
    if (node->kind == CEL_NODE_IDENTIFIER) {
        print_name(node, node->name);
    } else if (node->kind == CEL_NODE_SELECT) {
        print_node(expression, node->select.operand);
        putchar(',');
        print_string(node->select.field);
        printf(",%s", boolean(node->select.presence));
    } else if (node->kind == CEL_NODE_CALL) {
        print_call(expression, node);
    } else if (node->kind == CEL_NODE_LOOP) {
        print_loop(expression, node);
    } else if (node->kind == CEL_NODE_MESSAGE) {
        print_name(node, node->literals.name);
        putchar(',');
    }
    if (node->kind == CEL_NODE_LIST || node->kind == CEL_NODE_MAP || node->kind == CEL_NODE_MESSAGE)
        print_entries(expression, node);
    putchar(']');
}

static void print_errors(struct bytes expression, const struct cel_errors *errors)
{
    printf("{\"errors\":[");
    for (uint32_t i = 0; i < errors->count; i++) {
        printf("%s[", i ? "," : "");
        print_place(expression, errors->list[i].offset);
        putchar(',');
        print_string(bytes_of(errors->list[i].text));
        putchar(']');
    }
    puts("]}");
}

static void print_expression(struct bytes expression, struct arena *arena)
{
    struct cel_errors errors;
    struct cel_tree tree;
    cel_errors_init(&errors, arena);
    enum failure failure = cel_parse(expression, cel_macros, 35, &errors, &tree);
    cel_errors_sort(&errors);
    if (failure) {
        printf("{\"failure\":\"%s\"}\n", failure_text(failure));
    } else if (errors.count) {
        print_errors(expression, &errors);
    } else {
        printf("{\"tree\":");
        print_node(expression, tree.root);
        puts("}");
    }
}

int main(void)
{
    struct arena arena;
    unsigned length;
    arena_init(&arena, &memory_malloc, LIMIT_ARENA_BYTES);
    while (scanf("%u", &length) == 1) {
        char *text = malloc(length + 1u);
        if (!text || getchar() != ':' || fread(text, 1, length, stdin) != length)
            return 2;
        print_expression((struct bytes){ text, length }, &arena);
        arena_clear(&arena);
        free(text);
    }
    arena_done(&arena);
    return 0;
}
