/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "output/plot.h"
#include "study/results.h"

enum { MOST_SHOWN = 12, MOST_PANELS = 6, MOST_MARKS = 600, LABEL = 160 };

/* All that the plots of one result share. */
typedef struct sketch {
  fw_context *ctx;
  const fw_study *study;
  const fw_samples *samples;
  const char *folder;
  int column;
  const fw_effect *effects;
  const int *order;  /* strongest first */
  char label[LABEL]; /* of the result, with its unit */
} sketch;

static void label_of(const char *name, const char *unit, char *label) {
  snprintf(label, LABEL, unit[0] ? "%s [%s]" : "%s", name, unit);
}

static fw_status draw(const sketch *s, const char *kind, const char *name, const fw_panel *panels, int count) {
  return fw_plot_into(s->ctx, panels, count, s->folder, "%s-%s", kind, name);
}

static bool is_logarithmic(const fw_varied *factor) {
  return factor->distribution.kind == FW_LOG_UNIFORM || factor->distribution.kind == FW_LOG_NORMAL;
}

static int shown(const sketch *s) { return s->study->factor_count < MOST_SHOWN ? s->study->factor_count : MOST_SHOWN; }

/* ---- tornado: a bar from the result at the low end to that at the high end of each parameter -------------- */

/* What the bars are to be compared with: the deck's own result where the first sample is the deck, else the mean. */
static fw_status find_middle(const sketch *s, double *middle, const char **name) {
  fw_effect_kind kind = s->study->sampling->effects;
  fw_spread spread;
  FW_TRY(fw_spread_of(s->ctx, s->samples, s->column, &spread));
  bool deck = kind == FW_EFFECT_SWING || kind == FW_EFFECT_LOCAL;
  *middle = deck ? s->samples->results[s->column] : spread.mean;
  *name = deck ? "deck" : "mean";
  return FW_OK;
}

static fw_status draw_tornado(const sketch *s) {
  double x[MOST_SHOWN][5], y[MOST_SHOWN][5], middle;
  char labels[MOST_SHOWN][LABEL];
  const char *names[MOST_SHOWN], *middle_name;
  fw_plot_curve curves[MOST_SHOWN + 1];
  int n = shown(s);
  FW_TRY(find_middle(s, &middle, &middle_name));
  for (int i = 0; i < n; i++) {
    const fw_effect *e = &s->effects[s->order[i]];
    double bar_x[] = {e->low, e->high, e->high, e->low, e->low};
    double bar_y[] = {-0.3, -0.3, 0.3, 0.3, -0.3};
    memcpy(x[i], bar_x, sizeof bar_x);
    for (int k = 0; k < 5; k++) y[i][k] = n - i + bar_y[k];
    snprintf(labels[i], LABEL, "%.100s (%s)", s->study->factors[s->order[i]].name, e->high >= e->low ? "+" : "-");
    names[n - 1 - i] = labels[i]; /* from below */
    curves[i] = (fw_plot_curve){.count = 5, .x = x[i], .y = y[i], .tint = 3};
  }
  const double middle_x[] = {middle, middle}, middle_y[] = {0.5, n + 0.5};
  curves[n] = (fw_plot_curve){.label = middle_name, .count = 2, .x = middle_x, .y = middle_y};
  fw_panel panel = {.title = "From low to high values of each parameter; + the result grows, - it falls",
                    .x_label = s->label,
                    .y_names = names,
                    .name_count = n,
                    .curves = curves,
                    .curve_count = n + 1};
  return draw(s, "tornado", s->study->figures[s->column].name, &panel, 1);
}

/* ---- scatter: the result over each of the strongest parameters --------------------------- */

/* Whether a panel shows a sample: where one parameter moves at a time, only those in which its own does. */
static bool is_shown(const sketch *s, int factor, long i) {
  if (s->study->sampling->effects != FW_EFFECT_SWING || i == 0) return true;
  int steps = fw_args_integer(s->study->sampling_args, "steps");
  return (i - 1) / steps == factor;
}

