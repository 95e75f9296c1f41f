/* What implementations that work with texts share. */
#ifndef DRAWBRIDGE_RULES_CEL_TEXTS_H
#define DRAWBRIDGE_RULES_CEL_TEXTS_H

#include "cel/evaluation.h"

/* An error in the words of a builder; it stops the evaluation if the builder failed. */
static inline struct cel_value cel_fail_text(struct cel_evaluation *evaluation, struct text *text)
{
    struct cel_value words = cel_text_value(evaluation, text);
    return words.type == CEL_STRING ? cel_fail(evaluation, words.text.data) : words;
}

/* "index out of range: 7" */
struct cel_value fail_out_of_range(struct cel_evaluation *evaluation, int64_t index);

/* Where, in bytes, the character of that number begins; the end of the text if it has none. */
uint32_t text_offset(struct bytes text, uint64_t characters);

/* Where `wanted` first is in the text, in linear time; NULL: nowhere. */
const char *text_find(struct bytes text, struct bytes wanted);

#endif
