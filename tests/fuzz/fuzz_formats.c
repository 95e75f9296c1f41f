/* libFuzzer target: a text against every named format. What the quick look takes for valid breaks no part, and no text meets a limit of
 * regular expressions that is not said to. */
#include <stdlib.h>

#include "value/format.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool condition)
{
    if (!condition)
        abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static struct formats *formats;
    static struct matcher *matcher;
    if (!formats)
        require(formats_new(&memory_malloc, &formats) == FAILURE_NONE && matcher_new(&memory_malloc, &matcher) == FAILURE_NONE);
    const struct bytes text = { (const char *)data, (uint32_t)size };
    for (enum format format = FORMAT_NONE + 1; format < FORMAT_COUNT; format++) {
        unsigned broken = 0;
        enum failure failure = format_check(formats, matcher, format, text, &broken);
        require(failure == FAILURE_NONE || failure == FAILURE_PATTERN);
        require(!format_is_plain(format, text) || (failure == FAILURE_NONE && !broken));
    }
    return 0;
}
