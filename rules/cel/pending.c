#include "rules/cel/calls.h"

/* Functions that are not implemented yet. */
#define PENDING(name)                                                  \
    struct cel_value name(const struct cel_invocation *call)           \
    {                                                                  \
        return cel_fail(call->evaluation, "not implemented");          \
    }

/* strings.c */
PENDING(call_char_at)
PENDING(call_contains)
PENDING(call_ends_with)
PENDING(call_starts_with)
PENDING(call_lower_ascii)
PENDING(call_upper_ascii)
PENDING(call_replace)
PENDING(call_split)
PENDING(call_join)
PENDING(call_strings_quote)
PENDING(call_substring)
PENDING(call_trim)
/* format.c */
PENDING(call_format)
/* lists.c */
PENDING(call_distinct)
PENDING(call_first)
PENDING(call_last)
PENDING(call_flatten)
PENDING(call_includes)
PENDING(call_index_of)
PENDING(call_last_index_of)
PENDING(call_is_sorted)
PENDING(call_lists_range)
PENDING(call_max)
PENDING(call_min)
PENDING(call_reverse)
PENDING(call_slice)
PENDING(call_sum)
PENDING(call_sets_contains)
PENDING(call_sets_equivalent)
PENDING(call_sets_intersects)
/* sort.c */
PENDING(call_sort)
PENDING(call_sort_by_keys)
/* time.c */
PENDING(call_get_date)
PENDING(call_get_day_of_month)
PENDING(call_get_day_of_week)
PENDING(call_get_day_of_year)
PENDING(call_get_full_year)
PENDING(call_get_hours)
PENDING(call_get_milliseconds)
PENDING(call_get_minutes)
PENDING(call_get_month)
PENDING(call_get_seconds)
