/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "judge.h"

#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "api/results.h"
#include "api/studies.h"
#include "core/unknown.h"
#include "same.h"

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

/* Studies refuse words that no summary has. */
static bool words_are_known(const fw_results *results, char *why) {
  for (int i = 0; i < fw_record_count(results->summary, "analyses.a"); i++) {
    const char *word = fw_record_key(results->summary, "analyses.a", i);
    if (!fw_summary_has(word, strlen(word))) return broken(why, "the word %s of the summary is not in its list", word);
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
  deck_write(file, f, c, step, &as_drawn);
  fclose(file);
  bool done = fw_context_create(&ctx) == FW_OK && fw_deck_load(ctx, path, &deck) == FW_OK &&
              fw_run(ctx, deck, &(fw_run_options){.threads = 1}, &results) == FW_OK &&
              range_of(results, &range[0], &range[1]);
  fw_results_destroy(&results);
  fw_deck_destroy(&deck);
  fw_context_destroy(&ctx);
  return done;
}

/* Of a sensor that moves: of one that a rod or rigid stick holds all is rounding. */
static double distance(const double a[2], const double b[2]) {
  double span = fmax(a[1] - a[0], b[1] - b[0]);
  return span > 1e-13 ? fmax(fabs(a[0] - b[0]), fabs(a[1] - b[1])) / span : 0;
}

/* Alpha with ever smaller steps against the BDF: it comes to the same, or each smaller step still moves it by much, so
 * that the step, not the solver, is to blame (stiff bristles settle within microseconds). */
static bool finer_steps_agree(const char *twin, const features *f, const choice *c, const double bdf[2],
                              double coarse[2], char *why) {
  static const char *const steps[] = {"1.25e-5", "3.125e-6", "7.8125e-7"};
  double fine[2], moved = 0, apart = 0;
  for (int i = 0; i < 3; i++) {
    if (!extremes(twin, f, c, steps[i], fine)) return true;
    moved = distance(coarse, fine);
    apart = distance(fine, bdf);
    if (moved > 0.5 * distance(coarse, bdf) || apart < 0.05) return true;
    memcpy(coarse, fine, sizeof fine);
  }
  return broken(why,
                "alpha and ida differ by %.3g of the range of x, alpha and alpha with a quarter of the step by %.3g",
                apart, moved);
}

static bool solvers_agree(const char *path, const features *f, const choice *c, char *why) {
  choice other = *c;
  char twin[300];
  double coarse[2], bdf[2];
  for (int k = 0; k < f->counts[SOLVER]; k++)
    if (strcmp(f->names[SOLVER][k], "ida") == 0) other.kind[SOLVER] = k;
  snprintf(twin, sizeof twin, "%s.twin", path);
  bool known = extremes(twin, f, &other, "5e-5", bdf) && extremes(twin, f, c, "5e-5", coarse);
  bool agree = !known || distance(coarse, bdf) < 0.02 || finer_steps_agree(twin, f, c, bdf, coarse, why);
  remove(twin);
  return agree;
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
  if (given != BROKEN && results && !words_are_known(results, why)) given = BROKEN;
  if (given == SOUND && !energy_is_closed(results, why)) given = BROKEN;
  if (given == SOUND && deck_is_regular(f, c) && chose(f, c, SOLVER, "alpha") && !solvers_agree(path, f, c, why))
    given = BROKEN;
  fw_results_destroy(&results);
  fw_deck_destroy(&deck);
  fw_context_destroy(&ctx);
  return given;
}

/* ---- how it lies ------------------------------------------------------------------------- */

typedef struct run {
  fw_context *ctx;
  fw_deck *deck;
  fw_results *results;
} run;

static fw_status run_placed(const char *path, const features *f, const choice *c, const placement *at, run *r) {
  FILE *file = fopen(path, "w");
  if (!file || fw_context_create(&r->ctx) != FW_OK) abort();
  deck_write(file, f, c, "5e-5", at);
  fclose(file);
  fw_status status = fw_deck_load(r->ctx, path, &r->deck);
  return status == FW_OK ? fw_run(r->ctx, r->deck, &(fw_run_options){.threads = 1}, &r->results) : status;
}

static void run_clear(run *r) {
  fw_results_destroy(&r->results);
  fw_deck_destroy(&r->deck);
  fw_context_destroy(&r->ctx);
}

/* Amplitudes are those of the sensor, which lies along an axis: only what is asked without one may be askew. */
static placement choose_placement(const features *f, const choice *c) {
  static const placement ways[] = {{90, 1, 3, -2}, {180, 1, 0, 0}, {-90, -1, 0, 0}, {0, -1, -1, 0.5}, {30, 1, 0, 0}};
  uint64_t seed = c->seed + 1;
  for (;;) {
    placement at = ways[random_below(&seed, 5)];
    bool askew = at.angle == 30,
         free = chose(f, c, ANALYSIS, "static") || chose(f, c, ANALYSIS, "modal") || chose(f, c, ANALYSIS, "transient");
    if (askew && (!free || chose(f, c, JOINT, "prescribed"))) continue;
    if (at.side > 0 || deck_can_mirror(f, c)) return at;
  }
}

/* Solvers that choose their steps keep to a tolerance, not to the last digit, and come to other times. */
static bool has_own_steps(const features *f, const choice *c) {
  bool in_time = chose(f, c, ANALYSIS, "transient") || chose(f, c, ANALYSIS, "ring-down");
  return in_time && !chose(f, c, SOLVER, "alpha");
}

verdict judge_turned(const char *path, const features *f, const choice *c, char why[WHY]) {
  run drawn = {0}, placed = {0};
  placement at = choose_placement(f, c);
  verdict given = SOUND;
  char difference[WHY - 100];
  fw_status one = run_placed(path, f, c, &as_drawn, &drawn), other = run_placed(path, f, c, &at, &placed);
  snprintf(why, WHY, "%s", one != FW_OK ? fw_context_message(drawn.ctx) : fw_context_message(placed.ctx));
  if (one != other) given = BROKEN;
  if (one != FW_OK && one == other) given = FAILED;
  bool own_steps = has_own_steps(f, c);
  if (given == SOUND && !same_results(drawn.results, placed.results, own_steps ? 2e-2 : 1e-5, at.angle != 30,
                                      !own_steps, difference, sizeof difference)) {
    snprintf(why, WHY, "turned by %g degrees, side %d: %s", at.angle, at.side, difference);
    given = BROKEN;
  }
  run_clear(&drawn);
  run_clear(&placed);
  return given;
}
