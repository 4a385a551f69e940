/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Every law of the table against what every law must do; and laws that are wrong, which must be caught. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "cmocka_all.h"
#include "contact/friction/abilities.h"
#include "contact/friction/setting.h"

/* Further settings under which a law must do its duties too. */
static const struct {
  const char *law, *settings[5];
} variants[] = {{"coulomb", {"mu=0.3", "mu-minus=0.5"}},
                {"stribeck", {"exponent=1.5", "mu-v=2", "mu-s-minus=0.7", "v-s-minus=2e-3"}},
                {"karnopp", {"band=1e-4"}},
                {"stribeck", {"stick-limit=clipped"}},
                {"decay", {"stick-limit=clipped"}},
                {"coulomb-static", {"stick-limit=clipped"}},
                {"coulomb-static", {"mu-s=0.6", "mu-c=0.3", "mu-v=20"}},
                {"lugre", {"mu-s=0.2", "mu-c=0.5"}},
                {"lugre", {"sigma-1-minus=500", "sigma-2=10", "sigma-2-minus=40"}},
                {"lugre-normalised", {"mu-s=0.2", "mu-c=0.5", "sigma-1-minus=5", "sigma-2-minus=0.5"}},
                {"elasto-plastic", {"sigma-1-minus=500", "sigma-2-minus=40"}},
                {"continuous", {"mu=0.5", "mu-c=0.2", "mu-v=5", "mu-c-minus=0.3"}},
                {"continuous", {"mu=0.2", "mu-c=0.5", "exponent=1"}},
                {"dahl", {"exponent=0"}},
                {"dahl", {"exponent=0.5", "mu-c-minus=0.3"}},
                {"dahl", {"exponent=1.5"}},
                {"dahl", {"exponent=2"}},
                {"lugre", {"passive=yes", "sigma-1=1e5", "sigma-2=10"}},
                {"lugre", {"mu-s-minus=0.6", "mu-c-minus=0.4", "exponent=1"}},
                {"lugre-normalised", {"passive=yes"}},
                {"maxwell-slip", {"n-ref=83"}},
                {"maxwell-slip-modified", {"n-ref=83"}},
                {"iwan", {"n-ref=83", "cells=10", "chi=-0.2"}},
                {"bristle", {"n-ref=83"}},
                {"armstrong", {"n-ref=83", "f-v=3"}},
                {"bouc-wen", {"n=2", "beta=0.8", "gamma=0.2"}},
                {"bouc-wen", {"form=structural", "beta=1.5e5", "gamma=1e5", "n-ref=83"}},
                {"tabulated", {"speed=0,1e-3", "force=40,120", "mu=0.6,0.5,0.4,0.3"}},
                {"tabulated", {"formula=0.3 + 0.2*exp(-v/1e-3)*(N/83)^0.1", "formula-minus=0.4 + 2*v"}},
                {"reset-integrator", {"sigma-1=300", "mu-c-minus=0.3"}}};
enum { VARIANTS = sizeof variants / sizeof *variants };

static const char *run_duties(const fw_friction *law, const char **duty_name) {
  static char message[300];
  fw_context *ctx;
  fw_law_probe probe;
  const char *wrong = NULL;
  assert_int_equal(fw_context_create(&ctx), FW_OK);
  assert_int_equal(fw_law_probe_create(ctx, law, 83.0, &probe), FW_OK);
  for (const fw_duty *duty = fw_duties; duty->name && !wrong; duty++) {
    wrong = duty->check(&probe);
    *duty_name = duty->name;
  }
  if (wrong) snprintf(message, sizeof message, "%s", wrong);
  fw_law_probe_clear(&probe);
  fw_context_destroy(&ctx);
  return wrong ? message : NULL;
}

static int settle(const char *name, const char *const *settings, int count) {
  fw_context *ctx;
  fw_friction law;
  const char *duty_name = "";
  assert_int_equal(fw_context_create(&ctx), FW_OK);
  const fw_friction_ops *ops = (const fw_friction_ops *)fw_table_find(&fw_laws, name);
  if (fw_law_create(ctx, ops, settings, count, &law) != FW_OK) fail_msg("%s: %s", name, fw_context_message(ctx));
  const char *wrong = run_duties(&law, &duty_name);
  if (wrong) print_message("%s (%s): %s: %s\n", name, count ? settings[0] : "defaults", duty_name, wrong);
  fw_friction_clear(&law);
  fw_context_destroy(&ctx);
  return wrong != NULL;
}

