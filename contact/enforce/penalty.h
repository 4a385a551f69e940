/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Stiffnesses for constraints enforced by penalty, where the deck does not give them. */
#ifndef FW_CONTACT_ENFORCE_PENALTY_H
#define FW_CONTACT_ENFORCE_PENALTY_H

#include "contact/pair.h"

/* Default slip tolerance F_f: elastic slip over edge length. */
#define FW_SLIP_TOLERANCE 0.005

/* Elastic slip u_crit = F_f * edge; the stick stiffness is then mu N / u_crit. */
static inline double fw_penalty_slip(double tolerance, double edge) { return tolerance * edge; }

/* Stiffness that meets a follower along the normal (gradient: kin->gap_q) or the tangent (kin->slip_q), as the model's
 * diagonal stiffness tells it: 1 / sum_i gradient_i^2 / K_ii, freedoms without stiffness left out; 0 if there is none.
 */
double fw_penalty_backing(const fw_kinematic *kin, const double *gradient, const double *diagonal);

/* Gives every pair that is hard by penalty and has no stiffness yet ten times the (harmonic) mean backing of
 * its followers, and logs it. Needs freedoms, elements and pairs. FW_ERR_DECK, at the pair's place, if nothing
 * elastic backs a pair. */
fw_status fw_penalty_choose(fw_context *ctx, fw_model *model);

#endif
