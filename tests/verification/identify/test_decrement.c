/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The decrement method on virtual signals whose damping is known: the oscillator of Feeny and Liang with noise, their
 * air track with friction that scatters from swing to swing, and Dahl friction, which is no Coulomb friction. */
#include <gsl/gsl_randist.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cmocka_all.h"
#include "identify/free_decay.h"
#include "identify_case.h"

enum { MOST = 20000, MOST_EXTREMES = 200 };

typedef struct oscillator {
  double zeta, x_k, first, offset; /* first: extreme 0 about the offset */
  double scatter;                  /* of x_k from swing to swing */
  double noise;                    /* of the samples */
} oscillator;

/* Extremes until it sticks, and the x_k of each half swing. A swing that ends before the middle was the last. */
static int extremes_of(const oscillator *o, gsl_rng *random, double *x, double *x_k) {
  double beta = o->zeta / sqrt(1 - o->zeta * o->zeta), r = exp(-beta * M_PI);
  int n = 0;
  x[0] = o->first;
  for (; n + 1 < MOST_EXTREMES; n++) {
    x_k[n] = o->x_k * (1 + (o->scatter > 0 ? gsl_ran_gaussian(random, o->scatter) : 0));
    if (fabs(x[n]) <= x_k[n] || (n > 0 && x[n] * x[n - 1] > 0)) break;
    x[n + 1] = -r * x[n] + copysign((1 + r) * x_k[n], x[n]);
  }
  return n + 1;
}

/* 200 samples a period of omega_d = 2 pi, from the first extreme to half a swing after the last. */
static fw_signal signal_of(const oscillator *o, gsl_rng *random) {
  static double x[MOST_EXTREMES], x_k[MOST_EXTREMES];
  int n = extremes_of(o, random, x, x_k);
  double beta = o->zeta / sqrt(1 - o->zeta * o->zeta);
  fw_signal s = {.count = (size_t)(100 * n + 1), .deviation = NAN};
  s.t = calloc(s.count, sizeof *s.t);
  s.x = calloc(s.count, sizeof *s.x);
  assert_true(s.t && s.x);
  for (size_t k = 0; k < s.count; k++) {
    int i = (int)(k / 100) < n ? (int)(k / 100) : n - 1;
    double phase = M_PI * ((double)k / 100 - i), centre = copysign(x_k[i], x[i]);
    bool stuck = i == n - 1;
    s.t[k] = (double)k / 200;
    s.x[k] =
        o->offset + (stuck ? x[i] : centre + (x[i] - centre) * exp(-beta * phase) * (cos(phase) + beta * sin(phase)));
    if (o->noise > 0) s.x[k] += gsl_ran_gaussian(random, o->noise);
  }
  return s;
}

typedef struct spread {
  double zeta[FW_DECAY_COUNT + 1], x_k[FW_DECAY_COUNT + 1]; /* RMS of relative errors; the last is the one chosen */
  int regressions;                                          /* how often that was the regression */
} spread;

static void count_errors(const oscillator *o, const fw_decay *estimates, fw_decay_estimator chosen, int seeds,
                         spread *s) {
  for (int k = 0; k <= FW_DECAY_COUNT; k++) {
    const fw_decay *e = &estimates[k < FW_DECAY_COUNT ? k : (int)chosen];
    if (!e->found) continue;
    s->zeta[k] += pow(e->zeta / o->zeta - 1, 2) / seeds;
    s->x_k[k] += pow(e->x_k / o->x_k - 1, 2) / seeds;
  }
  s->regressions += chosen == FW_DECAY_REGRESSION;
}

/* From samples. */
static void estimate_signal(fw_context *ctx, const oscillator *o, gsl_rng *random, int seeds, spread *s) {
  const fw_free_decay_options options = {.window = 0.5, .offset = NAN, .estimator = -1};
  fw_signal signal = signal_of(o, random);
  fw_free_decay decay;
  if (fw_free_decay_find(ctx, &signal, &options, &decay) != FW_OK) fail_msg("%s", fw_context_message(ctx));
  count_errors(o, decay.estimates, decay.chosen, seeds, s);
  fw_free_decay_clear(&decay);
  fw_signal_clear(&signal);
}

/* From extremes measured without error. */
static void estimate_extremes(fw_context *ctx, const oscillator *o, gsl_rng *random, int seeds, spread *s) {
  double x[MOST_EXTREMES], x_k[MOST_EXTREMES], deviation[MOST_EXTREMES];
  fw_decay estimates[FW_DECAY_COUNT];
  fw_decay_data data = {x, deviation, extremes_of(o, random, x, x_k), 1, NAN};
  for (int i = 0; i < data.count; i++) deviation[i] = 1e-6 * o->first;
  assert_int_equal(fw_decay_estimate(ctx, &data, 0, estimates), FW_OK);
  count_errors(o, estimates, fw_decay_choose(estimates), seeds, s);
}

