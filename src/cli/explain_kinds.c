/* drawbridge explain: the list of kinds, and what all that it prints says of a kind. */
#include <stdio.h>

#include "cli/explain.h"
#include "schema/shape.h"

bool explain_same_rules(const struct kind *a, const struct kind *b)
{
    return kind_same(a, b) && !a->role == !b->role;
}

bool explain_is_first(const struct kind *kind)
{
    for (const struct kind *before = kinds; before < kind; before++)
        if (explain_same_rules(before, kind))
            return false;
    return true;
}

void explain_print_versions(const struct kind *kind, bool one)
{
    bool any = false;
    printf("%s%s", kind->group.data, kind->group.length ? "/" : "");
    for (size_t i = 0; i < kind_count; i++)
        if (one ? &kinds[i] == kind : explain_same_rules(&kinds[i], kind)) {
            printf("%s%s", any ? ", " : "", kinds[i].version.data);
            any = true;
        }
    if (kind->role)
        printf(", with --as %s", kind->role);
}

int explain_list_kinds(const struct command *command)
{
    for (size_t i = 0; i < kind_count; i++) {
        if ((kinds[i].traits & KIND_CONTEXT) || !explain_is_first(&kinds[i]))
            continue;
        printf("%-26s ", kinds[i].kind.data);
        explain_print_versions(&kinds[i], false);
        if (kinds[i].short_name)
            printf(" (%s)", kinds[i].short_name);
        puts("");
    }
    return end_output(command, EXIT_GOOD);
}
