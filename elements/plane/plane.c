/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "elements/plane/plane.h"

#include <math.h>

#include "elements/plane/kernel.h"

const char *const fw_plane_field_names[] = {"s_x", "s_y", "s_xy", "e_x", "e_y", "g_xy", NULL};

/* Rule that integrates the mass exactly (on straight-sided elements). */
static const fw_rule *mass_rule(fw_shape shape) {
  switch (shape) {
    case FW_SHAPE_TRI3:
      return &fw_rule_tri3;
    case FW_SHAPE_TRI6:
      return &fw_rule_tri6;
    case FW_SHAPE_QUAD4:
      return &fw_rule_quad4;
    default:
      return &fw_rule_quad9;
  }
}

static const char *check_material(const fw_properties *props) {
  if (!(props->E > 0)) return "E must be positive";
  if (!(props->nu > -1 && props->nu <= 0.5)) return "nu must be in -1..0.5";
  if (props->plane_strain && props->nu == 0.5) return "plane strain needs nu below 0.5";
  if (!(props->thickness > 0)) return "the thickness must be positive";
  return NULL;
}

static double determinant(fw_shape shape, const double *X, const double *xi) {
  double d[FW_PLANE_NODES][2], J[2][2];
  fw_shape_gradients(shape, xi, d);
  return fw_shape_jacobian(fw_shape_nodes(shape), X, d, J);
}

const char *fw_plane_check_shape(fw_shape shape, const double *X) {
  const int n = fw_shape_nodes(shape);
  double size = 0; /* square of the largest extent */
  for (int i = 0; i < 2 * n; i++) {
    if (!isfinite(X[i])) return "a coordinate is not finite";
    size = fmax(size, (X[i] - X[i % 2]) * (X[i] - X[i % 2]));
  }
  const fw_rule *rule = mass_rule(shape);
  int negative = 0, zero = 0;
  for (int k = 0; k < n + rule->count; k++) {
    double xi[2] = {0};
    if (k < n)
      fw_shape_node_place(shape, k, xi);
    else
      xi[0] = rule->point[k - n][0], xi[1] = rule->point[k - n][1];
    const double det = determinant(shape, X, xi);
    if (fabs(det) <= 1e-10 * size)
      zero++;
    else if (det < 0)
      negative++;
  }
  if (negative == n + rule->count) return "the nodes run clockwise";
  if (negative > 0) return "the element is folded over itself (a corner beyond 180 degrees or a middle node astray)";
  if (zero > 0) return "the element is degenerate (no area, or a corner of 180 degrees)";
  return NULL;
}

const char *fw_plane_check(fw_shape shape, const fw_properties *props, const double *X) {
  const char *wrong = check_material(props);
  return wrong != NULL ? wrong : fw_plane_check_shape(shape, X);
}

void fw_plane_mass(fw_shape shape, const fw_properties *props, const double *X, double *M) {
  const fw_rule *rule = mass_rule(shape);
  const int n = fw_shape_nodes(shape), size = 2 * n;
  double m[FW_PLANE_NODES][FW_PLANE_NODES] = {{0}}, total = 0, trace = 0;
  for (int p = 0; p < rule->count; p++) {
    double N[FW_PLANE_NODES];
    fw_shape_values(shape, rule->point[p], N);
    const double w = determinant(shape, X, rule->point[p]) * rule->point[p][2] * props->thickness * props->rho;
    total += w;
    for (int a = 0; a < n; a++)
      for (int b = 0; b < n; b++) m[a][b] += w * N[a] * N[b];
  }
  for (int a = 0; a < n; a++) trace += m[a][a];
  for (int i = 0; i < size * size; i++) M[i] = 0;
  for (int a = 0; a < n; a++)
    for (int b = 0; b < n; b++) {
      double value = m[a][b];
      if (props->lumped) value = a == b && trace > 0 ? m[a][a] * total / trace : 0;
      M[2 * a * size + 2 * b] = M[(2 * a + 1) * size + 2 * b + 1] = value;
    }
}

