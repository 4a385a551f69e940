/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Friction laws recovered from loops of the virtual tribometer, with noise; what the data do not tell is said. */
#include <gsl/gsl_randist.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "cmocka_all.h"
#include "contact/friction/setting.h"
#include "contact/friction/tribometer.h"
#include "identify/loops.h"
#include "identify_case.h"

/* A loop of a law with its settings; noise of T as a part of its largest. */
static void make_loop(const char *name, const char *law, const char *const *settings, int count, double amplitude,
                      double frequency, double noise) {
  fw_context *ctx;
  fw_friction friction = {0};
  fw_trace trace;
  fw_drive drive = fw_drive_default();
  gsl_rng *random = gsl_rng_alloc(gsl_rng_mt19937);
  gsl_rng_set(random, 7);
  drive.amplitude = amplitude;
  drive.frequency = frequency;
  drive.steps = 300;
  drive.cycles = 2;
  assert_int_equal(fw_context_create(&ctx), FW_OK);
  const fw_friction_ops *ops = (const fw_friction_ops *)(const void *)fw_table_find(&fw_laws, law);
  assert_int_equal(fw_law_create(ctx, ops, settings, count, &friction), FW_OK);
  assert_int_equal(fw_tribometer_run(ctx, &friction, &drive, &trace), FW_OK);
  double most = 0;
  for (size_t i = 0; i < trace.count; i++) most = fmax(most, fabs(trace.T[i]));
  FILE *file = open_file(name);
  fputs("t [s],u [m],v [m/s],N [N],T [N]\n", file);
  for (size_t i = 0; i < trace.count; i++)
    fprintf(file, "%.17g,%.17g,%.17g,%.17g,%.17g\n", trace.t[i], trace.u[i], trace.v[i], trace.N[i],
            trace.T[i] + (noise > 0 ? gsl_ran_gaussian(random, noise * most) : 0));
  assert_int_equal(fclose(file), 0);
  fw_trace_clear(&trace);
  fw_friction_clear(&friction);
  fw_context_destroy(&ctx);
  gsl_rng_free(random);
}

/* deck.xml with these data and one identification of them. */
static void write_deck(const char *data, const char *identify) {
  write_file("deck.xml",
             "<fretwork version=\"1\">\n"
             "<bodies><rigid id=\"block\" at=\"0, 0\" m=\"1\" rotation=\"none\"/>\n"
             "<spring id=\"spring\" at=\"block.centre\" ground=\"-1, 0\" k=\"1e4\"/></bodies>\n"
             "<supports><support at=\"block.centre\" y=\"fixed\"/></supports>\n"
             "<data>%s</data>\n<identification>%s</identification>\n</fretwork>\n",
             data, identify);
}

static void identify(deck_run *run, const char *data, const char *text) {
  write_deck(data, text);
  run_deck(run, NULL);
}

/* ---- laws -------------------------------------------------------------------------------- */

static void dahl_is_recovered(void **unused) {
  (void)unused;
  const char *settings[] = {"mu-c=0.5", "sigma-0=1.003e7"};
  deck_run run;
  make_loop("l.csv", "dahl", settings, 2, 1e-5, 50, 0.01);
  identify(&run, "<loop id=\"l\" file=\"l.csv\"/>",
           "<identify id=\"fit\" method=\"loop\" data=\"l\" laws=\"coulomb, dahl\"/>");
  near(&run, "identification.fit.dahl.mu-c", 0.5, 0.05);
  near(&run, "identification.fit.dahl.sigma-0", 1.003e7, 0.05);
  near(&run, "identification.fit.dahl.reach", 0.5 * 83 / 1.003e7, 0.05);
  assert_int_equal((int)number(&run, "identification.fit.dahl.rank"), 2);
  double deviation = number(&run, "identification.fit.dahl.deviation.sigma-0");
  double error = number(&run, "identification.fit.dahl.sigma-0") - 1.003e7;
  printf("sigma-0: error %.3g in deviations of %.3g\n", error / deviation, deviation);
  assert_true(fabs(error) < 4 * deviation);
  size_t rows;
  const double *misfit = deck_column(&run, "fit", "profile-dahl-sigma-0", "misfit", &rows);
  assert_true(rows == 9 && misfit[4] < misfit[3] && misfit[4] < misfit[5]); /* the best is the lowest of its profile */
  deck_close(&run);
}

