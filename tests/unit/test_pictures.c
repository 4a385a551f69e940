/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Pictures made of tables and figures: bars of pairs, pressure along surfaces, multipliers, maps. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cmocka_all.h"
#include "output/files.h"
#include "output/plot.h"
#include "output/plots.h"
#include "output/raster.h"
#include "remove_folder.h"

typedef struct bench {
  fw_context *ctx;
  fw_sink *sink;
} bench;

static bench open_bench(void) {
  bench b;
  assert_int_equal(fw_context_create(&b.ctx), FW_OK);
  assert_int_equal(fw_sink_create(b.ctx, &b.sink), FW_OK);
  return b;
}

static void close_bench(bench *b) {
  fw_sink_destroy(&b->sink);
  fw_context_destroy(&b->ctx);
}

/* The numbers of the n-th array "key":"..." of a picture: 32-bit floats, little endian, in base64; how many. */
static int numbers_of(const char *svg, const char *key, int n, float *numbers, int most) {
  static const char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  static unsigned char bytes[1 << 16];
  const char *at = svg;
  for (int i = 0; i <= n; i++) {
    at = strstr(at, key);
    if (!at) fail_msg("no %s", key);
    at += strlen(key);
  }
  size_t count = 0, bits = 0;
  unsigned word = 0;
  for (; *at && *at != '"' && *at != '=' && count < sizeof bytes; at++) {
    word = word << 6 | (unsigned)(strchr(letters, *at) - letters);
    bits += 6;
    if (bits < 8) continue;
    bits -= 8;
    bytes[count++] = (unsigned char)(word >> bits);
  }
  int found = (int)(count / sizeof(float));
  if (found > most) found = most;
  memcpy(numbers, bytes, (size_t)found * sizeof(float));
  return found;
}

static char *read_picture(const bench *b, const char *name) {
  char *svg;
  assert_int_equal(fw_file_read(b->ctx, name, &svg, NULL), FW_OK);
  return svg;
}

/* Two pairs: bars as long as their work rates, in mW, the first on top. */
static void bars_are_as_long_as_figures(void **state) {
  (void)state;
  bench b = open_bench();
  fw_record *part;
  float x[8], y[8];
  assert_int_equal(fw_record_create(&part), FW_OK);
  assert_int_equal(fw_record_set_figure(part, 0.25, "W", "contact.left.work_rate"), FW_OK);
  assert_int_equal(fw_plots_bars(b.ctx, part, "."), FW_OK);
  assert_int_not_equal(access("pairs.svg", R_OK), 0); /* of one pair there is nothing to compare */
  assert_int_equal(fw_record_set_figure(part, 0.75, "W", "contact.right.work_rate"), FW_OK);
  assert_int_equal(fw_record_set_figure(part, 2e-21, "m", "contact.right.slip_amplitude"), FW_OK); /* rounding */
  assert_int_equal(fw_plots_bars(b.ctx, part, "."), FW_OK);
  char *svg = read_picture(&b, "pairs.svg");
  assert_non_null(strstr(svg, "work rate [mW]"));
  assert_null(strstr(svg, "slip amplitude")); /* nobody has any */
  for (int bar = 0; bar < 2; bar++) {
    assert_int_equal(numbers_of(svg, "\"x\":\"", bar + 1, x, 8), 5); /* the first is the label */
    assert_int_equal(numbers_of(svg, "\"y\":\"", bar, y, 8), 5);
    assert_true(fabsf(x[1] - (bar ? 750.0f : 250.0f)) < 1e-3f && x[0] == 0.0f);
    assert_true(fabsf(0.5f * (y[0] + y[2]) - (bar ? 1.0f : 2.0f)) < 1e-6f);
  }
  free(svg);
  assert_int_equal(fw_record_set_figure(part, 3.0, "1/s", "supports.upper.impact_rate"), FW_OK);
  assert_int_equal(fw_record_set_figure(part, 2.0, "1/s", "supports.lower.impact_rate"), FW_OK);
  assert_int_equal(fw_plots_bars(b.ctx, part, "."), FW_OK);
  svg = read_picture(&b, "supports.svg");
  assert_true(strstr(svg, "upper") && strstr(svg, "lower") && strstr(svg, "impacts [1/s]"));
  free(svg);
  fw_record_destroy(&part);
  close_bench(&b);
}

