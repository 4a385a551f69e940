/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The arithmetic all plane elements share: material, strains, and what one integration point adds
 * to force and tangent. Inline with constant node counts, so that each element gets its own code.
 *
 * Linear: sigma = D epsilon. Total Lagrangian (St Venant-Kirchhoff): S = D E with the Green strain
 * E = (F^T F - 1)/2 and the same D, the plane-stress or plane-strain modulus; the thickness is that
 * of the reference configuration. Strains are ordered x, y, xy with the engineering shear. */
#ifndef FW_ELEMENTS_PLANE_KERNEL_H
#define FW_ELEMENTS_PLANE_KERNEL_H

#include "elements/shape.h"

enum { FW_PLANE_NODES = 8, FW_PLANE_DOFS = 16 };

/* D = [d11 d12 0; d12 d11 0; 0 0 d33]. */
typedef struct fw_plane_law {
  double d11, d12, d33;
} fw_plane_law;

FW_INLINE fw_plane_law fw_plane_modulus(const fw_properties *props) {
  const double E = props->E, nu = props->nu;
  if (props->plane_strain) {
    const double c = E / ((1 + nu) * (1 - 2 * nu));
    return (fw_plane_law){c * (1 - nu), c * nu, 0.5 * E / (1 + nu)};
  }
  const double c = E / (1 - nu * nu);
  return (fw_plane_law){c, c * nu, 0.5 * E / (1 + nu)};
}

FW_INLINE void fw_plane_stress(fw_plane_law d, const double e[3], double s[3]) {
  s[0] = d.d11 * e[0] + d.d12 * e[1];
  s[1] = d.d12 * e[0] + d.d11 * e[1];
  s[2] = d.d33 * e[2];
}

FW_INLINE double fw_plane_density(fw_plane_law d, const double e[3]) {
  double s[3];
  fw_plane_stress(d, e, s);
  return 0.5 * (s[0] * e[0] + s[1] * e[1] + s[2] * e[2]);
}

/* H[i][j] = du_i/dX_j. */
FW_INLINE void fw_plane_gradient(int n, double (*g)[2], const double *q, double H[2][2]) {
  H[0][0] = H[0][1] = H[1][0] = H[1][1] = 0;
  for (int a = 0; a < n; a++) {
    H[0][0] += q[2 * a] * g[a][0], H[0][1] += q[2 * a] * g[a][1];
    H[1][0] += q[2 * a + 1] * g[a][0], H[1][1] += q[2 * a + 1] * g[a][1];
  }
}

FW_INLINE void fw_plane_small_strain(double H[2][2], double e[3]) {
  e[0] = H[0][0], e[1] = H[1][1], e[2] = H[0][1] + H[1][0];
}

/* Green strain, written in H so that small strains keep their digits. */
FW_INLINE void fw_plane_green_strain(double H[2][2], double e[3]) {
  e[0] = H[0][0] + 0.5 * (H[0][0] * H[0][0] + H[1][0] * H[1][0]);
  e[1] = H[1][1] + 0.5 * (H[0][1] * H[0][1] + H[1][1] * H[1][1]);
  e[2] = H[0][1] + H[1][0] + H[0][0] * H[0][1] + H[1][0] * H[1][1];
}

FW_INLINE double fw_plane_det(double H[2][2]) { return (1 + H[0][0]) * (1 + H[1][1]) - H[0][1] * H[1][0]; }

/* ---- linear ------------------------------------------------------------------------------ */

/* Gradients at all points of a rule, and their weights. */
typedef struct fw_gauss_samples {
  int count;
  double x[FW_RULE_POINTS][FW_PLANE_NODES], y[FW_RULE_POINTS][FW_PLANE_NODES], w[FW_RULE_POINTS];
} fw_gauss_samples;

/* Sums over the points of w x_a x_b, w x_a y_b, w y_a x_b, w y_a y_b for m nodes b from `from` on: every
 * linear stiffness is made of them, K_ab = [d11 xx + d33 yy, d12 xy + d33 yx; d12 yx + d33 xy, d11 yy + d33 xx]. */
FW_INLINE void fw_plane_stiffness_blocks(fw_plane_law d, int n, const fw_gauss_samples *s, int a, int from, int m,
                                         double *K) {
  double xx[4] = {0}, xy[4] = {0}, yx[4] = {0}, yy[4] = {0};
  for (int p = 0; p < s->count; p++) {
    const double x = s->w[p] * s->x[p][a], y = s->w[p] * s->y[p][a];
    for (int b = 0; b < m; b++) {
      xx[b] += x * s->x[p][from + b], xy[b] += x * s->y[p][from + b];
      yx[b] += y * s->x[p][from + b], yy[b] += y * s->y[p][from + b];
    }
  }
  double *top = K + 4 * a * n + 2 * from, *low = top + 2 * n;
  for (int b = 0; b < m; b++) {
    top[2 * b] = d.d11 * xx[b] + d.d33 * yy[b];
    top[2 * b + 1] = d.d12 * xy[b] + d.d33 * yx[b];
    low[2 * b] = d.d12 * yx[b] + d.d33 * xy[b];
    low[2 * b + 1] = d.d11 * yy[b] + d.d33 * xx[b];
  }
}

