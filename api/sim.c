/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A transient that the caller takes through time. It begins as the analysis does and takes the same steps, so that its
 * numbers are those of the analysis; it keeps no history. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "api/prepared.h"
#include "core/load.h"
#include "core/plain_locale.h"
#include "solver/analyses/transient.h"
#include "solver/linalg/blas_threads.h"
#include "solver/time/integrator.h"

extern const fw_analysis_ops fw_analysis_transient;

struct fw_sim {
  fw_context *ctx;
  fw_prepared prepared;
  fw_beginning begin;
  const fw_integrator_ops *ops;
  void *integrator;
  double *factors;  /* [load_count] as the caller wants them */
  long done;        /* steps */
  fw_status broken; /* what ended it */
};

/* ---- creation ---------------------------------------------------------------------------- */

static fw_status check_task(fw_sim *sim, const char *id) {
  const fw_task *task = sim->prepared.task;
  if (task->ops != &fw_analysis_transient)
    return fw_fail(sim->ctx, FW_ERR_ARGUMENT, "fw_sim_create: %s is a %s; only a transient goes step by step", id,
                   task->ops->entry.name);
  if (fw_args_given(sim->prepared.job.args, "sensitivities"))
    return fw_fail(sim->ctx, FW_ERR_ARGUMENT, "fw_sim_create: %s asks for sensitivities, which only a run computes",
                   id);
  if (fw_transient_is_reduced(sim->prepared.job.args))
    return fw_fail(sim->ctx, FW_ERR_ARGUMENT,
                   "fw_sim_create: %s is on a reduced model; leave out reduce and reduce-below to take it step by step",
                   id);
  return FW_OK;
}

static fw_status open_sim(fw_sim *sim, const fw_deck *deck, const char *id) {
  fw_job *job = &sim->prepared.job;
  FW_TRY(fw_prepare(sim->ctx, deck, id, 1, &sim->prepared));
  FW_TRY(check_task(sim, id));
  job->sink = NULL; /* no tables: it may go on for ever */
  FW_TRY(fw_transient_begin(job, &sim->begin));
  const fw_state *state = sim->begin.state;
  FW_TRY(fw_loads_check(sim->ctx, state->model, state->load_factors, state->time, sim->begin.omega));
  size_t loads = (size_t)state->model->load_count;
  FW_TRY(fw_alloc(sim->ctx, loads, sizeof *sim->factors, &sim->factors));
  memcpy(sim->factors, state->load_factors, loads * sizeof *sim->factors);
  sim->ops = fw_integrator_chosen(job->args);
  return sim->ops->create(job, sim->begin.system, state, sim->begin.omega, &sim->integrator);
}

static fw_status create(fw_context *ctx, const fw_deck *deck, const char *id, fw_sim **sim) {
  FW_TRY(fw_alloc(ctx, 1, sizeof **sim, sim));
  (*sim)->ctx = ctx;
  fw_status status = open_sim(*sim, deck, id);
  if (status != FW_OK) fw_sim_destroy(sim);
  return status;
}

static fw_status create_plainly(fw_context *ctx, const fw_deck *deck, const char *id, fw_sim **sim) {
  FW_RETURN_PLAIN(ctx, create(ctx, deck, id, sim));
}

fw_status fw_sim_create(fw_context *ctx, const fw_deck *deck, const char *id, fw_sim **sim) {
  if (sim) *sim = NULL;
  FW_NEED(ctx, ctx);
  FW_NEED(ctx, deck);
  FW_NEED(ctx, id);
  FW_NEED(ctx, sim);
  FW_TRY(fw_blas_room(ctx));
  fw_blas_threads_enter();
  fw_status status = create_plainly(ctx, deck, id, sim);
  fw_blas_threads_leave();
  return status;
}

void fw_sim_destroy(fw_sim **sim) {
  if (!sim || !*sim) return;
  fw_sim *s = *sim;
  if (s->integrator) s->ops->destroy(s->integrator);
  fw_beginning_clear(&s->begin);
  fw_prepared_clear(&s->prepared);
  free(s->factors);
  free(s);
  *sim = NULL;
}

/* ---- steps ------------------------------------------------------------------------------- */

