/* Inside the JSON reader, a fast path: a value that is written like one before it shares its nodes.
 *
 * A value's model is one before it that was read under the same state of the schema: the element or member before it, or what stands at
 * its place in the model of the object or list around it. So each device of a slice has the one before it, and an old object has the new
 * one. Where the text of both is the same, so is all that the reader would make of it: a node is copied, with the new value's place, and
 * children are shared. Below a shared value, offsets are therefore those of its model.
 *
 * This is linear: no comparison looks further than the model's value and its name, and what it finds equal is part of the member or element
 * that is being read. So each level of nesting (LIMIT_DEPTH) looks at a byte at most three times, as there are at most three models to
 * try. */
#ifndef DRAWBRIDGE_DOC_JSON_MODEL_H
#define DRAWBRIDGE_DOC_JSON_MODEL_H

#include "doc/json_reader.h"

/* The first byte from `at` up to `to` that differs from that at `earlier`, which is before `at`; if none does, `to` or a place after it. */
static inline const unsigned char *json_first_difference(const unsigned char *at, const unsigned char *earlier, const unsigned char *to,
                                                         const unsigned char *end)
{
#ifdef __SSE2__
    for (; at < to && end - at >= 16; at += 16, earlier += 16) {
        __m128i new = _mm_loadu_si128((const __m128i *)(const void *)at), old = _mm_loadu_si128((const __m128i *)(const void *)earlier);
        unsigned different = ~(unsigned)_mm_movemask_epi8(_mm_cmpeq_epi8(new, old)) & 0xFFFF;
        if (different)
            return at + __builtin_ctz(different);
    }
#else
    (void)end;
#endif
    while (at < to && *at == *earlier) {
        at++;
        earlier++;
    }
    return at;
}

/* Whether the `size` bytes at `at` are those at offset `earlier`. What is known of them is kept: most questions are about what follows. */
JSON_HOT bool json_same(struct json_reader *r, const unsigned char *at, uint32_t earlier, uint32_t size)
{
    ptrdiff_t shift = at - (r->start + earlier);
    if (shift != r->same_shift || at > r->same_until) {
        r->same_shift = shift;
        r->same_until = at;
    }
    if ((size_t)(r->same_until - at) >= size)
        return true;
    if ((size_t)(r->end - at) < size)
        return false;
    r->same_until = json_first_difference(r->same_until, r->same_until - shift, at + size, r->end);
    return (size_t)(r->same_until - at) >= size;
}

/* The same, and that these bytes end a value. What follows must end it, too: after a number there may be another digit. */
JSON_HOT bool json_same_to_end(struct json_reader *r, const unsigned char *at, uint32_t earlier, uint32_t size)
{
    if (!json_same(r, at, earlier, size) || (size_t)(r->end - at) <= size)
        return false;
    unsigned char next = at[size];
    return next == ',' || next == '}' || next == ']';
}

/* Whether the value at `at` is written like the model's. */
JSON_HOT bool json_repeats(struct json_reader *r, const unsigned char *at, const struct doc_node *model)
{
    return json_same_to_end(r, at, model->offset, model->size);
}

/* Bytes of a member: from its name to the end of its value. */
JSON_HOT uint32_t json_member_size(const struct doc_node *member)
{
    return member->offset + member->size - member->name_offset;
}

/* The same of a member, with its name. */
JSON_HOT bool json_repeats_member(struct json_reader *r, const unsigned char *at, const struct doc_node *model)
{
    return json_same_to_end(r, at, model->name_offset, json_member_size(model));
}

/* Makes `node`, which is where `at` is and has no next one, what the model is, which begins at offset `from`. */
JSON_HOT void json_share(const struct json_reader *r, struct doc_node *node, const struct doc_node *model, const unsigned char *at,
                         uint32_t from)
{
    uint32_t shift = (uint32_t)(at - r->start) - from;
    *node = *model;
    node->next = NULL;
    node->name_offset += model->name ? shift : 0;
    node->offset += shift;
}

/* Bytes from a member's name to its value. */
JSON_HOT uint32_t json_name_size(const struct doc_node *member)
{
    return member->offset - member->name_offset;
}

/* The member in the model's object whose name and colon stand at `at`: the next one, or the one after it if that was left out. NULL: none.
 * What is usual is asked for first: the next one with its value. */
JSON_HOT const struct doc_node *json_model_member(struct json_reader *r, const unsigned char *at, const struct doc_node *model)
{
    if (json_repeats_member(r, at, model) || json_same(r, at, model->name_offset, json_name_size(model)))
        return model;
    model = model->next;
    return model && json_same(r, at, model->name_offset, json_name_size(model)) ? model : NULL;
}

/* The element in the model's list that the one at `at` repeats, likewise; or, if neither, the one at its place. */
JSON_HOT const struct doc_node *json_model_element(struct json_reader *r, const unsigned char *at, const struct doc_node *model)
{
    bool left_out = !json_repeats(r, at, model) && model->next && json_repeats(r, at, model->next);
    return left_out ? model->next : model;
}

#endif
