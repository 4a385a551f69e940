/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Equilibrium of structures that contact holds. */
#include <stdlib.h>
#include <unistd.h>

#include "contact/friction/friction.h"
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
  deck_open(&run, STATICS "cylinder-rubs.xml", NULL);
  printf("the same on a finer mesh, with friction\n");
  is_in_equilibrium(&run, "at-once");
  bounded("load steps", deck_number(&run, "at-once", "statistics.steps"), 1);
  bounded("Newton's iterations at once", deck_number(&run, "at-once", "statistics.iterations_per_step"), 25);
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

/* With many nodes no step of Newton's method has all of them slide: the motion downhill tells that they go on for ever. */
static void many_nodes_say_that_they_are_pushed_away(void **unused) {
  (void)unused;
  deck_run run;
  deck_open(&run, STATICS "foot-pushed.xml", (const char *const[]){"Q=3.9e3", NULL});
  is_in_equilibrium(&run, "sheared");
  deck_close(&run);
  assert_int_not_equal(deck_try(&run, STATICS "foot-pushed.xml", NULL), FW_OK);
  const char *said = fw_context_message(run.ctx), *beyond = strstr(said, "beyond ");
  if (!strstr(said, "nothing holds body \"foot\"") || !strstr(said, "pulled beyond its friction")) fail_msg("%s", said);
  assert_non_null(beyond);
  compare("load that friction bears (N)", 4.5e3 * strtod(beyond + 7, NULL), 4e3, 1e-3);
  deck_close(&run);
}

/* ---- every law on every floor ----------------------------------------------------------------- */

static void write_block(const char *path, const char *normal, const char *law, const char *sticks) {
  FILE *file = fopen(path, "w");
  assert_non_null(file);
  fprintf(
      file,
      "<fretwork version=\"1\"><bodies><rigid id=\"b\" at=\"0, 0.05\" m=\"2\" J=\"0.01\">"
      "<point id=\"l\" offset=\"-0.1, -0.05\"/><point id=\"r\" offset=\"0.1, -0.05\"/></rigid></bodies>"
      "<contact><surface id=\"f\"><line from=\"-1, 0\" to=\"1, 0\"/></surface><pair id=\"p\" target=\"f\">"
      "<point at=\"b.l\"/><point at=\"b.r\"/><normal %s/><friction law=\"%s\" %s/></pair></contact>"
      "<loads><force id=\"w\" gy=\"-9.81\"/></loads><analyses><static id=\"s\" loads=\"w\"/></analyses></fretwork>\n",
      normal, law, sticks);
  fclose(file);
}

/* True if the law takes this kind of stick. */
static bool rests(const char *normal, const char *law, const char *sticks) {
  deck_run run;
  write_block("block-law.xml", normal, law, sticks);
  fw_status status = deck_try(&run, "block-law.xml", NULL);
  if (status != FW_OK && status != FW_ERR_DECK)
    fail_msg("%s, %s %s: %s", normal, law, sticks, fw_context_message(run.ctx));
  if (status == FW_OK) {
    printf("%s, %s %s\n", normal, law, sticks);
    compare("weight (N)", deck_number(&run, "s", "contact.p.normal"), 19.62, 1e-9);
    is_in_equilibrium(&run, "s");
  }
  deck_close(&run);
  return status == FW_OK;
}

static void blocks_rest_on_every_floor(void **unused) {
  (void)unused;
  static const char *const normals[] = {"law=\"linear\" stiffness=\"1e7\"", "law=\"power\" stiffness=\"1e9\"",
                                        "law=\"hard\"", "law=\"hard\" enforcement=\"penalty\"",
                                        "law=\"hard\" enforcement=\"augmented\""},
                           *const sticks[] = {"", "enforcement=\"lagrange\"", "enforcement=\"augmented\"",
                                              "enforcement=\"penalty\" u-crit=\"1e-7\"",
                                              "enforcement=\"penalty\" u-crit=\"1e-9\""};
  int done = 0, laws = 0;
  for (; fw_laws.entries[laws]; laws++)
    for (int i = 0; i < 5; i++)
      for (int k = 0; k < 5; k++) done += rests(normals[i], fw_laws.entries[laws]->name, sticks[k]);
  assert_true(done >= 10 * laws);
}

/* ---- where Newton's steps go round in circles ------------------------------------------------ */

/* A copy of the deck with other laws in the place of its own. */
static void write_strips(const char *path, const char *normal, const char *enforcement) {
  char text[4096];
  FILE *in = fopen(STATICS "bolted-strips.xml", "r"), *out = fopen(path, "w");
  assert_true(in && out);
  size_t size = fread(text, 1, sizeof text - 1, in);
  text[size] = '\0';
  char *from = strstr(text, "<normal"), *to = strstr(text, "</pair>");
  assert_true(from && to);
  fprintf(out, "%.*s<normal %s/><friction law=\"coulomb\" mu=\"mu\" %s/>%s", (int)(from - text), text, normal,
          enforcement, to);
  fclose(in);
  fclose(out);
}

/* Strips that stick stay where they are: the feet slip a little at first, the end goes down by less than 0.4 um for
 * each newton. Newton's method alone finds other equilibria (a foot slipped over the end of the strip below; one turned
 * by half a radian), or none. */
static void strips_are_near(const char *path, const char *mu, const char *bolt) {
  deck_run run;
  double force = atof(strchr(bolt, '=') + 1);
  deck_open(&run, path, (const char *const[]){mu, bolt, NULL});
  printf(" %s, %s N\n", mu, bolt);
  compare("normal force (N)", deck_number(&run, "bolted", "contact.joint.normal"), force, 0.03);
  bounded("tip (m)", deck_number(&run, "bolted", "sensors.x"), 4e-7 * force);
  bounded("out of balance", deck_number(&run, "bolted", "equilibrium.residual"), 1e-9);
  bounded("conditions of contact missed", deck_number(&run, "bolted", "equilibrium.contact_residual"),
          fmax(1e-10, 1e-7 / force)); /* the rounding of places is 1e-7 N */
  deck_close(&run);
}

static void strips_stay_where_they_are(void **unused) {
  (void)unused;
  static const char *const frictions[] = {"mu=0.2", "mu=0.5", "mu=0.8", "mu=1.5"},
                           *const bolts[] = {"bolt=100", "bolt=200", "bolt=1000", "bolt=5000", "bolt=20000"},
                           *const normals[] = {"law=\"hard\"", "law=\"linear\" stiffness=\"5e8\""},
                           *const sticks[] = {"", "enforcement=\"penalty\" u-crit=\"1e-6\""};
  for (int k = 0; k < 4; k++) {
    printf("bolted strips, %s %s\n", normals[k / 2], sticks[k % 2]);
    write_strips("strips.xml", normals[k / 2], sticks[k % 2]);
    for (int i = 0; i < 4; i++)
      for (int j = 0; j < 5; j++) strips_are_near("strips.xml", frictions[i], bolts[j]);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(bars_slip_over_many_feet),
                                     cmocka_unit_test(bars_slip_on_one_of_two_feet),
                                     cmocka_unit_test(beams_are_pressed_together),
                                     cmocka_unit_test(cylinders_need_few_iterations),
                                     cmocka_unit_test(slides_are_mechanisms_when_pulled),
                                     cmocka_unit_test(blocks_say_what_is_free),
                                     cmocka_unit_test(many_nodes_say_that_they_are_pushed_away),
                                     cmocka_unit_test(strips_stay_where_they_are),
                                     cmocka_unit_test(blocks_rest_on_every_floor)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
