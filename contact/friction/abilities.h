/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Abilities of a friction law, found by running checks; and the text that describes a law. */
#ifndef FW_CONTACT_ABILITIES_H
#define FW_CONTACT_ABILITIES_H

#include "contact/friction/checks.h"

typedef struct fw_ability {
  const char *name, *meaning;
  const char *(*check)(fw_law_probe *probe);
} fw_ability;

/* Ends with a NULL name. */
extern const fw_ability fw_abilities[];
enum { FW_ABILITY_COUNT = 8 };

/* found[i] for fw_abilities[i], with the law's default parameters (penalty stick for set-valued laws). */
fw_status fw_law_abilities(fw_context *ctx, const fw_friction_ops *ops, bool found[FW_ABILITY_COUNT]);

/* Whether a law with these numbers has the ability of that name, at a normal force. */
fw_status fw_law_has_ability(fw_context *ctx, const fw_friction *law, double N, const char *ability, bool *has);

/* All laws in Markdown, as docs/laws.md has them: summary, equation, faces, parameters, abilities, source. *text is
 * allocated: free it. */
fw_status fw_laws_text(fw_context *ctx, char **text);

#endif
