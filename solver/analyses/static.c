/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Static equilibrium: the loads are raised in steps; one that fails is done again with line search, then halved. Or the
 * path of equilibria is followed by arc length. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/load.h"
#include "core/reading.h"
#include "core/unknown.h"
#include "solver/analyses/linear_range.h"
#include "solver/analyses/recorders.h"
#include "solver/analysis.h"
#include "solver/assembly/constraints.h"
#include "solver/assembly/linearised.h"
#include "solver/continuation/load_path.h"
#include "solver/time/settle.h"
#include "solver/time/step.h"

static const fw_param static_params[] = {
    {"steps", FW_PARAM_INTEGER, "", "1", 1, 1e6, NULL, "load steps; halved by themselves where one fails"},
    {"path", FW_PARAM_CHOICE, "", "load", 0, 0, "load|arc-length",
     "load: the load rises from step to step; arc-length: the path is followed through limit points and folds, in arcs "
     "as long as the first load step, until it comes to the full load; without contact"},
    {0}};

typedef struct fw_static {
  fw_job *job;
  fw_system *system;
  fw_stepper *stepper;
  fw_state *old, *new_state;
  double *from, *to, *factors; /* load factors at both ends of the history and now */
  double *rhs;
  fw_sheet path;            /* load, iterations, sensors */
  double raised_to;         /* part of the loads that is being solved for */
  long told;                /* iterations in the history, */
  double residual, contact; /* and what the last one left */
  fw_unheld drift;          /* what goes away under more of the loads than have been carried */
  fw_data_table *history;
} fw_static;

static void static_rhs(fw_static *s, double fraction) {
  const fw_model *model = s->job->model;
  memset(s->rhs, 0, (size_t)s->system->size * sizeof *s->rhs);
  for (int i = 0; i < model->load_count; i++) s->factors[i] = s->from[i] + fraction * (s->to[i] - s->from[i]);
  fw_loads_force(model, s->factors, 0.0, 0.0, s->rhs);
}

/* A row of the history. */
static fw_status tell_iteration(void *user, double residual, double contact) {
  fw_static *s = user;
  const double row[] = {(double)++s->told, s->residual = residual, s->contact = contact, s->raised_to};
  return fw_sink_row(s->job->sink, s->job->ctx, s->history, row);
}

/* ---- structures that joints alone hold ----------------------------------------------------- */

/* Bodies that can turn about their joints until the loads pull through them. */
static bool hangs(const fw_static *s) {
  return s->job->model->constraint_count > 0 && s->job->model->contact_count == 0 && !s->system->linear;
}

/* Newton's method finds no direction where nothing but the load will hold the structure, and may find an equilibrium
 * that is not stable: a motion downhill finds one that is. before: a mark of the messages before Newton's method. */
static fw_status prefer_stable(fw_static *s, const fw_step_job *job, size_t before, fw_status *status) {
  fw_context *ctx = s->job->ctx;
  double growth = 0.0;
  if (*status == FW_OK) FW_TRY(fw_growth_find(ctx, s->system, s->new_state, &growth));
  if (*status == FW_OK && growth == 0.0) return FW_OK;
  fw_state *found = NULL;
  FW_TRY(fw_state_copy(ctx, s->old, &found));
  size_t tried = fw_context_mark(ctx);
  fw_status settled = fw_settle(ctx, s->system, s->stepper, job, found, NULL);
  if (settled == FW_OK) fw_state_assign(s->new_state, found);
  fw_state_destroy(&found);
  if (settled == FW_ERR_INTERRUPTED) return settled;
  fw_context_forget(ctx, settled == FW_OK ? before : tried);
  if (settled == FW_OK) *status = FW_OK;
  return *status == FW_ERR_SINGULAR ? *status : FW_OK;
}

static fw_status warn_of_instability(const fw_static *s) {
  double growth = 0.0;
  if (!hangs(s)) return FW_OK;
  FW_TRY(fw_growth_find(s->job->ctx, s->system, s->old, &growth));
  if (growth == 0.0) return FW_OK;
  FW_TRY(fw_record_set_figure(s->job->summary, growth, "1/s", "equilibrium.growth"));
  return fw_job_warn(s->job, FW_WARN_UNSTABLE,
                     "the equilibrium is unstable: what moves it off grows by e in %s; begin a little off it to "
                     "come to a stable one",
                     fw_say(1.0 / growth, "s").text);
}

/* ---- loads ------------------------------------------------------------------------------------ */

