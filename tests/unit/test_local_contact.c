/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The contact problem of a step by itself, with flexibilities written down: which points give way and which hold. */
#include <math.h>

#include "contact_parts.h"
#include "solver/time/local_contact.h"

enum { POINTS = 2 };
static const double mu_s = 0.6, mu_k = 0.3;

typedef struct bench {
  fw_context *ctx;
  fw_friction law;
  fw_pair pair;
  fw_touch old[POINTS];
  fw_local_problem problem;
} bench;

/* Two points pressed on a hard floor, at rest, quasi-static, with rigid stick and a static limit above the sliding one.
 */
static void start(bench *b) {
  static const char *const settings[] = {"mu-s=0.6", "mu-c=0.3"};
  *b = (bench){0};
  assert_int_equal(fw_context_create(&b->ctx), FW_OK);
  const fw_friction_ops *ops = (const fw_friction_ops *)fw_table_find(&fw_laws, "coulomb-static");
  fw_args args = entry_args(b->ctx, &ops->entry, settings, 2);
  assert_int_equal(fw_friction_create(b->ctx, ops, &args, (fw_stick){.enforcement = FW_LAGRANGE}, &b->law), FW_OK);
  fw_args_clear(&args);
  const fw_normal_ops *hard = (const fw_normal_ops *)fw_table_find(&fw_normals, "hard");
  b->pair =
      (fw_pair){.id = "feet", .normal = {.ops = hard, .enforcement = FW_LAGRANGE}, .friction = b->law, .count = POINTS};
  assert_int_equal(fw_local_reserve(b->ctx, &b->problem, POINTS), FW_OK);
  b->problem.count = POINTS;
  for (int i = 0; i < POINTS; i++) {
    b->old[i] = (fw_touch){.status = FW_STICK, .N = 10};
    b->problem.points[i] = (fw_local){.pair = &b->pair, .old = &b->old[i]};
    b->problem.N[i] = 10;
    b->problem.T[i] = 0;
  }
}

static void stop(bench *b) {
  fw_local_clear(&b->problem);
  fw_friction_clear(&b->law);
  fw_context_destroy(&b->ctx);
}

/* Point i by itself: N and T that would keep gap and slip at zero, and the flexibility [nn nt; nt tt] that gives them.
 */
static void set_point(bench *b, int i, double N, double T, double nn, double nt, double tt) {
  double *row = b->problem.D + (size_t)(2 * i) * 2 * POINTS + 2 * i;
  row[0] = nn;
  row[1] = nt;
  row[2 * POINTS] = nt;
  row[2 * POINTS + 1] = tt;
  b->problem.free[2 * i] = -nn * N + nt * T;
  b->problem.free[2 * i + 1] = -nt * N + tt * T;
}

/* The first point's slip and gap are strongly coupled: while its gap is kept it is 9 times as stiff along as with the
 * gap free. It cannot hold the 7.5 N that keep it (0.6 * 10 N); judged by the softer stiffness its slip would still
 * pass for stick, and the second look, by which everything seems to slide, would let go of the second point too, which
 * can hold its 5 N. */
static void what_can_hold_holds_beside_what_slips(void **unused) {
  (void)unused;
  bench b;
  start(&b);
  const double nn = 1e-6, tt = 1e-6, nt = 1e-6 * sqrt(8.0 / 9);
  set_point(&b, 0, 10, 7.5, nn, nt, tt);
  set_point(&b, 1, 10, 5, nn, 0, tt);
  assert_int_equal(fw_local_solve(b.ctx, &b.problem), FW_OK);
  const fw_local_problem *p = &b.problem;
  assert_int_equal(p->status[0], FW_SLIP);
  assert_int_equal(p->status[1], FW_STICK);
  assert_near(p->T[1], 5, 1e-9);
  assert_near(p->N[1], 10, 1e-9);
  /* Slip at zero gap: T = mu_k N, nn (N - 10) = nt (T - 7.5). */
  double N = (nn * 10 - nt * 7.5) / (nn - nt * mu_k);
  assert_near(p->N[0], N, 1e-8);
  assert_near(p->T[0], mu_k * N, 1e-8);
  assert_true(7.5 > mu_s * 10 && p->motion[0].slip > 0);
  stop(&b);
}

/* A point that just cannot be held, 6.2 N above 6 N, slides at 3 N: with 94 % of the true stiffness this would pass for
 * stick, T + c_t slip = 3 N + 0.94 * 3.2 N, and no status would fit. */
static void what_just_slips_slips(void **unused) {
  (void)unused;
  bench b;
  start(&b);
  set_point(&b, 0, 10, 6.2, 1e-6, 0, 1e-6);
  set_point(&b, 1, 10, 5.8, 1e-6, 0, 1e-6);
  assert_int_equal(fw_local_solve(b.ctx, &b.problem), FW_OK);
  const fw_local_problem *p = &b.problem;
  assert_int_equal(p->status[0], FW_SLIP);
  assert_near(p->T[0], mu_k * 10, 1e-8);
  assert_int_equal(p->status[1], FW_STICK);
  assert_near(p->T[1], 5.8, 1e-9);
  stop(&b);
}

/* Points of 1 kg on springs of 30 N/m that carry 1 N, in steps of 2 ms, which press a little more than before: the force
 * is what the spring has to the last digits, though the inertia of a step that short would take 3e4 N to undo 33 mm. */
static void springs_carry_what_they_are_pressed(void **unused) {
  (void)unused;
  static const char *const settings[] = {"stiffness=30"};
  bench b;
  start(&b);
  const fw_normal_ops *linear = (const fw_normal_ops *)fw_table_find(&fw_normals, "linear");
  fw_args args = entry_args(b.ctx, &linear->entry, settings, 1);
  assert_int_equal(fw_normal_create(b.ctx, linear, &args, FW_LAGRANGE, &b.pair.normal), FW_OK);
  fw_args_clear(&args);
  b.pair.friction = (fw_friction){0};
  for (int i = 0; i < POINTS; i++) {
    b.old[i].N = b.problem.N[i] = 1;
    set_point(&b, i, 0, 0, 1e-6, 0, 1e-6);
    b.problem.free[2 * i] = -(1 + 1e-7) / 30 - 1e-6;
  }
  assert_int_equal(fw_local_solve(b.ctx, &b.problem), FW_OK);
  for (int i = 0; i < POINTS; i++) {
    double N = 30 * -b.problem.free[2 * i] / (1 + 30e-6);
    assert_true(fabs(b.problem.N[i] - N) < 1e-11);
  }
  fw_normal_clear(&b.pair.normal);
  stop(&b);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(what_can_hold_holds_beside_what_slips),
                                     cmocka_unit_test(what_just_slips_slips),
                                     cmocka_unit_test(springs_carry_what_they_are_pressed)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
