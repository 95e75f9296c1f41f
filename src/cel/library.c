#include "cel/library.h"

#include <stdlib.h>

/* Every row begins with its name. */
static int compare(const void *key, const void *row)
{
    const char *const *name = row;
    return bytes_compare(*(const struct bytes *)key, bytes_of(*name));
}

const struct cel_function *cel_function_find(const struct cel_library *library, struct cel_environment environment, struct bytes name)
{
    const struct cel_function *function = bsearch(&name, library->functions, library->function_count, sizeof *library->functions, compare);
    return function && cel_in_scope(&function->scope, environment) ? function : NULL;
}

const struct cel_name *cel_name_find(const struct cel_library *library, struct bytes name)
{
    return bsearch(&name, library->names, library->name_count, sizeof *library->names, compare);
}

const struct cel_message *cel_message_find(const struct cel_library *library, struct bytes name)
{
    return bsearch(&name, library->messages, library->message_count, sizeof *library->messages, compare);
}

bool cel_is_written(const char *name)
{
    return name[0] != '_' && !strchr("!-@", name[0]) && !strchr(name, '@');
}
