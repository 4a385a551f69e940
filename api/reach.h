/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The state that an analysis of a deck ends in. */
#ifndef FW_API_REACH_H
#define FW_API_REACH_H

#include "identify/method.h"

/* Builds the deck, runs the analysis and what it starts from in memory, and calls `use` with the model and the state.
 */
fw_status fw_reach_state(fw_context *ctx, const fw_deck *deck, const char *analysis, fw_use_state_fn use, void *user);

#endif