static void lugre_is_recovered(void **unused) {
  (void)unused;
  static const char *const laws[] = {"lugre", "lugre-normalised"};
  static const double sigma[][2] = {{1.0126e7, 2303}, {1.22e5, 27.75}};
  for (int k = 0; k < 2; k++) {
    deck_run run;
    char text[256], path[96];
    make_loop("l.csv", laws[k], NULL, 0, 1.5e-5, 50, 0.001);
    snprintf(text, sizeof text, "<identify id=\"fit\" method=\"loop\" data=\"l\" laws=\"dahl, %s\" profiles=\"no\"/>",
             laws[k]);
    identify(&run, "<loop id=\"l\" file=\"l.csv\"/>", text);
    static const char *const names[] = {"mu-s", "mu-c", "v-s", "sigma-0", "sigma-1"};
    const double values[] = {0.479, 0.155, 6.797e-4, sigma[k][0], sigma[k][1]};
    for (int i = 0; i < 5; i++) {
      snprintf(path, sizeof path, "identification.fit.%s.%s", laws[k], names[i]);
      near(&run, path, values[i], 0.05);
    }
    deck_close(&run);
  }
}

static void the_published_objective_has_rank_one(void **unused) {
  (void)unused;
  deck_run run;
  make_loop("l.csv", "lugre", NULL, 0, 1.5e-5, 50, 0);
  identify(
      &run, "<loop id=\"l\" file=\"l.csv\"/>",
      "<identify id=\"fit\" method=\"loop\" data=\"l\" laws=\"dahl, lugre\" objective=\"range\" profiles=\"no\"/>");
  assert_int_equal((int)number(&run, "identification.fit.lugre.rank"), 1);
  assert_true(is_warned(&run, "fit", "lugre: rank 1 for 5 parameters"));
  double aicc;
  assert_int_not_equal(fw_results_number(run.results, "identification.fit.laws[1].aicc", &aicc), FW_OK);
  deck_close(&run);
}

/* ---- the hybrid law ---------------------------------------------------------------------- */

static void hybrid_from_loops_up_to_20_kHz(void **unused) {
  (void)unused;
  deck_run run;
  make_loop("a.csv", "hybrid", NULL, 0, 1.5e-5, 50, 0.001);
  make_loop("b.csv", "hybrid", NULL, 0, 2e-6, 1e3, 0.001);
  make_loop("c.csv", "hybrid", NULL, 0, 2e-6, 5e3, 0.001);
  make_loop("d.csv", "hybrid", NULL, 0, 2e-6, 2e4, 0.001);
  identify(
      &run,
      "<loop id=\"a\" file=\"a.csv\"/><loop id=\"b\" file=\"b.csv\"/><loop id=\"c\" file=\"c.csv\"/>"
      "<loop id=\"d\" file=\"d.csv\"/>",
      "<identify id=\"fit\" method=\"loop\" data=\"a, b, c, d\" laws=\"hybrid\" hold=\"k-e=4e7\" profiles=\"no\"/>");
  near(&run, "identification.fit.hybrid.k-e_k-ep_series", 5.2e7 * 1.9e7 / 7.1e7, 0.05);
  near(&run, "identification.fit.hybrid.k-ps", 8.5e7, 0.05);
  near(&run, "identification.fit.hybrid.c-p", 630, 0.05);
  near(&run, "identification.fit.hybrid.c-s", 2300, 0.05);
  near(&run, "identification.fit.hybrid.mu-s", 0.479, 0.05);
  near(&run, "identification.fit.hybrid.mu-c", 0.155, 0.05);
  near(&run, "identification.fit.hybrid.v-s", 6.797e-4, 0.05);
  assert_true(is_warned(&run, "fit", "no loop at any frequency"));
  deck_close(&run);
}

static void at_50_Hz_the_hybrid_law_is_not_determined(void **unused) {
  (void)unused;
  deck_run run;
  make_loop("a.csv", "hybrid", NULL, 0, 1.5e-5, 50, 0.01);
  identify(&run, "<loop id=\"a\" file=\"a.csv\"/>",
           "<identify id=\"fit\" method=\"loop\" data=\"a\" laws=\"lugre, hybrid\" profiles=\"no\"/>");
  near(&run, "identification.fit.hybrid.all_springs_series", 1 / (1 / 5.2e7 + 1 / 1.9e7 + 1 / 8.5e7), 0.05);
  assert_true(number(&run, "identification.fit.hybrid.rank") < 8);
  assert_true(is_warned(&run, "fit", "no loop at any frequency"));
  assert_true(is_warned(&run, "fit", "hybrid: k-ps is not determined"));
  assert_true(is_warned(&run, "fit", "hybrid: c-p is not determined"));
  deck_close(&run);
}

/* ---- published numbers ------------------------------------------------------------------- */

