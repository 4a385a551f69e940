/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Numbers of LuGre's law from a slider that sticks and slips: its motion is made by another integration, of much smaller
 * steps, with noise. */
#include <gsl/gsl_randist.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "cmocka_all.h"
#include "contact/friction/setting.h"
#include "identify_case.h"

static const double MASS = 1, SPRING = 1e5, SPEED = 2e-3, NORMAL = 50; /* kg, N/m, m/s, N */
static const double MU_S = 0.5, MU_C = 0.3, V_S = 5e-3, SIGMA_0 = 1e7, SIGMA_1 = 1e3;

static fw_friction make_law(fw_context *ctx, const char *mu_c) {
  const char *const settings[] = {"mu-s=0.5", mu_c, "v-s=5e-3", "sigma-0=1e7", "sigma-1=1e3", "sigma-2=0"};
  const fw_friction_ops *ops = (const fw_friction_ops *)(const void *)fw_table_find(&fw_laws, "lugre");
  fw_friction law = {0};
  assert_int_equal(fw_law_create(ctx, ops, settings, 6, &law), FW_OK);
  return law;
}

/* motion.csv: displacement at 5 kHz from the slack spring on, about `offset`, with noise (m). */
static void pull(const char *mu_c, double speed, double end, double offset, double noise) {
  enum { PARTS = 100 };
  const double h = 2e-6;
  fw_context *ctx;
  double z[8], z_next[8], u = 0, v = 0, T = 0;
  gsl_rng *random = gsl_rng_alloc(gsl_rng_mt19937);
  assert_int_equal(fw_context_create(&ctx), FW_OK);
  fw_friction law = make_law(ctx, mu_c);
  fw_friction_reset(&law, z);
  FILE *file = open_file("motion.csv");
  fputs("time [s],slider [m]\n", file);
  for (int n = 0; n * h < end; n++) {
    if (n % PARTS == 0) fprintf(file, "%.12g,%.12g\n", n * h, offset + u + gsl_ran_gaussian(random, noise));
    double faster = v + h / MASS * (SPRING * (speed * n * h - u) - T);
    fw_step_in in = {.x = {h * faster, v, faster, NORMAL, NORMAL}, .dt = h};
    fw_step_out out = {.z = z_next};
    fw_friction_step(&law, &in, z, &out);
    memcpy(z, z_next, (size_t)law.states * sizeof *z);
    u += h * faster;
    v = faster;
    T = out.T;
  }
  assert_int_equal(fclose(file), 0);
  fw_friction_clear(&law);
  fw_context_destroy(&ctx);
  gsl_rng_free(random);
}

static void write_deck(const char *deviation, const char *attributes) {
  write_file("deck.xml",
             "<fretwork version=\"1\">\n<bodies><rigid id=\"a\" at=\"0, 0\" m=\"1\" rotation=\"none\"/></bodies>\n"
             "<sensors><sensor id=\"slider\" at=\"a.centre\" quantity=\"displacement\" direction=\"x\"/></sensors>\n"
             "<data><signals id=\"motion\" file=\"motion.csv\" %s/></data>\n"
             "<identification><identify id=\"e\" method=\"loop\" experiment=\"stick-slip\" data=\"motion\" "
             "profiles=\"no\" %s/></identification>\n</fretwork>\n",
             deviation, attributes);
}

#define PULLED "mass=\"1\" stiffness=\"1e5\" speed=\"2e-3\" normal=\"50\""

static void two_stages_find_the_law(void **unused) {
  (void)unused;
  deck_run run;
  pull("mu-c=0.3", SPEED, 0.4, 1e-3, 2e-8);
  write_deck("deviation=\"2e-8\"", PULLED);
  run_deck(&run, NULL);
  assert_true(number(&run, "identification.e.slips") >= 2);
  near(&run, "identification.e.stages[0].mu-s", MU_S, 0.05); /* by the record alone */
  near(&run, "identification.e.stages[0].mu-c", MU_C, 0.1);
  near(&run, "identification.e.stages[1].mu-s", MU_S, 0.02); /* the bristles' damper is not known yet */
  near(&run, "identification.e.mu-s", MU_S, 0.002);
  near(&run, "identification.e.mu-c", MU_C, 0.002);
  near(&run, "identification.e.v-s", V_S, 0.02);
  near(&run, "identification.e.sigma-0", SIGMA_0, 0.02);
  near(&run, "identification.e.sigma-1", SIGMA_1, 0.02);
  near(&run, "identification.e.offset", 1e-3, 1e-4);
  near(&run, "identification.e.rms", 2e-8, 0.1);
  assert_false(is_warned(&run, "e", "does not describe"));
  deck_close(&run);
}

/* The same record with another spring: what is found says that it describes nothing. */
static void wrong_spring_is_warned_of(void **unused) {
  (void)unused;
  deck_run run;
  pull("mu-c=0.3", SPEED, 0.3, 0, 2e-8);
  write_deck("deviation=\"2e-8\"", "mass=\"1\" stiffness=\"1.3e5\" speed=\"2e-3\" normal=\"50\"");
  run_deck(&run, NULL);
  assert_true(is_warned(&run, "e", "does not describe the motion"));
  deck_close(&run);
}

static void what_cannot_be_told_is_refused(void **unused) {
  (void)unused;
  pull("mu-c=0.5", SPEED, 0.4, 0, 2e-8);
  write_deck("", PULLED);
  refused("'motion' never slips");
  pull("mu-c=0.3", SPEED, 0.4, 0, 2e-8);
  write_deck("", "mass=\"1\" stiffness=\"1e5\" speed=\"2e-3\"");
  refused("attribute 'normal': the experiment stick-slip needs it");
  write_deck("", PULLED " laws=\"dahl\"");
  refused("stick-slip takes one law whose contact is elastic");
  write_deck("", PULLED " laws=\"lugre, hybrid\"");
  refused("stick-slip takes one law");
  write_deck("", PULLED " objective=\"range\"");
  refused("attribute 'objective': has no meaning");
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(two_stages_find_the_law),
                                     cmocka_unit_test(wrong_spring_is_warned_of),
                                     cmocka_unit_test(what_cannot_be_told_is_refused)};
  return cmocka_run_group_tests(tests, make_folder, drop_folder);
}
