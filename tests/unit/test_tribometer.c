/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Motions of the tribometer, its figures, and the text that describes the laws. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cmocka_all.h"
#include "contact/friction/abilities.h"
#include "contact/friction/setting.h"
#include "contact/friction/tribometer.h"

extern const fw_friction_ops fw_friction_dahl;

typedef struct bench {
  fw_context *ctx;
  fw_friction law;
} bench;

static bench bench_open(void) {
  bench b;
  assert_int_equal(fw_context_create(&b.ctx), FW_OK);
  assert_int_equal(fw_law_create(b.ctx, &fw_friction_dahl, NULL, 0, &b.law), FW_OK);
  return b;
}

static void bench_close(bench *b) {
  fw_friction_clear(&b->law);
  fw_context_destroy(&b->ctx);
}

/* In every motion v is the derivative of u, and the work of a closed cycle is not negative. */
static void velocities_fit_the_slip(void **unused) {
  (void)unused;
  bench b = bench_open();
  for (int motion = 0; motion < FW_MOTION_COUNT; motion++) {
    if (motion == FW_MOTION_TABLE) continue;
    fw_drive drive = fw_drive_default();
    fw_trace trace;
    drive.motion = (fw_motion)motion;
    drive.steps = 4096;
    if (motion == FW_MOTION_PULLED) drive.amplitude = 0.0;
    assert_int_equal(fw_tribometer_run(b.ctx, &b.law, &drive, &trace), FW_OK);
    double worst = 0.0, fastest = 0.0;
    for (size_t k = 2; k < trace.count; k++) {
      double slope = (trace.u[k] - trace.u[k - 1]) / (trace.t[k] - trace.t[k - 1]);
      double middle = motion == FW_MOTION_TRIANGLE ? trace.v[k] : 0.5 * (trace.v[k] + trace.v[k - 1]);
      worst = fmax(worst, fabs(slope - middle));
      fastest = fmax(fastest, fabs(trace.v[k]));
    }
    if (!(fastest > 0.0 && worst <= 1e-3 * fastest)) fail_msg("%s: v is not du/dt", fw_motion_name((fw_motion)motion));
    fw_loop_figures figures = fw_trace_figures(&trace, &drive);
    assert_true(figures.work > 0.0 && figures.T_max >= figures.T_min);
    fw_trace_clear(&trace);
  }
  bench_close(&b);
}

static void a_table_drives_slip_and_load(void **unused) {
  (void)unused;
  bench b = bench_open();
  static const double t[] = {1.0, 2.0, 4.0}, u[] = {0.0, 1e-5, -1e-5}, N[] = {80.0, 100.0, 60.0};
  fw_drive drive = fw_drive_default();
  drive.motion = FW_MOTION_TABLE;
  drive.rows = 3;
  drive.table_t = t;
  drive.table_u = u;
  drive.table_N = N;
  drive.steps = 300;
  fw_trace trace;
  assert_int_equal(fw_tribometer_run(b.ctx, &b.law, &drive, &trace), FW_OK);
  assert_near(trace.u[100], 1e-5, 1e-18);
  assert_near(trace.u[200], 0.0, 1e-18);
  assert_near(trace.N[200], 80.0, 1e-9);
  assert_true(trace.T[100] > 40.0 && trace.T[300] < -25.0);
  fw_trace_clear(&trace);
  bench_close(&b);
}

static void a_random_drive_repeats(void **unused) {
  (void)unused;
  bench b = bench_open();
  fw_drive drive = fw_drive_default();
  drive.motion = FW_MOTION_RANDOM;
  fw_trace one, two, other;
  assert_int_equal(fw_tribometer_run(b.ctx, &b.law, &drive, &one), FW_OK);
  assert_int_equal(fw_tribometer_run(b.ctx, &b.law, &drive, &two), FW_OK);
  drive.seed = 2;
  assert_int_equal(fw_tribometer_run(b.ctx, &b.law, &drive, &other), FW_OK);
  assert_memory_equal(one.T, two.T, one.count * sizeof *one.T);
  assert_true(one.u[100] != other.u[100]);
  fw_trace_clear(&one);
  fw_trace_clear(&two);
  fw_trace_clear(&other);
  bench_close(&b);
}

static void wrong_drives_are_refused(void **unused) {
  (void)unused;
  bench b = bench_open();
  fw_trace trace;
  fw_drive drive[5];
  for (int i = 0; i < 5; i++) drive[i] = fw_drive_default();
  drive[0].steps = 0;
  drive[1].N = 0.0;
  drive[2].frequency = -1.0;
  drive[3].motion = FW_MOTION_TABLE;
  drive[4].motion = FW_MOTION_PULLED;
  drive[4].mass = 0.0;
  for (int i = 0; i < 5; i++) assert_int_equal(fw_tribometer_run(b.ctx, &b.law, &drive[i], &trace), FW_ERR_ARGUMENT);
  bench_close(&b);
}

/* docs/laws.md is what the table says: write it again with FRETWORK_WRITE_DOCS=1. */
static void the_docs_page_is_current(void **unused) {
  (void)unused;
  fw_context *ctx;
  char *text;
  assert_int_equal(fw_context_create(&ctx), FW_OK);
  assert_int_equal(fw_laws_text(ctx, &text), FW_OK);
  FILE *file = fopen(FW_SOURCE_DIR "/docs/laws.md", getenv("FRETWORK_WRITE_DOCS") ? "w+" : "r");
  assert_non_null(file);
  if (getenv("FRETWORK_WRITE_DOCS")) {
    fputs(text, file);
    rewind(file);
  }
  size_t length = strlen(text);
  char *stored = calloc(length + 2, 1);
  assert_non_null(stored);
  size_t read = fread(stored, 1, length + 1, file);
  fclose(file);
  if (read != length || strcmp(stored, text) != 0)
    fail_msg("docs/laws.md is out of date: run this test with FRETWORK_WRITE_DOCS=1");
  free(stored);
  free(text);
  fw_context_destroy(&ctx);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(velocities_fit_the_slip),  cmocka_unit_test(a_table_drives_slip_and_load),
      cmocka_unit_test(a_random_drive_repeats),   cmocka_unit_test(wrong_drives_are_refused),
      cmocka_unit_test(the_docs_page_is_current),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
