/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "identify/shapes.h"

#include <gsl/gsl_bspline.h>
#include <gsl/gsl_linalg.h>
#include <gsl/gsl_multifit.h>
#include <gsl/gsl_sort_double.h>
#include <math.h>
#include <stdlib.h>

#include "identify/quiet.h"

enum { TERMS = 3, FUNCTIONS = 4, GRID = 161 };
static const double hold = 1e4; /* weight of conditions at the ends among plain equations */

void fw_shape_space_clear(fw_shape_space *space) {
  free(space->shapes);
  free(space->weights);
  *space = (fw_shape_space){0};
}

void fw_shape_space_fit(const fw_span *span, const fw_shape_space *space, const double *y, double *shape) {
  for (int i = 0; i < 2 * span->places; i++) shape[i] = 0.0;
  for (int k = 0; k < space->size; k++) {
    double c = 0.0;
    for (int j = 0; j < span->sensors; j++) c += space->weights[k * span->sensors + j] * y[j];
    for (int i = 0; i < 2 * span->places; i++) shape[i] += c * space->shapes[(ptrdiff_t)k * 2 * span->places + i];
  }
}

static double length_of(const fw_span *span) { return span->x[span->count - 1]; }

/* tan bL = tanh bL: the root nearest to (4 k + 1) pi/4. */
static double wave_number(const fw_span *span, int k) {
  double bL = (4 * k + 1) * M_PI / 4;
  for (int i = 0; i < 4; i++) bL = k * M_PI + atan(tanh(bL));
  return bL / length_of(span);
}

/* ---- modes ------------------------------------------------------------------------------- */

/* cosh bx - cos bx - s (sinh bx - sin bx), s = coth bL; the two exponentials are put together so that they do not cancel. */
static double mode_at(double b, double x, double length, double *slope) {
  double s = 1.0 / tanh(b * length), small = -exp(b * x) / expm1(2 * b * length), tail = 0.5 * (1 + s) * exp(-b * x);
  *slope = b * (small - tail + sin(b * x) + s * cos(b * x));
  return small + tail - cos(b * x) + s * sin(b * x);
}

static void write_mode(const fw_span *span, int k, double *shape) {
  for (int i = 0; i < span->places; i++)
    shape[i] = mode_at(wave_number(span, k + 1), span->x[i], length_of(span), &shape[span->places + i]);
}

/* Rows of the least squares: sensors that take part. */
static int count_rows(const fw_span *span, int without) { return span->sensors - (without >= 0); }

/* weights = the least-squares inverse of the modes at the sensors. */
static fw_status invert_modes(fw_context *ctx, const fw_span *span, int without, fw_shape_space *space) {
  size_t rows = (size_t)count_rows(span, without), columns = (size_t)space->size, at = 0;
  gsl_matrix *X = gsl_matrix_alloc(rows, columns), *V = gsl_matrix_alloc(columns, columns);
  gsl_vector *S = gsl_vector_alloc(columns), *w = gsl_vector_alloc(columns), *e = gsl_vector_calloc(rows);
  gsl_vector *c = gsl_vector_alloc(columns);
  fw_status status = X && V && S && w && e && c ? FW_OK : fw_fail(ctx, FW_ERR_MEMORY, "out of memory");
  for (int j = 0; j < span->sensors && status == FW_OK; j++) {
    if (j == without) continue;
    for (size_t k = 0; k < columns; k++)
      gsl_matrix_set(X, at, k, space->shapes[k * 2 * (size_t)span->places + (size_t)span->station[j]]);
    at++;
  }
  if (status == FW_OK && gsl_linalg_SV_decomp(X, V, S, w) != GSL_SUCCESS)
    status = fw_fail(ctx, FW_ERR_ANALYSIS, "linear modes cannot be fitted to the sensors");
  at = 0;
  for (int j = 0; j < span->sensors && status == FW_OK; j++) {
    if (j == without) continue;
    gsl_vector_set_basis(e, at++);
    gsl_linalg_SV_solve(X, V, S, e, c);
    for (size_t k = 0; k < columns; k++) space->weights[k * (size_t)span->sensors + (size_t)j] = gsl_vector_get(c, k);
  }
  if (X) gsl_matrix_free(X);
  if (V) gsl_matrix_free(V);
  if (S) gsl_vector_free(S);
  if (w) gsl_vector_free(w);
  if (e) gsl_vector_free(e);
  if (c) gsl_vector_free(c);
  return status;
}

static fw_status make_modes(fw_context *ctx, const fw_span *span, const fw_shape_options *options,
                            fw_shape_space *space) {
  for (int k = 0; k < space->size; k++) write_mode(span, k, space->shapes + (ptrdiff_t)k * 2 * span->places);
  return invert_modes(ctx, span, options->without, space);
}

/* ---- splines ----------------------------------------------------------------------------- */

typedef struct spline {
  gsl_bspline_workspace *basis;
  gsl_matrix *A, *dB; /* conditions; values and derivatives of the basis at a place */
  gsl_permutation *order;
  gsl_vector *e, *c, *breaks;
  size_t row; /* conditions so far */
} spline;

