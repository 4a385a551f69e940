/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Time integration. */
#include "solver/analyses/transient.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "contact/pair.h"
#include "contact/totals.h"
#include "core/field.h"
#include "core/hash.h"
#include "core/load.h"
#include "solver/analyses/recorders.h"
#include "solver/analyses/transient_reduced.h"
#include "solver/assembly/constraints.h"
#include "solver/time/integrator.h"

static void schedule(const fw_args *args, fw_schedule *s) {
  double frequency = fw_args_number(args, "at-frequency");
  s->period = frequency > 0.0 ? 1.0 / frequency : 0.0;
  s->duration = fw_transient_duration(args);
  s->step = fw_args_number(args, "step");
  if (s->step == 0.0) s->step = s->period / 400.0;
  s->steps = lround(ceil(s->duration / s->step - 1e-9));
  if (s->steps < 1) s->steps = 1;
  s->step = s->duration / (double)s->steps; /* equal steps that end where they should: factored once */
  if (fw_args_number(args, "checkpoint-every") > 0.0)
    s->keep = lround(fmax(1.0, fw_args_number(args, "checkpoint-every") / s->step));
}

static fw_status begin_state(const fw_job *job, fw_state **state) {
  const fw_outcome *start = job->start;
  double level = fw_args_number(job->args, "at-level");
  if (start && start->ops->state_at && fw_args_given(job->args, "at-level")) {
    FW_TRY(start->ops->state_at(job->ctx, start, level, fw_args_number(job->args, "at-frequency"), 0.0, state));
    return fw_job_loads(job, level, (*state)->load_factors);
  }
  FW_TRY(fw_job_begin(job, state));
  enum { CLOCK_ZERO } clock = fw_args_integer(job->args, "clock");
  if (clock == CLOCK_ZERO) (*state)->time = 0.0;
  return fw_job_loads(job, level, (*state)->load_factors);
}

/* The deck's initial values; *held and *held_rate say which freedoms keep them. */
static void take_initial(const fw_model *model, fw_state *state, bool *held, bool *held_rate) {
  for (int i = 0; i < model->initial_count; i++) {
    const fw_initial *initial = &model->initials[i];
    (initial->rate ? state->v : state->q)[initial->dof] = initial->value;
    (initial->rate ? held_rate : held)[initial->dof] = initial->held;
  }
}

/* Positions and velocities that fit the joints; without a start from the deck's initial values. */
static fw_status begin_closed(const fw_job *job, fw_system *system, fw_state *state) {
  fw_status status = FW_OK;
  bool *held = NULL, *held_rate = NULL;
  size_t n = (size_t)job->model->dof_count;
  FW_TRY_DONE(fw_alloc(job->ctx, n, sizeof *held, &held));
  FW_TRY_DONE(fw_alloc(job->ctx, n, sizeof *held_rate, &held_rate));
  if (!job->start) take_initial(job->model, state, held, held_rate);
  FW_TRY_DONE(fw_constraints_reach(job->ctx, system, held, held_rate, state));
  FW_TRY_DONE(fw_constraints_redundant(job->ctx, job->model, state->q, state->time));
done:
  free(held);
  free(held_rate);
  return status;
}

/* Sliding distance, work and dissipation count from the beginning of this analysis. */
static void clear_totals(fw_state *state) {
  for (int c = 0; c < state->model->contact_count; c++) fw_touch_clear_totals(&state->touch[c]);
}

fw_status fw_transient_begin(const fw_job *job, fw_beginning *b) {
  schedule(job->args, &b->schedule);
  FW_TRY(begin_state(job, &b->state));
  clear_totals(b->state);
  FW_TRY(fw_system_create(job->ctx, job->model, &b->system));
  FW_TRY(begin_closed(job, b->system, b->state));
  b->omega = b->schedule.period > 0.0 ? 2.0 * M_PI / b->schedule.period : 0.0;
  return b->omega > 0.0 ? FW_OK : fw_job_check_steady(job, b->state);
}

