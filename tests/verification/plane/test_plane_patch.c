/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Patch tests on the distorted mesh of MacNeal and Harder (1985): 0.24 x 0.12, E 1e6, nu 0.25, t 0.001,
 * u = 1e-3 (x + y/2), v = 1e-3 (y + x/2). Plane stress: s_x = s_y = 1333.33, s_xy = 400; plane strain:
 * 1600, 1600, 400. Two forms: the boundary moved, and (generalised) tractions on a body held without
 * redundancy. And the same moved boundary a hundred times as far, total-Lagrangian. */
#include "cmocka_all.h"

#include <float.h>
#include <stdlib.h>

#include "elements/shape.h"
#include "plane_problem.h"

static const double E = 1e6, nu = 0.25;

static fw_mesh *distorted_patch(fw_context *ctx) {
  static const double x[8][2] = {{0, 0},       {0.24, 0},    {0.24, 0.12}, {0, 0.12},
                                 {0.04, 0.02}, {0.18, 0.03}, {0.16, 0.08}, {0.08, 0.08}};
  static const int quads[5][4] = {{0, 1, 5, 4}, {1, 2, 6, 5}, {2, 3, 7, 6}, {3, 0, 4, 7}, {4, 5, 6, 7}};
  static const char *const sides[4] = {"bottom", "right", "top", "left"};
  fw_mesh *mesh = NULL;
  assert_int_equal(fw_mesh_create(ctx, &mesh), FW_OK);
  for (int i = 0; i < 8; i++) assert_int_equal(fw_mesh_add_node(ctx, mesh, x[i][0], x[i][1], NULL), FW_OK);
  for (int e = 0; e < 5; e++) assert_int_equal(fw_mesh_add_element(ctx, mesh, FW_SHAPE_QUAD4, quads[e], NULL), FW_OK);
  for (int k = 0; k < 4; k++) {
    fw_mesh_set *set;
    assert_int_equal(fw_mesh_set_open(ctx, mesh, sides[k], FW_SET_EDGES, &set), FW_OK);
    assert_int_equal(fw_mesh_set_add(ctx, set, k, 0), FW_OK);
  }
  return mesh;
}

static void field(double scale, const double x[2], double u[2]) {
  u[0] = scale * (x[0] + 0.5 * x[1]), u[1] = scale * (x[1] + 0.5 * x[0]);
}

/* Largest relative difference of displacements and of stresses, at integration points and nodes. */
static double worst_difference(const plane_problem *p, double scale, const double stress[3], double offset[3]) {
  double worst = 0, X[16], q[16], out[6], u[2], xi[2];
  const double size = scale * 0.3, level = fmax(fabs(stress[0]), fabs(stress[2]));
  for (int i = 0; i < p->mesh->node_count; i++) {
    const double *x = p->mesh->x[i];
    field(scale, x, u);
    const double rigid[2] = {offset[0] - offset[2] * x[1], offset[1] + offset[2] * x[0]};
    for (int k = 0; k < 2; k++) worst = fmax(worst, fabs(p->u[2 * i + k] - u[k] - rigid[k]) / size);
  }
  for (int e = 0; e < p->mesh->element_count; e++) {
    plane_problem_element(p, e, X, q);
    for (int k = 0; k < p->ops->nodes + p->ops->points->count; k++) {
      if (k < p->ops->nodes)
        fw_shape_node_place(p->ops->shape, k, xi);
      else
        xi[0] = p->ops->points->point[k - p->ops->nodes][0], xi[1] = p->ops->points->point[k - p->ops->nodes][1];
      p->ops->field(&p->props, X, q, xi, out);
      for (int i = 0; i < 3; i++) worst = fmax(worst, fabs(out[i] - stress[i]) / level);
    }
  }
  return worst;
}

static bool on_boundary(const double x[2]) {
  return x[0] == 0 || x[1] == 0 || fabs(x[0] - 0.24) < 1e-12 || fabs(x[1] - 0.12) < 1e-12;
}

static void hold_boundary(plane_problem *p, double scale) {
  for (int i = 0; i < p->mesh->node_count; i++) {
    double u[2];
    if (!on_boundary(p->mesh->x[i])) continue;
    field(scale, p->mesh->x[i], u);
    plane_problem_hold(p, i, 0, u[0]);
    plane_problem_hold(p, i, 1, u[1]);
  }
}

