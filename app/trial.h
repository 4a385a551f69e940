/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Code from outside is tried before it is let in: the program starts itself anew, the child loads the plug-in (which puts
 * it to the checks of laws), and the parent goes on only if the child lives to say so. What has passed is kept by the
 * plug-in's contents in the user's cache folder; what has not is tried again. */
#ifndef FW_APP_TRIAL_H
#define FW_APP_TRIAL_H

#include <stdbool.h>
#include <stdint.h>

/* For fw_context_on_plugin. True if the plug-in can be loaded, or is refused in the ordinary way; else says on stderr
 * what it did. */
bool trial_of_plugin(void *user, const char *path, uint64_t mark);

#endif
