/* Runs a fuzz target on the files that are named, without libFuzzer: for compilers that have none, and for tests/fuzz/test_corpora.py. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { INPUT_BYTES = 1 << 20 };

int main(int argc, char **argv)
{
    for (int i = 1; i < argc; i++) {
        FILE *file = fopen(argv[i], "rb");
        uint8_t *data = malloc(INPUT_BYTES);
        if (!file || !data)
            return 2;
        size_t size = fread(data, 1, INPUT_BYTES, file);
        fclose(file);
        uint8_t *exact = malloc(size ? size : 1); /* so that sanitizers see a step beyond the end */
        if (!exact)
            return 2;
        for (size_t j = 0; j < size; j++)
            exact[j] = data[j];
        free(data);
        printf("%s\n", argv[i]);
        fflush(stdout);
        (void)LLVMFuzzerTestOneInput(exact, size);
        free(exact);
    }
    return 0;
}