/* Friction over stiffness against the critical slip of the same row of the rig's table, without any signal. */
static void published_sets_are_checked(void **unused) {
  (void)unused;
  static const struct {
    const char *law;
    double mu, sigma_0, u_crit, reach;
    bool agrees;
  } sets[] = {{"dahl", 0.500, 1.003e7, 4.146e-6, 4.14e-6, true},
              {"dahl", 0.511, 9.581e6, 3.845e-6, 4.43e-6, true},
              {"lugre-normalised", 0.463, 1.220e5, 4.464e-6, 3.8e-6, true},
              {"lugre-normalised", 0.492, 1.140e4, 4.060e-6, 43e-6, false}};
  for (size_t i = 0; i < sizeof sets / sizeof *sets; i++) {
    double reach = fw_chain_reach(sets[i].law, sets[i].mu, sets[i].sigma_0, 83);
    bool agrees = fw_chain_reach_agrees(reach, sets[i].u_crit);
    printf("%-16s reach computed %.3g um, reference %.3g um, difference %.2f %%, u_crit %.3g um: %s\n", sets[i].law,
           1e6 * reach, 1e6 * sets[i].reach, 100 * (reach / sets[i].reach - 1), 1e6 * sets[i].u_crit,
           agrees ? "agree" : "flagged");
    assert_true(fabs(reach / sets[i].reach - 1) < 0.01);
    assert_int_equal(agrees, sets[i].agrees);
  }
}

/* ---- what is refused --------------------------------------------------------------------- */

static void wrong_loops_are_refused(void **unused) {
  (void)unused;
  static const struct {
    const char *data, *attributes, *told;
  } cases[] = {
      {"t [s],u [m],v [m/s],N [N]\n0,0,1,1\n1,1,2,1\n", "laws=\"dahl\"", "there is no column 'T'"},
      {"t [s],u [m],v [m/s],N [N],T [m]\n0,0,1,1,0\n1,1,2,1,1\n", "laws=\"dahl\"", "column 'T' is in m, not in N"},
      {"t [s],u [m],v [m/s],N [N],T [N]\n0,0,1,1,0\n1,1,2,-1,1\n", "laws=\"dahl\"", "column 'N' is -1 in row 2"},
      {NULL, "laws=\"dalh\"", "'dalh' is not one of coulomb, dahl"},
      {NULL, "laws=\"dahl\" hold=\"sigma-0\"", "'sigma-0' is not name=value"},
      {NULL, "laws=\"dahl\" bounds=\"sigma-0=3\"", "is not name=low:high"},
  };
  make_loop("good.csv", "dahl", NULL, 0, 1e-5, 50, 0);
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    char identify_text[256];
    write_file("bad.csv", "%s", cases[i].data ? cases[i].data : "");
    snprintf(identify_text, sizeof identify_text, "<identify id=\"fit\" method=\"loop\" data=\"l\" %s/>",
             cases[i].attributes);
    write_deck(cases[i].data ? "<loop id=\"l\" file=\"bad.csv\"/>" : "<loop id=\"l\" file=\"good.csv\"/>",
               identify_text);
    refused(cases[i].told);
  }
}

/* u in millimetres under the unit of metres, v and T that belong to another motion: numbers come with a warning. */
static void contradictions_are_named(void **unused) {
  (void)unused;
  static const struct {
    double u, v, T;
    const char *told;
  } cases[] = {{1e3, 1, 1, "v is not the velocity of u: its integral over time is 0.00"},
               {1, -1, 1, "v is not the velocity of u: its integral over time is -"},
               {1, 1, -1, "friction feeds energy into the slip"},
               {1, 1, 1, NULL}};
  for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
    deck_run run;
    FILE *file = open_file("l.csv");
    fputs("t [s],u [m],v [m/s],N [N],T [N]\n", file);
    for (int i = 0; i <= 200; i++) {
      double angle = 2 * M_PI * i / 100;
      fprintf(file, "%.9g,%.9g,%.9g,83,%.9g\n", i * 2e-4, cases[c].u * 1e-5 * sin(angle),
              cases[c].v * 1e-5 * 2 * M_PI * 50 * cos(angle), cases[c].T * 20 * tanh(3 * cos(angle)));
    }
    assert_int_equal(fclose(file), 0);
    identify(&run, "<loop id=\"l\" file=\"l.csv\"/>",
             "<identify id=\"fit\" method=\"loop\" data=\"l\" laws=\"coulomb\" profiles=\"no\"/>");
    assert_true(cases[c].told ? is_warned(&run, "fit", cases[c].told) : !is_warned(&run, "fit", "loop 'l'"));
    assert_true(is_warned(&run, "fit", "no law explains the loops: the best leaves"));
    deck_close(&run);
  }
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, make_folder, drop_folder)

int main(void) {
  const struct CMUnitTest tests[] = {
      TEST(dahl_is_recovered),
      TEST(lugre_is_recovered),
      TEST(the_published_objective_has_rank_one),
      TEST(hybrid_from_loops_up_to_20_kHz),
      TEST(at_50_Hz_the_hybrid_law_is_not_determined),
      TEST(published_sets_are_checked),
      TEST(wrong_loops_are_refused),
      TEST(contradictions_are_named),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
