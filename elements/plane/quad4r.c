/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Bilinear quadrilateral with one point and hourglass control (split.h).
 *
 * The stiffness k of the hourglass amplitudes Q is Belytschko and Bachrach's, from the strain energy
 * of the hourglass mode without parasitic shear; it needs no parameter. In element axes
 *   W = E' t/2 (H_11 Q_1^2 - 2 nu' H_12 Q_1 Q_2 + H_22 Q_2^2), H_ij = integral of h,i h,j dA, h = xi eta,
 * E' = E and nu' = nu in plane stress, E/(1-nu^2) and nu/(1-nu) in plane strain: exact in bending on
 * rectangles. In the total-Lagrangian form Q is pulled back by the deformation gradient at the
 * centre, P = F^T Q, so that W does not change in a rotation. */
#include <math.h>

#include "elements/plane/split.h"

enum { N = 4, DOFS = 8 };
FW_PLANE_COMMON(FW_SHAPE_QUAD4)

/* k in space axes. The element axes are the orthogonal pair nearest to the two mid-lines; the
 * Jacobian of the centre stands for that of the element. */
static void hourglass(const fw_properties *props, const fw_split *split, double k[2][2]) {
  const double(*J)[2] = split->J;
  const double det = J[0][0] * J[1][1] - J[0][1] * J[1][0];
  const double r = 1 / sqrt(J[0][0] * J[0][0] + J[1][0] * J[1][0]), s = 1 / sqrt(J[0][1] * J[0][1] + J[1][1] * J[1][1]);
  double e[2] = {J[0][0] * r + J[1][1] * s, J[1][0] * r - J[0][1] * s};
  const double length = sqrt(e[0] * e[0] + e[1] * e[1]);
  e[0] /= length, e[1] /= length;
  const double axes[2][2] = {{e[0], e[1]}, {-e[1], e[0]}};
  double d[2][2]; /* d xi_j / d axis_i */
  for (int i = 0; i < 2; i++) {
    d[i][0] = (J[1][1] * axes[i][0] - J[0][1] * axes[i][1]) / det;
    d[i][1] = (J[0][0] * axes[i][1] - J[1][0] * axes[i][0]) / det;
  }
  const double nu = props->plane_strain ? props->nu / (1 - props->nu) : props->nu;
  const double E = props->plane_strain ? props->E / (1 - props->nu * props->nu) : props->E;
  const double c = E * split->weight / 3;
  const double k11 = c * (d[0][0] * d[0][0] + d[0][1] * d[0][1]), k22 = c * (d[1][0] * d[1][0] + d[1][1] * d[1][1]);
  const double k12 = -c * nu * (d[0][0] * d[1][0] + d[0][1] * d[1][1]);
  for (int i = 0; i < 2; i++)
    for (int j = 0; j < 2; j++)
      k[i][j] = axes[0][i] * (k11 * axes[0][j] + k12 * axes[1][j]) + axes[1][i] * (k12 * axes[0][j] + k22 * axes[1][j]);
}

/* P = F^T Q and R = k P for the gradient H of the displacements at the centre. */
static void pull_back(double H[2][2], double k[2][2], const double Q[2], double P[2], double R[2]) {
  for (int i = 0; i < 2; i++) P[i] = Q[i] + H[0][i] * Q[0] + H[1][i] * Q[1];
  for (int i = 0; i < 2; i++) R[i] = k[i][0] * P[0] + k[i][1] * P[1];
}

/* W(q) = P.k.P/2 with P_m = F_im Q_i: dP_m/du_ai = F_im gamma_a + g_am Q_i and
 * d2P_m/du_ai du_bj = delta_ij (g_bm gamma_a + g_am gamma_b). Adds to f and the upper triangle of K. */
static void finite_hourglass(const fw_split *s, double k[2][2], const double *q, double *f, double *K) {
  double H[2][2], Q[2], P[2], R[2], D[DOFS][2];
  fw_plane_gradient(N, (double(*)[2])s->g, q, H);
  fw_split_amplitudes(s, q, Q);
  pull_back(H, k, Q, P, R);
  for (int r = 0; r < DOFS; r++) {
    const int a = r / 2, i = r % 2;
    for (int m = 0; m < 2; m++) D[r][m] = ((i == m) + H[i][m]) * s->gamma[a] + s->g[a][m] * Q[i];
    f[r] += D[r][0] * R[0] + D[r][1] * R[1];
  }
  if (K == NULL) return;
  for (int r = 0; r < DOFS; r++)
    for (int c = r; c < DOFS; c++) {
      double sum = 0;
      for (int m = 0; m < 2; m++) {
        sum += D[r][m] * (k[m][0] * D[c][0] + k[m][1] * D[c][1]);
        if (r % 2 == c % 2) sum += R[m] * (s->g[c / 2][m] * s->gamma[r / 2] + s->g[r / 2][m] * s->gamma[c / 2]);
      }
      K[r * DOFS + c] += sum;
    }
}

static fw_status force(const fw_properties *props, const double *X, const double *q, const double *v, double *f,
                       double *K, double *C) {
  (void)v;
  const fw_plane_law law = fw_plane_modulus(props);
  fw_split split;
  double k[2][2];
  fw_plane_no_damping(N, C);
  fw_split_setup(props, X, &split);
  hourglass(props, &split, k);
  if (props->kinematics == FW_LINEAR) {
    fw_split_force(law, &split, k, q, f, K);
    return FW_OK;
  }
  fw_plane_clear(DOFS, f);
  if (K != NULL) fw_plane_clear(DOFS * DOFS, K);
  if (!fw_plane_finite_add(law, 0, N, split.g, split.weight, q, f, K)) return FW_RECOVER_ELEMENT;
  finite_hourglass(&split, k, q, f, K);
  if (K != NULL) fw_plane_mirror(DOFS, K);
  return FW_OK;
}

static double energy(const fw_properties *props, const double *X, const double *q) {
  const fw_plane_law law = fw_plane_modulus(props);
  fw_split split;
  double k[2][2], H[2][2], e[3], Q[2], P[2], R[2];
  fw_split_setup(props, X, &split);
  hourglass(props, &split, k);
  if (props->kinematics == FW_LINEAR) return fw_split_energy(law, &split, k, q);
  fw_plane_gradient(N, split.g, q, H);
  fw_plane_green_strain(H, e);
  fw_split_amplitudes(&split, q, Q);
  pull_back(H, k, Q, P, R);
  return split.weight * fw_plane_density(law, e) + 0.5 * (P[0] * R[0] + P[1] * R[1]);
}

/* Stress and strain are those of the one point, the same everywhere in the element. */
static void field(const fw_properties *props, const double *X, const double *q, const double *xi, double *out) {
  (void)xi;
  static const double centre[2] = {0, 0};
  double g[N][2], H[2][2];
  fw_shape_space_gradients(FW_SHAPE_QUAD4, N, X, centre, g);
  fw_plane_gradient(N, g, q, H);
  fw_plane_fields(props, H, out);
}

FW_PLANE_ENTRY(quad4r, FW_SHAPE_QUAD4, N, fw_rule_quad1, "bilinear quadrilateral, one point with hourglass control",
               "Flanagan and Belytschko 1981; Belytschko and Bachrach 1986");
