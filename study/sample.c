/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One sample: set the parameters, run, read what the study collects. */
#include "study/sample.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/unknown.h"
#include "study/collected.h"
#include "study/local.h"

/* What reading needs besides the run. */
typedef struct reading {
  const fw_study *study;
  long index;
  double *results;
  char *units; /* room of FW_REASON */
} reading;

/* ---- units -------------------------------------------------------------------------------- */

static const char next_unit = '|'; /* behind every unit but the last */

/* One more at the end; where there is no room for all of it, nothing: those that follow are not known either. */
static void add_unit(char *units, const char *unit) {
  size_t used = strlen(units);
  if (used + strlen(unit) + 2 > FW_REASON || strlen(unit) >= FW_UNIT) return;
  snprintf(units + used, FW_REASON - used, "%s%c", unit, next_unit);
}

const char *fw_sample_unit(const char *units, int i, char unit[FW_UNIT]) {
  for (; *units && i > 0; i--) {
    const char *end = strchr(units, next_unit);
    units = end ? end + 1 : "";
  }
  size_t length = strcspn(units, "|");
  snprintf(unit, FW_UNIT, "%.*s", (int)length, units);
  return unit;
}

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
    if (!fw_level_equals(level, figure->level)) continue;
    snprintf(prefix, room, "analyses.%s.levels[%d].", figure->analysis, i);
    return true;
  }
  return false;
}

/* Where the figure's path begins; false if the analysis has no such level. */
static bool figure_prefix(const fw_record *summary, const fw_figure *figure, char *prefix, size_t room) {
  prefix[0] = '\0';
  if (figure->at_level) return level_prefix(summary, figure, prefix, room);
  if (figure->analysis) snprintf(prefix, room, "analyses.%s.", figure->analysis);
  return true;
}

static double read_figure(const fw_record *summary, const fw_figure *figure, const char **unit) {
  char prefix[256], path[512];
  double value;
  *unit = "";
  if (!figure->path || !figure_prefix(summary, figure, prefix, sizeof prefix)) return fw_unknown();
  snprintf(path, sizeof path, "%s%s", prefix, figure->path);
  *unit = fw_record_unit(summary, path);
  return fw_record_number(summary, path, &value) == FW_OK ? value : fw_unknown();
}

/* Derivatives of the figures of the run by the parameters harmonic balance knows. */
static void read_derivatives(const fw_study *study, const fw_record *summary, double *derivatives) {
  char prefix[256];
  for (int i = 0; i < study->figure_count; i++) {
    const fw_figure *figure = &study->figures[i];
    if (!figure->path || !figure_prefix(summary, figure, prefix, sizeof prefix)) continue;
    for (int k = 0; k < study->factor_count; k++)
      if (study->local->known[k])
        derivatives[i * study->factor_count + k] = fw_local_derivative(study->local, summary, prefix, figure, k);
  }
}

/* ---- curves ------------------------------------------------------------------------------ */

/* The highest of the branches of a polyline at x; NaN where it has none. */
static double highest_at(const fw_data_table *table, int cx, int cy, double x) {
  const double *px = table->values[cx], *py = table->values[cy];
  double best = fw_unknown();
  for (size_t i = 0; i + 1 < table->rows; i++) {
    double a = px[i], b = px[i + 1];
    if ((x - a) * (x - b) > 0 || a == b) continue;
    double y = py[i] + (py[i + 1] - py[i]) * (x - a) / (b - a);
    if (!(best >= y)) best = y;
  }
  return best;
}

static void read_fan(const fw_sink *sink, const fw_fan *fan, double *results, char *units) {
  const fw_data_table *table = fw_sink_find(sink, fan->analysis, fan->table);
  int cx = table ? fw_data_table_column(table, fan->x) : -1, cy = table ? fw_data_table_column(table, fan->y) : -1;
  for (int p = 0; p < fan->points; p++)
    results[fan->column + p] =
        cx >= 0 && cy >= 0 && !table->stream ? highest_at(table, cx, cy, fw_fan_x(fan, p)) : fw_unknown();
  add_unit(units, cx >= 0 ? table->column_units[cx] : "");
  add_unit(units, cy >= 0 ? table->column_units[cy] : "");
}

