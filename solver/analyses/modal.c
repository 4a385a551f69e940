/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Linear modes about a state. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/load.h"
#include "core/reading.h"
#include "elements/flow.h"
#include "solver/analyses/modal_parts.h"
#include "solver/time/settle.h"

static const fw_param modal_params[] = {
    {"modes", FW_PARAM_INTEGER, "", "6", 1, 10000, NULL, "how many of the lowest modes"},
    {"contact", FW_PARAM_CHOICE, "", "as-is", 0, 0, "stick|slip|open|as-is|slide",
     "what closed contact points, and joints with friction, do in the linear model; as-is: what they do in the "
     "starting "
     "state, where a joint at rest sticks; slide: steady sliding at the velocities of prescribed motions, with "
     "friction that changes with velocity and normal force (complex)"},
    {"complex", FW_PARAM_FLAG, "", "no", 0, 0, NULL,
     "complex eigenvalues with all damping: damped frequency, damping ratio and growth; always where contact slides, "
     "fluid-elastic forces act or a stiffness is not symmetric"},
    {"flow-min", FW_PARAM_NUMBER, "", "", 0, 1e30, NULL,
     "beginning of a range of the flow of all fluid-elastic forces, over which the flows are sought at which modes "
     "begin or cease to grow"},
    {"flow-max", FW_PARAM_NUMBER, "", "", 0, 1e30, NULL, "its end"},
    {"flow-points", FW_PARAM_INTEGER, "", "21", 2, 100000, NULL,
     "flows looked at, equally spaced; changes between neighbours are found by bisection"},
    {0}};

fw_status fw_modal_need_one(const fw_modal *m, int found) {
  if (found > 0) return FW_OK;
  return fw_fail(m->job->ctx, FW_ERR_ANALYSIS, "nothing that can move has mass: there are no modes");
}

/* Effective mass of a mode for a rigid translation along x or y: (phi^T M e)^2. */
static double effective_mass(const double *phi, const double *M_e, int n) {
  double sum = 0.0;
  for (int i = 0; i < n; i++) sum += phi[i] * M_e[i];
  return sum * sum;
}

static double quadratic(const fw_sparse *A, const double *x, int n, double *work) {
  memset(work, 0, (size_t)A->n * sizeof *work);
  double sum = 0.0;
  for (int j = 0; j < n; j++)
    for (int64_t k = A->p[j]; k < A->p[j + 1]; k++) work[A->i[k]] += A->x[k] * x[j];
  for (int i = 0; i < n; i++) sum += work[i] * x[i];
  return sum;
}

/* A motion that grows as e^(growth t) is no vibration: its frequency is 0. */
static fw_status report_growth(const fw_modal *m, int i) {
  if (m->values[i] >= -1e-12 * m->highest) return FW_OK;
  double growth = sqrt(-m->values[i]);
  fw_log(m->job->ctx, "%s: the state is unstable: mode %d grows by e in %s", m->job->id, i + 1,
         fw_say(1.0 / growth, "s").text);
  return fw_record_set_figure(m->job->summary, growth, "1/s", "modes[%d].growth", i);
}

static double highest_eigenvalue(const fw_linearised *l, int n) {
  double most = 0.0;
  for (int64_t i = 0; i < n; i++) {
    int64_t at = fw_sparse_position(l->K, i, i);
    if (l->M->x[at] > 0.0) most = fmax(most, fabs(l->K->x[at]) / l->M->x[at]);
  }
  return most;
}

fw_status fw_modal_picture(fw_modal *m, int i, const double *phi, double frequency) {
  const fw_model *model = m->job->model;
  double peak = 0.0;
  char caption[32];
  fw_state_assign(m->shape, m->state);
  for (int n = 0; n < model->node_count; n++)
    for (int k = FW_X; k <= FW_Y; k++)
      if (model->nodes[n].dof[k] >= 0) peak = fmax(peak, fabs(phi[model->nodes[n].dof[k]]));
  for (int k = 0; k < model->dof_count; k++) m->shape->q[k] = phi[k] / (peak > 0.0 ? peak : 1.0);
  snprintf(caption, sizeof caption, "%.5g Hz", frequency);
  return fw_sink_frame(m->job->sink, m->job->ctx, m->job->id, &(fw_frame){"mode", i + 1, m->shape, 1.0, caption});
}

