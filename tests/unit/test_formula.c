/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Formulas: values, derivatives, names of the deck, threads; and the law that takes them. */
#include "input/formula.h"

#include <math.h>
#include <pthread.h>
#include <string.h>

#include "cmocka_all.h"
#include "contact/friction/setting.h"

extern const fw_friction_ops fw_friction_tabulated, fw_friction_stribeck;

static fw_context *ctx;

static int start(void **state) {
  (void)state;
  return fw_context_create(&ctx) == FW_OK ? 0 : -1;
}

static int stop(void **state) {
  (void)state;
  fw_context_destroy(&ctx);
  return 0;
}

static fw_formula *compile(const char *text) {
  fw_formula *formula;
  if (fw_formula_compile(ctx, text, "v|N", &formula) != FW_OK) fail_msg("%s", fw_context_message(ctx));
  return formula;
}

static void values_and_slopes(void **unused) {
  (void)unused;
  fw_formula *f = compile("0.2 + 0.3*exp(-(v/1e-3)^2) + 0.1*(N/100)^(-1/3)");
  static const double speeds[] = {0.0, 1e-9, 1e-5, 7e-4, 3e-3, 2.0}, loads[] = {1e-3, 83.0, 1e5};
  for (int i = 0; i < 6; i++)
    for (int k = 0; k < 3; k++) {
      double v = speeds[i], N = loads[k], fall = 0.3 * exp(-v * v * 1e6), load = 0.1 * pow(N / 100.0, -1.0 / 3.0);
      double slopes[2], value = f->value(f, (const double[]){v, N}, slopes);
      assert_near(value, 0.2 + fall + load, 1e-14);
      assert_near(slopes[0] * 1e-3, -2.0 * v * 1e3 * fall, 1e-6); /* over the Stribeck velocity */
      assert_near(slopes[1] * N, -load / 3.0, 1e-9);
    }
  fw_formula_release(&f);
  assert_null(f);
}

/* What is a number only for some arguments is sound, wherever that may be. */
static void numbers_may_be_anywhere(void **unused) {
  (void)unused;
  static const char *const sound[] = {"sqrt(0.05-v)", "log(v-40)", "sqrt((v-0.2)*(0.3-v))", "log(-v)", "sqrt(N-2)/v"};
  for (size_t i = 0; i < sizeof sound / sizeof *sound; i++) {
    fw_formula *formula;
    assert_int_equal(fw_formula_compile(ctx, sound[i], "v|N", &formula), FW_OK);
    fw_formula_release(&formula);
  }
}

static void wrong_texts_are_told(void **unused) {
  (void)unused;
  static const char *const wrong[][2] = {{"0.2 + exq(v)", "did you mean 'exp'"},
                                         {"0.2 + 0.1*w", "no parameter or function 'w'"},
                                         {"v = 3", "not allowed"},
                                         {"0.2 +", "nexpected"},
                                         {"1/0*v", "not finite"},
                                         {"sqrt(-1)", "not finite"},
                                         {"0.1, 0.2", "one number"}};
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
    fw_formula *formula;
    assert_int_equal(fw_formula_compile(ctx, wrong[i][0], "v|N", &formula), FW_ERR_ARGUMENT);
    if (!strstr(fw_context_message(ctx), wrong[i][1])) fail_msg("%s: %s", wrong[i][0], fw_context_message(ctx));
    assert_null(formula);
  }
}

/* Names of the deck are constants with the value they have when the formula is read; variables hide them. */
static void takes_names_of_the_deck(void **unused) {
  (void)unused;
  fw_scope *scope;
  fw_formula *formula;
  double mu = 0.4, v = 7.0;
  char why[200];
  assert_int_equal(fw_scope_create(ctx, &scope), FW_OK);
  assert_null(fw_scope_define(scope, "mu_c", &mu));
  assert_null(fw_scope_define(scope, "v", &v));
  assert_int_equal(fw_formula_of_scope(ctx, scope, "mu_c + v", "v|N", &formula, why, sizeof why), FW_OK);
  assert_string_equal(why, "");
  mu = 100.0;
  fw_scope_destroy(&scope);
  assert_near(formula->value(formula, (const double[]){0.1, 1.0}, NULL), 0.5, 1e-15);
  fw_formula_release(&formula);
}

/* ---- threads ------------------------------------------------------------------------------ */

typedef struct worker {
  const fw_formula *formula;
  int number, wrong;
} worker;

