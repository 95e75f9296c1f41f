/* Makes the fixes of a source's problems in its text. */
#ifndef DRAWBRIDGE_VALIDATE_APPLY_H
#define DRAWBRIDGE_VALIDATE_APPLY_H

#include "validate/report.h"

struct applied {
    struct edits edits;       /* sorted */
    struct bytes text;        /* the new text; data NULL: nothing is fixed */
    uint32_t fixes;           /* that were made */
    const struct item *wrong; /* an object that would not be what it was but for its fixes, so none of them were made; NULL: none */
};

/* Makes all fixes that are not in each other's way; of those that move something one in each object, and no others with it: the others are
 * there when the new text is validated. Reads the new text, and compares each object with what it was. Everything is in the arena. Clears
 * the workspace. FAILURE_MEMORY or FAILURE_LIMIT. */
enum failure fixes_apply(const struct source *source, const struct report *report, struct workspace *workspace, struct arena *arena,
                         struct applied *applied) MUST_USE;

#endif
