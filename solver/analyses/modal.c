/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Linear modes about a state. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/load.h"
#include "solver/analysis.h"
#include "solver/assembly/linearised.h"
#include "solver/time/settle.h"

static const fw_param modal_params[] = {
    {"modes", FW_PARAM_INTEGER, "", "6", 1, 10000, NULL, "how many of the lowest modes"},
    {"contact", FW_PARAM_CHOICE, "", "as-is", 0, 0, "stick|slip|open|as-is",
     "what closed contact points, and joints with friction, do in the linear model; as-is: what they do in the "
     "starting "
     "state, where a joint at rest sticks"},
    {0}};

/* Effective mass of a mode for a rigid translation along x or y: (phi^T M e)^2. */
static double effective_mass(const double *phi, const double *M_e, int n) {
  double sum = 0.0;
  for (int i = 0; i < n; i++) sum += phi[i] * M_e[i];
  return sum * sum;
}

typedef struct fw_modal {
  fw_job *job;
  fw_system *system;
  fw_linearised *linear;
  fw_state *state; /* the state linearised about */
  fw_state *shape; /* frame for pictures */
  double *values, *vectors, *work;
  double *M_e[2]; /* mass times unit translation along x and y */
  double highest; /* bound of the eigenvalues, by which rounding is told from instability */
  fw_data_table *table;
} fw_modal;

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
  if (m->values[i] > -1e-12 * m->highest) return FW_OK;
  double growth = sqrt(-m->values[i]);
  fw_log(m->job->ctx, "%s: the state is unstable: mode %d grows by e in %.4g s", m->job->id, i + 1, 1.0 / growth);
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

static fw_status report_mode(fw_modal *m, int i) {
  fw_job *job = m->job;
  const fw_model *model = job->model;
  const double *phi = m->vectors + (size_t)i * (size_t)model->dof_count;
  double omega = sqrt(fmax(m->values[i], 0.0)), peak = 0.0;
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
  fw_state_assign(m->shape, m->state);
  for (int n = 0; n < model->node_count; n++)
    for (int k = FW_X; k <= FW_Y; k++)
      if (model->nodes[n].dof[k] >= 0) peak = fmax(peak, fabs(phi[model->nodes[n].dof[k]]));
  for (int k = 0; k < model->dof_count; k++) m->shape->q[k] = phi[k] / (peak > 0.0 ? peak : 1.0);
  char caption[32];
  snprintf(caption, sizeof caption, "%.5g Hz", row[1]);
  FW_TRY(report_growth(m, i));
  return fw_sink_frame(job->sink, job->ctx, job->id, &(fw_frame){"mode", i + 1, m->shape, 1.0, caption});
}

/* The loads named come to those carried over. */
static fw_status put_loads_on(const fw_modal *m) {
  if (!fw_args_given(m->job->common, "loads")) return FW_OK;
  FW_TRY(fw_job_loads(m->job, 1.0, m->state->load_factors));
  return fw_rest_reach(m->job->ctx, m->system, m->state);
}

static fw_status modal_check(fw_context *ctx, const fw_model *model, const fw_args *common, const fw_args *args) {
  (void)args;
  return fw_check_constant(ctx, model, common, "linear modes are");
}

static fw_status modal_run(fw_job *job, fw_outcome *outcome) {
  static const fw_column columns[] = {
      {"mode", ""}, {"frequency", "Hz"}, {"damping", ""}, {"effective mass x", "kg"}, {"effective mass y", "kg"}};
  fw_status status = FW_OK;
  const fw_model *model = job->model;
  fw_modal m = {.job = job};
  int wanted = fw_args_integer(job->args, "modes"), count = wanted < model->dof_count ? wanted : model->dof_count,
      found = 0;
  FW_TRY_DONE(fw_job_begin(job, &m.state));
  FW_TRY_DONE(fw_state_copy(job->ctx, m.state, &m.shape));
  FW_TRY_DONE(fw_system_create(job->ctx, model, &m.system));
  FW_TRY_DONE(put_loads_on(&m));
  FW_TRY_DONE(
      fw_linearise(job->ctx, m.system, m.state, (fw_contact_view)fw_args_integer(job->args, "contact"), &m.linear));
  FW_TRY_DONE(fw_alloc(job->ctx, (size_t)count, sizeof *m.values, &m.values));
  FW_TRY_DONE(fw_alloc(job->ctx, (size_t)count * (size_t)model->dof_count, sizeof *m.vectors, &m.vectors));
  FW_TRY_DONE(fw_alloc(job->ctx, (size_t)m.linear->K->n, sizeof *m.work, &m.work));
  FW_TRY_DONE(fw_system_modes(job->ctx, m.system, m.linear->K, m.linear->M, count, m.values, m.vectors, &found));
  FW_TRY_DONE(fw_sink_table(job->sink, job->ctx, job->id, "modes", columns, 5, false, &m.table));
  m.highest = highest_eigenvalue(m.linear, model->dof_count);
  for (int d = FW_X; d <= FW_Y; d++) {
    FW_TRY_DONE(fw_alloc(job->ctx, (size_t)m.system->size, sizeof *m.M_e[d], &m.M_e[d]));
    fw_system_translation(m.system, d, m.M_e[d]);
  }
  for (int i = 0; i < found; i++) FW_TRY_DONE(report_mode(&m, i));
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
              "(K - omega^2 M) phi = 0", "", modal_params},
    .check = modal_check,
    .run = modal_run};
