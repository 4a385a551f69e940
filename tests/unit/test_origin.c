/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Marks change with what numbers depend on and with nothing else, and a run is continued only by itself. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "cmocka_all.h"
#include "contact/model_mark.h"
#include "input/origin.h"
#include "output/files.h"
#include "program.h"
#include "remove_folder.h"

static fw_context *ctx;
static program p;

static int start(void **state) {
  (void)state;
  fw_context_create(&ctx);
  remove_folder("origin.tmp");
  return fw_folder_make(ctx, "origin.tmp");
}

static int stop(void **state) {
  (void)state;
  remove_folder("origin.tmp");
  fw_context_destroy(&ctx);
  return 0;
}

/* A mass on a spring, struck: x reaches 2 F/k. `title` and so on stand where their names say. */
typedef struct variant {
  const char *title, *k, *unused, *formula, *duration, *studies;
} variant;

static const variant plain = {"plain", "k", "1", "2*g", "2", ""};

static void write_deck(const char *path, variant v) {
  char text[2048];
  int length = snprintf(
      text, sizeof text,
      "<fretwork version=\"1\"><title>%s</title>\n"
      "<parameters><parameter name=\"k\" value=\"100\"/><parameter name=\"unused\" value=\"%s\"/>"
      "<parameter name=\"g\" value=\"0.5\"/></parameters>\n"
      "<bodies><rigid id=\"m\" at=\"0,0\" m=\"1\" J=\"1\"/><spring id=\"s\" at=\"m.centre\" direction=\"1,0\" "
      "k=\"%s\"/></bodies>\n"
      "<loads><expression id=\"f\" at=\"m.centre\" fx=\"1\" value=\"%s\"/></loads>\n"
      "<sensors><sensor id=\"x\" at=\"m.centre\" direction=\"x\"/></sensors>\n"
      "<analyses><transient id=\"t\" loads=\"f\" duration=\"%s\" step=\"0.001\" checkpoint-every=\"0.5\"/></analyses>\n"
      "%s</fretwork>\n",
      v.title, v.unused, v.k, v.formula, v.duration, v.studies);
  assert_int_equal(fw_file_write(ctx, path, text, (size_t)length), FW_OK);
}

typedef struct marks {
  uint64_t deck, model;
} marks;

static marks marks_of(const char *path, const char *name, const char *value) {
  fw_deck *deck = NULL;
  fw_built *built = NULL;
  marks m;
  assert_int_equal(fw_deck_load(ctx, path, &deck), FW_OK);
  if (name) assert_int_equal(fw_deck_set(ctx, deck, name, value), FW_OK);
  assert_int_equal(fw_deck_mark(ctx, deck, &m.deck), FW_OK);
  assert_int_equal(fw_deck_build(ctx, deck, &built), FW_OK);
  m.model = fw_model_mark(built->model);
  fw_built_destroy(&built);
  fw_deck_destroy(&deck);
  return m;
}

static marks marks_of_variant(variant v) {
  write_deck("origin.tmp/v.xml", v);
  return marks_of("origin.tmp/v.xml", NULL, NULL);
}

static void marks_follow_what_counts(void **state) {
  (void)state;
  write_deck("origin.tmp/plain.xml", plain);
  const marks first = marks_of("origin.tmp/plain.xml", NULL, NULL),
              again = marks_of("origin.tmp/plain.xml", "k", "100");
  assert_true(first.deck == again.deck && first.model == again.model);
  variant v = plain;
  v.title = "another";
  v.unused = "7";
  v.k = "k+0"; /* the same number */
  v.studies =
      "<studies><study id=\"s\" sampling=\"grid\" run=\"t\"><vary parameter=\"k\" min=\"90\" max=\"110\"/>"
      "<result name=\"r\" of=\"t\" quantity=\"sensors.x.max\"/></study></studies>\n";
  marks same = marks_of_variant(v);
  assert_true(first.deck == same.deck && first.model == same.model);
  v = plain;
  v.duration = "3"; /* a setting, not the model */
  marks longer = marks_of_variant(v);
  assert_true(first.deck != longer.deck && first.model == longer.model);
  v = plain;
  v.formula = "3*g";
  marks other = marks_of_variant(v);
  assert_true(first.deck != other.deck && first.model != other.model);
}

static void marks_follow_parameters(void **state) {
  (void)state;
  const marks first = marks_of("origin.tmp/plain.xml", NULL, NULL);
  marks stiffer = marks_of("origin.tmp/plain.xml", "k", "400"), heavier = marks_of("origin.tmp/plain.xml", "g", "0.6");
  assert_true(first.deck != stiffer.deck && first.model != stiffer.model);
  assert_true(first.deck != heavier.deck && first.model != heavier.model); /* through the formula only */
}

