/* Bounds on what an editor can make the language server do. */
#ifndef DRAWBRIDGE_LSP_LIMITS_H
#define DRAWBRIDGE_LSP_LIMITS_H

/* One message: a file of LIMIT_LSP_FILE_BYTES, of which JSON makes up to six bytes a character. */
#define LIMIT_LSP_MESSAGE_BYTES (50u << 20)

/* The header of a message. */
#define LIMIT_LSP_HEADER_BYTES 4096u

/* One file, and all files of the workspace together: their texts and trees stay in memory, some ten bytes for each byte of text. */
#define LIMIT_LSP_FILE_BYTES (8u << 20)
#define LIMIT_LSP_BYTES (64u << 20)

/* Files of the workspace. A file is searched for among all of them when a message names it. */
#define LIMIT_LSP_FILES 5000u

/* Folders of the workspace. */
#define LIMIT_LSP_FOLDERS 16u

/* Bytes of a URI. */
#define LIMIT_LSP_URI_BYTES 8192u

/* Fields inside each other, from an object down to the cursor; members beside it; what is offered for it. */
#define LIMIT_LSP_DEPTH 64u
#define LIMIT_LSP_SIBLINGS 256u
#define LIMIT_LSP_CANDIDATES 500u

/* Bytes of a hover, and of all it is made of. */
#define LIMIT_LSP_REQUEST_BYTES (16u << 20)

#endif