static void every_law_does_its_duties(void **unused) {
  (void)unused;
  int failures = 0;
  for (const fw_entry *const *entry = fw_laws.entries; *entry; entry++) failures += settle((*entry)->name, NULL, 0);
  assert_int_equal(failures, 0);
}

static void every_variant_does_its_duties(void **unused) {
  (void)unused;
  int failures = 0;
  for (int k = 0; k < VARIANTS; k++) {
    int count = 0;
    while (count < 5 && variants[k].settings[count]) count++;
    failures += settle(variants[k].law, variants[k].settings, count);
  }
  assert_int_equal(failures, 0);
}

/* Laws side by side are a law again: states coupled, uncoupled and none in one. */
static void laws_in_parallel_do_their_duties(void **unused) {
  (void)unused;
  static const char *const names[] = {"dahl", "hybrid", "continuous", "coulomb", "maxwell-slip"};
  enum { PARTS = sizeof names / sizeof *names };
  for (int kind = 0; kind < 2; kind++) { /* all; those whose states are uncoupled */
    fw_context *ctx;
    fw_friction parts[PARTS], law;
    int count = 0;
    double stiffness = 0.0;
    const char *duty_name = "";
    assert_int_equal(fw_context_create(&ctx), FW_OK);
    for (int i = 0; i < PARTS; i++) {
      if (kind && strcmp(names[i], "hybrid") == 0) continue;
      const fw_friction_ops *ops = (const fw_friction_ops *)fw_table_find(&fw_laws, names[i]);
      assert_int_equal(fw_law_create(ctx, ops, NULL, 0, &parts[count]), FW_OK);
      stiffness += fw_friction_stick_stiffness(&parts[count++], 83.0);
    }
    assert_int_equal(fw_friction_join(ctx, parts, count, &law), FW_OK);
    assert_near(fw_friction_stick_stiffness(&law, 83.0) / stiffness, 1.0, 1e-12);
    assert_int_equal(fw_friction_uncoupled(&law), kind);
    const char *wrong = run_duties(&law, &duty_name);
    if (wrong) fail_msg("%s: %s", duty_name, wrong);
    fw_friction_clear(&law);
    fw_context_destroy(&ctx);
  }
}

/* Rates of laws side by side: forces add up, each follows its own states alone. */
static void rates_in_parallel_are_blocks(void **unused) {
  (void)unused;
  static const char *const names[] = {"dahl", "hybrid", "lugre"};
  enum { PARTS = sizeof names / sizeof *names, MOST = 8 };
  fw_context *ctx;
  fw_friction own[PARTS], law;
  double T = 0, T_v = 0, T_N = 0, z[MOST], room[2][4 * MOST + MOST * MOST];
  assert_int_equal(fw_context_create(&ctx), FW_OK);
  for (int i = 0; i < PARTS; i++)
    assert_int_equal(fw_law_create(ctx, (const fw_friction_ops *)fw_table_find(&fw_laws, names[i]), NULL, 0, &own[i]),
                     FW_OK);
  assert_int_equal(fw_friction_join(ctx, own, PARTS, &law), FW_OK);
  assert_true(fw_friction_has_rate(&law) && law.states > PARTS && law.states <= MOST);
  fw_rate_in in = {0.013, 83.0};
  fw_rate_out out[2]; /* of all, of one */
  for (int k = 0; k < 2; k++)
    out[k] = (fw_rate_out){.zdot = room[k],
                           .zdot_v = room[k] + MOST,
                           .zdot_N = room[k] + 2 * MOST,
                           .T_z = room[k] + 3 * MOST,
                           .zdot_z = room[k] + 4 * MOST};
  for (int s = 0; s < law.states; s++) z[s] = 1e-6 * (s + 1);
  fw_friction_rate(&law, &in, z, &out[0]);
  for (int i = 0, at = 0, count; i < PARTS; i++) {
    const fw_friction *part = &fw_friction_parts(&law, &count)[i];
    fw_friction_rate(part, &in, z + at, &out[1]);
    T += out[1].T;
    T_v += out[1].T_v;
    T_N += out[1].T_N;
    for (int s = 0; s < part->states; s++) {
      assert_true(out[0].zdot[at + s] == out[1].zdot[s] && out[0].T_z[at + s] == out[1].T_z[s]);
      assert_true(out[0].zdot_v[at + s] == out[1].zdot_v[s] && out[0].zdot_N[at + s] == out[1].zdot_N[s]);
      for (int r = 0; r < law.states; r++) {
        bool inside = r >= at && r < at + part->states;
        assert_true(out[0].zdot_z[(at + s) * law.states + r] ==
                    (inside ? out[1].zdot_z[s * part->states + r - at] : 0));
      }
    }
    at += part->states;
  }
  assert_near(out[0].T / T, 1.0, 1e-14);
  assert_near(out[0].T_v / T_v, 1.0, 1e-14);
  assert_near(out[0].T_N / T_N, 1.0, 1e-14);
  fw_friction_clear(&law);
  fw_context_destroy(&ctx);
}

