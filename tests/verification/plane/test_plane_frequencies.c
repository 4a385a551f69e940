/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The rig's beam (606 x 4.76 mm, 38.88 mm wide, steel) as a plane-stress body: natural frequencies against
 * beam theory with three end conditions, and with the half cylinder under its end held at the lowest point. */
#include "cmocka_all.h"

#include <string.h>

#include "input/mesh/edit.h"
#include "input/mesh/generate.h"
#include "plane_problem.h"

static const double length = 0.606, depth = 0.00476, radius = 0.005;
static const fw_properties steel = {.E = 210e9, .nu = 0.3, .rho = 7800, .thickness = 0.03888};

static void add_beam(fw_context *ctx, fw_mesh *mesh, double from, double to, int nx, int ny) {
  assert_int_equal(fw_mesh_add_rectangle(ctx, mesh, (double[]){from, -depth / 2}, (double[]){to, depth / 2},
                                         (int[]){nx, ny}, (double[]){1, 1}),
                   FW_OK);
}

typedef enum ending { FREE, PINNED, CLAMPED, ENDINGS } ending;
static const char *const ending_names[] = {"cantilever", "clamped-pinned", "clamped-clamped"};

/* Pinned: y held at the middle of the end face. Clamped ends are free to contract across the depth, as
 * a beam's are. */
static double bare_beam(fw_context *ctx, const char *element, int nx, int ny, ending end, bool lumped) {
  fw_mesh *mesh = NULL;
  plane_problem p;
  double hertz;
  fw_properties props = steel;
  props.lumped = lumped;
  assert_int_equal(fw_mesh_create(ctx, &mesh), FW_OK);
  add_beam(ctx, mesh, 0, length, nx, ny);
  plane_problem_create(&p, ctx, mesh, element, props);
  plane_problem_hold_set(&p, "left", 0, 0);
  plane_problem_hold(&p, plane_problem_node(&p, 0, 0), 1, 0);
  if (end == CLAMPED) plane_problem_hold_set(&p, "right", 0, 0);
  if (end != FREE) plane_problem_hold(&p, plane_problem_node(&p, length, 0), 1, 0);
  plane_problem_frequencies(&p, 1, &hertz);
  plane_problem_destroy(&p);
  return hertz;
}

static double euler_bernoulli(ending end) {
  static const double beta[] = {1.875104068711961, 3.926602312047919, 4.730040744862704};
  return beta[end] * beta[end] / (2 * M_PI * length * length) * sqrt(steel.E * depth * depth / 12 / steel.rho);
}

static void bare_beam_meets_beam_theory(void **state) {
  fw_context *ctx = *state;
  print_message("bare beam, quad4i, first frequency (Hz) against Euler-Bernoulli\n");
  print_message("%-16s %9s %9s %9s %9s %10s\n", "ends", "60x2", "120x2", "240x4", "theory", "difference");
  for (int end = 0; end < ENDINGS; end++) {
    const double coarse = bare_beam(ctx, "quad4i", 60, 2, (ending)end, false);
    const double middle = bare_beam(ctx, "quad4i", 120, 2, (ending)end, false);
    const double fine = bare_beam(ctx, "quad4i", 240, 4, (ending)end, false), theory = euler_bernoulli((ending)end);
    print_message("%-16s %9.4f %9.4f %9.4f %9.4f %+9.3f %%\n", ending_names[end], coarse, middle, fine, theory,
                  100 * (fine / theory - 1));
    assert_near(fine / theory, 1, 0.002);
  }
}

