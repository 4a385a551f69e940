/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Equilibrium of structures that contact holds. */
#include <stdlib.h>
#include <unistd.h>

#include "verification/deck_run.h"

#define STATICS FW_SOURCE_DIR "/tests/verification/statics/"

/* Every analysis ends in equilibrium: forces and conditions of contact. */
static void is_in_equilibrium(const deck_run *run, const char *analysis) {
  bounded("out of balance", deck_number(run, analysis, "equilibrium.residual"), 1e-9);
  bounded("conditions of contact missed", deck_number(run, analysis, "equilibrium.contact_residual"), 1e-10);
}

/* ---- a bar over many feet ------------------------------------------------------------------ */

static const char *const stick[] = {"enforcement=\"lagrange\"", "enforcement=\"penalty\" u-crit=\"2e-9\""};

/* EA = 1e5 N; limit 100 N/m over 1 m. */
static void write_bar(FILE *file, int feet, const char *enforcement) {
  fprintf(file,
          "<fretwork version=\"1\"><materials><elastic id=\"soft\" E=\"1e9\" nu=\"0.3\" rho=\"1\"/></materials>"
          "<sections><rectangle id=\"square\" width=\"0.01\" height=\"0.01\"/></sections><bodies>"
          "<beam id=\"bar\" material=\"soft\" section=\"square\" from=\"0, 0\" to=\"1, 0\" divisions=\"%d\">\n",
          feet - 1);
  for (int i = 0; i < feet; i++) fprintf(file, "<point id=\"n%d\" s=\"%d/%d\"/>\n", i, i, feet - 1);
  fprintf(file,
          "</beam></bodies><contact><surface id=\"floor\"><line from=\"-1, 0\" to=\"2, 0\"/></surface>"
          "<pair id=\"sole\" target=\"floor\">\n");
  for (int i = 0; i < feet; i++) fprintf(file, "<point at=\"bar.n%d\"/>\n", i);
  fprintf(file, "<normal law=\"hard\"/><friction law=\"coulomb\" mu=\"0.5\" %s/></pair></contact><loads>\n",
          enforcement);
  for (int i = 0; i < feet; i++)
    fprintf(file, "<force id=\"w%d\" at=\"bar.n%d\" fy=\"%.17g\"/>\n", i, i,
            -200.0 / (feet - 1) * (i == 0 || i == feet - 1 ? 0.5 : 1.0));
  fprintf(file, "<force id=\"pull\" at=\"bar.n%d\" fx=\"60\"/><force id=\"back\" at=\"bar.n%d\" fx=\"-60\"/>", feet - 1,
          feet - 1);
  fprintf(file,
          "</loads><sensors><sensor id=\"u\" at=\"bar.n%d\" direction=\"x\"/></sensors><analyses>"
          "<static id=\"seated\" loads=\"",
          feet - 1);
  for (int i = 0; i < feet; i++) fprintf(file, "w%d ", i);
  fprintf(file,
          "\"/><static id=\"up\" start=\"seated\" loads=\"pull\" steps=\"6\"/>"
          "<static id=\"zero\" start=\"up\" loads=\"back\" steps=\"6\"/>"
          "<static id=\"down\" start=\"zero\" loads=\"back\" steps=\"6\"/></analyses></fretwork>\n");
}

static void open_bar(deck_run *run, int feet, const char *enforcement) {
  char path[] = "/tmp/fw_statics_XXXXXX";
  int descriptor = mkstemp(path);
  assert_true(descriptor >= 0);
  FILE *file = fdopen(descriptor, "w");
  write_bar(file, feet, enforcement);
  fclose(file);
  deck_open(run, path, NULL);
  unlink(path);
}

/* Goodman and Menq: u = F^2/(2 EA tau), unloading u_0 - (F_0 - F)^2/(4 EA tau): 180, 90 and -180 um. The feet come in
 * lumps, which is exact at these loads where a foot is just at its limit; elastic stick adds its slip, 4 nm. */
static void bars_slip_over_many_feet(void **unused) {
  (void)unused;
  static const char *const analyses[] = {"seated", "up", "zero", "down"};
  static const double exact[] = {0, 1.8e-4, 0.9e-4, -1.8e-4};
  for (int feet = 51; feet <= 101; feet += 50)
    for (int k = 0; k < 2; k++) {
      deck_run run;
      open_bar(&run, feet, stick[k]);
      printf("bar over %d feet, %s\n", feet, stick[k]);
      for (int i = 0; i < 4; i++) {
        bounded(analyses[i], deck_number(&run, analyses[i], "sensors.u") - exact[i], k ? 5e-9 : 1e-12);
        is_in_equilibrium(&run, analyses[i]);
        bounded("Newton's iterations", deck_number(&run, analyses[i], "statistics.iterations"), 1.5 * feet);
      }
      deck_close(&run);
    }
}

