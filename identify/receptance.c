/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "identify/harmonics.h"

#include <stdlib.h>
#include <string.h>

#include "identify/dynamic_stiffness.h"

static double complex read_shape(const fw_functional *shape, const double complex *q) {
  double complex sum = 0.0;
  for (int i = 0; i < shape->count; i++) sum += shape->weight[i] * q[shape->dof[i]];
  return sum;
}

static double complex read_slip(const fw_kinematic *kin, const double complex *q) {
  double complex sum = 0.0;
  for (int i = 0; i < kin->count; i++) sum += kin->slip_q[i] * q[kin->dof[i]];
  return sum;
}

static double complex *part_of(fw_answer *answer, fw_answer_part part) {
  return part == FW_TO_DRIVE ? &answer->drive : part == FW_TO_FRICTION ? &answer->friction : &answer->beyond;
}

void fw_receptance_read(const fw_model *model, const fw_linearised *linear, const fw_linear_contact *point,
                        const double complex *q, fw_answer_part part, fw_receptance *r) {
  for (int i = 0; i < model->sensor_count; i++)
    *part_of(&r->sensors[i], part) = read_shape(&model->sensors[i].shape, q);
  *part_of(&r->slip, part) = read_slip(&point->kin, q);
  /* The last multiplier is that of the gap: what holds it acts against the gap's direction. */
  if (linear->held == 1) *part_of(&r->normal, part) = -q[linear->K->n - 1];
}

void fw_receptance_drive(const fw_load *load, double complex factor, double complex *f) {
  for (int i = 0; i < load->shape.count; i++) f[load->shape.dof[i]] += factor * load->shape.weight[i];
}

void fw_receptance_friction(const fw_linear_contact *point, double complex factor, double complex *f) {
  for (int i = 0; i < point->kin.count; i++) f[point->kin.dof[i]] -= factor * point->kin.slip_q[i];
}

static fw_status answer(fw_context *ctx, fw_dynamic_stiffness *stiffness, const fw_model *model, int load,
                        const fw_linear_contact *point, fw_receptance *r) {
  const fw_linearised *linear = stiffness->linear;
  size_t n = (size_t)linear->K->n;
  double complex *q;
  fw_status status;
  FW_TRY(fw_alloc(ctx, n, sizeof *q, &q));
  fw_receptance_drive(&model->loads[load], 1.0, q);
  FW_TRY_DONE(fw_dynamic_stiffness_solve(ctx, stiffness, q));
  fw_receptance_read(model, linear, point, q, FW_TO_DRIVE, r);
  memset(q, 0, n * sizeof *q);
  fw_receptance_friction(point, 1.0, q);
  FW_TRY_DONE(fw_dynamic_stiffness_solve(ctx, stiffness, q));
  fw_receptance_read(model, linear, point, q, FW_TO_FRICTION, r);
done:
  free(q);
  return status;
}

fw_status fw_receptance_point(fw_context *ctx, const fw_model *model, const fw_state *state, int pair,
                              fw_linear_contact *point) {
  const fw_pair *p = model->pairs[pair];
  if (p->count != 1)
    return fw_fail(ctx, FW_ERR_ANALYSIS, "pair '%s' has %d contact points; one is asked for", p->id, p->count);
  FW_TRY(fw_linear_contact_find(ctx, model, state, FW_VIEW_SLIP, p, 0, point));
  if (point->placed && point->closed) return FW_OK;
  return fw_fail(ctx, FW_ERR_ANALYSIS, "pair '%s' is open where receptances are taken", p->id);
}

fw_status fw_receptance_of(fw_context *ctx, const fw_model *model, const fw_state *state, int load, int pair,
                           double omega, fw_receptance *r) {
  fw_system *system = NULL;
  fw_linearised *linear = NULL;
  fw_dynamic_stiffness stiffness = {0};
  fw_linear_contact point;
  fw_status status;
  *r = (fw_receptance){0};
  FW_TRY(fw_receptance_point(ctx, model, state, pair, &point));
  FW_TRY_DONE(fw_alloc(ctx, (size_t)model->sensor_count, sizeof *r->sensors, &r->sensors));
  FW_TRY_DONE(fw_system_create(ctx, model, &system));
  FW_TRY_DONE(fw_linearise(ctx, system, state, FW_VIEW_SLIP, &linear));
  FW_TRY_DONE(fw_dynamic_stiffness_init(ctx, linear, &stiffness));
  FW_TRY_DONE(fw_dynamic_stiffness_set(ctx, &stiffness, omega));
  status = answer(ctx, &stiffness, model, load, &point, r);
done:
  fw_dynamic_stiffness_clear(&stiffness);
  fw_linearised_destroy(&linear);
  fw_system_destroy(&system);
  if (status != FW_OK) fw_receptance_clear(r);
  return status;
}

void fw_receptance_clear(fw_receptance *receptance) {
  free(receptance->sensors);
  *receptance = (fw_receptance){0};
}
