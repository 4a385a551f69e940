/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "solver/analyses/sensitivity_table.h"

#include <stdio.h>
#include <stdlib.h>

static fw_status open_table(const fw_job *job, fw_column *columns, char (*names)[160], fw_data_table **table) {
  int count = 1;
  columns[0] = (fw_column){"time", "s"};
  for (int i = 0; i < job->variant_count; i++)
    for (int k = 0; k < job->model->sensor_count; k++, count++) {
      snprintf(names[count], sizeof names[count], "d %s/d %s", job->model->sensors[k].id, job->variants[i].parameter);
      columns[count] = (fw_column){names[count], "SI"};
    }
  return fw_sink_table(job->sink, job->ctx, job->id, "sensitivity", columns, count, false, table);
}

fw_status fw_sensitivity_table_open(const fw_job *job, const fw_integrator_ops *ops, const void *integrator,
                                    fw_sensitivity_table *table) {
  fw_status status = FW_OK;
  fw_column *columns = NULL;
  char(*names)[160] = NULL;
  size_t count = 1 + (size_t)job->variant_count * (size_t)job->model->sensor_count;
  *table = (fw_sensitivity_table){.job = job, .ops = ops, .integrator = integrator};
  FW_TRY_DONE(fw_alloc(job->ctx, count, sizeof *columns, &columns));
  FW_TRY_DONE(fw_alloc(job->ctx, count, sizeof *names, &names));
  FW_TRY_DONE(fw_alloc(job->ctx, count, sizeof *table->row, &table->row));
  FW_TRY_DONE(open_table(job, columns, names, &table->table));
done:
  free(columns);
  free(names);
  return status;
}

void fw_sensitivity_table_clear(fw_sensitivity_table *table) {
  free(table->row);
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
  int count = 0;
  table->row[count++] = state->time;
  for (int i = 0; i < job->variant_count; i++) {
    fw_motion_tangent tangent = table->ops->tangent(table->integrator, i);
    for (int k = 0; k < job->model->sensor_count; k++)
      table->row[count++] = sensor_derivative(&job->variants[i], k, state, &tangent);
  }
  return fw_sink_row(job->sink, job->ctx, table->table, table->row);
}

fw_status fw_sensitivity_table_report(const fw_sensitivity_table *table) {
  const fw_job *job = table->job;
  for (int i = 0, at = 1; i < job->variant_count; i++)
    for (int k = 0; k < job->model->sensor_count; k++, at++)
      FW_TRY(fw_record_set_number(job->summary, table->row[at], "sensitivities.%s.%s", job->variants[i].parameter,
                                  job->model->sensors[k].id));
  return FW_OK;
}
