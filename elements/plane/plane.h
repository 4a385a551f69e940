/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Displacement-based plane elements: everything follows from a shape and a rule. An entry is one
 * line, FW_PLANE_ELEMENT; elements with more to say (quad4r, quad4i) use the parts. */
#ifndef FW_ELEMENTS_PLANE_PLANE_H
#define FW_ELEMENTS_PLANE_PLANE_H

#include "elements/element.h"
#include "elements/plane/kernel.h"

/* Output of every plane element: Cauchy stress and strain (Green's if total Lagrangian). */
enum { FW_PLANE_FIELDS = 6 };
extern const char *const fw_plane_field_names[];

/* Kinematics every plane element offers. */
enum { FW_PLANE_KINEMATICS = 1u << FW_LINEAR | 1u << FW_TOTAL_LAGRANGIAN };

/* NULL, or why the material constants or the geometry cannot be used: the map must be one to one at
 * corners, middles and integration points. */
const char *fw_plane_check_shape(fw_shape shape, const double *X); /* the geometry alone */
const char *fw_plane_check(fw_shape shape, const fw_properties *props, const double *X);

/* Consistent mass, or lumped by Hinton, Rock and Zienkiewicz: the diagonal of the consistent one
 * scaled to the element's mass, positive for every shape. */
void fw_plane_mass(fw_shape shape, const fw_properties *props, const double *X, double *M);

void fw_plane_interpolate(fw_shape shape, const double *xi, double *weights);

/* The six fields of a displacement gradient. */
void fw_plane_fields(const fw_properties *props, double H[2][2], double *out);

FW_INLINE fw_status fw_plane_force(fw_shape shape, int n, const fw_rule *rule, const fw_properties *props,
                                   const double *X, const double *q, double *f, double *K) {
  const fw_plane_law law = fw_plane_modulus(props);
  const bool finite = props->kinematics == FW_TOTAL_LAGRANGIAN;
  double g[FW_PLANE_NODES][2], e[3], s[3], H[2][2];
  fw_gauss_samples samples;
  samples.count = rule->count;
  fw_plane_clear(2 * n, f);
  if (K != NULL && finite) fw_plane_clear(4 * n * n, K);
  for (int p = 0; p < rule->count; p++) {
    const double det = fw_shape_space_gradients(shape, n, X, rule->point[p], g);
    const double w = det * rule->point[p][2] * props->thickness;
    if (finite) {
      if (!fw_plane_finite_add(law, 0, n, g, w, q, f, K)) return FW_RECOVER_ELEMENT;
    } else if (K != NULL) {
      for (int a = 0; a < n; a++) samples.x[p][a] = g[a][0], samples.y[p][a] = g[a][1];
      samples.w[p] = w;
    } else {
      fw_plane_gradient(n, g, q, H);
      fw_plane_small_strain(H, e);
      fw_plane_stress(law, e, s);
      fw_plane_force_add(n, g, w, s, f);
    }
  }
  if (K == NULL) return FW_OK;
  if (finite) {
    fw_plane_mirror(2 * n, K);
  } else {
    fw_plane_stiffness(law, n, &samples, K);
    fw_plane_multiply(2 * n, K, q, f);
  }
  return FW_OK;
}

FW_INLINE double fw_plane_energy(fw_shape shape, int n, const fw_rule *rule, const fw_properties *props,
                                 const double *X, const double *q) {
  const fw_plane_law law = fw_plane_modulus(props);
  double g[FW_PLANE_NODES][2], e[3], H[2][2], sum = 0;
  for (int p = 0; p < rule->count; p++) {
    const double det = fw_shape_space_gradients(shape, n, X, rule->point[p], g);
    fw_plane_gradient(n, g, q, H);
    if (props->kinematics == FW_TOTAL_LAGRANGIAN)
      fw_plane_green_strain(H, e);
    else
      fw_plane_small_strain(H, e);
    sum += det * rule->point[p][2] * fw_plane_density(law, e);
  }
  return props->thickness * sum;
}

/* A plane element has no damping of its own. */
FW_INLINE void fw_plane_no_damping(int n, double *C) {
  if (C != NULL) fw_plane_clear(4 * n * n, C);
}

/* The functions that depend on the shape alone. */
#define FW_PLANE_COMMON(SHAPE)                                                                                      \
  static const char *check(const fw_properties *props, const double *X) { return fw_plane_check(SHAPE, props, X); } \
  static void mass(const fw_properties *props, const double *X, double *M) { fw_plane_mass(SHAPE, props, X, M); }   \
  static void interpolate(const fw_properties *props, const double *X, const double *xi, double *weights) {         \
    (void)props, (void)X;                                                                                           \
    fw_plane_interpolate(SHAPE, xi, weights);                                                                       \
  }

/* The table entry made of the functions above and force, energy and field. */
#define FW_PLANE_ENTRY(NAME, SHAPE, N, POINTS, SUMMARY, SOURCE)                       \
  const fw_element_ops fw_element_##NAME = {                                          \
      .entry = {.name = #NAME, .summary = SUMMARY, .equation = "", .source = SOURCE}, \
      .shape = SHAPE,                                                                 \
      .nodes = N,                                                                     \
      .kinematics = FW_PLANE_KINEMATICS,                                              \
      .check = check,                                                                 \
      .force = force,                                                                 \
      .mass = mass,                                                                   \
      .energy = energy,                                                               \
      .interpolate = interpolate,                                                     \
      .fields = FW_PLANE_FIELDS,                                                      \
      .field_names = fw_plane_field_names,                                            \
      .field = field,                                                                 \
      .points = &(POINTS),                                                            \
  }

/* Stress and strain of the displacements alone. */
#define FW_PLANE_FIELD(SHAPE, N)                                                                                   \
  static void field(const fw_properties *props, const double *X, const double *q, const double *xi, double *out) { \
    double g[FW_PLANE_NODES][2], H[2][2];                                                                          \
    fw_shape_space_gradients(SHAPE, N, X, xi, g);                                                                  \
    fw_plane_gradient(N, g, q, H);                                                                                 \
    fw_plane_fields(props, H, out);                                                                                \
  }

/* A whole displacement-based element: integrated by RULE, fields best at POINTS. */
#define FW_PLANE_ELEMENT(NAME, SHAPE, N, RULE, POINTS, SUMMARY, SOURCE)                                            \
  FW_PLANE_COMMON(SHAPE)                                                                                           \
  FW_PLANE_FIELD(SHAPE, N)                                                                                         \
  static fw_status force(const fw_properties *props, const double *X, const double *q, const double *v, double *f, \
                         double *K, double *C) {                                                                   \
    (void)v;                                                                                                       \
    fw_plane_no_damping(N, C);                                                                                     \
    return fw_plane_force(SHAPE, N, &(RULE), props, X, q, f, K);                                                   \
  }                                                                                                                \
  static double energy(const fw_properties *props, const double *X, const double *q) {                             \
    return fw_plane_energy(SHAPE, N, &(RULE), props, X, q);                                                        \
  }                                                                                                                \
  FW_PLANE_ENTRY(NAME, SHAPE, N, POINTS, SUMMARY, SOURCE)

/* Consistent nodal forces of distributed loads on plane elements, in the reference configuration
 * (dead loads). f has 2 entries a node and is added to. */

/* Force per area along an edge (numbered as in fw_shape_edge): traction t in space axes, and pressure
 * p against the outward normal. */
void fw_plane_edge_force(fw_shape shape, const fw_properties *props, const double *X, int edge, const double t[2],
                         double p, double *f);

#endif