/* K (2n x 2n) = integral of B^T D B. */
FW_INLINE void fw_plane_stiffness(fw_plane_law d, int n, const fw_gauss_samples *s, double *K) {
  const int half = n > 4 ? 4 : n; /* nodes at a time, as many sums as there are registers */
  for (int a = 0; a < half; a++) fw_plane_stiffness_blocks(d, n, s, a, 0, half, K);
  for (int a = 0; a < n && half < n; a++) fw_plane_stiffness_blocks(d, n, s, a, half, n - half, K);
  for (int i = 2 * half; i < 2 * n; i++)
    for (int j = 0; j < 2 * half; j++) K[i * 2 * n + j] = K[j * 2 * n + i];
}

/* f += w B^T s. */
FW_INLINE void fw_plane_force_add(int n, double (*g)[2], double w, const double s[3], double *f) {
  const double sx = w * s[0], sy = w * s[1], sxy = w * s[2];
  for (int a = 0; a < n; a++) {
    f[2 * a] += g[a][0] * sx + g[a][1] * sxy;
    f[2 * a + 1] += g[a][1] * sy + g[a][0] * sxy;
  }
}

FW_INLINE void fw_plane_multiply(int n, const double *K, const double *q, double *f) {
  for (int i = 0; i < n; i++) {
    double sum = 0;
    for (int j = 0; j < n; j++) sum += K[i * n + j] * q[j];
    f[i] = sum;
  }
}

FW_INLINE void fw_plane_clear(int n, double *x) {
  for (int i = 0; i < n; i++) x[i] = 0;
}

/* ---- total Lagrangian -------------------------------------------------------------------- */

/* What a point adds: f += w B^T S; K += w (B^T D B + g S g 1), the upper blocks a <= b only, of the
 * nodes from `first` on. B = [F11 gx, F21 gx; F12 gy, F22 gy; F11 gy + F12 gx, F21 gy + F22 gx]. K
 * may be NULL and is 2n x 2n. False if the point is turned inside out. */
FW_INLINE bool fw_plane_finite_add(fw_plane_law d, int first, int n, double (*g)[2], double w, const double *q,
                                   double *f, double *K) {
  double H[2][2], e[3], s[3];
  fw_plane_gradient(n, g, q, H);
  if (!(fw_plane_det(H) > 0)) return false;
  fw_plane_green_strain(H, e);
  fw_plane_stress(d, e, s);
  for (int i = 0; i < 3; i++) s[i] *= w;
  const double F[2][2] = {{1 + H[0][0], H[0][1]}, {H[1][0], 1 + H[1][1]}};
  if (K == NULL) { /* f += w F S g, the first Piola-Kirchhoff stress along the gradients */
    const double xx = F[0][0] * s[0] + F[0][1] * s[2], xy = F[0][0] * s[2] + F[0][1] * s[1];
    const double yx = F[1][0] * s[0] + F[1][1] * s[2], yy = F[1][0] * s[2] + F[1][1] * s[1];
    for (int a = first; a < n; a++) {
      f[2 * a] += xx * g[a][0] + xy * g[a][1];
      f[2 * a + 1] += yx * g[a][0] + yy * g[a][1];
    }
    return true;
  }
  const double d11 = w * d.d11, d12 = w * d.d12, d33 = w * d.d33;

  double B[FW_PLANE_NODES][6], T[FW_PLANE_NODES][2]; /* B row by row; T = S g */
  for (int a = first; a < n; a++) {
    const double x = g[a][0], y = g[a][1];
    B[a][0] = F[0][0] * x, B[a][1] = F[1][0] * x;
    B[a][2] = F[0][1] * y, B[a][3] = F[1][1] * y;
    B[a][4] = F[0][0] * y + F[0][1] * x, B[a][5] = F[1][0] * y + F[1][1] * x;
    T[a][0] = s[0] * x + s[2] * y, T[a][1] = s[2] * x + s[1] * y;
    f[2 * a] += F[0][0] * T[a][0] + F[0][1] * T[a][1];
    f[2 * a + 1] += F[1][0] * T[a][0] + F[1][1] * T[a][1];
  }
  for (int b = first; b < n; b++) {
    double DB[6];
    for (int i = 0; i < 2; i++) {
      DB[i] = d11 * B[b][i] + d12 * B[b][2 + i];
      DB[2 + i] = d12 * B[b][i] + d11 * B[b][2 + i];
      DB[4 + i] = d33 * B[b][4 + i];
    }
    for (int a = first; a <= b; a++) {
      const double geometric = g[a][0] * T[b][0] + g[a][1] * T[b][1];
      double *top = K + 2 * a * 2 * n + 2 * b, *low = top + 2 * n;
      top[0] += B[a][0] * DB[0] + B[a][2] * DB[2] + B[a][4] * DB[4] + geometric;
      top[1] += B[a][0] * DB[1] + B[a][2] * DB[3] + B[a][4] * DB[5];
      low[0] += B[a][1] * DB[0] + B[a][3] * DB[2] + B[a][5] * DB[4];
      low[1] += B[a][1] * DB[1] + B[a][3] * DB[3] + B[a][5] * DB[5] + geometric;
    }
  }
  return true;
}

/* Copies the upper triangle of a size x size matrix to the lower. */
FW_INLINE void fw_plane_mirror(int size, double *K) {
  for (int i = 1; i < size; i++)
    for (int j = 0; j < i; j++) K[i * size + j] = K[j * size + i];
}

#endif
