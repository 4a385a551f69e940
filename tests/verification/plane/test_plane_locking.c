/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Thick cylinder under internal pressure, plane strain, nearly incompressible. Lamé:
 * u(a) = (1 + nu) p a^2/(E (b^2 - a^2)) ((1 - 2 nu) a + b^2/a). */
#include "cmocka_all.h"

#include <string.h>

#include "input/mesh/generate.h"
#include "plane_problem.h"

static const double inner = 3, outer = 9, young = 1000;

static double inner_displacement(fw_context *ctx, const char *element, double nu, int nr, int nt) {
  fw_mesh *mesh = NULL;
  plane_problem p;
  const fw_mesh_block block = {.corner = {{inner, 0}, {outer, 0}, {0, outer}, {0, inner}},
                               .side = {{.grading = 3, .set = "bottom"},
                                        {.arc = true},
                                        {.grading = 3, .set = "top"},
                                        {.arc = true, .set = "inside"}},
                               .divisions = {nr, nt}};
  assert_int_equal(fw_mesh_create(ctx, &mesh), FW_OK);
  assert_int_equal(fw_mesh_add_block(ctx, mesh, &block), FW_OK);
  plane_problem_create(&p, ctx, mesh, element,
                       (fw_properties){.E = young, .nu = nu, .thickness = 1, .plane_strain = true});
  plane_problem_hold_set(&p, "bottom", 1, 0);
  plane_problem_hold_set(&p, "top", 0, 0);
  plane_problem_traction(&p, "inside", 0, 0, 1);
  plane_problem_solve(&p);
  const double u = p.u[2 * plane_problem_node(&p, inner, 0)];
  plane_problem_destroy(&p);
  return u;
}

static void thick_cylinder(void **state) {
  fw_context *ctx = *state;
  const double ratios[] = {0.3, 0.49, 0.499, 0.4999};
  enum { RATIOS = sizeof ratios / sizeof *ratios };
  print_message("thick cylinder, plane strain, 6 x 12 elements: displacement of the bore over Lamé's\nelement ");
  for (int i = 0; i < RATIOS; i++) print_message("  nu %-6g", ratios[i]);
  print_message("\n");
  for (int k = 0; k < PLANE_ELEMENTS; k++) {
    const char *name = plane_names[k];
    double value[RATIOS];
    print_message("%-8s", name);
    for (int i = 0; i < RATIOS; i++) {
      const double nu = ratios[i];
      const double exact = (1 + nu) * inner * inner / (young * (outer * outer - inner * inner)) *
                           ((1 - 2 * nu) * inner + outer * outer / inner);
      value[i] = inner_displacement(ctx, name, nu, 6, 12) / exact;
      print_message("  %9.4f", value[i]);
    }
    const bool locks = value[RATIOS - 1] < 0.95 * value[0];
    print_message("  %s\n", locks ? "locks" : "");
    assert_int_equal(locks, strcmp(name, "tri3") == 0 || strcmp(name, "quad4") == 0 || strcmp(name, "quad8") == 0);
    if (locks) continue;
    for (int i = 0; i < RATIOS; i++) assert_near(value[i], 1, 0.02);
  }
}

static int begin(void **state) { return fw_context_create((fw_context **)state); }
static int end(void **state) {
  fw_context_destroy((fw_context **)state);
  return 0;
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(thick_cylinder)};
  return cmocka_run_group_tests(tests, begin, end);
}
