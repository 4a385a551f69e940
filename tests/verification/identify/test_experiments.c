/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Numbers of LuGre's law from experiments made for them, on records that the law itself makes: constant speeds, a ramp
 * of force, small signals. */
#include <gsl/gsl_randist.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "cmocka_all.h"
#include "contact/friction/setting.h"
#include "identify/loops.h"
#include "identify_case.h"

enum { RECORDS = 12 };
static const double MU_S = 0.5, MU_C = 0.3, V_S = 1e-3, SIGMA_0 = 1e7, SIGMA_1 = 1e3, SIGMA_2 = 400, NORMAL = 83;

static FILE *open_record(int i) {
  char name[32];
  snprintf(name, sizeof name, "%d.csv", i);
  return open_file(name);
}

static fw_friction make_law(fw_context *ctx) {
  static const char *const settings[] = {"mu-s=0.5",    "mu-c=0.3",    "v-s=1e-3",
                                         "sigma-0=1e7", "sigma-1=1e3", "sigma-2=400"};
  const fw_friction_ops *ops = (const fw_friction_ops *)(const void *)fw_table_find(&fw_laws, "lugre");
  fw_friction law = {0};
  assert_int_equal(fw_law_create(ctx, ops, settings, 6, &law), FW_OK);
  return law;
}

/* Writes record i: u and v of `motion` at t, T of the law with noise (part of its largest). */
static void record(int i, double end, void (*motion)(double t, double x, double *u, double *v), double x,
                   double noise) {
  enum { ROWS = 401 };
  static double block[5][ROWS];
  fw_context *ctx;
  fw_loop_data l = {.count = ROWS, .t = block[0], .u = block[1], .v = block[2], .N = block[3]};
  gsl_rng *random = gsl_rng_alloc(gsl_rng_mt19937);
  gsl_rng_set(random, (unsigned long)i + 1);
  for (int r = 0; r < ROWS; r++) {
    l.t[r] = end * r / (ROWS - 1);
    l.N[r] = NORMAL;
    motion(l.t[r], x, &l.u[r], &l.v[r]);
  }
  assert_int_equal(fw_context_create(&ctx), FW_OK);
  fw_friction law = make_law(ctx);
  assert_int_equal(fw_loop_follow(ctx, &law, &l, FW_LOOP_FRESH, 50, block[4]), FW_OK);
  double most = 0;
  for (int r = 0; r < ROWS; r++) most = fmax(most, fabs(block[4][r]));
  FILE *file = open_record(i);
  fputs("t [s],u [m],v [m/s],N [N],T [N]\n", file);
  for (int r = 0; r < ROWS; r++)
    fprintf(file, "%.12g,%.12g,%.12g,%.12g,%.12g\n", l.t[r], l.u[r], l.v[r], l.N[r],
            block[4][r] + (noise > 0 ? gsl_ran_gaussian(random, noise * most) : 0));
  assert_int_equal(fclose(file), 0);
  fw_friction_clear(&law);
  fw_context_destroy(&ctx);
  gsl_rng_free(random);
}

static void write_deck(int records, const char *attributes) {
  FILE *file = open_file("deck.xml");
  fputs("<fretwork version=\"1\">\n<bodies><rigid id=\"a\" at=\"0, 0\" m=\"1\" rotation=\"none\"/></bodies>\n<data>\n",
        file);
  for (int i = 0; i < records; i++) fprintf(file, "<loop id=\"r%d\" file=\"%d.csv\"/>\n", i, i);
  fputs("</data>\n<identification><identify id=\"e\" method=\"loop\" data=\"", file);
  for (int i = 0; i < records; i++) fprintf(file, "%sr%d", i ? ", " : "", i);
  fprintf(file, "\" %s/></identification>\n</fretwork>\n", attributes);
  assert_int_equal(fclose(file), 0);
}

/* ---- constant speeds --------------------------------------------------------------------- */

static void steadily(double t, double speed, double *u, double *v) {
  *u = speed * t;
  *v = speed;
}

