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

#include "elements/plane/plane.h"

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

/* Eliminates the alphas from K, last first: the leading DOFS x DOFS part becomes the condensed
 * matrix, and row p < SIZE keeps the equation sum_{j<=p} K_pj x_j = 0 that gives x_p. False if a
 * pivot vanishes. */
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

static void linear_matrix(const fw_properties *props, const double *X, double K[SIZE][SIZE]) {
  samples s;
  fw_products products;
  sample(props, X, &s);
  fw_products_clear(ALL, &products);
  for (int p = 0; p < POINTS; p++) fw_products_add(ALL, s.g[p], s.w[p], &products);
  fw_products_stiffness(fw_plane_modulus(props), ALL, &products, K[0]);
  eliminate(K);
}

static fw_status linear_force(const fw_properties *props, const double *X, const double *q, double *f, double *K) {
  double A[SIZE][SIZE];
  linear_matrix(props, X, A);
  for (int i = 0; i < DOFS; i++) {
    f[i] = 0;
    for (int j = 0; j < DOFS; j++) f[i] += A[i][j] * q[j];
    if (K != NULL) memcpy(K + i * DOFS, A[i], DOFS * sizeof(double));
  }
  return FW_OK;
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
  return props->kinematics == FW_TOTAL_LAGRANGIAN ? finite_force(props, X, q, f, K) : linear_force(props, X, q, f, K);
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
  double K[SIZE][SIZE];
  linear_matrix(props, X, K);
  for (int p = DOFS; p < SIZE; p++) {
    double sum = 0;
    for (int j = 0; j < p; j++) sum += K[p][j] * x[j];
    x[p] = -sum / K[p][p];
  }
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

FW_PLANE_ENTRY(quad4i, FW_SHAPE_QUAD4, N, "bilinear quadrilateral with incompatible modes; bends well, cheap",
               "Wilson et al. 1973; Taylor, Beresford and Wilson 1976; Simo and Armero 1992");
