/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The sketch of a model: what `check --sketch` draws, and that a floor drawn the wrong way round is seen in it. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "cmocka_all.h"
#include "input/deck.h"
#include "output/files.h"
#include "output/sketch_parts.h"
#include "program.h"
#include "remove_folder.h"

/* A mass 0.3 mm above a floor that runs from left to right, or back. */
static const char deck[] =
    "<fretwork version=\"1\">\n"
    "<bodies><rigid id=\"b\" at=\"0, 0.0103\" m=\"1\" J=\"1\"/></bodies>\n"
    "<supports><support at=\"b.centre\" x=\"100\" rz=\"fixed\"/></supports>\n"
    "<contact><surface id=\"floor\"><line from=\"%s, 0\" to=\"%s, 0\"/></surface>\n"
    "<pair id=\"foot\" target=\"floor\"><disc at=\"b.centre\" radius=\"0.01\"/><normal "
    "law=\"hard\"/></pair></contact>\n"
    "<loads><force id=\"weight\" at=\"b.centre\" fy=\"-9.81\"/></loads>\n"
    "<sensors><sensor id=\"height\" at=\"b.centre\" direction=\"y\"/></sensors>\n"
    "<analyses><static id=\"s\" loads=\"weight\"/></analyses>\n"
    "</fretwork>\n";

static void write_deck(const char *from, const char *to) {
  FILE *file = fopen("deck.xml", "w");
  assert_non_null(file);
  fprintf(file, deck, from, to);
  fclose(file);
}

static void check_draws_on_request(void **state) {
  (void)state;
  static program p;
  char *svg;
  fw_context *ctx;
  assert_int_equal(fw_context_create(&ctx), FW_OK);
  write_deck("-0.1", "0.1");
  PROGRAM_RUN(&p, "check", "deck.xml");
  assert_int_equal(p.code, 0);
  assert_false(fw_path_exists("deck.svg"));
  PROGRAM_RUN(&p, "check", "deck.xml", "--sketch", "deck.svg");
  assert_int_equal(p.code, 0);
  assert_int_equal(fw_file_read(ctx, "deck.svg", &svg, NULL), FW_OK);
  const char *const told[] = {"foot: gap 300 µm", "\"weight\"", "\"height\"", "\"supports\"", "\"normals\"", NULL};
  for (int i = 0; told[i]; i++) assert_non_null(strstr(svg, told[i]));
  free(svg);
  PROGRAM_RUN(&p, "check", "deck.xml", "--sketch", "deck.svg");
  assert_int_equal(p.code, 2);
  PROGRAM_RUN(&p, "check", "deck.xml", "--sketch", "deck.svg", "--force");
  assert_int_equal(p.code, 0);
  PROGRAM_RUN(&p, "check", "deck.xml", "--force");
  assert_int_equal(p.code, 2);
  PROGRAM_RUN(&p, "check", "deck.xml", "deck.xml", "--sketch", "other.svg");
  assert_int_equal(p.code, 2);
  fw_context_destroy(&ctx);
}

/* Which way the first normal of the only pair points, and what is said of its gap. */
static double normal_of_floor(const char *from, const char *to, char told[FW_SKETCH_TEXT]) {
  fw_context *ctx;
  fw_deck *read;
  fw_built *built;
  write_deck(from, to);
  assert_int_equal(fw_context_create(&ctx), FW_OK);
  assert_int_equal(fw_deck_load(ctx, "deck.xml", &read), FW_OK);
  assert_int_equal(fw_deck_build(ctx, read, &built), FW_OK);
  fw_sketch sketch = {.ctx = ctx, .model = built->model, .size = 0.01};
  assert_int_equal(fw_sketch_closer(&sketch, built->model->pairs[0]), FW_OK);
  fw_sketch_gaps(built->model, built->model->pairs[0], told);
  const fw_strokes *normals = &sketch.parts[FW_SKETCH_NORMALS];
  assert_true(normals->count >= 2);
  double up = normals->y[1] - normals->y[0];
  assert_true(fabs(normals->x[1] - normals->x[0]) < 1e-15);
  fw_sketch_clear(&sketch);
  fw_built_destroy(&built);
  fw_deck_destroy(&read);
  fw_context_destroy(&ctx);
  return up;
}

