/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A large Jacobian kept harmonic by harmonic, with its border, beside the same one as a matrix. */
#include "solver/hb/harmonic_blocks.h"

#include <lapacke.h>
#include <math.h>
#include <stdio.h>

#include "cmocka_all.h"

enum { COORDINATES = 4, BLOCKS = 5, H = 2, SIZE = 2 * H + 1, CORE = BLOCKS * SIZE, BORDER = 2, ALL = CORE + BORDER };

static double next(void) {
  static unsigned state = 7;
  state = state * 1664525u + 1013904223u;
  return (double)(state >> 8) / (1 << 24) - 0.5;
}

typedef struct sample {
  fw_context *ctx;
  fw_harmonic_blocks *blocks;
  fw_dynamic dynamic[H + 1];
  double complex D[H + 1][COORDINATES * COORDINATES];
  bool closed[BLOCKS];
  double dense[ALL * ALL]; /* column major */
  double scale[ALL], row[ALL], columns[BORDER * ALL], rows[BORDER * CORE];
} sample;

/* Block 1 is a gap kept closed, block 4 a force with unknowns of its own. */
static void add_structure(sample *s) {
  for (int k = 0; k <= H; k++) {
    s->dynamic[k].D = s->D[k];
    for (int j = 0; j < COORDINATES; j++)
      for (int i = 0; i < COORDINATES; i++) {
        double complex D = next() + (i == j ? 4 : 0) + (k ? next() * I : 0);
        s->D[k][j * COORDINATES + i] = D;
        if (s->closed[j]) continue;
        int row = i * SIZE + (k ? 2 * k - 1 : 0), column = j * SIZE + (k ? 2 * k - 1 : 0);
        s->dense[column * ALL + row] += creal(D);
        if (k == 0) continue;
        s->dense[column * ALL + row + 1] -= cimag(D);
        s->dense[(column + 1) * ALL + row] += cimag(D);
        s->dense[(column + 1) * ALL + row + 1] += creal(D);
      }
  }
  fw_harmonic_blocks_begin(s->blocks, s->dynamic);
}

static void add_contact(sample *s, int i, int j, double factor) {
  double block[SIZE * SIZE];
  for (int k = 0; k < SIZE * SIZE; k++) block[k] = next() + (k % (SIZE + 1) == 0 ? 3 : 0);
  fw_harmonic_blocks_add(s->blocks, i, j, factor, block);
  for (int d = 0; d < SIZE; d++)
    for (int e = 0; e < SIZE; e++) s->dense[(j * SIZE + d) * ALL + i * SIZE + e] += factor * block[e * SIZE + d];
}

static void add_others(sample *s) {
  fw_harmonic_blocks_add_unit(s->blocks, 4, 4, 2);
  for (int d = 0; d < SIZE; d++) s->dense[(4 * SIZE + d) * (ALL + 1)] += 2;
  fw_harmonic_blocks_hold(s->blocks, 0, 0.3);
  s->dense[0] += 0.3;
  for (int k = 0; k < BORDER; k++) {
    for (int i = 0; i < ALL; i++) s->dense[(CORE + k) * ALL + i] = s->columns[k * ALL + i] = next();
    for (int j = 0; j < CORE; j++) s->dense[j * ALL + CORE + k] = s->rows[k * CORE + j] = next();
  }
}

static void make(sample *s) {
  *s = (sample){.closed = {[1] = true}};
  assert_int_equal(fw_context_create(&s->ctx), FW_OK);
  assert_int_equal(fw_harmonic_blocks_create(s->ctx, COORDINATES, BLOCKS, H, s->closed, &s->blocks), FW_OK);
  add_structure(s);
  add_contact(s, 0, 0, 1);
  add_contact(s, 1, 1, -1);
  add_contact(s, 0, 1, 0.5);
  add_contact(s, 2, 4, 1);
  add_contact(s, 4, 2, -0.7);
  add_others(s);
  for (int i = 0; i < ALL; i++) s->scale[i] = 1 + 0.5 * next();
}

static void sizes_of_rows(sample *s, const fw_core *core) {
  core->rows(core->user, s->scale, s->row);
  for (int i = 0; i < CORE; i++) assert_true(s->row[i] > 0);
  for (int i = CORE; i < ALL; i++) s->row[i] = 1;
}

static void product_is_that_of_the_matrix(void **unused) {
  (void)unused;
  sample s;
  make(&s);
  fw_core core = fw_harmonic_blocks_core(s.blocks);
  double x[CORE], out[CORE], worst = 0;
  for (int i = 0; i < CORE; i++) x[i] = next();
  core.apply(core.user, x, out);
  for (int i = 0; i < CORE; i++) {
    for (int j = 0; j < CORE; j++) out[i] -= s.dense[j * ALL + i] * x[j];
    worst = fmax(worst, fabs(out[i]));
  }
  printf("product: %.1e beside the matrix\n", worst);
  assert_true(worst < 1e-13);
  fw_harmonic_blocks_destroy(&s.blocks);
  fw_context_destroy(&s.ctx);
}

static void solution_is_that_of_the_matrix(void **unused) {
  (void)unused;
  sample s;
  make(&s);
  fw_core core = fw_harmonic_blocks_core(s.blocks);
  fw_bordered *bordered;
  assert_int_equal(fw_bordered_create(s.ctx, core, BORDER, &bordered), FW_OK);
  sizes_of_rows(&s, &core);
  assert_int_equal(fw_bordered_set(bordered, s.columns, s.rows, s.scale, s.row), FW_OK);
  double b[ALL], x[ALL], worst = 0;
  lapack_int pivot[ALL];
  for (int i = 0; i < ALL; i++) x[i] = b[i] = next();
  for (int i = 0; i < ALL; i++) b[i] /= s.row[i];
  assert_int_equal(fw_bordered_solve(bordered, 1e-13, b), FW_OK);
  assert_int_equal(LAPACKE_dgesv(LAPACK_COL_MAJOR, ALL, 1, s.dense, ALL, pivot, x, ALL), 0);
  for (int i = 0; i < ALL; i++) worst = fmax(worst, fabs(b[i] * s.scale[i] - x[i]) / (1 + fabs(x[i])));
  printf("solution: %.1e beside the matrix\n", worst);
  assert_true(worst < 1e-10);
  fw_bordered_destroy(&bordered);
  fw_harmonic_blocks_destroy(&s.blocks);
  fw_context_destroy(&s.ctx);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(product_is_that_of_the_matrix),
                                     cmocka_unit_test(solution_is_that_of_the_matrix)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