static fw_status read_run(void *user, fw_context *ctx, const fw_record *summary, const fw_sink *sink) {
  (void)ctx;
  const reading *r = user;
  for (int i = 0; i < r->study->figure_count; i++) {
    const char *unit;
    r->results[i] = read_figure(summary, &r->study->figures[i], &unit);
    add_unit(r->units, unit);
  }
  if (r->study->local && r->index == 0) read_derivatives(r->study, summary, r->results + r->study->derivatives);
  for (int i = 0; i < r->study->fan_count; i++) read_fan(sink, &r->study->fans[i], r->results, r->units);
  return FW_OK;
}

/* ---- expressions ------------------------------------------------------------------------- */

static fw_status set_parameter(fw_context *ctx, const fw_study *study, fw_deck *deck, int k, double value) {
  char text[40];
  snprintf(text, sizeof text, "%.17g", value);
  return fw_deck_set(ctx, deck, study->factors[k].name, text);
}

/* Earlier figures whose names cannot stand in expressions are left out; an expression that needs one fails. */
static fw_status evaluate_all(fw_context *ctx, const fw_study *study, fw_scope *scope, double *results) {
  char why[FW_REASON];
  for (int i = 0; i < study->figure_count; i++) {
    const fw_figure *figure = &study->figures[i];
    if (figure->expression && !fw_scope_evaluate(scope, figure->expression, &results[i], why, sizeof why) &&
        isfinite(results[i]))
      return fw_fail(ctx, FW_ERR_DECK, "result %s: %s", figure->name, why);
    if (!isfinite(results[i])) results[i] = fw_unknown(); /* the logarithm of a negative figure */
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

/* Derivative of the expressions by parameter k, along which the other figures move as their derivatives say:
 * central difference over a ten-thousandth of the parameter. */
static fw_status differentiate_expressions(fw_context *ctx, const fw_study *study, fw_deck *deck, int k,
                                           double *results) {
  double *derivatives = results + study->derivatives, *moved;
  const double value = study->values[k], step = 1e-4 * (value != 0 ? fabs(value) : 1);
  size_t count = (size_t)study->figure_count;
  fw_status status = FW_OK;
  FW_TRY(fw_alloc(ctx, 2 * count, sizeof *moved, &moved));
  for (int side = 0; side < 2 && status == FW_OK; side++) {
    double by = side ? step : -step, *figures = moved + (size_t)side * count;
    for (int i = 0; i < study->figure_count; i++)
      figures[i] = results[i] + by * derivatives[i * study->factor_count + k];
    status = set_parameter(ctx, study, deck, k, value + by);
    if (status == FW_OK) status = evaluate_expressions(ctx, study, deck, figures);
  }
  if (status == FW_OK) status = set_parameter(ctx, study, deck, k, value);
  for (size_t i = 0; i < count && status == FW_OK; i++)
    if (study->figures[i].expression)
      derivatives[i * (size_t)study->factor_count + (size_t)k] = (moved[count + i] - moved[i]) / (2 * step);
  free(moved);
  return status;
}

/* ---- all of it --------------------------------------------------------------------------- */

fw_status fw_sample_compute(fw_context *ctx, const fw_study *study, fw_deck *deck, fw_run_fn run, long index,
                            double *results, char units[FW_REASON]) {
  units[0] = '\0';
  for (int c = 0; c < study->columns; c++) results[c] = fw_unknown();
  for (int k = 0; k < study->factor_count; k++)
    FW_TRY(set_parameter(ctx, study, deck, k, study->values[index * study->factor_count + k]));
  reading r = {study, index, results, units};
  if (study->run) FW_TRY(run(ctx, deck, study->run, read_run, &r));
  FW_TRY(evaluate_expressions(ctx, study, deck, results));
  for (int k = 0; study->local && index == 0 && k < study->factor_count; k++)
    if (study->local->known[k]) FW_TRY(differentiate_expressions(ctx, study, deck, k, results));
  return FW_OK;
}