/* The sketch of a tube in two spans with a load in the middle of the first, reduced to so many modes. */
static char *tube_sketch(fw_context *ctx, int modes) {
  static program p;
  char *svg;
  FILE *file = fopen("tube.xml", "w");
  assert_non_null(file);
  fprintf(
      file,
      "<fretwork version=\"1\">"
      "<materials><elastic id=\"steel\" E=\"2e11\" nu=\"0.3\" rho=\"7850\"/></materials>"
      "<sections><tube id=\"pipe\" diameter=\"0.02\" wall=\"1e-3\"/></sections>"
      "<bodies><tube id=\"t\" material=\"steel\" section=\"pipe\" from=\"0, 0, 0\" to=\"2, 0, 0\" divisions=\"8\" "
      "modes=\"%d\"><point id=\"a\" s=\"0\"/><point id=\"span\" s=\"0.5\"/><point id=\"b\" s=\"2\"/></tube></bodies>"
      "<supports><support at=\"t.a\" x=\"fixed\" y=\"fixed\" z=\"fixed\" rx=\"fixed\" ry=\"fixed\" rz=\"fixed\"/>"
      "<support at=\"t.b\" y=\"fixed\" z=\"fixed\"/></supports>"
      "<loads><force id=\"push\" at=\"t.span\" fy=\"1\"/></loads>"
      "<sensors><sensor id=\"y\" at=\"t.span\" direction=\"y\"/></sensors>"
      "<analyses><static id=\"s\" loads=\"push\"/></analyses></fretwork>",
      modes);
  fclose(file);
  PROGRAM_RUN(&p, "check", "tube.xml", "--sketch", "tube.svg", "--force");
  assert_int_equal(p.code, 0);
  assert_int_equal(fw_file_read(ctx, "tube.svg", &svg, NULL), FW_OK);
  char *checked = svg;
  PROGRAM_RUN(&p, "run", "tube.xml", "--out", "tube.out", "--force", "--quiet");
  assert_int_equal(p.code, 0);
  assert_int_equal(fw_file_read(ctx, "tube.out/model.svg", &svg, NULL), FW_OK);
  assert_string_equal(svg, checked);
  remove_folder("tube.out");
  free(checked);
  return svg;
}

static void reduced_tubes_are_drawn_whole(void **state) {
  (void)state;
  fw_context *ctx;
  assert_int_equal(fw_context_create(&ctx), FW_OK);
  char *whole = tube_sketch(ctx, 0), *reduced = tube_sketch(ctx, 2);
  assert_string_equal(whole, reduced);
  free(whole);
  free(reduced);
  fw_context_destroy(&ctx);
}

static void a_floor_the_wrong_way_round_is_seen(void **state) {
  (void)state;
  char told[FW_SKETCH_TEXT];
  assert_true(normal_of_floor("-0.1", "0.1", told) > 0.0);
  assert_string_equal(told, "foot: gap 300 µm");
  assert_true(normal_of_floor("0.1", "-0.1", told) < 0.0);
  assert_string_equal(told, "foot: reaches 20.3 mm into it");
}

/* A note beside the place it is about: on none of the lines there, and on no other note. */
static void notes_keep_off_lines_and_notes(void **state) {
  (void)state;
  fw_context *ctx;
  fw_sketch sketch = {.size = 1.0};
  assert_int_equal(fw_context_create(&ctx), FW_OK);
  const double up[2][2] = {{0.8, 0.0}, {0.8, 9.0}}, at[2] = {0.0, 0.0};
  assert_int_equal(fw_strokes_line(ctx, &sketch.parts[FW_SKETCH_LOADS], up, 2), FW_OK);
  fw_sketch_note(&sketch, at, "first");
  fw_sketch_note(&sketch, at, "second");
  fw_sketch_note(&sketch, at, "third");
  fw_sketch_place_notes(&sketch);
  for (int i = 0; i < 3; i++) {
    const fw_plot_note *note = &sketch.notes[i];
    print_message("%s at %g, %g\n", note->text, note->x, note->y);
    double wide = 0.5 * (double)strlen(note->text);
    bool above = note->y + 0.5 > 0.0, across = note->x < 0.8 && note->x + wide > 0.8;
    assert_false(above && across);
    assert_true(hypot(note->x + 0.5 * wide, note->y) < 4.0);
    for (int k = 0; k < i; k++) {
      const fw_plot_note *other = &sketch.notes[k];
      bool beside = note->x > other->x + 0.5 * (double)strlen(other->text) || other->x > note->x + wide;
      assert_true(beside || fabs(note->y - other->y) > 0.99);
    }
  }
  fw_sketch_clear(&sketch);
  fw_context_destroy(&ctx);
}

static void lines_are_clipped(void **state) {
  (void)state;
  const double low[2] = {0, 0}, high[2] = {2, 1};
  double a[2] = {-2, -1}, b[2] = {4, 2}, c[2] = {-1, 0.5}, d[2] = {-0.5, 0.5};
  assert_true(fw_clip(a, b, low, high));
  assert_true(fabs(a[0]) < 1e-15 && fabs(a[1]) < 1e-15 && fabs(b[0] - 2) < 1e-15 && fabs(b[1] - 1) < 1e-15);
  assert_false(fw_clip(c, d, low, high));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(check_draws_on_request), cmocka_unit_test(reduced_tubes_are_drawn_whole),
      cmocka_unit_test(a_floor_the_wrong_way_round_is_seen), cmocka_unit_test(lines_are_clipped),
      cmocka_unit_test(notes_keep_off_lines_and_notes)};
  remove_folder("sketch.tmp");
  mkdir("sketch.tmp", 0755);
  if (chdir("sketch.tmp") != 0) return 1;
  return cmocka_run_group_tests(tests, NULL, NULL);
}
