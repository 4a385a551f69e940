/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>

#include "cmocka_all.h"
#include "output/mesh.h"
#include "small_model.h"

static double total_energy(const fw_grid *grid) {
  double sum = 0;
  for (int64_t c = 0; c < grid->cells; c++) sum += grid->energy[c];
  return sum;
}

static int start(void **state) { return fw_context_create((fw_context **)state); }

static int stop(void **state) {
  fw_context_destroy((fw_context **)state);
  return 0;
}

/* Rigid turn of a beam along y by a small angle a about its first node: u = a (-y, x). */
static void beam_bands_turn_with_the_section(void **state) {
  fw_context *ctx = *state;
  small_model m;
  small_model_make(&m, "euler-bernoulli", (const double[][2]){{1, 0}, {1, 2}});
  m.block.props = (fw_properties){.E = 1, .A = 0.2, .I = 0.01, .height = 0.2};
  fw_state *s;
  fw_state_create(ctx, &m.model, &s);
  const double a = 1e-3, q[6] = {0, 0, a, -2 * a, 0, a};
  memcpy(s->q, q, sizeof q);
  memcpy(s->v, q, sizeof q);
  fw_grid *grid;
  assert_int_equal(fw_mesh_structure(ctx, s, &grid), FW_OK);
  int bands = 0, lines = 0;
  for (int64_t c = 0; c < grid->cells; c++)
    bands += grid->types[c] == FW_CELL_QUAD4, lines += grid->types[c] == FW_CELL_LINE;
  assert_int_equal(bands, lines);
  assert_int_equal(grid->cells, 2 * lines);
  double widest = 0;
  for (int64_t p = 0; p < grid->points; p++) {
    const double *x = grid->x + 3 * p, *u = fw_grid_at(grid, FW_MESH_DISPLACEMENT, p);
    const double *v = fw_grid_at(grid, FW_MESH_VELOCITY, p);
    assert_true(fabs(u[0] - -a * x[1]) < 1e-15);
    assert_true(fabs(u[1] - a * (x[0] - 1)) < 1e-15);
    assert_true(fabs(v[0] - u[0]) < 1e-15 && fabs(v[1] - u[1]) < 1e-15);
    assert_true(fabs(*fw_grid_at(grid, FW_MESH_M, p)) < 1e-12);
    widest = fmax(widest, fabs(x[0] - 1));
  }
  assert_true(fabs(widest - 0.1) < 1e-15);
  fw_grid_destroy(&grid);
  fw_state_destroy(&s);
}

/* Pure bending w = k x^2/2: M = EI k, and s_x = -E k y at the fibres; pulled besides: + E e. */
static void beam_fields_are_forces_and_stress(void **state) {
  fw_context *ctx = *state;
  small_model m;
  small_model_make(&m, "euler-bernoulli", (const double[][2]){{0, 0}, {2, 0}});
  const double E = 100, A = 0.2, I = 0.01, k = 1e-3, e = 1e-4;
  m.block.props = (fw_properties){.E = E, .A = A, .I = I, .height = 0.2};
  fw_state *s;
  fw_state_create(ctx, &m.model, &s);
  const double q[6] = {0, 0, 0, 2 * e, 2 * k, 2 * k};
  memcpy(s->q, q, sizeof q);
  fw_grid *grid;
  assert_int_equal(fw_mesh_structure(ctx, s, &grid), FW_OK);
  for (int64_t p = 0; p < grid->points; p++) {
    double y = grid->x[3 * p + 1];
    assert_true(fabs(*fw_grid_at(grid, FW_MESH_N, p) - E * A * e) < 1e-12);
    assert_true(fabs(*fw_grid_at(grid, FW_MESH_M, p) - E * I * k) < 1e-12);
    assert_true(fabs(*fw_grid_at(grid, FW_MESH_STRESS, p) - (E * e - E * k * y)) < 1e-12);
    assert_true(fabs(*fw_grid_at(grid, FW_MESH_VON_MISES, p) - fabs(E * e - E * k * y)) < 1e-12);
  }
  assert_true(fabs(total_energy(grid) - (E * A * e * e + E * I * k * k)) < 1e-15); /* times L/2 = 1 */
  fw_grid_destroy(&grid);
  fw_state_destroy(&s);
}

/* Uniform strain e_x = 1e-3 in an 8-node quadrilateral: one quadratic cell, s_x = E e_x everywhere without Poisson's
 * effect. In plane strain with it s_z = s_y, so that von Mises' stress is s_x - s_y = E e_x/(1 + nu). */
static void plane_cells_keep_their_order(void **state) {
  fw_context *ctx = *state;
  static const double places[][2] = {{0, 0}, {2, 0}, {2, 1}, {0, 1}, {1, 0}, {2, .5}, {1, 1}, {0, .5}};
  small_model m;
  small_model_make(&m, "quad8", places);
  m.block.props = (fw_properties){.E = 1e6, .nu = 0.0, .thickness = 0.1};
  fw_state *s;
  fw_state_create(ctx, &m.model, &s);
  for (int n = 0; n < 8; n++) s->q[2 * n] = 1e-3 * places[n][0];
  fw_grid *grid;
  assert_int_equal(fw_mesh_structure(ctx, s, &grid), FW_OK);
  assert_int_equal(grid->cells, 1);
  assert_int_equal(grid->points, 8);
  assert_int_equal(grid->types[0], FW_CELL_QUAD8);
  for (int n = 0; n < 8; n++) {
    assert_int_equal(grid->link[n], n);
    const double *stress = fw_grid_at(grid, FW_MESH_STRESS, n);
    assert_true(fabs(stress[0] - 1e3) < 1e-9);
    assert_true(fabs(stress[1]) < 1e-9 && fabs(stress[2]) < 1e-9);
    const double *principal = fw_grid_at(grid, FW_MESH_PRINCIPAL, n);
    assert_true(fabs(principal[0] - 1e3) < 1e-9 && fabs(principal[1]) < 1e-9);
    assert_true(fabs(*fw_grid_at(grid, FW_MESH_VON_MISES, n) - 1e3) < 1e-9);
  }
  assert_true(fabs(total_energy(grid) - 0.1) < 1e-12); /* E e^2/2 times 0.2 m3 */
  fw_grid_destroy(&grid);
  m.block.props.nu = 0.25;
  m.block.props.plane_strain = true;
  assert_int_equal(fw_mesh_structure(ctx, s, &grid), FW_OK);
  for (int n = 0; n < 8; n++) assert_true(fabs(*fw_grid_at(grid, FW_MESH_VON_MISES, n) - 800) < 1e-9);
  fw_grid_destroy(&grid);
  fw_state_destroy(&s);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(beam_bands_turn_with_the_section),
      cmocka_unit_test(beam_fields_are_forces_and_stress),
      cmocka_unit_test(plane_cells_keep_their_order),
  };
  return cmocka_run_group_tests(tests, start, stop);
}