static void spline_free(spline *s) {
  if (s->basis) gsl_bspline_free(s->basis);
  if (s->A) gsl_matrix_free(s->A);
  if (s->dB) gsl_matrix_free(s->dB);
  if (s->order) gsl_permutation_free(s->order);
  if (s->e) gsl_vector_free(s->e);
  if (s->c) gsl_vector_free(s->c);
  if (s->breaks) gsl_vector_free(s->breaks);
}

static void add_condition(spline *s, double x, size_t derivative) {
  gsl_bspline_deriv_eval(x, 2, s->dB, s->basis);
  for (size_t k = 0; k < s->A->size2; k++) gsl_matrix_set(s->A, s->row, k, gsl_matrix_get(s->dB, k, derivative));
  s->row++;
}

static double spline_at(spline *s, double x, double *slope) {
  double y = 0.0;
  gsl_bspline_deriv_eval(x, 1, s->dB, s->basis);
  *slope = 0.0;
  for (size_t k = 0; k < s->c->size; k++) {
    y += gsl_vector_get(s->c, k) * gsl_matrix_get(s->dB, k, 0);
    *slope += gsl_vector_get(s->c, k) * gsl_matrix_get(s->dB, k, 1);
  }
  return y;
}

/* Knots at both ends and at the sensors, but not at the first where the far end turns: as many unknowns as conditions. */
static fw_status place_knots(fw_context *ctx, const fw_span *span, const fw_shape_options *options, spline *s) {
  double at[64];
  int rows = 0;
  for (int j = 0; j < span->sensors; j++)
    if (j != options->without) at[rows++] = span->x[span->station[j]];
  gsl_sort(at, 1, (size_t)rows);
  int first = span->clamped ? 0 : 1;
  size_t breaks = (size_t)(rows - first) + 2;
  s->breaks = gsl_vector_alloc(breaks);
  s->basis = gsl_bspline_alloc(4, breaks);
  s->A = gsl_matrix_alloc(breaks + 2, breaks + 2);
  s->dB = gsl_matrix_alloc(breaks + 2, 3);
  s->order = gsl_permutation_alloc(breaks + 2);
  s->e = gsl_vector_alloc(breaks + 2);
  s->c = gsl_vector_alloc(breaks + 2);
  if (!s->breaks || !s->basis || !s->A || !s->dB || !s->order || !s->e || !s->c)
    return fw_fail(ctx, FW_ERR_MEMORY, "out of memory");
  gsl_vector_set(s->breaks, 0, 0.0);
  for (int i = first; i < rows; i++) gsl_vector_set(s->breaks, (size_t)(i - first) + 1, at[i]);
  gsl_vector_set(s->breaks, breaks - 1, length_of(span));
  gsl_bspline_knots(s->breaks, s->basis);
  return FW_OK;
}

/* The sensors' conditions come first, in their order. */
static fw_status spline_prepare(fw_context *ctx, const fw_span *span, const fw_shape_options *options, spline *s) {
  int sign;
  FW_TRY(place_knots(ctx, span, options, s));
  for (int j = 0; j < span->sensors; j++)
    if (j != options->without) add_condition(s, span->x[span->station[j]], 0);
  add_condition(s, 0.0, 0);
  if (span->clamped) add_condition(s, 0.0, 1);
  add_condition(s, length_of(span), 0);
  add_condition(s, length_of(span), 2);
  if (gsl_linalg_LU_decomp(s->A, s->order, &sign) == GSL_SUCCESS && gsl_linalg_LU_det(s->A, sign) != 0.0) return FW_OK;
  return fw_fail(ctx, FW_ERR_ANALYSIS, "no spline goes through these sensors");
}

/* ---- series ------------------------------------------------------------------------------ */

/* Function f of four (sin, sinh, cos, cosh) of b x; the hyperbolic ones are 1 at the contact. */
static double function_at(int f, double b, double x, double length, double *slope) {
  double size = cosh(b * length);
  if (f == 0) return *slope = b * cos(b * x), sin(b * x);
  if (f == 1) return *slope = b * cosh(b * x) / size, sinh(b * x) / size;
  if (f == 2) return *slope = -b * sin(b * x), cos(b * x);
  return *slope = b * sinh(b * x) / size, cosh(b * x) / size;
}

typedef struct series {
  gsl_matrix *X, *covariance;
  gsl_vector *y, *a;
  gsl_multifit_linear_workspace *work;
} series;

static void series_free(series *s) {
  if (s->X) gsl_matrix_free(s->X);
  if (s->covariance) gsl_matrix_free(s->covariance);
  if (s->y) gsl_vector_free(s->y);
  if (s->a) gsl_vector_free(s->a);
  if (s->work) gsl_multifit_linear_free(s->work);
}

