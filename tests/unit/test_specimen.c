/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Friction laws on arrays, without a deck. */
#include <math.h>
#include <string.h>

#include "one_context.h"

/* Dahl with exponent 1 under constant slip velocity: T = mu N (1 - exp(-sigma u/(mu N))). */
static void dahl_from_rest(void **state) {
  (void)state;
  enum { COUNT = 401 };
  static const char *const words[] = {"dahl", "mu-c=0.5", "sigma-0=1e6", "exponent=1"};
  const double limit = 0.5 * 10.0;
  double t[COUNT], u[COUNT], N[COUNT], T[COUNT], v[] = {1e-3, -2.0}, steady[2];
  fw_specimen *dahl = NULL;
  for (int i = 0; i < COUNT; i++) {
    t[i] = i * 1e-3;
    u[i] = 0.1 * t[i];
    N[i] = 10.0;
  }
  assert_int_equal(fw_specimen_create(ctx, words, 4, &dahl), FW_OK);
  assert_int_equal(fw_specimen_drive(ctx, dahl, COUNT, t, u, N, T), FW_OK);
  assert_true(T[0] == 0.0);
  for (int i = 0; i < COUNT; i++) {
    double exact = limit * (1.0 - exp(-1e6 * u[i] / limit));
    if (fabs(T[i] - exact) > 1e-9 * limit) fail_msg("%d: %.12g, not %.12g", i, T[i], exact);
  }
  assert_int_equal(fw_specimen_slide(ctx, dahl, 10.0, 2, v, steady), FW_OK);
  assert_true(fabs(steady[0] - limit) < 1e-6 * limit && fabs(steady[1] + limit) < 1e-6 * limit);
  fw_specimen_destroy(&dahl);
  assert_null(dahl);
}

static void what_makes_no_sense_is_refused(void **state) {
  (void)state;
  static const char *const wrong[] = {"dhal"}, *const two[] = {"dahl", "lugre"}, *const both[] = {"dahl", "+", "lugre"};
  const double back[] = {0.0, 0.0};
  double T[2];
  fw_specimen *law = NULL;
  assert_int_equal(fw_specimen_create(ctx, wrong, 1, &law), FW_ERR_ARGUMENT);
  assert_non_null(strstr(fw_context_message(ctx), "did you mean 'dahl'"));
  assert_int_equal(fw_specimen_create(ctx, two, 2, &law), FW_ERR_ARGUMENT);
  assert_int_equal(fw_specimen_create(ctx, two, 0, &law), FW_ERR_ARGUMENT);
  assert_int_equal(fw_specimen_create(ctx, NULL, 1, &law), FW_ERR_ARGUMENT);
  assert_int_equal(fw_specimen_create(NULL, two, 1, &law), FW_ERR_ARGUMENT);
  assert_int_equal(fw_specimen_create(ctx, two, 1, NULL), FW_ERR_ARGUMENT);
  fw_specimen_destroy(&law);
  fw_specimen_destroy(NULL);
  assert_int_equal(fw_specimen_create(ctx, both, 3, &law), FW_OK);
  assert_int_equal(fw_specimen_drive(ctx, law, 2, back, back, NULL, T), FW_ERR_ARGUMENT);
  assert_int_equal(fw_specimen_drive(ctx, law, 1, back, back, NULL, NULL), FW_ERR_ARGUMENT);
  assert_int_equal(fw_specimen_drive(ctx, law, 1, NULL, back, NULL, T), FW_ERR_ARGUMENT);
  assert_int_equal(fw_specimen_drive(ctx, NULL, 1, back, back, NULL, T), FW_ERR_ARGUMENT);
  assert_int_equal(fw_specimen_slide(ctx, NULL, 1.0, 1, back, T), FW_ERR_ARGUMENT);
  assert_int_equal(fw_specimen_slide(ctx, law, 1.0, 1, NULL, T), FW_ERR_ARGUMENT);
  assert_int_equal(fw_specimen_drive(ctx, law, 1, back, back, NULL, T), FW_OK);
  fw_specimen_destroy(&law);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(dahl_from_rest),
                                     cmocka_unit_test(what_makes_no_sense_is_refused)};
  return cmocka_run_group_tests(tests, open_context, close_context);
}
