/* Says which devices fit the claims in a file, and why others do not. The file has the classes and slices, too.
 *
 *     cc match.c $(pkg-config --cflags --libs drawbridge) */
#include <drawbridge.h>
#include <stdio.h>

static char data[1 << 20];

static void print(const struct drawbridge_claim *claim)
{
    for (size_t i = 0; i < claim->request_count; i++) {
        const struct drawbridge_request *request = claim->requests[i];
        printf("%s, request %s: %s\n", claim->object_name, request->name, request->words);
        for (size_t j = 0; j < request->candidate_count; j++) {
            const struct drawbridge_candidate *candidate = request->candidates[j];
            printf("  %s/%s: %s. %s\n", candidate->device->pool, candidate->device->name, candidate->label, candidate->words);
        }
    }
}

int main(int argc, char **argv)
{
    struct drawbridge_context *context;
    struct drawbridge_set *set = NULL;
    struct drawbridge_match *match = NULL;
    FILE *file = argc == 2 ? fopen(argv[1], "rb") : NULL;
    if (!file || drawbridge_context_new(NULL, &context) != DRAWBRIDGE_OK)
        return 2;
    const struct drawbridge_text text = { data, fread(data, 1, sizeof data, file) };
    fclose(file);
    enum drawbridge_result result = drawbridge_set_new(context, NULL, &set);
    if (result == DRAWBRIDGE_OK)
        result = drawbridge_set_add(set, argv[1], &text);
    if (result == DRAWBRIDGE_OK)
        result = drawbridge_set_match(set, NULL, &match);
    for (size_t i = 0; i < drawbridge_match_count(match); i++)
        print(drawbridge_match_claim(match, i));
    int status = result != DRAWBRIDGE_OK ? 2 : drawbridge_match_enough(match) ? 0 : 1;
    drawbridge_match_free(match);
    drawbridge_set_free(set);
    drawbridge_context_free(context);
    return status;
}
