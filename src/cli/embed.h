/* Files as part of the program, so that they are there where nothing is installed. */
#ifndef DRAWBRIDGE_CLI_EMBED_H
#define DRAWBRIDGE_CLI_EMBED_H

/* The bytes of a file of the build's folder for texts, between two symbols. No NUL follows them. */
#define EMBED_FILE(symbol, file)                                                       \
    __asm__(".pushsection .rodata\n"                                                   \
            ".hidden help_" #symbol "_text\n.hidden help_" #symbol "_end\n"            \
            ".globl help_" #symbol "_text\n.globl help_" #symbol "_end\n"              \
            "help_" #symbol "_text: .incbin \"" HELP_FOLDER "/" file ".txt\"\n"        \
            "help_" #symbol "_end:\n"                                                  \
            ".popsection\n");                                                          \
    extern const char help_##symbol##_text[], help_##symbol##_end[];

#endif
