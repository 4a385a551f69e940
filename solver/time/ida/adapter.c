/* SPDX-License-Identifier: GPL-3.0-or-later */
/* IDA and CVODE as integrators of the transient analysis, with a table of events. */
#include <math.h>
#include <stdlib.h>

#include "contact/pair.h"
#include "solver/time/ida/ida.h"
#include "solver/time/integrator.h"

enum { SMALL = 100 }; /* times the absolute tolerance: motions that it spoils */

typedef struct ida_adapter {
  fw_ida *ida;
  const fw_job *job;
  double displacement; /* absolute tolerance */
  fw_data_table *events;
} ida_adapter;

static void adapter_destroy(void *self) {
  ida_adapter *adapter = self;
  if (!adapter) return;
  fw_ida_destroy(&adapter->ida);
  free(adapter);
}

static fw_status write_event(void *user, fw_ida_change change, int point, const fw_state *state) {
  ida_adapter *adapter = user;
  const fw_touch *touch = &state->touch[point];
  const double row[] = {state->time,          point + 1, change,  touch->gap_velocity, touch->slip,
                        touch->slip_velocity, touch->N,  touch->T};
  return fw_sink_row(adapter->job->sink, adapter->job->ctx, adapter->events, row);
}

static fw_status open_events(ida_adapter *adapter) {
  static const fw_column columns[] = {{"time", "s"}, {"contact point", ""},    {"change", ""},  {"gap velocity", "m/s"},
                                      {"slip", "m"}, {"slip velocity", "m/s"}, {"normal", "N"}, {"tangential", "N"}};
  const fw_job *job = adapter->job;
  if (!job->sink || job->model->contact_count == 0) return FW_OK;
  FW_TRY(fw_sink_table(job->sink, job->ctx, job->id, "events", columns, sizeof columns / sizeof *columns, false,
                       &adapter->events));
  fw_ida_on_event(adapter->ida, write_event, adapter);
  return FW_OK;
}

static fw_status create(const fw_job *job, fw_system *system, const fw_state *state, double omega, bool explicit_form,
                        void **self) {
  fw_status status = FW_OK;
  ida_adapter *adapter = NULL;
  double displacement = fw_args_number(job->args, "displacement-tolerance");
  double rate = omega > 0.0 ? omega : fw_args_number(job->args, "rate");
  fw_ida_options options = {.relative = fw_args_number(job->args, "tolerance"),
                            .displacement = displacement,
                            .velocity = fw_args_given(job->args, "velocity-tolerance")
                                            ? fw_args_number(job->args, "velocity-tolerance")
                                            : 10.0 * displacement * rate,
                            .order = fw_args_integer(job->args, "order"),
                            .rate = rate,
                            .explicit_form = explicit_form};
  /* Contact forces take no part in the error test; where nothing moves, this alone resolves their course in time. */
  if (job->model->contact_count > 0) options.longest = pow(options.relative, 1.0 / (options.order + 1)) / rate;
  FW_TRY_DONE(fw_alloc(job->ctx, 1, sizeof *adapter, &adapter));
  adapter->job = job;
  adapter->displacement = displacement;
  FW_TRY_DONE(fw_ida_create(job->ctx, system, state, omega, &options, &adapter->ida));
  FW_TRY_DONE(open_events(adapter));
done:
  if (status != FW_OK) {
    adapter_destroy(adapter);
    adapter = NULL;
  }
  *self = adapter;
  return status;
}

static fw_status ida_create(const fw_job *job, fw_system *system, const fw_state *state, double omega, void **self) {
  return create(job, system, state, omega, false, self);
}

#define INSTEAD "; use solver=\"ida\""

static const char *cvode_misfit(const fw_model *model) {
  if (model->constraint_count > 0) return "joints and ties are constraints, which it knows none of" INSTEAD;
  for (int p = 0; p < model->pair_count; p++) {
    const fw_pair *pair = model->pairs[p];
    if (fw_normal_is_rigid(&pair->normal))
      return "hard contact is a constraint, which it knows none of" INSTEAD ", or a compliant law";
    if (fw_pair_is_rigid(pair))
      return "rigid stick is a constraint, which it knows none of" INSTEAD ", or enforcement=\"penalty\"";
  }
  return NULL;
}