static fw_status draw_scatter(const sketch *s) {
  int n = s->study->factor_count < MOST_PANELS ? s->study->factor_count : MOST_PANELS, d = s->study->factor_count;
  size_t count = (size_t)(s->samples->count < MOST_MARKS ? s->samples->count : MOST_MARKS);
  double *values;
  char labels[MOST_PANELS][LABEL], title[LABEL];
  fw_panel panels[MOST_PANELS];
  fw_plot_curve curves[MOST_PANELS];
  FW_TRY(fw_alloc(s->ctx, 2 * count * (size_t)n, sizeof *values, &values));
  for (int p = 0; p < n; p++) {
    double *x = values + 2 * count * (size_t)p, *y = x + count;
    const fw_varied *factor = &s->study->factors[s->order[p]];
    size_t marks = 0;
    for (long i = 0; i < (long)count; i++) {
      if (!is_shown(s, s->order[p], i)) continue;
      x[marks] = s->study->values[i * d + s->order[p]];
      y[marks++] = s->samples->results[i * s->samples->columns + s->column];
    }
    label_of(factor->name, factor->unit, labels[p]);
    curves[p] = (fw_plot_curve){.count = marks, .x = x, .y = y, .markers = true};
    panels[p] = (fw_panel){.x_label = labels[p],
                           .y_label = s->label,
                           .x_log = is_logarithmic(factor),
                           .curves = &curves[p],
                           .curve_count = 1};
  }
  snprintf(title, sizeof title, "%.60s of each sample", s->study->figures[s->column].name);
  panels[0].title = title;
  fw_status status = draw(s, "scatter", s->study->figures[s->column].name, panels, n);
  free(values);
  return status;
}

/* ---- interaction: mean result over the strongest parameter where the second is low, middle, high ---------- */

enum { BINS = 6, PARTS = 3 };

/* Mean of parameter and result where the strongest parameter is in a bin and the second in a part of its range. */
typedef struct means {
  double x[PARTS][BINS], y[PARTS][BINS];
  size_t count[PARTS]; /* of the bins that have samples */
} means;

static void find_means(const sketch *s, means *m) {
  int n[PARTS][BINS] = {{0}}, d = s->study->factor_count;
  *m = (means){0};
  for (long i = 0; i < s->samples->count; i++) {
    double result = s->samples->results[i * s->samples->columns + s->column];
    if (!isfinite(result)) continue;
    int bin = (int)fmin(BINS - 1, BINS * s->study->u[i * d + s->order[0]]);
    int part = (int)fmin(PARTS - 1, PARTS * s->study->u[i * d + s->order[1]]);
    m->x[part][bin] += s->study->values[i * d + s->order[0]];
    m->y[part][bin] += result;
    n[part][bin]++;
  }
  for (int p = 0; p < PARTS; p++)
    for (int k = 0; k < BINS; k++) {
      if (!n[p][k]) continue;
      m->x[p][m->count[p]] = m->x[p][k] / n[p][k];
      m->y[p][m->count[p]++] = m->y[p][k] / n[p][k];
    }
}

static fw_status draw_interaction(const sketch *s) {
  means m;
  if (s->study->factor_count < 2) return FW_OK;
  const fw_varied *a = &s->study->factors[s->order[0]], *b = &s->study->factors[s->order[1]];
  find_means(s, &m);
  static const char *const words[PARTS] = {"low", "middle", "high"};
  char labels[PARTS][LABEL], x_label[LABEL];
  fw_plot_curve curves[PARTS];
  for (int p = 0; p < PARTS; p++) {
    snprintf(labels[p], LABEL, "%s %s", b->name, words[p]);
    curves[p] = (fw_plot_curve){.label = labels[p], .count = m.count[p], .x = m.x[p], .y = m.y[p]};
  }
  label_of(a->name, a->unit, x_label);
  fw_panel panel = {.title = "Parallel lines: the two strongest parameters do not interact",
                    .x_label = x_label,
                    .y_label = s->label,
                    .x_log = is_logarithmic(a),
                    .curves = curves,
                    .curve_count = PARTS};
  return draw(s, "interaction", s->study->figures[s->column].name, &panel, 1);
}