static spread errors_of(const oscillator *o, int seeds) {
  fw_context *ctx;
  spread s = {0};
  gsl_rng *random = gsl_rng_alloc(gsl_rng_mt19937);
  assert_int_equal(fw_context_create(&ctx), FW_OK);
  for (int seed = 1; seed <= seeds; seed++) {
    gsl_rng_set(random, (unsigned long)seed);
    (o->scatter > 0 ? estimate_extremes : estimate_signal)(ctx, o, random, seeds, &s);
  }
  for (int k = 0; k <= FW_DECAY_COUNT; k++) {
    s.zeta[k] = sqrt(s.zeta[k]);
    s.x_k[k] = sqrt(s.x_k[k]);
  }
  gsl_rng_free(random);
  fw_context_destroy(&ctx);
  return s;
}

static void print_spread(const char *title, const spread *s) {
  printf("%s: RMS of relative errors (%%)\n", title);
  for (int k = 0; k <= FW_DECAY_COUNT; k++)
    printf("  %-14s zeta %8.4f  x_k %8.4f\n", k < FW_DECAY_COUNT ? fw_decay_name((fw_decay_estimator)k) : "chosen",
           100 * s->zeta[k], 100 * s->x_k[k]);
}

static void judge(const char *what, double computed, double reference) {
  printf("%-44s computed %.5g, at most %.5g, difference %.3g\n", what, computed, reference, computed - reference);
  assert_true(computed <= reference);
}

/* ---- the oscillator of the letter -------------------------------------------------------- */

static void extremes_are_those_of_the_recursion(void **unused) {
  (void)unused;
  const oscillator o = {.zeta = 0.1 / sqrt(10), .x_k = 0.02, .first = 1};
  static const double reference[][2] = {{1, -0.8673}, {10, 0.1164}, {11, -0.0673}};
  const double offsets[] = {0, 0.37, -1000};
  for (int k = 0; k < 3; k++) {
    oscillator moved = o;
    moved.offset = offsets[k];
    fw_context *ctx;
    fw_free_decay d;
    assert_int_equal(fw_context_create(&ctx), FW_OK);
    fw_signal signal = signal_of(&moved, NULL);
    const fw_free_decay_options options = {.window = 0.5, .offset = NAN, .estimator = -1};
    assert_int_equal(fw_free_decay_find(ctx, &signal, &options, &d), FW_OK);
    for (int i = 0; i < 3; i++) {
      double x = d.x[(int)reference[i][0]] - moved.offset;
      printf("offset %g: X_%g computed %.6f, reference %.4f, difference %.1e\n", moved.offset, reference[i][0], x,
             reference[i][1], x - reference[i][1]);
      assert_true(fabs(x - reference[i][1]) < 5e-5);
    }
    for (int e = 0; e < FW_DECAY_COUNT; e++) {
      const fw_decay *one = &d.estimates[e];
      printf("  %-14s beta %.6f zeta %.6f x_k %.6f offset %.6f\n", fw_decay_name((fw_decay_estimator)e), one->beta,
             one->zeta, one->x_k, one->offset);
      assert_true(one->found);
      assert_true(fabs(one->zeta - 0.0316) < 5e-5 && fabs(one->beta - 0.0316) < 5e-5);
      assert_true(fabs(one->x_k - 0.02) < 5e-7);
      assert_true(fabs(one->offset - moved.offset) < 1e-6);
    }
    fw_free_decay_clear(&d);
    fw_signal_clear(&signal);
    fw_context_destroy(&ctx);
  }
}

static void noise_of_one_percent(void **unused) {
  (void)unused;
  const oscillator o = {.zeta = 0.1 / sqrt(10), .x_k = 0.02, .first = 1, .noise = 0.01, .offset = 0.3};
  spread s = errors_of(&o, 100);
  print_spread("noise of 1 % of x(0), 200 samples a period, 100 seeds", &s);
  judge("zeta, RMS of relative error", s.zeta[FW_DECAY_COUNT], 0.05);
  judge("x_k, RMS of relative error", s.x_k[FW_DECAY_COUNT], 0.05);
}

/* ---- the air track ----------------------------------------------------------------------- */

static const struct {
  const char *name;
  double zeta, x_k, zeta_published, x_k_published;
} tracks[] = {{"case 1", 0.0638, 0.115e-3, 0.0093, 0.078}, {"case 2", 0.0275, 0.130e-3, 0.021, 0.046}};

