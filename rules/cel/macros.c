/* The macros of the CEL environment of device selectors: cel-go's own, and those of its extensions. */
#include "rules/cel/cel.h"

#define MEMBER(name_, arguments_, expansion_, since_, words_, ...) \
    { name_, arguments_, true, NULL, CEL_EXPAND_##expansion_, since_, words_, { __VA_ARGS__ } },

#define INSERT "cel.@mapInsert"

const struct cel_macro cel_macros[] = {
    MEMBER("all", 2, ALL, 0, "whether the condition holds for every element of a list, or every key of a map", NULL)
        MEMBER("all", 3, ALL, 33, "the same, with index and value of a list, or key and value of a map",
               NULL){ "bind", 3, true, "cel", CEL_EXPAND_BIND, 0, "gives a value a name, and evaluates an expression with it", { NULL } },
    MEMBER("exists", 2, EXISTS, 0, "whether the condition holds for any element of a list, or any key of a map",
           NULL) MEMBER("exists", 3, EXISTS, 33, "the same, with index and value of a list, or key and value of a map", NULL)
        MEMBER("existsOne", 3, EXISTS_ONE, 33, "whether the condition holds for exactly one index and value, or key and value", NULL)
            MEMBER("exists_one", 2, EXISTS_ONE, 0, "whether the condition holds for exactly one element of a list, or key of a map", NULL)
                MEMBER("exists_one", 3, EXISTS_ONE, 33, "the same, with index and value of a list, or key and value of a map", NULL)
                    MEMBER("filter", 2, FILTER, 0, "the elements of a list, or keys of a map, for which the condition holds",
                           NULL){ "has", 1, false, NULL, CEL_EXPAND_HAS, 0, "whether a field is set, or a map has the key", { NULL } },
    MEMBER("map", 2, MAP, 0, "a list of what the expression makes of each element of a list, or key of a map", NULL)
        MEMBER("map", 3, MAP, 0, "the same, of those for which the condition holds", NULL) MEMBER(
            "optFlatMap", 2, OPT_FLAT_MAP, 0, "what the expression, an optional itself, makes of the value of an optional, if there is one",
            "hasValue", "value", "optional.none")
            MEMBER("optMap", 2, OPT_MAP, 0, "what the expression makes of the value of an optional, if there is one", "hasValue", "value",
                   "optional.none", "optional.of")
                MEMBER("sortBy", 2, SORT_BY, 35, "a list sorted by what the expression makes of each element", "@sortByAssociatedKeys")
                    MEMBER("transformList", 3, TRANSFORM_LIST, 33,
                           "a list of what the expression makes of each index and value, or key and value", NULL)
                        MEMBER("transformList", 4, TRANSFORM_LIST, 33, "the same, of those for which the condition holds", NULL)
                            MEMBER("transformMap", 3, TRANSFORM_MAP, 33,
                                   "a map from each index or key to what the expression makes of it and its value", INSERT)
                                MEMBER("transformMap", 4, TRANSFORM_MAP, 33, "the same, of those for which the condition holds", INSERT)
                                    MEMBER("transformMapEntry", 3, TRANSFORM_MAP_ENTRY, 33,
                                           "a map of the entries that the expression makes of index and value, or key and value", INSERT)
                                        MEMBER("transformMapEntry", 4, TRANSFORM_MAP_ENTRY, 33,
                                               "the same, of those for which the condition holds", INSERT){ .name = NULL },
};