/* ---- what the sampling gives besides ----------------------------------------------------- */

static fw_status draw_morris(const sketch *s) {
  fw_plot_curve curves[MOST_SHOWN + 1];
  int n = shown(s);
  double most = 0;
  for (int i = 0; i < n; i++) {
    const fw_effect *e = &s->effects[s->order[i]];
    if (isfinite(e->mu_star)) most = fmax(most, fmax(e->mu_star, e->sigma));
    curves[i] = (fw_plot_curve){
        .label = s->study->factors[s->order[i]].name, .count = 1, .x = &e->mu_star, .y = &e->sigma, .markers = true};
  }
  const double diagonal[] = {0, most};
  curves[n] = (fw_plot_curve){.label = "sigma = mu*", .count = 2, .x = diagonal, .y = diagonal, .faint = true};
  fw_panel panel = {.title = s->label,
                    .x_label = "mu*: how strong",
                    .y_label = "sigma: how nonlinear or interacting",
                    .curves = curves,
                    .curve_count = n + 1};
  return draw(s, "morris", s->study->figures[s->column].name, &panel, 1);
}

/* First-order index above, total index below beside the name of each parameter, each with its confidence interval. */
static fw_status draw_indices(const sketch *s) {
  double mark_x[2][MOST_SHOWN], mark_y[2][MOST_SHOWN], x[6 * MOST_SHOWN], y[6 * MOST_SHOWN];
  const char *names[MOST_SHOWN];
  int n = shown(s);
  for (int i = 0; i < n; i++) {
    const fw_effect *e = &s->effects[s->order[i]];
    double above = n - i + 0.1, below = n - i - 0.1;
    double line_x[] = {e->first_low, e->first_high, NAN, e->total_low, e->total_high, NAN};
    double line_y[] = {above, above, NAN, below, below, NAN};
    memcpy(x + (size_t)i * 6, line_x, sizeof line_x);
    memcpy(y + (size_t)i * 6, line_y, sizeof line_y);
    mark_x[0][i] = e->first;
    mark_x[1][i] = e->total;
    mark_y[0][i] = above;
    mark_y[1][i] = below;
    names[n - 1 - i] = s->study->factors[s->order[i]].name; /* from below */
  }
  size_t count = (size_t)n;
  const fw_plot_curve curves[] = {
      {.label = "first order", .count = count, .x = mark_x[0], .y = mark_y[0], .markers = true},
      {.label = "total", .count = count, .x = mark_x[1], .y = mark_y[1], .markers = true},
      {.label = "95 % confidence", .count = 6 * count, .x = x, .y = y, .faint = true}};
  char share[LABEL];
  snprintf(share, sizeof share, "share of the variance of %.100s", s->study->figures[s->column].name);
  fw_panel panel = {.x_label = share, .y_names = names, .name_count = n, .curves = curves, .curve_count = 3};
  return draw(s, "indices", s->study->figures[s->column].name, &panel, 1);
}

static fw_status draw_figure(fw_context *ctx, const fw_study *study, const fw_samples *samples, const fw_effects *all,
                             const char *folder, int column) {
  size_t first = (size_t)study->factor_count * (size_t)column;
  sketch s = {.ctx = ctx,
              .study = study,
              .samples = samples,
              .folder = folder,
              .column = column,
              .effects = all->effects + first,
              .order = all->order + first};
  char unit[FW_UNIT];
  label_of(study->figures[column].name, fw_sample_unit(samples->units, column, unit), s.label);
  if (!study->sampling->extend) FW_TRY(draw_tornado(&s)); /* samples of a search crowd where it ends */
  if (study->sampling->effects == FW_EFFECT_LOCAL) return FW_OK;
  FW_TRY(draw_scatter(&s));
  if (study->sampling->effects != FW_EFFECT_SWING) FW_TRY(draw_interaction(&s));
  if (study->sampling->effects == FW_EFFECT_MORRIS) FW_TRY(draw_morris(&s));
  if (study->sampling->effects == FW_EFFECT_SOBOL) FW_TRY(draw_indices(&s));
  return FW_OK;
}

