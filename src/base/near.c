#include "base/near.h"

#include "base/limits.h"

char near_lower(char c)
{
    return (char)(c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c);
}

/* The number of edits that turn one text into the other, ignoring case; two letters that changed places are one edit. NEAR_EDITS + 1 for
 * anything more, or for long texts. Restricted Damerau-Levenshtein: the rows of the last three letters are all that it needs. */
static unsigned distance(struct bytes a, struct bytes b)
{
    unsigned rows[3][NEAR_BYTES + 1];
    uint32_t longer = a.length > b.length ? a.length : b.length, shorter = a.length + b.length - longer;
    if (longer > NEAR_BYTES || longer - shorter > NEAR_EDITS)
        return NEAR_EDITS + 1;
    for (unsigned j = 0; j <= b.length; j++)
        rows[0][j] = j;
    for (uint32_t i = 0; i < a.length; i++) {
        unsigned *row = rows[(i + 1) % 3], *last = rows[i % 3], *before = rows[(i + 2) % 3], min = row[0] = i + 1;
        for (uint32_t j = 0; j < b.length; j++) {
            unsigned edits = last[j] + (near_lower(a.data[i]) != near_lower(b.data[j])),
                     one_more = (row[j] < last[j + 1] ? row[j] : last[j + 1]) + 1;
            bool swapped = i && j && near_lower(a.data[i]) == near_lower(b.data[j - 1]) &&
                           near_lower(a.data[i - 1]) == near_lower(b.data[j]);
            edits = one_more < edits ? one_more : edits;
            row[j + 1] = swapped && before[j - 1] + 1 < edits ? before[j - 1] + 1 : edits;
            min = row[j + 1] < min ? row[j + 1] : min;
        }
        if (min > NEAR_EDITS)
            return NEAR_EDITS + 1;
    }
    unsigned edits = rows[a.length % 3][b.length];
    return edits > NEAR_EDITS ? NEAR_EDITS + 1 : edits;
}

void near_consider(struct nearest *nearest, struct bytes candidate)
{
    unsigned edits = distance(nearest->wanted, candidate);
    if (candidate.length && edits <= NEAR_EDITS && 3 * edits <= candidate.length && (!nearest->found.data || edits < nearest->distance)) {
        nearest->found = candidate;
        nearest->distance = edits;
    }
}

void near_add_words(struct text *text, struct bytes meant)
{
    text_add(text, "did you mean ");
    text_add_quoted(text, meant, LIMIT_QUOTE_BYTES);
    text_add(text, "?");
}

bool near_is_typo(struct bytes a, struct bytes b)
{
    struct nearest nearest = { .wanted = a };
    near_consider(&nearest, b);
    return nearest.found.data != NULL;
}

/* ---- names of objects ---- */

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static bool is_letter(char c)
{
    return near_lower(c) >= 'a' && near_lower(c) <= 'z';
}

/* Whether both have the same digits in the same order: node-1 and node-12 are two nodes, not a typing error. */
static bool same_digits(struct bytes a, struct bytes b)
{
    uint32_t i = 0, j = 0;
    for (;;) {
        while (i < a.length && !is_digit(a.data[i]))
            i++;
        while (j < b.length && !is_digit(b.data[j]))
            j++;
        if (i == a.length || j == b.length)
            return i == a.length && j == b.length;
        if (a.data[i++] != b.data[j++])
            return false;
    }
}

/* Bytes that both names begin with, and that both end with. */
struct shared {
    uint32_t front, back;
};

static struct shared shared_bytes(struct bytes a, struct bytes b)
{
    uint32_t shorter = a.length < b.length ? a.length : b.length;
    struct shared shared = { 0, 0 };
    while (shared.front < shorter && near_lower(a.data[shared.front]) == near_lower(b.data[shared.front]))
        shared.front++;
    while (shared.back < shorter - shared.front &&
           near_lower(a.data[a.length - 1 - shared.back]) == near_lower(b.data[b.length - 1 - shared.back]))
        shared.back++;
    return shared;
}

/* Whether nothing differs but that two bytes changed places. */
static bool is_exchanged(struct bytes a, struct bytes b, struct shared shared)
{
    const char *left = a.data + shared.front, *right = b.data + shared.front;
    bool two = a.length == b.length && shared.front + 2 + shared.back == a.length;
    return two && near_lower(left[0]) == near_lower(right[1]) && near_lower(left[1]) == near_lower(right[0]);
}

/* Bytes of the words in which the names differ, of the longer name. Words are letters; dots, hyphens and digits stand between them. */
static uint32_t differing_words(struct bytes a, struct bytes b, struct shared shared)
{
    while (shared.front && is_letter(a.data[shared.front - 1]))
        shared.front--;
    while (shared.back && is_letter(a.data[a.length - shared.back]))
        shared.back--;
    return (a.length > b.length ? a.length : b.length) - shared.front - shared.back;
}

/* Names of drivers, classes and nodes are made of words, and often differ in a short one on purpose: cpu and gpu, ebs and efs, cold and
 * gold, h100 and a100. A typing error leaves the word recognizable: more than
 * LETTERS of it for each edit. Two letters that changed places are both
 * still there, and seldom make another word. */
bool near_is_name_typo(struct bytes name, struct bytes given)
{
    enum { LETTERS = 4, LETTERS_OF_EXCHANGED = 2 };
    unsigned edits = distance(name, given);
    if (!edits || edits > NEAR_EDITS || !same_digits(name, given))
        return false;
    struct shared shared = shared_bytes(name, given);
    return differing_words(name, given, shared) > (is_exchanged(name, given, shared) ? LETTERS_OF_EXCHANGED : LETTERS * edits);
}
