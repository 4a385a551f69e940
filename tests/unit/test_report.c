/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cmocka_all.h"
#include "core/unknown.h"
#include "output/directory.h"
#include "output/files.h"
#include "output/plots.h"
#include "output/report.h"
#include "output/report_figures.h"
#include "output/summary.h"
#include "remove_folder.h"

static const char folder[] = "report.tmp";

static int start(void **state) {
  fw_context *ctx;
  fw_context_create(&ctx);
  remove_folder(folder);
  *state = ctx;
  return fw_folder_make(ctx, folder);
}

static int stop(void **state) {
  fw_context *ctx = *state;
  remove_folder(folder);
  fw_context_destroy(&ctx);
  return 0;
}

static fw_record *make_record(void) {
  fw_record *record;
  fw_record_create(&record);
  fw_record_set_text(record, "Rig & <beam>", "title");
  fw_record_set_figure(record, 1.25, "s", "cpu_seconds");
  for (int i = 0; i < 2; i++) {
    fw_record_set_number(record, i ? 3 : 1, "analyses.frf.levels[%d].level", i);
    fw_record_set_figure(record, 53 - i, "Hz", "analyses.frf.levels[%d].resonance.frequency", i);
    fw_record_set_number(record, i ? fw_unknown() : 0.004, "analyses.frf.levels[%d].resonance.damping", i);
    fw_record_set_number(record, 1, "analyses.frf.levels[%d].harmonics[0].amplitude", i);
  }
  fw_record_set_figure(record, 0.25, "rad", "analyses.frf.levels[0].resonance.amplitude");
  fw_record_set_text(record, "done", "analyses.frf.status");
  fw_record_set_figure(record, 0.5, "W", "analyses.frf.contact.foot.work_rate");
  fw_record_set_number(record, 1, "analyses.frf.shape[0]");
  fw_record_set_number(record, 2, "analyses.frf.shape[1]");
  return record;
}

static void prints_figures_and_tables(void **state) {
  fw_record *record = make_record();
  char *text;
  assert_int_equal(fw_summary_text(*state, record, &text), FW_OK);
  static const char expected[] =
      "  title                         Rig & <beam>\n"
      "  cpu_seconds [s]               1.25\n"
      "\nfrf\n---\n"
      "  status                        done\n"
      "  shape                         1, 2\n"
      "\n  levels\n"
      "       level  resonance.frequency [Hz]  resonance.damping  resonance.amplitude [mrad]\n"
      "    1      1                        53              0.004                         250\n"
      "    2      3                        52                                               \n"
      "\n  contact\n"
      "\n    foot\n"
      "      work_rate [mW]                500\n";
  assert_string_equal(text, expected);
  free(text);
  fw_record_destroy(&record);
}

/* The amplitude of a linear oscillator at two levels. */
static void write_response(fw_context *ctx, fw_sink *sink) {
  static const fw_column columns[] = {{"level", "N"}, {"frequency", "Hz"}, {"amplitude", "m"}, {"phase", "deg"}};
  fw_data_table *table;
  assert_int_equal(fw_sink_table(sink, ctx, "frf", "response", columns, 4, false, &table), FW_OK);
  for (int l = 1; l <= 3; l += 2)
    for (int i = 0; i <= 100; i++) {
      double f = 44 + 0.16 * i, r = f / (53 - 0.4 * l), re = 1 - r * r, im = 0.01 * l * r;
      double row[] = {l, f, 1e-6 * l / hypot(re, im), -atan2(im, re) * 57.2957795};
      assert_int_equal(fw_sink_row(sink, ctx, table, row), FW_OK);
    }
}

