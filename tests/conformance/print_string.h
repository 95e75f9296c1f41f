/* What the printers of this folder share. */
#ifndef DRAWBRIDGE_TESTS_PRINT_STRING_H
#define DRAWBRIDGE_TESTS_PRINT_STRING_H

#include <stdio.h>

#include "base/bytes.h"

/* Prints a string of JSON. The text is UTF-8. */
static inline void print_string(struct bytes text)
{
    putchar('"');
    for (uint32_t i = 0; i < text.length; i++) {
        unsigned char byte = (unsigned char)text.data[i];
        if (byte == '"' || byte == '\\')
            printf("\\%c", byte);
        else if (byte < 0x20)
            printf("\\u%04x", byte);
        else
            putchar(byte);
    }
    putchar('"');
}

#endif
