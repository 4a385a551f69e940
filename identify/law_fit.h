/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One law of the chain fitted to loops. */
#ifndef FW_IDENTIFY_LAW_FIT_H
#define FW_IDENTIFY_LAW_FIT_H

#include "identify/chain.h"

typedef struct fw_law_fit_wish {
  fw_loop_objective objective;
  fw_loop_begin begin;
  int parts;
  const char *hold;   /* "sigma-2=0, lugre.mu-c=0.3": numbers that are not fitted; NULL: none */
  const char *bounds; /* "sigma-0=1e5:1e9, ...": other bounds than the chain's; NULL: none */
  fw_fit_options options;
} fw_law_fit_wish;

/* Owned; clear frees it. */
typedef struct fw_law_fit {
  const fw_chain_law *law;
  const fw_friction_ops *ops;
  const fw_loops *loops;
  const fw_law_fit_wish *wish;
  fw_context *aside; /* takes the messages of laws that have no meaning at some numbers */
  char held[16][96]; /* settings that stay */
  int held_count;
  fw_fit_parameter list[FW_CHAIN_NUMBERS];
  int count; /* of fitted numbers; 0: none, the start is the answer */
  double *T; /* room for the longest loop */
  fw_fit_problem problem;
  fw_fit fit;
} fw_law_fit;

/* Prepares a law: what is held, what is fitted, from where. FW_ERR_DECK, with a message without place, for a law that
 * is not in the chain and for what hold and bounds say wrongly. */
fw_status fw_law_fit_open(fw_context *ctx, const char *law, const fw_loops *loops, const fw_contact_guess *guess,
                          const fw_law_fit_wish *wish, fw_law_fit *fit);
void fw_law_fit_close(fw_law_fit *fit);

/* Fits, if there is anything to fit. */
fw_status fw_law_fit_run(fw_context *ctx, fw_law_fit *fit);

/* The law with numbers p[count]; to be cleared. */
fw_status fw_law_fit_make(fw_law_fit *fit, const double *p, fw_friction *law);

/* Its force along a loop at what was found; T[loop->count]. */
fw_status fw_law_fit_force(fw_context *ctx, fw_law_fit *fit, const fw_loop_data *loop, double *T);

/* A number of the law as found or held; NaN if it has none of that name. */
double fw_law_fit_number(const fw_law_fit *fit, const char *name);

#endif
