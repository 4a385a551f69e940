/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Internal force, energy and section forces of beams; linear and von Kármán here, co-rotational apart. */
#include <string.h>

#include "elements/beam.h"

/* Bending and shear stiffness, no membrane part, in local axes. */
static void bending_matrix(const fw_beam *beam, double *K) {
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
}

/* Its product with the local freedoms. */
static void bend(const fw_beam *beam, const double q[6], double f[6]) {
  double l = beam->l, phi = beam->phi, k = beam->props->E * beam->props->I / (l * l * l * (1 + phi));
  double drop = q[1] - q[4], wt = 6 * l * k, near = (4 + phi) * l * l * k, far = (2 - phi) * l * l * k;
  double shear = 12 * k * drop + wt * (q[2] + q[5]);
  const double end[6] = {0, shear,  wt * drop + near * q[2] + far * q[5],
                         0, -shear, wt * drop + far * q[2] + near * q[5]};
  memcpy(f, end, sizeof end);
}

static void local_freedoms(const fw_beam *beam, const double *q, double local[6]) {
  memcpy(local, q, 6 * sizeof *q);
  fw_beam_localize(beam, local);
}

static void tangent(const fw_beam *beam, double eps, const double gradient[6], double *K) {
  fw_membrane membrane;
  bending_matrix(beam, K);
  fw_beam_membrane_local(beam, &membrane);
  double curved = beam->props->kinematics == FW_LINEAR ? 0 : eps;
  for (int i = 0; i < 6; i++)
    for (int j = 0; j < 6; j++)
      K[6 * i + j] += membrane.D * (gradient[i] * gradient[j] + curved * membrane.G[6 * i + j]);
  fw_beam_globalize_matrix(beam, K);
}

static void force(const fw_beam *beam, const double *q, double *f, double *K) {
  double local[6], gradient[6];
  local_freedoms(beam, q, local);
  double eps = fw_beam_strain(beam, local, gradient), N = beam->props->E * beam->props->A * eps;
  bend(beam, local, f);
  for (int i = 0; i < 6; i++) f[i] += beam->l * N * gradient[i];
  fw_beam_globalize(beam, f);
  if (K) tangent(beam, eps, gradient, K);
}

fw_status fw_beam_force(const fw_beam *beam, const double *q, double *f, double *K, double *C) {
  if (C) memset(C, 0, FW_BEAM_SIZE * sizeof *C);
  if (beam->props->kinematics == FW_COROTATIONAL) return fw_corotational_force(beam, q, f, K);
  force(beam, q, f, K);
  return FW_OK;
}

double fw_beam_energy(const fw_beam *beam, const double *q) {
  if (beam->props->kinematics == FW_COROTATIONAL) return fw_corotational_energy(beam, q);
  double local[6], end[6], gradient[6];
  local_freedoms(beam, q, local);
  double eps = fw_beam_strain(beam, local, gradient), energy = beam->props->E * beam->props->A * beam->l * eps * eps;
  bend(beam, local, end);
  for (int i = 0; i < 6; i++) energy += local[i] * end[i];
  return 0.5 * energy;
}

void fw_beam_section_forces(const fw_beam *beam, double normal, const double moment[2], const double *xi, double *out) {
  double s = 0.5 * (1 + xi[0]);
  out[FW_BEAM_N] = normal;
  out[FW_BEAM_V] = -(moment[0] + moment[1]) / beam->l;
  out[FW_BEAM_M] = -(1 - s) * moment[0] + s * moment[1];
}

void fw_beam_field(const fw_beam *beam, const double *q, const double *xi, double *out) {
  if (beam->props->kinematics == FW_COROTATIONAL) {
    fw_corotational_field(beam, q, xi, out);
    return;
  }
  double local[6], end[6], gradient[6];
  local_freedoms(beam, q, local);
  bend(beam, local, end);
  double normal = beam->props->E * beam->props->A * fw_beam_strain(beam, local, gradient);
  fw_beam_section_forces(beam, normal, (double[]){end[2], end[5]}, xi, out);
}