/* ---- abilities ---------------------------------------------------------------------------- */

/* Abilities in the order of fw_abilities: Periodic, presLiding, Memory, Drift-free, no Creep, Rate-independent,
 * Velocity-weakening, Bounded. '-' where the law must not have it. */
static const struct {
  const char *law, *abilities;
} known[] = {{"coulomb", "P-MDCR-B"},
             {"coulomb-viscous", "P-MDC--B"},
             {"stribeck", "P-MDC-VB"},
             {"continuous", "P-----  "},
             {"dahl", "PL--CR-B"},
             {"lugre", "PL--C-VB"},
             {"lugre-normalised", "PL--C-VB"},
             {"elasto-plastic", "PL-DC-VB"},
             {"maxwell-slip", "PLMDCR-B"},
             {"maxwell-slip-modified", "PLMDCR-B"},
             {"gms", "PLMDC-VB"},
             {"iwan", "PLM CR-B"},
             {"bouc-wen", "PL--CR-B"},
             {"bristle", "-L  CR-B"},
             {"hybrid", "PL--C-VB"}};

static void abilities_are_found(void **unused) {
  (void)unused;
  fw_context *ctx;
  int wrong = 0;
  assert_int_equal(fw_context_create(&ctx), FW_OK);
  for (const fw_entry *const *entry = fw_laws.entries; *entry; entry++) {
    bool found[FW_ABILITY_COUNT];
    char line[200] = "";
    assert_int_equal(fw_law_abilities(ctx, (const fw_friction_ops *)*entry, found), FW_OK);
    for (int i = 0; i < FW_ABILITY_COUNT; i++)
      if (found[i]) strcat(strcat(line, " "), fw_abilities[i].name);
    print_message("%-22s%s\n", (*entry)->name, line);
    for (size_t k = 0; k < sizeof known / sizeof *known; k++)
      for (int i = 0; strcmp(known[k].law, (*entry)->name) == 0 && i < FW_ABILITY_COUNT; i++)
        if (known[k].abilities[i] != ' ' && found[i] != (known[k].abilities[i] != '-')) {
          print_message("  %s: '%s' is wrongly %s\n", known[k].law, fw_abilities[i].name,
                        found[i] ? "found" : "missed");
          wrong++;
        }
  }
  fw_context_destroy(&ctx);
  assert_int_equal(wrong, 0);
}

/* ---- laws that are wrong must be caught ---------------------------------------------------- */

extern const fw_friction_ops fw_friction_lugre, fw_friction_dahl, fw_friction_coulomb, fw_friction_maxwell_slip;

static void flipped_step(const double *c, const fw_step_in *in, const double *z_old, fw_step_out *out) {
  fw_friction_lugre.step(c, in, z_old, out);
  out->T = -out->T;
  for (int j = 0; out->T_x && j < FW_STEP_INPUTS; j++) out->T_x[j] = -out->T_x[j];
  if (out->T_z) out->T_z[0] = -out->T_z[0];
}

static void careless_step(const double *c, const fw_step_in *in, const double *z_old, fw_step_out *out) {
  fw_friction_dahl.step(c, in, z_old, out);
  if (out->T_x) out->T_x[FW_STEP_N0] = 0.0; /* forgets that N acts at mid-step */
}

static void untidy_step(const double *c, const fw_step_in *in, const double *z_old, fw_step_out *out) {
  fw_friction_dahl.step(c, in, z_old, out);
  ((double *)z_old)[0] = out->z[0]; /* commits on its own */
}

static void fragile_step(const double *c, const fw_step_in *in, const double *z_old, fw_step_out *out) {
  fw_friction_dahl.step(c, in, z_old, out);
  out->T *= in->x[FW_STEP_V1] / in->x[FW_STEP_V1]; /* 0/0 at rest */
}

static void other_rate(const double *c, const fw_rate_in *in, const double *z, fw_rate_out *out) {
  fw_friction_dahl.rate(c, &(fw_rate_in){1.1 * in->v, in->N}, z, out);
  if (out->zdot_v) out->zdot_v[0] *= 1.1;
}

