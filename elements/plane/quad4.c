/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Bilinear quadrilateral with 2 x 2 points. The linear stiffness is the fully integrated one, put
 * together from its constant and hourglass parts (split.h), several times cheaper than point by point. */
#include "elements/plane/split.h"

FW_PLANE_COMMON(FW_SHAPE_QUAD4)
FW_PLANE_FIELD(FW_SHAPE_QUAD4, 4)

/* k = integral of grad h . D . grad h. */
static void hourglass(const fw_properties *props, fw_plane_law law, const fw_split *s, double k[2][2]) {
  double xx = 0, xy = 0, yy = 0;
  for (int p = 0; p < 4; p++) {
    double gh[2];
    const double w = fw_split_gradient(s, fw_rule_quad4.point[p], gh) * props->thickness;
    xx += w * gh[0] * gh[0], xy += w * gh[0] * gh[1], yy += w * gh[1] * gh[1];
  }
  k[0][0] = law.d11 * xx + law.d33 * yy;
  k[1][1] = law.d11 * yy + law.d33 * xx;
  k[0][1] = k[1][0] = (law.d12 + law.d33) * xy;
}

/* ---- total Lagrangian -------------------------------------------------------------------- */

/* Force and energy without the tangent. With the gradients of split.h, which at the centre are opposite at opposite
 * nodes, b_2 = -b_0 and b_3 = -b_1, the displacement gradient at a point is
 *   H = H0 + Q grad h,   H0 = (u_0 - u_2) b_0 + (u_1 - u_3) b_1,   Q = (u_0 - u_1 + u_2 - u_3)/4 - H0 m,
 * and of the first Piola-Kirchhoff stress P = F S only the sums over the points A of w P and R of w P grad h matter,
 *   f_a = (A - R m) b_a + R (-1)^a/4. */
enum { POINTS = 4 };

/* Something at each of the points: loops over them become vector instructions. */
typedef double at_points[POINTS];

/* What force and energy share: grad h and the weights of the points; m and b of the first two nodes; H0 and Q. */
typedef struct fw_quad4_finite {
  at_points hx, hy, w;
  double m[2], b[2][2], H[2][2], Q[2];
} fw_quad4_finite;

FW_INLINE void set_places(fw_quad4_finite *s, double thickness, const double d[2], const double e[2]) {
  static const double g = 0.577350269189625764509;
  static const at_points xi = {-g, g, g, -g}, eta = {-g, -g, g, g};
  const double J[2][2] = {{0.25 * (d[0] - e[0]), 0.25 * (d[0] + e[0])}, {0.25 * (d[1] - e[1]), 0.25 * (d[1] + e[1])}};
  for (int p = 0; p < POINTS; p++) {
    const double xx = J[0][0] + s->m[0] * eta[p], xy = J[0][1] + s->m[0] * xi[p];
    const double yx = J[1][0] + s->m[1] * eta[p], yy = J[1][1] + s->m[1] * xi[p];
    const double det = xx * yy - xy * yx, c = 1 / det;
    s->hx[p] = c * (yy * eta[p] - yx * xi[p]);
    s->hy[p] = c * (xx * xi[p] - xy * eta[p]);
    s->w[p] = det * thickness;
  }
}

FW_INLINE void finite_setup(const fw_properties *props, const double *X, const double *q, fw_quad4_finite *s) {
  const double d[2] = {X[4] - X[0], X[5] - X[1]}, e[2] = {X[6] - X[2], X[7] - X[3]}; /* the diagonals */
  const double c = 1 / (d[0] * e[1] - d[1] * e[0]);
  s->b[0][0] = -c * e[1], s->b[0][1] = c * e[0];
  s->b[1][0] = c * d[1], s->b[1][1] = -c * d[0];
  for (int i = 0; i < 2; i++) s->m[i] = 0.25 * (X[i] - X[2 + i] + X[4 + i] - X[6 + i]);
  for (int i = 0; i < 2; i++) {
    for (int j = 0; j < 2; j++) s->H[i][j] = (q[i] - q[4 + i]) * s->b[0][j] + (q[2 + i] - q[6 + i]) * s->b[1][j];
    s->Q[i] = 0.25 * (q[i] - q[2 + i] + q[4 + i] - q[6 + i]) - s->H[i][0] * s->m[0] - s->H[i][1] * s->m[1];
  }
  set_places(s, props->thickness, d, e);
}

