/* indexOf() and lastIndexOf(), of lists and of texts. */
#include "rules/cel/calls.h"
#include "rules/cel/texts.h"

static struct cel_value index_in_list(const struct cel_invocation *call, bool last)
{
    const struct cel_list *list = &call->arguments[0].list;
    for (uint32_t i = 0; i < list->count && !call->evaluation->stopped; i++) {
        uint32_t at = last ? list->count - 1 - i : i;
        if (cel_values_equal(call->evaluation, &list->items[at], &call->arguments[1]) == CEL_EQUAL)
            return cel_integer(at);
    }
    return cel_integer(-1);
}

/* The number of the character that begins at `found`; -1: NULL. */
static struct cel_value number_of(struct bytes text, const char *found)
{
    return cel_integer(found ? (int64_t)cel_characters((struct bytes){ text.data, (uint32_t)(found - text.data) }) : -1);
}

/* A copy written backwards, byte by byte. */
static bool turn(struct cel_evaluation *evaluation, struct bytes *text)
{
    char *turned = cel_evaluation_alloc(evaluation, text->length, 1);
    for (uint32_t i = 0; turned && i < text->length; i++)
        turned[i] = text->data[text->length - 1 - i];
    text->data = turned;
    return turned != NULL;
}

/* Linear time, also where nearly each place is nearly right: what is last is first if both are written backwards. */
static struct cel_value last_in_text(struct cel_evaluation *evaluation, struct bytes text, struct bytes wanted)
{
    struct bytes turned = text, turned_wanted = wanted;
    if (!turn(evaluation, &turned) || !turn(evaluation, &turned_wanted))
        return cel_stopped(evaluation);
    const char *found = text_find(turned, turned_wanted);
    return number_of(text, found ? text.data + (text.length - wanted.length - (size_t)(found - turned.data)) : NULL);
}

/* The offset is where to begin, from which lastIndexOf() goes backwards. That of an empty text is the result, whatever it is. */
static struct cel_value index_in_text(const struct cel_invocation *call, bool last)
{
    struct bytes text = call->arguments[0].text, wanted = call->arguments[1].text;
    int64_t size = (int64_t)cel_characters(text);
    int64_t offset = call->count > 2 ? call->arguments[2].integer : last ? size - (wanted.length > 0) : 0;
    if (wanted.length == 0)
        return cel_integer(offset);
    if (call->count > 2 && offset < 0)
        return fail_out_of_range(call->evaluation, offset);
    if (offset >= size || text.length < wanted.length)
        return cel_integer(-1);
    uint32_t from = text_offset(text, (uint64_t)offset);
    if (!last) {
        const char *found = text_find((struct bytes){ text.data + from, text.length - from }, wanted);
        return number_of(text, found);
    }
    if (wanted.length < text.length - from)
        text.length = from + wanted.length;
    return last_in_text(call->evaluation, text, wanted);
}

struct cel_value call_index_of(const struct cel_invocation *call)
{
    return call->arguments[0].type == CEL_LIST ? index_in_list(call, false) : index_in_text(call, false);
}

struct cel_value call_last_index_of(const struct cel_invocation *call)
{
    return call->arguments[0].type == CEL_LIST ? index_in_list(call, true) : index_in_text(call, true);
}
