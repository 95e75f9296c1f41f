/* drawbridge explain: the list of kinds, and what all that it prints says of a kind. */
#include <stdio.h>

#include "cli/explain.h"
#include "schema/shape.h"

bool explain_is_first(const struct kind *kind)
{
    for (const struct kind *before = kinds; before < kind; before++)
        if (kind_same(before, kind))
            return false;
    return true;
}

void explain_print_versions(const struct kind *kind, bool one)
{
    bool any = false;
    printf("%s%s", kind->group.data, kind->group.length ? "/" : "");
    for (size_t i = 0; i < kind_count; i++)
        if (one ? &kinds[i] == kind : kind_same(&kinds[i], kind)) {
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
