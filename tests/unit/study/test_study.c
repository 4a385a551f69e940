/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Studies as a user runs them: what they find, whatever the number of workers, kills and ranks. */
#include <math.h>
#include <signal.h>
#include <sys/stat.h>
#include <time.h>

#include "cmocka_all.h"
#include "output/files.h"
#include "ranks.h"
#include "remove_folder.h"

static fw_context *ctx;
static program p;

static int start(void **state) {
  (void)state;
  fw_context_create(&ctx);
  remove_folder("study.tmp");
  return fw_folder_make(ctx, "study.tmp");
}

static int stop(void **state) {
  (void)state;
  remove_folder("study.tmp");
  fw_context_destroy(&ctx);
  return 0;
}

/* A cantilever whose first frequency is f = c thick, with the given studies. */
static void write_deck(const char *path, const char *studies) {
  char text[4096];
  int length = snprintf(text, sizeof text,
                        "<fretwork version=\"1\">\n"
                        "<parameters><parameter name=\"thick\" value=\"5\" unit=\"mm\" max=\"9\"/>\n"
                        "<parameter name=\"rho\" value=\"7800\"/></parameters>\n"
                        "<materials><elastic id=\"steel\" E=\"210e9\" nu=\"0.3\" rho=\"rho\"/></materials>\n"
                        "<sections><rectangle id=\"strip\" width=\"40e-3\" height=\"thick\"/></sections>\n"
                        "<bodies><beam id=\"beam\" section=\"strip\" material=\"steel\" from=\"0, 0\" to=\"0.5, 0\"\n"
                        "divisions=\"8\"><point id=\"clamp\" s=\"0\"/></beam></bodies>\n"
                        "<supports><support at=\"beam.clamp\" x=\"fixed\" y=\"fixed\" rz=\"fixed\"/></supports>\n"
                        "<analyses><modal id=\"modes\" modes=\"2\"/></analyses>\n"
                        "<studies>\n%s\n</studies>\n</fretwork>\n",
                        studies);
  assert_int_equal(fw_file_write(ctx, path, text, (size_t)length), FW_OK);
}

#define RESULTS                                                                \
  "<result name=\"f1\" of=\"modes\" quantity=\"modes[0].frequency\"/>\n"       \
  "<result name=\"ratio\" quantity=\"expression: f1 * sqrt(rho) / thick\"/>\n" \
  "<result name=\"nothing\" of=\"modes\" quantity=\"modes[7].frequency\"/>\n</study>\n"
#define VARY                                          \
  "<vary parameter=\"thick\" min=\"3\" max=\"7\"/>\n" \
  "<vary parameter=\"rho\" distribution=\"normal\" mean=\"7800\" deviation=\"50\"/>\n"

static void assert_same_file(const char *a, const char *b) {
  char *x = NULL, *y = NULL;
  assert_int_equal(fw_file_read(ctx, a, &x, NULL), FW_OK);
  assert_int_equal(fw_file_read(ctx, b, &y, NULL), FW_OK);
  assert_string_equal(x, y);
  free(x);
  free(y);
}

/* f1 sqrt(rho) / thick is one number for all samples, which only holds if every sample ran with its own values. */
static void samples_run_with_their_values(void **state) {
  (void)state;
  fw_deck *deck = NULL;
  fw_results *results = NULL;
  write_deck("study.tmp/a.xml",
             "<study id=\"s\" run=\"modes\" sampling=\"latin-hypercube\" samples=\"20\">" VARY RESULTS);
  assert_int_equal(fw_deck_load(ctx, "study.tmp/a.xml", &deck), FW_OK);
  assert_int_equal(fw_run(ctx, deck, NULL, &results), FW_OK);
  double low, high, number;
  assert_int_equal(fw_results_number(results, "studies.s.results.ratio.min", &low), FW_OK);
  assert_int_equal(fw_results_number(results, "studies.s.results.ratio.max", &high), FW_OK);
  assert_near(low, high, 1e-6 * high);
  assert_int_equal(fw_results_number(results, "studies.s.results.nothing.count", &number), FW_OK);
  assert_true(number == 0);
  const char *first;
  assert_int_equal(fw_results_text(results, "studies.s.results.nothing.note", &first), FW_OK);
  assert_int_equal(fw_results_text(results, "studies.s.results.f1.note", &first), FW_ERR_ARGUMENT);
  assert_int_equal(fw_results_text(results, "studies.s.ranking.f1[0].parameter", &first), FW_OK);
  assert_string_equal(first, "thick");
  size_t rows;
  const double *thick, *f1;
  assert_int_equal(fw_results_column(results, "s", "samples", "thick", &rows, &thick), FW_OK);
  assert_int_equal(fw_results_column(results, "s", "samples", "f1", &rows, &f1), FW_OK);
  assert_int_equal(rows, 20);
  for (size_t i = 0; i < rows; i++) assert_true(thick[i] > 3 && thick[i] < 7 && f1[i] > 0);
  fw_results_destroy(&results);
  fw_deck_destroy(&deck);
}

