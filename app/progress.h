/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a running command shows, and how it ends where it does not listen. */
#ifndef FW_APP_PROGRESS_H
#define FW_APP_PROGRESS_H

#include "fretwork.h"

/* ---- progress -------------------------------------------------------------------------------------------- */

/* What a running command shows: on a terminal a bar with the time left, in a pipe plain lines. */

typedef struct progress progress;

/* Shows the context's log lines and progress on stderr until stopped. `quiet`: only errors. NULL
 * without memory: nothing is shown. */
progress *progress_start(fw_context *ctx, bool quiet);
void progress_stop(progress *p);

/* Makes SIGINT and SIGTERM stop the context's run cleanly; a second one, or a run that does not
 * stop (below), ends the program. */
void progress_catch_signals(fw_context *ctx);

/* ---- watchdog -------------------------------------------------------------------------------------------- */

/* Ends the program where a run does not: a library that retries for ever, a law from outside that loops. After an
 * interruption the run has most of a second to say that it noticed (its log goes on); then what is written is handed to
 * the system and the program ends with EXIT_INTERRUPTED. */

/* To be called before memory can become scarce. Without a thread there is no watchdog. */
void watchdog_start(void);

/* From the signal handler: counts from now on. */
void watchdog_interrupted(void);

/* The run goes on to its end by itself. */
void watchdog_noticed(void);

#endif
