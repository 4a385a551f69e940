/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "judge.h"

#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "api/results.h"
#include "core/unknown.h"

/* The first thing found wrong is told. */
static bool broken(char *why, const char *format, ...) {
  va_list list;
  va_start(list, format);
  vsnprintf(why, WHY, format, list);
  va_end(list);
  return false;
}

/* Names of libraries say nothing to a user. */
static bool message_is_fit(const char *message, char *why) {
  static const char *const words[] = {"IDA_",    "CV_",    "KIN_",   "KLU",  "SUNDIALS",
                                      "CHOLMOD", "ARPACK", "LAPACK", " nan", "(null)"};
  if (!message[0]) return broken(why, "a failure without a message");
  for (size_t i = 0; i < sizeof words / sizeof *words; i++)
    if (strstr(message, words[i])) return broken(why, "'%s' in the message: %s", words[i], message);
  return true;
}

static void first_line(const char *message, char why[WHY]) {
  snprintf(why, WHY, "%.*s", (int)strcspn(message, "\n"), message);
}

verdict judge_check(const char *path, char why[WHY]) {
  fw_context *ctx = NULL;
  fw_deck *deck = NULL;
  if (fw_context_create(&ctx) != FW_OK) return BROKEN;
  fw_status status = fw_deck_load(ctx, path, &deck);
  if (status == FW_OK) status = fw_deck_check(ctx, deck);
  verdict given = status == FW_OK ? SOUND : REFUSED;
  if (status != FW_OK) {
    const char *message = fw_context_message(ctx);
    first_line(message, why);
    if (!message_is_fit(message, why)) given = BROKEN;
  }
  fw_deck_destroy(&deck);
  fw_context_destroy(&ctx);
  return given;
}

/* ---- tables ------------------------------------------------------------------------------ */

static bool is_done(const fw_results *results, const char *analysis) {
  char path[200];
  const char *status = "";
  snprintf(path, sizeof path, "analyses.%s.status", analysis);
  return fw_results_text(results, path, &status) == FW_OK && strcmp(status, "done") == 0;
}

/* Nothing may have happened, and a range may hold no resonance. */
static bool may_be_empty(const char *table) { return strcmp(table, "events") == 0 || strcmp(table, "resonances") == 0; }

static bool table_holds_numbers(const fw_results *results, const fw_data_table *table, char *why) {
  if (table->stream) return true;
  if (table->rows == 0 && is_done(results, table->analysis) && !may_be_empty(table->name))
    return broken(why, "%s is done and its table %s is empty", table->analysis, table->name);
  for (int c = 0; c < table->columns; c++)
    for (size_t r = 0; r < table->rows; r++)
      if (!fw_is_figure(table->values[c][r]))
        return broken(why, "%s.%s: %s in row %zu is %g", table->analysis, table->name, table->column_names[c], r,
                      table->values[c][r]);
  return true;
}

static bool ends_with(const char *text, const char *end) {
  size_t n = strlen(text), m = strlen(end);
  return n >= m && strcmp(text + n - m, end) == 0;
}

/* N >= 0 and |T| <= limit N, up to a millionth of the preload. */
static bool contact_is_possible(const fw_data_table *table, double limit, char *why) {
  const double least = 5e-5;
  for (int c = 0; c + 1 < table->columns; c++) {
    if (!ends_with(table->column_names[c], ".N")) continue;
    for (size_t r = 0; r < table->rows; r++) {
      double N = table->values[c][r], T = fabs(table->values[c + 1][r]), t = table->values[0][r];
      if (N < -least) return broken(why, "%s: %s = %g at %g", table->analysis, table->column_names[c], N, t);
      if (limit > 0 && ends_with(table->column_names[c + 1], ".T") && T > limit * N * (1 + 1e-6) + least)
        return broken(why, "%s: %s = %g for N = %g at %g, mu is %g", table->analysis, table->column_names[c + 1], T, N,
                      t, limit);
    }
  }
  return true;
}

static bool tables_are_possible(const fw_results *results, double limit, char *why) {
  for (int i = 0; i < results->sink->table_count; i++) {
    const fw_data_table *table = results->sink->tables[i];
    if (!table_holds_numbers(results, table, why)) return false;
    if (strcmp(table->name, "contact") == 0 && !contact_is_possible(table, limit, why)) return false;
  }
  return true;
}

/* What loads do is stored, dissipated, or lost by the method, which says how much. */
static bool energy_is_closed(const fw_results *results, char *why) {
  double residual;
  if (fw_results_number(results, "analyses.a.energy.residual", &residual) != FW_OK) return true;
  return fabs(residual) < 1e-2 || broken(why, "energy residual %g", residual);
}

/* ---- a second opinion -------------------------------------------------------------------- */