static fw_results *run_studies(const char *path, const char *out, const char *studies) {
  fw_deck *deck = NULL;
  fw_results *results = NULL;
  write_deck(path, studies);
  assert_int_equal(fw_deck_load(ctx, path, &deck), FW_OK);
  if (fw_run(ctx, deck, &(fw_run_options){.out = out}, &results) != FW_OK) fail_msg("%s", fw_context_message(ctx));
  fw_deck_destroy(&deck);
  return results;
}

static const double *column_of(const fw_results *results, const char *study, const char *table, const char *column,
                               size_t rows) {
  const double *values;
  size_t found;
  if (fw_results_column(results, study, table, column, &found, &values) != FW_OK) fail_msg("no %s", column);
  assert_int_equal(found, rows);
  return values;
}

/* Frequencies are c thick: with thicknesses 3, 4, 5, 6, 7 the bands at every mode are those of the thickness. Between two modes
 * the curve is straight, beyond the last there is none. */
static void curves_have_bands(void **state) {
  (void)state;
  static const char *const bands[] = {"min", "p05", "p25", "median", "p75", "p95", "max"};
  static const double thick[] = {3, 3.2, 4, 5, 6, 6.8, 7};
  fw_results *results = run_studies(
      "study.tmp/curve.xml", "study.tmp/curve.out",
      "<study id=\"s\" run=\"modes\" sampling=\"grid\" steps=\"5\"><vary parameter=\"thick\" min=\"3\" max=\"7\"/>\n"
      "<curve name=\"shown\" of=\"modes\" table=\"modes\" x=\"mode\" y=\"frequency\" from=\"1\" to=\"3\" "
      "points=\"5\"/></study>");
  const double *frequency = column_of(results, "modes", "modes", "frequency", 2), *at;
  for (int b = 0; b < 7; b++) {
    at = column_of(results, "s", "shown", bands[b], 5);
    double first = frequency[0] * thick[b] / 5, second = frequency[1] * thick[b] / 5;
    assert_near(at[0], first, 1e-6 * first);
    assert_near(at[1], (first + second) / 2, 1e-6 * second);
    assert_near(at[2], second, 1e-6 * second);
    assert_true(isnan(at[3]) && isnan(at[4]));
  }
  fw_results_destroy(&results);
  char *text = NULL;
  assert_int_equal(fw_file_read(ctx, "study.tmp/curve.out/s/shown.csv", &text, NULL), FW_OK);
  assert_int_equal(strncmp(text, "mode,min [Hz],p05 [Hz],", 23), 0);
  free(text);
  assert_true(fw_path_exists("study.tmp/curve.out/s/fan-shown.svg"));
}

static double mean_of(const double *x, size_t n) {
  double sum = 0.0;
  for (size_t i = 0; i < n; i++) sum += x[i];
  return sum / (double)n;
}

static double variance_of(const double *x, size_t n) {
  double sum = 0.0, mean = mean_of(x, n);
  for (size_t i = 0; i < n; i++) sum += (x[i] - mean) * (x[i] - mean);
  return sum / (double)n;
}

/* Normal scores correlated by r leave ranks correlated by 6/pi asin(r/2) (Pearson 1907), which for uniform parameters is their
 * own correlation, and each parameter its own distribution. */