/* Two points a class, over the classes that have any, and not the ends of the classes as if they were a result. */
static void classes_are_a_staircase(void **state) {
  (void)state;
  bench b = open_bench();
  fw_data_table *table;
  float x[8], y[8];
  const fw_column columns[] = {{"force from", "N"}, {"force to", "N"}, {"plate.impacts", "1/s"}};
  const double rows[][3] = {{1, 2, 0}, {2, 5, 4}, {5, 10, 0}, {10, 20, 7}, {20, 50, 0}};
  assert_int_equal(fw_sink_table(b.sink, b.ctx, "t", "impacts", columns, 3, false, &table), FW_OK);
  for (size_t r = 0; r < 5; r++) assert_int_equal(fw_sink_row(b.sink, b.ctx, table, rows[r]), FW_OK);
  assert_int_equal(fw_plots_table(b.ctx, table, "."), FW_OK);
  char *svg = read_picture(&b, "impacts.svg");
  assert_non_null(strstr(svg, "force [N]"));
  assert_null(strstr(svg, "force to"));
  assert_int_equal(numbers_of(svg, "\"x\":\"", 1, x, 8), 6); /* the first is the label */
  assert_int_equal(numbers_of(svg, "\"y\":\"", 1, y, 8), 6);
  const float ends[] = {2, 5, 5, 10, 10, 20}, heights[] = {4, 4, 0, 0, 7, 7};
  for (int i = 0; i < 6; i++) assert_true(x[i] == ends[i] && y[i] == heights[i]);
  free(svg);
  close_bench(&b);
}

/* The largest value of the squares that hold a place, which are closed; below 0: none does. */
static double value_at(const fw_patch *squares, size_t count, double x, double y) {
  double value = -1.0;
  for (size_t i = 0; i < count; i++)
    if (x >= squares[i].x[0] && x <= squares[i].x[2] && y >= squares[i].y[0] && y <= squares[i].y[2])
      value = fmax(value, squares[i].value);
  return value;
}

/* 100 by 50 slanted patches whose value is their row and column, as squares: none is missing inside, none is there outside, and
 * each has a value that stands within its reach. Patches smaller than the squares count with their largest. */
static void rasters_have_no_holes(void **state) {
  (void)state;
  static const struct {
    int wide, tall;
    size_t most;
  } cases[] = {{100, 50, 4000}, {100, 50, 300}, {4001, 1, 4000}};
  for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
    const int wide = cases[k].wide, tall = cases[k].tall;
    const double w = 2.0 / wide, h = 1.0 / tall, slant = 0.3;
    size_t count = (size_t)wide * (size_t)tall;
    fw_patch *patches = calloc(count, sizeof *patches);
    bench b = open_bench();
    assert_non_null(patches);
    for (int i = 0; i < wide; i++)
      for (int j = 0; j < tall; j++) {
        double x = i * w + slant * j * h, y = j * h, over = slant * h;
        patches[i * tall + j] =
            (fw_patch){4, {x, x + w, x + w + over, x + over}, {y, y, y + h, y + h}, x + w / 2 + over / 2};
      }
    assert_int_equal(fw_raster(b.ctx, cases[k].most, patches, &count), FW_OK);
    assert_in_range(count, cases[k].most / 2, cases[k].most);
    const double size = patches[0].x[1] - patches[0].x[0], reach = size + w + slant * h;
    for (double y = size; y < 1 - size; y += 0.037)
      for (double x = slant * y + size * 1.3; x < slant * y + 2 - size * 1.3; x += 0.041) {
        double value = value_at(patches, count, x, y);
        if (!(fabs(value - x) <= reach)) fail_msg("%g at (%g, %g), a square is %g", value, x, y, size);
      }
    for (double y = 0.01; y < 1; y += 0.1) {
      assert_true(value_at(patches, count, slant * y - 1.5 * size - slant * h, y) < 0.0);
      assert_true(value_at(patches, count, slant * y + 2 + 1.5 * size + slant * h, y) < 0.0);
    }
    free(patches);
    close_bench(&b);
  }
}

