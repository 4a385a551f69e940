/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Bilinear quadrilateral with one point and hourglass control.
 *
 * Flanagan and Belytschko's projection gamma = (h - (h.x) b_x - (h.y) b_y)/4, h = (1, -1, 1, -1), is
 * blind to every linear field, so that the patch test is passed exactly; the hourglass amplitudes
 * are Q_i = gamma . u_i. Their stiffness is Belytschko and Bachrach's, from the strain energy of
 * the hourglass mode without parasitic shear, which needs no parameter: in element axes
 *   W = E' t/2 (H_11 Q_1^2 - 2 nu' H_12 Q_1 Q_2 + H_22 Q_2^2), H_ij = integral of h,i h,j dA, h = xi eta,
 * E' = E and nu' = nu in plane stress, E/(1-nu^2) and nu/(1-nu) in plane strain: exact in bending on
 * rectangles. In the total-Lagrangian form Q is pulled back by the deformation gradient at the
 * centre, Q -> F^T Q, so that W does not change in a rotation. */
#include <math.h>

#include "elements/plane/plane.h"

enum { N = 4, DOFS = 8 };
FW_PLANE_COMMON(FW_SHAPE_QUAD4)

typedef struct hourglass {
  double g[N][2], weight; /* gradients at the centre; area times thickness */
  double gamma[N];
  double k[2][2]; /* W = Q.k.Q/2, in space axes */
} hourglass;

/* Stiffness k of the amplitudes in space axes, from the inverse Jacobian at the centre. The element
 * axes are the orthogonal pair nearest to the two mid-lines. */
static void hourglass_stiffness(const fw_properties *props, double J[2][2], double det, double area, double k[2][2]) {
  const double r = hypot(J[0][0], J[1][0]), s = hypot(J[0][1], J[1][1]);
  double e[2] = {J[0][0] / r + J[1][1] / s, J[1][0] / r - J[0][1] / s};
  const double length = hypot(e[0], e[1]);
  e[0] /= length, e[1] /= length;
  const double axes[2][2] = {{e[0], e[1]}, {-e[1], e[0]}};
  double d[2][2]; /* d xi_j / d axis_i */
  for (int i = 0; i < 2; i++) {
    d[i][0] = (J[1][1] * axes[i][0] - J[0][1] * axes[i][1]) / det;
    d[i][1] = (J[0][0] * axes[i][1] - J[1][0] * axes[i][0]) / det;
  }
  const double nu = props->plane_strain ? props->nu / (1 - props->nu) : props->nu;
  const double E = props->plane_strain ? props->E / (1 - props->nu * props->nu) : props->E;
  const double c = E * props->thickness * area / 3;
  const double k11 = c * (d[0][0] * d[0][0] + d[0][1] * d[0][1]), k22 = c * (d[1][0] * d[1][0] + d[1][1] * d[1][1]);
  const double k12 = -c * nu * (d[0][0] * d[1][0] + d[0][1] * d[1][1]);
  for (int i = 0; i < 2; i++)
    for (int j = 0; j < 2; j++)
      k[i][j] = axes[0][i] * (k11 * axes[0][j] + k12 * axes[1][j]) + axes[1][i] * (k12 * axes[0][j] + k22 * axes[1][j]);
}

static void hourglass_setup(const fw_properties *props, const double *X, hourglass *h) {
  static const double mode[N] = {1, -1, 1, -1}, centre[2] = {0, 0};
  double J[2][2];
  fw_shape_gradients(FW_SHAPE_QUAD4, centre, h->g);
  const double det = fw_shape_jacobian(N, X, h->g, J);
  fw_shape_push(N, J, det, h->g);
  h->weight = 4 * det * props->thickness;
  double hx = 0, hy = 0;
  for (int a = 0; a < N; a++) hx += mode[a] * X[2 * a], hy += mode[a] * X[2 * a + 1];
  for (int a = 0; a < N; a++) h->gamma[a] = 0.25 * (mode[a] - hx * h->g[a][0] - hy * h->g[a][1]);
  hourglass_stiffness(props, J, det, 4 * det, h->k);
}

static void amplitudes(const hourglass *h, const double *q, double Q[2]) {
  Q[0] = Q[1] = 0;
  for (int a = 0; a < N; a++) Q[0] += h->gamma[a] * q[2 * a], Q[1] += h->gamma[a] * q[2 * a + 1];
}

/* P = F^T Q (Q itself where F is NULL), R = k P. */
static void pull_back(const hourglass *h, double F[2][2], const double Q[2], double P[2], double R[2]) {
  for (int i = 0; i < 2; i++) P[i] = F != NULL ? F[0][i] * Q[0] + F[1][i] * Q[1] : Q[i];
  for (int i = 0; i < 2; i++) R[i] = h->k[i][0] * P[0] + h->k[i][1] * P[1];
}

