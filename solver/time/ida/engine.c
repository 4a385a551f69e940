/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "solver/time/ida/engine.h"

#include <math.h>
#include <string.h>

#include "core/load.h"
#include "solver/assembly/constraints.h"

fw_status fw_engine_check(fw_context *ctx, int flag) {
  return flag >= 0 ? FW_OK : fw_fail(ctx, FW_ERR_LIBRARY, "the integrator could not be set up (reason %d)", flag);
}

fw_status fw_engine_stopped(fw_context *ctx, const char *solver, double t, bool too_short, int flag) {
  if (!too_short) return fw_fail(ctx, FW_ERR_ANALYSIS, "%s stops at t = %.9g s (reason %d)", solver, t, flag);
  return fw_fail(ctx, FW_ERR_ANALYSIS,
                 "%s stops at t = %.9g s: no step is short enough; a law may have no solution there, see "
                 "docs/integrators.md",
                 solver, t);
}

/* l . A r among the first n freedoms. */
static double product(const fw_sparse *A, int64_t n, const double *l, const double *r) {
  double sum = 0.0;
  for (int64_t j = 0; j < n; j++) {
    double column = 0.0;
    for (int64_t k = A->p[j]; k < A->p[j + 1]; k++)
      if (A->i[k] < n) column += A->x[k] * l[A->i[k]];
    sum += column * r[j];
  }
  return sum;
}

/* v . (M v' + f_int): f_int holds the forces of joints, whose motions in time are loads, and what fluids do by K. */
static fw_status stored_power(fw_context *ctx, fw_dae *dae, double t, const double *y, const double *y_dot,
                              double *power) {
  const double *v = y + dae->n, *v_dot = y_dot + dae->n;
  FW_TRY(fw_system_force(ctx, dae->system, y, y + dae->lambda_at, t, dae->inner, false));
  double sum = product(dae->system->M, dae->n, v, v_dot);
  for (int64_t i = 0; i < dae->n; i++) sum += v[i] * dae->inner[i];
  *power += sum;
  return FW_OK;
}

fw_status fw_engine_powers(fw_context *ctx, fw_dae *dae, double t, const double *y, const double *y_dot,
                           double *power) {
  const double *v = y + dae->n;
  memset(power, 0, FW_POWERS * sizeof *power);
  memset(dae->force, 0, (size_t)dae->system->size * sizeof *dae->force);
  fw_loads_force(dae->model, dae->committed->load_factors, t, dae->omega, dae->force);
  for (int64_t i = 0; i < dae->n; i++) power[FW_POWER_LOADS] += dae->force[i] * v[i];
  if (dae->model->constraint_count > 0) /* of prescribed motions: -lambda . G v = lambda . phi_t */
    fw_constraints_find(dae->model, y, NULL, t, &(fw_constraints){.phi_t = dae->force});
  for (int i = 0; i < dae->model->constraint_count; i++)
    power[FW_POWER_STORED] += y[dae->lambda_at + i] * dae->force[i];
  power[FW_POWER_LOADS] += power[FW_POWER_STORED];
  FW_TRY(stored_power(ctx, dae, t, y, y_dot, &power[FW_POWER_STORED]));
  fw_system_turn(dae->system, y);
  power[FW_POWER_DAMPING] = product(dae->system->C, dae->n, v, v);
  power[FW_POWER_FILM] = fw_system_film_work(dae->system, v, v);
  fw_flow_work flow = fw_system_flow_work(dae->system, v, v, y);
  power[FW_POWER_FLOW] = -flow.damping - flow.stiffness;
  power[FW_POWER_STORED] -= flow.stiffness;
  power[FW_POWER_DAMPING] -= power[FW_POWER_FILM] + flow.damping;
  FW_TRY(fw_dae_kinematics(dae, y));
  for (int c = 0; c < dae->model->contact_count; c++) {
    power[FW_POWER_FRICTION] += y[dae->contact_at + 2 * c + 1] * dae->points[c].slip_rate;
    power[FW_POWER_CONTACT] -= y[dae->contact_at + 2 * c] * dae->points[c].gap_rate;
  }
  return FW_OK;
}

void fw_engine_tolerances(const fw_dae *dae, const fw_ida_options *options, double *tolerance, double *kind) {
  double force = 1.0;
  for (int c = 0; c < dae->model->contact_count; c++) force = fmax(force, fabs(dae->committed->touch[c].N));
  for (int64_t i = 0; i < dae->size; i++) {
    if (kind) kind[i] = i < dae->contact_at ? 1.0 : 0.0;
    tolerance[i] = i < dae->n ? options->displacement : options->velocity;
    if (i >= dae->contact_at) tolerance[i] = options->relative * force; /* Newton's; not in the error test */
  }
  for (int c = 0; c < dae->model->contact_count; c++) {
    const fw_dae_point *point = &dae->points[c];
    if (point->first_z < 0) continue;
    int64_t at = dae->z_at + point->first_z;
    for (int s = 0; s < point->pair->states; s++)
      tolerance[at + s] =
          options->relative * fw_friction_scale(&point->pair->friction, fmax(dae->committed->touch[c].N, 1.0), s);
  }
}
