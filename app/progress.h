/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a running command shows: on a terminal a bar with the time left, in a pipe plain lines. */
#ifndef FW_APP_PROGRESS_H
#define FW_APP_PROGRESS_H

#include "fretwork.h"

typedef struct progress progress;

/* Shows the context's log lines and progress on stderr until stopped. `quiet`: only errors. NULL
 * without memory: nothing is shown. */
progress *progress_start(fw_context *ctx, bool quiet);
void progress_stop(progress *p);

/* Makes SIGINT and SIGTERM stop the context's run cleanly; a second one, or a run that does not
 * stop (watchdog.h), ends the program. */
void progress_catch_signals(fw_context *ctx);

#endif
