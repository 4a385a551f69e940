/* SPDX-License-Identifier: GPL-3.0-or-later */
/* `fretwork loop` as a user meets it. */
#include "cmocka_all.h"
#include "contact/friction/tribometer.h"
#include "core/sink.h"
#include "output/csv.h"
#include "output/files.h"
#include "program.h"
#include "remove_folder.h"

static fw_context *ctx;
static program p;

static int start(void **state) {
  (void)state;
  fw_context_create(&ctx);
  remove_folder("loop.tmp");
  return fw_folder_make(ctx, "loop.tmp") == FW_OK ? chdir("loop.tmp") : -1;
}

static int stop(void **state) {
  (void)state;
  int back = chdir("..");
  remove_folder("loop.tmp");
  fw_context_destroy(&ctx);
  return back;
}

static void assert_said(const char *text, const char *part) {
  if (!strstr(text, part)) fail_msg("\"%s\" not in:\n%s", part, text);
}

static size_t rows_of(const char *path, const char *column, double *last) {
  fw_sink *sink;
  fw_data_table *table;
  assert_int_equal(fw_sink_create(ctx, &sink), FW_OK);
  if (fw_csv_read(ctx, path, sink, "a", "b", &table) != FW_OK) fail_msg("%s", fw_context_message(ctx));
  int c = fw_data_table_column(table, column);
  assert_true(c >= 0);
  size_t rows = table->rows;
  *last = table->values[c][rows - 1];
  fw_sink_destroy(&sink);
  return rows;
}

static void compares_laws(void **state) {
  (void)state;
  program_run(&p, (const char *const[]){"loop", "dahl", "exponent=2", "dahl", "coulomb", "mu=0.3", "--drive",
                                        "steps=100", "--drive", "cycles=2", "--out", "a", NULL});
  assert_int_equal(p.code, 0);
  assert_said(p.out, "dahl-2");
  double last;
  assert_int_equal(rows_of("a/dahl.csv", "T", &last), 201);
  assert_int_equal(rows_of("a/steady-sliding.csv", "coulomb", &last), 41);
  assert_near(last, 0.3 * 83.0, 1e-9);
  assert_true(fw_path_exists("a/loops.svg") && fw_path_exists("a/steady-sliding.svg"));
  assert_true(fw_path_exists("a/figures.csv"));
}

/* The curve of steady sliding has a file of its own: that of the law `stribeck` is its history. */
static void keeps_the_history_of_stribeck(void **state) {
  (void)state;
  program_run(
      &p, (const char *const[]){"loop", "stribeck", "--drive", "steps=100", "--drive", "cycles=2", "--out", "s", NULL});
  assert_int_equal(p.code, 0);
  double last;
  assert_int_equal(rows_of("s/stribeck.csv", "T", &last), 201);
  assert_int_equal(rows_of("s/steady-sliding.csv", "stribeck", &last), 41);
}

/* Side by side the forces add up; the drift and the Stribeck curve are those of the sum. */
static void laws_in_parallel(void **state) {
  (void)state;
  program_run(&p, (const char *const[]){"loop", "coulomb", "mu=0.3", "+", "dahl", "mu-c=0.2", "+", "tabulated",
                                        "formula=0.1+0.1*exp(-v/1e-6)", "coulomb", "mu=0.6", "--drive",
                                        "amplitude=1e-4", "--out", "p", NULL});
  if (p.code != 0) fail_msg("%s", p.err);
  assert_said(p.out, "coulomb+dahl+tabulated");
  double sum, plain;
  rows_of("p/steady-sliding.csv", "coulomb+dahl+tabulated", &sum);
  rows_of("p/steady-sliding.csv", "coulomb", &plain);
  assert_near(plain, 0.6 * 83.0, 1e-9);
  assert_near(sum, plain, 1e-9);
  rows_of("p/coulomb+dahl+tabulated.csv", "T", &sum);
  assert_near(sum, 0.6 * 83.0, 1e-4);
}

static void every_motion_runs(void **state) {
  (void)state;
  for (int motion = 0; motion < FW_MOTION_COUNT; motion++) {
    char setting[60];
    snprintf(setting, sizeof setting, "motion=%s", fw_motion_name((fw_motion)motion));
    assert_int_equal(fw_choice_index(fw_drive_params[0].choices, fw_motion_name((fw_motion)motion)), motion);
    if (motion == FW_MOTION_TABLE) continue;
    program_run(&p, (const char *const[]){"loop", "lugre", "--drive", setting, "--out", "m", "--force", NULL});
    if (p.code != 0) fail_msg("%s: %s", setting, p.err);
  }
}

static void follows_a_table(void **state) {
  (void)state;
  static const char text[] = "t [s],u [m],N [N]\n0,0,80\n1,1e-4,100\n";
  assert_int_equal(fw_file_write(ctx, "drive.csv", text, sizeof text - 1), FW_OK);
  program_run(&p, (const char *const[]){"loop", "coulomb", "mu=0.5", "--drive", "table=drive.csv", "--out", "t", NULL});
  assert_int_equal(p.code, 0);
  double last;
  rows_of("t/coulomb.csv", "T", &last);
  assert_near(last, 50.0, 1e-9);
}

static void says_what_is_wrong(void **state) {
  (void)state;
  const struct {
    const char *words[6], *says;
  } wrong[] = {{{"loop", NULL}, "which law"},
               {{"loop", "dahl", "--drive", "table=short.csv", NULL}, "the columns t and u are needed"},
               {{"loop", "dhal", NULL}, "did you mean 'dahl'"},
               {{"loop", "mu=1", NULL}, "before any law"},
               {{"loop", "+", "dahl", NULL}, "beside '+'"},
               {{"loop", "dahl", "+", NULL}, "beside '+'"},
               {{"loop", "dahl", "mu=1", NULL}, "no parameter"},
               {{"loop", "dahl", "--drive", "motion=spiral", NULL}, "triangle"},
               {{"loop", "dahl", "--drive", "motion=table", NULL}, "which table"},
               {{"loop", "plugin:any", NULL}, "--allow-plugins"}};
  assert_int_equal(fw_file_write(ctx, "short.csv", "t,x\n0,0\n1,1\n", 12), FW_OK);
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
    program_run(&p, wrong[i].words);
    assert_int_equal(p.code, 2);
    assert_said(p.err, wrong[i].says);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(compares_laws),      cmocka_unit_test(laws_in_parallel),
      cmocka_unit_test(every_motion_runs),  cmocka_unit_test(follows_a_table),
      cmocka_unit_test(says_what_is_wrong), cmocka_unit_test(keeps_the_history_of_stribeck),
  };
  return cmocka_run_group_tests(tests, start, stop);
}