static bool range_of(const fw_results *results, double *least, double *most) {
  return fw_results_number(results, "analyses.a.sensors.x.min", least) == FW_OK &&
         fw_results_number(results, "analyses.a.sensors.x.max", most) == FW_OK;
}

/* Runs the deck of a choice and hands over the extremes of the sensor. */
static bool extremes(const char *path, const features *f, const choice *c, const char *step, double range[2]) {
  fw_context *ctx = NULL;
  fw_deck *deck = NULL;
  fw_results *results = NULL;
  FILE *file = fopen(path, "w");
  if (!file) return false;
  deck_write(file, f, c, step);
  fclose(file);
  bool done = fw_context_create(&ctx) == FW_OK && fw_deck_load(ctx, path, &deck) == FW_OK &&
              fw_run(ctx, deck, &(fw_run_options){.threads = 1}, &results) == FW_OK &&
              range_of(results, &range[0], &range[1]);
  fw_results_destroy(&results);
  fw_deck_destroy(&deck);
  fw_context_destroy(&ctx);
  return done;
}

static double distance(const double a[2], const double b[2]) {
  double span = fmax(a[1] - a[0], b[1] - b[0]);
  return span > 0 ? fmax(fabs(a[0] - b[0]), fabs(a[1] - b[1])) / span : 0;
}

/* The generalised-alpha method with ever smaller steps against the BDF. Where halving the step changes the motion by
 * much the step, not the solver, is to blame. */
static bool solvers_agree(const char *path, const features *f, const choice *c, char *why) {
  choice other = *c;
  char twin[300];
  double coarse[2], fine[2], bdf[2];
  for (int k = 0; k < f->counts[SOLVER]; k++)
    if (strcmp(f->names[SOLVER][k], "ida") == 0) other.kind[SOLVER] = k;
  snprintf(twin, sizeof twin, "%s.twin", path);
  bool known = extremes(twin, f, &other, "5e-5", bdf) && extremes(twin, f, c, "5e-5", coarse) &&
               (distance(coarse, bdf) < 0.02 || extremes(twin, f, c, "1.25e-5", fine));
  remove(twin);
  if (!known || distance(coarse, bdf) < 0.02) return true;
  if (distance(coarse, fine) > 0.5 * distance(coarse, bdf) || distance(fine, bdf) < 0.05) return true;
  return broken(why,
                "alpha and ida differ by %.3g of the range of x, alpha and alpha with a quarter of the step by %.3g",
                distance(fine, bdf), distance(coarse, fine));
}

/* ---- what is known ----------------------------------------------------------------------- */

/* Found by these decks and not mended yet: told, but no failure. Whoever mends one takes its line out. */
static bool is_open(const char *why) {
  static const char *const findings[] = {
      "harmonic balance: joints or ties hold the same motion twice", /* a prescribed tip of a von Karman beam in an frf
                                                                      */
      "'IDA_' in the message",                                       /* elastic stick of `decay` under ida gives up */
      "a is done and its table decay is empty"};                     /* a ring-down without swings */
  for (size_t i = 0; i < sizeof findings / sizeof *findings; i++)
    if (strstr(why, findings[i])) return true;
  return false;
}

/* ---- all together ------------------------------------------------------------------------ */

verdict judge_run(const char *path, const features *f, const choice *c, char why[WHY]) {
  fw_context *ctx = NULL;
  fw_deck *deck = NULL;
  fw_results *results = NULL;
  verdict given = SOUND;
  if (fw_context_create(&ctx) != FW_OK) return BROKEN;
  fw_status status = fw_deck_load(ctx, path, &deck);
  if (status == FW_OK) status = fw_run(ctx, deck, &(fw_run_options){.threads = 1}, &results);
  if (status != FW_OK) {
    given = FAILED;
    first_line(fw_context_message(ctx), why);
    if (!message_is_fit(fw_context_message(ctx), why)) given = BROKEN;
  }
  if (status == FW_ERR_DECK || status == FW_ERR_ARGUMENT) {
    broken(why, "check says sound, run refuses: %s", fw_context_message(ctx));
    given = BROKEN;
  }
  if (given != BROKEN && results && !tables_are_possible(results, deck_friction_limit(f, c), why)) given = BROKEN;
  if (given == SOUND && !energy_is_closed(results, why)) given = BROKEN;
  if (given == BROKEN && is_open(why)) given = OPEN;
  if (given == SOUND && deck_is_regular(f, c) && chose(f, c, SOLVER, "alpha") && !solvers_agree(path, f, c, why))
    given = BROKEN;
  fw_results_destroy(&results);
  fw_deck_destroy(&deck);
  fw_context_destroy(&ctx);
  return given;
}
