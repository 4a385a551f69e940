/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "solver/analyses/recorders.h"

fw_status fw_sensitivity_table_open(const fw_job *job, const fw_integrator_ops *ops, const void *integrator,
                                    fw_sensitivity_table *table) {
  *table = (fw_sensitivity_table){
      .job = job, .ops = ops, .integrator = integrator, .sheet = fw_sheet_of(job->ctx, job->sink, job->id)};
  fw_sheet_column(&table->sheet, "s", "time");
  for (int i = 0; i < job->variant_count; i++)
    for (int k = 0; k < job->model->sensor_count; k++)
      fw_sheet_column(&table->sheet, "SI", "d %s/d %s", job->model->sensors[k].id, job->variants[i].parameter);
  return fw_sheet_open(&table->sheet, "sensitivity");
}

void fw_sensitivity_table_clear(fw_sensitivity_table *table) {
  fw_sheet_close(&table->sheet);
  *table = (fw_sensitivity_table){0};
}

/* The sensor itself may move with the parameter: its functional acts in the neighbours' form on the motion. */
static double sensor_derivative(const fw_variant *variant, int sensor, const fw_state *state,
                                const fw_motion_tangent *tangent) {
  double sum = 0.0;
  for (int side = 0; side < 2; side++) {
    const fw_sensor *s = &variant->side[side]->model->sensors[sensor];
    const double *x = s->quantity == FW_DISPLACEMENT ? state->q : s->quantity == FW_VELOCITY ? state->v : state->a;
    const double *x_p = s->quantity == FW_DISPLACEMENT ? tangent->q
                        : s->quantity == FW_VELOCITY   ? tangent->v
                                                       : tangent->a;
    double moved = fw_functional_value(&s->shape, x) / (2.0 * variant->step);
    sum += (side ? moved : -moved) + 0.5 * fw_functional_value(&s->shape, x_p);
  }
  return sum;
}

fw_status fw_sensitivity_table_row(fw_sensitivity_table *table) {
  const fw_job *job = table->job;
  const fw_state *state = table->ops->state(table->integrator);
  fw_sheet_put(&table->sheet, state->time);
  for (int i = 0; i < job->variant_count; i++) {
    fw_motion_tangent tangent = table->ops->tangent(table->integrator, i);
    for (int k = 0; k < job->model->sensor_count; k++)
      fw_sheet_put(&table->sheet, sensor_derivative(&job->variants[i], k, state, &tangent));
  }
  return fw_sheet_row(&table->sheet);
}

fw_status fw_sensitivity_table_report(const fw_sensitivity_table *table) {
  const fw_job *job = table->job;
  for (int i = 0, at = 1; i < job->variant_count; i++)
    for (int k = 0; k < job->model->sensor_count; k++, at++)
      FW_TRY(fw_record_set_number(job->summary, table->sheet.row[at], "sensitivities.%s.%s", job->variants[i].parameter,
                                  job->model->sensors[k].id));
  return FW_OK;
}