static fw_status cvode_create(const fw_job *job, fw_system *system, const fw_state *state, double omega, void **self) {
  return create(job, system, state, omega, true, self);
}

/* ---- derivatives by parameters ----------------------------------------------------------- */

static fw_status adapter_differentiate(fw_context *ctx, void *self, const fw_neighbour *neighbours, int count) {
  ida_adapter *adapter = self;
  return fw_ida_differentiate(ctx, adapter->ida, neighbours, count);
}

static fw_motion_tangent adapter_tangent(const void *self, int neighbour) {
  const ida_adapter *adapter = self;
  const double *s, *s_dot;
  int n = adapter->job->model->dof_count;
  fw_ida_tangent(adapter->ida, neighbour, &s, &s_dot);
  return (fw_motion_tangent){s, s + n, s_dot + n};
}

static fw_status adapter_advance(fw_context *ctx, void *self, double dt) {
  ida_adapter *adapter = self;
  return fw_ida_advance(ctx, adapter->ida, fw_ida_state(adapter->ida)->time + dt);
}

static fw_status adapter_reload(fw_context *ctx, void *self, const double *factors) {
  return fw_ida_reload(ctx, ((ida_adapter *)self)->ida, factors);
}

static void adapter_watch(void *self, fw_integrator_look look, void *user) {
  fw_ida_watch(((ida_adapter *)self)->ida, look, user);
}

static const fw_state *adapter_state(const void *self) { return fw_ida_state(((const ida_adapter *)self)->ida); }
static const fw_energy *adapter_energy(const void *self) { return fw_ida_energy(((const ida_adapter *)self)->ida); }

static fw_status adapter_archive(fw_context *ctx, void *self, fw_archive *archive) {
  return fw_ida_archive(ctx, ((ida_adapter *)self)->ida, archive);
}

/* The absolute tolerance is what a motion may be wrong by in a step. Rounding is no motion. */
static fw_status warn_of_tolerance(const ida_adapter *adapter, double moved) {
  double tolerance = adapter->displacement;
  if (moved > SMALL * tolerance || moved < 1e-5 * tolerance) return FW_OK;
  return fw_job_warn(adapter->job, FW_WARN_TOLERANCE,
                     "nothing goes further than %.3g m (or rad), %.3g times the displacement-tolerance of %g: give a "
                     "smaller one, %.0e",
                     moved, moved / tolerance, tolerance, fmax(1e-18, 1e-5 * moved));
}

static fw_status adapter_report(const void *self, fw_record *summary) {
  const ida_adapter *adapter = self;
  fw_ida_statistics count = fw_ida_count(adapter->ida);
  FW_TRY(warn_of_tolerance(adapter, count.moved));
  const struct {
    const char *name;
    double value;
  } rows[] = {{"steps", (double)count.steps},
              {"residuals", (double)count.residuals},
              {"jacobians", (double)count.jacobians},
              {"error_failures", (double)count.error_failures},
              {"newton_failures", (double)count.newton_failures},
              {"events", (double)count.events},
              {"restarts", (double)count.restarts},
              {"last_step", count.last_step},
              {"constraint_violation", count.violation}};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
    FW_TRY(fw_record_set_number(summary, rows[i].value, "statistics.%s", rows[i].name));
  for (int order = 1; order <= FW_IDA_ORDERS; order++)
    FW_TRY(fw_record_set_number(summary, (double)count.of_order[order], "statistics.steps_of_order_%d", order));
  return FW_OK;
}

/* All but the beginning is the same of both. */
#define ADAPTER_OPERATIONS                                                                              \
  .advance = adapter_advance, .reload = adapter_reload, .watch = adapter_watch, .state = adapter_state, \
  .energy = adapter_energy, .archive = adapter_archive, .report = adapter_report,                       \
  .differentiate = adapter_differentiate, .tangent = adapter_tangent, .destroy = adapter_destroy

const fw_integrator_ops fw_integrator_ida = {
    .entry = {.name = "ida", .summary = "variable-order BDF on the full DAE with located events"},
    .create = ida_create,
    ADAPTER_OPERATIONS};

const fw_integrator_ops fw_integrator_cvode = {
    .entry = {.name = "cvode", .summary = "variable-order BDF for models without constraints"},
    .misfit = cvode_misfit,
    .create = cvode_create,
    ADAPTER_OPERATIONS};