static void marks_follow_contents_of_files(void **state) {
  (void)state;
  static const char deck[] =
      "<fretwork version=\"1\"><materials><elastic id=\"steel\" E=\"210e9\" nu=\"0.3\" rho=\"7800\"/></materials>\n"
      "<bodies><plane id=\"b\" material=\"steel\" thickness=\"0.01\"><mesh file=\"b.msh\"/></plane></bodies>\n"
      "<supports><support at=\"b.left\" x=\"fixed\" y=\"fixed\"/></supports>\n"
      "<analyses><modal id=\"m\" modes=\"1\"/></analyses></fretwork>\n";
  static const char mesh[] =
      "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$PhysicalNames\n2\n1 1 \"left\"\n2 2 \"all\"\n$EndPhysicalNames\n"
      "$Nodes\n4\n1 0 0 0\n2 %s 0 0\n3 %s 1 0\n4 0 1 0\n$EndNodes\n$Elements\n2\n1 1 2 1 1 4 1\n2 3 2 2 1 1 2 3 4\n"
      "$EndElements\n";
  char text[1024];
  marks two[2];
  assert_int_equal(fw_file_write(ctx, "origin.tmp/file.xml", deck, strlen(deck)), FW_OK);
  for (int i = 0; i < 2; i++) {
    const char *width = i ? "1.5" : "1";
    int length = snprintf(text, sizeof text, mesh, width, width);
    assert_int_equal(fw_file_write(ctx, "origin.tmp/b.msh", text, (size_t)length), FW_OK);
    two[i] = marks_of("origin.tmp/file.xml", NULL, NULL);
  }
  assert_true(two[0].deck != two[1].deck && two[0].model != two[1].model);
}

/* ---- as a user runs it ------------------------------------------------------------------- */

#define RESUME(...) PROGRAM_RUN(&p, "run", "origin.tmp/run.xml", "--quiet", "--resume", __VA_ARGS__)

static void assert_refused(const char *why) {
  assert_int_equal(p.code, 2);
  if (!strstr(p.err, why)) fail_msg("'%s' is not in: %s", why, p.err);
}

static void another_model_is_not_continued(void **state) {
  (void)state;
  write_deck("origin.tmp/run.xml", plain);
  PROGRAM_RUN(&p, "run", "origin.tmp/run.xml", "--quiet");
  assert_int_equal(p.code, 0);
  RESUME("--set", "k=400");
  assert_refused("parameter k: 100 then, 400 now");
  RESUME("--set", "k=100");
  assert_int_equal(p.code, 0);
  variant v = plain;
  v.duration = "3";
  write_deck("origin.tmp/run.xml", v);
  RESUME("--threads", "1");
  assert_refused("<transient> duration: 2 then, 3 now");
  v = plain;
  v.formula = "2*g+t";
  write_deck("origin.tmp/run.xml", v);
  RESUME("--threads", "1");
  assert_refused("<expression> value: 2*g then, 2*g+t now");
  v = plain;
  v.unused = "1\"/><parameter name=\"more\" value=\"2"; /* the attribute ends here, and an element more begins */
  v.formula = "more*g";
  write_deck("origin.tmp/run.xml", v);
  RESUME("--threads", "1");
  assert_refused("parameter more is new");
  v = plain;
  v.k = "k\"/><mass id=\"more\" at=\"m.centre\" m=\"1";
  write_deck("origin.tmp/run.xml", v);
  RESUME("--threads", "1");
  assert_refused("<bodies> is another or has other parts");
  write_deck("origin.tmp/run.xml", plain);
  RESUME("--threads", "1");
  assert_int_equal(p.code, 0);
}

static void another_version_is_not_continued(void **state) {
  (void)state;
  char *text, *at;
  assert_int_equal(fw_file_read(ctx, "origin.tmp/run.out/manifest.json", &text, NULL), FW_OK);
  at = strstr(text, fw_version());
  assert_non_null(at);
  at[0] = '9';
  at = strstr(text, "\"mark\": \"");
  assert_non_null(at);
  memcpy(at + 9, "0000", 4);
  assert_int_equal(fw_file_write(ctx, "origin.tmp/run.out/manifest.json", text, strlen(text)), FW_OK);
  free(text);
  RESUME("--threads", "1");
  assert_refused("version 9");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(marks_follow_what_counts), cmocka_unit_test(marks_follow_parameters),
      cmocka_unit_test(marks_follow_contents_of_files), cmocka_unit_test(another_model_is_not_continued),
      cmocka_unit_test(another_version_is_not_continued)};
  return cmocka_run_group_tests(tests, start, stop);
}