static void correlated_parameters_keep_their_own_distribution(void **state) {
  (void)state;
  enum { SAMPLES = 2000 };
  fw_results *results = run_studies(
      "study.tmp/correlated.xml", NULL,
      "<study id=\"s\" sampling=\"latin-hypercube\" samples=\"2000\"><vary parameter=\"thick\" min=\"3\" max=\"7\"/>"
      "<vary parameter=\"rho\" min=\"7000\" max=\"8000\"/><correlate parameters=\"thick, rho\" coefficient=\"-0.5\"/>\n"
      "<result name=\"m\" quantity=\"expression: thick * rho\"/></study>");
  const double *thick = column_of(results, "s", "samples", "thick", SAMPLES);
  const double *rho = column_of(results, "s", "samples", "rho", SAMPLES);
  double both = 0.0, mean[2] = {mean_of(thick, SAMPLES), mean_of(rho, SAMPLES)};
  for (int i = 0; i < SAMPLES; i++) both += (thick[i] - mean[0]) * (rho[i] - mean[1]) / SAMPLES;
  const double spread[2] = {variance_of(thick, SAMPLES), variance_of(rho, SAMPLES)};
  assert_near(both / sqrt(spread[0] * spread[1]), -6 / M_PI * asin(0.25), 0.03); /* 1.7 % from 2000 samples */
  assert_near(mean[0], 5, 0.05);
  assert_near(mean[1], 7500, 20);
  assert_near(spread[0], 16.0 / 12, 0.03 * 16 / 12);
  assert_near(spread[1], 1e6 / 12, 0.03 * 1e6 / 12);
  fw_results_destroy(&results);
}

/* Mean and deviation of a log-normal parameter are its own, not those of its logarithm; uniform in the logarithm from a to b has the
 * mean (b - a)/ln(b/a). */
static void distributions_have_their_moments(void **state) {
  (void)state;
  enum { SAMPLES = 4000 };
  fw_results *results = run_studies(
      "study.tmp/moments.xml", NULL,
      "<study id=\"s\" sampling=\"latin-hypercube\" samples=\"4000\"><vary parameter=\"thick\" "
      "distribution=\"log-uniform\" min=\"1\" max=\"8\"/><vary parameter=\"rho\" distribution=\"log-normal\" "
      "mean=\"7800\" deviation=\"2000\"/><result name=\"m\" quantity=\"expression: thick * rho\"/></study>");
  const double *thick = column_of(results, "s", "samples", "thick", SAMPLES);
  const double *rho = column_of(results, "s", "samples", "rho", SAMPLES);
  assert_near(mean_of(thick, SAMPLES), 7 / log(8), 2e-3);
  assert_near(mean_of(rho, SAMPLES), 7800, 5);
  assert_near(sqrt(variance_of(rho, SAMPLES)), 2000, 20);
  fw_results_destroy(&results);
}

/* What each parameter does to thick rho, one at a time, and to thick + rho by elementary effects, which are all the same then. */
static void influences_are_those_of_formulas(void **state) {
  (void)state;
#define TWO "<vary parameter=\"thick\" min=\"3\" max=\"7\"/><vary parameter=\"rho\" min=\"7000\" max=\"8000\"/>\n"
  static const struct {
    const char *path;
    double value;
  } expected[] = {{"one.ranking.m[0].measure", 4e-3 * 7800}, {"one.ranking.m[0].low", 3e-3 * 7800},
                  {"one.ranking.m[0].high", 7e-3 * 7800},    {"one.ranking.m[1].measure", 5e-3 * 1000},
                  {"more.ranking.m[0].mu_star", 1000},       {"more.ranking.m[0].sigma", 0},
                  {"more.ranking.m[1].mu_star", 4e-3},       {"more.ranking.m[1].sigma", 0}};
  fw_results *results = run_studies("study.tmp/influence.xml", "study.tmp/influence.out",
                                    "<study id=\"one\" sampling=\"one-at-a-time\" steps=\"5\">" TWO
                                    "<result name=\"m\" quantity=\"expression: thick * rho\"/></study>\n"
                                    "<study id=\"more\" sampling=\"morris\" trajectories=\"20\">" TWO
                                    "<result name=\"m\" quantity=\"expression: thick + rho\"/></study>\n"
                                    "<study id=\"shares\" sampling=\"sobol-indices\" samples=\"64\">" TWO
                                    "<result name=\"m\" quantity=\"expression: thick * rho\"/></study>");
  for (size_t i = 0; i < sizeof expected / sizeof *expected; i++) {
    char path[64];
    double value;
    snprintf(path, sizeof path, "studies.%s", expected[i].path);
    if (fw_results_number(results, path, &value) != FW_OK) fail_msg("no %s", path);
    assert_near(value, expected[i].value, 1e-9 * (1.0 + expected[i].value));
  }
  fw_results_destroy(&results);
  assert_true(fw_path_exists("study.tmp/influence.out/one/tornado-m.svg"));
  assert_true(fw_path_exists("study.tmp/influence.out/more/morris-m.svg"));
  assert_true(fw_path_exists("study.tmp/influence.out/shares/indices-m.svg"));
}