static void builds_the_report_from_the_folder_alone(void **state) {
  fw_context *ctx = *state;
  fw_record *record = make_record();
  fw_sink *sink;
  char *html, *text;
  assert_int_equal(fw_directory_create(ctx, folder, &sink), FW_OK);
  write_response(ctx, sink);
  fw_sink_destroy(&sink); /* as if killed: no plots yet */
  assert_false(fw_path_exists("report.tmp/frf/response.svg"));
  assert_int_equal(fw_summary_write(ctx, record, folder), FW_OK);
  assert_int_equal(fw_file_write(ctx, "report.tmp/deck.xml", "<fretwork/>", 11), FW_OK);
  assert_int_equal(fw_report_write(ctx, folder, true), FW_OK);
  assert_int_equal(fw_file_read(ctx, "report.tmp/report.html", &html, NULL), FW_OK);
  assert_non_null(strstr(html, "<title>Rig &amp; &lt;beam&gt; - fretwork report</title>"));
  assert_non_null(strstr(html, "<h1>Rig &amp; &lt;beam&gt;</h1>"));
  assert_null(strstr(html, "<dt>title</dt>"));
  assert_non_null(strstr(html, "<th>resonance.frequency [Hz]</th>"));
  assert_non_null(strstr(html, "src=\"data:image/svg+xml;base64,PD94bWwg")); /* "<?xml " */
  assert_non_null(strstr(html, "&lt;fretwork/&gt;"));
  assert_null(strstr(html, "http://")); /* nothing from outside */
  assert_int_equal(fw_file_read(ctx, "report.tmp/summary.txt", &text, NULL), FW_OK);
  assert_non_null(strstr(text, "work_rate [mW]"));
  free(text);
  free(html);
  fw_record_destroy(&record);
}

/* Two results on one page beside them: contents, what they have in common drawn over each other, links to the rest. */
static void shows_several_in_brief(void **state) {
  fw_context *ctx = *state;
  const char *const both[] = {"report.tmp/../report.tmp", folder};
  char *html;
  assert_int_equal(fw_report_several(ctx, both, 2, "several.tmp.html"), FW_OK);
  assert_int_equal(fw_file_read(ctx, "several.tmp.html", &html, NULL), FW_OK);
  assert_non_null(strstr(html, "<li>run 2: <a href=\"#report.tmp\">Rig &amp; &lt;beam&gt;</a>, report.tmp</li>"));
  assert_non_null(strstr(html, "<div id=\"report.tmp\"></div>"));
  assert_non_null(strstr(html, "<a href=\"report.tmp/report.html\">"));
  assert_null(strstr(html, "&lt;fretwork/&gt;"));
  assert_non_null(strstr(html, "<h2>frf: all runs</h2>"));
  assert_non_null(strstr(html, "<figcaption>frf/response.svg</figcaption>"));
  free(html);
  remove("several.tmp.html");
}

/* A long text does not widen its column: it stands below. */
static void long_cells_stand_below(void **state) {
  fw_context *ctx = *state;
  fw_record *record;
  char *text;
  const char *note = "the curve turned back and left the range at its start";
  assert_int_equal(fw_record_create(&record), FW_OK);
  for (int i = 0; i < 2; i++) {
    assert_int_equal(fw_record_set_number(record, i, "analyses.frf.levels[%d].level", i), FW_OK);
    assert_int_equal(fw_record_set_text(record, i ? note : "fine", "analyses.frf.levels[%d].note", i), FW_OK);
  }
  assert_int_equal(fw_summary_text(ctx, record, &text), FW_OK);
  printf("%s", text);
  assert_non_null(strstr(text, "(1)\n"));
  assert_non_null(strstr(text, "(1) the curve turned back and left the range at its start\n"));
  free(text);
  fw_record_destroy(&record);
}

/* harmonics[0] is the mean: the fundamental is row 1. */
static void harmonics_have_their_numbers(void **state) {
  fw_context *ctx = *state;
  fw_record *record;
  char *text;
  assert_int_equal(fw_record_create(&record), FW_OK);
  for (int i = 0; i < 3; i++)
    assert_int_equal(fw_record_set_number(record, 10 + i, "analyses.t.sensors.x.harmonics[%d].amplitude", i), FW_OK);
  assert_int_equal(fw_summary_text(ctx, record, &text), FW_OK);
  const char *row = strstr(text, "mean");
  assert_non_null(row);
  long first, amplitude;
  assert_int_equal(sscanf(row, "mean %ld %ld %ld", &amplitude, &first, &amplitude), 3);
  assert_int_equal(first, 1);
  assert_int_equal(amplitude, 11);
  free(text);
  fw_record_destroy(&record);
}

