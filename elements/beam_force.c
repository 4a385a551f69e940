/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Internal force, energy and section forces of beams; linear and von Kármán here, co-rotational apart. */
#include <string.h>

#include "elements/corotational.h"

void fw_beam_bending(const fw_beam *beam, double *K) {
  double l = beam->l, phi = beam->phi;
  double k = beam->props->E * beam->props->I / (l * l * l * (1 + phi));
  double ww = 12 * k, wt = 6 * l * k, near = (4 + phi) * l * l * k, far = (2 - phi) * l * l * k;
  const double local[FW_BEAM_SIZE] = {
      0, 0,   0,    0, 0,   0,    /* u1 */
      0, ww,  wt,   0, -ww, wt,   /* w1 */
      0, wt,  near, 0, -wt, far,  /* t1 */
      0, 0,   0,    0, 0,   0,    /* u2 */
      0, -ww, -wt,  0, ww,  -wt,  /* w2 */
      0, wt,  far,  0, -wt, near, /* t2 */
  };
  memcpy(K, local, sizeof local);
  fw_beam_globalize_matrix(beam, K);
}

/* f = A x, 6 x 6 */
static void multiply(const double *A, const double *x, double *f) {
  for (int i = 0; i < 6; i++) {
    f[i] = 0;
    for (int j = 0; j < 6; j++) f[i] += A[6 * i + j] * x[j];
  }
}

/* Membrane strain and its gradient; the quadratic part only for von Kármán. */
static double membrane_strain(const fw_beam *beam, fw_membrane *membrane, const double *q, double gradient[6]) {
  fw_beam_membrane(beam, membrane);
  if (beam->props->kinematics == FW_LINEAR) memset(membrane->G, 0, sizeof membrane->G);
  return fw_membrane_strain(membrane, q, gradient);
}

static void force(const fw_beam *beam, const double *q, double *f, double *K) {
  double bending[FW_BEAM_SIZE], gradient[6];
  fw_membrane membrane;
  double eps = membrane_strain(beam, &membrane, q, gradient), D = membrane.D;
  fw_beam_bending(beam, bending);
  multiply(bending, q, f);
  for (int i = 0; i < 6; i++) f[i] += D * eps * gradient[i];
  for (int i = 0; K && i < 6; i++)
    for (int j = 0; j < 6; j++)
      K[6 * i + j] = bending[6 * i + j] + D * (gradient[i] * gradient[j] + eps * membrane.G[6 * i + j]);
}

fw_status fw_beam_force(const fw_beam *beam, const double *q, double *f, double *K, double *C) {
  if (C) memset(C, 0, FW_BEAM_SIZE * sizeof *C);
  if (beam->props->kinematics == FW_COROTATIONAL) return fw_corotational_force(beam, q, f, K);
  force(beam, q, f, K);
  return FW_OK;
}

double fw_beam_energy(const fw_beam *beam, const double *q) {
  if (beam->props->kinematics == FW_COROTATIONAL) return fw_corotational_energy(beam, q);
  double bending[FW_BEAM_SIZE], end[6], gradient[6];
  fw_membrane membrane;
  double eps = membrane_strain(beam, &membrane, q, gradient);
  double energy = 0.5 * membrane.D * eps * eps;
  fw_beam_bending(beam, bending);
  multiply(bending, q, end);
  for (int i = 0; i < 6; i++) energy += 0.5 * q[i] * end[i];
  return energy;
}

void fw_beam_section_forces(const fw_beam *beam, double normal, const double moment[2], const double *xi, double *out) {
  double s = 0.5 * (1 + xi[0]);
  out[FW_BEAM_N] = normal;
  out[FW_BEAM_V] = -(moment[0] + moment[1]) / beam->l;
  out[FW_BEAM_M] = -(1 - s) * moment[0] + s * moment[1];
}

void fw_beam_field(const fw_beam *beam, const double *q, const double *xi, double *out) {
  double bending[FW_BEAM_SIZE], end[6], gradient[6];
  fw_membrane membrane;
  if (beam->props->kinematics == FW_COROTATIONAL) {
    fw_corotational_field(beam, q, xi, out);
    return;
  }
  fw_beam_bending(beam, bending);
  multiply(bending, q, end);
  double normal = beam->props->E * beam->props->A * membrane_strain(beam, &membrane, q, gradient);
  fw_beam_section_forces(beam, normal, (double[]){end[2], end[5]}, xi, out);
}
