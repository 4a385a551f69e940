/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Transients on reduced models: beside those on the whole model, by every integrator, and beside harmonic balance; the error
 * that the summary tells is the true one. */
#include "verification/deck_run.h"

#define DECK(name) FW_SOURCE_DIR "/tests/verification/linear/" name

/* Largest difference of a sensor's histories over half the swing of the first. */
static double apart(const deck_run *run, const char *a, const char *b, const char *sensor) {
  size_t m, n;
  double most = 0.0, low = INFINITY, high = -INFINITY;
  const double *x = deck_column(run, a, "history", sensor, &m), *y = deck_column(run, b, "history", sensor, &n);
  for (size_t i = 0; i < m && i < n; i++) {
    most = fmax(most, fabs(x[i] - y[i]));
    low = fmin(low, x[i]);
    high = fmax(high, x[i]);
  }
  return most / (0.5 * (high - low));
}

/* `bound`: of the difference to the whole model. Twice as many modes find the error within `share`. */
static void error_is_told(const deck_run *run, const char *reduced, double bound, double share) {
  double truth = apart(run, "whole", reduced, "drive");
  printf("%s: %g of %g freedoms\n", reduced, deck_number(run, reduced, "reduction.freedoms"),
         deck_number(run, reduced, "reduction.freedoms_before"));
  bounded("whole and reduced model, over the amplitude", truth, bound);
  compare("error of the reduction", deck_number(run, reduced, "reduction.error"), truth, share);
  bounded("residual of its energy", deck_number(run, reduced, "energy.residual"), 1e-3);
}

static double response_at(const deck_run *run, double frequency) {
  size_t n;
  const double *f = deck_column(run, "frf", "frf-12", "frequency", &n);
  const double *amplitude = deck_column(run, "frf", "frf-12", "drive.amplitude", &n);
  for (size_t i = 0; i < n; i++)
    if (fabs(f[i] - frequency) < 1e-9 * frequency) return amplitude[i];
  fail_msg("no point at %g Hz", frequency);
  return NAN;
}

static void plane_strip(void **unused) {
  (void)unused;
  deck_run run;
  deck_open(&run, DECK("reduced-plane.xml"), NULL);
  error_is_told(&run, "reduced", 1e-4, 0.1);
  error_is_told(&run, "below", 1e-4, 0.2);
  error_is_told(&run, "rough", 0.03, 0.1);
  bounded("ida and alpha with short steps", apart(&run, "fine", "ida", "drive"), 5e-4);
  bounded("cvode and alpha with short steps", apart(&run, "fine", "cvode", "drive"), 5e-4);
  bounded("the whole model goes on from either", apart(&run, "on-whole", "on", "drive"), 1e-4);
  bounded("... as fast", apart(&run, "on-whole", "on", "middle"), 1e-3);
  compare("work of friction", deck_number(&run, "reduced", "contact.foot.dissipated_power"),
          deck_number(&run, "whole", "contact.foot.dissipated_power"), 1e-3);
  compare("amplitude, harmonic balance", deck_number(&run, "long", "sensors.drive.harmonics[1].amplitude"),
          response_at(&run, 150.0), 1e-3);
  deck_close(&run);
}

/* Loads, one of them all over the body, and the sensors are statically exact, with two modes: nothing stirs. */
static void rests_where_it_rested(void **unused) {
  (void)unused;
  deck_run run;
  size_t n;
  assert_int_equal(deck_try_only(&run, DECK("reduced-plane.xml"), NULL, "still"), FW_OK);
  const double *drive = deck_column(&run, "still", "history", "drive", &n);
  compare("place at the end of a rest", drive[n - 1], drive[0], 1e-9);
  compare("and of the static analysis", drive[0], deck_number(&run, "seated", "sensors.drive"), 1e-9);
  bounded("left out at the beginning", deck_number(&run, "still", "reduction.start_left_out"), 1e-4);
  deck_close(&run);
}

static void joint_to_von_karman_beam(void **unused) {
  (void)unused;
  deck_run run;
  deck_open(&run, DECK("reduced-mixed.xml"), NULL);
  error_is_told(&run, "reduced", 1e-3, 0.2);
  deck_close(&run);
}

static void modal_damping(void **unused) {
  (void)unused;
  deck_run run;
  deck_open(&run, DECK("reduced-modal-damping.xml"), NULL);
  error_is_told(&run, "reduced", 1e-3, 0.2);
  compare("loss in the damping", deck_number(&run, "reduced", "energy.structural_damping"),
          deck_number(&run, "whole", "energy.structural_damping"), 1e-3);
  deck_close(&run);
}

/* Whose states would be those of the reduced model. */
static void steps_of_a_caller_are_refused(void **unused) {
  (void)unused;
  fw_context *ctx;
  fw_deck *deck = NULL;
  fw_sim *sim = NULL;
  assert_int_equal(fw_context_create(&ctx), FW_OK);
  assert_int_equal(fw_deck_load(ctx, DECK("reduced-modal-damping.xml"), &deck), FW_OK);
  assert_int_equal(fw_sim_create(ctx, deck, "reduced", &sim), FW_ERR_ARGUMENT);
  assert_null(sim);
  assert_non_null(strstr(fw_context_message(ctx), "reduced is on a reduced model"));
  assert_int_equal(fw_sim_create(ctx, deck, "whole", &sim), FW_OK);
  fw_sim_destroy(&sim);
  fw_deck_destroy(&deck);
  fw_context_destroy(&ctx);
}

/* A body that nothing holds has no modes with what is kept held. */
static void free_bodies_are_refused(void **unused) {
  (void)unused;
  deck_run run;
  assert_int_equal(deck_try(&run, DECK("reduced-free.xml"), NULL), FW_ERR_ANALYSIS);
  assert_non_null(strstr(fw_context_message(run.ctx), "held by no support, contact or joint"));
  deck_close(&run);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(plane_strip),
                                     cmocka_unit_test(rests_where_it_rested),
                                     cmocka_unit_test(joint_to_von_karman_beam),
                                     cmocka_unit_test(modal_damping),
                                     cmocka_unit_test(steps_of_a_caller_are_refused),
                                     cmocka_unit_test(free_bodies_are_refused)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