/* Three sizes of one quantity: the first two share a panel, the last has its own; each is drawn once. */
static void every_column_is_drawn_once(void **state) {
  fw_context *ctx = *state;
  fw_sink *sink;
  fw_data_table *table;
  char *svg;
  const fw_column columns[] = {{"time", "s"}, {"small", "m"}, {"middle", "m"}, {"large", "m"}};
  assert_int_equal(fw_sink_create(ctx, &sink), FW_OK);
  assert_int_equal(fw_sink_table(sink, ctx, "t", "sizes", columns, 4, false, &table), FW_OK);
  for (int i = 0; i < 20; i++)
    assert_int_equal(fw_sink_row(sink, ctx, table, (double[]){i, sin(i), 20 * sin(i), 400 * sin(i)}), FW_OK);
  assert_int_equal(fw_folder_make(ctx, "report.tmp/sizes"), FW_OK);
  assert_int_equal(fw_plots_table(ctx, table, "report.tmp/sizes"), FW_OK);
  assert_int_equal(fw_file_read(ctx, "report.tmp/sizes/sizes.svg", &svg, NULL), FW_OK);
  int curves = 0;
  for (const char *at = svg; (at = strstr(at, "\"style\":\"line\"")); at++) curves++;
  assert_int_equal(curves, 3);
  assert_non_null(strstr(svg, "\"y\":\"large [m]\""));
  free(svg);
  fw_sink_destroy(&sink);
}

/* What an identification warns of is told in words, its parameters with their deviations. */
static void fits_are_told(void **state) {
  fw_context *ctx = *state;
  fw_record *record;
  char *page;
  assert_int_equal(fw_record_create(&record), FW_OK);
  assert_int_equal(fw_record_set_text(record, "done", "identification.fit.status"), FW_OK);
  assert_int_equal(fw_record_set_figure(record, 0.5, "1/m", "identification.fit.sigma"), FW_OK);
  assert_int_equal(fw_record_set_number(record, 0.25, "identification.fit.deviation.sigma"), FW_OK);
  assert_int_equal(fw_record_set_text(record, "that is not friction", "identification.fit.warnings[0].text"), FW_OK);
  assert_int_equal(fw_folder_make(ctx, "report.tmp/fit"), FW_OK);
  assert_int_equal(fw_summary_write(ctx, record, "report.tmp/fit"), FW_OK);
  assert_int_equal(fw_report_write(ctx, "report.tmp/fit", false), FW_OK);
  assert_int_equal(fw_file_read(ctx, "report.tmp/fit/report.html", &page, NULL), FW_OK);
  assert_non_null(strstr(page, "<b>fit</b>: that is not friction"));
  assert_non_null(strstr(page, "<dt>sigma</dt><dd>0.5 ± 0.25 1/m</dd>"));
  free(page);
  fw_record_destroy(&record);
}