/* A sample whose expression has no value is one without this result; a curve that no sample has is told. */
static void what_has_no_value_is_unknown(void **state) {
  (void)state;
  fw_deck *deck = NULL;
  fw_results *results = NULL;
  write_deck(
      "study.tmp/n.xml",
      "<study id=\"s\" run=\"modes\" sampling=\"grid\" steps=\"3\">"
      "<vary parameter=\"thick\" min=\"3\" max=\"7\"/>\n"
      "<result name=\"f1\" of=\"modes\" quantity=\"modes[0].frequency\"/>\n"
      "<result name=\"lack\" quantity=\"expression: log(f1 - 12)\"/>\n"
      "<curve name=\"shape\" of=\"modes\" table=\"mods\" x=\"frequency\" y=\"damping\" from=\"1\" to=\"2\"/></study>");
  assert_int_equal(fw_deck_load(ctx, "study.tmp/n.xml", &deck), FW_OK);
  if (fw_run(ctx, deck, NULL, &results) != FW_OK) fail_msg("%s", fw_context_message(ctx));
  double count;
  const char *told;
  assert_int_equal(fw_results_number(results, "studies.s.results.f1.count", &count), FW_OK);
  assert_true(count == 3);
  assert_int_equal(fw_results_number(results, "studies.s.results.lack.count", &count), FW_OK);
  assert_true(count == 2);
  assert_int_equal(fw_results_text(results, "studies.s.curves.shape.note", &told), FW_OK);
  assert_string_equal(told, "no sample has it");
  fw_results_destroy(&results);
  fw_deck_destroy(&deck);
}

/* Thicknesses above the parameter's max are refused, sample by sample, with the reason. */
static void failed_samples_are_kept(void **state) {
  (void)state;
  write_deck("study.tmp/b.xml",
             "<study id=\"s\" run=\"modes\" sampling=\"grid\" steps=\"4\">"
             "<vary parameter=\"thick\" distribution=\"normal\" mean=\"9\" deviation=\"1\"/>\n" RESULTS);
  PROGRAM_RUN(&p, "run", "study.tmp/b.xml", "--threads", "2", "--only", "s");
  assert_int_equal(p.code, 0);
  char *text = NULL;
  assert_int_equal(fw_file_read(ctx, "study.tmp/b.out/summary.txt", &text, NULL), FW_OK);
  assert_non_null(strstr(text, "is above its max 9"));
  free(text);
  assert_int_equal(fw_file_read(ctx, "study.tmp/b.out/s/samples.csv", &text, NULL), FW_OK);
  text[strcspn(text, "\n")] = '\0';
  assert_non_null(strstr(text, ",f1 [Hz],ratio,nothing [Hz],state")); /* units come with the samples */
  free(text);
  assert_false(fw_path_exists("study.tmp/b.out/modes")); /* --only STUDY: no analysis of its own */
  assert_true(fw_path_exists("study.tmp/b.out/s/tornado-f1.svg"));
  assert_true(fw_path_exists("study.tmp/b.out/s/samples.vtt"));
  PROGRAM_RUN(&p, "report", "study.tmp/b.out");
  assert_int_equal(p.code, 0);
  PROGRAM_RUN(&p, "export", "study.tmp/b.out", "study.tmp/b.uff");
  assert_int_equal(p.code, 2);
  assert_non_null(strstr(p.err, "neither responses nor histories")); /* journals are no tables */
  write_deck("study.tmp/none.xml",
             "<study id=\"s\" run=\"modes\" sampling=\"grid\" steps=\"3\">"
             "<vary parameter=\"thick\" distribution=\"normal\" mean=\"12\" deviation=\"0.1\"/>\n" RESULTS);
  PROGRAM_RUN(&p, "run", "study.tmp/none.xml", "--threads", "2", "--only", "s");
  if (p.code != 1 || !strstr(p.err, "study s: every sample failed; the first: ")) fail_msg("%d %s", p.code, p.err);
}

