/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "identify/fitted_forces.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/reading.h"
#include "core/sheet.h"

typedef struct fitted {
  fw_context *ctx;
  const fw_fitted_job *in;
  const fw_model *model;
  fw_span span;
  fw_weak_structure structure;
  int driving; /* sensor at the node that is driven; -1: none */
} fitted;

static const char *const approach_names[FW_APPROACH_COUNT] = {
    "linear-modes", "single-form", "harmonic-spline", "harmonic-series", "sub-harmonic-spline", "sub-harmonic-series"};

/* The beam and its sensors, by where the contact hangs before anything moves. */
static fw_status check_span(const fw_fitted_job *f) {
  fw_context *ctx = f->job->ctx;
  const fw_model *model = f->job->built->model;
  fw_state *rest = NULL;
  fw_linear_contact point = {0};
  fw_span span = {0};
  char why[400];
  fw_status status;
  FW_TRY_DONE(fw_state_create(ctx, model, &rest));
  FW_TRY_DONE(fw_linear_contact_find(ctx, model, rest, FW_VIEW_SLIP, model->pairs[f->pair], 0, &point));
  if (point.placed) status = fw_span_find(ctx, model, f->data, &point.kin, &span);
done:
  fw_span_clear(&span);
  fw_linear_contact_clear(&point);
  fw_state_destroy(&rest);
  if (status != FW_ERR_ANALYSIS) return status;
  snprintf(why, sizeof why, "%s", fw_context_message(ctx));
  return fw_fail_at(ctx, FW_ERR_DECK, f->job->args->place, "attribute 'shapes': %s", why);
}

fw_status fw_fitted_check(const fw_fitted_job *f) {
  const fw_identify_job *job = f->job;
  int least = f->forms.approach <= FW_SINGLE_FORM ? f->forms.modes + 1 : 3;
  if (!f->data->value)
    return fw_fail_at(job->ctx, FW_ERR_DECK, job->args->place,
                      "attribute 'shapes': fitted shapes need phases, which these data do not have");
  if (f->data->sensors >= least) return check_span(f);
  return fw_fail_at(job->ctx, FW_ERR_DECK, job->args->place,
                    "%d sensors are too few for these shapes, each left out in turn; %d are needed", f->data->sensors,
                    least);
}

/* ---- figures of a period ----------------------------------------------------------------- */

static double half_range(const double *x) {
  double low = x[0], high = x[0];
  for (int i = 1; i < FW_PERIOD; i++) {
    low = fmin(low, x[i]);
    high = fmax(high, x[i]);
  }
  return 0.5 * (high - low);
}

static double complex first_harmonic(const double *x) {
  double complex sum = 0.0;
  for (int i = 0; i < FW_PERIOD; i++) sum += x[i] * cexp(-_Complex_I * (2 * M_PI * i / FW_PERIOD));
  return 2.0 * sum / FW_PERIOD;
}

static double mean_of(const double *x, int n) {
  double sum = 0.0;
  for (int i = 0; i < n; i++) sum += x[i] / n;
  return sum;
}

/* ---- one approach ------------------------------------------------------------------------ */

typedef struct outcome {
  double error[64], left_out[64]; /* parts of each sensor's RMS */
  fw_contact_period period;
} outcome;

static fw_status solve(fitted *f, const fw_form_options *options, const fw_weak_options *weak, outcome *o) {
  fw_forms forms;
  FW_TRY(fw_forms_create(f->ctx, &f->span, f->in->data, options, &forms));
  for (int j = 0; j < f->span.sensors; j++) o->error[j] = fw_forms_error(&f->span, f->in->data, &forms, j);
  fw_status status = fw_weak_solve(f->ctx, &f->structure, &forms, weak, &o->period);
  fw_forms_clear(&forms);
  return status;
}

static fw_status write_period(fitted *f, const fw_contact_period *p) {
  static const fw_column columns[] = {
      {"time", "s"}, {"slip", "m"}, {"slip velocity", "m/s"}, {"normal", "N"}, {"tangential", "N"}};
  fw_identify_job *job = f->in->job;
  fw_data_table *table;
  FW_TRY(fw_sink_table(job->sink, f->ctx, job->id, "period", columns, 5, false, &table));
  for (int i = 0; i <= FW_PERIOD; i++) {
    int k = i % FW_PERIOD;
    double time = 2 * M_PI / f->structure.omega * i / FW_PERIOD, row[5] = {time, p->u[k], p->v[k], p->N[k], p->T[k]};
    FW_TRY(fw_sink_row(job->sink, f->ctx, table, row));
  }
  return FW_OK;
}

