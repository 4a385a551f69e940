/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Whole responses and bandwidths: the curves of an <frf> beside what was measured. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/unknown.h"
#include "identify/frf_fit.h"

static const char *curves_id(const fw_frf_fit *f) { return fw_args_text(&f->curves->args, "id"); }

static bool is_phase(const fw_target *t) { return strcmp(t->unit, "deg") == 0; }

static bool is_level(double a, double b) { return fabs(a - b) <= 1e-9 * fabs(b); }

/* ---- computed ---------------------------------------------------------------------------- */

/* Between two rows; phases by the shorter way around. */
static double between(const fw_target *t, double a, double b, double part) {
  return a + part * (is_phase(t) ? remainder(b - a, 360.0) : b - a);
}

/* computed - measured */
static double difference_of(const fw_target *t, double computed) {
  return is_phase(t) ? remainder(computed - t->value, 360.0) : computed - t->value;
}

/* The ends count too, which the data may have to fewer digits. */
static bool passes(double from, double to, double frequency) {
  double near = 1e-9 * frequency, a = from - frequency, b = to - frequency;
  return from != to && (a * b <= 0.0 || fabs(a) < near || fabs(b) < near);
}

/* Where a curve with folds passes the frequency several times, the passage nearest to what was measured counts: `best`
 * is that of the tables before. */
static double nearest_passage(const fw_target *t, const fw_data_table *table, double best) {
  int column = fw_data_table_column(table, t->column);
  const double *x = table->values[0];
  for (size_t r = 1; column >= 0 && r < table->rows; r++) {
    const double *y = table->values[column];
    if (!passes(x[r - 1], x[r], t->frequency)) continue;
    double off = difference_of(t, between(t, y[r - 1], y[r], (t->frequency - x[r - 1]) / (x[r] - x[r - 1])));
    if (!(fabs(off) >= fabs(best - t->value))) best = t->value + off;
  }
  return best;
}

/* A table of a level: "frf-6.5", or "frf-6.5-up" and "frf-6.5-down". */
static bool is_curve(const fw_frf_fit *f, const fw_data_table *table, double level) {
  return strcmp(table->analysis, curves_id(f)) == 0 && strncmp(table->name, "frf-", 4) == 0 &&
         is_level(strtod(table->name + 4, NULL), level);
}

static double response_at(const fw_frf_fit *f, const fw_sink *sink, const fw_target *t) {
  double best = NAN;
  for (int i = 0; i < sink->table_count; i++)
    if (is_curve(f, sink->tables[i], t->level)) best = nearest_passage(t, sink->tables[i], best);
  return best;
}

/* Largest amplitude near row m, by the parabola through it and its neighbours. */
static double top_at(const double *x, const double *y, size_t m) {
  double a = (y[m] - y[m - 1]) / (x[m] - x[m - 1]), b = (y[m + 1] - y[m]) / (x[m + 1] - x[m]);
  double bend = (b - a) / (x[m + 1] - x[m - 1]), slope = a + bend * (x[m] - x[m - 1]);
  return bend < 0.0 ? fmin(y[m] - slope * slope / (4.0 * bend), 1.05 * y[m]) : y[m];
}

/* Where the amplitude falls to `half` walking along the rows from row m; NaN if it does not. */
static double falls_at(const fw_data_table *table, const double *y, size_t m, int step, double half) {
  const double *x = table->values[0];
  for (size_t r = m; step > 0 ? r + 1 < table->rows : r > 0; r += (size_t)step) {
    size_t next = r + (size_t)step;
    if (y[next] <= half) return x[r] + (y[r] - half) / (y[r] - y[next]) * (x[next] - x[r]);
  }
  return NAN;
}

/* Between half-power points, of the curve itself: continuous in the parameters, which its solved peak need not be. */
static double width_of(const fw_frf_fit *f, const fw_data_table *table) {
  char name[FW_TARGET_NAME];
  snprintf(name, sizeof name, "%.70s.amplitude", fw_args_text(&f->curves->entry_args, "response"));
  int column = fw_data_table_column(table, name);
  size_t m = 0;
  if (column < 0) return NAN;
  const double *y = table->values[column];
  for (size_t r = 1; r < table->rows; r++) m = y[r] > y[m] ? r : m;
  if (m == 0 || m + 1 >= table->rows) return NAN;
  double half = top_at(table->values[0], y, m) / sqrt(2.0);
  return fabs(falls_at(table, y, m, 1, half) - falls_at(table, y, m, -1, half));
}

static double bandwidth_at(const fw_frf_fit *f, const fw_sink *sink, double level) {
  for (int i = 0; i < sink->table_count; i++)
    if (is_curve(f, sink->tables[i], level)) return width_of(f, sink->tables[i]);
  return NAN;
}

