/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The program around is left alone: no processes, no MPI, its number of BLAS threads is its own. */
#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cmocka_all.h"
#include "fretwork.h"
#include "remove_folder.h"

static const char *const path = "host.tmp.xml";
static fw_context *ctx;
static int forks;

static void count_fork(void) { forks++; }

static int start(void **state) {
  (void)state;
  remove_folder("host.tmp");
  return pthread_atfork(count_fork, NULL, NULL) == 0 ? fw_context_create(&ctx) : -1;
}

static int stop(void **state) {
  (void)state;
  fw_context_destroy(&ctx);
  remove_folder("host.tmp");
  (void)remove("host.tmp.csv");
  return remove(path);
}

/* A mass on springs, whose frequency is studied; every other sample is refused. */
static fw_deck *load(const char *study) {
  fw_deck *deck = NULL;
  FILE *file = fopen(path, "w");
  assert_non_null(file);
  fprintf(
      file,
      "<fretwork version=\"1\"><parameters><parameter name=\"k\" value=\"100\"/>"
      "<parameter name=\"stiff\" value=\"k\" max=\"105\"/></parameters>\n"
      "<bodies><rigid id=\"m\" at=\"0,0\" m=\"1\" J=\"1\"/><spring id=\"s\" at=\"m.centre\" direction=\"1,0\" "
      "k=\"stiff\"/>"
      "<spring id=\"u\" at=\"m.centre\" direction=\"0,1\" k=\"500\"/>"
      "<torsional-spring id=\"r\" at=\"m.centre\" k=\"900\"/></bodies>\n"
      "<analyses><modal id=\"modes\" modes=\"1\"/></analyses>\n"
      "<studies><study id=\"s\" sampling=\"grid\" steps=\"11\" run=\"modes\" %s><vary parameter=\"k\" min=\"90\" "
      "max=\"110\"/><result name=\"f\" of=\"modes\" quantity=\"modes[0].frequency\"/></study></studies></fretwork>\n",
      study);
  assert_int_equal(fclose(file), 0);
  assert_int_equal(fw_deck_load(ctx, path, &deck), FW_OK);
  return deck;
}

extern int openblas_get_num_threads(void);
extern void openblas_set_num_threads(int count);

static void the_number_of_blas_threads_is_given_back(void **state) {
  (void)state;
  fw_results *results = NULL;
  fw_deck *deck = load("");
  openblas_set_num_threads(2);
  assert_int_equal(openblas_get_num_threads(), 2);
  assert_int_equal(fw_run(ctx, deck, &(fw_run_options){.threads = 1}, &results), FW_OK);
  assert_int_equal(openblas_get_num_threads(), 2);
  fw_results_destroy(&results);
  fw_deck_destroy(&deck);
}

/* Frequencies and states of all samples. */
enum { SAMPLES = 11 };
static void study(bool may_fork, double table[2][SAMPLES]) {
  fw_results *results = NULL;
  fw_deck *deck = load("");
  const char *const columns[] = {"f", "state"};
  fw_status status = fw_run(ctx, deck, &(fw_run_options){.threads = 2, .may_fork = may_fork}, &results);
  if (status != FW_OK) fail_msg("%s", fw_context_message(ctx));
  for (int c = 0; c < 2; c++) {
    const double *values;
    size_t rows;
    assert_int_equal(fw_results_column(results, "s", "samples", columns[c], &rows, &values), FW_OK);
    assert_int_equal(rows, SAMPLES);
    memcpy(table[c], values, sizeof table[c]);
  }
  fw_results_destroy(&results);
  fw_deck_destroy(&deck);
}

static void studies_fork_when_they_may(void **state) {
  (void)state;
  double here[2][SAMPLES], there[2][SAMPLES];
  forks = 0;
  study(false, here);
  assert_int_equal(forks, 0);
  study(true, there);
  assert_true(forks >= 1);
  for (int i = 0; i < SAMPLES; i++) {
    double expected = i < 8 ? 1.0 : 2.0; /* k = 90, 92 ... 104 | 106 and more are above the parameter's max */
    assert_true(here[1][i] == expected && there[1][i] == expected);
    if (i < 8) assert_true(here[0][i] == there[0][i] && here[0][i] > 1.0);
  }
}

