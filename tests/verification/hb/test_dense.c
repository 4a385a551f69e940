/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A patch of 25 nodes that sticks, begins to slip and slips as a whole: motions found with a Jacobian that is kept
 * harmonic by harmonic, beside those found with the same Jacobian as one matrix. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cmocka_all.h"
#include "input/deck.h"
#include "solver/analyses/hb_prepare.h"
#include "solver/hb/response.h"

enum { STATIC, FRF, H = 5, SAMPLES = 256, SIZE = 2 * H + 1, STOPS = 4 };
static const double TOLERANCE = 1e-10, MU = 0.4, F_MAX = 5000;

typedef struct course {
  double level, stop[STOPS]; /* N, Hz */
} course;

typedef struct patch {
  fw_context *ctx;
  fw_deck *deck;
  fw_built *built;
  fw_sink *sink;
  fw_outcome seated;
  fw_record *summary;
  fw_vibration *vibration;
} patch;

static fw_job job_of(patch *p, int analysis) {
  const fw_item *item = &p->built->analyses->children[analysis];
  return (fw_job){.ctx = p->ctx,
                  .model = p->built->model,
                  .id = fw_args_text(&item->args, "id"),
                  .common = &item->args,
                  .args = &item->entry_args,
                  .start = analysis == STATIC ? NULL : &p->seated,
                  .summary = p->summary,
                  .sink = p->sink,
                  .threads = 1};
}

static void prepare(patch *p) {
  *p = (patch){0};
  assert_int_equal(fw_context_create(&p->ctx), FW_OK);
  assert_int_equal(fw_deck_load(p->ctx, FW_SOURCE_DIR "/tests/verification/hb/patch.xml", &p->deck), FW_OK);
  assert_int_equal(fw_deck_build(p->ctx, p->deck, &p->built), FW_OK);
  assert_int_equal(fw_sink_create(p->ctx, &p->sink), FW_OK);
  assert_int_equal(fw_record_create(&p->summary), FW_OK);
  fw_job seat = job_of(p, STATIC), frf = job_of(p, FRF);
  p->seated.ops = (const fw_analysis_ops *)p->built->analyses->children[STATIC].entry;
  assert_int_equal(p->seated.ops->run(&seat, &p->seated), FW_OK);
  assert_int_equal(fw_hb_prepare(&frf, F_MAX, fw_reduction_default, true, &p->vibration), FW_OK);
}

static void clear(patch *p) {
  fw_vibration_destroy(&p->vibration);
  fw_outcome_clear(&p->seated);
  fw_record_destroy(&p->summary);
  fw_sink_destroy(&p->sink);
  fw_built_destroy(&p->built);
  fw_deck_destroy(&p->deck);
  fw_context_destroy(&p->ctx);
}

static void begin(patch *p, double level, bool dense, fw_solver *solver) {
  const fw_response_options options = {.level = level, .H = H, .samples = SAMPLES};
  assert_int_equal(fw_solver_init(p->ctx, p->vibration, &options, solver), FW_OK);
  assert_non_null(solver->curve.core); /* large */
  if (!dense) return;
  fw_continuation_clear(&solver->curve);
  solver->curve = (fw_continuation){.n = solver->balance.n, .user = &solver->balance, .residual = fw_balance_residual};
  assert_int_equal(fw_continuation_init(p->ctx, &solver->curve), FW_OK);
}

/* Largest difference of two motions beside the largest amplitude. Where every point slips nothing but the beginning tells
 * the mean place of the block, and means are left out. */
static double difference(const double *a, const double *b, int n, bool means) {
  double apart = 0, size = 0;
  for (int i = 0; i < n; i++) {
    if (means || i % SIZE) apart = fmax(apart, fabs(a[i] - b[i]));
    size = fmax(size, fabs(b[i]));
  }
  return apart / size;
}

/* Contact points that slip somewhere in the period. */
static int points_that_slip(const fw_balance *b) {
  int count = 0;
  for (int i = 0; i < b->given.contact_count; i++) {
    bool slips = false;
    for (int j = 0; j < SAMPLES; j++) slips |= fabs(b->aft[i].T[j]) > (1 - 1e-6) * MU * b->aft[i].N[j];
    count += slips;
  }
  return count;
}

/* Each solver goes from stop to stop by itself, from rest at the first. slip: points that do, at each stop. */
static void follow(patch *p, const course *c, int *slip) {
  fw_solver blocks, matrix;
  begin(p, c->level, false, &blocks);
  begin(p, c->level, true, &matrix);
  int n = blocks.balance.n, points = blocks.balance.given.contact_count;
  double *y = calloc(2 * ((size_t)n + 1), sizeof *y), *y_matrix = y + n + 1;
  assert_non_null(y);
  for (int i = 0; i < STOPS; i++) {
    assert_int_equal(fw_solver_at(p->ctx, &blocks, c->stop[i], TOLERANCE, y), FW_OK);
    assert_int_equal(fw_solver_at(p->ctx, &matrix, c->stop[i], TOLERANCE, y_matrix), FW_OK);
    slip[i] = points_that_slip(&blocks.balance);
    double apart = difference(y, y_matrix, n, slip[i] < points);
    printf("%g N, %g Hz: %2d of %d points slip, %d unknowns differ by %.1e\n", c->level, c->stop[i], slip[i], points, n,
           apart);
    assert_true(apart < 1e-8);
  }
  free(y);
  fw_solver_clear(&matrix);
  fw_solver_clear(&blocks);
}

static void blocks_and_matrix_find_the_same(void **unused) {
  (void)unused;
  patch p;
  const course stuck = {120, {2600, 2800, 3300, 4200}}, onset = {200, {3165, 3175, 3190, 3400}},
               gross = {400, {2510, 2530, 2570, 2800}};
  int slip[STOPS];
  prepare(&p);
  int all = p.vibration->contact_count;
  follow(&p, &stuck, slip);
  for (int i = 0; i < STOPS; i++) assert_int_equal(slip[i], 0);
  follow(&p, &onset, slip);
  assert_true(slip[0] == 0 && slip[1] > 0 && slip[2] > slip[1] && slip[2] < all && slip[3] == all);
  follow(&p, &gross, slip);
  assert_true(slip[0] > 0 && slip[1] > slip[0] && slip[1] < all && slip[2] == all && slip[3] == all);
  clear(&p);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(blocks_and_matrix_find_the_same)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
