/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Lines that draw a grid. */
#include <math.h>

#include "cmocka_all.h"
#include "output/outline.h"

/* A square of n x n quadrilaterals with a hole of one in its middle. */
static fw_grid *square(fw_context *ctx, int n, bool hole) {
  fw_grid *grid = NULL;
  assert_int_equal(fw_grid_create(ctx, NULL, 0, &grid), FW_OK);
  for (int i = 0; i <= n; i++)
    for (int j = 0; j <= n; j++) {
      const double x[2] = {i, j};
      int64_t point;
      assert_int_equal(fw_grid_point(ctx, grid, x, &point), FW_OK);
    }
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      if (hole && i == n / 2 && j == n / 2) continue;
      int64_t a = i * (n + 1) + j, b = a + n + 1;
      const int64_t points[4] = {a, b, b + 1, a + 1};
      assert_int_equal(fw_grid_cell(ctx, grid, FW_CELL_QUAD4, points, 4, 0), FW_OK);
    }
  return grid;
}

static void measure(const fw_grid *grid, const fw_outline *o, double *length, int *pieces) {
  *length = 0;
  *pieces = 0;
  for (size_t i = 0; i < o->count; i++) {
    if (o->points[i] < 0) {
      ++*pieces;
    } else if (i > 0 && o->points[i - 1] >= 0) {
      const double *a = grid->x + 3 * o->points[i - 1], *b = grid->x + 3 * o->points[i];
      *length += hypot(a[0] - b[0], a[1] - b[1]);
    }
  }
}

static void draws(int n, bool hole, double length_wanted, int pieces_wanted) {
  fw_context *ctx = NULL;
  fw_outline outline;
  double length;
  int pieces;
  assert_int_equal(fw_context_create(&ctx), FW_OK);
  fw_grid *grid = square(ctx, n, hole);
  assert_int_equal(fw_outline_create(ctx, grid, &outline), FW_OK);
  measure(grid, &outline, &length, &pieces);
  assert_near(length, length_wanted, 1e-9);
  assert_int_equal(pieces, pieces_wanted);
  fw_outline_clear(&outline);
  fw_grid_destroy(&grid);
  fw_context_destroy(&ctx);
}

static void few_cells_are_drawn_each(void **unused) {
  (void)unused;
  draws(3, false, 9 * 4, 9);
}

static void of_many_only_the_edges_of_the_body(void **unused) {
  (void)unused;
  draws(50, false, 200, 1);
  draws(50, true, 204, 2);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(few_cells_are_drawn_each),
                                     cmocka_unit_test(of_many_only_the_edges_of_the_body)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
