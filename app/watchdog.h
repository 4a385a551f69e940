/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Ends the program where a run does not: a library that retries for ever, a law from outside that loops. After an
 * interruption the run has most of a second to say that it noticed (its log goes on); then what is written is handed to
 * the system and the program ends with EXIT_INTERRUPTED. */
#ifndef FW_APP_WATCHDOG_H
#define FW_APP_WATCHDOG_H

/* To be called before memory can become scarce. Without a thread there is no watchdog. */
void watchdog_start(void);

/* From the signal handler: counts from now on. */
void watchdog_interrupted(void);

/* The run goes on to its end by itself. */
void watchdog_noticed(void);

#endif