static void *ask(void *user) {
  worker *w = user;
  for (int i = 0; i < 20000; i++) {
    double v = 1e-3 * (w->number + 1) * (i % 7), N = 10.0 + i % 13, slopes[2];
    double value = w->formula->value(w->formula, (const double[]){v, N}, slopes);
    w->wrong += fabs(value - (0.3 + v * N)) > 1e-14 || fabs(slopes[1] - v) > 1e-9;
  }
  return NULL;
}

static void any_thread_may_ask(void **unused) {
  (void)unused;
  enum { THREADS = 8 };
  fw_formula *formula = compile("0.3 + v*N");
  worker workers[THREADS];
  pthread_t threads[THREADS];
  for (int i = 0; i < THREADS; i++) {
    workers[i] = (worker){formula, i, 0};
    assert_int_equal(pthread_create(&threads[i], NULL, ask, &workers[i]), 0);
  }
  for (int i = 0; i < THREADS; i++) {
    pthread_join(threads[i], NULL);
    assert_int_equal(workers[i].wrong, 0);
  }
  fw_formula_release(&formula);
}

/* ---- the law ------------------------------------------------------------------------------ */

/* The Stribeck law written as a formula gives what the Stribeck law gives, in both directions. */
static void a_formula_can_be_stribeck(void **unused) {
  (void)unused;
  static const char *const by_formula[] = {"formula=0.155 + (0.479 - 0.155)*exp(-(v/6.797e-4)^2)",
                                           "formula-minus=0.2 + 0.2*exp(-(v/1e-3)^2)"};
  static const char *const by_law[] = {"mu-s=0.479",     "mu-c=0.155",     "v-s=6.797e-4",
                                       "mu-s-minus=0.4", "mu-c-minus=0.2", "v-s-minus=1e-3"};
  fw_friction formula, law;
  if (fw_law_create(ctx, &fw_friction_tabulated, by_formula, 2, &formula) != FW_OK)
    fail_msg("%s", fw_context_message(ctx));
  assert_int_equal(fw_law_create(ctx, &fw_friction_stribeck, by_law, 6, &law), FW_OK);
  double z[2][2] = {{0}}, next[2][2], T_x[2][FW_STEP_INPUTS], z_x[2 * FW_STEP_INPUTS], z_z[4], T_z[2];
  for (int k = 0; k < 400; k++) {
    double v0 = 2e-3 * sin(0.1 * k), v1 = 2e-3 * sin(0.1 * (k + 1)), dt = 1e-3;
    fw_step_in in = {{0.5 * dt * (v0 + v1), v0, v1, 80.0, 80.0 + k % 5}, dt};
    double T[2];
    for (int i = 0; i < 2; i++) {
      fw_step_out out = {.z = next[i], .T_x = T_x[i], .z_x = z_x, .z_z = z_z, .T_z = T_z};
      fw_friction_step(i ? &law : &formula, &in, z[i], &out);
      T[i] = out.T;
    }
    assert_near(T[0], T[1], 1e-11);
    assert_near(T_x[0][FW_STEP_N1], T_x[1][FW_STEP_N1], 1e-8);
    assert_near(T_x[0][FW_STEP_V1], T_x[1][FW_STEP_V1], 1e-4); /* of 83 N/v_s = 1.2e5 */
    memcpy(z, next, sizeof z);
  }
  fw_friction_clear(&formula);
  fw_friction_clear(&law);
}

static void the_law_refuses_what_it_cannot_use(void **unused) {
  (void)unused;
  static const struct {
    const char *settings[2], *says;
  } wrong[] = {{{"formula=0.3", "mu=0.1,0.2,0.3"}, "either a table or a formula"},
               {{"formula-minus=0.3", NULL}, "either a table or a formula"},
               {{"formula=0.3/v", NULL}, "no value at v = 0"},
               {{"formula=0.3*w", NULL}, "'w'"}};
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
    fw_friction law;
    int count = wrong[i].settings[1] ? 2 : 1;
    assert_int_not_equal(fw_law_create(ctx, &fw_friction_tabulated, wrong[i].settings, count, &law), FW_OK);
    if (!strstr(fw_context_message(ctx), wrong[i].says)) fail_msg("%s", fw_context_message(ctx));
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(values_and_slopes),
                                     cmocka_unit_test(numbers_may_be_anywhere),
                                     cmocka_unit_test(wrong_texts_are_told),
                                     cmocka_unit_test(takes_names_of_the_deck),
                                     cmocka_unit_test(any_thread_may_ask),
                                     cmocka_unit_test(a_formula_can_be_stribeck),
                                     cmocka_unit_test(the_law_refuses_what_it_cannot_use)};
  return cmocka_run_group_tests(tests, start, stop);
}
