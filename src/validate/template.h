/* Templates that nobody has rendered: of Helm, Jinja, envsubst, kustomize, Chainsaw. */
#ifndef DRAWBRIDGE_VALIDATE_TEMPLATE_H
#define DRAWBRIDGE_VALIDATE_TEMPLATE_H

#include "check/finding.h"
#include "doc/doc.h"

/* Whether a string has something to fill in: {{ … }}, ${NAME}, $(NAME), or it is nothing but $NAME or ($…). Names with a dot, as in
 * ${pvc.name}, are filled in by sidecars and drivers while they run: they are no templates. Looks at LIMIT_TEMPLATE_BYTES. */
bool template_in_string(struct bytes text);

/* Whether text that cannot be read as YAML or JSON has something to fill in where that is no part of a string: {{ or {% at the beginning of
 * a value or line, or ${NAME} in brackets or alone on a line. Comments, quoted strings and blocks of text do not count. */
bool template_in_text(struct bytes text);

/* A copy of the object without the values that keep it from being decoded, because something must be filled in there: those of the
 * findings of wrong types that are `of_template`. NULL: there are none, more than LIMIT_TEMPLATE_VALUES, or the arena failed. */
const struct doc_node *template_without_values(struct arena *arena, const struct doc_node *object, const struct findings *types);

/* Whether a finding about that copy may come from what was left out: it is at its path, above or below. */
bool template_explains(const struct findings *types, const struct finding *finding);

#endif