static fw_status write_shapes(fitted *f) {
  fw_identify_job *job = f->in->job;
  fw_sheet sheet = fw_sheet_of(f->ctx, job->sink, job->id);
  fw_forms forms;
  FW_TRY(fw_forms_create(f->ctx, &f->span, f->in->data, &f->in->forms, &forms));
  fw_sheet_column(&sheet, "m", "position");
  for (int s = 0; s < forms.shapes; s++) {
    if (forms.part[s])
      fw_sheet_column(&sheet, "m", "form-%d-%d", forms.order[s], forms.part[s]);
    else
      fw_sheet_column(&sheet, forms.order[s] ? "m" : "", "form-%d", s + 1);
  }
  fw_status status = fw_sheet_open(&sheet, "shapes");
  for (int i = 0; i < f->span.count && status == FW_OK; i++) {
    fw_sheet_put(&sheet, f->span.x[i]);
    for (int s = 0; s < forms.shapes; s++) fw_sheet_put(&sheet, forms.shape[(ptrdiff_t)s * 2 * f->span.places + i]);
    status = fw_sheet_row(&sheet);
  }
  fw_sheet_close(&sheet);
  fw_forms_clear(&forms);
  return status;
}

static fw_status tell_sensors(fitted *f, const outcome *o) {
  static const fw_column columns[] = {{"position", "m"}, {"error", "%"}, {"left out", "%"}};
  fw_identify_job *job = f->in->job;
  fw_data_table *table;
  FW_TRY(fw_sink_table(job->sink, f->ctx, job->id, "sensors", columns, 3, false, &table));
  for (int j = 0; j < f->span.sensors; j++) {
    double row[3] = {f->span.x[f->span.station[j]], 100 * o->error[j], 100 * o->left_out[j]};
    FW_TRY(fw_record_set_text(job->summary, f->model->sensors[f->in->data->sensor[j]].id, "sensors[%d].sensor", j));
    FW_TRY(fw_record_set_number(job->summary, row[1], "sensors[%d].error_percent", j));
    FW_TRY(fw_record_set_number(job->summary, row[2], "sensors[%d].left_out_error_percent", j));
    FW_TRY(fw_sink_row(job->sink, f->ctx, table, row));
  }
  return FW_OK;
}

static fw_status tell_contact(fitted *f, const outcome *o) {
  fw_identify_job *job = f->in->job;
  double complex stiffness = first_harmonic(o->period.T) / first_harmonic(o->period.u);
  FW_TRY(fw_identify_figure(job, "friction", "N", half_range(o->period.T), NAN));
  FW_TRY(fw_identify_figure(job, "friction_first", "N", cabs(first_harmonic(o->period.T)), NAN));
  FW_TRY(fw_identify_figure(job, "slip", "m", half_range(o->period.u), NAN));
  FW_TRY(fw_identify_figure(job, "slip_velocity", "m/s", half_range(o->period.v), NAN));
  FW_TRY(fw_identify_figure(job, "normal_force", "N", half_range(o->period.N), NAN));
  FW_TRY(fw_identify_figure(job, "equivalent_stiffness", "N/m", creal(stiffness), NAN));
  FW_TRY(fw_identify_figure(job, "equivalent_damper", "N s/m", cimag(stiffness) / f->structure.omega, NAN));
  FW_TRY(fw_record_set_number(job->summary, 100 * mean_of(o->error, f->span.sensors), "mean_error_percent"));
  FW_TRY(fw_record_set_number(job->summary, 100 * mean_of(o->left_out, f->span.sensors), "left_out_error_percent"));
  if (creal(stiffness) < 0.0)
    FW_TRY(fw_identify_warn(job, "the stiffness that the contact is equivalent to is negative: %s",
                            fw_say(creal(stiffness), "N/m").text));
  if (cimag(stiffness) >= 0.0) return FW_OK;
  return fw_identify_warn(job, "the contact feeds energy in: its equivalent damper is %s",
                          fw_say(cimag(stiffness) / f->structure.omega, "N s/m").text);
}

/* ---- against the number of harmonics, and all approaches --------------------------------- */

