/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/state.h"

#include <stdlib.h>
#include <string.h>

#include "core/unknown.h"

static size_t positive(int count) { return count > 0 ? (size_t)count : 1; }

fw_status fw_state_create(fw_context *ctx, const fw_model *model, fw_state **state) {
  fw_status status = FW_OK;
  fw_state *s = NULL;
  FW_TRY(fw_alloc(ctx, 1, sizeof *s, &s));
  s->model = model;
  size_t n = positive(model->dof_count + model->constraint_count);
  FW_TRY_DONE(fw_alloc(ctx, n, sizeof *s->q, &s->q));
  FW_TRY_DONE(fw_alloc(ctx, n, sizeof *s->v, &s->v));
  FW_TRY_DONE(fw_alloc(ctx, n, sizeof *s->a, &s->a));
  FW_TRY_DONE(fw_alloc(ctx, positive(model->constraint_count), sizeof *s->lambda, &s->lambda));
  FW_TRY_DONE(fw_alloc(ctx, positive(model->contact_count), sizeof *s->touch, &s->touch));
  FW_TRY_DONE(fw_alloc(ctx, positive(model->z_count), sizeof *s->z, &s->z));
  FW_TRY_DONE(fw_alloc(ctx, positive(model->load_count), sizeof *s->load_factors, &s->load_factors));
  for (int i = 0; i < model->contact_count; i++) s->touch[i].segment = -1;
  if (model->z_count) memcpy(s->z, model->z_start, (size_t)model->z_count * sizeof *s->z);
done:
  if (status != FW_OK) fw_state_destroy(&s);
  *state = s;
  return status;
}

void fw_state_assign(fw_state *to, const fw_state *from) {
  const fw_model *model = from->model;
  size_t n = (size_t)model->dof_count * sizeof(double);
  to->model = model;
  to->time = from->time;
  memcpy(to->q, from->q, n);
  memcpy(to->v, from->v, n);
  memcpy(to->a, from->a, n);
  memcpy(to->lambda, from->lambda, (size_t)model->constraint_count * sizeof(double));
  memcpy(to->touch, from->touch, (size_t)model->contact_count * sizeof *to->touch);
  memcpy(to->z, from->z, (size_t)model->z_count * sizeof(double));
  memcpy(to->load_factors, from->load_factors, (size_t)model->load_count * sizeof(double));
}

fw_status fw_state_copy(fw_context *ctx, const fw_state *from, fw_state **state) {
  FW_TRY(fw_state_create(ctx, from->model, state));
  fw_state_assign(*state, from);
  return FW_OK;
}

void fw_state_destroy(fw_state **state) {
  if (!state || !*state) return;
  fw_state *s = *state;
  free(s->q);
  free(s->v);
  free(s->a);
  free(s->lambda);
  free(s->touch);
  free(s->z);
  free(s->load_factors);
  free(s);
  *state = NULL;
}

double fw_state_reading(const fw_state *state, const fw_sensor *sensor) {
  const double *vector = sensor->quantity == FW_DISPLACEMENT ? state->q
                         : sensor->quantity == FW_VELOCITY   ? state->v
                                                             : state->a;
  return fw_functional_value(&sensor->shape, vector);
}

/* ---- numbers ----------------------------------------------------------------------------- */

static const char *body_of(const fw_model *model, int node) {
  for (int i = 0; i < model->body_count; i++)
    if (node >= model->bodies[i].first_node && node < model->bodies[i].first_node + model->bodies[i].node_count)
      return model->bodies[i].id;
  return "";
}

/* Says whose freedom it is. */
static fw_status refuse_freedom(fw_context *ctx, const fw_state *state, const char *what, int dof, double value) {
  const fw_model *model = state->model;
  for (int n = 0; n < model->node_count; n++)
    for (int k = 0; k < fw_node_dofs(&model->nodes[n]); k++)
      if (model->nodes[n].dof[k] == dof)
        return fw_fail(ctx, FW_ERR_ANALYSIS, "t = %.9g s: the %s of '%s' in %s at (%.6g, %.6g) is %s", state->time,
                       what, body_of(model, n), fw_dof_names[k], model->nodes[n].x[0], model->nodes[n].x[1],
                       fw_flaw_of(value));
  return fw_fail(ctx, FW_ERR_ANALYSIS, "t = %.9g s: the %s of freedom %d is %s", state->time, what, dof,
                 fw_flaw_of(value));
}

fw_status fw_state_check(fw_context *ctx, const fw_state *state) {
  const fw_model *model = state->model;
  for (int i = 0; i < model->dof_count; i++) {
    if (!isfinite(state->q[i])) return refuse_freedom(ctx, state, "displacement", i, state->q[i]);
    if (!isfinite(state->v[i])) return refuse_freedom(ctx, state, "velocity", i, state->v[i]);
    if (!isfinite(state->a[i])) return refuse_freedom(ctx, state, "acceleration", i, state->a[i]);
  }
  for (int c = 0; c < model->contact_count; c++)
    if (!isfinite(state->touch[c].N) || !isfinite(state->touch[c].T))
      return fw_fail(ctx, FW_ERR_ANALYSIS, "t = %.9g s: the forces of contact point %d are not finite", state->time,
                     c + 1);
  return FW_OK;
}