/* ---- fans -------------------------------------------------------------------------------- */

/* A band between two percentiles as one outline: along the lower, back along the upper, where both are known. */
static void outline(const double *room, size_t points, int low, int high, double *x, double *y, fw_plot_curve *curve) {
  const double *lower = room + points * (size_t)(1 + low), *upper = room + points * (size_t)(1 + high);
  size_t n = 0;
  for (size_t p = 0; p < points; p++) {
    x[n] = room[p];
    y[n++] = lower[p];
  }
  for (size_t p = points; p-- > 0;) {
    x[n] = room[p];
    y[n++] = upper[p];
  }
  curve->x = x;
  curve->y = y;
  curve->count = n;
}

static fw_status draw_fan(fw_context *ctx, const fw_study *study, const fw_samples *samples, const char *folder,
                          const fw_fan *fan) {
  enum { AREAS = FW_FAN_BANDS / 2 };
  static const char *const names[AREAS] = {"min to max", "5 to 95 %", "25 to 75 %"};
  size_t points = (size_t)fan->points;
  double *room, bands[FW_FAN_BANDS];
  fw_plot_curve curves[AREAS + 1];
  fw_status status = FW_OK;
  FW_TRY(fw_alloc(ctx, points * (1 + FW_FAN_BANDS + 4 * AREAS), sizeof *room, &room));
  for (int p = 0; p < fan->points && status == FW_OK; p++) {
    status = fw_fan_bands(ctx, samples, fan, p, bands);
    room[p] = fw_fan_x(fan, p);
    for (int b = 0; b < FW_FAN_BANDS; b++) room[points * (size_t)(1 + b) + (size_t)p] = bands[b];
  }
  for (int a = 0; a < AREAS; a++) {
    double *area = room + points * (size_t)(1 + FW_FAN_BANDS + 4 * a);
    curves[a] = (fw_plot_curve){.label = names[a], .tint = a + 1};
    outline(room, points, a, FW_FAN_BANDS - 1 - a, area, area + 2 * points, &curves[a]);
  }
  curves[AREAS] =
      (fw_plot_curve){.label = "median", .count = points, .x = room, .y = room + points * (size_t)(1 + AREAS)};
  char x_label[LABEL], y_label[LABEL], unit[FW_UNIT];
  int first = study->figure_count + 2 * (int)(fan - study->fans); /* of its units */
  label_of(fan->x, fw_sample_unit(samples->units, first, unit), x_label);
  label_of(fan->y, fw_sample_unit(samples->units, first + 1, unit), y_label);
  fw_panel panel = {
      .title = fan->name, .x_label = x_label, .y_label = y_label, .curves = curves, .curve_count = AREAS + 1};
  sketch s = {.ctx = ctx, .study = study, .samples = samples, .folder = folder};
  if (status == FW_OK) status = draw(&s, "fan", fan->name, &panel, 1);
  free(room);
  return status;
}

fw_status fw_study_plots(fw_context *ctx, const fw_study *study, const fw_samples *samples, const fw_effects *effects,
                         const char *folder) {
  for (int i = 0; i < study->figure_count; i++) FW_TRY(draw_figure(ctx, study, samples, effects, folder, i));
  for (int i = 0; i < study->fan_count; i++) FW_TRY(draw_fan(ctx, study, samples, folder, &study->fans[i]));
  return FW_OK;
}
