/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "solver/analyses/transient_reduced.h"

#include <math.h>
#include <stdlib.h>

/* ---- life -------------------------------------------------------------------------------- */

static void clear_side(fw_reduced_side *side) {
  fw_system_destroy(&side->system);
  fw_state_destroy(&side->state);
  fw_reduced_model_destroy(&side->reduced);
}

static fw_status free_to_move(const fw_job *job, fw_status status) {
  if (status != FW_ERR_SINGULAR) return status;
  return fw_fail_at(job->ctx, FW_ERR_ANALYSIS, job->args->place,
                    "attribute 'reduce': a body is held by no support, contact or joint: it cannot be reduced");
}

/* `finer`: times as many modes, or up to a frequency so many times as high. */
static fw_status open_side(const fw_job *job, const fw_beginning *whole, int finer, fw_reduced_side *side) {
  fw_context *ctx = job->ctx;
  bool counted = fw_args_given(job->args, "reduce");
  int modes = counted ? finer * fw_args_integer(job->args, "reduce") + 2 * (finer - 1) : 0;
  double below = counted ? 0.0 : 2.0 * M_PI * finer * fw_args_number(job->args, "reduce-below");
  FW_TRY(free_to_move(
      job, fw_reduced_model_create(ctx, job->model, whole->state->load_factors, modes, below, &side->reduced)));
  side->job = *job;
  side->job.model = &side->reduced->model;
  FW_TRY(fw_system_create(ctx, side->job.model, &side->system));
  return fw_reduced_model_restrict(ctx, side->reduced, whole->state, &side->state, &side->lost);
}

static fw_status make_numbers(fw_context *ctx, fw_reduced_transient *r) {
  size_t n = (size_t)(r->numbers = r->coarse.job.model->sensor_count + r->coarse.reduced->kept) + 1;
  FW_TRY(fw_alloc(ctx, n, sizeof *r->low, &r->low));
  FW_TRY(fw_alloc(ctx, n, sizeof *r->high, &r->high));
  FW_TRY(fw_alloc(ctx, n, sizeof *r->difference, &r->difference));
  for (int i = 0; i < r->numbers; i++) {
    r->low[i] = INFINITY;
    r->high[i] = -INFINITY;
  }
  return FW_OK;
}

fw_status fw_reduced_transient_create(const fw_job *job, const fw_beginning *whole, fw_reduced_transient **reduced) {
  fw_reduced_transient *r = NULL;
  fw_status status = FW_OK;
  FW_TRY(fw_alloc(job->ctx, 1, sizeof *r, &r));
  r->ops = fw_integrator_chosen(job->args);
  FW_TRY_DONE(open_side(job, whole, 1, &r->coarse));
  FW_TRY_DONE(open_side(job, whole, 2, &r->fine));
  r->fine.job.sink = NULL; /* the tables are of the coarse one */
  FW_TRY_DONE(make_numbers(job->ctx, r));
  FW_TRY_DONE(r->ops->create(&r->fine.job, r->fine.system, r->fine.state, whole->omega, &r->integrator));
done:
  if (status != FW_OK) fw_reduced_transient_destroy(&r);
  *reduced = r;
  return status;
}

void fw_reduced_transient_destroy(fw_reduced_transient **reduced) {
  if (!reduced || !*reduced) return;
  fw_reduced_transient *r = *reduced;
  if (r->integrator) r->ops->destroy(r->integrator);
  clear_side(&r->coarse);
  clear_side(&r->fine);
  free(r->low);
  free(r->high);
  free(r->difference);
  free(r);
  *reduced = NULL;
}

/* ---- the comparison ---------------------------------------------------------------------- */

static double number_of(const fw_state *state, int i) {
  int sensors = state->model->sensor_count;
  return i < sensors ? fw_state_reading(state, &state->model->sensors[i]) : state->q[i - sensors];
}

