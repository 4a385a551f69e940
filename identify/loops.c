/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "identify/loops.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "identify/channels.h"

void fw_loops_clear(fw_loops *loops) {
  for (int i = 0; i < loops->count; i++) free(loops->list[i].t);
  free(loops->list);
  *loops = (fw_loops){0};
}

/* ---- reading ----------------------------------------------------------------------------- */

enum { COLUMNS = 5 };
static const fw_column columns[COLUMNS] = {{"t", "s"}, {"u", "m"}, {"v", "m/s"}, {"N", "N"}, {"T", "N"}};

/* The last cycle begins where the slip last passed its middle upwards, one full turn before the end. */
static size_t last_cycle(const fw_loop_data *l) {
  double low = INFINITY, high = -INFINITY;
  for (size_t i = 0; i < l->count; i++) {
    low = fmin(low, l->u[i]);
    high = fmax(high, l->u[i]);
  }
  size_t upwards[2] = {0, 0}; /* the last two passages */
  int found = 0;
  for (size_t i = 1; i < l->count; i++)
    if (l->u[i - 1] < 0.5 * (low + high) && l->u[i] >= 0.5 * (low + high)) {
      upwards[0] = upwards[1];
      upwards[1] = i;
      found++;
    }
  if (found < 2) return 0;
  size_t turn = upwards[1] - upwards[0];
  return turn + 1 < l->count ? l->count - 1 - turn : 0;
}

static fw_status take(fw_context *ctx, const fw_item *data, const fw_data_table *table, fw_loop_data *l) {
  double **into[COLUMNS] = {&l->t, &l->u, &l->v, &l->N, &l->T}, *block, most = 0.0;
  l->id = fw_args_text(&data->args, "id");
  l->count = table->rows;
  FW_TRY(fw_alloc(ctx, COLUMNS * table->rows, sizeof *block, &block));
  for (int c = 0; c < COLUMNS; c++) {
    *into[c] = block + (size_t)c * table->rows;
    memcpy(*into[c], table->values[fw_data_table_column(table, columns[c].name)], table->rows * sizeof *block);
  }
  for (size_t i = 0; i < l->count; i++) most = fmax(most, fabs(l->T[i]));
  l->assumed = !fw_args_given(&data->args, "deviation");
  l->deviation = l->assumed ? 0.01 * most : fw_args_number(&data->args, "deviation");
  l->cycle = last_cycle(l);
  return FW_OK;
}

/* A column that may not stay the same in records of loops, and in steady ones only if it is v or T. */
static fw_status check_column(fw_context *ctx, const fw_item *data, const fw_data_table *table, bool steady, int k,
                              int column) {
  bool may = strcmp(columns[k].name, "N") == 0 || (steady && (columns[k].name[0] == 'v' || columns[k].name[0] == 'T'));
  return may ? fw_channels_check_gaps(ctx, data, table, column) : fw_channels_check(ctx, data, table, column);
}

static fw_status check_loop(fw_context *ctx, const fw_item *data, bool steady, fw_data_table *table) {
  for (int c = 0; c < COLUMNS; c++) {
    int column = fw_data_table_column(table, columns[c].name);
    if (column < 0) return fw_channels_fail(ctx, data, "there is no column '%s'", columns[c].name);
    FW_TRY(fw_channels_to_si(ctx, data, table, column, columns[c].unit));
    FW_TRY(check_column(ctx, data, table, steady, c, column));
  }
  int normal = fw_data_table_column(table, "N");
  for (size_t r = 0; r < table->rows; r++)
    if (!(table->values[normal][r] >= 0.0 && isfinite(table->values[normal][r])))
      return fw_channels_fail(ctx, data, "column 'N' is %g in row %zu: a normal force is not below 0",
                              table->values[normal][r], r + 1);
  return fw_channels_check_clock(ctx, data, table, fw_data_table_column(table, "t"));
}

static fw_status read_loop(const fw_identify_job *job, const fw_item *data, bool steady, fw_loop_data *l) {
  fw_sink *sink;
  fw_data_table *table;
  if (strcmp(data->name, "loop") != 0)
    return fw_fail_at(job->ctx, FW_ERR_DECK, job->common->place, "attribute 'data': '%s' is <%s>, not <loop>",
                      fw_args_text(&data->args, "id"), data->name);
  FW_TRY(fw_sink_create(job->ctx, &sink));
  fw_status status = fw_channels_read(job->ctx, data, sink, &table);
  if (status == FW_OK) status = check_loop(job->ctx, data, steady, table);
  if (status == FW_OK) status = take(job->ctx, data, table, l);
  fw_sink_destroy(&sink);
  return status;
}

fw_status fw_loops_read(const fw_identify_job *job, bool steady, fw_loops *loops) {
  const fw_item *found[64];
  int count;
  *loops = (fw_loops){0};
  FW_TRY(fw_identify_data_list(job, found, 64, &count));
  if (count == 0)
    return fw_fail_at(job->ctx, FW_ERR_DECK, job->common->place, "attribute 'data': one <loop> at least is needed");
  FW_TRY(fw_alloc(job->ctx, (size_t)count, sizeof *loops->list, &loops->list));
  fw_status status = FW_OK;
  for (int i = 0; i < count && status == FW_OK; i++) {
    status = read_loop(job, found[i], steady, &loops->list[i]);
    loops->count = i + 1;
  }
  if (status != FW_OK) fw_loops_clear(loops);
  return status;
}

