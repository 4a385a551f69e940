/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The Jacobian of the equations IDA solves against differences, for every friction law of the table, every mode a
 * contact point can be in, and joints that turn. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cmocka_all.h"
#include "contact/pair.h"
#include "input/deck.h"
#include "solver/time/ida/dae.h"

static const char text[] =
    "<fretwork version=\"1\">\n"
    "  <bodies>\n"
    "    <rigid id=\"block\" at=\"0, 0.1\" m=\"2\" J=\"0.01\" rotation=\"small\">\n"
    "      <point id=\"sole\" offset=\"0.02, -0.1\"/><point id=\"pin\" offset=\"-0.05, 0.03\"/></rigid>\n"
    "    <rigid id=\"arm\" at=\"0.1, 0.2\" m=\"1\" J=\"0.02\"><point id=\"a\" offset=\"-0.15, -0.07\"/>\n"
    "      <point id=\"b\" offset=\"0.1, 0.05\"/></rigid>\n"
    "    <spring id=\"spring\" at=\"block.centre\" ground=\"-1, 0.1\" k=\"1e4\"/>\n"
    "  </bodies>\n"
    "  <joints><revolute id=\"pivot\" a=\"block.pin\" b=\"arm.a\"/>\n"
    "    <prescribed id=\"shaken\" a=\"arm.b\" direction=\"x\" amplitude=\"1e-3\" frequency=\"7\"/></joints>\n"
    "  <contact>\n"
    "    <surface id=\"floor\"><line from=\"-1, 0\" to=\"1, 0\"/></surface>\n"
    "    <pair id=\"sole\" target=\"floor\"><point at=\"block.sole\"/>\n"
    "      %s\n      <friction law=\"%s\" enforcement=\"%s\" u-crit=\"1e-6\"/></pair>\n"
    "  </contact>\n"
    "  <loads><force id=\"weight\" at=\"block.centre\" fy=\"-50\"/></loads>\n"
    "</fretwork>\n";

typedef struct bench {
  fw_context *ctx;
  fw_deck *deck;
  fw_built *built;
  fw_system *system;
  fw_state *state;
  fw_dae *dae;
} bench;

static bench bench_open(const char *normal, const char *law, const char *enforcement) {
  bench b = {0};
  char path[] = "/tmp/fw_dae_XXXXXX";
  int descriptor = mkstemp(path);
  assert_true(descriptor >= 0);
  FILE *file = fdopen(descriptor, "w");
  fprintf(file, text, normal, law, enforcement);
  fclose(file);
  assert_int_equal(fw_context_create(&b.ctx), FW_OK);
  fw_status status = fw_deck_load(b.ctx, path, &b.deck);
  if (status == FW_OK) status = fw_deck_build(b.ctx, b.deck, &b.built);
  unlink(path);
  if (status != FW_OK) fail_msg("%s: %s", law, fw_context_message(b.ctx));
  assert_int_equal(fw_system_create(b.ctx, b.built->model, &b.system), FW_OK);
  assert_int_equal(fw_state_create(b.ctx, b.built->model, &b.state), FW_OK);
  b.state->load_factors[0] = 1.0;
  b.state->touch[0].status = FW_SLIP;
  b.state->touch[0].N = 50.0;
  assert_int_equal(fw_dae_create(b.ctx, b.system, b.state, 40.0, 300.0, &b.dae), FW_OK);
  return b;
}

static void bench_close(bench *b) {
  fw_dae_destroy(&b->dae);
  fw_state_destroy(&b->state);
  fw_system_destroy(&b->system);
  fw_built_destroy(&b->built);
  fw_deck_destroy(&b->deck);
  fw_context_destroy(&b->ctx);
}

/* Away from corners: slipping forwards with pressed contact, states a little off those of a fresh contact. */
static void fill(const bench *b, double *y, double *y_dot, double *size) {
  const fw_dae *dae = b->dae;
  const fw_pair *pair = b->built->model->pairs[0];
  for (int64_t i = 0; i < dae->size; i++) {
    y[i] = y_dot[i] = 0.0;
    size[i] = i < dae->n ? 1e-6 : i < 2 * dae->n ? 1e-3 : 10.0;
  }
  for (int64_t i = 0; i < dae->n; i++) {
    y[i] = 1e-6 * (1.0 + 0.3 * (double)i) * (i == 1 ? -1.0 : 1.0);
    y[dae->n + i] = y_dot[i] = 3e-3 * (1.0 + 0.2 * (double)i);
    y_dot[dae->n + i] = 0.7 - 0.2 * (double)i;
  }
  for (int s = 0; dae->points[0].first_z >= 0 && s < pair->states; s++) {
    double scale = fw_friction_scale(&pair->friction, 50.0, s);
    size[dae->z_at + s] = scale;
    y[dae->z_at + s] = (0.35 + 0.05 * s) * scale;
  }
  y[dae->contact_at] = 50.0;
  y[dae->contact_at + 1] = 12.0;
  for (int64_t i = dae->lambda_at; i < dae->size; i++) y[i] = 3.0 + (double)(i - dae->lambda_at);
}

