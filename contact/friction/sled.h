/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A mass on a rubbing contact, held by a spring whose other end is moved: m a + k (x - end) + T = 0. */
#ifndef FW_CONTACT_SLED_H
#define FW_CONTACT_SLED_H

#include "contact/friction/friction.h"

typedef struct fw_sled {
  const fw_friction *law; /* lent */
  double mass, stiffness;
  double x, v, a, T, end; /* where it is; end: other end of the spring */
  double *z, *trial, *derivatives;
} fw_sled;

/* At rest at 0 with a fresh contact and the spring free. x, v and end may be set before the first step. */
fw_status fw_sled_create(fw_context *ctx, const fw_friction *law, double mass, double stiffness, fw_sled *sled);
void fw_sled_clear(fw_sled *sled);

/* One generalised-alpha step (spectral radius 0.8) with the contact implicit. FW_RECOVER_DIVERGED if no balance is
 * found. */
fw_status fw_sled_step(fw_context *ctx, fw_sled *sled, double dt, double end, double N0, double N1);

#endif