/* ---- following --------------------------------------------------------------------------- */

/* Slip and velocity between two rows: the cubic through both ends with their velocities. */
static void between(const fw_loop_data *l, size_t i, double s, double *u, double *v) {
  double h = l->t[i + 1] - l->t[i], rise = l->u[i + 1] - l->u[i], a = h * l->v[i], b = h * l->v[i + 1];
  double c2 = 3.0 * rise - 2.0 * a - b, c3 = a + b - 2.0 * rise;
  *u = l->u[i] + s * (a + s * (c2 + s * c3));
  *v = (a + s * (2.0 * c2 + 3.0 * s * c3)) / h;
}

/* One pass; z is the state, z_next room for one. T[0] is left as it is. */
static void pass(const fw_friction *law, const fw_loop_data *l, int parts, double *z, double *z_next, double *T) {
  for (size_t i = 0; i + 1 < l->count; i++) {
    double h = (l->t[i + 1] - l->t[i]) / parts, u0 = l->u[i], v0 = l->v[i], N0 = l->N[i];
    for (int k = 1; k <= parts; k++) {
      double s = (double)k / parts, u1 = l->u[i + 1], v1 = l->v[i + 1], N1 = N0;
      if (k < parts) between(l, i, s, &u1, &v1);
      N1 = l->N[i] + s * (l->N[i + 1] - l->N[i]);
      fw_step_in in = {.x = {u1 - u0, v0, v1, N0, N1}, .dt = h};
      fw_step_out out = {.z = z_next};
      fw_friction_step(law, &in, z, &out);
      memcpy(z, z_next, (size_t)law->states * sizeof *z);
      T[i + 1] = out.T;
      u0 = u1;
      v0 = v1;
      N0 = N1;
    }
  }
}

fw_status fw_loop_follow(fw_context *ctx, const fw_friction *law, const fw_loop_data *loop, fw_loop_begin begin,
                         int parts, double *T) {
  double *z;
  FW_TRY(fw_alloc(ctx, 2 * (size_t)law->states + 1, sizeof *z, &z));
  fw_friction_reset(law, z);
  T[0] = 0.0;
  for (int round = begin == FW_LOOP_SETTLED ? 0 : 1; round < 2; round++) {
    if (begin == FW_LOOP_SETTLED && round == 1) T[0] = T[loop->count - 1];
    pass(law, loop, parts, z, z + law->states, T);
  }
  free(z);
  for (size_t i = 0; i < loop->count; i++)
    if (!isfinite(T[i])) return FW_RECOVER_NAN;
  return FW_OK;
}

/* ---- comparing --------------------------------------------------------------------------- */

fw_loop_shape fw_loop_shape_of(const fw_loop_data *l, const double *T) {
  fw_loop_shape s = {T[l->cycle], T[l->cycle], 0.0};
  for (size_t i = l->cycle; i < l->count; i++) {
    s.most = fmax(s.most, T[i]);
    s.least = fmin(s.least, T[i]);
    if (i > l->cycle) s.energy += 0.5 * (T[i] + T[i - 1]) * (l->u[i] - l->u[i - 1]);
  }
  return s;
}

int fw_loop_residual_count(const fw_loops *loops, fw_loop_objective objective) {
  int count = 0;
  for (int i = 0; i < loops->count; i++)
    count += objective == FW_LOOP_BY_LOOP ? (int)loops->list[i].count - 1 : objective == FW_LOOP_BY_EXTREMES ? 2 : 1;
  return count;
}

/* Slip covered in the last cycle: what a deviation of T makes of its energy. */
static double way(const fw_loop_data *l) {
  double sum = 0.0;
  for (size_t i = l->cycle + 1; i < l->count; i++) sum += fabs(l->u[i] - l->u[i - 1]);
  return sum;
}

int fw_loop_residuals(const fw_loop_data *l, fw_loop_objective objective, const double *T, double *r) {
  fw_loop_shape is = fw_loop_shape_of(l, T), was = fw_loop_shape_of(l, l->T);
  switch (objective) {
    case FW_LOOP_BY_RANGE:
      r[0] = 0.5 * ((is.most - is.least) - (was.most - was.least)) / l->deviation;
      return 1;
    case FW_LOOP_BY_EXTREMES:
      r[0] = (is.most - was.most) / l->deviation;
      r[1] = (is.least - was.least) / l->deviation;
      return 2;
    case FW_LOOP_BY_ENERGY:
      r[0] = (is.energy - was.energy) / (l->deviation * way(l));
      return 1;
    default:
      for (size_t i = 1; i < l->count; i++) r[i - 1] = (T[i] - l->T[i]) / l->deviation;
      return (int)l->count - 1;
  }
}