/* Friction has many equilibria, and Newton's steps may come to one that is far away, where no path leads: what moves so
 * far, in the model or beside what it would move if all that touches stuck, is believed of a short load step only. */
static bool is_wild(const fw_static *s, double step) {
  static const double far = 0.2, beyond_sticking = 20.0, little = 1e-3, short_step = 0.02;
  double moved = 0.0, size = fmin(fw_constraints_scale(s->job->model), 1.0);
  for (int i = 0; i < s->job->model->dof_count; i++) moved = fmax(moved, fabs(s->new_state->q[i] - s->old->q[i]));
  if (step <= short_step) return false;
  return moved > far * size || (moved > little * size && moved > beyond_sticking * fw_stepper_first_move(s->stepper));
}

static fw_status solve_to(fw_static *s, double fraction, double step, bool line_search) {
  fw_step_job job = {.old = s->old,
                     .rhs = s->rhs,
                     .time = s->old->time,
                     .line_search = line_search,
                     .iterated = tell_iteration,
                     .user = s};
  s->raised_to = fraction;
  static_rhs(s, fraction);
  fw_state_assign(s->new_state, s->old);
  size_t before = fw_context_mark(s->job->ctx);
  fw_status status = s->job->model->contact_count > 0 ? fw_stepper_balance(s->job->ctx, s->stepper, &job, s->new_state)
                                                      : fw_stepper_solve(s->job->ctx, s->stepper, &job, s->new_state);
  if (status == FW_OK) fw_stepper_commit(&job, s->new_state);
  if (hangs(s) && status != FW_ERR_INTERRUPTED) FW_TRY(prefer_stable(s, &job, before, &status));
  if (status == FW_OK && s->job->model->contact_count > 0 && is_wild(s, step)) return FW_RECOVER_DIVERGED;
  if (status == FW_OK) fw_state_assign(s->old, s->new_state);
  return status;
}

/* Where Newton's steps go round in circles however short the load step is. */
static fw_status settle_to(fw_static *s, double fraction) {
  fw_step_job job = {.old = s->old, .rhs = s->rhs, .time = s->old->time, .iterated = tell_iteration, .user = s};
  s->raised_to = fraction;
  static_rhs(s, fraction);
  fw_unheld drift;
  fw_status status = fw_settle(s->job->ctx, s->system, s->stepper, &job, s->new_state, &drift);
  if (status == FW_OK) fw_state_assign(s->old, s->new_state);
  if (status > 0) s->drift = drift;
  return status;
}

/* What is free to go is told as that, with where and why; anything else did not converge. */
static fw_status fail_beyond(const fw_static *s, double done, fw_status status) {
  fw_context *ctx = s->job->ctx;
  const fw_unheld *unheld = fw_stepper_unheld(s->stepper);
  if (unheld->dof < 0) unheld = &s->drift;
  if (unheld->dof < 0)
    return fw_fail(ctx, FW_ERR_ANALYSIS, "not converged beyond %.4g of the load: %s", done, fw_status_text(status));
  char where[160];
  fw_system_describe(s->system, unheld->dof, where, sizeof where);
  return fw_fail(ctx, FW_ERR_ANALYSIS, "nothing holds %s, beyond %.4g of the load: %s", where, done,
                 unheld->slips ? "it is pulled beyond its friction" : "its contact is open");
}

/* A way downhill is tried at the step that the deck asks for, and once more where that is short; beside a limit that is
 * known it would be long. */
static fw_status try_to(fw_static *s, double next, double step, bool halved) {
  static const double short_steps[] = {0.0125, 0.05};
  bool contact = s->job->model->contact_count > 0;
  fw_status status = solve_to(s, next, step, false);
  if (status > 0 && !contact) status = solve_to(s, next, step, true);
  bool downhill = (!halved || (step >= short_steps[0] && step < short_steps[1])) && s->drift.dof < 0;
  if (status > 0 && contact && downhill && fw_stepper_unheld(s->stepper)->dof < 0) status = settle_to(s, next);
  return status;
}

static fw_status raise_loads(fw_static *s, int steps) {
  static const double finest = 1e-6, told = 1e-4; /* a limit of friction is told to four digits */
  fw_context *ctx = s->job->ctx;
  double done = 0.0, step = 1.0 / steps;
  s->drift = (fw_unheld){.dof = -1};
  while (done < 1.0 - 1e-12) {
    FW_TRY(fw_interrupted(ctx));
    double next = fmin(1.0, done + step);
    fw_status status = try_to(s, next, step, step < 1.0 / steps);
    if (status > 0) {
      step *= 0.5;
      if (step < (s->drift.dof < 0 ? finest : told)) return fail_beyond(s, done, status);
      continue;
    }
    FW_TRY(status);
    done = next;
    fw_progress(ctx, s->job->id, done);
  }
  return FW_OK;
}