void fw_beginning_clear(fw_beginning *b) {
  fw_state_destroy(&b->state);
  fw_system_destroy(&b->system);
}

/* One run: what a checkpoint must bring back. */
typedef struct fw_course {
  fw_job *job;
  const fw_integrator_ops *ops;
  void *self;
  fw_monitor *monitor;
  const fw_schedule *schedule;
  char *path; /* of the checkpoint; NULL: none is kept */
  uint64_t mark;
  long done;                         /* steps */
  fw_sensitivity_table *sensitivity; /* NULL: none */
  fw_reduced_transient *reduced;     /* NULL: it is on the whole model */
} fw_course;

/* What a checkpoint must agree in with the run that takes it up: the mark of the job, which covers the model and all
 * settings, and the state it began from, which other analyses may have left. */
static uint64_t run_mark(const fw_job *job, const fw_state *begin) {
  const fw_model *model = job->model;
  uint64_t mark = fw_hash_text(fw_hash_integer(job->mark, job->frame_every), job->id);
  mark = fw_hash_numbers(mark, begin->q, (size_t)model->dof_count);
  mark = fw_hash_numbers(mark, begin->v, (size_t)model->dof_count);
  mark = fw_hash_numbers(mark, begin->z, (size_t)model->z_count);
  return fw_hash_numbers(mark, begin->load_factors, (size_t)model->load_count);
}

static fw_status archive_run(fw_course *run, fw_archive *archive) {
  FW_TRY(fw_archive_longs(archive, &run->done, 1));
  FW_TRY(run->ops->archive(run->job->ctx, run->self, archive));
  if (run->reduced) FW_TRY(fw_reduced_transient_archive(run->job->ctx, run->reduced, archive));
  return fw_monitor_archive(run->monitor, archive);
}

static fw_status keep(fw_course *run) {
  fw_archive archive = {.ctx = run->job->ctx};
  fw_status status = archive_run(run, &archive);
  if (status == FW_OK && run->path) status = fw_archive_save(&archive, run->path, run->mark);
  fw_archive_clear(&archive);
  return status;
}

/* Goes back to the last checkpoint if there is one to resume from; else takes the first look. */
static fw_status begin_or_resume(fw_course *run) {
  fw_archive archive = {.ctx = run->job->ctx};
  bool found = false;
  fw_status status = FW_OK;
  if (run->path && run->job->resume) status = fw_archive_load(&archive, run->path, run->mark, &found);
  if (status == FW_OK && found) {
    status = archive_run(run, &archive);
    if (status == FW_OK)
      fw_log(run->job->ctx, "%s: resumes at t = %.9g s", run->job->id, run->ops->state(run->self)->time);
  } else if (status == FW_OK) {
    status = fw_monitor_step(run->monitor, run->ops->state(run->self), run->ops->energy(run->self));
    if (status == FW_OK && run->reduced)
      status = fw_reduced_transient_step(run->job->ctx, run->reduced, 0.0, run->ops->state(run->self));
  }
  fw_archive_clear(&archive);
  return status;
}

static fw_status integrate(fw_course *run) {
  fw_context *ctx = run->job->ctx;
  const fw_schedule *s = run->schedule;
  FW_TRY(begin_or_resume(run));
  if (run->sensitivity) FW_TRY(fw_sensitivity_table_row(run->sensitivity));
  while (run->done < s->steps) {
    FW_TRY(fw_interrupted(ctx));
    FW_TRY(fw_integrator_advance(ctx, run->ops, run->self, s->step));
    FW_TRY(fw_monitor_step(run->monitor, run->ops->state(run->self), run->ops->energy(run->self)));
    if (run->reduced) FW_TRY(fw_reduced_transient_step(ctx, run->reduced, s->step, run->ops->state(run->self)));
    if (run->sensitivity) FW_TRY(fw_sensitivity_table_row(run->sensitivity));
    if (run->done++ % 64 == 0) fw_progress(ctx, run->job->id, (double)run->done / (double)s->steps);
    if (s->keep > 0 && run->done % s->keep == 0) FW_TRY(keep(run));
  }
  return FW_OK;
}

