/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Code from outside is tried before it is let in: the program starts itself anew, the child loads the plug-ins of a
 * deck (which puts them to the checks of laws), and the parent goes on only if the child lives to say that all is well.
 */
#ifndef FW_APP_TRIAL_H
#define FW_APP_TRIAL_H

#include <stdbool.h>

/* True if the plug-ins of a deck can be loaded, or are refused in the ordinary way; else says on stderr which one did
 * what. */
bool trial_of_plugins(const char *deck);

#endif