/* ---- arc length -------------------------------------------------------------------------- */

static fw_status path_point(void *user, double mu, const fw_state *state, int iterations) {
  fw_static *s = user;
  const fw_model *model = s->job->model;
  fw_sheet_put(&s->path, mu);
  fw_sheet_put(&s->path, iterations);
  for (int i = 0; i < model->sensor_count; i++) {
    const fw_sensor *sensor = &model->sensors[i];
    fw_sheet_put(&s->path,
                 sensor->quantity == FW_DISPLACEMENT ? fw_functional_value(&sensor->shape, state->q) : fw_unknown());
  }
  fw_progress(s->job->ctx, s->job->id, fmin(fmax(mu, 0.0), 1.0));
  return fw_sheet_row(&s->path);
}

static fw_status open_path(fw_static *s) {
  const fw_model *model = s->job->model;
  fw_sheet_column(&s->path, "", "load");
  fw_sheet_column(&s->path, "", "iterations");
  for (int i = 0; i < model->sensor_count; i++)
    fw_sheet_column(&s->path, fw_sensor_unit_of(&model->sensors[i], FW_DISPLACEMENT), "%s", model->sensors[i].id);
  return fw_sheet_open(&s->path, "path");
}

static fw_status follow_path(fw_static *s, int steps) {
  const fw_job *job = s->job;
  double *growth = NULL;
  fw_load_path path;
  fw_status status = FW_OK;
  FW_TRY_DONE(open_path(s));
  FW_TRY_DONE(fw_alloc(job->ctx, (size_t)s->system->size, sizeof *growth, &growth));
  static_rhs(s, 1.0);
  memcpy(growth, s->rhs, (size_t)s->system->size * sizeof *growth);
  static_rhs(s, 0.0);
  for (int64_t i = 0; i < s->system->size; i++) growth[i] -= s->rhs[i];
  const fw_load_path_job arc = {s->system, s->rhs, growth, steps, path_point, s};
  FW_TRY_DONE(fw_load_path_follow(job->ctx, &arc, s->old, &path));
  FW_TRY_DONE(fw_record_set_number(job->summary, path.points, "path.points"));
  for (int i = 0; i < path.limits; i++)
    FW_TRY_DONE(fw_record_set_number(job->summary, path.limit[i], "path.limits[%d]", i));
done:
  free(growth);
  return status;
}

/* ---- figures ----------------------------------------------------------------------------- */

static fw_status static_report(fw_static *s) {
  const fw_job *job = s->job;
  const fw_model *model = job->model;
  const fw_state *state = s->old;
  for (int i = 0; i < model->sensor_count; i++) {
    const fw_sensor *sensor = &model->sensors[i];
    if (sensor->quantity != FW_DISPLACEMENT) continue;
    FW_TRY(fw_record_set_figure(job->summary, fw_functional_value(&sensor->shape, state->q), fw_sensor_unit(sensor),
                                "sensors.%s", sensor->id));
  }
  for (int p = 0; p < model->pair_count; p++) {
    double N = 0.0, T = 0.0;
    for (int c = 0; c < model->pairs[p]->count; c++) {
      N += state->touch[model->pairs[p]->first_contact + c].N;
      T += state->touch[model->pairs[p]->first_contact + c].T;
    }
    FW_TRY(fw_record_set_figure(job->summary, N, "N", "contact.%s.normal", model->pairs[p]->id));
    FW_TRY(fw_record_set_figure(job->summary, T, "N", "contact.%s.tangential", model->pairs[p]->id));
  }
  FW_TRY(fw_record_set_figure(job->summary, fw_system_energy(s->system, state->q), "J", "strain_energy"));
  const fw_step_statistics *count = fw_stepper_statistics(s->stepper);
  if (count->steps > 0) {
    FW_TRY(fw_record_set_number(job->summary, s->residual, "equilibrium.residual"));
    FW_TRY(fw_record_set_number(job->summary, s->contact, "equilibrium.contact_residual"));
    FW_TRY(fw_record_set_number(job->summary, (double)count->steps, "statistics.steps"));
    FW_TRY(fw_record_set_number(job->summary, (double)count->iterations, "statistics.iterations"));
    FW_TRY(fw_record_set_number(job->summary, (double)count->iterations / (double)count->steps,
                                "statistics.iterations_per_step"));
    FW_TRY(fw_record_set_figure(job->summary, (double)count->factor_memory, "bytes", "statistics.factor_memory"));
  }
  return FW_OK;
}