static void air_track_without_noise(void **unused) {
  (void)unused;
  for (int k = 0; k < 2; k++) {
    const oscillator o = {.zeta = tracks[k].zeta, .x_k = tracks[k].x_k, .first = 20e-3};
    spread s = errors_of(&o, 1);
    printf("%s: ", tracks[k].name);
    judge("zeta, relative error", s.zeta[FW_DECAY_COUNT], 0.01);
    judge("        x_k, relative error", s.x_k[FW_DECAY_COUNT], 0.01);
  }
}

static void air_track_with_friction_that_scatters(void **unused) {
  (void)unused;
  static const double firsts[] = {20e-3, 10e-3, 5e-3};
  for (int k = 0; k < 2; k++) {
    double last = 0;
    for (int f = 0; f < 3; f++) {
      const oscillator o = {.zeta = tracks[k].zeta, .x_k = tracks[k].x_k, .first = firsts[f], .scatter = 0.077};
      spread s = errors_of(&o, 200);
      char title[128];
      snprintf(title, sizeof title, "%s, first extreme %g mm, x_k scattered by 7.7 %%, 200 seeds", tracks[k].name,
               1e3 * firsts[f]);
      print_spread(title, &s);
      assert_true(s.regressions > 190); /* that it is friction that scatters is seen */
      if (f == 0) {
        judge("zeta against the published error", s.zeta[FW_DECAY_COUNT], tracks[k].zeta_published);
        judge("x_k against the published error", s.x_k[FW_DECAY_COUNT], tracks[k].x_k_published);
      }
      assert_true(s.zeta[FW_DECAY_COUNT] > last); /* smaller swings tell less */
      last = s.zeta[FW_DECAY_COUNT];
    }
  }
}

/* ---- decks ------------------------------------------------------------------------------- */

static void dahl_friction_is_warned_of(void **unused) {
  (void)unused;
  deck_run run;
  const char *text = NULL;
  deck_open(&run, FW_SOURCE_DIR "/tests/verification/identify/decrement-dahl.xml", NULL);
  assert_true(is_warned(&run, "damping", "drifts with amplitude"));
  deck_close(&run);
  deck_open(&run, FW_SOURCE_DIR "/tests/verification/decks/decrement.xml", NULL);
  assert_int_not_equal(fw_results_text(run.results, "identification.damping.warnings[0].text", &text), FW_OK);
  deck_close(&run);
}

/* Swings of exp(-0.03 rate angle) cos(angle) at 100/(2 pi) Hz as a file, and whether a warning is told. */
static void judge_swings(double rate, const char *attributes, const char *told) {
  char path[CASE_PATH];
  deck_run run;
  FILE *file = open_file("s.csv");
  fputs("time [s],x [m]\n", file);
  for (int i = 0; i < 500; i++) fprintf(file, "%.9g,%.12g\n", i * 1e-3, exp(-3e-3 * rate * i) * cos(0.1 * i));
  assert_int_equal(fclose(file), 0);
  write_file("deck.xml",
             "<fretwork version=\"1\">\n"
             "<bodies><rigid id=\"block\" at=\"0, 0\" m=\"1\" rotation=\"none\"/>\n"
             "<spring id=\"spring\" at=\"block.centre\" ground=\"-1, 0\" k=\"1e4\"/></bodies>\n"
             "<sensors><sensor id=\"x\" at=\"block.centre\" quantity=\"displacement\" direction=\"x\"/></sensors>\n"
             "<data><signals id=\"s\" file=\"s.csv\"/></data>\n"
             "<identification><identify id=\"fit\" method=\"decrement\" data=\"s\" %s/></identification></fretwork>\n",
             attributes);
  path_in_folder("deck.xml", path);
  deck_open(&run, path, NULL);
  assert_true(told ? is_warned(&run, "fit", told) : !is_warned(&run, "fit", ""));
  deck_close(&run);
}

static void what_is_no_decay_is_named(void **unused) {
  (void)unused;
  judge_swings(-1, "stiffness=\"1e4\"", "zeta is negative: the damping feeds energy in");
  judge_swings(1, "stiffness=\"1e4\" mass=\"7\"", "stiffness and mass say 6.015 Hz, the decay 15.9");
  judge_swings(1, "stiffness=\"1e4\" mass=\"1\"", "x_k is not told from 0");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(extremes_are_those_of_the_recursion),
      cmocka_unit_test(noise_of_one_percent),
      cmocka_unit_test(air_track_without_noise),
      cmocka_unit_test(air_track_with_friction_that_scatters),
      cmocka_unit_test(dahl_friction_is_warned_of),
      cmocka_unit_test_setup_teardown(what_is_no_decay_is_named, make_folder, drop_folder),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
