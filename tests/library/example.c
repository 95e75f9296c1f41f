/* Validates the manifests in a file: all that a program needs of libdrawbridge.
 *
 *     cc example.c $(pkg-config --cflags --libs drawbridge) */
#include <drawbridge.h>
#include <stdio.h>

static char data[1 << 20];

int main(int argc, char **argv)
{
    struct drawbridge_context *context;
    struct drawbridge_report *report;
    FILE *file = argc == 2 ? fopen(argv[1], "rb") : NULL;
    if (!file || drawbridge_context_new(NULL, &context) != DRAWBRIDGE_OK)
        return 2;
    const struct drawbridge_text text = { data, fread(data, 1, sizeof data, file) };
    fclose(file);
    enum drawbridge_result result = drawbridge_validate(context, NULL, &text, NULL, &report);
    drawbridge_context_free(context);
    if (result != DRAWBRIDGE_OK) {
        fprintf(stderr, "%s: %s\n", argv[1], drawbridge_result_text(result));
        return 2;
    }
    for (size_t i = 0; i < drawbridge_report_count(report); i++) {
        const struct drawbridge_finding *finding = drawbridge_report_finding(report, i);
        printf("%s:%zu:%zu: %s: %s [%s]\n", argv[1], finding->line, finding->column, finding->path, finding->message, finding->rule);
    }
    int status = drawbridge_report_errors(report) ? 1 : 0;
    drawbridge_report_free(report);
    return status;
}
