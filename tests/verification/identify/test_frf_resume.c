/* SPDX-License-Identifier: GPL-3.0-or-later */
/* An identification by two processes finds what one finds; stopped halfway and resumed it computes no curve twice and
 * ends at the same numbers; so do ranks under MPI's launcher, of which one may be lost. */
#include <ctype.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "cmocka_all.h"
#include "ranks.h"
#include "remove_folder.h"
#include "verification/deck_run.h"

static char folder[64], deck_path[96];

/* The example's oscillator with a shorter task: two starts, a few steps of a posterior. */
static int write_deck(void **unused) {
  (void)unused;
  static const char task[] =
      "search=\"levenberg-marquardt\" starts=\"2\" evaluations=\"12\" posterior=\"2\" walkers=\"walk\"";
  snprintf(folder, sizeof folder, "/tmp/fw-frf-resume-XXXXXX");
  if (!mkdtemp(folder)) return -1;
  snprintf(deck_path, sizeof deck_path, "%s/deck.xml", folder);
  FILE *from = fopen(FW_SOURCE_DIR "/examples/identification/oscillator.xml", "r"), *to = fopen(deck_path, "w");
  char line[512];
  if (!from || !to) return -1;
  while (fgets(line, sizeof line, from)) {
    char *search = strstr(line, "search="), *leave = strstr(line, "leave-out="), *file = strstr(line, "file=\"");
    if (strstr(line, "</parameters>")) fputs("<parameter name=\"walk\" value=\"6\"/>\n", to);
    if (search) fprintf(to, "%.*s%s\n", (int)(search - line), line, task);
    if (leave) fputs("/>\n", to);
    if (file) fprintf(to, "%.*s%s/examples/identification/%s", (int)(file + 6 - line), line, FW_SOURCE_DIR, file + 6);
    if (!search && !leave && !file) fputs(line, to);
  }
  fclose(from);
  return fclose(to);
}

static int remove_deck(void **unused) {
  (void)unused;
  remove_folder(folder);
  return 0;
}

typedef struct stopping {
  fw_context *ctx;
  int after, heard; /* stopped at this sign of progress; 0: never */
  bool stages[2];   /* of progress: the fit, the posterior */
} stopping;

static void on_progress(void *user, const char *what, double fraction) {
  stopping *s = user;
  if (fraction > 0.0 && strncmp(what, "fit", 3) == 0 && ++s->heard == s->after) fw_context_interrupt(s->ctx, true);
  s->stages[0] |= strcmp(what, "fit") == 0;
  s->stages[1] |= strcmp(what, "fit: posterior") == 0;
}

/* Result folder NAME; the status. */
static fw_status run_to(deck_run *run, const char *name, int threads, bool resume, int stop_after) {
  char out[128];
  stopping s = {.after = stop_after};
  *run = (deck_run){0};
  snprintf(out, sizeof out, "%s/%s", folder, name);
  assert_int_equal(fw_context_create(&run->ctx), FW_OK);
  s.ctx = run->ctx;
  fw_context_on_progress(run->ctx, on_progress, &s);
  assert_int_equal(fw_deck_load(run->ctx, deck_path, &run->deck), FW_OK);
  const fw_run_options options = {.out = out, .resume = resume, .threads = threads, .may_fork = true};
  fw_status status = fw_run(run->ctx, run->deck, &options, &run->results);
  fw_context_on_progress(run->ctx, NULL, NULL);
  assert_true(s.stages[0] && (stop_after || s.stages[1]));
  return status;
}

/* Lines of a journal behind its head. */
static int curves_of(const char *name) {
  char path[160], line[4096];
  int count = -1;
  snprintf(path, sizeof path, "%s/%s/fit/journal.txt", folder, name);
  FILE *file = fopen(path, "r");
  assert_non_null(file);
  while (fgets(line, sizeof line, file)) count++;
  fclose(file);
  return count;
}

static void same(const deck_run *a, const deck_run *b, const char *path) {
  double x = 0.0, y = 1.0;
  assert_int_equal(fw_results_number(a->results, path, &x), FW_OK);
  assert_int_equal(fw_results_number(b->results, path, &y), FW_OK);
  printf("%-48s computed %.15g, reference %.15g, difference %g\n", path, y, x, y - x);
  assert_true(x == y);
}

static void all_the_same(const deck_run *a, const deck_run *b) {
  static const char *const figures[] = {"mu",
                                        "sigma",
                                        "deviation.mu",
                                        "chi2",
                                        "evaluations",
                                        "contact[3].friction_over_limit",
                                        "posterior.mu.mean",
                                        "posterior.sigma.deviation"};
  char path[96];
  for (size_t i = 0; i < sizeof figures / sizeof *figures; i++) {
    snprintf(path, sizeof path, "identification.fit.%s", figures[i]);
    same(a, b, path);
  }
}

/* Halves of one step each do not tell how far walkers differ: no figure, and no warning of it. */
static void two_steps_have_no_split(const deck_run *run) {
  double split;
  char path[160];
  static char summary[PROGRAM_TEXT];
  assert_true(fw_results_number(run->results, "identification.fit.posterior.mu.split", &split) != FW_OK);
  snprintf(path, sizeof path, "%s/one/summary.json", folder);
  program_read(path, summary);
  assert_non_null(strstr(summary, "autocorrelation times"));
  assert_null(strstr(summary, "R hat"));
}

