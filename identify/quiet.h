/* SPDX-License-Identifier: GPL-3.0-or-later */
/* GSL calls a handler on errors, which by default ends the program. Between these two calls it returns its error codes
 * instead; the host's handler is put back. Calls may nest and come from several threads. */
#ifndef FW_IDENTIFY_QUIET_H
#define FW_IDENTIFY_QUIET_H

void fw_gsl_enter(void);
void fw_gsl_leave(void);

#endif