static void linear_hourglass(const hourglass *h, const double *q, double *f, double *K) {
  double Q[2], P[2], R[2];
  amplitudes(h, q, Q);
  pull_back(h, NULL, Q, P, R);
  for (int a = 0; a < N; a++)
    for (int i = 0; i < 2; i++) {
      f[2 * a + i] += h->gamma[a] * R[i];
      if (K == NULL) continue;
      for (int b = 0; b < N; b++)
        for (int j = 0; j < 2; j++) K[(2 * a + i) * DOFS + 2 * b + j] += h->gamma[a] * h->gamma[b] * h->k[i][j];
    }
}

/* W(q) = P.k.P/2 with P_m = F_im Q_i: dP_m/du_ai = F_im gamma_a + g_am Q_i and
 * d2P_m/du_ai du_bj = delta_ij (g_bm gamma_a + g_am gamma_b). Fills the upper triangle of K. */
static void finite_hourglass(const hourglass *h, double H[2][2], const double *q, double *f, double *K) {
  double F[2][2] = {{1 + H[0][0], H[0][1]}, {H[1][0], 1 + H[1][1]}}, Q[2], P[2], R[2], D[DOFS][2];
  amplitudes(h, q, Q);
  pull_back(h, F, Q, P, R);
  for (int a = 0; a < N; a++)
    for (int i = 0; i < 2; i++) {
      for (int m = 0; m < 2; m++) D[2 * a + i][m] = F[i][m] * h->gamma[a] + h->g[a][m] * Q[i];
      f[2 * a + i] += D[2 * a + i][0] * R[0] + D[2 * a + i][1] * R[1];
    }
  if (K == NULL) return;
  for (int r = 0; r < DOFS; r++)
    for (int c = r; c < DOFS; c++) {
      double sum = 0;
      for (int m = 0; m < 2; m++) {
        sum += D[r][m] * (h->k[m][0] * D[c][0] + h->k[m][1] * D[c][1]);
        if (r % 2 == c % 2) sum += R[m] * (h->g[c / 2][m] * h->gamma[r / 2] + h->g[r / 2][m] * h->gamma[c / 2]);
      }
      K[r * DOFS + c] += sum;
    }
}

static fw_status force(const fw_properties *props, const double *X, const double *q, const double *v, double *f,
                       double *K, double *C) {
  (void)v;
  const fw_plane_law law = fw_plane_modulus(props);
  hourglass h;
  double H[2][2], e[3], s[3];
  hourglass_setup(props, X, &h);
  fw_plane_no_damping(N, C);
  fw_plane_clear(DOFS, f);
  if (props->kinematics == FW_TOTAL_LAGRANGIAN) {
    if (K != NULL) fw_plane_clear(DOFS * DOFS, K);
    if (!fw_plane_finite_add(law, 0, N, h.g, h.weight, q, f, K)) return FW_RECOVER_ELEMENT;
    fw_plane_gradient(N, h.g, q, H);
    finite_hourglass(&h, H, q, f, K);
    if (K != NULL) fw_plane_mirror(DOFS, K);
    return FW_OK;
  }
  fw_plane_gradient(N, h.g, q, H);
  fw_plane_small_strain(H, e);
  fw_plane_stress(law, e, s);
  fw_plane_force_add(N, h.g, h.weight, s, f);
  if (K != NULL) {
    fw_products products;
    fw_products_clear(N, &products);
    fw_products_add(N, h.g, h.weight, &products);
    fw_products_stiffness(law, N, &products, K);
  }
  linear_hourglass(&h, q, f, K);
  return FW_OK;
}

static double energy(const fw_properties *props, const double *X, const double *q) {
  const bool finite = props->kinematics == FW_TOTAL_LAGRANGIAN;
  hourglass h;
  double H[2][2], e[3], Q[2], P[2], R[2];
  hourglass_setup(props, X, &h);
  fw_plane_gradient(N, h.g, q, H);
  if (finite)
    fw_plane_green_strain(H, e);
  else
    fw_plane_small_strain(H, e);
  double F[2][2] = {{1 + H[0][0], H[0][1]}, {H[1][0], 1 + H[1][1]}};
  amplitudes(&h, q, Q);
  pull_back(&h, finite ? F : NULL, Q, P, R);
  return h.weight * fw_plane_density(fw_plane_modulus(props), e) + 0.5 * (P[0] * R[0] + P[1] * R[1]);
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

FW_PLANE_ENTRY(quad4r, FW_SHAPE_QUAD4, N, "bilinear quadrilateral, one point with hourglass control",
               "Flanagan and Belytschko 1981; Belytschko and Bachrach 1986");
