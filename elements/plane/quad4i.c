/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Bilinear quadrilateral with incompatible modes.
 *
 * Two further modes, 1 - xi^2 and 1 - eta^2, with amplitudes alpha local to the element, make it
 * bend like a beam. After Taylor, Beresford and Wilson their gradients use the Jacobian J0 of the
 * centre and the factor det J0/det J, so that they do no work on constant stress and every patch
 * test is passed. The same gradients enhance the deformation gradient in the total-Lagrangian
 * form (Simo and Armero), F = 1 + sum u_a x grad N_a + sum alpha_i x grad M_i, which a rotation
 * leaves unchanged. alpha makes the energy stationary: eliminated exactly when linear, otherwise
 * found by Newton's iteration from alpha = 0 at each evaluation, so that the element stays a pure
 * function. Like all of its family it may grow hourglasses at large compressive strain (tens of
 * per cent). */
#include <math.h>
#include <string.h>

#include "elements/plane/split.h"

/* The modes count as nodes 4 and 5, alpha as their displacements. */
enum { N = 4, ALL = 6, POINTS = 4, DOFS = 2 * N, SIZE = 2 * ALL, ALPHAS = SIZE - DOFS, ITERATIONS = 25 };
FW_PLANE_COMMON(FW_SHAPE_QUAD4)

static const double centre[2] = {0, 0};

static void centre_jacobian(const double *X, double J0[2][2]) {
  double d[N][2];
  fw_shape_gradients(FW_SHAPE_QUAD4, centre, d);
  fw_shape_jacobian(N, X, d, J0);
}

/* Gradients of the four nodes and the two modes at xi; returns det J. */
FW_INLINE double all_gradients(const double *X, double J0[2][2], const double *xi, double (*g)[2]) {
  const double det = fw_shape_space_gradients(FW_SHAPE_QUAD4, N, X, xi, g);
  g[4][0] = -2 * xi[0], g[4][1] = 0;
  g[5][0] = 0, g[5][1] = -2 * xi[1];
  fw_shape_push(ALL - N, J0, det, g + N); /* (det J0/det J) J0^-1 = adj J0/det J */
  return det;
}

typedef struct samples {
  double g[POINTS][ALL][2], w[POINTS];
} samples;

FW_INLINE void sample(const fw_properties *props, const double *X, samples *s) {
  double J0[2][2];
  centre_jacobian(X, J0);
  for (int p = 0; p < POINTS; p++) {
    const double *point = fw_rule_quad4.point[p];
    s->w[p] = all_gradients(X, J0, point, s->g[p]) * point[2] * props->thickness;
  }
}

/* The linear element: the modes have no mean gradient, so that they see the displacements only through
 * the hourglass amplitudes Q. Energy Q.k0.Q/2 + Q.L.alpha + alpha.A.alpha/2, stationary in alpha. */
typedef struct modes {
  double k0[2][2], L[2][ALPHAS], A[ALPHAS][ALPHAS];
} modes;

/* Adds w G_a D G_b for one pair of gradients: the 2 x 2 block of displacements along x and y. */
FW_INLINE void add_block(fw_plane_law law, double w, const double a[2], const double b[2], double *top, double *low) {
  const double x = w * a[0], y = w * a[1];
  top[0] += law.d11 * x * b[0] + law.d33 * y * b[1];
  top[1] += law.d12 * x * b[1] + law.d33 * y * b[0];
  low[0] += law.d12 * y * b[0] + law.d33 * x * b[1];
  low[1] += law.d11 * y * b[1] + law.d33 * x * b[0];
}

static void linear_modes(const fw_properties *props, fw_plane_law law, const fw_split *split, modes *m) {
  *m = (modes){0};
  for (int p = 0; p < POINTS; p++) {
    const double *xi = fw_rule_quad4.point[p];
    double gh[2], g[2][2] = {{-2 * xi[0], 0}, {0, -2 * xi[1]}};
    const double det = fw_split_gradient(split, xi, gh), w = det * props->thickness;
    fw_shape_push(2, (double(*)[2])split->J, det, g);
    add_block(law, w, gh, gh, m->k0[0], m->k0[1]);
    for (int i = 0; i < 2; i++) {
      add_block(law, w, gh, g[i], m->L[0] + 2 * i, m->L[1] + 2 * i);
      for (int j = 0; j < 2; j++) add_block(law, w, g[i], g[j], m->A[2 * i] + 2 * j, m->A[2 * i + 1] + 2 * j);
    }
  }
}