/* The published study's question: which element, at the same mesh, gives the first frequency. */
static void elements_compared(void **state) {
  fw_context *ctx = *state;
  const int sizes[][2] = {{30, 2}, {60, 2}, {120, 4}};
  const double theory = euler_bernoulli(FREE);
  print_message("cantilever, first frequency over theory: consistent mass, lumped mass\nelement ");
  for (int i = 0; i < 3; i++) print_message("      %3dx%d       ", sizes[i][0], sizes[i][1]);
  print_message("\n");
  for (int k = 0; k < PLANE_ELEMENTS; k++) {
    const char *name = plane_names[k];
    double ratio = 0, lumped = 0;
    print_message("%-8s", name);
    for (int i = 0; i < 3; i++) {
      ratio = bare_beam(ctx, name, sizes[i][0], sizes[i][1], FREE, false) / theory;
      lumped = bare_beam(ctx, name, sizes[i][0], sizes[i][1], FREE, true) / theory;
      print_message("  %8.4f %8.4f", ratio, lumped);
    }
    print_message("\n");
    const bool locks = strcmp(name, "tri3") == 0 || strcmp(name, "quad4") == 0;
    if (locks) assert_true(ratio > 1.02);
    if (!locks) assert_near(ratio, 1, 0.002), assert_near(lumped, 1, 0.002);
  }
}

/* The beam reaches to the far end of the half cylinder under it, whose lowest point is held. */
static double footed_beam(fw_context *ctx, int n, bool hold_x) {
  fw_mesh *mesh = NULL;
  plane_problem p;
  double hertz;
  fw_mesh_quarter quarter = {
      .centre = {length, -depth / 2}, .radius = radius, .angle = -M_PI / 2, .divisions = {n, n}, .grading = 4};
  assert_int_equal(fw_mesh_create(ctx, &mesh), FW_OK);
  add_beam(ctx, mesh, 0, length - radius, 60 * n, 2 * n);
  add_beam(ctx, mesh, length - radius, length + radius, 4 * n, 2 * n);
  assert_int_equal(fw_mesh_add_quarter_disc(ctx, mesh, &quarter), FW_OK);
  quarter.clockwise = true;
  assert_int_equal(fw_mesh_add_quarter_disc(ctx, mesh, &quarter), FW_OK);
  assert_int_equal(fw_mesh_merge(ctx, mesh, 0), FW_OK);
  plane_problem_create(&p, ctx, mesh, "quad4i", steel);
  for (int i = 0; i < p.mesh->node_count; i++)
    if (p.mesh->x[i][0] == 0) plane_problem_hold(&p, i, 0, 0), plane_problem_hold(&p, i, 1, 0);
  const int foot = plane_problem_node(&p, length, -depth / 2 - radius);
  plane_problem_hold(&p, foot, 1, 0);
  if (hold_x) plane_problem_hold(&p, foot, 0, 0);
  plane_problem_frequencies(&p, 1, &hertz);
  plane_problem_destroy(&p);
  return hertz;
}

static void foot_held(void **state) {
  fw_context *ctx = *state;
  const double beam[2] = {47.64, 65.19}; /* a beam with a rigid lever, massless foot */
  print_message("beam with half cylinder, lowest point held, quad4i: first frequency (Hz)\n");
  print_message("held       n=1       n=2       n=4       n=6     beam model\n");
  for (int x = 0; x < 2; x++) {
    const int sizes[] = {1, 2, 4, 6};
    double f[4];
    print_message("%-7s", x ? "x, y" : "y");
    for (int i = 0; i < 4; i++) print_message(" %9.4f", f[i] = footed_beam(ctx, sizes[i], x));
    print_message(" %9.2f  %+.2f %%\n", beam[x], 100 * (f[3] / beam[x] - 1));
    assert_near(f[3] / f[2], 1, 0.002);   /* converged */
    assert_near(f[3] / beam[x], 1, 0.01); /* foot and overhang have mass and flexibility in the plane model */
  }
}

static int begin(void **state) { return fw_context_create((fw_context **)state); }
static int end(void **state) {
  fw_context_destroy((fw_context **)state);
  return 0;
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(bare_beam_meets_beam_theory), cmocka_unit_test(elements_compared),
                                     cmocka_unit_test(foot_held)};
  return cmocka_run_group_tests(tests, begin, end);
}
