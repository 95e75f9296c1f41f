#include "rules/cel/objects.h"

#include "base/limits.h"

struct cel_value object_fail(struct cel_evaluation *evaluation, const char *error, struct bytes about)
{
    struct text text;
    text_init(&text, evaluation->arena);
    text_add(&text, error ? error : "");
    text_add(&text, ": ");
    text_add_quoted(&text, about, LIMIT_QUOTE_BYTES);
    struct cel_value words = cel_text_value(evaluation, &text);
    return words.type == CEL_STRING ? cel_fail(evaluation, words.text.data) : words;
}
