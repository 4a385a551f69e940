/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "identify/spectrum.h"

#include <gsl/gsl_blas.h>
#include <gsl/gsl_linalg.h>
#include <gsl/gsl_min.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "identify/channels.h"
#include "identify/quiet.h"
#include "identify/signals.h"

/* ---- coefficients over a window ---------------------------------------------------------- */

typedef struct window {
  gsl_matrix *X;
  gsl_vector *tau, *c, *x, *left;
  size_t from, rows;
} window;

static void window_free(window *w) {
  if (w->X) gsl_matrix_free(w->X);
  if (w->tau) gsl_vector_free(w->tau);
  if (w->c) gsl_vector_free(w->c);
  if (w->x) gsl_vector_free(w->x);
  if (w->left) gsl_vector_free(w->left);
  *w = (window){0};
}

/* Columns 1, cos r w t, sin r w t, as QR. */
static fw_status window_open(fw_context *ctx, const double *t, size_t from, size_t rows, double omega, int orders,
                             window *w) {
  size_t columns = 2 * (size_t)orders + 1;
  *w = (window){.from = from, .rows = rows};
  w->X = gsl_matrix_alloc(rows, columns);
  w->tau = gsl_vector_alloc(columns);
  w->c = gsl_vector_alloc(columns);
  w->x = gsl_vector_alloc(rows);
  w->left = gsl_vector_alloc(rows);
  if (!w->X || !w->tau || !w->c || !w->x || !w->left) return fw_fail(ctx, FW_ERR_MEMORY, "out of memory");
  for (size_t i = 0; i < rows; i++) {
    gsl_matrix_set(w->X, i, 0, 1.0);
    for (int r = 1; r <= orders; r++) {
      gsl_matrix_set(w->X, i, 2 * (size_t)r - 1, cos(r * omega * t[from + i]));
      gsl_matrix_set(w->X, i, 2 * (size_t)r, sin(r * omega * t[from + i]));
    }
  }
  gsl_linalg_QR_decomp(w->X, w->tau);
  return FW_OK;
}

/* c[orders]: x = Re sum c_r exp(i r w t). */
static void window_fit(window *w, const double *x, int orders, double complex *c) {
  for (size_t i = 0; i < w->rows; i++) gsl_vector_set(w->x, i, x[w->from + i]);
  gsl_linalg_QR_lssolve(w->X, w->tau, w->x, w->c, w->left);
  for (int r = 1; r <= orders; r++)
    c[r - 1] = gsl_vector_get(w->c, 2 * (size_t)r - 1) - _Complex_I * gsl_vector_get(w->c, 2 * (size_t)r);
}

/* ---- frequency of the drive -------------------------------------------------------------- */

typedef struct wave {
  fw_context *ctx;
  const double *t, *x;
  size_t count;
  double mean, size; /* size: largest distance from the mean */
} wave;

static wave take_wave(fw_context *ctx, const double *t, const double *x, size_t count) {
  wave w = {ctx, t, x, count, 0.0, 0.0};
  for (size_t i = 0; i < count; i++) w.mean += x[i] / (double)count;
  for (size_t i = 0; i < count; i++) w.size = fmax(w.size, fabs(x[i] - w.mean));
  return w;
}

/* Periods and the time they take, from where the wave rises through its mean after it was well below. */
static double count_periods(const wave *w, double *seconds) {
  double first = NAN, last = NAN, periods = -1;
  bool below = false;
  for (size_t i = 0; i < w->count; i++) {
    double x = w->x[i] - w->mean;
    if (x < -0.3 * w->size) below = true;
    if (!below || x < 0.0) continue;
    below = false;
    last = w->t[i];
    if (periods < 0) first = last;
    periods++;
  }
  *seconds = last - first;
  return periods;
}

/* What a sine of that frequency leaves of the wave. */
static double sine_misfit(double frequency, void *user) {
  const wave *w = user;
  window all;
  double complex c;
  double left = w->size;
  if (window_open(w->ctx, w->t, 0, w->count, 2 * M_PI * frequency, 1, &all) == FW_OK) {
    window_fit(&all, w->x, 1, &c);
    left = gsl_blas_dnrm2(all.left);
  }
  window_free(&all);
  return left;
}