/* Rows: y at GRID places, then y(0), y(L) and, held, y'(0). */
static fw_status series_prepare(fw_context *ctx, const fw_span *span, series *s) {
  size_t rows = GRID + 3, columns = TERMS * FUNCTIONS;
  double length = length_of(span), slope;
  s->X = gsl_matrix_calloc(rows, columns);
  s->covariance = gsl_matrix_alloc(columns, columns);
  s->y = gsl_vector_calloc(rows);
  s->a = gsl_vector_alloc(columns);
  s->work = gsl_multifit_linear_alloc(rows, columns);
  if (!s->X || !s->covariance || !s->y || !s->a || !s->work) return fw_fail(ctx, FW_ERR_MEMORY, "out of memory");
  for (size_t c = 0; c < columns; c++) {
    int f = (int)c % FUNCTIONS;
    double b = wave_number(span, (int)c / FUNCTIONS + 1);
    for (size_t i = 0; i < GRID; i++)
      gsl_matrix_set(s->X, i, c, function_at(f, b, length * (double)i / (GRID - 1), length, &slope));
    gsl_matrix_set(s->X, GRID, c, hold * function_at(f, b, 0.0, length, &slope));
    if (span->clamped) gsl_matrix_set(s->X, GRID + 2, c, hold * length * slope);
    gsl_matrix_set(s->X, GRID + 1, c, hold * function_at(f, b, length, length, &slope));
  }
  return FW_OK;
}

/* The series through a spline, at the nodes. */
static fw_status series_through(fw_context *ctx, const fw_span *span, spline *from, series *s, double *shape) {
  double slope, squares;
  size_t rank;
  for (size_t i = 0; i < GRID; i++)
    gsl_vector_set(s->y, i, spline_at(from, length_of(span) * (double)i / (GRID - 1), &slope));
  if (gsl_multifit_linear_tsvd(s->X, s->y, 1e-10, s->a, s->covariance, &squares, &rank, s->work) != GSL_SUCCESS)
    return fw_fail(ctx, FW_ERR_ANALYSIS, "no series goes through these sensors");
  for (int i = 0; i < span->places; i++) {
    shape[i] = shape[span->places + i] = 0.0;
    for (int c = 0; c < TERMS * FUNCTIONS; c++) {
      double b = wave_number(span, c / FUNCTIONS + 1), a = gsl_vector_get(s->a, (size_t)c);
      shape[i] += a * function_at(c % FUNCTIONS, b, span->x[i], length_of(span), &slope);
      shape[span->places + i] += a * slope;
    }
  }
  return FW_OK;
}

/* One shape for each sensor: what it makes when it alone reads 1. */
static fw_status fit_shapes(fw_context *ctx, const fw_span *span, const fw_shape_options *options, spline *s, series *t,
                            fw_shape_space *space) {
  size_t at = 0;
  FW_TRY(spline_prepare(ctx, span, options, s));
  if (options->rule == FW_SHAPES_SERIES) FW_TRY(series_prepare(ctx, span, t));
  for (int j = 0; j < span->sensors; j++) {
    double *shape = space->shapes + (ptrdiff_t)j * 2 * span->places;
    if (j == options->without) continue;
    space->weights[j * span->sensors + j] = 1.0;
    gsl_vector_set_basis(s->e, at++);
    gsl_linalg_LU_solve(s->A, s->order, s->e, s->c);
    if (t->work) {
      FW_TRY(series_through(ctx, span, s, t, shape));
    } else {
      for (int i = 0; i < span->places; i++) shape[i] = spline_at(s, span->x[i], &shape[span->places + i]);
    }
  }
  return FW_OK;
}

static fw_status make_fitted(fw_context *ctx, const fw_span *span, const fw_shape_options *options,
                             fw_shape_space *space) {
  spline s = {0};
  series t = {0};
  fw_status status = fit_shapes(ctx, span, options, &s, &t, space);
  spline_free(&s);
  series_free(&t);
  return status;
}

fw_status fw_shape_space_create(fw_context *ctx, const fw_span *span, const fw_shape_options *options,
                                fw_shape_space *space) {
  bool modes = options->rule == FW_SHAPES_MODES;
  int rows = count_rows(span, options->without), least = modes ? options->modes : 2;
  fw_status status;
  *space = (fw_shape_space){.size = modes ? options->modes : span->sensors};
  if (rows < least || span->sensors > 64)
    return fw_fail(ctx, FW_ERR_ANALYSIS, "fitted shapes: %d sensors, %d to 64 are needed", rows, least);
  FW_TRY_DONE(fw_alloc(ctx, (size_t)space->size * 2 * (size_t)span->places, sizeof *space->shapes, &space->shapes));
  FW_TRY_DONE(fw_alloc(ctx, (size_t)space->size * (size_t)span->sensors, sizeof *space->weights, &space->weights));
  fw_gsl_enter();
  status = modes ? make_modes(ctx, span, options, space) : make_fitted(ctx, span, options, space);
  fw_gsl_leave();
done:
  if (status != FW_OK) fw_shape_space_clear(space);
  return status;
}
