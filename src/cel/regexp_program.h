/* What a regular expression is compiled to: instructions, as of Go's regexp/syntax. Used by regexp_*.c only. */
#ifndef DRAWBRIDGE_CEL_REGEXP_PROGRAM_H
#define DRAWBRIDGE_CEL_REGEXP_PROGRAM_H

#include <string.h>

#include "base/utf8.h"
#include "cel/match.h"

enum instruction_op {
    INSTRUCTION_MATCH,
    INSTRUCTION_FAIL,
    INSTRUCTION_SPLIT,     /* both ways; the first is preferred */
    INSTRUCTION_JUMP,      /* only while the program is made */
    INSTRUCTION_BYTE,      /* a character of ASCII */
    INSTRUCTION_CHARACTER, /* another one */
    INSTRUCTION_CLASS,
    INSTRUCTION_ANY,
    INSTRUCTION_ANY_BUT_LINE_END,
    INSTRUCTION_LINE_BEGIN, /* from here on: nothing is taken */
    INSTRUCTION_LINE_END,
    INSTRUCTION_TEXT_BEGIN,
    INSTRUCTION_TEXT_END,
    INSTRUCTION_WORD_BOUNDARY,
    INSTRUCTION_NO_WORD_BOUNDARY,
};

struct instruction {
    enum instruction_op op;
    uint32_t next;
    uint32_t other; /* of INSTRUCTION_SPLIT: the second way; else the character, or the number of the class */
    uint32_t join;  /* from 1: several ways lead here, so that a search must remember where it has been; 0: one does */
};

struct program_class {
    bool ascii[128];
    struct ranges set;
};

struct cel_regexp_program {
    const struct instruction *code;
    const struct program_class *classes;
    uint32_t size, start, joins, splits;
    bool test;          /* for CEL_REGEXP_TEST */
    bool anchored;      /* matches only at the beginning of the text */
    bool first_is_known; /* it begins with one of `first`, if only with the character `only`, unless that is negative */
    int only;
    bool first[256];
};

/* A character of a text, U+FFFD for a byte that is not UTF-8, as in Go. Returns its length. */
static inline unsigned program_character(struct bytes text, uint32_t at, uint32_t *code)
{
    unsigned char byte = (unsigned char)text.data[at];
    *code = byte;
    unsigned length = byte < 0x80 ? 1 : utf8_decode((const unsigned char *)text.data + at, text.length - at, code);
    if (length == 0)
        *code = 0xFFFD;
    return length ? length : 1;
}

/* Whether an instruction takes the character. */
static inline bool program_takes(const struct cel_regexp_program *program, const struct instruction *instruction, uint32_t code)
{
    switch (instruction->op) {
    case INSTRUCTION_BYTE: case INSTRUCTION_CHARACTER:
        return code == instruction->other;
    case INSTRUCTION_CLASS: {
        const struct program_class *class = &program->classes[instruction->other];
        return code < 0x80 ? class->ascii[code] : ranges_contain(class->set, code);
    }
    case INSTRUCTION_ANY:
        return true;
    case INSTRUCTION_ANY_BUT_LINE_END:
        return code != '\n';
    default:
        return false;
    }
}

static inline bool program_is_word(struct bytes text, uint32_t at)
{
    unsigned char byte = at < text.length ? (unsigned char)text.data[at] : 0;
    return (byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z') || (byte >= '0' && byte <= '9') || byte == '_';
}

/* Whether what an instruction asks of the place is so. */
static inline bool program_holds(enum instruction_op op, struct bytes text, uint32_t at)
{
    switch (op) {
    case INSTRUCTION_LINE_BEGIN: return at == 0 || text.data[at - 1] == '\n';
    case INSTRUCTION_LINE_END:   return at == text.length || text.data[at] == '\n';
    case INSTRUCTION_TEXT_BEGIN: return at == 0;
    case INSTRUCTION_TEXT_END:   return at == text.length;
    default:
        return ((at > 0 && program_is_word(text, at - 1)) != program_is_word(text, at)) == (op == INSTRUCTION_WORD_BOUNDARY);
    }
}

/* The first place from `at` on where a match may begin; UINT32_MAX: there is none. */
static inline uint32_t program_candidate(const struct cel_regexp_program *program, struct bytes text, uint32_t at)
{
    if (program->anchored)
        return at == 0 ? 0 : UINT32_MAX;
    if (!program->first_is_known) {
        while (at < text.length && ((unsigned char)text.data[at] & 0xC0) == 0x80)
            at++;
        return at <= text.length ? at : UINT32_MAX;
    }
    if (program->only >= 0 && at < text.length) {
        const char *found = memchr(text.data + at, program->only, text.length - at);
        return found ? (uint32_t)(found - text.data) : UINT32_MAX;
    }
    while (at < text.length && !program->first[(unsigned char)text.data[at]])
        at++;
    return at < text.length ? at : UINT32_MAX;
}

/* Searches on all ways at the same time: linear in the text, for any program. `memory` has regexp_threads_bytes(), aligned for any object.
 * What it takes is taken from *steps: 0 is left where they are not enough. */
size_t regexp_threads_bytes(const struct cel_regexp_program *program);
void regexp_run_threads(const struct cel_regexp_program *program, struct bytes text, uint32_t from, void *memory, uint64_t *steps,
                        struct cel_match *match);

#endif