/* One element on two feet: one slips at 50 N, the other holds 10 N; let go, both stick. */
static void bars_slip_on_one_of_two_feet(void **unused) {
  (void)unused;
  deck_run run;
  open_bar(&run, 2, stick[0]);
  printf("bar on two feet\n");
  compare("pulled", deck_number(&run, "up", "sensors.u"), 1e-4, 1e-9);
  compare("let go", deck_number(&run, "zero", "sensors.u"), 1e-4, 1e-9);
  compare("pushed", deck_number(&run, "down", "sensors.u"), -1e-4, 1e-9);
  deck_close(&run);
}

/* ---- bodies held by each other ------------------------------------------------------------- */

/* The bolt's force and the contact's are one. */
static void beams_are_pressed_together(void **unused) {
  (void)unused;
  deck_run run;
  deck_open(&run, STATICS "bolted-beams.xml", NULL);
  printf("two beams, one held by the bolt alone\n");
  double shorter = deck_number(&run, "bolted", "sensors.lower") - deck_number(&run, "bolted", "sensors.upper");
  compare("normal force (N)", deck_number(&run, "bolted", "contact.joint.normal"), 2000 - 1e8 * shorter, 1e-6);
  is_in_equilibrium(&run, "bolted");
  deck_close(&run);
}

static void cylinders_need_few_iterations(void **unused) {
  (void)unused;
  deck_run run;
  deck_open(&run, STATICS "cylinder.xml", NULL);
  printf("a cylinder pressed into a block by hard contact\n");
  is_in_equilibrium(&run, "at-once");
  compare("approach, at once against in steps", deck_number(&run, "at-once", "sensors.mid"),
          deck_number(&run, "in-steps", "sensors.mid"), 1e-9);
  bounded("Newton's iterations at once", deck_number(&run, "at-once", "statistics.iterations"), 15);
  bounded("Newton's iterations in five steps", deck_number(&run, "in-steps", "statistics.iterations"), 40);
  deck_close(&run);
}

/* ---- what nothing holds ---------------------------------------------------------------------- */

static void fails_saying(const char *name, const char *const *settings, const char *words) {
  deck_run run;
  printf("%s: %s\n", name, words);
  assert_int_not_equal(deck_try(&run, name, settings), FW_OK);
  if (!strstr(fw_context_message(run.ctx), words)) fail_msg("%s: %s", name, fw_context_message(run.ctx));
  deck_close(&run);
}

/* A rod that hangs on a slide comes to hang still, pulled sideways it goes for ever. */
static void slides_are_mechanisms_when_pulled(void **unused) {
  (void)unused;
  deck_run run;
  deck_open(&run, STATICS "slide.xml", NULL);
  compare("on its slide: angle (rad)", deck_number(&run, "rest", "sensors.angle"), -M_PI / 3, 1e-9);
  deck_close(&run);
  fails_saying(STATICS "slide.xml", (const char *const[]){"pull=1", NULL},
               "nothing holds body \"rod\" at (0.433013, -0.25), direction x");
}

/* Beyond 5 N sideways a block of 10 N slides, beyond 10 N upwards it lifts: as much of the load is told as it bears. */
static void blocks_say_what_is_free(void **unused) {
  (void)unused;
  deck_run run;
  deck_open(&run, STATICS "block.xml", (const char *const[]){"side=4.99", "up=0", NULL});
  bounded("held by friction (m)", deck_number(&run, "pulled", "sensors.x"), 1e-12);
  deck_close(&run);
  fails_saying(STATICS "block.xml", (const char *const[]){"side=8", NULL},
               "nothing holds body \"block\" at (0, 0), direction x, beyond 0.625 of the load: it is pulled beyond its "
               "friction");
  fails_saying(STATICS "block.xml", (const char *const[]){"up=16", NULL},
               "nothing holds body \"block\" at (0, 0), direction y, beyond 0.625 of the load: its contact is open");
}

/* ---- where Newton's steps go round in circles ------------------------------------------------ */

/* The equilibrium is near by: the feet slip a little at first. Without a way
 * downhill the second is not found, and at full load at once Newton's method finds the first metres away. */
static void strips_stay_where_they_are(void **unused) {
  (void)unused;
  static const char *const friction[] = {"mu=0.5", "mu=0.2"};
  for (int i = 0; i < 2; i++) {
    deck_run run;
    deck_open(&run, STATICS "bolted-strips.xml", (const char *const[]){friction[i], NULL});
    printf("bolted strips, rigid stick, %s\n", friction[i]);
    compare("normal force (N)", deck_number(&run, "bolted", "contact.joint.normal"), 20000, 0.005);
    bounded("tip (m)", deck_number(&run, "bolted", "sensors.x"), 2e-3);
    is_in_equilibrium(&run, "bolted");
    deck_close(&run);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(bars_slip_over_many_feet),          cmocka_unit_test(bars_slip_on_one_of_two_feet),
      cmocka_unit_test(beams_are_pressed_together),        cmocka_unit_test(cylinders_need_few_iterations),
      cmocka_unit_test(slides_are_mechanisms_when_pulled), cmocka_unit_test(blocks_say_what_is_free),
      cmocka_unit_test(strips_stay_where_they_are)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
