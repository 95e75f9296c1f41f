#include "check/row_counts.h"

#ifdef COUNT_ROWS

#include <stdlib.h>

#include "check/limits.h"
#include "check/ops.h"

/* A hash table by address, for one thread. The tables have some 2,500 rows. */
enum { SLOTS = 1 << 14, MINORS = MINOR_NEWEST - MINOR_OLDEST + 1 };

static struct {
    const void *row;
    unsigned long counts[MINORS][ROW_COUNTS];
} slots[SLOTS];

static unsigned slot_of(const void *row)
{
    unsigned slot = (unsigned)((uintptr_t)row / 8 * 2654435761u % SLOTS);
    while (slots[slot].row && slots[slot].row != row)
        slot = (slot + 1) % SLOTS;
    return slot;
}

void row_count(const void *row, minor version, enum row_count count)
{
    if (!row)
        return;
    unsigned slot = slot_of(row);
    slots[slot].row = row;
    slots[slot].counts[version - MINOR_OLDEST][count]++;
}

unsigned long row_counted(const void *row, minor version, enum row_count count)
{
    return slots[slot_of(row)].counts[version - MINOR_OLDEST][count];
}

/* Whether the check is broken. Reports no finding. Not for a check that asks about other objects: it keeps what it finds out about them. */
static bool would_break(struct evaluation *eval, struct cursor *cursor, const struct check *check)
{
    struct findings ignored = { .kept = LIMIT_FINDINGS };
    struct evaluation probe = { .request = eval->request, .workspace = eval->workspace, .findings = &ignored };
    struct cursor copy = *cursor;
    return ops_run(&probe, &copy, check);
}

/* Whether the check is broken by every value on which it runs: then a value passes it if its conditions do not hold. */
static bool refuses_all(const struct check *check)
{
    return check->op == CHECK_REFUSE || check->op == CHECK_UNCHANGEABLE || check->op == CHECK_FORBIDDEN || check->op == CHECK_NEEDS;
}

/* Whether a check that is not broken proves something: it ran on a value that is set, or can be broken without one. */
static bool is_proof(const struct cursor *cursor, const struct check *check, bool applied)
{
    const struct check row[] = { *check, { .op = CHECK_END } };
    bool is_set = cursor->node && !(cursor->node->flags & DOC_IMPLIED);
    return refuses_all(check) || (applied && (is_set || !checks_need_value(row)));
}

void row_count_check(struct evaluation *eval, struct cursor *cursor, const struct check *check, bool applied, bool broken)
{
    if (eval->findings->kept == LIMIT_FINDINGS && !eval->findings->first)
        return; /* a probe, which only counts findings */
    minor version = eval->request->version;
    bool in_version = versions_include(check->versions, version);
    if (broken)
        row_count(check, version, ROW_BROKEN);
    else if (in_version && is_proof(cursor, check, applied))
        row_count(check, version, ROW_PASSED);
    else if (!in_version && applied && (check->needs_set || would_break(eval, cursor, check)))
        row_count(check, version, ROW_EXCLUDED);
}

#endif
