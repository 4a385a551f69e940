/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a cycle of the rig costs under LuGre friction with bristles of a microsecond, by generalised-alpha and by IDA,
 * and how accurate the driving point then is: its largest difference over the last period to IDA at 1e-8, over the
 * largest value there. */
#include <math.h>

#include "bench.h"
#include "fretwork.h"

enum { ROWS = 50, PERIODS = 3 };

static double error_of(const fw_results *results, const char *id) {
  size_t m = 0, n = 0;
  const double *x, *y;
  if (fw_results_column(results, id, "history", "drive", &m, &x) != FW_OK ||
      fw_results_column(results, "reference", "history", "drive", &n, &y) != FW_OK || m != n || n <= ROWS)
    return NAN;
  double most = 0.0, largest = 0.0;
  for (size_t i = n - ROWS; i < n; i++) {
    most = fmax(most, fabs(x[i] - y[i]));
    largest = fmax(largest, fabs(y[i]));
  }
  return most / largest;
}

static double number_of(const fw_results *results, const char *id, const char *what) {
  char path[80];
  double value = NAN;
  snprintf(path, sizeof path, "analyses.%s.%s", id, what);
  fw_results_number(results, path, &value);
  return value;
}

int main(void) {
  static const char *const ids[] = {"alpha-400", "alpha-1600", "alpha-6400", "alpha-25600",
                                    "ida-1e-3",  "ida-1e-4",   "ida-1e-5",   "ida-1e-6"};
  fw_context *ctx = NULL;
  fw_deck *deck = NULL;
  fw_results *results = NULL;
  if (fw_context_create(&ctx) != FW_OK) return 1;
  fw_status status = fw_deck_load(ctx, "benchmarks/decks/rig-lugre-stiff.xml", &deck);
  if (status == FW_OK) status = fw_run(ctx, deck, NULL, &results);
  if (status != FW_OK) fprintf(stderr, "%s\n", fw_context_message(ctx));
  for (size_t i = 0; status == FW_OK && i < sizeof ids / sizeof *ids; i++) {
    bench_print("stiff lugre", ids[i], "cost", 1e3 * number_of(results, ids[i], "cpu_seconds") / PERIODS, "ms/cycle");
    bench_print("stiff lugre", ids[i], "steps", number_of(results, ids[i], "statistics.steps") / PERIODS, "1/cycle");
    bench_print("stiff lugre", ids[i], "error", error_of(results, ids[i]), "of amplitude");
  }
  fw_results_destroy(&results);
  fw_deck_destroy(&deck);
  fw_context_destroy(&ctx);
  return status != FW_OK;
}