/* Brent's minimum near a first guess. */
static double refine(wave *w, double guess) {
  double span = w->t[w->count - 1] - w->t[0], low = guess - 0.5 / span, high = guess + 0.5 / span;
  gsl_function f = {sine_misfit, w};
  gsl_min_fminimizer *search = gsl_min_fminimizer_alloc(gsl_min_fminimizer_brent);
  if (!search) return guess;
  if (gsl_min_fminimizer_set(search, &f, guess, low, high) == GSL_SUCCESS)
    for (int i = 0; i < 60 && high - low > 1e-10 * guess; i++) {
      if (gsl_min_fminimizer_iterate(search) != GSL_SUCCESS) break;
      low = gsl_min_fminimizer_x_lower(search);
      high = gsl_min_fminimizer_x_upper(search);
      guess = gsl_min_fminimizer_x_minimum(search);
    }
  gsl_min_fminimizer_free(search);
  return guess;
}

static fw_status find_frequency(fw_context *ctx, const fw_item *data, wave *force, double *frequency) {
  double seconds, periods = count_periods(force, &seconds);
  if (periods < 3)
    return fw_channels_fail(ctx, data, "column 'force' does not swing: %g whole periods, 3 are needed", periods);
  *frequency = refine(force, periods / seconds);
  return FW_OK;
}

/* ---- all windows ------------------------------------------------------------------------- */

typedef struct spectrum {
  const fw_identify_job *job;
  const fw_item *data;
  const fw_data_table *table;
  int clock, force, windows;
  int *column;         /* [sensors] */
  double complex *all; /* [windows * orders * sensors] */
  fw_harmonics *h;
} spectrum;

static fw_status find_sensors(spectrum *s) {
  const fw_model *model = s->job->built->model;
  FW_TRY(fw_alloc(s->job->ctx, (size_t)s->table->columns, sizeof *s->column, &s->column));
  FW_TRY(fw_alloc(s->job->ctx, (size_t)s->table->columns, sizeof *s->h->sensor, &s->h->sensor));
  for (int c = 0; c < s->table->columns; c++) {
    int sensor = fw_model_sensor(model, s->table->column_names[c]);
    if (sensor < 0 || model->sensors[sensor].quantity != FW_ACCELERATION) continue;
    s->column[s->h->sensors] = c;
    s->h->sensor[s->h->sensors++] = sensor;
  }
  return s->h->sensors > 0 ? FW_OK
                           : fw_channels_fail(s->job->ctx, s->data, "there is no column of a sensor of acceleration");
}

static fw_status fit_window(spectrum *s, int k, window *w) {
  fw_harmonics *h = s->h;
  double complex c[128];
  window_fit(w, s->table->values[s->force], h->orders, c);
  h->level += cabs(c[0]) / s->windows;
  double angle = carg(c[0]);
  for (int j = 0; j < h->sensors; j++) {
    window_fit(w, s->table->values[s->column[j]], h->orders, c);
    for (int r = 1; r <= h->orders; r++)
      s->all[((ptrdiff_t)k * h->orders + r - 1) * h->sensors + j] = c[r - 1] * cexp(-_Complex_I * (r * angle));
  }
  return FW_OK;
}