/* Points at unequal distances under an even pressure p: what is drawn along the surface is p everywhere. */
static void even_pressure_is_even(void **state) {
  (void)state;
  enum { POINTS = 5, ROWS = 30 };
  static const double along[POINTS] = {0, 0.01, 0.03, 0.04, 0.06}, share[POINTS] = {0.005, 0.015, 0.015, 0.015, 0.01};
  const double p = 800.0;
  bench b = open_bench();
  fw_data_table *contact, *points;
  const fw_column columns[1 + POINTS] = {{"time", "s"},         {"lap 1 normal", "N"}, {"lap 2 normal", "N"},
                                         {"lap 3 normal", "N"}, {"lap 4 normal", "N"}, {"lap 5 normal", "N"}};
  const fw_column places[] = {{"pair", ""}, {"point", ""}, {"x", "m"}, {"y", "m"}, {"along", "m"}};
  assert_int_equal(fw_sink_table(b.sink, b.ctx, "t", "contact", columns, 1 + POINTS, false, &contact), FW_OK);
  assert_int_equal(fw_sink_table(b.sink, b.ctx, "t", "contact-points", places, 5, false, &points), FW_OK);
  for (int r = 0; r < ROWS; r++) {
    double row[1 + POINTS] = {r};
    for (int i = 0; i < POINTS; i++) row[1 + i] = p * share[i] * (r % 2 ? 1.5 : 0.5);
    assert_int_equal(fw_sink_row(b.sink, b.ctx, contact, row), FW_OK);
  }
  for (int i = 0; i < POINTS; i++)
    assert_int_equal(fw_sink_row(b.sink, b.ctx, points, (double[]){1, i + 1, along[i], 0, along[i]}), FW_OK);
  assert_int_equal(fw_plots_pressure_history(b.ctx, b.sink, "t", "."), FW_OK);
  char *svg = read_picture(&b, "pressure-lap.svg");
  for (int curve = 0; curve < 2; curve++) { /* mean, largest; "y":" is the label first */
    float y[8];
    int count = numbers_of(svg, "\"y\":\"", curve + 1, y, 8);
    assert_in_range(count, 2, POINTS); /* those on a straight line are left out */
    float factor = strstr(svg, "normal [N/mm]") ? 1e-3f : 1.0f;
    for (int i = 0; i < count; i++) assert_true(fabsf(y[i] / (factor * (curve ? 1200.0f : 800.0f)) - 1) < 1e-5f);
  }
  free(svg);
  close_bench(&b);
}

static void multipliers_have_their_circle(void **state) {
  (void)state;
  bench b = open_bench();
  fw_data_table *table;
  const fw_column columns[] = {{"frequency", "Hz"}, {"number", ""}, {"real", ""}, {"imaginary", ""}};
  assert_int_equal(fw_sink_table(b.sink, b.ctx, "f", "multipliers-1", columns, 4, false, &table), FW_OK);
  for (int r = 0; r < 20; r++)
    assert_int_equal(fw_sink_row(b.sink, b.ctx, table, (double[]){r, 1, 0.6 * cos(r), 0.6 * sin(r)}), FW_OK);
  assert_true(fw_plots_are_multipliers(table));
  assert_int_equal(fw_plots_table(b.ctx, table, "."), FW_OK);
  char *svg = read_picture(&b, "multipliers-1.svg");
  float size[32];
  int count = numbers_of(svg, "\"y\":\"", 5, size, 32); /* label, circle, points; label, one, sizes */
  assert_int_equal(count, 20);
  for (int i = 0; i < count; i++) assert_true(fabsf(size[i] - 0.6f) < 1e-6f);
  free(svg);
  close_bench(&b);
}