static void growing_step(const double *c, const fw_step_in *in, const double *z_old, fw_step_out *out) {
  fw_friction_maxwell_slip.step(c, in, z_old, out);
  double boost = in->x[FW_STEP_DU] * out->T < 0.0 ? 1.2 : 1.0; /* stiffer on the way back: gives energy */
  out->T *= boost;
  for (int j = 0; out->T_x && j < FW_STEP_INPUTS; j++) out->T_x[j] *= boost;
  for (int i = 0; out->T_z && i < 4; i++) out->T_z[i] *= boost;
}

static void wrong_limit(const double *c, double v, double N, const double *z, fw_limit_out *out) {
  fw_friction_coulomb.limit(c, v, N, z, out);
  out->slip_N *= 0.5;
}

static void expect_caught(const fw_friction_ops *ops, const char *duty_expected) {
  fw_context *ctx;
  fw_friction law;
  const char *duty_name = "";
  assert_int_equal(fw_context_create(&ctx), FW_OK);
  assert_int_equal(fw_law_create(ctx, ops, NULL, 0, &law), FW_OK);
  const char *wrong = run_duties(&law, &duty_name);
  assert_non_null(wrong);
  print_message("caught by '%s': %s\n", duty_name, wrong);
  assert_string_equal(duty_name, duty_expected);
  fw_friction_clear(&law);
  fw_context_destroy(&ctx);
}

static void wrong_laws_are_caught(void **unused) {
  (void)unused;
  fw_friction_ops flipped = fw_friction_lugre, careless = fw_friction_dahl, untidy = careless, fragile = careless;
  fw_friction_ops other = careless, growing = fw_friction_maxwell_slip, limit = fw_friction_coulomb;
  flipped.step = flipped_step;
  flipped.rate = NULL;
  careless.step = careless_step;
  untidy.step = untidy_step;
  fragile.step = fragile_step;
  other.rate = other_rate;
  growing.step = growing_step;
  limit.limit = wrong_limit;
  expect_caught(&flipped, "passive");
  expect_caught(&careless, "step derivatives");
  expect_caught(&untidy, "step derivatives");
  expect_caught(&fragile, "step derivatives");
  expect_caught(&other, "rate against step");
  expect_caught(&growing, "passive");
  expect_caught(&limit, "step derivatives");
}

/* A law that says more of itself than it can do. */
static void wrong_claims_are_caught(void **unused) {
  (void)unused;
  fw_friction_ops boastful = fw_friction_dahl, unheard_of = fw_friction_dahl, flat = fw_friction_coulomb;
  boastful.claims = "periodic drift-free";
  unheard_of.claims = "periodic clairvoyant";
  flat.claims = "velocity-weakening";
  expect_caught(&boastful, "claims");
  expect_caught(&unheard_of, "claims");
  expect_caught(&flat, "claims");
}

static void has(const fw_friction_ops *ops, const char *const *settings, int count, const char *ability,
                bool expected) {
  fw_context *ctx;
  fw_friction law;
  bool found;
  assert_int_equal(fw_context_create(&ctx), FW_OK);
  assert_int_equal(fw_law_create(ctx, ops, settings, count, &law), FW_OK);
  assert_int_equal(fw_law_has_ability(ctx, &law, 83.0, ability, &found), FW_OK);
  if (found != expected) fail_msg("%s: '%s' %s", ops->entry.name, ability, found ? "found" : "missed");
  fw_friction_clear(&law);
  fw_context_destroy(&ctx);
}

/* An ability is what a law does with its numbers, not what its name promises. */
static void abilities_follow_the_numbers(void **unused) {
  (void)unused;
  const char *viscous[] = {"sigma-2=1000"}, *flat[] = {"mu-s=0.3", "mu-c=0.3"}, *sharp[] = {"exponent=0"};
  has(&fw_friction_lugre, viscous, 1, "rate-independent", false);
  has(&fw_friction_lugre, flat, 2, "velocity-weakening", false);
  has(&fw_friction_dahl, sharp, 1, "memory", true);
  has(&fw_friction_dahl, sharp, 1, "drift-free", true);
  has(&fw_friction_dahl, NULL, 0, "drift-free", false);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_law_does_its_duties),
      cmocka_unit_test(every_variant_does_its_duties),
      cmocka_unit_test(laws_in_parallel_do_their_duties),
      cmocka_unit_test(rates_in_parallel_are_blocks),
      cmocka_unit_test(abilities_are_found),
      cmocka_unit_test(wrong_laws_are_caught),
      cmocka_unit_test(wrong_claims_are_caught),
      cmocka_unit_test(abilities_follow_the_numbers),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
