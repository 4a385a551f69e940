/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the verification of friction laws shares: a law by name and settings, and the line "computed, reference,
 * difference" of the verification book. */
#ifndef FW_TESTS_FRICTION_BENCH_H
#define FW_TESTS_FRICTION_BENCH_H

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cmocka_all.h"
#include "contact/friction/checks.h"
#include "contact/friction/setting.h"
#include "contact/friction/tribometer.h"

typedef struct bench {
  fw_context *ctx;
  fw_friction law;
} bench;

/* Settings separated by blanks. */
static inline bench bench_open(const char *name, const char *settings) {
  bench b;
  char text[500], *list[32], *rest = text;
  int count = 0;
  assert_int_equal(fw_context_create(&b.ctx), FW_OK);
  snprintf(text, sizeof text, "%s", settings);
  for (char *word = strtok_r(text, " ", &rest); word && count < 32; word = strtok_r(NULL, " ", &rest))
    list[count++] = word;
  const fw_friction_ops *ops = (const fw_friction_ops *)fw_table_find(&fw_laws, name);
  assert_non_null(ops);
  if (fw_law_create(b.ctx, ops, (const char *const *)list, count, &b.law) != FW_OK)
    fail_msg("%s: %s", name, fw_context_message(b.ctx));
  return b;
}

static inline void bench_close(bench *b) {
  fw_friction_clear(&b->law);
  fw_context_destroy(&b->ctx);
}

/* Slow slip by du in one step; moves z. */
static inline double bench_slip(const bench *b, double du, double N, double *z) {
  double next[1100];
  fw_step_out out = {.z = next};
  fw_friction_step(&b->law, &(fw_step_in){.x = {du, 0, 0, N, N}}, z, &out);
  memcpy(z, next, (size_t)b->law.states * sizeof *z);
  return out.T;
}

static inline fw_loop_figures bench_loop(const bench *b, const fw_drive *drive) {
  fw_trace trace;
  if (fw_tribometer_run(b->ctx, &b->law, drive, &trace) != FW_OK) fail_msg("%s", fw_context_message(b->ctx));
  fw_loop_figures figures = fw_trace_figures(&trace, drive);
  fw_trace_clear(&trace);
  return figures;
}

/* Prints a line of the book; fails if the difference is more than `tolerance` times the reference (or `floor`). */
static inline void compare(const char *what, double computed, double reference, double tolerance) {
  double difference = reference != 0.0 ? (computed - reference) / fabs(reference) : computed;
  print_message("  %-58s %15.8g %15.8g %+10.2e\n", what, computed, reference, difference);
  if (!(fabs(difference) <= tolerance)) fail_msg("%s: %.9g, should be %.9g", what, computed, reference);
}

static inline void book(const char *title) {
  print_message("%s\n  %-58s %15s %15s %10s\n", title, "", "computed", "reference", "difference");
}

#endif