/* Four squares, their numbers and names. */
static void correlations_are_squares(void **state) {
  (void)state;
  bench b = open_bench();
  fw_data_table *table;
  const fw_column columns[] = {{"parameter", ""}, {"mu", ""}, {"sigma0", ""}};
  assert_int_equal(fw_sink_table(b.sink, b.ctx, "fit", "correlation", columns, 3, false, &table), FW_OK);
  assert_int_equal(fw_sink_row(b.sink, b.ctx, table, (double[]){1, 1, -0.75}), FW_OK);
  assert_int_equal(fw_sink_row(b.sink, b.ctx, table, (double[]){2, -0.75, 1}), FW_OK);
  assert_int_equal(fw_plots_table(b.ctx, table, "."), FW_OK);
  char *svg = read_picture(&b, "correlation.svg");
  float numbers[60];
  assert_non_null(strstr(svg, "\"names\":[\"mu: 1\",\"sigma0: 2\"]"));
  assert_non_null(strstr(svg, "\"text\":\"-0.75\",\"light\":true"));
  assert_int_equal(numbers_of(svg, "\"patches\":\"", 0, numbers, 60), 6 * 9);
  assert_true(numbers[8] == 1.0f && numbers[17] == -0.75f);
  assert_true(numbers[44] == -1.0f && numbers[53] == 1.0f); /* what the ends of the colours mean */
  free(svg);
  close_bench(&b);
}

/* Of a law's numbers too; colours go from -1 to 1, so that of positive ones none is dark and no number is light. */
static void correlations_of_a_law_are_squares(void **state) {
  (void)state;
  bench b = open_bench();
  fw_data_table *table;
  const fw_column columns[] = {{"parameter", ""}, {"mu-s", ""}, {"v-s", ""}};
  assert_int_equal(fw_sink_table(b.sink, b.ctx, "fit", "correlation-lugre", columns, 3, false, &table), FW_OK);
  assert_int_equal(fw_sink_row(b.sink, b.ctx, table, (double[]){1, 1, 0.25}), FW_OK);
  assert_int_equal(fw_sink_row(b.sink, b.ctx, table, (double[]){2, 0.25, 1}), FW_OK);
  assert_int_equal(fw_plots_table(b.ctx, table, "."), FW_OK);
  char *svg = read_picture(&b, "correlation-lugre.svg");
  assert_non_null(strstr(svg, "correlation of parameters of lugre"));
  assert_non_null(strstr(svg, "\"text\":\"0.25\""));
  assert_null(strstr(svg, "\"light\":true"));
  assert_non_null(strstr(svg, "\"xwhole\":true"));
  free(svg);
  close_bench(&b);
}

/* The least stress of a body that is hardly loaded at one end is rounding: the scale begins at 0. */
static void scales_begin_at_nothing(void **state) {
  (void)state;
  bench b = open_bench();
  const fw_patch patches[] = {{4, {0, 1, 1, 0}, {0, 0, 1, 1}, 1.5e-5}, {4, {1, 2, 2, 1}, {0, 0, 1, 1}, 3e7}};
  const double x[] = {0, 2}, y[] = {0, 1};
  const fw_plot_curve frame = {.count = 2, .x = x, .y = y, .faint = true};
  const fw_panel panel = {
      .curves = &frame, .curve_count = 1, .patches = patches, .patch_count = 2, .patch_label = "stress [Pa]"};
  char *svg;
  size_t length;
  float numbers[18];
  assert_int_equal(fw_plot_svg(b.ctx, &panel, 1, &svg, &length), FW_OK);
  assert_int_equal(numbers_of(svg, "\"patches\":\"", 0, numbers, 18), 18);
  assert_true(numbers[8] == 0.0f && numbers[17] == 30.0f); /* MPa */
  free(svg);
  close_bench(&b);
}

/* ---- two methods in one frame ------------------------------------------------------------- */

static fw_data_table *table_of(const bench *b, const char *name, const fw_column *columns, int count, int rows,
                               const double *values) {
  fw_data_table *table;
  assert_int_equal(fw_sink_table(b->sink, b->ctx, "frf", name, columns, count, false, &table), FW_OK);
  for (int r = 0; r < rows; r++) assert_int_equal(fw_sink_row(b->sink, b->ctx, table, values + r * count), FW_OK);
  return table;
}

/* Points of time integration stand in the panels of the response: as marks in the colour of their curve, phases in the
 * turn that the curve has there (it went through -180 degrees: 170 is -190). */