/* A search tells where it ended, and shows what it looked for. */
static void searches_are_told(void **state) {
  fw_context *ctx = *state;
  static const char *const names[] = {"other", "peak"};
  fw_record *record;
  char *page, path[64];
  assert_int_equal(fw_record_create(&record), FW_OK);
  assert_int_equal(fw_record_set_text(record, "done", "studies.best.status"), FW_OK);
  assert_int_equal(fw_record_set_number(record, 7, "studies.best.least.samples"), FW_OK);
  assert_int_equal(fw_record_set_figure(record, 0.0015, "m", "studies.best.least.peak"), FW_OK);
  assert_int_equal(fw_record_set_figure(record, 30, "N", "studies.best.least.load"), FW_OK);
  assert_int_equal(fw_record_set_number(record, 2, "studies.best.results.peak.mean"), FW_OK);
  assert_int_equal(fw_folder_make(ctx, "report.tmp/search"), FW_OK);
  assert_int_equal(fw_folder_make(ctx, "report.tmp/search/best"), FW_OK);
  for (int i = 0; i < 2; i++) {
    snprintf(path, sizeof path, "report.tmp/search/best/scatter-%s.svg", names[i]);
    assert_int_equal(fw_file_write(ctx, path, "<svg/>", 6), FW_OK);
  }
  assert_int_equal(fw_summary_write(ctx, record, "report.tmp/search"), FW_OK);
  assert_int_equal(fw_report_write(ctx, "report.tmp/search", false), FW_OK);
  assert_int_equal(fw_file_read(ctx, "report.tmp/search/report.html", &page, NULL), FW_OK);
  assert_non_null(strstr(page, "<dt>least peak</dt><dd>1.5 mm</dd>"));
  assert_non_null(strstr(page, "<dt>at load</dt><dd>30 N</dd>"));
  assert_null(strstr(page, "<dt>peak mean</dt>"));
  const char *small = strstr(page, "<figure class=\"small\"");
  assert_non_null(small);
  assert_true(strstr(small, "scatter-peak.svg") < strstr(page, "scatter-other.svg"));
  free(page);
  fw_record_destroy(&record);
}

static void says_which_folder_has_no_summary(void **state) {
  fw_context *ctx = *state;
  fw_context_clear(ctx);
  fw_folder_make(ctx, "report.tmp/none");
  assert_int_equal(fw_report_write(ctx, "report.tmp/none", false), FW_ERR_IO);
  assert_non_null(strstr(fw_context_message(ctx), "report.tmp/none/summary.json"));
}

static fw_page_figure figure_of(char *owner, char *name, size_t picture, size_t numbers) {
  fw_page_figure figure = {.owner = owner, .name = name, .svg = calloc(picture + 1, 1), .picture = true};
  memset(figure.svg, 's', picture);
  if (numbers) figure.data = calloc(numbers + 1, 1);
  if (numbers) memset(figure.data, 'd', numbers);
  return figure;
}

/* A page holds 400 characters a figure, its picture as base64 (4/3) and its numbers. What goes first is the largest picture that
 * numbers can replace, then the overview's, then numbers, then pictures alone; what is told is how many pictures went. */
static void a_small_page_leaves_pictures_out(void **state) {
  (void)state;
  static const struct {
    size_t most;
    int left_out;
    bool pictures[3], numbers[2];
  } expected[] = {{10300, 0, {true, true, true}, {true, true}},    {7000, 1, {true, false, true}, {true, true}},
                  {5500, 2, {false, false, true}, {true, true}},   {4500, 2, {false, false, true}, {true, false}},
                  {4000, 2, {false, false, true}, {false, false}}, {2000, 3, {false, false, false}, {false, false}}};
  for (size_t i = 0; i < sizeof expected / sizeof *expected; i++) {
    fw_page_figure items[] = {figure_of("a", "one.svg", 1000, 500), figure_of("a", "two.svg", 3000, 600),
                              figure_of("b", "three.svg", 2000, 0)};
    fw_page_figures figures = {.items = items, .count = 3};
    fw_page_figures_choose(&figures, expected[i].most);
    assert_int_equal(figures.left_out, expected[i].left_out);
    for (int k = 0; k < 3; k++) assert_int_equal(items[k].picture, expected[i].pictures[k]);
    for (int k = 0; k < 2; k++) assert_int_equal(items[k].data != NULL, expected[i].numbers[k]);
    for (int k = 0; k < 3; k++) free(items[k].svg), free(items[k].data);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(prints_figures_and_tables),
      cmocka_unit_test(builds_the_report_from_the_folder_alone),
      cmocka_unit_test(shows_several_in_brief),
      cmocka_unit_test(long_cells_stand_below),
      cmocka_unit_test(says_which_folder_has_no_summary),
      cmocka_unit_test(a_small_page_leaves_pictures_out),
      cmocka_unit_test(harmonics_have_their_numbers),
      cmocka_unit_test(every_column_is_drawn_once),
      cmocka_unit_test(searches_are_told),
      cmocka_unit_test(fits_are_told),
  };
  return cmocka_run_group_tests(tests, start, stop);
}