fw_status fw_reduced_transient_step(fw_context *ctx, fw_reduced_transient *reduced, double dt, const fw_state *state) {
  fw_reduced_transient *r = reduced;
  if (dt > 0.0) FW_TRY(fw_integrator_advance(ctx, r->ops, r->integrator, dt));
  const fw_state *fine = r->ops->state(r->integrator);
  for (int i = 0; i < r->numbers; i++) {
    double there = number_of(fine, i);
    r->low[i] = fmin(r->low[i], there);
    r->high[i] = fmax(r->high[i], there);
    r->difference[i] = fmax(r->difference[i], fabs(there - number_of(state, i)));
  }
  return FW_OK;
}

fw_status fw_reduced_transient_archive(fw_context *ctx, fw_reduced_transient *reduced, fw_archive *archive) {
  size_t n = (size_t)reduced->numbers;
  FW_TRY(reduced->ops->archive(ctx, reduced->integrator, archive));
  FW_TRY(fw_archive_numbers(archive, reduced->low, n));
  FW_TRY(fw_archive_numbers(archive, reduced->high, n));
  return fw_archive_numbers(archive, reduced->difference, n);
}

/* ---- the summary ------------------------------------------------------------------------- */

static bool is_displacement(const fw_sensor *sensor) { return sensor->quantity == FW_DISPLACEMENT && !sensor->turns; }

/* Whether anything moves by more than rounding. */
static bool moves(const fw_reduced_transient *r) {
  const fw_model *model = r->coarse.job.model;
  double size = 0.0, swing = 0.0;
  for (int i = 0; i < r->numbers; i++) {
    if (i < model->sensor_count && !is_displacement(&model->sensors[i])) continue;
    size = fmax(size, fmax(fabs(r->low[i]), fabs(r->high[i])));
    swing = fmax(swing, 0.5 * (r->high[i] - r->low[i]));
  }
  return swing > 1e-9 * size;
}

/* Largest difference over half the swing of each sensor; the largest of displacements. Without one that moves, of the
 * freedoms that are kept, over half of the largest swing among them. */
static fw_status report_errors(const fw_reduced_transient *r) {
  const fw_model *model = r->coarse.job.model;
  fw_record *summary = r->coarse.job.summary;
  double worst = 0.0, most = 0.0, swing = 0.0;
  bool any = false;
  if (!moves(r)) return FW_OK;
  for (int i = 0; i < r->numbers; i++) {
    double half = 0.5 * (r->high[i] - r->low[i]);
    if (i >= model->sensor_count) {
      most = fmax(most, r->difference[i]);
      swing = fmax(swing, half);
    } else if (half > 0.0) {
      double error = r->difference[i] / half;
      FW_TRY(fw_record_set_figure(summary, error, "1", "reduction.sensors.%s", model->sensors[i].id));
      if (!is_displacement(&model->sensors[i])) continue;
      worst = fmax(worst, error);
      any = true;
    }
  }
  if (!any) worst = swing > 0.0 ? most / swing : 0.0;
  return fw_record_set_figure(summary, worst, "1", "reduction.error");
}

fw_status fw_reduced_transient_report(const fw_reduced_transient *reduced) {
  const fw_reduced_transient *r = reduced;
  const fw_reduced_model *model = r->coarse.reduced;
  fw_record *summary = r->coarse.job.summary;
  FW_TRY(fw_record_set_number(summary, model->whole->dof_count, "reduction.freedoms_before"));
  FW_TRY(fw_record_set_number(summary, model->model.dof_count, "reduction.freedoms"));
  FW_TRY(fw_record_set_number(summary, model->kept, "reduction.kept_freedoms"));
  FW_TRY(fw_record_set_number(summary, r->fine.reduced->model.dof_count, "reduction.finer_freedoms"));
  FW_TRY(fw_record_set_figure(summary, model->made.highest / (2.0 * M_PI), "Hz", "reduction.frequency"));
  FW_TRY(fw_record_set_figure(summary, r->coarse.lost, "1", "reduction.start_left_out"));
  return report_errors(r);
}