/* Of the loads named, check has seen that they are constant; these may have come with the start. */
static fw_status refuse_varying(const fw_job *job, const double *factors) {
  for (int i = 0; i < job->model->load_count; i++)
    if (factors[i] != 0.0 && !job->model->loads[i].ops->constant)
      return fw_fail_at(job->ctx, FW_ERR_ANALYSIS, job->common->place,
                        "load \"%s\" depends on time and is still on from the start: a static analysis takes constant "
                        "loads",
                        job->model->loads[i].id);
  return FW_OK;
}

static fw_status static_run(fw_job *job, fw_outcome *outcome) {
  static const fw_column columns[] = {{"iteration", ""},
                                      {"residual", "of the largest force"},
                                      {"contact", "of the largest force"},
                                      {"load", "of the full load"}};
  fw_status status = FW_OK;
  const fw_model *model = job->model;
  size_t loads = (size_t)model->load_count;
  fw_static s = {.job = job, .path = fw_sheet_of(job->ctx, job->sink, job->id)};
  FW_TRY_DONE(fw_job_begin(job, &s.old));
  FW_TRY_DONE(fw_state_copy(job->ctx, s.old, &s.new_state));
  FW_TRY_DONE(fw_system_create(job->ctx, model, &s.system));
  FW_TRY_DONE(fw_stepper_create(job->ctx, s.system, false, &s.stepper));
  FW_TRY_DONE(fw_alloc(job->ctx, loads, sizeof *s.from, &s.from));
  FW_TRY_DONE(fw_alloc(job->ctx, loads, sizeof *s.to, &s.to));
  FW_TRY_DONE(fw_alloc(job->ctx, loads, sizeof *s.factors, &s.factors));
  FW_TRY_DONE(fw_alloc(job->ctx, (size_t)s.system->size, sizeof *s.rhs, &s.rhs));
  memcpy(s.from, s.old->load_factors, loads * sizeof *s.from);
  memcpy(s.to, s.old->load_factors, loads * sizeof *s.to);
  FW_TRY_DONE(fw_job_loads(job, 1.0, s.to));
  FW_TRY_DONE(refuse_varying(job, s.to));
  if (fw_args_integer(job->args, "path") == 1) {
    FW_TRY_DONE(follow_path(&s, fw_args_integer(job->args, "steps")));
  } else {
    FW_TRY_DONE(fw_sink_table(job->sink, job->ctx, job->id, "convergence", columns, 4, false, &s.history));
    FW_TRY_DONE(raise_loads(&s, fw_args_integer(job->args, "steps")));
    FW_TRY_DONE(warn_of_instability(&s));
  }
  memcpy(s.old->load_factors, s.to, loads * sizeof *s.to);
  FW_TRY_DONE(static_report(&s));
  FW_TRY_DONE(fw_patch_table(job, s.old));
  fw_linear_range range = {0};
  fw_linear_range_look(&range, model, s.old->q);
  FW_TRY_DONE(fw_linear_range_judge(&range, job));
  fw_stepper_destroy(&s.stepper); /* matrices of large models are gone before pictures are made */
  fw_system_destroy(&s.system);
  status = fw_sink_frame(job->sink, job->ctx, job->id, &(fw_frame){"static", 0.0, s.old, 0.0, NULL});
done:
  outcome->state = s.old;
  s.old = NULL;
  fw_stepper_destroy(&s.stepper);
  fw_system_destroy(&s.system);
  fw_state_destroy(&s.new_state);
  free(s.from);
  free(s.to);
  free(s.factors);
  free(s.rhs);
  fw_sheet_close(&s.path);
  return status;
}

static fw_status static_check(fw_context *ctx, const fw_model *model, const fw_args *common, const fw_args *args) {
  if (fw_args_integer(args, "path") == 1 && model->contact_count > 0)
    return fw_fail_at(ctx, FW_ERR_DECK, args->place, "attribute 'path': arc-length is for structures without contact");
  return fw_check_constant(ctx, model, common, "a static analysis is");
}

const fw_analysis_ops fw_analysis_static = {
    .entry = {"static", "Equilibrium under constant loads, with contact and friction", "f_int(q) = f + W_n N - W_t T",
              "", static_params},
    .check = static_check,
    .run = static_run};