/* Largest error of a column, relative to the largest entry of its row. */
static double worst_column(const bench *b, int64_t j, double c, double *y, double *y_dot, double step,
                           const double *row_size, double *work) {
  fw_dae *dae = b->dae;
  double *plus = work, *minus = work + dae->size, keep = y[j], keep_dot = y_dot[j], worst = 0.0;
  y[j] = keep + step;
  y_dot[j] = keep_dot + c * step;
  assert_int_equal(fw_dae_residual(b->ctx, dae, 0.01, y, y_dot, plus), FW_OK);
  y[j] = keep - step;
  y_dot[j] = keep_dot - c * step;
  assert_int_equal(fw_dae_residual(b->ctx, dae, 0.01, y, y_dot, minus), FW_OK);
  y[j] = keep;
  y_dot[j] = keep_dot;
  for (int64_t i = 0; i < dae->size; i++) {
    double difference = (plus[i] - minus[i]) / (2.0 * step);
    int64_t at = fw_sparse_position(dae->jacobian, i, j);
    double entry = at >= 0 ? dae->jacobian->x[at] : 0.0;
    double error = fabs(difference - entry) * step / (row_size[i] * 1e-4);
    worst = fmax(worst, error);
  }
  return worst;
}

/* spoil: factor put on an entry first. */
static double worst_entry(const bench *b, double spoil) {
  fw_dae *dae = b->dae;
  size_t n = (size_t)dae->size;
  double *memory = calloc(6 * n, sizeof *memory), *y = memory, *y_dot = y + n, *size = y_dot + n, *row = size + n,
         *work = row + n, worst = 0.0;
  const double c = 1e4;
  assert_non_null(memory);
  fill(b, y, y_dot, size);
  b->state->time = 0.0099;
  assert_int_equal(fw_dae_jacobian(b->ctx, dae, 0.01, c, y, y_dot), FW_OK);
  dae->jacobian->x[fw_sparse_position(dae->jacobian, dae->n, dae->n)] *= spoil;
  for (int64_t j = 0; j < dae->size; j++)
    for (int64_t k = dae->jacobian->p[j]; k < dae->jacobian->p[j + 1]; k++)
      row[dae->jacobian->i[k]] = fmax(row[dae->jacobian->i[k]], fabs(dae->jacobian->x[k]) * size[j]);
  for (int64_t j = 0; j < dae->size; j++)
    worst = fmax(worst, worst_column(b, j, c, y, y_dot, 1e-4 * size[j], row, work));
  free(memory);
  return worst;
}

static int check(const char *normal, const char *law, const char *enforcement, bool closed, fw_tangent_mode mode) {
  static const char *const modes[] = {"free", "law", "stick", "slip"};
  bench b = bench_open(normal, law, enforcement);
  fw_dae_point *point = &b.dae->points[0];
  point->closed = closed;
  point->mode = mode;
  point->direction = 1.0;
  double worst = worst_entry(&b, 1.0);
  bool good = worst < 1e-5;
  if (!good) printf("%s (%s), %s, %s: %.2e\n", law, enforcement, closed ? "closed" : "open", modes[mode], worst);
  bench_close(&b);
  return !good;
}

static const char hard[] = "<normal law=\"hard\" enforcement=\"lagrange\"/>";
static const char soft[] = "<normal law=\"linear\" stiffness=\"1e7\" chi=\"0.3\"/>";

static bool set_valued(const fw_friction_ops *ops) { return ops->limit && !ops->rate && !ops->step; }

static void every_law_in_motion(void **unused) {
  (void)unused;
  int failures = 0;
  for (const fw_entry *const *entry = fw_laws.entries; *entry; entry++) {
    failures += check(hard, (*entry)->name, "penalty", true, FW_TANGENT_LAW);
    failures += check(soft, (*entry)->name, "penalty", true, FW_TANGENT_LAW);
  }
  assert_int_equal(failures, 0);
}

static void every_mode_of_rigid_friction(void **unused) {
  (void)unused;
  int failures = 0;
  for (const fw_entry *const *entry = fw_laws.entries; *entry; entry++) {
    if (!set_valued((const fw_friction_ops *)*entry)) continue;
    failures += check(hard, (*entry)->name, "lagrange", true, FW_TANGENT_STICK);
    failures += check(hard, (*entry)->name, "lagrange", true, FW_TANGENT_SLIP);
    failures += check(hard, (*entry)->name, "lagrange", false, FW_TANGENT_FREE);
    failures += check(soft, (*entry)->name, "lagrange", true, FW_TANGENT_SLIP);
  }
  assert_int_equal(failures, 0);
}

/* A wrong entry must be seen: one per cent of a mass. */
static void a_wrong_entry_is_found(void **unused) {
  (void)unused;
  bench b = bench_open(hard, "coulomb", "lagrange");
  b.dae->points[0].mode = FW_TANGENT_STICK;
  assert_true(worst_entry(&b, 1.0) < 1e-5);
  assert_true(worst_entry(&b, 1.01) > 1e-3);
  bench_close(&b);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(every_law_in_motion),
                                     cmocka_unit_test(every_mode_of_rigid_friction),
                                     cmocka_unit_test(a_wrong_entry_is_found)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
