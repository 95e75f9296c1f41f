/* Says where the pods and claims in a file get devices, and if not, why not. The file has the nodes, slices and classes, too.
 *
 *     cc allocate.c $(pkg-config --cflags --libs drawbridge) */
#include <drawbridge.h>
#include <stdio.h>

static char data[1 << 20];

static void print_node(const struct drawbridge_allocation_node *node)
{
    if (!node->fits)
        printf("  %s: %s: %s\n", node->name, node->why, node->words);
    for (size_t i = 0; i < node->claim_count; i++)
        for (size_t j = 0; j < node->claims[i]->device_count; j++) {
            const struct drawbridge_allocated_device *device = node->claims[i]->devices[j];
            printf("  %s: %s: %s/%s/%s\n", node->name, device->request, device->driver, device->pool, device->name);
        }
}

static void print(const struct drawbridge_subject *subject)
{
    printf("%s %s: %s\n", subject->kind, subject->object_name, subject->fits ? "fits" : "fits nowhere");
    for (size_t i = 0; i < subject->node_count; i++)
        print_node(subject->nodes[i]);
}

int main(int argc, char **argv)
{
    struct drawbridge_context *context;
    struct drawbridge_set *set = NULL;
    struct drawbridge_allocation *allocation = NULL;
    FILE *file = argc == 2 ? fopen(argv[1], "rb") : NULL;
    if (!file || drawbridge_context_new(NULL, &context) != DRAWBRIDGE_OK)
        return 2;
    const struct drawbridge_text text = { data, fread(data, 1, sizeof data, file) };
    fclose(file);
    enum drawbridge_result result = drawbridge_set_new(context, NULL, &set);
    if (result == DRAWBRIDGE_OK)
        result = drawbridge_set_add(set, argv[1], &text);
    if (result == DRAWBRIDGE_OK)
        result = drawbridge_set_allocate(set, NULL, &allocation);
    for (size_t i = 0; i < drawbridge_allocation_count(allocation); i++)
        print(drawbridge_allocation_subject(allocation, i));
    int status = result != DRAWBRIDGE_OK ? 2 : drawbridge_allocation_fits(allocation) ? 0 : 1;
    drawbridge_allocation_free(allocation);
    drawbridge_set_free(set);
    drawbridge_context_free(context);
    return status;
}