static fw_status checkpoint_path(const fw_job *job, const fw_schedule *s, char **path) {
  *path = NULL;
  if (!job->folder || s->keep == 0) return FW_OK;
  size_t room = strlen(job->folder) + sizeof "/checkpoint.bin";
  FW_TRY(fw_alloc(job->ctx, room, 1, path));
  snprintf(*path, room, "%s/checkpoint.bin", job->folder);
  return FW_OK;
}

static fw_row_options row_options(const fw_job *job, double begin, const fw_schedule *s) {
  const fw_value *times = fw_args_value(job->args, "times");
  fw_row_options rows = {.every = fw_args_integer(job->args, "every"), .from = begin};
  if (fw_args_given(job->args, "last") && s->period > 0.0)
    rows.from = begin + s->duration - fw_args_number(job->args, "last") * s->period;
  rows.times = times->count > 0 ? times->numbers : NULL;
  rows.time_count = times->count;
  return rows;
}

/* ---- derivatives by parameters ----------------------------------------------------------- */

/* Makes the integrator follow the derivatives by the parameters of the job's variants, which begin at `sides` [2 a
 * variant]: those are filled here and must live as long as the integrator. */
static fw_status follow(const fw_job *job, const fw_integrator_ops *ops, void *integrator, fw_beginning *sides) {
  fw_status status = FW_OK;
  fw_neighbour *neighbours = NULL;
  FW_TRY_DONE(fw_alloc(job->ctx, (size_t)job->variant_count, sizeof *neighbours, &neighbours));
  for (int i = 0; i < job->variant_count; i++) {
    const fw_variant *variant = &job->variants[i];
    neighbours[i] = (fw_neighbour){.parameter = variant->parameter, .step = variant->step, .scale = variant->scale};
    for (int k = 0; k < 2; k++) {
      fw_beginning *side = &sides[2 * i + k];
      FW_TRY_DONE(fw_transient_begin(variant->side[k], side));
      neighbours[i].system[k] = side->system;
      neighbours[i].state[k] = side->state;
      neighbours[i].omega[k] = side->omega;
    }
  }
  FW_TRY_DONE(ops->differentiate(job->ctx, integrator, neighbours, job->variant_count));
done:
  free(neighbours);
  return status;
}

/* Figures are of the last periods of the drive, without one of all but the settling. */
static double observed_from(const fw_args *args, double begin, const fw_schedule *s) {
  if (s->period > 0.0) return begin + s->duration - fmin(fw_args_number(args, "observe") * s->period, s->duration);
  return begin + fw_args_number(args, "settle");
}

/* ---- the analysis ------------------------------------------------------------------------ */

/* What is integrated, and for whom: the model of the job, or a reduced one. */
typedef struct subject {
  fw_job *job;
  fw_system *system;
  const fw_state *state;
} subject;

static fw_status choose_subject(fw_job *job, const fw_beginning *b, fw_reduced_transient **reduced, subject *on) {
  *on = (subject){job, b->system, b->state};
  if (!fw_transient_is_reduced(job->args)) return FW_OK;
  FW_TRY(fw_reduced_transient_create(job, b, reduced));
  fw_reduced_side *side = &(*reduced)->coarse;
  *on = (subject){&side->job, side->system, side->state};
  return FW_OK;
}