static void wrong_studies_are_refused(void **state) {
  (void)state;
  const char *const wrong[][2] = {
      {"<study id=\"s\" run=\"modes\" sampling=\"sobl\">" VARY RESULTS, "did you mean 'sobol'"},
      {"<study id=\"s\" sampling=\"sobol\">" VARY RESULTS, "the study runs nothing"},
      {"<study id=\"s\" run=\"modes\" sampling=\"sobol\">" VARY "</study>", "the study collects nothing"},
      {"<study id=\"s\" run=\"modes\" sampling=\"sobol\">" VARY VARY RESULTS, "varied twice"},
      {"<study id=\"s\" run=\"modes\" sampling=\"sobol\"><vary parameter=\"thick\" min=\"3\"/>" RESULTS,
       "attribute 'max': missing"},
      {"<study id=\"s\" run=\"modes\" sampling=\"morris\" levels=\"3\">" VARY RESULTS, "must be even"},
      {"<study id=\"s\" run=\"modes\" sampling=\"morris\">" VARY
       "<correlate parameters=\"thick, rho\" coefficient=\"0.5\"/>" RESULTS,
       "independent"},
      {"<study id=\"s\" run=\"modes\" sampling=\"sobol\"><vary parameter=\"thick\" min=\"3\" max=\"7\"/>"
       "<correlate parameters=\"thick, rho\" coefficient=\"0.5\"/>" RESULTS,
       "two different parameters that this study varies"},
      {"<study id=\"s\" run=\"modes\" sampling=\"sobol\">" VARY
       "<correlate parameters=\"thick, rho\" coefficient=\"1\"/>" RESULTS,
       "not positive definite"},
      {"<study id=\"s\" run=\"modes\" sampling=\"sobol\">" VARY
       "<correlate parameters=\"thick\" coefficient=\"0.5\"/>" RESULTS,
       "two different parameters that this study varies"},
      {"<study id=\"s\" sampling=\"sobol\">" VARY "<result name=\"f\" quantity=\"expression: 2*thik\"/></study>",
       "did you mean 'thick'"},
  };
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
    write_deck("study.tmp/c.xml", wrong[i][0]);
    PROGRAM_RUN(&p, "run", "study.tmp/c.xml", "--force");
    assert_int_equal(p.code, 2);
    if (!strstr(p.err, wrong[i][1])) fail_msg("\"%s\" not in:\n%s", wrong[i][1], p.err);
  }
}

#define MANY "<study id=\"s\" run=\"modes\" sampling=\"sobol\" samples=\"400\">" VARY RESULTS

static long size_of(const char *path) {
  struct stat status;
  return stat(path, &status) == 0 ? (long)status.st_size : 0;
}

static bool has_ended(pid_t process) {
  siginfo_t info = {0};
  return waitid(P_PID, (id_t)process, &info, WEXITED | WNOHANG | WNOWAIT) == 0 && info.si_pid == process;
}

/* Until a process has added some lines to a file, or ended, or for ten seconds. */
static void wait_for_growth(pid_t process, const char *path, long before) {
  for (int i = 0; i < 5000 && size_of(path) < before + 500 && !has_ended(process); i++)
    nanosleep(&(struct timespec){0, 2000000}, NULL);
}

/* The journals of a study of 400 samples have each of them once: no finished sample was computed again. */
static void assert_computed_once(const char *folder, int journals) {
  int seen[400] = {0};
  for (int j = 0; j < journals; j++) {
    char path[64], *text = NULL, *rest = NULL;
    snprintf(path, sizeof path, "%s/journal-%d.txt", folder, j);
    assert_int_equal(fw_file_read(ctx, path, &text, NULL), FW_OK);
    strtok_r(text, "\n", &rest); /* the head */
    for (const char *line; (line = strtok_r(NULL, "\n", &rest));) seen[strtol(line, NULL, 10)]++;
    free(text);
  }
  for (int i = 0; i < 400; i++) assert_int_equal(seen[i], 1);
}