void fw_plane_interpolate(fw_shape shape, const double *xi, double *weights) {
  const int n = fw_shape_nodes(shape);
  double N[FW_PLANE_NODES];
  fw_shape_values(shape, xi, N);
  for (int a = 0; a < n; a++) {
    weights[2 * a] = weights[2 * n + 2 * a + 1] = N[a];
    weights[2 * a + 1] = weights[2 * n + 2 * a] = 0;
  }
}

/* Cauchy stress F S F^T / det F from the second Piola-Kirchhoff stress S. In plane stress the
 * thickness follows from E_33 = -nu/(1-nu) (E_11 + E_22). */
static void push_forward(const fw_properties *props, double H[2][2], const double e[3], double s[3]) {
  const double F[2][2] = {{1 + H[0][0], H[0][1]}, {H[1][0], 1 + H[1][1]}};
  double det = F[0][0] * F[1][1] - F[0][1] * F[1][0];
  if (!props->plane_strain) det *= sqrt(fmax(0, 1 - 2 * props->nu / (1 - props->nu) * (e[0] + e[1])));
  const double S[2][2] = {{s[0], s[2]}, {s[2], s[1]}};
  double c[2][2] = {{0}};
  for (int i = 0; i < 2; i++)
    for (int j = 0; j < 2; j++)
      for (int k = 0; k < 2; k++)
        for (int l = 0; l < 2; l++) c[i][j] += F[i][k] * S[k][l] * F[j][l] / det;
  s[0] = c[0][0], s[1] = c[1][1], s[2] = c[0][1];
}

void fw_plane_fields(const fw_properties *props, double H[2][2], double *out) {
  const bool finite = props->kinematics == FW_TOTAL_LAGRANGIAN;
  double *stress = out, *strain = out + 3;
  if (finite)
    fw_plane_green_strain(H, strain);
  else
    fw_plane_small_strain(H, strain);
  fw_plane_stress(fw_plane_modulus(props), strain, stress);
  if (finite) push_forward(props, H, strain, stress);
}

/* ---- distributed loads ------------------------------------------------------------------- */

/* Values and derivatives along an edge of its two ends and, if it has one, its middle. */
static void edge_functions(bool quadratic, double s, double N[3], double d[3]) {
  N[0] = quadratic ? 0.5 * s * (s - 1) : 0.5 * (1 - s), d[0] = quadratic ? s - 0.5 : -0.5;
  N[1] = quadratic ? 0.5 * s * (s + 1) : 0.5 * (1 + s), d[1] = quadratic ? s + 0.5 : 0.5;
  N[2] = quadratic ? 1 - s * s : 0, d[2] = quadratic ? -2 * s : 0;
}

void fw_plane_edge_force(fw_shape shape, const fw_properties *props, const double *X, int edge, const double t[2],
                         double p, double *f) {
  static const double gauss[3][2] = {
      {-0.774596669241483377036, 5.0 / 9}, {0, 8.0 / 9}, {0.774596669241483377036, 5.0 / 9}};
  int nodes[3];
  fw_shape_edge(shape, edge, nodes);
  const int n = nodes[2] < 0 ? 2 : 3;
  for (int k = 0; k < 3; k++) {
    double N[3], d[3], dx = 0, dy = 0;
    edge_functions(n == 3, gauss[k][0], N, d);
    for (int a = 0; a < n; a++) dx += d[a] * X[2 * nodes[a]], dy += d[a] * X[2 * nodes[a] + 1];
    const double w = gauss[k][1] * props->thickness, length = hypot(dx, dy);
    for (int a = 0; a < n; a++) { /* outward normal times length: (dy, -dx) */
      f[2 * nodes[a]] += w * N[a] * (t[0] * length - p * dy);
      f[2 * nodes[a] + 1] += w * N[a] * (t[1] * length + p * dx);
    }
  }
}
