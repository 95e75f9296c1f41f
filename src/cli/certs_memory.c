/* OpenSSL does not always say that it lacked memory: it crashes in its first calls, and later takes a good certificate for a bad one. So
 * the first allocation that it cannot have is the end of the process. It allocates nothing while files are written, and what was not yet
 * printed is forgotten. A server that has started goes on: there, what is taken for bad is refused. */
#include <stdatomic.h>
#include <stdlib.h>

#include <openssl/crypto.h>

#include "cli/certs.h"

static atomic_bool needed = true; /* a server's threads read it */

static void *checked(void *memory)
{
    return memory || !needed ? memory : memory_or_end(NULL, EXIT_INTERNAL);
}

static void *allocate(size_t size, const char *file, int line)
{
    (void)file, (void)line;
    return checked(malloc(size));
}

static void *reallocate(void *memory, size_t size, const char *file, int line)
{
    (void)file, (void)line;
    if (size)
        return checked(realloc(memory, size));
    free(memory);
    return NULL;
}

static void release(void *memory, const char *file, int line)
{
    (void)file, (void)line;
    free(memory);
}

void certs_memory_begin(void)
{
    (void)CRYPTO_set_mem_functions(allocate, reallocate, release); /* it fails once OpenSSL has allocated, and nothing has called it yet */
}

void certs_memory_done(void)
{
    needed = false;
}