/* Killed ten times without warning and resumed: the table is that of a run left alone. */
static void kills_do_not_show(void **state) {
  (void)state;
  write_deck("study.tmp/d.xml", MANY);
  PROGRAM_RUN(&p, "run", "study.tmp/d.xml", "--threads", "1", "--only", "s", "--out", "study.tmp/whole");
  assert_int_equal(p.code, 0);
  for (int i = 0; i < 10; i++) {
    const char *const first[] = {"run",           "study.tmp/d.xml",          "--only", "s", "--threads", "3", "--out",
                                 "study.tmp/cut", i ? "--resume" : "--quiet", NULL};
    long before = size_of("study.tmp/cut/s/journal-0.txt");
    pid_t child = program_start(first);
    wait_for_growth(child, "study.tmp/cut/s/journal-0.txt", before);
    kill(child, SIGKILL);
    program_wait(child, &p);
  }
  PROGRAM_RUN(&p, "run", "study.tmp/d.xml", "--only", "s", "--out", "study.tmp/cut", "--resume");
  assert_int_equal(p.code, 0);
  assert_same_file("study.tmp/whole/s/samples.csv", "study.tmp/cut/s/samples.csv");
  assert_computed_once("study.tmp/cut/s", 1);
}

static void other_decks_are_not_continued(void **state) {
  (void)state;
  PROGRAM_RUN(&p, "run", "study.tmp/d.xml", "--only", "s", "--out", "study.tmp/cut", "--resume", "--set", "rho=7000");
  assert_int_equal(p.code, 2);
  assert_non_null(strstr(p.err, "parameter rho: 7800 then, 7000 now"));
}

/* ---- MPI --------------------------------------------------------------------------------- */

static pid_t start_ranks(const char *out, const char *how, const char *survival) {
  return ranks_start(&(ranks){"study.tmp/d.xml", "s", out, how, survival, NULL});
}

static void ranks_agree(void **state) {
  (void)state;
  assert_int_equal(wait_for_end(start_ranks("study.tmp/ranks", "--quiet", OPEN_MPI_ENDS)), 0);
  assert_same_file("study.tmp/whole/s/samples.csv", "study.tmp/ranks/s/samples.csv");
  assert_computed_once("study.tmp/ranks/s", 2);
  assert_true(size_of("study.tmp/ranks/s/journal-1.txt") > 0);
}

/* Now one rank, now the other is killed, ten times in all: each time the job ends and is resumed. */
static void killed_ranks_do_not_show(void **state) {
  (void)state;
  char journal[64];
  for (int i = 0; i < 10; i++) {
    snprintf(journal, sizeof journal, "study.tmp/lost/s/journal-%d.txt", i % 2);
    long before = size_of(journal);
    pid_t launcher = start_ranks("study.tmp/lost", i ? "--resume" : "--quiet", OPEN_MPI_ENDS);
    wait_for_growth(launcher, journal, before);
    pid_t rank = child_of(launcher, i % 2);
    if (rank > 0) kill(rank, SIGKILL);
    wait_for_end(launcher);
  }
  PROGRAM_RUN(&p, "run", "study.tmp/d.xml", "--only", "s", "--out", "study.tmp/lost", "--resume");
  assert_int_equal(p.code, 0);
  assert_same_file("study.tmp/whole/s/samples.csv", "study.tmp/lost/s/samples.csv");
  assert_computed_once("study.tmp/lost/s", 2);
}

/* A rank at work, or its worker; on a busy machine ranks may have ended before they are seen, and are begun anew. */
static pid_t catch_at_work(const char *out, const char *survival, bool worker, pid_t *launcher) {
  char journal[64];
  pid_t found = 0;
  snprintf(journal, sizeof journal, "%s/s/journal-1.txt", out);
  for (int tries = 0; tries < 10 && found <= 0; tries++) {
    remove_folder(out);
    *launcher = start_ranks(out, "--quiet", survival);
    wait_for_growth(*launcher, journal, 0);
    found = child_of(*launcher, true);
    if (worker && found > 0) found = child_of(found, true);
    if (found <= 0) wait_for_end(*launcher);
  }
  assert_true(found > 0);
  return found;
}