static fw_status read_responses(void *user, fw_context *ctx, const fw_record *summary, const fw_sink *sink) {
  fw_frf_fit *f = user;
  (void)ctx, (void)summary;
  for (int i = 0; i < f->targets.count; i++) {
    const fw_target *t = &f->targets.list[i];
    if (t->kind == FW_TARGET_RESPONSE) f->computed[i] = response_at(f, sink, t);
    if (t->kind == FW_TARGET_BANDWIDTH) f->computed[i] = bandwidth_at(f, sink, t->level);
  }
  return FW_OK;
}

fw_status fw_frf_compute_responses(fw_frf_fit *f, const double *p) {
  return fw_varied_deck_run(&f->varied, p, curves_id(f), read_responses, f);
}

/* ---- told -------------------------------------------------------------------------------- */

int fw_frf_response_count(const fw_frf_fit *f, int target) {
  const fw_target *first = &f->targets.list[target];
  int count = 1;
  while (target + count < f->targets.count && first->kind == FW_TARGET_RESPONSE) {
    const fw_target *t = &first[count];
    if (t->kind != first->kind || t->level != first->level || strcmp(t->column, first->column) != 0) break;
    count++;
  }
  return count;
}

double fw_frf_response_percent(const fw_frf_fit *f, double level) {
  double sum = 0.0, norm = 0.0;
  for (int i = 0; i < f->targets.count; i++) {
    const fw_target *t = &f->targets.list[i];
    if (t->kind != FW_TARGET_RESPONSE || is_phase(t) || t->level != level || !isfinite(f->computed[i])) continue;
    sum += pow(f->computed[i] - t->value, 2);
    norm += t->value * t->value;
  }
  return norm > 0.0 ? 100.0 * sqrt(sum / norm) : NAN;
}

static fw_status write_response(fw_frf_fit *f, int first, int count) {
  const fw_target *t = &f->targets.list[first];
  const fw_column columns[] = {{"frequency", "Hz"}, {"measured", t->unit}, {"computed", t->unit}};
  char name[FW_TARGET_NAME + 40];
  fw_data_table *table;
  snprintf(name, sizeof name, "response-%g-%s", t->level, t->column);
  FW_TRY(fw_sink_table(f->job->sink, f->job->ctx, f->job->id, name, columns, 3, false, &table));
  for (int i = 0; i < count; i++) {
    double computed = f->computed[first + i];
    const double row[] = {t[i].frequency, t[i].value, isfinite(computed) ? computed : fw_unknown()};
    FW_TRY(fw_sink_row(f->job->sink, f->job->ctx, table, row));
  }
  return FW_OK;
}

/* One response as entry `row`: root mean squares of differences, in per cent of that of the data or in degrees. */
static fw_status tell_response(fw_frf_fit *f, int first, int count, int row) {
  const fw_target *t = &f->targets.list[first];
  fw_record *to = f->job->summary;
  double sum = 0.0, norm = 0.0;
  int missed = 0;
  for (int i = 0; i < count; i++) {
    missed += !isfinite(f->computed[first + i]);
    if (isfinite(f->computed[first + i])) sum += pow(difference_of(&t[i], f->computed[first + i]), 2);
    norm += t[i].value * t[i].value;
  }
  FW_TRY(fw_record_set_number(to, t->level, "responses[%d].level", row));
  FW_TRY(fw_record_set_text(to, t->column, "responses[%d].quantity", row));
  FW_TRY(fw_record_set_number(to, count, "responses[%d].points", row));
  FW_TRY(fw_record_set_text(to, t->assumed ? "assumed" : "given", "responses[%d].deviation_source", row));
  if (missed < count && is_phase(t))
    FW_TRY(fw_record_set_figure(to, sqrt(sum / (count - missed)), "deg", "responses[%d].rms", row));
  if (missed < count && !is_phase(t))
    FW_TRY(fw_record_set_number(to, 100.0 * sqrt(sum / norm), "responses[%d].difference_percent", row));
  if (missed == 0) return FW_OK;
  return fw_identify_warn(f->job, "%s at level %g: the computed curve does not pass %d of %d frequencies", t->column,
                          t->level, missed, count);
}

fw_status fw_frf_tell_responses(fw_frf_fit *f) {
  for (int i = 0, row = 0, count; i < f->targets.count; i += count) {
    count = fw_frf_response_count(f, i);
    if (f->targets.list[i].kind != FW_TARGET_RESPONSE) continue;
    FW_TRY(tell_response(f, i, count, row++));
    FW_TRY(write_response(f, i, count));
  }
  return FW_OK;
}
