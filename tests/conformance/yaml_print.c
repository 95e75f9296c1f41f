/* Reads a file of Kubernetes objects from standard input and prints what the reader makes of it, a line each:
 *
 *     json VALUE                           a document, from JSON
 *     yaml VALUE                           a document, from YAML
 *     error OFFSET yaml-syntax MESSAGE     what cannot be read (json-syntax, or limit for what is too large)
 *
 * It ends after the first error, as kubectl does; with --all it goes on as a linter does. The exit status is 1 after an error.
 * A program of its own for the conformance tests, so that they see the reader and nothing else. */
#include <stdio.h>
#include <stdlib.h>

#include "base/files.h"
#include "base/limits.h"
#include "doc/manifest.h"
#include "tests/conformance/print_string.h"

static void print_value(const struct doc_node *node)
{
    bool object = node->type == DOC_OBJECT;
    switch ((enum doc_type)node->type) {
    case DOC_NULL: printf("null"); break;
    case DOC_FALSE: printf("false"); break;
    case DOC_TRUE: printf("true"); break;
    case DOC_NUMBER: printf("%.*s", (int)node->count, node->text); break;
    case DOC_STRING: print_string(doc_text(node)); break;
    case DOC_ARRAY:
    case DOC_OBJECT:
        putchar(object ? '{' : '[');
        doc_each(node, child) {
            if (child != node->first)
                putchar(',');
            if (object) {
                print_string(doc_name(child));
                putchar(':');
            }
            print_value(child);
        }
        putchar(object ? '}' : ']');
        break;
    case DOC_SKIPPED: abort();
    }
}

static void print_error(enum failure failure, const struct doc_error *error)
{
    const char *rule = failure != FAILURE_SYNTAX ? "limit" : error->in_yaml ? "yaml-syntax" : "json-syntax";
    printf("error %u %s %s\n", error->offset, rule, error->message);
}

int main(int argc, char **argv)
{
    bool all = argc > 1 && strcmp(argv[1], "--all") == 0, more = true, failed = false;
    struct buffer text;
    struct error why;
    struct manifest manifest;
    struct arena arena;
    arena_init(&arena, &memory_malloc, LIMIT_ARENA_BYTES);
    if (!files_read("-", LIMIT_FILE_BYTES, FILE_ANY, &text, &why))
        return 2;
    manifest_init(&manifest, buffer_bytes(&text), &arena, (struct map_key){ { 1, 2 } });
    while (more && (all || !failed)) {
        struct document document;
        struct doc_error error;
        enum failure failure = manifest_next(&manifest, &document, &more, &error);
        if (failure) {
            print_error(failure, &error);
            failed = more = true;
        } else if (more) {
            printf(document.is_yaml ? "yaml " : "json ");
            print_value(document.root);
            putchar('\n');
        }
        arena_clear(&arena);
    }
    arena_done(&arena);
    buffer_free(&text);
    return failed;
}
