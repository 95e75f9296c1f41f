/* The implementations of functions, which the rows name; see cel/evaluation.h for what they are called with. */
#ifndef DRAWBRIDGE_RULES_CEL_CALLS_H
#define DRAWBRIDGE_RULES_CEL_CALLS_H

#include "cel/evaluation.h"

/* conversions.c */
cel_implementation call_convert, call_dyn, call_type;

/* operators.c */
cel_implementation call_not, call_negate, call_in, call_not_strictly_false, call_not_equal, call_modulo, call_multiply, call_add,
    call_subtract, call_divide, call_less_or_equal, call_less, call_equal, call_greater_or_equal, call_greater,
    call_size, call_map_insert;

/* strings.c */
cel_implementation call_char_at, call_contains, call_ends_with, call_starts_with, call_lower_ascii, call_upper_ascii, call_replace,
    call_split, call_join, call_strings_quote, call_substring, call_trim;

/* format.c */
cel_implementation call_format;

/* regexp.c */
cel_implementation call_matches, call_find, call_find_all;

/* lists.c */
cel_implementation call_distinct, call_first, call_last, call_flatten, call_includes, call_index_of, call_last_index_of,
    call_is_sorted, call_lists_range, call_max, call_min, call_reverse, call_slice, call_sum, call_sets_contains,
    call_sets_equivalent, call_sets_intersects;

/* sort.c */
cel_implementation call_sort, call_sort_by_keys;

/* optionals.c */
cel_implementation call_has_value, call_value, call_optional_none, call_optional_of, call_optional_of_non_zero_value,
    call_unwrap_optionals;

/* time.c */
cel_implementation call_get_date, call_get_day_of_month, call_get_day_of_week, call_get_day_of_year, call_get_full_year,
    call_get_hours, call_get_milliseconds, call_get_minutes, call_get_month, call_get_seconds;

/* quantity.c */
cel_implementation call_quantity, call_is_quantity, call_quantity_add, call_quantity_sub, call_as_integer, call_as_approximate_float,
    call_is_integer, call_sign;

/* semver.c */
cel_implementation call_semver, call_is_semver, call_major, call_minor, call_patch;

/* compare.c */
cel_implementation call_compare_to, call_is_greater_than, call_is_less_than;

/* ip.c */
cel_implementation call_ip, call_ip_is_canonical, call_is_ip, call_cidr, call_is_cidr, call_contains_ip, call_contains_cidr,
    call_family, call_is_global_unicast, call_is_link_local_multicast, call_is_link_local_unicast, call_is_loopback,
    call_is_unspecified, call_masked, call_prefix_length;

/* url.c */
cel_implementation call_url, call_is_url, call_get_escaped_path, call_get_host, call_get_hostname, call_get_port, call_get_query,
    call_get_scheme;

/* named_format.c */
cel_implementation call_named_format, call_format_named, call_validate;

/* messages.c: the messages of google.protobuf that can be written */
cel_maker make_message;

#endif
