/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Friction laws from shared objects: law="plugin:NAME" is NAME.so beside the deck and nowhere else. The object exports
 * `const fw_law_plugin fretwork_law` (include/fretwork_law.h). */
#ifndef FW_CONTACT_PLUGIN_H
#define FW_CONTACT_PLUGIN_H

#include "contact/friction/friction.h"

/* The name after "plugin:", or NULL if `law` does not begin so. */
const char *fw_plugin_name(const char *law);

/* Where a plug-in lies. A name that is a path is refused: code is loaded from beside the deck only. folder NULL: the
 * current one. */
fw_status fw_plugin_path(fw_context *ctx, const char *name, const char *folder, char *path, size_t room);

/* Loads a law and puts it to the checks every law must pass. Refused with a message: a missing or foreign object,
 * another version of the interface, wrong derivatives, values that are not finite, an impure step. A law that is not
 * passive is only told to the log. folder NULL: the current one. The object stays loaded until the process ends, so
 * *ops stays valid. The caller has made sure that plug-ins are allowed. */
fw_status fw_plugin_load(fw_context *ctx, const char *name, const char *folder, const fw_friction_ops **ops);

/* The same of a file, wherever it lies, to see whether it can be. */
fw_status fw_plugin_load_file(fw_context *ctx, const char *path);

#endif