/* The displacement gradient at a point. */
FW_INLINE void finite_gradient(const fw_quad4_finite *s, int p, double H[2][2]) {
  for (int i = 0; i < 2; i++) {
    H[i][0] = s->H[i][0] + s->Q[i] * s->hx[p];
    H[i][1] = s->H[i][1] + s->Q[i] * s->hy[p];
  }
}

static double sum(const at_points x) { return (x[0] + x[1]) + (x[2] + x[3]); }

static fw_status finite_force(const fw_properties *props, const double *X, const double *q, double *f) {
  const fw_plane_law law = fw_plane_modulus(props);
  fw_quad4_finite s;
  at_points volume, P[2][2], R[2];
  finite_setup(props, X, q, &s);
  for (int p = 0; p < POINTS; p++) {
    double H[2][2], E[3], S[3];
    finite_gradient(&s, p, H);
    fw_plane_green_strain(H, E);
    fw_plane_stress(law, E, S);
    volume[p] = fw_plane_det(H);
    for (int i = 0; i < 2; i++) {
      const double x = s.w[p] * ((i == 0) + H[i][0]), y = s.w[p] * ((i == 1) + H[i][1]);
      P[i][0][p] = x * S[0] + y * S[2];
      P[i][1][p] = x * S[2] + y * S[1];
      R[i][p] = P[i][0][p] * s.hx[p] + P[i][1][p] * s.hy[p];
    }
  }
  for (int p = 0; p < POINTS; p++)
    if (!(volume[p] > 0)) return FW_RECOVER_ELEMENT;
  for (int i = 0; i < 2; i++) {
    const double r = sum(R[i]), x = sum(P[i][0]) - r * s.m[0], y = sum(P[i][1]) - r * s.m[1];
    for (int a = 0; a < 2; a++) {
      const double along = x * s.b[a][0] + y * s.b[a][1], bent = (a ? -0.25 : 0.25) * r;
      f[2 * a + i] = bent + along;
      f[2 * (a + 2) + i] = bent - along;
    }
  }
  return FW_OK;
}

static double finite_energy(const fw_properties *props, const double *X, const double *q) {
  const fw_plane_law law = fw_plane_modulus(props);
  fw_quad4_finite s;
  at_points energy;
  finite_setup(props, X, q, &s);
  for (int p = 0; p < POINTS; p++) {
    double H[2][2], E[3];
    finite_gradient(&s, p, H);
    fw_plane_green_strain(H, E);
    energy[p] = s.w[p] * fw_plane_density(law, E);
  }
  return sum(energy);
}

/* ---- entry ------------------------------------------------------------------------------- */

static fw_status force(const fw_properties *props, const double *X, const double *q, const double *v, double *f,
                       double *K, double *C) {
  (void)v;
  fw_plane_no_damping(4, C);
  if (props->kinematics == FW_TOTAL_LAGRANGIAN && K == NULL) return finite_force(props, X, q, f);
  if (props->kinematics == FW_TOTAL_LAGRANGIAN)
    return fw_plane_force(FW_SHAPE_QUAD4, 4, &fw_rule_quad4, props, X, q, f, K);
  const fw_plane_law law = fw_plane_modulus(props);
  fw_split split;
  double k[2][2];
  fw_split_setup(props, X, &split);
  hourglass(props, law, &split, k);
  fw_split_force(law, &split, k, q, f, K);
  return FW_OK;
}

static double energy(const fw_properties *props, const double *X, const double *q) {
  if (props->kinematics == FW_TOTAL_LAGRANGIAN) return finite_energy(props, X, q);
  return fw_plane_energy(FW_SHAPE_QUAD4, 4, &fw_rule_quad4, props, X, q);
}

FW_PLANE_ENTRY(quad4, FW_SHAPE_QUAD4, 4, fw_rule_quad4, "bilinear quadrilateral, 2 x 2 points; locks in bending",
               "Taig 1961; Irons 1966; Belytschko and Bachrach 1986");
