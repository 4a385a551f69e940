/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The von Kármán membrane energy on the reduced coordinates, a quartic polynomial.
 *
 * About the start state q_s an element's membrane strain grows by b.x + q(x), b = b_0 + G q_s, q = x^T G x / 2. The
 * part of the energy that is not in the linear stiffness is sum D [(b.x) q + q^2/2]. With x = V z + R eta the rest
 * eta (axial motion, mostly) enters linearly only, and without its inertia it follows as eta = -sum R^T D b q:
 * minimised over eta,
 *
 *   U(z) = sum_e D_e (b_e.V z) q_e(z) + 1/2 q^T (diag D - S) q,   S_ef = D_e D_f b_e^T R R^T b_f,
 *
 * exactly but for the inertia of that second-order motion. The matrix of the last term has very few eigenvalues
 * (one for each way to stretch the beams), which is what is evaluated. */
#ifndef FW_HB_REDUCTION_QUARTIC_H
#define FW_HB_REDUCTION_QUARTIC_H

#include "core/model.h"
#include "solver/hb/reduction/reduced.h"

typedef struct fw_quartic {
  int n, rank, elements, rest;
  double *cubic;        /* n^3: sum_e D_e b_e,i G_e,jk */
  double *stretch;      /* rank: eigenvalues */
  double *G;            /* rank x n x n: sum_e w_e G_e on the coordinates */
  double *element_G;    /* elements x n x n */
  double *element_rest; /* elements x rest: R^T D b */
} fw_quartic;

/* *quartic has elements == 0 if there are no von Kármán beams. */
fw_status fw_quartic_create(fw_context *ctx, const fw_model *model, const double *q_start, const fw_reduced *reduced,
                            fw_quartic *quartic);
void fw_quartic_clear(fw_quartic *quartic);

/* f[n] = dU/dz, K[n x n] its derivative (NULL: not wanted). work: 2 n numbers. */
void fw_quartic_force(const fw_quartic *quartic, const double *z, double *f, double *K, double *work);

/* eta[rest] += the second-order motion of the rest at z. */
void fw_quartic_rest(const fw_quartic *quartic, const double *z, double *eta);

#endif