static void processes_and_resuming_change_nothing(void **unused) {
  (void)unused;
  deck_run one, two, stopped, resumed, again;
  assert_int_equal(run_to(&one, "one", 1, false, 0), FW_OK);
  assert_int_equal(run_to(&two, "two", 2, false, 0), FW_OK);
  all_the_same(&one, &two);
  two_steps_have_no_split(&one);
  assert_int_equal(run_to(&stopped, "stopped", 2, false, 4), FW_ERR_INTERRUPTED);
  int before = curves_of("stopped");
  assert_int_equal(run_to(&resumed, "stopped", 2, true, 0), FW_OK);
  all_the_same(&one, &resumed);
  printf("curves: one process %d, two %d; stopped after %d, %d when resumed\n", curves_of("one"), curves_of("two"),
         before, curves_of("stopped"));
  assert_true(before > 0 && before < curves_of("two"));
  assert_true(curves_of("stopped") <= curves_of("two") + 2); /* what two processes were at when they were stopped */
  int whole = curves_of("stopped");
  assert_int_equal(run_to(&again, "stopped", 2, true, 0), FW_OK); /* nothing is left to be computed */
  all_the_same(&one, &again);
  assert_int_equal(curves_of("stopped"), whole);
  deck_close(&again);
  deck_close(&one);
  deck_close(&two);
  deck_close(&stopped);
  deck_close(&resumed);
}

/* ---- MPI --------------------------------------------------------------------------------- */

static void path_to(const char *name, const char *file, char path[160]) {
  snprintf(path, 160, "%s/%s%s%s", folder, name, file ? "/fit/" : "", file ? file : "");
}

static void same_samples(const char *name) {
  static char a[PROGRAM_TEXT], b[PROGRAM_TEXT];
  char path[160];
  path_to("whole", "posterior.csv", path);
  program_read(path, a);
  path_to(name, "posterior.csv", path);
  program_read(path, b);
  assert_true(strlen(a) > 400);
  assert_string_equal(a, b);
}

#define MORE_WALKERS "--set=walk=24"

/* Starts a longer posterior into folder NAME; what ranks say is in said.txt. */
static pid_t start(const char *name, const char *survival, char log[160]) {
  char out[160];
  path_to(name, NULL, out);
  path_to("said.txt", NULL, log);
  return ranks_start(&(ranks){deck_path, "fit", out, MORE_WALKERS, survival, log});
}

/* Of the points of the posterior rank 1 computes some, and what is drawn is what one process draws. */
static void ranks_share_the_posterior(void **unused) {
  (void)unused;
  static char text[PROGRAM_TEXT];
  static program p;
  char log[160], whole[160];
  int computed = 0;
  path_to("whole", NULL, whole);
  PROGRAM_RUN(&p, "run", deck_path, "--only", "fit", "--out", whole, "--threads", "1", MORE_WALKERS);
  assert_int_equal(p.code, 0);
  assert_int_equal(wait_for_end(start("ranks", OPEN_MPI_ENDS, log)), 0);
  same_samples("ranks");
  program_read(log, text);
  const char *end = strstr(text, " points were computed by rank 1");
  assert_non_null(end);
  while (end > text && isdigit((unsigned char)end[-1])) end--;
  computed = atoi(end);
  printf("points computed by rank 1: %d\n", computed);
  assert_true(computed > 0);
}

/* Waits for so many lines of the journal. */
static void wait_for_curves(const char *name, int count, pid_t launcher) {
  char path[160];
  path_to(name, "journal.txt", path);
  for (int i = 0; i < 60000 && waitpid(launcher, NULL, WNOHANG) == 0; i++) {
    if (access(path, R_OK) == 0 && curves_of(name) >= count) return;
    nanosleep(&(struct timespec){0, 1000000}, NULL);
  }
  fail_msg("no %d curves", count);
}

/* Rank 1 is killed in the midst of it: rank 0 ends alone, at the same numbers. */
static void a_lost_rank_does_not_show(void **unused) {
  (void)unused;
  char log[160];
  pid_t launcher = start("lost", OTHERS_GO_ON, log);
  wait_for_curves("lost", curves_of("whole") / 2, launcher);
  pid_t rank = child_of(launcher, true);
  assert_true(rank > 0);
  kill(rank, SIGKILL);
  assert_int_equal(wait_for_end(launcher), 0);
  same_samples("lost");
}

/* A rank that dies before MPI has started is not waited for without limit: MPI itself would. */
static void a_rank_lost_at_the_start_is_told(void **unused) {
  (void)unused;
  static char text[PROGRAM_TEXT];
  char log[160];
  pid_t rank = 0;
  int status, ended = 0;
  setenv("FRETWORK_MPI_START", "3", 1);
  pid_t launcher = start("early", OTHERS_GO_ON, log);
  unsetenv("FRETWORK_MPI_START");
  for (int i = 0; i < 30000 && (rank == 0 || rank == child_of(launcher, false)); i++) {
    rank = child_of(launcher, true);
    nanosleep(&(struct timespec){0, 1000000}, NULL);
  }
  assert_true(rank > 0);
  kill(rank, SIGKILL);
  for (int i = 0; i < 1200 && !ended; i++) {
    ended = waitpid(launcher, &status, WNOHANG);
    nanosleep(&(struct timespec){0, 100000000}, NULL);
  }
  program_read(log, text);
  if (ended != launcher) fail_msg("still waiting: %s", text);
  assert_non_null(strstr(text, "MPI has not started after 3 s"));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(processes_and_resuming_change_nothing), cmocka_unit_test(ranks_share_the_posterior),
      cmocka_unit_test(a_lost_rank_does_not_show), cmocka_unit_test(a_rank_lost_at_the_start_is_told)};
  return cmocka_run_group_tests(tests, write_deck, remove_deck);
}