static fw_status tell_orders(fitted *f) {
  static const fw_column columns[] = {
      {"harmonics", ""}, {"friction", "N"}, {"friction first", "N"}, {"slip", "m"}, {"mean error", "%"}};
  fw_identify_job *job = f->in->job;
  fw_data_table *table;
  FW_TRY(fw_sink_table(job->sink, f->ctx, job->id, "orders", columns, 5, false, &table));
  for (int n = 1; n <= f->in->forms.orders; n++) {
    fw_form_options options = f->in->forms;
    outcome o = {0};
    options.orders = n;
    FW_TRY(solve(f, &options, &f->in->weak, &o));
    double row[5] = {n, half_range(o.period.T), cabs(first_harmonic(o.period.T)), half_range(o.period.u),
                     100 * mean_of(o.error, f->span.sensors)};
    FW_TRY(fw_sink_row(job->sink, f->ctx, table, row));
    FW_TRY(fw_record_set_number(job->summary, row[1], "orders[%d].friction", n - 1));
  }
  return FW_OK;
}

static fw_status tell_approach(fitted *f, int k) {
  fw_record *to = f->in->job->summary;
  fw_form_options options = f->in->forms;
  outcome o = {0};
  options.approach = (fw_approach)k;
  FW_TRY(solve(f, &options, &f->in->weak, &o));
  FW_TRY(fw_forms_left_out(f->ctx, &f->span, f->in->data, &options, o.left_out));
  FW_TRY(fw_record_set_text(to, approach_names[k], "approaches[%d].approach", k));
  if (f->driving >= 0)
    FW_TRY(fw_record_set_number(to, 100 * o.error[f->driving], "approaches[%d].driving_point_error_percent", k));
  FW_TRY(fw_record_set_number(to, 100 * mean_of(o.error, f->span.sensors), "approaches[%d].mean_error_percent", k));
  FW_TRY(
      fw_record_set_number(to, 100 * mean_of(o.left_out, f->span.sensors), "approaches[%d].left_out_error_percent", k));
  FW_TRY(fw_record_set_figure(to, half_range(o.period.T), "N", "approaches[%d].friction", k));
  return fw_record_set_figure(to, half_range(o.period.u), "m", "approaches[%d].slip", k);
}

/* Modes need more sensors than splines do: approaches that the data do not allow are left out. */
static fw_status tell_approaches(fitted *f) {
  int first = f->span.sensors > f->in->forms.modes ? 0 : FW_HARMONIC_SPLINE;
  for (int k = first; k < FW_APPROACH_COUNT; k++) FW_TRY(tell_approach(f, k));
  return FW_OK;
}

/* ---- the whole --------------------------------------------------------------------------- */

/* Whether a sensor reads where and as a load acts. */
static bool is_same(const fw_functional *a, const fw_functional *b) {
  bool same = a->count == b->count && a->count > 0;
  for (int i = 0; i < a->count && same; i++)
    same = a->dof[i] == b->dof[i] && fabs(a->weight[i] * b->weight[0] - b->weight[i] * a->weight[0]) < 1e-12;
  return same;
}

static int find_driving(const fitted *f) {
  for (int j = 0; j < f->span.sensors; j++)
    if (is_same(&f->model->sensors[f->in->data->sensor[j]].shape, &f->structure.load->shape)) return j;
  return -1;
}

static fw_status tell_all(fitted *f) {
  outcome o = {0};
  FW_TRY(solve(f, &f->in->forms, &f->in->weak, &o));
  FW_TRY(fw_forms_left_out(f->ctx, &f->span, f->in->data, &f->in->forms, o.left_out));
  FW_TRY(tell_contact(f, &o));
  FW_TRY(tell_sensors(f, &o));
  FW_TRY(write_period(f, &o.period));
  FW_TRY(write_shapes(f));
  FW_TRY(tell_orders(f));
  return tell_approaches(f);
}

fw_status fw_fitted_run(fw_context *ctx, const fw_model *model, const fw_state *state, const fw_fitted_job *in) {
  fitted f = {.ctx = ctx, .in = in, .model = model};
  fw_system *system = NULL;
  fw_linearised *linear = NULL;
  fw_linear_contact point;
  fw_status status;
  FW_TRY(fw_receptance_point(ctx, model, state, in->pair, &point));
  FW_TRY_DONE(fw_span_find(ctx, model, in->data, &point.kin, &f.span));
  FW_TRY_DONE(fw_system_create(ctx, model, &system));
  FW_TRY_DONE(fw_linearise(ctx, system, state, FW_VIEW_SLIP, &linear));
  f.structure = (fw_weak_structure){
      &f.span, linear, &point, &model->loads[in->load], in->data->level, 2 * M_PI * in->data->frequency};
  f.driving = find_driving(&f);
  status = tell_all(&f);
done:
  fw_linearised_destroy(&linear);
  fw_system_destroy(&system);
  fw_span_clear(&f.span);
  return status;
}
