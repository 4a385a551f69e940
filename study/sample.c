/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One sample: set the parameters, run, read what the study collects. */
#include "study/sample.h"

#include <math.h>
#include <stdio.h>

/* What reading needs besides the run. */
typedef struct reading {
  const fw_study *study;
  double *results;
} reading;

/* ---- figures of the summary -------------------------------------------------------------- */

/* "analyses.ID.levels[i]." of the level asked for; false if the analysis has none like it. */
static bool level_prefix(const fw_record *summary, const fw_figure *figure, char *prefix, size_t room) {
  char path[256];
  snprintf(path, sizeof path, "analyses.%s.levels", figure->analysis);
  int count = fw_record_count(summary, path);
  for (int i = 0; i < count; i++) {
    double level;
    snprintf(path, sizeof path, "analyses.%s.levels[%d].level", figure->analysis, i);
    if (fw_record_number(summary, path, &level) != FW_OK) continue;
    if (fabs(level - figure->level) > 1e-9 * fabs(figure->level)) continue;
    snprintf(prefix, room, "analyses.%s.levels[%d].", figure->analysis, i);
    return true;
  }
  return false;
}

static double read_figure(const fw_record *summary, const fw_figure *figure) {
  char prefix[256] = "", path[512];
  double value;
  if (figure->at_level) {
    if (!level_prefix(summary, figure, prefix, sizeof prefix)) return NAN;
  } else if (figure->analysis) {
    snprintf(prefix, sizeof prefix, "analyses.%s.", figure->analysis);
  }
  snprintf(path, sizeof path, "%s%s", prefix, figure->path);
  return fw_record_number(summary, path, &value) == FW_OK ? value : NAN;
}

/* ---- curves ------------------------------------------------------------------------------ */

/* The highest of the branches of a polyline at x; NaN where it has none. */
static double highest_at(const fw_data_table *table, int cx, int cy, double x) {
  const double *px = table->values[cx], *py = table->values[cy];
  double best = NAN;
  for (size_t i = 0; i + 1 < table->rows; i++) {
    double a = px[i], b = px[i + 1];
    if ((x - a) * (x - b) > 0 || a == b) continue;
    double y = py[i] + (py[i + 1] - py[i]) * (x - a) / (b - a);
    if (!(best >= y)) best = y;
  }
  return best;
}

static void read_fan(const fw_sink *sink, const fw_fan *fan, double *results) {
  const fw_data_table *table = fw_sink_find(sink, fan->analysis, fan->table);
  int cx = table ? fw_data_table_column(table, fan->x) : -1, cy = table ? fw_data_table_column(table, fan->y) : -1;
  for (int p = 0; p < fan->points; p++)
    results[fan->column + p] = cx >= 0 && cy >= 0 && !table->stream ? highest_at(table, cx, cy, fw_fan_x(fan, p)) : NAN;
}

static fw_status read_run(void *user, fw_context *ctx, const fw_record *summary, const fw_sink *sink) {
  (void)ctx;
  const reading *r = user;
  for (int i = 0; i < r->study->figure_count; i++)
    if (r->study->figures[i].path) r->results[i] = read_figure(summary, &r->study->figures[i]);
  for (int i = 0; i < r->study->fan_count; i++) read_fan(sink, &r->study->fans[i], r->results);
  return FW_OK;
}

/* ---- expressions ------------------------------------------------------------------------- */

/* Earlier figures whose names cannot stand in expressions are left out; an expression that needs one fails. */
static fw_status evaluate_all(fw_context *ctx, const fw_study *study, fw_scope *scope, double *results) {
  char why[FW_REASON];
  for (int i = 0; i < study->figure_count; i++) {
    const fw_figure *figure = &study->figures[i];
    if (figure->expression && !fw_scope_evaluate(scope, figure->expression, &results[i], why, sizeof why) &&
        isfinite(results[i]))
      return fw_fail(ctx, FW_ERR_DECK, "result %s: %s", figure->name, why);
    fw_scope_define(scope, figure->name, &results[i]);
  }
  return FW_OK;
}

static fw_status evaluate_expressions(fw_context *ctx, const fw_study *study, const fw_deck *deck, double *results) {
  bool any = false;
  for (int i = 0; i < study->figure_count; i++) any = any || study->figures[i].expression;
  if (!any) return FW_OK;
  fw_parameters parameters = {0};
  fw_status status;
  FW_TRY_DONE(fw_parameters_copy(ctx, fw_deck_parameters(deck), &parameters));
  FW_TRY_DONE(fw_parameters_evaluate(ctx, &parameters));
  FW_TRY_DONE(evaluate_all(ctx, study, parameters.scope, results));
done:
  fw_parameters_clear(&parameters);
  return status;
}

/* ---- all of it --------------------------------------------------------------------------- */

fw_status fw_sample_compute(fw_context *ctx, const fw_study *study, fw_deck *deck, fw_run_fn run, long index,
                            double *results) {
  for (int c = 0; c < study->columns; c++) results[c] = NAN;
  for (int k = 0; k < study->factor_count; k++) {
    char value[40];
    snprintf(value, sizeof value, "%.17g", study->values[index * study->factor_count + k]);
    FW_TRY(fw_deck_set(ctx, deck, study->factors[k].name, value));
  }
  reading r = {study, results};
  if (study->run) FW_TRY(run(ctx, deck, study->run, read_run, &r));
  return evaluate_expressions(ctx, study, deck, results);
}
