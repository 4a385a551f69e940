/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Receptances of the deck's own model: how sensors, slip and normal force of a contact answer to the drive and to
 * friction, with the contact closed and free to slide, about a state. At the angular frequency w, with T opposing slip,
 *
 *   (K + i w C - w^2 M) q = f F - s_q T,   u = s_q^T q. */
#ifndef FW_IDENTIFY_RECEPTANCE_H
#define FW_IDENTIFY_RECEPTANCE_H

#include <complex.h>
#undef I /* a second moment of area elsewhere */

#include "core/model.h"
#include "core/state.h"

typedef struct fw_answer {
  double complex drive, friction; /* per unit of F and of T */
} fw_answer;

typedef struct fw_receptance {
  fw_answer *sensors; /* [model's sensors], as displacement; owned */
  fw_answer slip, normal;
} fw_receptance;

/* At a state where `pair`, which has one contact point, is closed. FW_ERR_ANALYSIS if it is not, or if the model is too
 * large for dense matrices. */
fw_status fw_receptance_of(fw_context *ctx, const fw_model *model, const fw_state *state, int load, int pair,
                           double omega, fw_receptance *receptance);
void fw_receptance_clear(fw_receptance *receptance);

#endif
