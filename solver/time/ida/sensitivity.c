/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "solver/time/ida/engine.h"

#include <stdlib.h>
#include <string.h>

#include "solver/time/ida/events.h"

/* ---- creation ---------------------------------------------------------------------------- */

static bool same_modes(const fw_dae *a, const fw_dae *b) {
  for (int c = 0; c < a->model->contact_count; c++)
    if (a->points[c].closed != b->points[c].closed || a->points[c].mode != b->points[c].mode) return false;
  return true;
}

static fw_status side_create(fw_context *ctx, const fw_dae *base, const fw_neighbour *neighbour, int side,
                             fw_tangent *tangent) {
  const fw_model *model = neighbour->system[side]->model;
  if (model->dof_count != base->n || model->contact_count != base->model->contact_count ||
      model->constraint_count != base->model->constraint_count || model->z_count != base->model->z_count)
    return fw_fail(ctx, FW_ERR_ANALYSIS, "sensitivities: the mesh changes with parameter %s", neighbour->parameter);
  FW_TRY(fw_state_copy(ctx, neighbour->state[side], &tangent->state[side]));
  FW_TRY(fw_dae_create(ctx, neighbour->system[side], tangent->state[side], neighbour->omega[side], base->stabilisation,
                       &tangent->dae[side]));
  FW_TRY(fw_dae_observe(tangent->dae[side], tangent->state[side]));
  FW_TRY(fw_events_settle(ctx, tangent->dae[side], tangent->state[side]));
  if (same_modes(base, tangent->dae[side])) return FW_OK;
  return fw_fail(ctx, FW_ERR_ANALYSIS, "sensitivities: what contact does at the beginning changes with parameter %s",
                 neighbour->parameter);
}

static fw_status tangent_create(fw_context *ctx, const fw_dae *base, const fw_neighbour *neighbour, double *y,
                                double *y_dot, fw_tangent *tangent) {
  size_t size = (size_t)base->size;
  tangent->step = neighbour->step;
  tangent->scale = neighbour->scale;
  FW_TRY(fw_alloc(ctx, size, sizeof(double), &tangent->y));
  FW_TRY(fw_alloc(ctx, size, sizeof(double), &tangent->y_dot));
  for (int side = 0; side < 2; side++) {
    double factor = (side ? 0.5 : -0.5) / neighbour->step;
    FW_TRY(side_create(ctx, base, neighbour, side, tangent));
    fw_dae_pack(tangent->dae[side], tangent->state[side], y, y_dot);
    fw_dae_state_rates(tangent->dae[side], y, y_dot);
    for (size_t k = 0; k < size; k++) {
      tangent->y[k] += factor * y[k];
      tangent->y_dot[k] += factor * y_dot[k];
    }
  }
  return FW_OK;
}

fw_status fw_sensitivity_create(fw_context *ctx, const fw_dae *base, const fw_neighbour *neighbours, int count,
                                fw_ida_sensitivity **sensitivity) {
  fw_status status = FW_OK;
  fw_ida_sensitivity *s = NULL;
  size_t size = (size_t)base->size;
  FW_TRY_DONE(fw_alloc(ctx, 1, sizeof *s, &s));
  FW_TRY_DONE(fw_alloc(ctx, (size_t)count, sizeof *s->of, &s->of));
  s->count = count;
  FW_TRY_DONE(fw_alloc(ctx, size, sizeof(double), &s->y));
  FW_TRY_DONE(fw_alloc(ctx, size, sizeof(double), &s->y_dot));
  FW_TRY_DONE(fw_alloc(ctx, size, sizeof(double), &s->F));
  for (int i = 0; i < count; i++) FW_TRY_DONE(tangent_create(ctx, base, &neighbours[i], s->y, s->y_dot, &s->of[i]));
done:
  if (status != FW_OK) fw_sensitivity_destroy(&s);
  *sensitivity = s;
  return status;
}

void fw_sensitivity_destroy(fw_ida_sensitivity **sensitivity) {
  if (!sensitivity || !*sensitivity) return;
  fw_ida_sensitivity *s = *sensitivity;
  for (int i = 0; s->of && i < s->count; i++) {
    for (int side = 0; side < 2; side++) {
      fw_dae_destroy(&s->of[i].dae[side]);
      fw_state_destroy(&s->of[i].state[side]);
    }
    free(s->of[i].y);
    free(s->of[i].y_dot);
  }
  free(s->of);
  free(s->y);
  free(s->y_dot);
  free(s->F);
  free(s);
  *sensitivity = NULL;
}

/* ---- equations --------------------------------------------------------------------------- */

fw_status fw_sensitivity_residual(fw_context *ctx, fw_ida_sensitivity *sensitivity, int i, double t, const double *y,
                                  const double *y_dot, const double *s, const double *s_dot, bool by_laws,
                                  double *out) {
  fw_tangent *tangent = &sensitivity->of[i];
  int64_t size = tangent->dae[0]->size, known = by_laws ? tangent->dae[0]->contact_at : size;
  double *at = sensitivity->y, *at_dot = sensitivity->y_dot, *F = sensitivity->F;
  memset(out, 0, (size_t)size * sizeof *out);
  for (int side = 0; side < 2; side++) {
    fw_dae *dae = tangent->dae[side];
    double d = side ? tangent->step : -tangent->step, factor = 0.5 / d;
    for (int64_t k = 0; k < known; k++) at[k] = y[k] + d * s[k];
    for (int64_t k = 0; k < known; k++) at_dot[k] = y_dot[k] + (s_dot ? d * s_dot[k] : 0.0);
    if (by_laws) FW_TRY(fw_dae_contact_forces(dae, t, at, at_dot, F));
    FW_TRY(fw_dae_residual(ctx, dae, t, at, at_dot, F));
    for (int64_t k = 0; k < size; k++) out[k] += factor * F[k];
  }
  return FW_OK;
}

void fw_sensitivity_commit(fw_ida_sensitivity *sensitivity, const fw_state *base) {
  for (int i = 0; i < 2 * sensitivity->count; i++) {
    fw_state *state = sensitivity->of[i / 2].state[i % 2];
    state->time = base->time;
    memcpy(state->q, base->q, (size_t)base->model->dof_count * sizeof *state->q);
    memcpy(state->touch, base->touch, (size_t)base->model->contact_count * sizeof *state->touch);
  }
}