/* Windows of whole periods, one after the other. */
static fw_status fit_windows(spectrum *s) {
  const double *t = s->table->values[s->clock];
  size_t rows = s->table->rows, from = 0;
  double f = s->h->frequency, periods = floor((t[rows - 1] - t[0]) * f / s->windows + 1e-6);
  double each = (double)rows / ((t[rows - 1] - t[0]) * f);
  if (periods < 1)
    return fw_channels_fail(s->job->ctx, s->data, "%g periods of %g Hz are too few for %d windows",
                            (t[rows - 1] - t[0]) * f, f, s->windows);
  if (each < 2 * s->h->orders + 1)
    return fw_channels_fail(s->job->ctx, s->data, "%.3g samples a period are too few for %d harmonics", each,
                            s->h->orders);
  for (int k = 0; k < s->windows; k++) {
    window w;
    size_t count = 0;
    double end = t[0] + (k + 1) * periods / f;
    while (from + count < rows && t[from + count] < end - 0.5 / (f * each)) count++;
    fw_status status = window_open(s->job->ctx, t, from, count, 2 * M_PI * f, s->h->orders, &w);
    if (status == FW_OK) status = fit_window(s, k, &w);
    window_free(&w);
    FW_TRY(status);
    from += count;
  }
  return FW_OK;
}

/* Means over the windows, and how far each is from them. */
static void take_means(spectrum *s) {
  fw_harmonics *h = s->h;
  int n = h->orders * h->sensors, windows = s->windows;
  for (int i = 0; i < n; i++) {
    double complex mean = 0.0;
    double size = 0.0, turn = 0.0, all = 0.0;
    for (int k = 0; k < windows; k++) mean += s->all[k * n + i] / windows;
    for (int k = 0; k < windows; k++) {
      double complex one = s->all[k * n + i];
      double longer = cabs(one) - cabs(mean), angle = carg(one * conj(mean));
      size += longer * longer / (windows - 1);
      turn += angle * angle / (windows - 1);
      all += creal((one - mean) * conj(one - mean)) / (windows - 1);
    }
    h->value[i] = mean;
    h->amplitude[i] = cabs(mean);
    h->amplitude_error[i] = cabs(mean) > 0 ? sqrt(size) / cabs(mean) : 0.0;
    h->phase_error[i] = sqrt(turn) * 180 / M_PI;
    h->spread[i] = sqrt(all / 2 / windows); /* of the mean, of each of its two parts */
  }
}

static fw_status make_room(spectrum *s) {
  fw_harmonics *h = s->h;
  size_t n = (size_t)h->orders * (size_t)h->sensors;
  FW_TRY(fw_alloc(s->job->ctx, n * (size_t)s->windows, sizeof *s->all, &s->all));
  FW_TRY(fw_alloc(s->job->ctx, n, sizeof *h->value, &h->value));
  FW_TRY(fw_alloc(s->job->ctx, n, sizeof *h->amplitude, &h->amplitude));
  FW_TRY(fw_alloc(s->job->ctx, n, sizeof *h->amplitude_error, &h->amplitude_error));
  FW_TRY(fw_alloc(s->job->ctx, n, sizeof *h->phase_error, &h->phase_error));
  return fw_alloc(s->job->ctx, n, sizeof *h->spread, &h->spread);
}

static fw_status take_table(spectrum *s) {
  fw_context *ctx = s->job->ctx;
  s->force = fw_data_table_column(s->table, "force");
  if (s->force < 0) return fw_channels_fail(ctx, s->data, "there is no column 'force', which phases count from");
  wave force = take_wave(ctx, s->table->values[s->clock], s->table->values[s->force], s->table->rows);
  FW_TRY(find_sensors(s));
  FW_TRY(find_frequency(ctx, s->data, &force, &s->h->frequency));
  FW_TRY(make_room(s));
  FW_TRY(fit_windows(s));
  take_means(s);
  return FW_OK;
}

fw_status fw_spectrum_read(const fw_identify_job *job, const fw_item *data, int orders, int windows, fw_harmonics *h) {
  spectrum s = {.job = job, .data = data, .windows = windows, .h = h};
  fw_sink *sink;
  fw_data_table *table;
  h->orders = orders;
  FW_TRY(fw_sink_create(job->ctx, &sink));
  fw_status status = fw_signals_table(job, data, sink, &table, &s.clock);
  s.table = table;
  fw_gsl_enter();
  if (status == FW_OK) status = take_table(&s);
  fw_gsl_leave();
  free(s.column);
  free(s.all);
  fw_sink_destroy(&sink);
  return status;
}