static void both_methods_stand_in_one_frame(void **state) {
  (void)state;
  static const fw_column response[] = {{"frequency", "Hz"}, {"tip.amplitude", "m"}, {"tip.phase", "deg"}};
  static const fw_column check[] = {{"frequency", "Hz"},          {"tip.amplitude.balance", "m"},
                                    {"tip.amplitude.time", "m"},  {"tip.amplitude.difference", ""},
                                    {"tip.amplitude.spread", ""}, {"tip.phase.time", "deg"}};
  static const double curve[] = {10, 1e-6, -10, 11, 3e-6, -100, 12, 2e-6, -175, 13, 1e-6, 170};
  static const double points[] = {11, 3e-6, 3.1e-6, 0.03, 0.01, -101, 13, 1e-6, 1.2e-6, 0.2, 0.01, 168};
  bench b = open_bench();
  table_of(&b, "frf-2", response, 3, 4, curve);
  table_of(&b, "agreement-2", check, 6, 2, points);
  assert_int_equal(fw_plots_write(b.ctx, b.sink, "frf", "."), FW_OK);
  char *svg = read_picture(&b, "over-frequency-tip.svg");
  float y[8];
  assert_non_null(strstr(svg, "time integration"));
  assert_non_null(strstr(svg, "\"style\":\"marks\",\"same\":true"));
  assert_int_equal(numbers_of(svg, "\"y\":\"", 2, y, 8), 2); /* label, curve, marks of each panel */
  assert_near(y[0], 3.1, 1e-6);                              /* in micrometres */
  assert_near(y[1], 1.2, 1e-6);
  assert_int_equal(numbers_of(svg, "\"y\":\"", 5, y, 8), 2);
  assert_near(y[0], -101, 1e-4);
  assert_near(y[1], -192, 1e-4);
  free(svg);
  svg = read_picture(&b, "agreement-2.svg");
  assert_non_null(strstr(svg, "difference of the methods"));
  assert_null(strstr(svg, "tip.amplitude.balance"));
  free(svg);
  close_bench(&b);
}

/* Motions that shooting found are rings on the curve, those beside harmonic balance too. */
static void shooting_is_drawn_as_rings(void **state) {
  (void)state;
  static const fw_column response[] = {{"frequency", "Hz"}, {"method", ""}, {"foot.amplitude", "m"}};
  static const fw_column check[] = {{"frequency", "Hz"}, {"foot.amplitude.shooting", "m"}};
  static const double curve[] = {10, 0, 1e-6, 11, 1, 3e-6, 12, 1, 2e-6, 13, 0, 1e-6};
  static const double points[] = {10, 1.1e-6, 13, 0.9e-6};
  bench b = open_bench();
  table_of(&b, "frf-3", response, 3, 4, curve);
  table_of(&b, "agreement-3", check, 2, 2, points);
  assert_int_equal(fw_plots_write(b.ctx, b.sink, "frf", "."), FW_OK);
  char *svg = read_picture(&b, "over-frequency-foot.svg");
  float y[8];
  assert_non_null(strstr(svg, "\"style\":\"rings\",\"same\":true"));
  assert_int_equal(numbers_of(svg, "\"y\":\"", 2, y, 8), 3); /* behind label and curve, and a gap after them */
  assert_near(y[0], 3, 1e-6);
  assert_near(y[1], 2, 1e-6);
  assert_int_equal(numbers_of(svg, "\"y\":\"", 3, y, 8), 2);
  assert_near(y[0], 1.1, 1e-6);
  free(svg);
  close_bench(&b);
}

/* A misfit falls to nothing at the best number: a parabola, not a spike on a logarithmic axis. */
static void misfits_are_parabolas(void **state) {
  (void)state;
  static const fw_column profile[] = {{"mu", ""}, {"misfit", ""}};
  static const double rows[] = {0.39, 9, 0.395, 2.3, 0.4, 1e-8, 0.405, 2.2, 0.41, 8.8};
  bench b = open_bench();
  table_of(&b, "profile-mu", profile, 2, 5, rows);
  assert_int_equal(fw_plots_write(b.ctx, b.sink, "frf", "."), FW_OK);
  char *svg = read_picture(&b, "profile-mu.svg");
  float y[8];
  assert_null(strstr(svg, "\"ylog\""));
  assert_int_equal(numbers_of(svg, "\"y\":\"", 1, y, 8), 5);
  assert_near(y[0], 9, 1e-6);
  free(svg);
  close_bench(&b);
}