static fw_status open_monitor(const subject *on, const fw_beginning *b, const fw_integrator_ops *ops, void *integrator,
                              fw_monitor **monitor) {
  const fw_schedule *s = &b->schedule;
  double end = b->state->time + s->duration, from = observed_from(on->job->args, b->state->time, s);
  fw_row_options rows = row_options(on->job, b->state->time, s);
  double window = fw_args_number(on->job->args, "force-window");
  if (ops->watch) window = fmax(window, s->step); /* in steps of its own an impulse has no bounds */
  FW_TRY(fw_monitor_create(on->job, s->period, from, end, &rows, window, monitor));
  if (!ops->watch) return FW_OK;
  fw_monitor_expect_passed(*monitor);
  ops->watch(integrator, fw_monitor_pass, *monitor);
  return FW_OK;
}

static fw_status report(const fw_course *run) {
  FW_TRY(fw_monitor_report(run->monitor));
  FW_TRY(run->ops->report(run->self, run->job->summary));
  if (run->reduced) FW_TRY(fw_reduced_transient_report(run->reduced));
  return run->sensitivity ? fw_sensitivity_table_report(run->sensitivity) : FW_OK;
}

static void take_final(const fw_course *run, fw_state *final) {
  const fw_state *state = run->ops->state(run->self);
  if (run->reduced)
    fw_reduced_model_expand(run->reduced->coarse.reduced, state, final);
  else
    fw_state_assign(final, state);
}

static fw_status transient_run(fw_job *job, fw_outcome *outcome) {
  fw_status status = FW_OK;
  fw_beginning b = {0}, *sides = NULL;
  const fw_schedule *s = &b.schedule;
  const fw_integrator_ops *ops = fw_integrator_chosen(job->args);
  void *integrator = NULL;
  fw_monitor *monitor = NULL;
  fw_sensitivity_table sensitivity = {0};
  fw_reduced_transient *reduced = NULL;
  subject on;
  fw_course run = {0};
  FW_TRY_DONE(fw_transient_begin(job, &b));
  FW_TRY_DONE(fw_loads_check(job->ctx, b.state->model, b.state->load_factors, b.state->time, b.omega));
  FW_TRY_DONE(fw_loads_reach(job->ctx, b.state->model, b.state->load_factors, b.state->time + s->duration));
  FW_TRY_DONE(choose_subject(job, &b, &reduced, &on));
  FW_TRY_DONE(ops->create(on.job, on.system, on.state, b.omega, &integrator));
  FW_TRY_DONE(open_monitor(&on, &b, ops, integrator, &monitor));
  if (reduced) FW_TRY_DONE(fw_monitor_show_whole(monitor, reduced->coarse.reduced));
  FW_TRY_DONE(checkpoint_path(job, s, &run.path));
  run = (fw_course){on.job, ops, integrator, monitor, s, run.path, run_mark(job, b.state), 0, NULL, reduced};
  if (job->variant_count > 0) {
    FW_TRY_DONE(fw_alloc(job->ctx, 2 * (size_t)job->variant_count, sizeof *sides, &sides));
    FW_TRY_DONE(follow(job, ops, integrator, sides));
    FW_TRY_DONE(fw_sensitivity_table_open(job, ops, integrator, &sensitivity));
    run.sensitivity = &sensitivity;
  }
  status = integrate(&run);
  fw_status reported = report(&run);
  if (status == FW_OK) status = reported;
  take_final(&run, b.state);
done:
  outcome->state = b.state;
  b.state = NULL;
  free(run.path);
  fw_sensitivity_table_clear(&sensitivity);
  fw_monitor_destroy(&monitor);
  if (integrator) ops->destroy(integrator);
  fw_reduced_transient_destroy(&reduced);
  for (int i = 0; sides && i < 2 * job->variant_count; i++) fw_beginning_clear(&sides[i]);
  free(sides);
  fw_beginning_clear(&b);
  return status;
}

const fw_analysis_ops fw_analysis_transient = {
    .entry = {"transient", "Time integration with contact and friction", "M a + C v + f_int(q) = f(t) + W_n N - W_t T",
              "", fw_transient_params},
    .check = fw_transient_check,
    .run = transient_run};
