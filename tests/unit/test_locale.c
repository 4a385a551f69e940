/* SPDX-License-Identifier: GPL-3.0-or-later */
/* In a program whose locale has decimal commas the library reads and writes the same as anywhere, and leaves the locale
 * alone. */
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cmocka_all.h"
#include "fretwork.h"
#include "output/files.h"
#include "remove_folder.h"

static fw_context *ctx;

static int start(void **state) {
  (void)state;
  char place[4096];
  remove_folder("locale.tmp");
  if (fw_context_create(&ctx) != FW_OK || fw_folder_make(ctx, "locale.tmp") != FW_OK) return -1;
  if (!realpath("locale.tmp", place)) return -1;
  setenv("LOCPATH", place, 1); /* the system's own locales need not be installed */
  return system("localedef -i de_DE -f UTF-8 locale.tmp/de_DE.utf8");
}

static int stop(void **state) {
  (void)state;
  remove_folder("locale.tmp");
  fw_context_destroy(&ctx);
  return 0;
}

static const char deck_text[] =
    "<fretwork version=\"1\"><parameters><parameter name=\"E\" value=\"2.1e11\"/></parameters>\n"
    "<materials><elastic id=\"steel\" E=\"E\" nu=\"0.3\" rho=\"7800.5\"/></materials>\n"
    "<bodies><plane id=\"b\" material=\"steel\" thickness=\"0.01\"><mesh file=\"b.msh\"/>"
    "<point id=\"corner\" at=\"0.55, 0.25\"/></plane></bodies>\n"
    "<supports><support at=\"b.left\" x=\"fixed\" y=\"fixed\"/></supports>\n"
    "<loads><harmonic id=\"f\" at=\"b.corner\" fy=\"1.5\"/><expression id=\"g\" at=\"b.corner\" fy=\"0.5\" "
    "value=\"1.25*t\"/></loads>\n"
    "<sensors><sensor id=\"y\" at=\"b.corner\" direction=\"y\"/></sensors>\n"
    "<damping><rayleigh alpha=\"20.5\"/></damping>\n"
    "<analyses><modal id=\"m\" modes=\"2\"/><transient id=\"t\" loads=\"g\" duration=\"0.001\" step=\"0.0001\"/>\n"
    "<frf id=\"r\" loads=\"f\" levels=\"0.5, 1.5\" f-min=\"100.5\" f-max=\"400.5\" response=\"y\"/></analyses>\n"
    "<outputs><vtk analysis=\"t\" every=\"5\"/></outputs>\n"
    "<studies><study id=\"s\" sampling=\"grid\" steps=\"3\" run=\"m\"><vary parameter=\"E\" min=\"1.9e11\" "
    "max=\"2.2e11\"/><result name=\"f1\" of=\"m\" quantity=\"modes[0].frequency\"/></study></studies></fretwork>\n";

static const char mesh_text[] =
    "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$PhysicalNames\n2\n1 1 \"left\"\n2 2 \"all\"\n$EndPhysicalNames\n"
    "$Nodes\n4\n1 0 0 0\n2 0.55 0 0\n3 0.55 0.25 0\n4 0 0.25 0\n$EndNodes\n"
    "$Elements\n2\n1 1 2 1 1 4 1\n2 3 2 2 1 1 2 3 4\n$EndElements\n";

#define DO(call)                                                                       \
  do {                                                                                 \
    if ((call) != FW_OK) fail_msg("%s: %s", #call, fw_context_message(ctx));           \
    char shown[8];                                                                     \
    snprintf(shown, sizeof shown, "%.1f", 0.5);                                        \
    assert_string_equal(shown, localeconv()->decimal_point[0] == ',' ? "0,5" : "0.5"); \
  } while (0)

/* All that is written in a folder, through every function that reads or writes numbers. */
static void do_all(const char *out, const char *uff, char **loop, char **law) {
  fw_deck *deck = NULL;
  fw_results *results = NULL;
  const char *const words[] = {"dahl", "mu-c=0.45"}, *const drive[] = {"amplitude=1.5e-5"};
  const fw_loop_options options = {.words = words, .word_count = 2, .drive = drive, .drive_count = 1};
  DO(fw_deck_load(ctx, "locale.tmp/d.xml", &deck));
  DO(fw_deck_set(ctx, deck, "E", "2.05e11"));
  DO(fw_deck_check(ctx, deck));
  DO(fw_run(ctx, deck, &(fw_run_options){.out = out, .threads = 2}, &results));
  DO(fw_report(ctx, &out, 1, NULL, false));
  DO(fw_export(ctx, out, uff, false, false));
  DO(fw_loop(ctx, &options, loop));
  DO(fw_list(ctx, "laws", "dahl", law));
  fw_results_destroy(&results);
  fw_deck_destroy(&deck);
}

/* Times are not the same twice. */
static void drop_seconds(char *text) {
  for (char *at; (at = strstr(text, "seconds"));) {
    char *end = at + strcspn(at, "\n");
    memmove(at, end, strlen(end) + 1);
  }
}

static void assert_same(const char *a, const char *b) {
  char *x, *y;
  assert_int_equal(fw_file_read(ctx, a, &x, NULL), FW_OK);
  assert_int_equal(fw_file_read(ctx, b, &y, NULL), FW_OK);
  drop_seconds(x);
  drop_seconds(y);
  if (strcmp(x, y) != 0) fail_msg("%s and %s differ", a, b);
  free(x);
  free(y);
}

static void decimal_commas_change_nothing(void **state) {
  (void)state;
  static const char *const files[] = {"summary.txt",     "summary.json",  "deck.xml",
                                      "m/modes.csv",     "t/history.csv", "t/history.svg",
                                      "r/harmonics.csv", "s/samples.csv", "t/motion.pvd"};
  char *loop[2], *law[2];
  assert_int_equal(fw_file_write(ctx, "locale.tmp/d.xml", deck_text, strlen(deck_text)), FW_OK);
  assert_int_equal(fw_file_write(ctx, "locale.tmp/b.msh", mesh_text, strlen(mesh_text)), FW_OK);
  do_all("locale.tmp/point", "locale.tmp/point.uff", &loop[0], &law[0]);
  assert_non_null(setlocale(LC_ALL, "de_DE.utf8"));
  assert_string_equal(localeconv()->decimal_point, ",");
  do_all("locale.tmp/comma", "locale.tmp/comma.uff", &loop[1], &law[1]);
  for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
    char a[128], b[128];
    snprintf(a, sizeof a, "locale.tmp/point/%s", files[i]);
    snprintf(b, sizeof b, "locale.tmp/comma/%s", files[i]);
    if (fw_path_exists(a) || fw_path_exists(b) || i < 6) assert_same(a, b);
  }
  assert_same("locale.tmp/point.uff", "locale.tmp/comma.uff");
  assert_string_equal(loop[0], loop[1]);
  assert_string_equal(law[0], law[1]);
  for (int i = 0; i < 2; i++) {
    free(loop[i]);
    free(law[i]);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(decimal_commas_change_nothing)};
  return cmocka_run_group_tests(tests, start, stop);
}