/* k = k0 - L A^-1 L^T, and alpha = S Q with S = -A^-1 L^T. A is positive definite. */
FW_INLINE void eliminate_modes(modes *m, double k[2][2], double S[ALPHAS][2]) {
  double T[ALPHAS][2];
  for (int i = 0; i < ALPHAS; i++) T[i][0] = m->L[0][i], T[i][1] = m->L[1][i];
  for (int p = 0; p < ALPHAS; p++) {
    const double inverse = 1 / m->A[p][p];
    for (int i = p + 1; i < ALPHAS; i++) {
      const double factor = m->A[i][p] * inverse;
      for (int j = p + 1; j < ALPHAS; j++) m->A[i][j] -= factor * m->A[p][j];
      T[i][0] -= factor * T[p][0], T[i][1] -= factor * T[p][1];
    }
    T[p][0] *= inverse, T[p][1] *= inverse;
    for (int j = p + 1; j < ALPHAS; j++) m->A[p][j] *= inverse;
  }
  for (int p = ALPHAS - 1; p >= 0; p--)
    for (int c = 0; c < 2; c++) {
      S[p][c] = -T[p][c];
      for (int j = p + 1; j < ALPHAS; j++) S[p][c] -= m->A[p][j] * S[j][c];
    }
  for (int i = 0; i < 2; i++)
    for (int j = 0; j < 2; j++) {
      k[i][j] = m->k0[i][j];
      for (int p = 0; p < ALPHAS; p++) k[i][j] += m->L[i][p] * S[p][j];
    }
}

static void linear_setup(const fw_properties *props, const double *X, fw_split *split, double k[2][2],
                         double S[ALPHAS][2]) {
  modes m;
  fw_split_setup(props, X, split);
  linear_modes(props, fw_plane_modulus(props), split, &m);
  eliminate_modes(&m, k, S);
}

/* Eliminates the alphas from K, last first: the leading DOFS x DOFS part becomes the condensed
 * matrix. False if a pivot vanishes. */
FW_INLINE bool eliminate(double K[SIZE][SIZE]) {
  for (int p = SIZE - 1; p >= DOFS; p--) {
    const double pivot = K[p][p];
    if (!(fabs(pivot) > 0)) return false;
    for (int i = 0; i < p; i++) {
      const double factor = K[i][p] / pivot;
      for (int j = 0; j < p; j++) K[i][j] -= factor * K[p][j];
    }
  }
  return true;
}

/* One Newton step for the alphas with residual r (the last entries of f). */
static bool newton_step(double K[SIZE][SIZE], double *f, double *x, double *step) {
  for (int p = SIZE - 1; p >= DOFS; p--) {
    if (!(fabs(K[p][p]) > 0)) return false;
    for (int i = DOFS; i < p; i++) {
      const double factor = K[i][p] / K[p][p];
      for (int j = DOFS; j < p; j++) K[i][j] -= factor * K[p][j];
      f[i] -= factor * f[p];
    }
  }
  double d[SIZE];
  *step = 0;
  for (int p = DOFS; p < SIZE; p++) {
    d[p] = -f[p];
    for (int j = DOFS; j < p; j++) d[p] -= K[p][j] * d[j];
    d[p] /= K[p][p];
    x[p] += d[p];
    *step = fmax(*step, fabs(d[p]));
  }
  return true;
}

/* Finds the alphas (entries DOFS.. of x) that make the energy stationary for given displacements.
 * The iteration ends with a step so small that the quadratically convergent error it leaves is
 * below rounding. */
