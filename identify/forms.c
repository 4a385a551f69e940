/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "identify/forms.h"

#include <math.h>
#include <stdlib.h>

void fw_forms_clear(fw_forms *forms) {
  free(forms->shape);
  free(forms->c);
  free(forms->order);
  free(forms->part);
  *forms = (fw_forms){0};
}

/* y at a sensor, harmonic r, from its acceleration. */
static double complex displacement(const fw_span *span, const fw_harmonics *data, int r, int sensor) {
  double w = 2 * M_PI * data->frequency * r;
  return -data->value[(r - 1) * data->sensors + sensor] / (w * w * span->gain[sensor]);
}

static fw_status make_room(fw_context *ctx, const fw_span *span, int shapes, int orders, fw_forms *f) {
  size_t n = (size_t)shapes;
  *f = (fw_forms){.shapes = shapes, .orders = orders};
  FW_TRY(fw_alloc(ctx, n * 2 * (size_t)span->places, sizeof *f->shape, &f->shape));
  FW_TRY(fw_alloc(ctx, n * (size_t)orders, sizeof *f->c, &f->c));
  FW_TRY(fw_alloc(ctx, n, sizeof *f->order, &f->order));
  return fw_alloc(ctx, n, sizeof *f->part, &f->part);
}

static double *shape_of(const fw_span *span, const fw_forms *f, int s) {
  return f->shape + (ptrdiff_t)s * 2 * span->places;
}

/* ---- linear modes, single form ----------------------------------------------------------- */

/* Coordinate of mode i, harmonic r. */
static double complex coordinate(const fw_span *span, const fw_harmonics *data, const fw_shape_space *modes, int i,
                                 int r) {
  double complex sum = 0.0;
  for (int j = 0; j < span->sensors; j++) sum += modes->weights[i * span->sensors + j] * displacement(span, data, r, j);
  return sum;
}

static void fill_modes(const fw_span *span, const fw_harmonics *data, const fw_shape_space *modes, fw_forms *f) {
  for (int i = 0; i < modes->size; i++) {
    for (int k = 0; k < 2 * span->places; k++)
      shape_of(span, f, i)[k] = modes->shapes[(ptrdiff_t)i * 2 * span->places + k];
    for (int r = 1; r <= f->orders; r++) f->c[i * f->orders + r - 1] = coordinate(span, data, modes, i, r);
  }
}

static void fill_single(const fw_span *span, const fw_harmonics *data, const fw_shape_space *modes, fw_forms *f) {
  double complex lead = coordinate(span, data, modes, 0, 1);
  for (int i = 0; i < modes->size; i++) {
    double part = creal(coordinate(span, data, modes, i, 1) * conj(lead)) / cabs(lead);
    for (int k = 0; k < 2 * span->places; k++) f->shape[k] += part * modes->shapes[(ptrdiff_t)i * 2 * span->places + k];
  }
  for (int r = 1; r <= f->orders; r++) f->c[r - 1] = coordinate(span, data, modes, 0, r) / cabs(lead);
}

/* ---- harmonic and sub-harmonic form ------------------------------------------------------ */

/* Shape s of harmonic r: what of the readings has the phase of `turn`. */
static void fill_shape(const fw_span *span, const fw_harmonics *data, const fw_shape_space *space, int r, int s,
                       double complex turn, fw_forms *f) {
  double y[64];
  for (int j = 0; j < span->sensors; j++) y[j] = creal(displacement(span, data, r, j) * conj(turn));
  fw_shape_space_fit(span, space, y, shape_of(span, f, s));
  f->c[s * f->orders + r - 1] = turn;
  f->order[s] = r;
}

/* exp(i psi) of the one phase that leaves least at the sensors that take part. */
static double complex common_turn(const fw_span *span, const fw_harmonics *data, int r, int without) {
  double complex sum = 0.0;
  for (int j = 0; j < span->sensors; j++) {
    double complex d = displacement(span, data, r, j);
    if (j != without) sum += d * d;
  }
  return cexp(0.5 * _Complex_I * carg(sum));
}

static void fill_fitted(const fw_span *span, const fw_harmonics *data, const fw_shape_space *space,
                        const fw_form_options *options, fw_forms *f) {
  bool single = options->approach < FW_SUBHARMONIC_SPLINE;
  for (int r = 1; r <= f->orders; r++) {
    if (single) {
      fill_shape(span, data, space, r, r - 1, common_turn(span, data, r, options->without), f);
      continue;
    }
    for (int part = 1; part <= 2; part++) { /* cos r w t, then sin r w t */
      int s = 2 * (r - 1) + part - 1;
      fill_shape(span, data, space, r, s, part == 1 ? 1.0 : -_Complex_I, f);
      f->part[s] = part;
    }
  }
}

/* ---- all --------------------------------------------------------------------------------- */

static fw_shape_rule rule_of(fw_approach approach) {
  if (approach <= FW_SINGLE_FORM) return FW_SHAPES_MODES;
  return approach == FW_HARMONIC_SPLINE || approach == FW_SUBHARMONIC_SPLINE ? FW_SHAPES_SPLINE : FW_SHAPES_SERIES;
}

static int count_shapes(const fw_form_options *options) {
  if (options->approach == FW_LINEAR_MODES) return options->modes;
  if (options->approach == FW_SINGLE_FORM) return 1;
  return options->approach < FW_SUBHARMONIC_SPLINE ? options->orders : 2 * options->orders;
}

fw_status fw_forms_create(fw_context *ctx, const fw_span *span, const fw_harmonics *data,
                          const fw_form_options *options, fw_forms *f) {
  fw_shape_options shapes = {rule_of(options->approach), options->modes, options->without};
  fw_shape_space space;
  *f = (fw_forms){0};
  FW_TRY(fw_shape_space_create(ctx, span, &shapes, &space));
  fw_status status = make_room(ctx, span, count_shapes(options), options->orders, f);
  if (status != FW_OK)
    fw_forms_clear(f);
  else if (options->approach == FW_LINEAR_MODES)
    fill_modes(span, data, &space, f);
  else if (options->approach == FW_SINGLE_FORM)
    fill_single(span, data, &space, f);
  else
    fill_fitted(span, data, &space, options, f);
  fw_shape_space_clear(&space);
  return status;
}

double fw_forms_error(const fw_span *span, const fw_harmonics *data, const fw_forms *forms, int sensor) {
  double off = 0.0, size = 0.0;
  for (int r = 1; r <= forms->orders; r++) {
    double w = 2 * M_PI * data->frequency * r;
    double complex y = 0.0, measured = data->value[(r - 1) * data->sensors + sensor];
    for (int s = 0; s < forms->shapes; s++)
      y += forms->c[s * forms->orders + r - 1] * shape_of(span, forms, s)[span->station[sensor]];
    double left = cabs(-w * w * span->gain[sensor] * y - measured);
    off += left * left;
    size += creal(measured * conj(measured));
  }
  return sqrt(off / size);
}

fw_status fw_forms_left_out(fw_context *ctx, const fw_span *span, const fw_harmonics *data,
                            const fw_form_options *options, double *errors) {
  for (int j = 0; j < span->sensors; j++) {
    fw_form_options others = *options;
    fw_forms forms;
    others.without = j;
    FW_TRY(fw_forms_create(ctx, span, data, &others, &forms));
    errors[j] = fw_forms_error(span, data, &forms, j);
    fw_forms_clear(&forms);
  }
  return FW_OK;
}