static fw_status report_mode(fw_modal *m, int i) {
  fw_job *job = m->job;
  const fw_model *model = job->model;
  const double *phi = m->vectors + (size_t)i * (size_t)model->dof_count;
  double omega = sqrt(fmax(m->values[i], 0.0));
  /* Viscous phi^T C phi / 2 omega, and hysteretic phi^T H phi / 2 omega^2. */
  double damping = 0.0;
  if (omega > 0.0)
    damping = (quadratic(m->linear->C, phi, model->dof_count, m->work) + fw_system_loss(m->system, phi) / omega) /
              (2.0 * omega);
  double mass[2], rounding = 0.0;
  for (int d = FW_X; d <= FW_Y; d++) {
    mass[d] = effective_mass(phi, m->M_e[d], model->dof_count);
    rounding += 1e-20 * mass[d];
  }
  for (int d = FW_X; d <= FW_Y; d++) mass[d] = mass[d] > rounding ? mass[d] : 0.0;
  const double row[] = {i + 1, omega / (2 * M_PI), damping, mass[FW_X], mass[FW_Y]};
  FW_TRY(fw_sink_row(job->sink, job->ctx, m->table, row));
  FW_TRY(fw_record_set_figure(job->summary, row[1], "Hz", "modes[%d].frequency", i));
  FW_TRY(fw_record_set_number(job->summary, row[2], "modes[%d].damping", i));
  FW_TRY(fw_record_set_figure(job->summary, row[3], "kg", "modes[%d].effective_mass.x", i));
  FW_TRY(fw_record_set_figure(job->summary, row[4], "kg", "modes[%d].effective_mass.y", i));
  FW_TRY(report_growth(m, i));
  return fw_modal_picture(m, i, phi, row[1]);
}

/* The loads named come to those carried over. */
static fw_status put_loads_on(const fw_modal *m) {
  bool slides = fw_args_integer(m->job->args, "contact") == FW_VIEW_SLIDE,
       given = fw_args_given(m->job->common, "loads");
  if (given) FW_TRY(fw_job_loads(m->job, 1.0, m->state->load_factors));
  if (slides) return fw_slide_reach(m->job->ctx, m->system, m->state);
  return given ? fw_rest_reach(m->job->ctx, m->system, m->state) : FW_OK;
}

static bool is_complex(const fw_model *model, const fw_args *args) {
  return fw_args_integer(args, "contact") == FW_VIEW_SLIDE || fw_args_flag(args, "complex") ||
         fw_model_has_circulation(model);
}

/* Hysteretic damping belongs to one frequency: it is no C of all of them. */
static fw_status check_complex(fw_context *ctx, const fw_model *model, const fw_args *args) {
  for (int b = 0; b < model->block_count; b++)
    if (model->blocks[b].props.loss_factor > 0.0)
      return fw_fail_at(ctx, FW_ERR_DECK, args->place,
                        "complex eigenvalues have no hysteretic damping: give body \"%s\" another one",
                        model->bodies[model->blocks[b].body].id);
  return FW_OK;
}

static fw_status check_flows(fw_context *ctx, const fw_model *model, const fw_args *args) {
  bool low = fw_args_given(args, "flow-min"), high = fw_args_given(args, "flow-max");
  if (!low && !high && !fw_args_given(args, "flow-points")) return FW_OK;
  if (!low || !high)
    return fw_fail_at(ctx, FW_ERR_DECK, args->place, "a range of flows needs both 'flow-min' and 'flow-max'");
  if (!fw_model_has_flow(model))
    return fw_fail_at(ctx, FW_ERR_DECK, args->place, "attribute 'flow-min': there are no fluid-elastic forces");
  if (fw_args_integer(args, "contact") == FW_VIEW_SLIDE)
    return fw_fail_at(ctx, FW_ERR_DECK, args->place, "attribute 'flow-min': not about steady sliding");
  return fw_check_below(ctx, args, "flow-min", "flow-max");
}