/* What was measured is rings, in which what was computed can be seen. */
static void measured_points_are_rings(void **state) {
  (void)state;
  static const fw_column both[] = {{"level", ""}, {"measured", "Hz"}, {"computed", "Hz"}};
  static const double rows[] = {1, 20, 20, 3, 18, 18, 6, 16, 16};
  bench b = open_bench();
  table_of(&b, "resonances", both, 3, 3, rows);
  assert_int_equal(fw_plots_write(b.ctx, b.sink, "frf", "."), FW_OK);
  char *svg = read_picture(&b, "resonances.svg");
  assert_non_null(strstr(svg, "\"label\":\"measured\",\"style\":\"rings\""));
  assert_non_null(strstr(svg, "\"label\":\"computed\",\"style\":\"marks\""));
  free(svg);
  close_bench(&b);
}

/* How many arrays "y" stand before that of the loads. */
static int loads_of(const char *svg) {
  int before = 0;
  for (; *svg && strncmp(svg, "\"loads\"", 7) != 0; svg++) before += strncmp(svg, "\"y\":\"", 5) == 0;
  return before;
}

/* A load along an edge has arrows that all begin there, or all end there: down along the right edge none comes from above, on the top
 * none goes below. */
static void arrows_of_a_load_are_alike(void **state) {
  (void)state;
  static const char text[] =
      "<fretwork version=\"1\"><materials><elastic id=\"steel\" E=\"210e9\" nu=\"0.3\" "
      "rho=\"7800\"/></materials><bodies>"
      "<plane id=\"block\" element=\"quad4\" material=\"steel\" thickness=\"0.01\"><rectangle from=\"0, 0\" to=\"2, "
      "1\" "
      "divisions=\"40, 20\"/></plane></bodies><supports><support at=\"block.left\" x=\"fixed\" y=\"fixed\"/></supports>"
      "<loads><force id=\"f\" at=\"block.%s\" fx=\"%s\" fy=\"-1\"/></loads>"
      "<analyses><static id=\"s\" loads=\"f\"/></analyses></fretwork>";
  static const struct {
    const char *edge, *along;
    double low, high;
  } cases[] = {{"right", "0", -0.5, 1.0}, {"top", "1", 1.0, 1.5}};
  for (size_t k = 0; k < 2; k++) {
    char deck_text[1024];
    float y[512];
    bench b = open_bench();
    fw_deck *deck = NULL;
    int length = snprintf(deck_text, sizeof deck_text, text, cases[k].edge, cases[k].along);
    assert_int_equal(fw_deck_parse(b.ctx, deck_text, (size_t)length, "edge.xml", &deck), FW_OK);
    assert_int_equal(fw_deck_sketch(b.ctx, deck, "edge.tmp.svg", true), FW_OK);
    char *svg = read_picture(&b, "edge.tmp.svg");
    int count = numbers_of(svg, "\"y\":\"", loads_of(svg), y, 512);
    assert_true(count >= 40);
    for (int i = 0; i < count; i++) assert_false(y[i] < cases[k].low - 1e-6 || y[i] > cases[k].high + 1e-6);
    unlink("edge.tmp.svg");
    free(svg);
    fw_deck_destroy(&deck);
    close_bench(&b);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(bars_are_as_long_as_figures),
                                     cmocka_unit_test(classes_are_a_staircase),
                                     cmocka_unit_test(even_pressure_is_even),
                                     cmocka_unit_test(rasters_have_no_holes),
                                     cmocka_unit_test(arrows_of_a_load_are_alike),
                                     cmocka_unit_test(multipliers_have_their_circle),
                                     cmocka_unit_test(both_methods_stand_in_one_frame),
                                     cmocka_unit_test(shooting_is_drawn_as_rings),
                                     cmocka_unit_test(scales_begin_at_nothing),
                                     cmocka_unit_test(correlations_are_squares),
                                     cmocka_unit_test(correlations_of_a_law_are_squares),
                                     cmocka_unit_test(misfits_are_parabolas),
                                     cmocka_unit_test(measured_points_are_rings)};
  remove_folder("pictures.tmp");
  mkdir("pictures.tmp", 0755);
  if (chdir("pictures.tmp") != 0) return 1;
  return cmocka_run_group_tests(tests, NULL, NULL);
}