/* A loop of Dahl's friction, T' = k (1 - T/F sgn v) v, fitted from four places within the bounds. */
static void write_loop(void) {
  const double A = 1e-5, F = 40, k = 1e7;
  double T = 0, was = 0;
  FILE *file = fopen("host.tmp.csv", "w");
  assert_non_null(file);
  fputs("t [s],u [m],v [m/s],N [N],T [N]\n", file);
  for (int i = 0; i <= 300; i++) {
    double phase = 4 * M_PI * i / 300, u = A * sin(phase), du = u - was;
    T += k * (1 - T / F * (du < 0 ? -1 : 1)) * du;
    fprintf(file, "%.17g,%.17g,%.17g,80,%.17g\n", phase, u, A * cos(phase), T);
    was = u;
  }
  assert_int_equal(fclose(file), 0);
}

static double fit(bool may_fork) {
  fw_results *results = NULL;
  fw_deck *deck = NULL;
  double found = 0;
  FILE *file = fopen(path, "w");
  assert_non_null(file);
  fputs(
      "<fretwork version=\"1\"><bodies><rigid id=\"m\" at=\"0,0\" m=\"1\" J=\"1\"/></bodies>\n"
      "<data><loop id=\"l\" file=\"host.tmp.csv\"/></data>\n<identification><identify id=\"fit\" method=\"loop\" "
      "data=\"l\" laws=\"dahl\" starts=\"4\" profiles=\"no\"/></identification></fretwork>\n",
      file);
  assert_int_equal(fclose(file), 0);
  assert_int_equal(fw_deck_load(ctx, path, &deck), FW_OK);
  fw_status status = fw_run(ctx, deck, &(fw_run_options){.threads = 2, .may_fork = may_fork}, &results);
  if (status != FW_OK) fail_msg("%s", fw_context_message(ctx));
  assert_int_equal(fw_results_number(results, "identification.fit.dahl.mu-c", &found), FW_OK);
  fw_results_destroy(&results);
  fw_deck_destroy(&deck);
  return found;
}

static void identifications_fork_when_they_may(void **state) {
  (void)state;
  write_loop();
  forks = 0;
  double here = fit(false);
  assert_int_equal(forks, 0);
  double there = fit(true);
  assert_true(forks >= 1);
  assert_true(here == there && fabs(here - 0.5) < 0.05);
}

static void time_limits_need_processes(void **state) {
  (void)state;
  fw_results *results = NULL;
  fw_deck *deck = load("time-limit=\"5\"");
  fw_context_clear(ctx);
  assert_int_equal(fw_run(ctx, deck, NULL, &results), FW_ERR_ARGUMENT);
  assert_non_null(strstr(fw_context_message(ctx), "may_fork"));
  fw_results_destroy(&results);
  fw_deck_destroy(&deck);
}

/* As a launcher leaves it, with a plug-in that cannot be loaded: asking for MPI is noticed. */
static void mpi_is_joined_when_it_may(void **state) {
  (void)state;
  fw_results *results = NULL;
  fw_deck *deck = load("");
  fw_run_options options = {.out = "host.tmp", .force = true, .threads = 1, .may_fork = true};
  setenv("OMPI_COMM_WORLD_SIZE", "2", 1);
  setenv("FRETWORK_MPI", "./no-such-plug-in.so", 1);
  assert_int_equal(fw_run(ctx, deck, &options, &results), FW_OK);
  fw_results_destroy(&results);
  options.may_join_mpi = true;
  fw_context_clear(ctx);
  assert_int_equal(fw_run(ctx, deck, &options, &results), FW_ERR_LIBRARY);
  assert_non_null(strstr(fw_context_message(ctx), "MPI launcher"));
  static const char *const stale[][2] = {{FW_UNMARKED_MODULE, "another build (an older one)"},
                                         {FW_STALE_MODULE, "another build (0.0.1-older)"}};
  for (size_t i = 0; i < sizeof stale / sizeof *stale; i++) {
    setenv("FRETWORK_MPI", stale[i][0], 1);
    fw_context_clear(ctx);
    assert_int_equal(fw_run(ctx, deck, &options, &results), FW_ERR_LIBRARY);
    assert_non_null(strstr(fw_context_message(ctx), stale[i][1]));
  }
  options.may_fork = false;
  assert_int_equal(fw_run(ctx, deck, &options, &results), FW_ERR_ARGUMENT);
  unsetenv("OMPI_COMM_WORLD_SIZE");
  unsetenv("FRETWORK_MPI");
  fw_results_destroy(&results);
  fw_deck_destroy(&deck);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_number_of_blas_threads_is_given_back), cmocka_unit_test(studies_fork_when_they_may),
      cmocka_unit_test(identifications_fork_when_they_may), cmocka_unit_test(time_limits_need_processes),
      cmocka_unit_test(mpi_is_joined_when_it_may)};
  return cmocka_run_group_tests(tests, start, stop);
}