static void curve_comes_from_constant_speeds(void **unused) {
  (void)unused;
  deck_run run;
  for (int i = 0; i < RECORDS; i++) {
    double speed = 5e-5 * pow(10.0, 2.0 * i / (RECORDS - 1)) * (i % 2 ? -1 : 1);
    record(i, 1e-4 / fabs(speed), steadily, speed, 0.01);
  }
  write_deck(RECORDS, "experiment=\"speeds\"");
  run_deck(&run, NULL);
  near(&run, "identification.e.mu-s", MU_S, 0.01);
  near(&run, "identification.e.mu-c", MU_C, 0.01);
  near(&run, "identification.e.v-s", V_S, 0.02);
  near(&run, "identification.e.sigma-2", SIGMA_2 / NORMAL, 0.05);
  assert_int_equal((int)number(&run, "identification.e.rank"), 4);
  deck_close(&run);
  write_deck(3, "experiment=\"speeds\"");
  refused("3 constant speeds are too few for 4 numbers");
  write_deck(3, "experiment=\"speeds\" laws=\"dahl\"");
  refused("attribute 'laws': has no meaning");
  write_deck(3, "experiment=\"speeds\" hold=\"sigma-2=0, k-e=1\"");
  refused("attribute 'hold': a word of");
  write_deck(5, "experiment=\"speeds\" hold=\"sigma-2=0\"");
  run_deck(&run, NULL);
  assert_int_equal((int)number(&run, "identification.e.parameters"), 3);
  deck_close(&run);
}

/* ---- a ramp ------------------------------------------------------------------------------ */

/* A block of 1 kg that is pulled by a force that grows, slowly (the faster, the earlier LuGre lets go), until it has slid
 * 0.3 mm. */
static void pull(int i, double rate) {
  fw_context *ctx;
  double z[8], z_next[8], u = 0, v = 0, T = 0, h = 2e-5;
  assert_int_equal(fw_context_create(&ctx), FW_OK);
  fw_friction law = make_law(ctx);
  fw_friction_reset(&law, z);
  FILE *file = open_record(i);
  fputs("t [s],u [m],v [m/s],N [N],T [N]\n", file);
  for (int n = 0; u < 3e-4 && n < 1000000; n++) {
    if (n % 200 == 0) fprintf(file, "%.12g,%.12g,%.12g,%g,%.12g\n", n * h, u, v, NORMAL, T);
    double faster = v + h * (rate * n * h - T);
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
}

static void static_friction_comes_from_a_ramp(void **unused) {
  (void)unused;
  deck_run run;
  pull(0, 5);
  pull(1, 10);
  write_deck(2, "experiment=\"ramp\"");
  run_deck(&run, NULL);
  near(&run, "identification.e.mu-s", MU_S, 0.02);
  near(&run, "identification.e.sigma-0", SIGMA_0, 0.05);
  near(&run, "identification.e.reach", MU_S * NORMAL / SIGMA_0, 0.05);
  deck_close(&run);
}

static void slowly(double t, double amplitude, double *u, double *v) {
  *u = amplitude * t;
  *v = amplitude;
}

static void ramp_that_never_slides_is_refused(void **unused) {
  (void)unused;
  record(0, 1, slowly, 1e-6, 0);
  write_deck(1, "experiment=\"ramp\"");
  refused("'r0' never breaks away");
}

/* ---- small signals ----------------------------------------------------------------------- */

static const double SMALL = 4e-8; /* m, a hundredth of the reach */

static void to_and_fro(double t, double frequency, double *u, double *v) {
  *u = SMALL * sin(2 * M_PI * frequency * t);
  *v = SMALL * 2 * M_PI * frequency * cos(2 * M_PI * frequency * t);
}

static void bristles_come_from_small_signals(void **unused) {
  (void)unused;
  static const double frequencies[] = {20, 100, 500};
  deck_run run;
  for (int i = 0; i < 3; i++) record(i, 4 / frequencies[i], to_and_fro, frequencies[i], 0.01);
  write_deck(3, "experiment=\"small-signal\"");
  run_deck(&run, NULL);
  near(&run, "identification.e.sigma-0", SIGMA_0, 0.02);
  near(&run, "identification.e.sigma-1", SIGMA_1 + SIGMA_2, 0.05);
  near(&run, "identification.e.sigma-0_over_N", SIGMA_0 / NORMAL, 0.02);
  deck_close(&run);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(curve_comes_from_constant_speeds), cmocka_unit_test(static_friction_comes_from_a_ramp),
      cmocka_unit_test(ramp_that_never_slides_is_refused), cmocka_unit_test(bristles_come_from_small_signals)};
  return cmocka_run_group_tests(tests, make_folder, drop_folder);
}
