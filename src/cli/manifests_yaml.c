/* Values in YAML: what is foreign is quoted and escaped, so that it stays where it was put. */
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <openssl/evp.h>

#include "base/utf8.h"
#include "cli/manifests.h"

bool yaml_is_text(const char *text)
{
    const unsigned char *at = (const unsigned char *)text;
    size_t left = strlen(text);
    uint32_t code;
    for (unsigned length; left; at += length, left -= length)
        if (!(length = utf8_decode(at, left, &code)))
            return false;
    return true;
}

static void print_character(uint32_t code, const char *at, unsigned length)
{
    if (code == '"' || code == '\\')
        printf("\\%c", (char)code);
    else if (code == '\n')
        fputs("\\n", stdout);
    else if (code < 0x20 || (utf8_unsafe(code) && code <= 0xFFFF))
        printf("\\u%04x", (unsigned)code);
    else if (utf8_unsafe(code))
        printf("\\U%08x", (unsigned)code);
    else
        fwrite(at, 1, length, stdout);
}

void yaml_print_quoted(const char *text)
{
    size_t left = strlen(text);
    uint32_t code;
    putchar('"');
    for (unsigned length; left && (length = utf8_decode((const unsigned char *)text, left, &code)); text += length, left -= length)
        print_character(code, text, length);
    putchar('"');
}

/* One line break at the end and none before the first character; nothing in it that YAML would not take as it is. */
static bool fits_block(const char *text)
{
    size_t left = strlen(text);
    uint32_t code;
    if (left < 2 || *text == ' ' || *text == '\n' || text[left - 1] != '\n' || text[left - 2] == '\n')
        return false;
    for (unsigned length; left; text += length, left -= length) {
        length = utf8_decode((const unsigned char *)text, left, &code);
        if (!length || (code != '\n' && utf8_unsafe(code)))
            return false;
    }
    return true;
}

void yaml_print_block(const char *text, int indent)
{
    if (!fits_block(text)) {
        yaml_print_quoted(text);
        putchar('\n');
        return;
    }
    puts("|");
    for (const char *end; *text; text = end + 1) {
        end = strchr(text, '\n');
        int length = (int)(end - text);
        printf("%*s%.*s\n", length ? indent : 0, "", length, text);
    }
}

/* In pieces of whole groups of three bytes, so that no buffer has to grow. */
void yaml_print_base64(const char *text)
{
    enum { PIECE = 48 };
    unsigned char out[PIECE / 3 * 4 + 1];
    putchar('"');
    for (size_t left = strlen(text), take; left; text += take, left -= take) {
        take = left < PIECE ? left : PIECE;
        (void)EVP_EncodeBlock(out, (const unsigned char *)text, (int)take);
        fputs((const char *)out, stdout);
    }
    putchar('"');
}