static fw_status modal_check(fw_context *ctx, const fw_model *model, const fw_args *common, const fw_args *args) {
  if (is_complex(model, args)) FW_TRY(check_complex(ctx, model, args));
  FW_TRY(check_flows(ctx, model, args));
  return fw_check_constant(ctx, model, common, "linear modes are");
}

static fw_status report_real(fw_modal *m, int count) {
  static const fw_column columns[] = {
      {"mode", ""}, {"frequency", "Hz"}, {"damping", ""}, {"effective mass x", "kg"}, {"effective mass y", "kg"}};
  fw_job *job = m->job;
  int n = job->model->dof_count, found = 0;
  FW_TRY(fw_alloc(job->ctx, (size_t)count, sizeof *m->values, &m->values));
  FW_TRY(fw_alloc(job->ctx, (size_t)count * (size_t)n, sizeof *m->vectors, &m->vectors));
  FW_TRY(fw_alloc(job->ctx, (size_t)m->linear->K->n, sizeof *m->work, &m->work));
  FW_TRY(fw_system_modes(job->ctx, m->system, m->linear->K, m->linear->M, count, m->values, m->vectors, &found));
  FW_TRY(fw_modal_need_one(m, found));
  FW_TRY(fw_sink_table(job->sink, job->ctx, job->id, "modes", columns, 5, false, &m->table));
  m->highest = highest_eigenvalue(m->linear, n);
  for (int d = FW_X; d <= FW_Y; d++) {
    FW_TRY(fw_alloc(job->ctx, (size_t)m->system->size, sizeof *m->M_e[d], &m->M_e[d]));
    fw_system_translation(m->system, d, m->M_e[d]);
  }
  for (int i = 0; i < found; i++) FW_TRY(report_mode(m, i));
  return FW_OK;
}

static fw_status modal_run(fw_job *job, fw_outcome *outcome) {
  fw_status status = FW_OK;
  fw_modal m = {.job = job};
  fw_contact_view view = (fw_contact_view)fw_args_integer(job->args, "contact");
  int wanted = fw_args_integer(job->args, "modes"), n = job->model->dof_count, count = wanted < n ? wanted : n;
  FW_TRY_DONE(fw_job_begin(job, &m.state));
  FW_TRY_DONE(fw_state_copy(job->ctx, m.state, &m.shape));
  FW_TRY_DONE(fw_system_create(job->ctx, job->model, &m.system));
  FW_TRY_DONE(put_loads_on(&m));
  FW_TRY_DONE(fw_linearise(job->ctx, m.system, m.state, view, &m.linear));
  if (is_complex(job->model, job->args))
    FW_TRY_DONE(fw_modal_complex(&m, count));
  else
    FW_TRY_DONE(report_real(&m, count));
  if (fw_args_given(job->args, "flow-min")) FW_TRY_DONE(fw_modal_flows(&m, count));
done:
  outcome->state = m.state;
  fw_state_destroy(&m.shape);
  fw_linearised_destroy(&m.linear);
  fw_system_destroy(&m.system);
  free(m.values);
  free(m.vectors);
  free(m.work);
  free(m.M_e[FW_X]);
  free(m.M_e[FW_Y]);
  return status;
}

const fw_analysis_ops fw_analysis_modal = {
    .entry = {"modal", "Linear natural frequencies and modes about the starting state, at rest under its loads",
              "(K - omega^2 M) phi = 0; complex: (lambda^2 M + lambda C + K) x = 0, zeta = -Re lambda/|lambda|", "",
              modal_params},
    .check = modal_check,
    .run = modal_run};
