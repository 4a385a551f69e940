/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Bending: the slender beam of MacNeal and Harder (1985) on three meshes, and Cook's membrane. */
#include "cmocka_all.h"

#include <string.h>

#include "input/mesh/generate.h"
#include "plane_problem.h"

/* Offset of the node lines at bottom and top of the 6 x 1 mesh, alternating for the trapezoids: edges
 * at 45 degrees. */
static fw_mesh *slender(fw_context *ctx, int kind) {
  fw_mesh *mesh = NULL;
  assert_int_equal(fw_mesh_create(ctx, &mesh), FW_OK);
  assert_int_equal(
      fw_mesh_add_rectangle(ctx, mesh, (double[]){0, 0}, (double[]){6, 0.2}, (int[]){6, 1}, (double[]){1, 1}), FW_OK);
  for (int i = 1; i < 6 && kind > 0; i++) {
    const double shift = kind == 1 && i % 2 == 0 ? -0.1 : 0.1;
    mesh->x[i][0] -= shift;
    mesh->x[7 + i][0] += shift;
  }
  return mesh;
}

static double slender_deflection(fw_context *ctx, const char *element, int kind) {
  plane_problem p;
  plane_problem_create(&p, ctx, slender(ctx, kind), element, (fw_properties){.E = 1e7, .nu = 0.3, .thickness = 0.1});
  plane_problem_hold_set(&p, "left", 0, 0);
  plane_problem_hold_set(&p, "left", 1, 0);
  plane_problem_traction(&p, "right", 0, 1 / (0.2 * 0.1), 0);
  plane_problem_solve(&p);
  const int low = plane_problem_node(&p, 6, 0), high = plane_problem_node(&p, 6, 0.2);
  const double v = 0.5 * (p.u[2 * low + 1] + p.u[2 * high + 1]);
  plane_problem_destroy(&p);
  return v;
}

static void slender_beam(void **state) {
  fw_context *ctx = *state;
  const double reference = 0.1081;
  double ratio[PLANE_ELEMENTS][3];
  print_message("slender beam, tip shear: deflection over the reference 0.1081 (* locks: below 0.9)\n");
  print_message("element  rectangles  trapezoids  parallelograms\n");
  for (int k = 0; k < PLANE_ELEMENTS; k++) {
    print_message("%-8s", plane_names[k]);
    for (int kind = 0; kind < 3; kind++) {
      ratio[k][kind] = slender_deflection(ctx, plane_names[k], kind) / reference;
      print_message("  %8.4f%s ", ratio[k][kind], ratio[k][kind] < 0.9 ? "*" : " ");
    }
    print_message("\n");
  }
  for (int k = 0; k < PLANE_ELEMENTS; k++) {
    const char *name = plane_names[k];
    const bool locks = strcmp(name, "tri3") == 0 || strcmp(name, "quad4") == 0;
    const bool bends = strcmp(name, "quad4i") == 0 || strcmp(name, "quad8r") == 0 || strcmp(name, "quad4r") == 0;
    if (locks) assert_true(ratio[k][0] < 0.2);
    if (bends) assert_true(ratio[k][0] > 0.98 && ratio[k][0] < 1.01);
    if (strcmp(name, "quad8r") == 0) assert_true(ratio[k][1] > 0.96 && ratio[k][2] > 0.99);
  }
}

static double cook(fw_context *ctx, const char *element, int n) {
  fw_mesh *mesh = NULL;
  plane_problem p;
  const fw_mesh_block block = {.corner = {{0, 0}, {48, 44}, {48, 60}, {0, 44}},
                               .side = {{0}, {.set = "right"}, {0}, {.set = "left"}},
                               .divisions = {n, n}};
  assert_int_equal(fw_mesh_create(ctx, &mesh), FW_OK);
  assert_int_equal(fw_mesh_add_block(ctx, mesh, &block), FW_OK);
  plane_problem_create(&p, ctx, mesh, element, (fw_properties){.E = 1, .nu = 1.0 / 3, .thickness = 1});
  plane_problem_hold_set(&p, "left", 0, 0);
  plane_problem_hold_set(&p, "left", 1, 0);
  plane_problem_traction(&p, "right", 0, 1.0 / 16, 0);
  plane_problem_solve(&p);
  const double v = p.u[2 * plane_problem_node(&p, 48, 52) + 1];
  plane_problem_destroy(&p);
  return v;
}

static void cooks_membrane(void **state) {
  fw_context *ctx = *state;
  const double reference = 23.967;
  const int sizes[] = {2, 4, 8, 16, 32};
  enum { SIZES = sizeof sizes / sizeof *sizes };
  print_message("Cook's membrane, deflection at (48, 52), reference %.3f; difference at the finest\nelement ",
                reference);
  for (int i = 0; i < SIZES; i++) print_message(" %5dx%-3d", sizes[i], sizes[i]);
  print_message("\n");
  for (int k = 0; k < PLANE_ELEMENTS; k++) {
    double v[SIZES];
    print_message("%-8s", plane_names[k]);
    for (int i = 0; i < SIZES; i++) print_message(" %9.4f", v[i] = cook(ctx, plane_names[k], sizes[i]));
    const double last = v[SIZES - 1] / reference - 1;
    print_message("  %+.2f %%\n", 100 * last);
    for (int i = 1; i < SIZES; i++) /* each refinement at least halves the error, down to the digits of the reference */
      assert_true(fabs(v[i] - reference) < fmax(0.55 * fabs(v[i - 1] - reference), 3e-4 * reference));
    const bool locks = strcmp(plane_names[k], "tri3") == 0 || strcmp(plane_names[k], "quad4") == 0;
    const bool linear = strncmp(plane_names[k], "quad4", 5) == 0;
    assert_true(fabs(last) < (locks ? 0.0065 : linear ? 0.0025 : 0.001));
  }
}

static int begin(void **state) { return fw_context_create((fw_context **)state); }
static int end(void **state) {
  fw_context_destroy((fw_context **)state);
  return 0;
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(slender_beam), cmocka_unit_test(cooks_membrane)};
  return cmocka_run_group_tests(tests, begin, end);
}
