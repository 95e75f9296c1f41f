/* Reads a whole file that holds PEM text. */
#include <string.h>

#include "base/files.h"
#include "pki/pki.h"

bool pki_read(const char *path, char **text, struct error *error)
{
    struct buffer buffer;
    struct error why;
    if (!files_read(path, LIMIT_PEM_BYTES, FILE_REGULAR | FILE_SECRET, &buffer, &why))
        return pki_fail(error, "cannot read %s: %s", escape_text(path).text, why.text);
    if (strlen(buffer.data) == buffer.length) {
        *text = buffer.data;
        return true;
    }
    explicit_bzero(buffer.data, buffer.length);
    buffer_free(&buffer);
    return pki_fail(error, "%s is not PEM text", escape_text(path).text);
}
