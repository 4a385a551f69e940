/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Stiffnesses and elastic slips chosen for a deck that leaves them open, and surfaces that follow. */
#include "contact/enforce/penalty.h"

#include <math.h>
#include <string.h>

#include "cmocka_all.h"
#include "input/deck.h"

static void chooses_for_beams(void **unused) {
  (void)unused;
  fw_context *ctx;
  fw_deck *deck = NULL;
  fw_built *built = NULL;
  assert_int_equal(fw_context_create(&ctx), FW_OK);
  assert_int_equal(fw_deck_load(ctx, FW_SOURCE_DIR "/tests/decks/good/beam-on-beam.xml", &deck), FW_OK);
  if (fw_deck_build(ctx, deck, &built) != FW_OK) fail_msg("%s", fw_context_message(ctx));
  const fw_model *model = built->model;
  assert_int_equal(model->pair_count, 3);
  const fw_pair *lap = model->pairs[0], *back = model->pairs[1], *end = model->pairs[2];
  assert_string_equal(back->id, "lap-back");
  assert_int_equal(lap->count, 9);
  assert_int_equal(back->count, 5);
  assert_ptr_equal(lap->target, model->surfaces[0]);
  assert_ptr_equal(back->target, model->surfaces[1]);
  assert_int_equal(model->contact_count, 9 + 5 + 1);

  /* the tip's own stiffness, 12 EI/l^3, times ten */
  const double EI = 210e9 * 20e-3 * 64e-9 / 12.0, l = 0.05;
  assert_near(end->normal.penalty / (10.0 * 12.0 * EI / (l * l * l)), 1.0, 1e-12);
  assert_true(lap->normal.penalty > 0.0 && lap->normal.penalty < 10.0 * 24.0 * EI / (l * l * l));

  /* elastic slip: 0.005 of the follower's edges */
  assert_near(lap->friction.stick.u_crit, 0.005 * 0.05, 1e-15);
  assert_near(back->friction.stick.u_crit, 0.005 * 0.1, 1e-15);

  /* the upper beam runs backwards, so its left side is the lower one */
  fw_kinematic k;
  assert_int_equal(fw_pair_kinematics(model, lap, 0, NULL, NULL, NULL, &k), FW_OK);
  double place[2];
  fw_attachment_place(model, &lap->followers[8].at, NULL, place);
  assert_near(place[1], 3e-3, 1e-15);
  assert_int_equal(fw_pair_kinematics(model, lap, 8, NULL, NULL, NULL, &k), FW_OK);
  assert_near(k.gap, 1e-3, 1e-15);

  fw_built_destroy(&built);
  fw_deck_destroy(&deck);
  fw_context_destroy(&ctx);
}

static void free_masses_have_no_backing(void **unused) {
  (void)unused;
  const fw_kinematic k = {.count = 2, .dof = {0, 1}, .gap_q = {0.6, 0.8}};
  const double none[2] = {0.0, 0.0}, some[2] = {0.0, 64.0}, both[2] = {36.0, 64.0};
  assert_near(fw_penalty_backing(&k, k.gap_q, none), 0.0, 0.0);
  assert_near(fw_penalty_backing(&k, k.gap_q, some), 100.0, 1e-12);
  assert_near(fw_penalty_backing(&k, k.gap_q, both), 50.0, 1e-12);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(chooses_for_beams),
      cmocka_unit_test(free_masses_have_no_backing),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
