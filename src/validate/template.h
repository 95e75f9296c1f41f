/* Templates that nobody has rendered: of Helm, Jinja, envsubst, kustomize, Chainsaw. */
#ifndef DRAWBRIDGE_VALIDATE_TEMPLATE_H
#define DRAWBRIDGE_VALIDATE_TEMPLATE_H

#include "base/bytes.h"

/* Whether a string has something to fill in: {{ … }}, ${NAME}, $(NAME), or it is nothing but $NAME or ($…). Names with a dot, as in
 * ${pvc.name}, are filled in by sidecars and drivers while they run: they are no templates. Looks at LIMIT_TEMPLATE_BYTES. */
bool template_in_string(struct bytes text);

/* Whether text that cannot be read as YAML or JSON has something to fill in where that is no part of a string: {{ or {% at the beginning of
 * a value or line, or ${NAME} in brackets or alone on a line. Comments, quoted strings and blocks of text do not count, and
 * what is no text in UTF-8, or has U+0000 in it, is garbage. */
bool template_in_text(struct bytes text);

#endif
