/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The bilinear quadrilateral taken apart. Its shape functions satisfy grad N_a = b_a + gamma_a grad h
 * exactly, with b the gradients at the centre, h = xi eta and Flanagan and Belytschko's
 * gamma = (m - (m.x) b_x - (m.y) b_y)/4, m = (1, -1, 1, -1), which is blind to every linear field. grad h
 * has no mean, so that the linear stiffness falls into a constant and an hourglass part,
 *   K_ab = A t b_a D b_b + gamma_a gamma_b k,
 * and the elements quad4, quad4r and quad4i differ only in the 2 x 2 matrix k. */
#ifndef FW_ELEMENTS_PLANE_SPLIT_H
#define FW_ELEMENTS_PLANE_SPLIT_H

#include "elements/plane/plane.h"

typedef struct fw_split {
  double g[4][2];  /* b_a */
  double gamma[4]; /* Q = sum gamma_a u_a: the two hourglass amplitudes */
  double J[2][2];  /* Jacobian at the centre */
  double m[2];     /* (m.x, m.y)/4: x = ... + m h, so J(xi, eta) = J + m (eta, xi) */
  double weight;   /* area times thickness */
} fw_split;

FW_INLINE void fw_split_setup(const fw_properties *props, const double *X, fw_split *s) {
  static const double centre[2] = {0, 0}, mode[4] = {1, -1, 1, -1};
  fw_shape_gradients(FW_SHAPE_QUAD4, centre, s->g);
  const double det = fw_shape_jacobian(4, X, s->g, s->J);
  fw_shape_push(4, s->J, det, s->g);
  s->weight = 4 * det * props->thickness;
  s->m[0] = 0.25 * (X[0] - X[2] + X[4] - X[6]);
  s->m[1] = 0.25 * (X[1] - X[3] + X[5] - X[7]);
  for (int a = 0; a < 4; a++) s->gamma[a] = 0.25 * mode[a] - s->m[0] * s->g[a][0] - s->m[1] * s->g[a][1];
}

/* grad h at a point; returns det J there. */
FW_INLINE double fw_split_gradient(const fw_split *s, const double *xi, double gh[2]) {
  const double J[2][2] = {{s->J[0][0] + s->m[0] * xi[1], s->J[0][1] + s->m[0] * xi[0]},
                          {s->J[1][0] + s->m[1] * xi[1], s->J[1][1] + s->m[1] * xi[0]}};
  const double det = J[0][0] * J[1][1] - J[0][1] * J[1][0], c = 1 / det;
  gh[0] = c * (J[1][1] * xi[1] - J[1][0] * xi[0]);
  gh[1] = c * (J[0][0] * xi[0] - J[0][1] * xi[1]);
  return det;
}

FW_INLINE void fw_split_amplitudes(const fw_split *s, const double *q, double Q[2]) {
  Q[0] = Q[1] = 0;
  for (int a = 0; a < 4; a++) Q[0] += s->gamma[a] * q[2 * a], Q[1] += s->gamma[a] * q[2 * a + 1];
}

/* Linear force and, where K is not NULL, stiffness. */
FW_INLINE void fw_split_force(fw_plane_law law, const fw_split *s, double k[2][2], const double *q, double *f,
                              double *K) {
  double H[2][2], e[3], stress[3], Q[2];
  fw_plane_gradient(4, (double(*)[2])s->g, q, H);
  fw_plane_small_strain(H, e);
  fw_plane_stress(law, e, stress);
  fw_split_amplitudes(s, q, Q);
  fw_plane_clear(8, f);
  fw_plane_force_add(4, (double(*)[2])s->g, s->weight, stress, f);
  for (int a = 0; a < 4; a++) {
    f[2 * a] += s->gamma[a] * (k[0][0] * Q[0] + k[0][1] * Q[1]);
    f[2 * a + 1] += s->gamma[a] * (k[1][0] * Q[0] + k[1][1] * Q[1]);
  }
  if (K == NULL) return;
  for (int a = 0; a < 4; a++) {
    const double x = s->weight * s->g[a][0], y = s->weight * s->g[a][1];
    const double d11x = law.d11 * x, d12x = law.d12 * x, d33x = law.d33 * x;
    const double d11y = law.d11 * y, d12y = law.d12 * y, d33y = law.d33 * y;
    const double c00 = s->gamma[a] * k[0][0], c01 = s->gamma[a] * k[0][1];
    const double c10 = s->gamma[a] * k[1][0], c11 = s->gamma[a] * k[1][1];
    double *top = K + 16 * a, *low = top + 8;
    for (int b = 0; b < 4; b++) {
      const double bx = s->g[b][0], by = s->g[b][1], gb = s->gamma[b];
      top[2 * b] = d11x * bx + d33y * by + c00 * gb;
      top[2 * b + 1] = d12x * by + d33y * bx + c01 * gb;
      low[2 * b] = d12y * bx + d33x * by + c10 * gb;
      low[2 * b + 1] = d11y * by + d33x * bx + c11 * gb;
    }
  }
}

/* Energy of the linear element. */
FW_INLINE double fw_split_energy(fw_plane_law law, const fw_split *s, double k[2][2], const double *q) {
  double H[2][2], e[3], Q[2];
  fw_plane_gradient(4, (double(*)[2])s->g, q, H);
  fw_plane_small_strain(H, e);
  fw_split_amplitudes(s, q, Q);
  return s->weight * fw_plane_density(law, e) +
         0.5 * (k[0][0] * Q[0] * Q[0] + 2 * k[0][1] * Q[0] * Q[1] + k[1][1] * Q[1] * Q[1]);
}

#endif