static double moved_boundary(fw_context *ctx, const char *element, fw_properties props, double scale,
                             const double stress[3]) {
  plane_problem p;
  plane_problem_create(&p, ctx, distorted_patch(ctx), element, props);
  hold_boundary(&p, scale);
  plane_problem_solve(&p);
  const double worst = worst_difference(&p, scale, stress, (double[3]){0, 0, 0});
  plane_problem_destroy(&p);
  return worst;
}

/* Held at (0, 0) and against turning at (0.24, 0), whose v the field does not prescribe: the answer
 * may differ from the field by a small rotation. */
static double tractions(fw_context *ctx, const char *element, fw_properties props, const double s[3]) {
  plane_problem p;
  plane_problem_create(&p, ctx, distorted_patch(ctx), element, props);
  const int origin = plane_problem_node(&p, 0, 0), corner = plane_problem_node(&p, 0.24, 0);
  plane_problem_hold(&p, origin, 0, 0);
  plane_problem_hold(&p, origin, 1, 0);
  plane_problem_hold(&p, corner, 1, 0);
  plane_problem_traction(&p, "bottom", -s[2], -s[1], 0);
  plane_problem_traction(&p, "right", s[0], s[2], 0);
  plane_problem_traction(&p, "top", s[2], s[1], 0);
  plane_problem_traction(&p, "left", -s[0], -s[2], 0);
  plane_problem_solve(&p);
  const double worst = worst_difference(&p, 1e-3, s, (double[3]){0, 0, -0.5e-3});
  plane_problem_destroy(&p);
  return worst;
}

/* Cauchy stress of the homogeneous deformation F = 1 + scale [1, 1/2; 1/2, 1], worked out here: with
 * S = D E it is F S F^T / J, J with the thickness change in plane stress. */
static void finite_stress(bool strain, double scale, double s[3]) {
  const double a = 1 + scale, b = 0.5 * scale; /* F = [a b; b a] */
  const double e = 0.5 * (a * a + b * b - 1), g = 2 * a * b;
  const double c = strain ? E / ((1 + nu) * (1 - 2 * nu)) : E / (1 - nu * nu);
  const double S = strain ? c * (1 - nu + nu) * e : c * (1 + nu) * e, T = 0.5 * E / (1 + nu) * g;
  const double thickness = strain ? 1 : sqrt(1 - 2 * nu / (1 - nu) * 2 * e), J = (a * a - b * b) * thickness;
  s[0] = s[1] = (S * (a * a + b * b) + 2 * T * a * b) / J;
  s[2] = (2 * S * a * b + T * (a * a + b * b)) / J;
}

static void every_element_passes_the_patch_tests(void **unused) {
  (void)unused;
  fw_context *ctx;
  const double tolerance = 2e-13; /* the condition of the patch times rounding */
  assert_int_equal(fw_context_create(&ctx), FW_OK);
  print_message("patch tests: largest relative difference of displacement and stress (tolerance %.0e)\n", tolerance);
  print_message("element  state          boundary   tractions  total-Lagrangian\n");
  for (int k = 0; k < PLANE_ELEMENTS; k++)
    for (int strain = 0; strain < 2; strain++) {
      fw_properties props = {.E = E, .nu = nu, .thickness = 0.001, .plane_strain = strain};
      const double direct = strain ? 1600 : 4000.0 / 3, s[3] = {direct, direct, 400};
      const double first = moved_boundary(ctx, plane_names[k], props, 1e-3, s);
      const double second = tractions(ctx, plane_names[k], props, s);
      double finite[3];
      props.kinematics = FW_TOTAL_LAGRANGIAN;
      finite_stress(strain, 0.1, finite);
      const double third = moved_boundary(ctx, plane_names[k], props, 0.1, finite);
      print_message("%-8s %-13s  %.1e    %.1e    %.1e\n", plane_names[k], strain ? "plane strain" : "plane stress",
                    first, second, third);
      assert_true(first < tolerance && second < tolerance && third < tolerance);
    }
  fw_context_destroy(&ctx);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(every_element_passes_the_patch_tests)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
