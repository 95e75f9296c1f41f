#include "review/enforcement.h"

const char *const enforcement_words[] = {
    [ENFORCEMENT_DENY] = "enforce",
    [ENFORCEMENT_WARN] = "warn",
    [ENFORCEMENT_AUDIT] = "audit",
    [ENFORCEMENTS] = NULL,
};

bool enforcement_read(struct bytes text, enum enforcement *enforcement)
{
    for (int i = 0; i < ENFORCEMENTS; i++) {
        if (bytes_equal_text(text, enforcement_words[i])) {
            *enforcement = (enum enforcement)i;
            return true;
        }
    }
    return false;
}