/* Where the analysis keeps a checkpoint its integrator begins anew, whether there is a file or not. */
static fw_status begin_anew(fw_sim *sim) {
  fw_archive archive = {.ctx = sim->ctx};
  fw_status status = sim->ops->archive(sim->ctx, sim->integrator, &archive);
  fw_archive_clear(&archive);
  return status;
}

static fw_status advance(fw_sim *sim, long steps) {
  const fw_schedule *schedule = &sim->begin.schedule;
  for (long i = 0; i < steps; i++) {
    FW_TRY(fw_interrupted(sim->ctx));
    FW_TRY(fw_integrator_advance(sim->ctx, sim->ops, sim->integrator, schedule->step));
    sim->done++;
    if (schedule->keep > 0 && sim->done % schedule->keep == 0) FW_TRY(begin_anew(sim));
  }
  return FW_OK;
}

static fw_status advance_plainly(fw_sim *sim, long steps) { FW_RETURN_PLAIN(sim->ctx, advance(sim, steps)); }

static fw_status check_whole(const fw_sim *sim) {
  if (sim->broken == FW_OK) return FW_OK;
  return fw_fail(sim->ctx, FW_ERR_ARGUMENT, "%s has failed and does not go on: %s", sim->prepared.job.id,
                 fw_status_text(sim->broken));
}

/* An interruption between steps leaves it whole; a step that failed does not. What a smaller step might mend is a failure here. */
static fw_status judge(fw_sim *sim, fw_status status) {
  if (status > 0)
    status = fw_fail(sim->ctx, FW_ERR_ANALYSIS, "%s: t = %.9g s: %s", sim->prepared.job.id,
                     sim->ops->state(sim->integrator)->time, fw_status_text(status));
  if (status != FW_ERR_INTERRUPTED) sim->broken = status;
  return status;
}

fw_status fw_sim_advance(fw_sim *sim, long steps) {
  if (!sim) return FW_ERR_ARGUMENT;
  if (steps < 0) return fw_fail(sim->ctx, FW_ERR_ARGUMENT, "fw_sim_advance: %ld steps", steps);
  FW_TRY(check_whole(sim));
  fw_blas_threads_enter();
  fw_status status = judge(sim, advance_plainly(sim, steps));
  fw_blas_threads_leave();
  return status;
}

/* ---- loads and sensors ------------------------------------------------------------------- */

static fw_status unknown(fw_context *ctx, const char *what, const char *name) {
  return fw_fail(ctx, FW_ERR_ARGUMENT, "the deck has no %s \"%s\"", what, name);
}

static fw_status reload_plainly(fw_sim *sim) {
  FW_RETURN_PLAIN(sim->ctx, sim->ops->reload(sim->ctx, sim->integrator, sim->factors));
}

fw_status fw_sim_set_load(fw_sim *sim, const char *load, double factor) {
  if (!sim) return FW_ERR_ARGUMENT;
  FW_NEED(sim->ctx, load);
  int i = fw_model_load(sim->prepared.built->model, load);
  if (i < 0) return unknown(sim->ctx, "load", load);
  if (!isfinite(factor)) return fw_fail(sim->ctx, FW_ERR_ARGUMENT, "load %s: a factor of %g", load, factor);
  FW_TRY(check_whole(sim));
  if (sim->factors[i] == factor) return FW_OK;
  sim->factors[i] = factor;
  fw_blas_threads_enter();
  fw_status status = judge(sim, reload_plainly(sim));
  fw_blas_threads_leave();
  return status;
}

fw_status fw_sim_read(const fw_sim *sim, const char *sensor, double *value) {
  if (!sim) return FW_ERR_ARGUMENT;
  FW_NEED(sim->ctx, sensor);
  FW_NEED(sim->ctx, value);
  const fw_model *model = sim->prepared.built->model;
  int i = fw_model_sensor(model, sensor);
  if (i < 0) return unknown(sim->ctx, "sensor", sensor);
  *value = fw_state_reading(sim->ops->state(sim->integrator), &model->sensors[i]);
  return FW_OK;
}

fw_status fw_sim_time(const fw_sim *sim, double *time, double *step) {
  if (!sim) return FW_ERR_ARGUMENT;
  if (time) *time = sim->ops->state(sim->integrator)->time;
  if (step) *step = sim->begin.schedule.step;
  return FW_OK;
}