static fw_status find_alphas(fw_plane_law law, samples *s, double x[SIZE]) {
  double size = 0;
  for (int i = 0; i < DOFS; i++) size = fmax(size, fabs(x[i]));
  for (int i = DOFS; i < SIZE; i++) x[i] = 0;
  for (int iteration = 0; iteration < ITERATIONS; iteration++) {
    double f[SIZE] = {0}, K[SIZE][SIZE] = {{0}}, step;
    for (int p = 0; p < POINTS; p++)
      if (!fw_plane_finite_add(law, N, ALL, s->g[p], s->w[p], x, f, K[0])) return FW_RECOVER_ELEMENT;
    fw_plane_mirror(SIZE, K[0]);
    if (!newton_step(K, f, x, &step)) return FW_RECOVER_ELEMENT;
    if (step <= 1e-9 * size) return FW_OK;
  }
  return FW_RECOVER_ELEMENT;
}

static fw_status finite_force(const fw_properties *props, const double *X, const double *q, double *f, double *K) {
  const fw_plane_law law = fw_plane_modulus(props);
  samples s;
  double x[SIZE], F[SIZE] = {0}, A[SIZE][SIZE] = {{0}};
  sample(props, X, &s);
  memcpy(x, q, DOFS * sizeof(double));
  FW_TRY(find_alphas(law, &s, x));
  for (int p = 0; p < POINTS; p++)
    if (!fw_plane_finite_add(law, 0, ALL, s.g[p], s.w[p], x, F, K != NULL ? A[0] : NULL)) return FW_RECOVER_ELEMENT;
  memcpy(f, F, DOFS * sizeof(double));
  if (K == NULL) return FW_OK;
  fw_plane_mirror(SIZE, A[0]);
  if (!eliminate(A)) return FW_RECOVER_ELEMENT;
  for (int i = 0; i < DOFS; i++) memcpy(K + i * DOFS, A[i], DOFS * sizeof(double));
  return FW_OK;
}

static fw_status force(const fw_properties *props, const double *X, const double *q, const double *v, double *f,
                       double *K, double *C) {
  (void)v;
  fw_plane_no_damping(N, C);
  if (props->kinematics == FW_TOTAL_LAGRANGIAN) return finite_force(props, X, q, f, K);
  fw_split split;
  double k[2][2], S[ALPHAS][2];
  linear_setup(props, X, &split, k, S);
  fw_split_force(fw_plane_modulus(props), &split, k, q, f, K);
  return FW_OK;
}

/* Displacements and alphas together. Where no alphas are found (a state no analysis accepts) they
 * are left as far as the iteration came. */
static void extend(const fw_properties *props, const double *X, const double *q, samples *s, double x[SIZE]) {
  sample(props, X, s);
  memcpy(x, q, DOFS * sizeof(double));
  if (props->kinematics == FW_TOTAL_LAGRANGIAN) {
    (void)find_alphas(fw_plane_modulus(props), s, x);
    return;
  }
  fw_split split;
  double k[2][2], S[ALPHAS][2], Q[2];
  linear_setup(props, X, &split, k, S);
  fw_split_amplitudes(&split, q, Q);
  for (int p = 0; p < ALPHAS; p++) x[DOFS + p] = S[p][0] * Q[0] + S[p][1] * Q[1];
}

static double energy(const fw_properties *props, const double *X, const double *q) {
  const fw_plane_law law = fw_plane_modulus(props);
  samples s;
  double x[SIZE], H[2][2], e[3], sum = 0;
  extend(props, X, q, &s, x);
  for (int p = 0; p < POINTS; p++) {
    fw_plane_gradient(ALL, s.g[p], x, H);
    if (props->kinematics == FW_TOTAL_LAGRANGIAN)
      fw_plane_green_strain(H, e);
    else
      fw_plane_small_strain(H, e);
    sum += s.w[p] * fw_plane_density(law, e);
  }
  return sum;
}

static void field(const fw_properties *props, const double *X, const double *q, const double *xi, double *out) {
  samples s;
  double x[SIZE], J0[2][2], g[ALL][2], H[2][2];
  extend(props, X, q, &s, x);
  centre_jacobian(X, J0);
  all_gradients(X, J0, xi, g);
  fw_plane_gradient(ALL, g, x, H);
  fw_plane_fields(props, H, out);
}

FW_PLANE_ENTRY(quad4i, FW_SHAPE_QUAD4, N, fw_rule_quad4,
               "bilinear quadrilateral with incompatible modes; bends well, cheap",
               "Wilson et al. 1973; Taylor, Beresford and Wilson 1976; Simo and Armero 1992");