/* With a launcher that lets the others go on, they finish the study, and rank 0 what the lost one had begun. */
static void others_finish_for_a_lost_rank(void **state) {
  (void)state;
  pid_t launcher;
  kill(catch_at_work("study.tmp/rest", OTHERS_GO_ON, false, &launcher), SIGKILL);
  assert_int_equal(wait_for_end(launcher), 0);
  assert_same_file("study.tmp/whole/s/samples.csv", "study.tmp/rest/s/samples.csv");
  assert_computed_once("study.tmp/rest/s", 2);
}

/* The worker of a rank is killed: at most the sample it was computing is missing, which is told, and resuming makes it
 * good. */
static void ranks_outlive_their_workers(void **state) {
  (void)state;
  pid_t launcher;
  kill(catch_at_work("study.tmp/crash", OPEN_MPI_ENDS, true, &launcher), SIGKILL);
  int ended = wait_for_end(launcher);
  char *whole = NULL, *crashed = NULL, *rest_a, *rest_b;
  assert_int_equal(fw_file_read(ctx, "study.tmp/whole/s/samples.csv", &whole, NULL), FW_OK);
  assert_int_equal(fw_file_read(ctx, "study.tmp/crash/s/samples.csv", &crashed, NULL), FW_OK);
  int lines = 0, differ = 0;
  const char *a = strtok_r(whole, "\n", &rest_a), *b = strtok_r(crashed, "\n", &rest_b);
  for (; a && b; a = strtok_r(NULL, "\n", &rest_a), b = strtok_r(NULL, "\n", &rest_b), lines++) {
    if (strcmp(a, b) == 0) continue;
    differ++;
    assert_string_equal(b + strlen(b) - 2, ",4");
  }
  assert_true(!a && !b && lines == 401 && differ <= 1);
  assert_int_equal(WEXITSTATUS(ended), differ);
  free(whole);
  free(crashed);
  PROGRAM_RUN(&p, "run", "study.tmp/d.xml", "--only", "s", "--out", "study.tmp/crash", "--resume");
  assert_int_equal(p.code, 0);
  assert_same_file("study.tmp/whole/s/samples.csv", "study.tmp/crash/s/samples.csv");
}

/* A flipped digit in a journal is noticed, told and made good. */
static void damaged_lines_are_computed_again(void **state) {
  (void)state;
  char *text = NULL;
  assert_int_equal(fw_file_read(ctx, "study.tmp/cut/s/journal-0.txt", &text, NULL), FW_OK);
  char *line = strchr(strchr(text, '\n') + 1, '\n') - 30; /* in the first sample's results */
  *line = *line == '7' ? '8' : '7';
  assert_int_equal(fw_file_write(ctx, "study.tmp/cut/s/journal-0.txt", text, strlen(text)), FW_OK);
  free(text);
  PROGRAM_RUN(&p, "run", "study.tmp/d.xml", "--only", "s", "--out", "study.tmp/cut", "--resume");
  assert_int_equal(p.code, 0);
  assert_same_file("study.tmp/whole/s/samples.csv", "study.tmp/cut/s/samples.csv");
  assert_int_equal(fw_file_read(ctx, "study.tmp/cut/log.txt", &text, NULL), FW_OK);
  assert_non_null(strstr(text, "line 2 is damaged"));
  assert_non_null(strstr(text, "400 samples, 399 of them done before"));
  free(text);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(samples_run_with_their_values),
      cmocka_unit_test(curves_have_bands),
      cmocka_unit_test(correlated_parameters_keep_their_own_distribution),
      cmocka_unit_test(distributions_have_their_moments),
      cmocka_unit_test(influences_are_those_of_formulas),
      cmocka_unit_test(what_has_no_value_is_unknown),
      cmocka_unit_test(failed_samples_are_kept),
      cmocka_unit_test(wrong_studies_are_refused),
      cmocka_unit_test(kills_do_not_show),
      cmocka_unit_test(other_decks_are_not_continued),
      cmocka_unit_test(damaged_lines_are_computed_again),
      cmocka_unit_test(ranks_agree),
      cmocka_unit_test(killed_ranks_do_not_show),
      cmocka_unit_test(others_finish_for_a_lost_rank),
      cmocka_unit_test(ranks_outlive_their_workers),
  };
  return cmocka_run_group_tests(tests, start, stop);
}
